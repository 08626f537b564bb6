"""Random records, played by the engine and by the reference, and held against each other."""
