"""A check carried out: its questions in order, over whichever transport the bot has."""
