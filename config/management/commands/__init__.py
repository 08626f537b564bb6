"""Commands that see every layer."""
