"""The services and processes of `make up` and `make test`: PostgreSQL, Valkey, web, worker, bots.

Owns how they are found, started, watched and stopped on one machine. Knows no noun of the product
and nothing of Django but the names of its commands.
"""
