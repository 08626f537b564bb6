"""The API of one game: players, rules, games, moves, records."""
