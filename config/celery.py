"""The Celery application. It only wakes; what there is to do stands in the rows."""

import os

from celery import Celery
from celery.signals import celeryd_init
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.env import refuse_without_secret

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("housuliiga")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["config", "games", "league", "bots_api"])


@celeryd_init.connect
def check_secret(**_: object) -> None:
    """A worker signs calls and opens sealed secrets: it needs the key of all the others."""
    try:
        refuse_without_secret(settings.SECRET_KEY)
    except ImproperlyConfigured as error:
        # An exception of a signal's receiver would only be logged.
        raise SystemExit(str(error)) from error
