"""The mathematics of competitions: draws, table orders, chips, standings, slots. Pure Python.

Knows entries by number, never players, rows or requests. Chance comes in as a seed.
"""
