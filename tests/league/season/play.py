"""A whole season played through the API, with what goes wrong in one.

`python -m tests.league.season` plays the full one, 20 players in 12 nights, on throw-away services.
Everything is drawn from a seed, so a season that fails can be played again.
"""

from __future__ import annotations

import base64
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from games.models import Player
from games.services import players
from league.models import Club, Membership
from tests.league.test_api import Api

SETTINGS = {
    "entrants": "people",
    "results": "typed",
    "next_round": "by_hand",
    "deals_per_table": 2,
    "late_entry": True,
}


@dataclass
class Season:
    """A season that is played; `happened` counts what went wrong in it."""

    people: int
    nights: int
    seed: int = 1
    happened: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._lots = random.Random(self.seed)
        made = players.create("Oskari", Player.Kind.PERSON)
        self._owner, self._club = Api(made.token), "season"
        self._post("clubs", {"slug": self._club, "name": "Season"}, 201)
        self._apis: dict[int, Api] = {}
        new = {
            "club": self._club,
            "name": "Monday",
            "kind": "league",
            "format": "rounds",
            "settings": {**SETTINGS, "rounds": self.nights},
        }
        self.id = self._post("competitions", new, 201)["id"]
        self._late = [self._person(f"Late {number}") for number in range(2)]
        for number in range(self.people):
            self._enter(self._person(f"Player {number}"))
        self._post(f"{self._one}/start", {})

    def play(self) -> None:
        """All nights, to the end."""
        for night in range(1, self.nights + 1):
            if night > 1:
                self._between(night)
                self._post(f"{self._one}/rounds/next", {})
            self._night(night)

    @property
    def _one(self) -> str:
        return f"competitions/{self.id}"

    def _post(self, path: str, body: dict[str, Any], status: int = 200, api: Any = None) -> Any:
        answer = (api or self._owner).post(path, body)
        assert answer.status_code == status, (path, body, answer.content)
        return answer.json() if answer.content else {}

    def _person(self, name: str) -> int:
        made = players.create(name, Player.Kind.PERSON)
        self._apis[made.player.pk] = Api(made.token)
        club = Club.objects.get(slug=self._club)
        Membership.objects.create(club=club, player=made.player)
        return made.player.pk

    def _enter(self, player: int) -> None:
        self._post(f"{self._one}/entries", {"player": player}, 201)

    def _tables(self, night: int) -> list[dict[str, Any]]:
        rounds = self._owner.get(f"{self._one}/rounds").json()["results"]
        return [t for r in rounds if r["number"] == night for t in r["tables"]]

    def _between(self, night: int) -> None:
        """Somebody comes late, somebody leaves, somebody plays for another."""
        entries = self._owner.get(f"{self._one}/entries?limit=100").json()["results"]
        there = [e for e in entries if e["state"] == "entered" and e["substitute"] is None]
        if self._late:
            self._enter(self._late.pop())
            self.happened["late"] += 1
        if night % 3 == 0 and len(there) > 5:
            leaver = self._lots.choice(there)
            self._post(f"{self._one}/entries/{leaver['player']['id']}/drop", {})
            there.remove(leaver)
            self.happened["left"] += 1
        if night % 4 == 2:
            one = self._lots.choice(there)["player"]["id"]
            body = {"player": self._person(f"Substitute {night}"), "chips": "leaver"}
            self._post(f"{self._one}/entries/{one}/substitute", body)
            self.happened["substituted"] += 1
        if night % 2 == 0:
            one = self._lots.choice(there)["player"]["id"]
            given = self._post(
                f"{self._one}/entries/{one}/chips", {"chips": 1, "reason": "late"}, 201
            )
            self.happened["chips"] += 1
            if night % 4 == 0:
                seq = given["ledger_seq"] if "ledger_seq" in given else given["id"]
                self._post(f"{self._one}/ledger/{seq}/revoke", {}, 201)
                self.happened["revoked"] += 1

    def _night(self, night: int) -> None:
        tables = [t for t in self._tables(night) if t["deals_planned"]]
        for table in tables:
            seats = [seat["entry"] for seat in table["seats"]]
            for deal in (1, 2):
                self._deal(night, table["number"], seats, deal)

    def _deal(self, night: int, table: int, seats: list[int], deal: int) -> None:
        order = self._lots.sample(seats, len(seats))
        places = [[number] for number in order]
        where = f"{self._one}/rounds/{night}/tables/{table}/deals/{deal}"
        lot = self._lots.random()
        if lot < 0.15:
            self._disputed(where, places, seats)
        elif lot < 0.3:
            self._post(f"{where}/result", {"places": [sorted(order[:-1]), [order[-1]]]})
            self._post(f"{where}/result", {"places": places, "seen": 1})
            self.happened["corrected"] += 1
        elif lot < 0.4:
            self._post(f"{where}/result", {"places": places})
            self._post(f"{where}/void", {"reason": "wrong_deal", "seen": 1})
            self._post(f"{where}/result", {"places": places, "seen": 2})
            self.happened["voided"] += 1
        elif lot < 0.5:
            self._imported(night, table, deal, order)
        else:
            self._post(f"{where}/result", {"places": places})
            self._post(f"{where}/result", {"places": places})
            self.happened["twice"] += 1

    def _disputed(self, where: str, places: list[list[int]], seats: list[int]) -> None:
        entries = self._owner.get(f"{self._one}/entries?limit=100").json()["results"]
        who = {e["number"]: (e["substitute"] or e["player"])["id"] for e in entries}
        one, two = (self._apis[who[number]] for number in seats[:2])
        self._post(f"{where}/result", {"places": places}, api=one)
        other = [*places[:-2], places[-1], places[-2]]
        told = two.post(f"{where}/result", {"places": other})
        assert told.status_code == 409, told.content
        self._post(f"{where}/result", {"places": other, "seen": 1}, api=two)
        self._post(f"{where}/result", {"places": other, "seen": 1})
        self.happened["disputed"] += 1

    def _imported(self, night: int, table: int, deal: int, order: list[int]) -> None:
        lines = ["round,table,deal,place,entry"]
        lines += [f"{night},{table},{deal},{at},{number}" for at, number in enumerate(order, 1)]
        file = base64.b64encode("\n".join(lines).encode()).decode()
        tried = self._post(f"{self._one}/sheets/check", {"file": file})
        body = {"file": file, "seen": tried["ledger_seq"]}
        assert self._post(f"{self._one}/sheets", body)["changed"] == 1
        self.happened["imported"] += 1
