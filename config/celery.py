"""The Celery application. It only wakes; what there is to do stands in the rows."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("housuliiga")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["config", "games", "league", "bots_api"])
