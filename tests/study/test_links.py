"""Personal links: what is stored, who is let in, what ends a link."""

from __future__ import annotations

import json
import multiprocessing
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reviewkit.problems import ProblemsFound
from reviewkit.study.links import (
    PERSON_VARIABLE,
    LinkBook,
    LinkExists,
    LinkExpired,
    LinkOfAnotherStudy,
    LinkRevoked,
    LinksBroken,
    LinkUnknown,
    Person,
    known_person,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the links of an empty project would be."""
    return tmp_path / ".reviewkit" / "links.jsonl"


@pytest.fixture
def book(path: Path) -> LinkBook:
    """Return an empty book of links."""
    return LinkBook(path)


def test_a_link_stands_for_one_person(book: LinkBook) -> None:
    """Each secret names its own rater, and a wrong one names nobody."""
    amal, badr = book.make("demo", "first", "amal"), book.make("demo", "second", "badr")

    assert book.who(amal) == Person("demo", "first", "amal")
    assert book.who(badr) == Person("demo", "second", "badr")
    assert [book.who(wrong) for wrong in ("", "x", amal[:-1], amal + "x", "é\ud800")] == [None] * 5


def test_the_secret_is_long_and_random(book: LinkBook) -> None:
    """Two links share nothing and carry 32 random bytes."""
    first, second = book.make("demo", "first", "amal"), book.make("demo", "first", "badr")

    assert first != second
    assert len(first) == len(second) == 43


def test_only_the_hash_is_stored(book: LinkBook, path: Path) -> None:
    """No file of the folder contains the secret, and only its owner may read the file."""
    token = book.make("demo", "first", "amal")

    assert all(token not in file.read_text() for file in path.parent.iterdir())
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0


def test_loose_file_rights_are_tightened(book: LinkBook, path: Path) -> None:
    """A links file that others could read is closed to them at the next act."""
    book.make("demo", "first", "amal")
    path.chmod(0o644)
    book.make("demo", "first", "badr")

    assert path.stat().st_mode & 0o777 == 0o600


def test_a_second_link_for_the_same_person_is_refused(book: LinkBook) -> None:
    """Making twice does not silently leave two working links about."""
    token = book.make("demo", "first", "amal")

    with pytest.raises(LinkExists, match="link renew amal --study demo --pass first"):
        book.make("demo", "first", "amal")
    assert book.who(token) is not None


def test_revoking_ends_every_link_of_the_rater_in_that_study(book: LinkBook) -> None:
    """Revoking reaches all passes of one study and no other study or rater."""
    ended = [book.make("demo", "first", "amal"), book.make("demo", "second", "amal")]
    kept = [book.make("other", "first", "amal"), book.make("demo", "first", "badr")]

    assert len(book.revoke("demo", "amal")) == 2
    assert [book.who(token) for token in ended] == [None, None]
    assert None not in [book.who(token) for token in kept]
    with pytest.raises(LinkUnknown, match="no working link"):
        book.revoke("demo", "amal")


def test_renewing_replaces_the_link(book: LinkBook) -> None:
    """After a renewal the old secret and its sessions are dead and the new one works."""
    old = book.make("demo", "first", "amal")
    session = book.admit(old, "demo").link
    new = book.renew("demo", "first", "amal")

    assert book.who(old) is None
    assert book.working(session) is None
    assert book.who(new) == Person("demo", "first", "amal")
    with pytest.raises(LinkRevoked, match="ask the lead"):
        book.admit(old, "demo")


def test_a_revoked_link_can_be_made_or_renewed_again(book: LinkBook) -> None:
    """A revoked person can be let in again, with a new secret only."""
    old = book.make("demo", "first", "amal")
    book.revoke("demo", "amal")
    again = book.make("demo", "first", "amal")
    book.revoke("demo", "amal")
    renewed = book.renew("demo", "first", "amal")

    assert [book.who(token) is not None for token in (old, again, renewed)] == [False, False, True]


def test_renewing_what_never_was_is_refused(book: LinkBook) -> None:
    """A misspelt rater gets no link by renewal."""
    book.make("demo", "first", "amal")
    with pytest.raises(LinkUnknown, match="make one first"):
        book.renew("demo", "first", "aml")


def test_a_link_of_another_study_says_so(book: LinkBook) -> None:
    """A good link at the wrong server gets a sentence that names both studies."""
    token = book.make("demo", "first", "amal")

    with pytest.raises(LinkOfAnotherStudy, match="study demo and not for pilot"):
        book.admit(token, "pilot")
    with pytest.raises(LinkUnknown, match="ask the lead"):
        book.admit("nonsense", "pilot")


def test_an_expired_link_is_dead(book: LinkBook) -> None:
    """A link with a date stops working at that date, and so do its sessions."""
    soon = datetime.now(UTC) + timedelta(hours=1)
    token = book.make("demo", "first", "amal", expires=soon)
    past = book.make("demo", "first", "badr", expires=datetime.now(UTC) - timedelta(seconds=1))

    (link, gone) = book.list()
    assert book.who(token) is not None
    assert not link.works(soon)
    assert book.who(past) is None
    assert book.working(gone.link) is None
    with pytest.raises(LinkExpired, match="ask the lead for a new one"):
        book.admit(past, "demo")


def test_a_link_ends_by_itself_unless_it_is_older_than_that_rule(
    book: LinkBook, path: Path
) -> None:
    """Every new link has a date; one that was made without goes on without."""
    book.make("demo", "first", "amal")
    (link,) = book.list()
    assert link.expires is not None
    assert timedelta(days=89) < link.expires - datetime.now(UTC) <= timedelta(days=90)
    act = json.loads(path.read_text())
    del act["expires"]
    path.write_text(json.dumps(act) + "\n")
    (old,) = LinkBook(path).list()
    assert (old.expires, old.works(datetime.now(UTC) + timedelta(days=9999))) == (None, True)


def test_another_process_sees_each_act_at_once(book: LinkBook, path: Path) -> None:
    """The server's book follows what the command line does to the same file."""
    server = LinkBook(path)
    assert server.list() == ()
    token = book.make("demo", "first", "amal")
    assert server.who(token) is not None
    book.revoke("demo", "amal")
    assert server.who(token) is None


def test_names_that_cannot_be_file_names_are_refused_together(book: LinkBook, path: Path) -> None:
    """Every bad name is reported in one go and nothing is written."""
    with pytest.raises(ProblemsFound) as caught:
        book.make("demo", "../first", "a b")

    assert [problem.where for problem in caught.value.problems] == ["link: pass", "link: rater"]
    assert not path.exists()


def test_a_torn_line_is_set_aside_and_counts_for_nothing(book: LinkBook, path: Path) -> None:
    """A crash in the middle of an act leaves earlier links working and later ones readable."""
    token = book.make("demo", "first", "amal")
    with path.open("ab") as file:
        file.write(b'{"act":"revoked","li')

    assert LinkBook(path).who(token) is not None
    other = book.make("demo", "first", "badr")
    assert [book.who(token) is not None, book.who(other) is not None] == [True, True]
    (torn,) = path.parent.glob("links.jsonl.torn-*")
    assert torn.read_bytes() == b'{"act":"revoked","li'


@pytest.mark.parametrize(
    "line",
    [
        b"not json\n",
        b'{"act":"made"}\n',
        b"\xff\n",
        (
            b'{"act":"revoked","link":"0123456789abcdef","pass":"first","rater":"amal",'
            b'"study":"demo","time":"2026-11-29T10:00:00Z"}\n'
        ),
    ],
)
def test_a_broken_line_stops_everything(book: LinkBook, path: Path, line: bytes) -> None:
    """A finished line that is no act names file and line, lets nobody in and changes nothing."""
    token = book.make("demo", "first", "amal")
    with path.open("ab") as file:
        file.write(line)
    before = path.read_bytes()

    for attempt in (lambda: book.who(token), lambda: book.make("demo", "first", "badr")):
        with pytest.raises(LinksBroken, match=r"links\.jsonl:2: .*restore the file"):
            attempt()
    assert path.read_bytes() == before


def test_a_revocation_that_lost_its_newline_still_holds(book: LinkBook, path: Path) -> None:
    """An editor that strips the last newline must not let a revoked link in again."""
    token = book.make("demo", "first", "amal")
    book.revoke("demo", "amal")
    path.write_bytes(path.read_bytes()[:-1])
    assert LinkBook(path).who(token) is None
    fresh = LinkBook(path).make("demo", "first", "badr")
    assert (book.who(token), book.who(fresh) is None) == (None, False)
    assert path.read_bytes().count(b"\n") == 3


def _make(path: Path, rater: str) -> None:
    LinkBook(path).make("demo", "first", rater)


def test_two_processes_may_make_links_at_the_same_time(book: LinkBook, path: Path) -> None:
    """Acts of several processes never mix within a line."""
    context = multiprocessing.get_context("fork")
    makers = [context.Process(target=_make, args=(path, f"rater{n}")) for n in range(6)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join(20)

    assert {link.person.rater for link in book.list()} == {f"rater{n}" for n in range(6)}
    assert all(json.loads(line) for line in path.read_text().splitlines())


def test_the_kernel_learns_who_it_works_for() -> None:
    """What the server writes into the environment is read back, and anything else is nobody."""
    amal = Person("demo", "first", "amal")

    assert known_person({PERSON_VARIABLE: amal.to_text()}) == amal
    assert amal.to_text().isascii()
    assert known_person({}) is None
    for wrong in ("", "amal", "[]", "null", '{"study":"demo"}', '{"study":"a/b"}'):
        assert known_person({PERSON_VARIABLE: wrong}) is None
    slash = amal.to_text().replace("amal", "../amal")
    assert known_person({**os.environ, PERSON_VARIABLE: slash}) is None
