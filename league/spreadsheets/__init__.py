"""Spreadsheets of others, read with care: bytes to cells, cells to what they tell. No Django."""
