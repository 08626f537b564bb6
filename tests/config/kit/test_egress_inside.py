"""R23 in full, for it is quick: nothing that is called leads inside."""

import asyncio

from tests.chaos.ssrf import NAMES, TIMES, URLS, look


def test_no_url_no_name_and_no_redirect_reaches_a_listener_inside() -> None:
    assert len(set(URLS)) >= 60
    found = asyncio.run(look())
    assert found.wrong == []
    assert found.reached == 0
    counts = (found.urls, found.names, found.redirects)
    assert counts == (2 * len(URLS), TIMES * len(NAMES), len(URLS))
