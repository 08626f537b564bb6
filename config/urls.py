"""Every address of the service, by app."""

from django.urls import URLPattern, URLResolver, include, path

from config import describe, health, metrics

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("llms.txt", describe.llms_txt),
    path("metrics", metrics.metrics),
    path("api/openapi.json", describe.openapi_json),
    path("api/openapi.yaml", describe.openapi_yaml),
    path("api/docs/", describe.docs),
    path("api/try/", describe.try_it),
    path("account/", include("config.accounts.urls")),
    path("", include("games.urls")),
    path("", include("league.urls")),
    path("", include("bots_api.urls")),
]

handler400 = "config.problems.bad_request"
handler403 = "config.problems.permission_denied"
handler404 = "config.problems.page_not_found"
handler500 = "config.problems.server_error"
