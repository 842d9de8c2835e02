"""Drafts, writer marks, pins, contents, links and the cookie secret, on files and in databases.

Each test has two servers: with files two processes on one folder, with a database two checkouts
that share nothing else.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import event, text

from reviewkit.decisions import CannotWrite, Drafts
from reviewkit.decisions.stores import Kept, Store
from reviewkit.decisions.stores.file_store import FileStore
from reviewkit.decisions.stores.sql_store import SqlStore
from reviewkit.desk.server.identity import load_secret
from reviewkit.study.contents import KeptContents
from reviewkit.study.links import LinkBook, LinkRevoked, Person
from reviewkit.study.pins import pin_round, read_pins
from reviewkit.study.writer import SILENT_AFTER, TOUCH_EVERY, WriterMark
from reviewkit.workspace import Workspace

DRAFTS = "rulings/demo/first/amal.draft.json"
MARK = "rulings/demo/first/amal.writer.json"
PINS = "rulings/demo/round-1.pins.json"


@dataclass
class Servers:
    """Two servers of one project."""

    here: Store
    there: Store
    folders: tuple[Workspace, Workspace]

    def age(self, name: str, seconds: float) -> None:
        """Make a value older than it is."""
        if isinstance(self.here, SqlStore):
            with self.here.database.engine.begin() as connection:
                connection.execute(
                    text("UPDATE kept SET changed = changed - :s WHERE name = :n"),
                    {"s": seconds, "n": name},
                )
            return
        path = self.folders[0].root / name
        before = path.stat().st_mtime
        os.utime(path, (before - seconds, before - seconds))

    def books(self) -> tuple[LinkBook, LinkBook]:
        """Return the links as each server opens them."""
        here, there = self.folders
        return (
            LinkBook(here.links, self.here.lines(here.links)),
            LinkBook(there.links, self.there.lines(there.links)),
        )


@pytest.fixture(params=["file", "sqlite", pytest.param("postgres", marks=pytest.mark.database)])
def servers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Servers]:
    """Return two servers that share what they keep, in each of the ways there are."""
    one, two = Workspace(tmp_path / "one"), Workspace(tmp_path / "two")
    for each in (one, two):
        each.root.mkdir()
    if request.param == "file":
        yield Servers(FileStore(one), FileStore(one), (one, one))
        return
    url = (
        f"sqlite:///{tmp_path / 'shared.db'}"
        if request.param == "sqlite"
        else request.getfixturevalue("database_url")
    )
    here, there = SqlStore(one, url), SqlStore(two, url)
    yield Servers(here, there, (one, two))
    here.database.engine.dispose()


def both_at_once(acts: list[Callable[[], object]]) -> list[object]:
    """Return what acts give that begin at one moment, each in a thread of its own."""
    ready = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        ready.wait(20)
        return act()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def save(drafts: Drafts, card_id: str, note: str) -> None:
    """Keep a draft of a card."""
    drafts.save(
        card_id, card_digest="a" * 64, form_digest="b" * 64, answers={"one": "no"}, note=note,
        escalated=False,
    )  # fmt: skip


# values


def test_a_value_is_replaced_whole_and_seen_on_the_other_server(servers: Servers):
    """What one server writes the other reads; what was taken away is away."""
    here, there = servers.here.kept, servers.there.kept
    assert here.read("rulings/a.json") is None
    assert here.changed("rulings/a.json") is None
    here.write("rulings/a.json", b"first, longer")
    there.write("rulings/a.json", "ثم".encode())
    assert here.read("rulings/a.json") == "ثم".encode()
    there.remove("rulings/a.json")
    there.remove("rulings/a.json")
    assert here.read("rulings/a.json") is None


def test_the_clock_of_a_value_is_the_clock_of_the_store(servers: Servers):
    """A value is a moment old after writing, older after a while, and young again by a touch."""
    kept = servers.here.kept
    kept.write("rulings/a.json", b"{}")
    servers.age("rulings/a.json", 1000)
    old = servers.there.kept.now() - (kept.changed("rulings/a.json") or 0)
    kept.touch("rulings/a.json")
    young = servers.there.kept.now() - (kept.changed("rulings/a.json") or 0)
    assert old > 999
    assert -1 < young < 60
    kept.touch("rulings/never.json")
    assert kept.read("rulings/never.json") is None


def test_of_many_who_come_first_one_is_kept(servers: Servers):
    """Everybody gets the same value, whoever was faster."""
    stores = [servers.here.kept, servers.there.kept] * 3
    given = both_at_once(
        [lambda k=kept, n=n: k.first("rulings/p.json", b"%d" % n) for n, kept in enumerate(stores)]
    )
    assert len(set(given)) == 1
    assert servers.here.kept.read("rulings/p.json") == given[0]


def test_what_is_read_and_written_under_the_lock_is_not_lost(servers: Servers):
    """Servers that each add one under the lock of a name add up."""

    def add(kept: Kept) -> None:
        for _ in range(5):
            with kept.exclusive("rulings/n.json"):
                kept.write("rulings/n.json", b"%d" % (int(kept.read("rulings/n.json") or b"0") + 1))

    stores = [servers.here.kept, servers.there.kept] * 2
    both_at_once([lambda k=kept: add(k) for kept in stores])
    assert servers.here.kept.read("rulings/n.json") == b"20"


# drafts


def test_a_draft_of_one_server_is_there_on_the_other(servers: Servers):
    """The text of the last keystroke that was kept comes up on the other server, and goes there."""
    mine, theirs = Drafts(DRAFTS, servers.here.kept), Drafts(DRAFTS, servers.there.kept)
    save(mine, "A", "أول")
    save(theirs, "B", "second")
    save(mine, "A", "أول ثم")
    assert [(each.card_id, each.note) for each in theirs.all()] == [
        ("B", "second"),
        ("A", "أول ثم"),
    ]
    theirs.clear("A")
    assert mine.load("A") is None


def test_drafts_that_cannot_be_read_are_set_aside(servers: Servers):
    """Both lots of them are kept under other names, and work goes on."""
    kept = servers.here.kept
    drafts = Drafts(DRAFTS, kept)
    for number in (1, 2):
        kept.write(DRAFTS, b"{ %d" % number)
        assert drafts.load("A") is None
        assert kept.read(f"{DRAFTS}.bad-{number}") == b"{ %d" % number
    assert "kept in amal.draft.json.bad-2" in str(drafts.set_aside[1])
    save(drafts, "A", "again")
    assert Drafts(DRAFTS, servers.there.kept).load("A") is not None


# the writing tab


def test_a_mark_of_another_machine_holds_until_it_is_silent(servers: Servers):
    """A pid means nothing on another machine: only silence, or a take-over, frees the mark."""
    mine = WriterMark(MARK, servers.here.kept, machine="here")
    theirs = WriterMark(MARK, servers.there.kept, machine="there")
    assert mine.claim("tab-one")
    mine.stay_at("C-7")
    assert not theirs.claim("tab-two")
    servers.age(MARK, SILENT_AFTER - 30)
    assert not theirs.claim("tab-two")
    servers.age(MARK, 31)
    assert theirs.claim("tab-two")
    assert not mine.holds()
    assert theirs.here == "C-7"
    assert mine.claim("tab-one", take_over=True)
    assert not theirs.holds()


def test_a_tab_that_is_still_there_keeps_its_mark(servers: Servers):
    """A ping counts by the store's clock; the same tab may come back through the other server."""
    now = [1000.0]
    mine = WriterMark(MARK, servers.here.kept, machine="here", clock=lambda: now[0])
    theirs = WriterMark(MARK, servers.there.kept, machine="there")
    assert mine.claim("tab-one")
    servers.age(MARK, SILENT_AFTER + 1)
    now[0] += TOUCH_EVERY
    mine.touch()
    assert not theirs.claim("tab-two")
    assert theirs.claim("tab-one")


def test_a_mark_of_a_dead_process_of_this_machine_is_free(servers: Servers):
    """Here a pid can be looked for, so nobody waits for the silence."""
    name = b'{"tab": "t", "token": "x", "process": "4194999.1", "here": ""}'
    servers.there.kept.write(MARK, name)
    assert WriterMark(MARK, servers.here.kept).claim("tab-two")


# pins, contents, the secret


def test_a_round_is_pinned_once_for_all_servers(servers: Servers):
    """Whoever comes second keeps the pins of the first."""
    kept, other = servers.here.kept, servers.there.kept
    assert read_pins(PINS, kept) is None
    pin_round(PINS, kept, {"a": "1"}, {"t1@1": "f"})
    assert pin_round(PINS, other, {"a": "2"}, {"t1@1": "f"}).cards == {"a": "1"}


def test_a_content_is_found_on_the_other_server(servers: Servers):
    """What a verdict was made on is there for everybody, and the first one stands."""
    mine = KeptContents(".reviewkit/contents", servers.here.kept)
    mine.keep("d" * 64, {"prompt": "قال"})
    mine.keep("d" * 64, {"prompt": "other"})
    theirs = KeptContents(".reviewkit/contents", servers.there.kept)
    assert theirs.find("d" * 64) == {"prompt": "قال"}
    assert theirs.find("e" * 64) is None


def test_servers_sign_cookies_with_one_secret(servers: Servers):
    """A cookie of one server is good on the other, also when both start at once."""
    secrets = both_at_once(
        [lambda k=each.kept: load_secret(".reviewkit/secret", k) for each in
         (servers.here, servers.there)]
    )  # fmt: skip
    assert len(set(secrets)) == 1
    if isinstance(servers.here, FileStore):
        path = servers.folders[0].secret
        assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o077) == (0o600, 0)


# links


def test_a_revocation_ends_a_link_on_every_server_at_once(servers: Servers):
    """What the lead does through one server counts at the next request of the other."""
    mine, theirs = servers.books()
    token = mine.make("demo", "first", "amal")
    session = theirs.admit(token, "demo").link
    assert theirs.working(session) is not None
    mine.revoke("demo", "amal")
    assert theirs.working(session) is None
    with pytest.raises(LinkRevoked):
        theirs.admit(token, "demo")
    fresh = theirs.renew("demo", "first", "amal")
    assert mine.who(fresh) == Person("demo", "first", "amal")


def test_links_made_on_both_servers_at_once_are_all_there(servers: Servers):
    """Acts never get in each other's place."""
    books = servers.books() * 2
    both_at_once(
        [lambda b=book, n=n: b.make("demo", "first", f"rater{n}") for n, book in enumerate(books)]
    )
    assert {each.person.rater for each in books[0].list()} == {f"rater{n}" for n in range(4)}
    assert books[0].list() == books[1].list()


# what a rater's process reads


def test_a_seat_asks_for_its_own_names_alone(tmp_path: Path):
    """Every name that a rater's drafts, mark and pins ask the database for is his own."""
    store = SqlStore(Workspace(tmp_path), f"sqlite:///{tmp_path / 'shared.db'}")
    named: set[str] = set()

    def note(_connection, _cursor, _statement, parameters, _context, _many) -> None:
        named.update(each for each in parameters if isinstance(each, str) and "/" in each)

    event.listen(store.database.engine, "before_cursor_execute", note)
    save(Drafts(DRAFTS, store.kept), "A", "x")
    WriterMark(MARK, store.kept).claim("tab")
    pin_round(PINS, store.kept, {}, {})
    assert named == {DRAFTS, MARK, PINS}


@pytest.mark.database
def test_a_lost_database_is_said_and_the_next_call_works(postgres, database_url, tmp_path):
    """A writer hears that nothing was recorded, and goes on once the server is back."""
    kept = SqlStore(Workspace(tmp_path), database_url).kept
    drafts, mark = Drafts(DRAFTS, kept), WriterMark(MARK, kept)
    save(drafts, "A", "before")
    assert mark.claim("tab")
    postgres.stop()
    try:
        with pytest.raises(CannotWrite, match=r"nothing was recorded: .*does not answer"):
            save(drafts, "A", "lost")
        with pytest.raises(CannotWrite, match="nothing was recorded"):
            mark.holds()
        assert drafts.set_aside == ()
    finally:
        postgres.start()
    assert mark.holds()
    save(drafts, "A", "after")
    assert drafts.load("A").note == "after"
