"""Web and database helpers that know no noun of the product."""
