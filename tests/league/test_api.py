"""The API of the league: who may do what, shapes, ETags, cursors, receipts, problems."""

from typing import Any

import pytest
from django.test import Client

from games.models import Player
from games.services import players
from league.models import Competition, Entry, Schedule
from league.services import competitions, entries
from tests.league import cast

pytestmark = pytest.mark.django_db(transaction=True)
SETTINGS = {"table_size": 3, "deals_per_table": 1}


class Api:
    """A client that speaks JSON, with a token or without."""

    def __init__(self, token: str | None = None) -> None:
        self._client = Client()
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str, **headers: str) -> Any:
        return self._client.get(f"/api/v1/{path}", headers={**self._headers, **headers})

    def post(self, path: str, body: dict[str, Any], **headers: str) -> Any:
        return self._client.post(
            f"/api/v1/{path}",
            body,
            content_type="application/json",
            headers={**self._headers, **headers},
        )

    def delete(self, path: str) -> Any:
        return self._client.delete(f"/api/v1/{path}", headers=self._headers)


def _api(name: str) -> tuple[Api, Player]:
    made = players.create(name, Player.Kind.PERSON)
    return Api(made.token), made.player


@pytest.fixture
def oskari() -> Api:
    api, _ = _api("Oskari")
    assert api.post("clubs", {"slug": "kulma", "name": "Kulma"}).status_code == 201
    return api


def _cup(api: Api, **more: Any) -> dict[str, Any]:
    body = {"club": "kulma", "name": "Cup", "settings": SETTINGS, **more}
    answer = api.post("competitions", body)
    assert answer.status_code == 201, answer.content
    wire: dict[str, Any] = answer.json()
    return wire


def _code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_from_a_club_to_a_winner(oskari: Api) -> None:
    cup = _cup(oskari)
    one = f"competitions/{cup['id']}"
    for _ in range(4):
        assert oskari.post(f"{one}/entries", {"player": "house:lowest"}).status_code == 201
    assert oskari.post(f"{one}/start", {}).json()["state"] == "running"
    cast.play_all()
    anybody = Api()
    got = anybody.get(one).json()
    assert got["state"] == "finished"
    assert got["secret"] is not None
    rounds = anybody.get(f"{one}/rounds").json()["results"]
    assert [len(drawn["tables"]) for drawn in rounds] == [2, 1]
    standings = anybody.get(f"{one}/standings").json()["results"]
    assert standings[0]["place"] == 1
    assert standings[0]["explanation"][0]["above"] == standings[1]["player"]
    tallies = anybody.get(f"{one}/tallies").json()["results"]
    assert sum(row["chips"] for row in tallies) == 3
    table = anybody.get(f"{one}/rounds/1/tables/2").json()
    assert table["deals"][0]["links"]["record"].endswith("/record")
    dashboard = anybody.get(f"{one}/dashboard").json()
    assert dashboard["winner"] == standings[0]["player"]
    assert dashboard["progress"]["games_done"] == dashboard["progress"]["games_planned"] == 3


def test_the_ledger_is_read_by_cursor_without_gap(oskari: Api) -> None:
    one = f"competitions/{_cup(oskari)['id']}"
    for _ in range(3):
        oskari.post(f"{one}/entries", {"player": "house:random"})
    first = Api().get(f"{one}/events?limit=2").json()
    rest = Client().get(first["next"]).json()
    assert [row["id"] for row in first["results"] + rest["results"]] == [1, 2, 3, 4]
    assert rest["next"] is None
    assert [row["event"] for row in rest["results"]] == ["entry.added"] * 2


def test_the_dashboard_is_not_sent_twice(oskari: Api) -> None:
    one = f"competitions/{_cup(oskari)['id']}/dashboard"
    tag = Api().get(one)["ETag"]
    assert Api().get(one, **{"If-None-Match": tag}).status_code == 304


def test_a_draw_is_secret_until_the_competition_is_over(oskari: Api) -> None:
    assert _cup(oskari)["secret"] is None
    chosen = _cup(oskari, secret="ab" * 32)
    assert (chosen["secret"], chosen["reproducible"]) == (None, True)
    body = {"club": "kulma", "name": "Sauna", "cron": "* * * * *", "zone": "UTC"}
    made = oskari.post("schedules", {**body, "template": {"secret": "ab" * 32}})
    assert "secret" not in made.json()["template"]


def test_the_same_key_opens_one_competition(oskari: Api) -> None:
    body = {"club": "kulma", "name": "Cup"}
    key = {"Idempotency-Key": "k1"}
    first = oskari.post("competitions", body, **key)
    again = oskari.post("competitions", body, **key)
    assert first.json() == again.json()
    assert Competition.objects.count() == 1
    other = oskari.post("competitions", {**body, "name": "Other"}, **key)
    assert _code(other) == (422, "idempotency_key_reused")


def test_a_private_club_is_not_there_for_others() -> None:
    owner, _ = _api("Oskari")
    other, _ = _api("Cecilia")
    owner.post("clubs", {"slug": "kulma", "name": "Salaiset", "private": True})
    one = f"competitions/{_cup(owner)['id']}"
    for path in (one, f"{one}/dashboard", f"{one}/ledger", f"{one}/rounds", "clubs/kulma"):
        assert owner.get(path).status_code == 200
        assert other.get(path).status_code == 404
        assert Api().get(path).status_code == 404
    assert other.get("clubs").json()["results"] == []
    assert other.get("competitions").json()["results"] == []
    answer = other.post(f"{one}/entries", {"player": 1})
    assert _code(answer) == (404, "competition_not_found")


def test_only_organisers_open_start_and_schedule(oskari: Api) -> None:
    aino, player = _api("Aino")
    one = f"competitions/{_cup(oskari)['id']}"
    refused = (403, "not_organiser")
    assert _code(aino.post("competitions", {"club": "kulma", "name": "Mine"})) == refused
    assert _code(aino.post(f"{one}/start", {})) == refused
    schedule = {
        "club": "kulma",
        "name": "Sauna",
        "cron": "* * * * *",
        "zone": "UTC",
        "template": {},
    }
    assert _code(aino.post("schedules", schedule)) == refused
    assert _code(aino.post(f"{one}/entries", {"player": "house:lowest"})) == (
        403,
        "not_your_player",
    )
    assert _code(aino.post(f"{one}/entries", {"player": player.pk})) == (422, "bots_only")
    assert Api().post(f"{one}/start", {}).status_code == 401


def test_an_owner_enters_and_withdraws_his_own_bot(oskari: Api) -> None:
    aino, player = _api("Aino")
    (bot,) = cast.bots(1, player)
    one = f"competitions/{_cup(oskari)['id']}"
    assert aino.post(f"{one}/entries", {"player": bot.pk}).json()["number"] == 1
    assert _code(aino.post(f"{one}/entries", {"player": bot.pk})) == (409, "already_entered")
    assert aino.delete(f"{one}/entries/{bot.pk}").status_code == 204
    assert Entry.objects.get().state == "withdrawn"
    assert _code(aino.delete(f"{one}/entries/{bot.pk}")) == (409, "not_entered")
    assert aino.post(f"{one}/entries", {"player": bot.pk}).json()["number"] == 1


def test_after_the_start_nobody_enters_or_leaves(oskari: Api) -> None:
    cup = _cup(oskari)
    one = f"competitions/{cup['id']}"
    assert _code(oskari.post(f"{one}/start", {})) == (409, "too_few_entries")
    bots = [oskari.post(f"{one}/entries", {"player": "house:lowest"}).json() for _ in range(2)]
    assert oskari.post(f"{one}/start", {}).status_code == 200
    assert oskari.post(f"{one}/start", {}).status_code == 200
    closed = (409, "entries_closed")
    assert _code(oskari.post(f"{one}/entries", {"player": "house:lowest"})) == closed
    assert _code(oskari.delete(f"{one}/entries/{bots[0]['player']['id']}")) == closed


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": "Cup"}, 400, "invalid_request"),
        ({"club": "nope", "name": "Cup"}, 404, "club_not_found"),
        ({"club": "kulma", "name": "Cup", "surprise": 1}, 400, "invalid_request"),
        ({"club": "kulma", "name": "Cup", "preset": "nope"}, 422, "unknown_preset"),
        ({"club": "kulma", "name": "Cup", "settings": {"table_size": 9}}, 422, "bad_setting"),
        ({"club": "kulma", "name": "Cup", "settings": {"advance": 4}}, 422, "bad_setting"),
        ({"club": "kulma", "name": "Cup", "settings": {"surprise": 1}}, 422, "bad_setting"),
        ({"club": "kulma", "name": "Cup", "secret": "xyz"}, 400, "invalid_request"),
    ],
)
def test_a_competition_that_can_not_be_is_refused(
    oskari: Api, body: dict[str, Any], status: int, code: str
) -> None:
    assert _code(oskari.post("competitions", body)) == (status, code)
    assert not Competition.objects.exists()


@pytest.mark.parametrize(
    "path",
    [
        "competitions/99999999999999999999",
        "competitions/1/rounds/99999/tables/99999999999",
        "clubs/nope",
    ],
)
def test_what_is_not_there_is_a_404_problem(path: str) -> None:
    answer = Api().get(path)
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


def test_a_schedule_is_listed_with_its_next_slot(oskari: Api) -> None:
    body = {
        "club": "kulma",
        "name": "Tuesdays",
        "cron": "0 19 * * TUE",
        "zone": "Europe/Helsinki",
        "template": {"settings": SETTINGS, "players": ["house:lowest", "house:lowest"]},
    }
    made = oskari.post("schedules", body)
    assert made.status_code == 201, made.content
    assert made.json()["next_at"] is not None
    assert [row["name"] for row in Api().get("schedules").json()["results"]] == ["Tuesdays"]
    assert _code(oskari.post("schedules", {**body, "cron": "x"})) == (422, "bad_timetable")
    assert Schedule.objects.count() == 1


@pytest.mark.parametrize("path", ["dashboard", "standings", "tallies", "rounds", "entries"])
def test_queries_do_not_grow_with_the_field(
    oskari: Api, path: str, django_assert_max_num_queries: Any
) -> None:
    cup = _cup(oskari)
    for player in cast.house_bots(12):
        entries.enter(cup["id"], player.pk)
    competitions.start(cup["id"])
    with django_assert_max_num_queries(16):
        assert Api().get(f"competitions/{cup['id']}/{path}").status_code == 200


def test_a_dashboard_has_the_newest_four_rounds_and_the_bracket_all(oskari: Api) -> None:
    settings = {"rounds": 6, "deals_per_table": 1}
    cup = _cup(oskari, format="rounds", settings=settings)
    for player in cast.house_bots(4):
        entries.enter(cup["id"], player.pk)
    competitions.start(cup["id"])
    cast.play_all()
    newest = Api().get(f"competitions/{cup['id']}/dashboard").json()["rounds"]
    every = Api().get(f"competitions/{cup['id']}/rounds").json()["results"]
    assert [row["number"] for row in newest] == [3, 4, 5, 6]
    assert newest == every[2:]


def test_organisers_pause_go_on_and_call_off_and_it_is_logged(oskari: Api) -> None:
    cup = _cup(oskari)
    for _ in range(4):
        oskari.post(f"competitions/{cup['id']}/entries", {"player": "house:lowest"})
    assert oskari.post(f"competitions/{cup['id']}/pause", {}).status_code == 409
    oskari.post(f"competitions/{cup['id']}/start", {})
    assert oskari.post(f"competitions/{cup['id']}/pause", {}).json()["state"] == "paused"
    assert oskari.post(f"competitions/{cup['id']}/resume", {}).json()["state"] == "running"
    player = Entry.objects.filter(competition=cup["id"]).earliest("number").player_id
    dropped = oskari.post(f"competitions/{cup['id']}/entries/{player}/drop", {}).json()
    assert dropped["state"] == "dropped"
    assert oskari.post(f"competitions/{cup['id']}/void", {}).json()["state"] == "void"
    acts = oskari.get(f"competitions/{cup['id']}/acts").json()["results"]
    assert [act["verb"] for act in acts] == [
        "competition.void",
        "entry.dropped",
        "competition.running",
        "competition.paused",
    ]


@pytest.mark.parametrize("act", ["pause", "resume", "void", "rounds/next"])
def test_only_organisers_conduct_a_competition(oskari: Api, act: str) -> None:
    cup = _cup(oskari)
    stranger, _ = _api("Cecilia")
    assert stranger.post(f"competitions/{cup['id']}/{act}", {}).status_code == 403
    assert Api().post(f"competitions/{cup['id']}/{act}", {}).status_code == 401
    assert stranger.get(f"competitions/{cup['id']}/acts").status_code == 403


def test_a_league_night_of_people_is_typed_in_and_corrected(oskari: Api) -> None:
    night = _cup(
        oskari,
        format="rounds",
        kind="league",
        settings={
            "entrants": "people",
            "results": "typed",
            "next_round": "by_hand",
            "deals_per_table": 1,
            "rounds": 1,
        },
    )
    people = [_api(name) for name in ("Aino", "Bertil", "Cecilia", "Dora")]
    for _, player in people:
        answer = oskari.post(f"competitions/{night['id']}/entries", {"player": player.pk})
        assert answer.status_code == 201
    oskari.post(f"competitions/{night['id']}/start", {})
    path = f"competitions/{night['id']}/rounds/1/tables/1/deals/1/result"
    said = {"places": [[1, 2, 3], [4]]}
    assert people[0][0].post(path, said).json()["state"] == "reported"
    assert people[1][0].post(path, said).json()["state"] == "confirmed"
    standings = oskari.get(f"competitions/{night['id']}/standings").json()["results"]
    assert [row["chips"] for row in standings] == [0, 0, 0, 1]
    other = oskari.post(path, {"places": [[1, 2, 4], [3]]})
    assert (other.status_code, other.json()["code"]) == (409, "result_changed")
    assert other.json()["places"] == [[1, 2, 3], [4]]
    amended = oskari.post(path, {"places": [[1, 2, 4], [3]], "seen": 1}).json()
    assert (amended["step"], amended["version"]) == ("amended", 2)
    outsider, _ = _api("Erik")
    assert outsider.post(path, said).json()["code"] == "not_at_table"
    assert oskari.post(path, {"places": [[1, 1]], "seen": 2}).json()["code"] == "bad_result"


def test_a_result_of_bots_is_corrected_previewed_and_undone(oskari: Api) -> None:
    cup = _cup(oskari)
    for _ in range(3):
        oskari.post(f"competitions/{cup['id']}/entries", {"player": "house:lowest"})
    oskari.post(f"competitions/{cup['id']}/start", {})
    cast.play_all()
    path = f"competitions/{cup['id']}/rounds/1/tables/1/correction"
    wanted = {"deals": [[[1], [2], [3]]], "reason": "typo", "seen": 1}
    assert oskari.post(f"{path}/preview", wanted).status_code == 200
    assert oskari.post(path, wanted).json() == {"version": 2}
    again = oskari.post(path, wanted)
    assert (again.status_code, again.json()["code"]) == (409, "result_changed")
    assert oskari.post(f"{path}/undo", {"seen": 2}).json() == {"version": 3}
    assert oskari.post(path, {**wanted, "reason": "<script>"}).status_code == 400


def test_settings_are_tried_before_they_are_chosen(oskari: Api) -> None:
    wanted = {"word": "PASKA", "first_out": True, "rounds": 0, "deals_per_table": 1}
    path = "competition-settings/check"
    told = Api().post(path, {"format": "rounds", "entries": 8, "settings": wanted}).json()
    assert told["settings"]["limit"] == 5
    assert told["forecast"]["ends"] is True
    assert {"setting": "rounds", "text": "It ends when the first is out."} in told["sentences"]
    bad = Api().post(path, {"format": "rounds", "entries": 8, "settings": {"limit": "x"}})
    assert (bad.status_code, bad.json()["field"]) == (422, "limit")
    cup = _cup(oskari)
    rules = Api().get(f"competitions/{cup['id']}/rules").json()
    assert rules["format"] == "knockout"
