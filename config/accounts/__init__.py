"""Accounts: sign-up, log-in and password by django-allauth, and the page of one's own settings."""
