"""A host of its own behind a one-way firewall: a network namespace that lets nothing new in.

A pair of virtual Ethernet ends joins it to this machine. Its inner end drops every TCP segment
that would open a connection, and whatever is neither TCP nor ARP, before anything else sees it;
answers to connections that were opened from inside come through.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

# Classic BPF over an Ethernet frame; 0 lets it through, 2 drops it (tc's "direct action").
_PROGRAM = (
    "40 0 0 12",  # 0: the frame's type
    "21 2 0 2048",  # IPv4: to 4
    "21 6 0 2054",  # ARP: to 9
    "6 0 0 2",  # anything else, IPv6 too: dropped
    "48 0 0 23",  # 4: the protocol
    "21 0 4 6",  # no TCP: to 10
    "48 0 0 47",  # the flags of a segment behind a header of 20 bytes
    "84 0 0 18",  # SYN and ACK of them
    "21 1 0 2",  # SYN alone: to 10
    "6 0 0 0",  # 9: through
    "6 0 0 2",  # 10: dropped
)
BYTECODE = ",".join((str(len(_PROGRAM)), *_PROGRAM))


class NoFirewallError(Exception):
    """Why there is none on this machine."""


@dataclass(frozen=True)
class Inside:
    """The host behind it: `outside` is this machine's address as seen from there."""

    name: str
    outside: str
    address: str

    def command(self, *argv: str) -> list[str]:
        """The command line that runs `argv` there."""
        return ["ip", "netns", "exec", self.name, *argv]


@contextmanager
def behind_firewall() -> Iterator[Inside]:
    """Such a host for the length of the block; raises `NoFirewallError`."""
    if os.name != "posix" or os.geteuid() != 0:
        raise NoFirewallError("network namespaces need root")
    if missing := [tool for tool in ("ip", "tc") if shutil.which(tool) is None]:
        raise NoFirewallError(f"no {' and no '.join(missing)} here")
    number = os.getpid()
    net = f"10.231.{number % 251}.{4 * (number // 251 % 63)}"
    base, _, last = net.rpartition(".")
    inside = Inside(f"housu{number}", f"{base}.{int(last) + 1}", f"{base}.{int(last) + 2}")
    try:
        _build(inside, f"hl{number}", f"hl{number}i")
        yield inside
    finally:
        subprocess.run(["ip", "netns", "del", inside.name], capture_output=True, check=False)
        subprocess.run(["ip", "link", "del", f"hl{number}"], capture_output=True, check=False)


def _build(inside: Inside, outer: str, inner: str) -> None:
    _run("ip", "netns", "add", inside.name)
    _run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner, "netns", inside.name)
    _run("ip", "address", "add", f"{inside.outside}/30", "dev", outer)
    _run("ip", "link", "set", outer, "up")
    _run(*inside.command("ip", "address", "add", f"{inside.address}/30", "dev", inner))
    _run(*inside.command("tc", "qdisc", "add", "dev", inner, "clsact"))
    rule = ("tc", "filter", "add", "dev", inner, "ingress", "bpf", "da", "bytecode", BYTECODE)
    _run(*inside.command(*rule))
    for link in ("lo", inner):
        _run(*inside.command("ip", "link", "set", link, "up"))


def _run(*argv: str) -> None:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoFirewallError(f"{' '.join(argv[:6])} ...: {done.stderr.strip()}")
