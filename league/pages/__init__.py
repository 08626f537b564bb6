"""The pages of the league."""
