"""What every test run shares. The database and the broker come from config.embedded."""

from hypothesis import HealthCheck, settings

# No deadline: the machine may be busy. The same examples each time: a failure is a change of ours.
settings.register_profile(
    "housuliiga",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("housuliiga")
