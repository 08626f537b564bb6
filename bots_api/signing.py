"""Signing of calls to bots: as everything that is signed, by `config.kit.signing`."""

from config.kit.signing import new_seal, secret_of, signed

__all__ = ["new_seal", "secret_of", "signed"]
