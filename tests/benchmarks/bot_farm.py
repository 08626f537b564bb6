"""Bots for `manage.py bench bots`: the example bot many times over, in one process of its own.

Each is served by bots_api/sdk/housubot.py as any author's would be: it checks the signature, reads
the message and chooses. Says its ports by kind first: "0" answers at once, "50" after 50 ms, "dead"
only says hello; then reads the secrets that calls are signed with.
"""

import json
import sys
import threading
import time

from bots_api.sdk import housubot

FOREVER_S = 3600


class Lowest(housubot.Bot):
    """The weakest play, as bots_api/examples/python/lowest_bot.py chooses it, after a while."""

    concurrency = 64

    def __init__(self, kind: str) -> None:
        self.pause_s = FOREVER_S if kind == "dead" else int(kind) / 1000

    def choose(self, turn: housubot.Turn) -> str:
        if self.pause_s:
            time.sleep(self.pause_s)
        return turn.otherwise()


def main(count: str, *kinds: str) -> None:
    secrets: list[str] = []
    ports: dict[str, list[int]] = {}
    for kind in kinds:
        servers = [housubot.server(Lowest(kind), ["-"]) for _ in range(int(count))]
        for server in servers:
            server.RequestHandlerClass.secrets = secrets
            threading.Thread(target=server.serve_forever, daemon=True).start()
        ports[kind] = [server.server_port for server in servers]
    say(ports)
    for line in sys.stdin:
        secrets[:] = json.loads(line)
        say(len(secrets))


def say(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
