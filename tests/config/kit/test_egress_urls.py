"""What a URL may look like, and which addresses it may lead to."""

import ipaddress

import pytest

from config.kit.egress.addresses import Allowance, Refusal, allowance, refusal
from config.kit.egress.urls import UrlError, parse

NOTHING = Allowance()
LOOPBACK = allowance(["loopback"])

GOOD = [
    ("https://bots.example.org", "https://bots.example.org"),
    ("https://bots.example.org/", "https://bots.example.org/"),
    ("https://Bots.Example.ORG/Robo", "https://bots.example.org/Robo"),
    ("https://bots.example.org:443/a", "https://bots.example.org/a"),
    ("https://bots.example.org:8443/a/b?c=d", "https://bots.example.org:8443/a/b?c=d"),
    ("https://xn--bcher-kva.example/%C3%A4", "https://xn--bcher-kva.example/%C3%A4"),
    ("https://8.8.8.8/", "https://8.8.8.8/"),
    ("https://[2606:4700:4700::1111]:1024/", "https://[2606:4700:4700::1111]:1024/"),
    ("https://a-1.b2.example:65535", "https://a-1.b2.example:65535"),
    ("https://example.org/~robo/(x),y;z=1", "https://example.org/~robo/(x),y;z=1"),
]

BAD = [
    "",
    "bots.example.org",
    "//bots.example.org/",
    "ftp://bots.example.org/",
    "file:///etc/passwd",
    "gopher://bots.example.org/",
    "http://bots.example.org:8080/",
    "https:/bots.example.org/",
    "https:bots.example.org",
    "https://",
    "https:///path",
    "https://:8443/",
    "https://user@bots.example.org/",
    "https://user:pw@bots.example.org/",
    "https://bots.example.org@127.0.0.1/",
    "https://127.0.0.1#@bots.example.org/",
    "https://127.0.0.1\\@bots.example.org/",
    "https://bots.example.org\\.evil.example/",
    " https://bots.example.org/",
    "https://bots.example.org/ ",
    "https://bots.example.org/a b",
    "https://bots.example.org/\n",
    "https://bots.example.org/\r\nHost: a",
    "https://bots.example.org/\x00",
    "https://bots.example.org/\t",
    "https://bots.example.org/#fragment",
    "https://bots.example.org/%zz",
    "https://bots.example.org/%2e%2e/admin",
    "https://bots.example.org/../admin",
    "https://bots.example.org/./x",
    "https://bots.example.org./",
    "https://bots..example.org/",
    "https://-bots.example.org/",
    "https://bots_1.example.org/",
    "https://b%6Fts.example.org/",
    "https://bots.example.org:/",
    "https://bots.example.org:0/",
    "https://bots.example.org:0443/",
    "https://bots.example.org:22/",
    "https://bots.example.org:25/",
    "https://bots.example.org:80/",
    "https://bots.example.org:444/",
    "https://bots.example.org:3306/",
    "https://bots.example.org:5432/",
    "https://bots.example.org:5672/",
    "https://bots.example.org:6379/",
    "https://bots.example.org:9200/",
    "https://bots.example.org:11211/",
    "https://bots.example.org:27017/",
    "https://bots.example.org:65536/",
    "https://bots.example.org:99999999/",
    "https://bots.example.org:+443/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127.0.1/",
    "https://1.2.3/",
    "https://1.2.3.4.5/",
    "https://256.1.1.1/",
    "https://08.8.8.8/",
    "https://evil.example.0x7f/",
    "https://①②⑦.⓪.⓪.①/",
    "https://127。0。0。1/",
    "https://bots.example。org/",
    "https://bücher.example/",
    "https://аino.example/",
    "https://localhost/",
    "https://intranet/",
    "https://[::1/",
    "https://[::1]x/",
    "https://::1/",
    "https://[8.8.8.8]/",
    "https://[fe80::1%25eth0]/",
    "https://" + "a" * 64 + ".example/",
    "https://bots.example.org/" + "a" * 500,
]

DENIED = [
    ("0.0.0.0", Refusal.NOT_GLOBAL),
    ("10.0.0.1", Refusal.NOT_GLOBAL),
    ("100.64.0.1", Refusal.NOT_GLOBAL),
    ("100.100.100.200", Refusal.METADATA),
    ("127.0.0.1", Refusal.NOT_GLOBAL),
    ("127.255.255.254", Refusal.NOT_GLOBAL),
    ("168.63.129.16", Refusal.METADATA),
    ("169.254.1.1", Refusal.NOT_GLOBAL),
    ("169.254.169.254", Refusal.METADATA),
    ("172.16.0.1", Refusal.NOT_GLOBAL),
    ("172.31.255.255", Refusal.NOT_GLOBAL),
    ("192.0.0.8", Refusal.NOT_GLOBAL),
    ("192.0.0.192", Refusal.METADATA),
    ("192.0.2.1", Refusal.NOT_GLOBAL),
    ("192.88.99.1", Refusal.NOT_GLOBAL),
    ("192.168.1.1", Refusal.NOT_GLOBAL),
    ("198.18.0.1", Refusal.NOT_GLOBAL),
    ("198.51.100.1", Refusal.NOT_GLOBAL),
    ("203.0.113.1", Refusal.NOT_GLOBAL),
    ("224.0.0.1", Refusal.MULTICAST),
    ("240.0.0.1", Refusal.NOT_GLOBAL),
    ("255.255.255.255", Refusal.NOT_GLOBAL),
    ("::", Refusal.NOT_GLOBAL),
    ("::1", Refusal.NOT_GLOBAL),
    ("::127.0.0.1", Refusal.EMBEDDED),
    ("::ffff:127.0.0.1", Refusal.EMBEDDED),
    ("::ffff:8.8.8.8", Refusal.EMBEDDED),
    ("::ffff:0:127.0.0.1", Refusal.EMBEDDED),
    ("64:ff9b::7f00:1", Refusal.EMBEDDED),
    ("64:ff9b:1::7f00:1", Refusal.EMBEDDED),
    ("2002:7f00:1::", Refusal.EMBEDDED),
    ("2001:0:4136:e378:8000:63bf:3fff:fdd2", Refusal.EMBEDDED),
    ("2606:4700::5efe:127.0.0.1", Refusal.EMBEDDED),
    ("2606:4700::200:5efe:10.0.0.1", Refusal.EMBEDDED),
    ("100::1", Refusal.NOT_GLOBAL),
    ("2001:db8::1", Refusal.NOT_GLOBAL),
    ("2001:10::1", Refusal.NOT_GLOBAL),
    ("3fff::1", Refusal.NOT_GLOBAL),
    ("4000::1", Refusal.NOT_GLOBAL),
    ("5f00::1", Refusal.NOT_GLOBAL),
    ("fc00::1", Refusal.NOT_GLOBAL),
    ("fd00:ec2::254", Refusal.METADATA),
    ("fe80::1", Refusal.NOT_GLOBAL),
    ("fec0::1", Refusal.NOT_GLOBAL),
    ("ff02::1", Refusal.MULTICAST),
]

PUBLIC = ["1.1.1.1", "8.8.8.8", "172.32.0.1", "192.0.1.1", "2606:4700::1", "2a00:1450::1"]


@pytest.mark.parametrize(("url", "plain"), GOOD)
def test_a_plain_url_is_read(url: str, plain: str) -> None:
    assert str(parse(url, NOTHING)) == plain


@pytest.mark.parametrize("url", BAD)
def test_any_other_url_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises(UrlError) as refused:
        parse(url, NOTHING)
    assert refused.value.reason.endswith(".")


@pytest.mark.parametrize(("text", "reason"), DENIED)
def test_an_address_out_of_bounds_is_refused(text: str, reason: Refusal) -> None:
    assert refusal(ipaddress.ip_address(text), NOTHING) is reason


@pytest.mark.parametrize(("text", "reason"), DENIED)
def test_a_url_that_spells_such_an_address_is_refused(text: str, reason: Refusal) -> None:
    host = f"[{text}]" if ":" in text else text
    with pytest.raises(UrlError):
        parse(f"https://{host}/", NOTHING)


@pytest.mark.parametrize("text", PUBLIC)
def test_an_address_of_the_public_internet_is_called(text: str) -> None:
    assert refusal(ipaddress.ip_address(text), NOTHING) is None


@pytest.mark.parametrize("url", ["http://127.0.0.1:8001/", "http://[::1]:8001/", "https://[::1]/"])
def test_loopback_is_called_where_the_deployment_allows_it(url: str) -> None:
    assert str(parse(url, LOOPBACK)) == url


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1:8001/", "http://8.8.8.8:8001/", "http://[::ffff:127.0.0.1]:8001/"]
)
def test_allowing_loopback_allows_nothing_else(url: str) -> None:
    with pytest.raises(UrlError):
        parse(url, LOOPBACK)


def test_a_network_can_be_allowed_but_metadata_services_in_it_stay_closed() -> None:
    allowed = allowance(["private", "100.64.0.0/10", "169.254.0.0/16"])
    assert refusal(ipaddress.ip_address("10.1.2.3"), allowed) is None
    assert refusal(ipaddress.ip_address("fd00:ec2::1"), allowed) is None
    for metadata in ("fd00:ec2::254", "100.100.100.200", "169.254.169.254"):
        assert refusal(ipaddress.ip_address(metadata), allowed) is Refusal.METADATA


def test_an_unknown_name_in_the_allowance_is_an_error_at_the_start() -> None:
    with pytest.raises(ValueError, match="everything"):
        allowance(["everything"])
