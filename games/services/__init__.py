"""What changes games: decks, seats, moves, records. No task queue and no HTTP here."""
