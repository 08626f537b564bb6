"""R8 in small: a request for every operation, role and mode; always the same ones."""

from __future__ import annotations

import pytest

from config.access import SCOPES
from tests.chaos import r8

pytestmark = pytest.mark.django_db(transaction=True)


def test_no_request_that_can_be_made_from_the_description_breaks_it() -> None:
    tally = r8.fuzzed(examples=1)
    assert tally.faults == []
    assert len(tally.operations) == len(SCOPES)
