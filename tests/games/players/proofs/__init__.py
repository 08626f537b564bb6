"""What docs/house-bots.md says of the house bots, measured anew: `make prove`, an hour on one core.

Too long for every day; the tests beside it claim the same of fewer games.
"""
