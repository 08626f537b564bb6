"""Wiring: settings, urls, Celery app, ASGI, the embedded services. Sees every layer."""
