"""What bot authors get: single files of the standard library alone, served at /sdk/."""
