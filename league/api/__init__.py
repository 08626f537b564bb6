"""The API of clubs, competitions and schedules."""
