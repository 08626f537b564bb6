"""What machines that play speak: registration, signed calls, SDK. Imports league and games."""
