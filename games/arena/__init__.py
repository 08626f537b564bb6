"""The arena: bots against each other on this machine, thousands of deals with intervals.

Standard library and the pure parts only, since it travels in `housu.pyz`.
"""
