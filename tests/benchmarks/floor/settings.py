"""The service's own settings, with the floor's app and addresses beside its own."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS as _APPS

INSTALLED_APPS = [*_APPS, "tests.benchmarks.floor"]
ROOT_URLCONF = "tests.benchmarks.floor.urls"
