"""What services refuse, said on a page: beside the form, after the way back to it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect

from config.kit.errors import ServiceError


def told(error: ServiceError) -> str:
    """A refusal in a sentence."""
    return error.detail or (type(error).__doc__ or "").partition("\n")[0]


def done(
    request: HttpRequest, address: str, act: Callable[[], object], says: str = ""
) -> HttpResponseRedirect:
    """Do it and go to the address; what is refused is said there, what was done too."""
    try:
        act()
    except ServiceError as error:
        messages.error(request, told(error))
    else:
        if says:
            messages.success(request, says)
    return redirect(address)
