"""What is remembered about people: clubs, competitions, results. Imports games."""
