"""Games that somebody asks for: sparring with house bots, people who play against a bot."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID

import pytest

from bots_api.errors import NotAcceptingError
from bots_api.models import Bot, Outing, Sparring
from bots_api.services.accepting import Accepts, Hours
from bots_api.tasks import game_over
from config.kit import clock
from games.driver.resident import Resident
from games.engine import rules_from
from games.models import Game, Player, Seat
from games.services import lobby
from games.services.lobby import Plan
from tests.bots_api.cast import owner, puller, registered, robo
from tests.bots_api.test_suspension import bearer, sound_bot
from tests.games.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)

URL = "https://robo.example.org"
TABLE = rules_from("table")


@pytest.fixture
def driver(settings: Any) -> Iterator[Resident]:
    settings.EGRESS_ALLOW = ["loopback"]
    resident = Resident()
    yield resident
    resident.close()


def api_for(bot: Bot) -> Api:
    player = Player.objects.get(owned__bot=bot)
    return Api(authorization=bearer(player))


def test_a_bot_spars_as_soon_as_it_is_registered_and_before_any_check(driver: Resident) -> None:
    with sound_bot() as port:
        bot = registered(f"http://127.0.0.1:{port}").bot
        api = api_for(bot)
        path = f"/bots/{bot.pk}/sparring"
        begun = api.post(path, {"house": ["lowest", "random"], "games": 2})["results"]
        assert api.status == 201
        assert [one["state"] for one in begun] == ["ready", "ready"]
        driver.run_slice(game_over, 60)

    shown = [Api().get(f"{path}/{one['id']}") for one in begun]
    assert [(one["state"], one["faults"], one["stand_in"]) for one in shown] == [
        ("over", 0, False)
    ] * 2
    assert all(one["place"] in (1, 2, 3) for one in shown)
    assert [one["id"] for one in Api().get(path)["results"]] == [begun[1]["id"], begun[0]["id"]]
    game = Api().get(f"/games/{begun[0]['game']}")
    assert (game["rated"], game["players"], game["state"]) == (False, 3, "over")
    assert Outing.objects.filter(sparring=True).count() == 2
    figures = Api().get(f"/bots/{bot.pk}/figures")["figures"]
    assert figures["games"] == 2 and figures["answers"] > 10 and figures["p50_ms"] is not None


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"house": ["nobody"]}, 422, "bad_bot"),
        ({"house": []}, 422, "bad_bot"),
        ({"house": ["lowest"] * 6}, 400, "invalid_request"),
        ({"preset": "chess"}, 422, "unknown_preset"),
        ({"games": 11}, 400, "invalid_request"),
        ({"games": 0}, 400, "invalid_request"),
    ],
)
def test_a_bout_that_can_not_be_is_refused(body: dict[str, Any], status: int, code: str) -> None:
    bot = robo(URL)
    api = api_for(bot)
    problem = api.post(f"/bots/{bot.pk}/sparring", body)
    assert (api.status, problem["code"]) == (status, code)
    assert not Sparring.objects.exists()


def test_a_suspended_bot_may_spar_and_a_paused_one_not() -> None:
    bot = robo(URL)
    api, path = api_for(bot), f"/bots/{bot.pk}/sparring"
    Bot.objects.update(state="suspended", suspended_for="stand_ins")
    api.post(path)
    assert api.status == 201
    Bot.objects.update(state="paused")
    assert api.post(path)["code"] == "bot_state"


def against(bot: Bot, by: Player) -> UUID:
    return lobby.create_game(by, Plan(TABLE, ["", f"bot:{bot.pk}"])).game_id


def reason(bot: Bot, by: Player) -> str:
    with pytest.raises(NotAcceptingError) as refused:
        against(bot, by)
    return str(refused.value.data["reason"])


def test_a_person_plays_against_a_bot_that_accepts_people() -> None:
    bot, aino = robo(URL), owner("Aino")
    api = Api(aino)
    game = api.post("/games", {"seats": ["open", f"bot:{bot.pk}"]})
    assert api.status == 201
    assert [seat["player"]["name"] for seat in game["seats"]] == ["Aino", "Robo"]
    assert api.post(f"/games/{game['id']}/ready")["state"] == "playing"


@pytest.mark.parametrize(
    ("who", "people", "bots"),
    [
        ("nobody", False, False),
        ("people", True, False),
        ("bots", False, True),
        ("both", True, True),
    ],
)
def test_who_may_play_with_it_is_honoured(who: str, people: bool, bots: bool) -> None:
    bot, other = robo(URL), puller("Nappe").bot
    Bot.objects.filter(pk=bot.pk).update(accepts=Accepts(who=who).wire())
    for by, allowed in ((owner("Aino"), people), (other.player, bots)):
        if allowed:
            assert against(bot, by)
        else:
            assert reason(bot, by) == "who"


def test_as_many_casual_games_at_once_as_it_accepts() -> None:
    bot = robo(URL)
    Bot.objects.filter(pk=bot.pk).update(accepts=Accepts(casual=2).wire())
    first = against(bot, owner("Aino"))
    against(bot, owner("Bertil"))
    assert reason(bot, owner("Cecilia")) == "casual"
    assert Api().get("/games")["results"] == []
    Game.objects.filter(pk=first).update(
        state="over", places=[[0], [1]], ending="over", ended_at=clock.now()
    )
    assert against(bot, owner("Cecilia"))


def test_a_game_that_nobody_deals_does_not_block_a_bot_for_ever() -> None:
    bot = robo(URL)
    Bot.objects.filter(pk=bot.pk).update(accepts=Accepts(casual=1).wire())
    against(bot, owner("Aino"))
    Game.objects.update(created_at=clock.now() - timedelta(hours=2))
    assert against(bot, owner("Bertil"))


def test_outside_its_hours_it_plays_with_its_owner_alone() -> None:
    oskari = owner()
    bot = robo(URL, of=oskari)
    now = datetime.now(UTC)
    shut = Hours((now + timedelta(hours=2)).time(), (now + timedelta(hours=3)).time(), "UTC")
    Bot.objects.filter(pk=bot.pk).update(accepts=Accepts(hours=shut).wire())
    assert reason(bot, owner("Aino")) == "hours"
    assert against(bot, oskari)


def test_hours_hold_over_midnight_and_in_their_zone() -> None:
    night = Hours(time(22), time(6), "Europe/Helsinki")
    assert night.hold(datetime(2026, 11, 30, 21, tzinfo=UTC))
    assert not night.hold(datetime(2026, 11, 30, 5, tzinfo=UTC))


def test_a_bot_that_is_paused_away_or_plays_other_rules_says_so() -> None:
    bot, pulling, aino = robo(URL), puller("Nappe").bot, owner("Aino")
    assert reason(pulling, aino) == "away"
    Bot.objects.filter(pk=pulling.pk).update(seen_at=clock.now())
    assert against(pulling, aino)
    with pytest.raises(NotAcceptingError) as refused:
        lobby.create_game(aino, Plan(rules_from("classic"), ["", f"bot:{bot.pk}"]))
    assert refused.value.data["reason"] == "preset"
    Bot.objects.update(state="paused")
    assert reason(bot, aino) == "state"


def test_two_people_at_once_can_not_both_have_its_last_game() -> None:
    from tests.league.cast import at_once  # noqa: PLC0415

    bot = robo(URL)
    Bot.objects.filter(pk=bot.pk).update(accepts=Accepts(casual=1).wire())
    people = iter([owner(f"Aino {number}") for number in range(4)])
    outcomes = at_once(lambda: against(bot, next(people)), 4)
    refused = [one for one in outcomes if isinstance(one, NotAcceptingError)]
    assert len(refused) == 3
    assert Seat.objects.filter(player=bot.player).count() == 1
