"""allauth's forms with our limits."""

from __future__ import annotations

from typing import Any

from allauth.account import forms
from allauth.core import context

from config.accounts import limits
from config.accounts.adapter import counted


class SignupForm(forms.SignupForm):
    """A new account; so many from one address."""

    def clean(self) -> dict[str, Any]:
        """Count what could be made."""
        cleaned: dict[str, Any] = super().clean()
        if not self.errors:
            counted(limits.sign_up(context.request))
        return cleaned


class ChangePasswordForm(forms.ChangePasswordForm):
    """A new password; the old one is no easier to guess here than at the door."""

    def clean_oldpassword(self) -> str:
        """The old password, if there are tries left."""
        counted(limits.own_password(self.user.pk))
        return str(super().clean_oldpassword())
