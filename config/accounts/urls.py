"""Addresses of accounts, under `/account/`; those of allauth by the names that it looks for."""

from allauth.account import views as allauth
from django.contrib.auth.views import PasswordResetConfirmView
from django.urls import path, reverse_lazy
from django.views.generic import RedirectView

from config.accounts import pages

_first = PasswordResetConfirmView.as_view(
    template_name="account/first.html", success_url=reverse_lazy("account_login")
)
_home = RedirectView.as_view(pattern_name="account")

urlpatterns = [
    path("", pages.account, name="account"),
    path("language", pages.language, name="account_language"),
    path("tokens", pages.new_token, name="account_new_token"),
    path("tokens/<int:token_id>/rotate", pages.rotate_token, name="account_rotate_token"),
    path("tokens/<int:token_id>/end", pages.end_token, name="account_end_token"),
    path("log-in/", allauth.login, name="account_login"),
    path("log-out/", allauth.logout, name="account_logout"),
    path("sign-up/", allauth.signup, name="account_signup"),
    path("password/", allauth.password_change, name="account_change_password"),
    path("first/<text:uidb64>/<text:token>/", _first, name="account_first"),
    # allauth asks for these by name; nobody is sent there.
    path("inactive/", _home, name="account_inactive"),
    path("set-password/", _home, name="account_set_password"),
    path("mail-sent/", _home, name="account_email_verification_sent"),
    path("again/", allauth.reauthenticate, name="account_reauthenticate"),
]
