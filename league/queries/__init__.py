"""What can be asked about competitions. Queries answer and change nothing."""
