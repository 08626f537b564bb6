"""A fault as a test that its owner runs against the bot at home: one file, no dependency."""

from bots_api.reproduce.export import test_file

__all__ = ["test_file"]
