"""The rules of the game a second time: slow, plain, and written from the rules page alone.

It imports nothing of the product, so that the engine and this can be held against each other.
"""
