"""What can go wrong before anything runs, as sentences for the person at the terminal."""


class EmbeddedError(Exception):
    """Something the person must decide or mend; its text says what and how."""
