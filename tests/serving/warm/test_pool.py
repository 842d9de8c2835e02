"""Kernels that run before anybody comes become one person's, and never another's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewkit.study.links import PERSON_VARIABLE
from tests.serving.served import memory_of, person_of, until
from tests.serving.warm.conftest import House, environment

pytestmark = pytest.mark.kernel

ENVIRONMENT = "import json, os; print(json.dumps([dict(os.environ), os.getcwd()]))"


@pytest.fixture(scope="module")
def house(short_folder: Path) -> Iterator[House]:
    """Return a manager that keeps one ordinary kernel ready: as where nothing can be forked."""
    (short_folder / "notebooks").mkdir()
    one = House(short_folder, pool_size=1, forked=False)
    yield one
    one.close()


def _ready(house: House) -> str:
    assert until(lambda: house.kernels.pool.ready, 40)
    return house.kernels.pool.ready[0]


def test_a_kernel_of_the_pool_is_nobodys_until_the_server_says_whose(house: House) -> None:
    """Before, it has no person and no owner; after, the person, folder and nothing of the pool."""
    waiting = _ready(house)
    assert person_of(house.process(waiting)) == ""
    assert house.kernels.owner(waiting) is None
    house.run(house.kernels.cull_kernel_if_idle(waiting))
    assert waiting in house.kernels

    wanted = environment("amal", SOME_API_TOKEN="of the server", ONLY_AMAL="1")
    got = house.run(house.kernels.start_kernel(env=wanted, path="notebooks"))
    assert got == waiting
    known, folder = json.loads(house.tell(got, ENVIRONMENT))
    assert json.loads(known[PERSON_VARIABLE])["rater"] == "amal"
    assert known["ONLY_AMAL"] == "1"
    assert "SOME_API_TOKEN" not in known
    assert folder == str(house.folder / "notebooks")
    owner = house.kernels.owner(got)
    assert owner is not None
    assert owner.rater == "amal"
    assert house.tell(got, "print([name for name in dir() if name.startswith('env')])") == "[]"

    # started again it would still be hers; no server of ours does that, so it is not done here
    again = house.kernels.get_kernel(got)._launch_args["env"]
    assert json.loads(again[PERSON_VARIABLE])["rater"] == "amal"
    house.end(got)


def test_two_visitors_never_share_a_kernel(house: House) -> None:
    """At the same moment one gets the kernel of the pool and the other a fresh one."""
    waiting = _ready(house)

    async def both() -> list[str]:
        start = house.kernels.start_kernel
        return list(
            await asyncio.gather(*(start(env=environment(each)) for each in ("amal", "basim")))
        )

    amal, basim = house.run(both())
    assert waiting in {amal, basim}
    assert amal != basim
    for mine, name, other in ((amal, "amal", "basim"), (basim, "basim", "amal")):
        process = house.process(mine)
        assert f'"rater": "{name}"' in person_of(process)
        assert not any(f'"rater": "{other}"'.encode() in part for part in memory_of(process.pid))
    replaced = _ready(house)
    assert replaced not in {amal, basim}
    house.end(amal)
    house.end(basim)
    assert house.kernels.pool.ready[0] == replaced, "a kernel that was somebody's does not return"


def test_a_dead_kernel_of_the_pool_is_replaced(house: House) -> None:
    """A visitor in that very moment gets a fresh kernel, and the pool another one."""
    waiting = _ready(house)
    house.process(waiting).kill()
    got = house.start("amal")
    assert got != waiting
    assert house.tell(got, "print(6 * 7)") == "42"
    assert waiting not in house.kernels
    assert _ready(house) != waiting
    house.end(got)
