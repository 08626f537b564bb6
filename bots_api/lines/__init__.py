"""The way to one bot: signed calls within its slots, one decision by the clock, its mailbox."""
