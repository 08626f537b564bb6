"""The API of bots: registration and life, secrets, faults."""
