"""A PostgreSQL of the tests' own: made in a temporary folder, reached by a socket there, ended.

No service, port or account of the machine is used. PostgreSQL refuses root, so root starts it as
``nobody``. ``fsync`` is off and ``synchronous_commit`` on: what was acknowledged survives the death
of any process, only a power cut would lose it, and no test cuts the power.

In a test: ``database_url`` is the address of an empty database, ``postgres`` the server, which a
test may stop at once and start again.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "on",
    "shared_buffers": "32MB",
    "max_connections": "100",
    "autovacuum": "off",
    "timezone": "UTC",
    "log_destination": "stderr",
}
START_SECONDS = 60.0
OWNER = "reviewkit_tests"


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest version's first; None without any."""
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    by_version = sorted(versions, key=lambda each: int(re.sub(r"\D", "", each.parent.name) or 0))
    on_path = [Path(found).resolve().parent for found in [shutil.which("initdb")] if found]
    for folder in [*reversed(by_version), *on_path]:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


class Postgres:
    """One server in a folder of its own; every database in it is made by a test."""

    def __init__(self, bin_folder: Path) -> None:
        self._bin = bin_folder
        # not below pytest's folder: nobody may not walk through it, and a socket's path is short
        self.folder = Path(tempfile.mkdtemp(prefix="rk-pg-"))
        self._data = self.folder / "data"
        self._log = self.folder / "server.log"
        self._server: subprocess.Popen[bytes] | None = None
        self._watch: subprocess.Popen[bytes] | None = None
        self._databases = 0
        self._as: dict[str, object] = {}
        if os.geteuid() == 0:
            account = _plain_account()
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self._as = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}

    def make(self) -> None:
        """Make the data folder, as ``initdb`` does."""
        self._run(
            "initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C",
            f"--username={OWNER}", "-D", str(self._data),
        )  # fmt: skip

    def start(self) -> None:
        """Start the server and return once it answers."""
        command = [str(self._bin / "postgres"), "-D", str(self._data), "-k", str(self.folder)]
        for name, value in SETTINGS.items():
            command += ["-c", f"{name}={value}"]
        with self._log.open("ab") as log:
            self._server = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.folder, env=self._environment(), start_new_session=True, **self._as,
            )  # fmt: skip
        # tests that are killed end nothing: their end of the pipe closes, and this one does it
        self._watch = subprocess.Popen(
            ["sh", "-c", f"cat >&2; kill -QUIT {self._server.pid}; sleep 2; rm -rf {self.folder}"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            cwd="/", start_new_session=True, **self._as,
        )  # fmt: skip
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start:\n{self._log.read_text()[-3000:]}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server: SIGINT lets it finish in order, SIGQUIT is a crash it recovers from."""
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.kill()
            watch.communicate()
        server, self._server = self._server, None
        if server is None or server.poll() is not None:
            return
        server.send_signal(how)
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(30)

    def remove(self) -> None:
        """End the server and remove its folder."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str, user: str = OWNER) -> str:
        """Return the address of a database, as ``rulings/store.yaml`` writes it."""
        return f"postgresql+psycopg://{user}@/{database}?host={self.folder}"

    def fresh(self) -> str:
        """Make an empty database and return its address; a test may have left the server ended."""
        if self._server is None:
            self.start()
        self._databases += 1
        name = f"test_{self._databases}"
        self.run_sql("postgres", f"CREATE DATABASE {name}")
        return self.url(name)

    def run_sql(self, database: str, *statements: str) -> str:
        """Run statements as the owner of the server, each by itself, and return what they print."""
        return self._run(
            "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder),
            "-U", OWNER, "-d", database, *(part for each in statements for part in ("-c", each)),
        )  # fmt: skip

    def _answers(self) -> bool:
        try:
            self.run_sql("postgres", "SELECT 1")
        except RuntimeError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> str:
        done = subprocess.run(
            [str(self._bin / program), *arguments], check=False, capture_output=True, text=True,
            cwd=self.folder, env=self._environment(), **self._as,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.strip()}")
        return str(done.stdout).strip()

    def _environment(self) -> dict[str, str]:
        """Return an environment without the settings (PGHOST, PGDATA) of whoever runs the tests."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        return {**kept, "LC_ALL": "C", "HOME": str(self.folder)}


def _plain_account() -> pwd.struct_passwd:
    """Return an account that is not root; PostgreSQL wants one that has a name."""
    try:
        return pwd.getpwnam("nobody")
    except KeyError:
        return next(each for each in pwd.getpwall() if each.pw_uid != 0)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Return a running PostgreSQL, one for each process of tests; skip, loudly, without one."""
    found = programs()
    if found is None:
        pytest.skip("NO POSTGRESQL: install it (apt-get install postgresql) for database tests")
    server = Postgres(found)
    try:
        server.make()
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def database_url(postgres: Postgres) -> str:
    """Return the address of an empty database."""
    return postgres.fresh()
