"""What is played: the engine, games, seats, live view. Imports config.kit only."""
