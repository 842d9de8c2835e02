"""A rater's kernel says what a page of ours, the notebook and JupyterLab need, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.manager import KernelManager

from reviewkit.desk.server.kernels import OneKernelSpec

pytestmark = pytest.mark.kernel

SECONDS = 40
ECHO = """
from reviewkit.desk.widget import Carrier
class Echo(Carrier):
    _esm = "export default {}"
echo = Echo(lambda content: (print("heard"), {"re": content["id"]})[1])
print(echo.comm.comm_id)
"""


@pytest.fixture(scope="module", params=[True, False], ids=["our page", "JupyterLab"])
def kernel(request: pytest.FixtureRequest) -> Iterator[tuple[Any, bool]]:
    """Return a client of a kernel as the server starts it, and whether a page of ours is served."""
    kernels: Any = KernelManager(
        kernel_spec_manager=OneKernelSpec(for_our_page=request.param), transport="ipc"
    )
    kernels.start_kernel()
    client: Any = kernels.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=SECONDS)
        yield client, request.param
    finally:
        client.stop_channels()
        kernels.shutdown_kernel(now=True)


def run(client: Any, code: str) -> tuple[list[str], str]:
    """Run code; return the states it was told by and what it printed."""
    asked = client.execute(code)
    states: list[str] = []
    printed = ""
    while "idle" not in states:
        message = client.get_iopub_msg(timeout=SECONDS)
        if message["parent_header"].get("msg_id") != asked:
            continue
        if message["msg_type"] == "status":
            states.append(message["content"]["execution_state"])
        printed += message["content"].get("text", "")
    client.get_shell_msg(timeout=SECONDS)
    return states, printed.strip()


def test_statuses_are_told_of_cells_and_to_jupyterlab_of_messages(
    kernel: tuple[Any, bool],
) -> None:
    """Whoever runs a cell waits for idle; our page asks its widget and waits for the answer."""
    client, ours = kernel
    states, comm = run(client, ECHO)
    assert states == ["busy", "idle"]

    data = {"method": "custom", "content": {"id": 7}}
    message = client.session.msg("comm_msg", {"comm_id": comm, "data": data})
    client.shell_channel.send(message)
    asked = message["header"]["msg_id"]
    # what is run next comes after all that the message led to
    after = client.execute("1")
    said: list[str] = []
    answers: list[Any] = []
    while True:
        heard = client.get_iopub_msg(timeout=SECONDS)
        parent = heard["parent_header"].get("msg_id")
        if parent == after and heard["content"].get("execution_state") == "idle":
            break
        if parent == asked:
            said.append(heard["msg_type"])
            if heard["msg_type"] == "comm_msg":
                answers.append(heard["content"]["data"])
    assert answers == [{"method": "custom", "content": {"re": 7}}]
    # what it printed while it answered is sent without anybody asking for it
    assert "stream" in said
    assert said.count("status") == (0 if ours else 2)


def test_an_ordinary_kernel_is_lean(kernel: tuple[Any, bool]) -> None:
    """No debugger is loaded, and no file keeps what was run."""
    client, _ = kernel
    loaded = "[each for each in sys.modules if each.startswith(('debugpy.', '_pydevd'))]"
    kept = "get_ipython().history_manager.hist_file"
    code = f"import sys; print(sys.modules['debugpy'], {kept}, {loaded})"
    assert run(client, code)[1] == "None :memory: []"


def test_a_cell_may_wait(kernel: tuple[Any, bool]) -> None:
    """Top-level ``await`` is answered, and no subshell is offered."""
    client, _ = kernel
    code = "import asyncio; print(await asyncio.sleep(0.01, 'waited'))"
    assert run(client, code) == (["busy", "idle"], "waited")
    client.kernel_info()
    features = client.get_shell_msg(timeout=SECONDS)["content"].get("supported_features", [])
    assert "kernel subshells" not in features


def test_what_a_cell_prints_comes_before_its_end(kernel: tuple[Any, bool]) -> None:
    """Output is sent before idle, also twice in a row: nbclient reads no further."""
    client, _ = kernel
    for number in range(3):
        code = f"import sys; print({number}, end=''); sys.stderr.write('e')"
        assert run(client, code)[1].replace("e", "") == str(number)
    assert run(client, "1")[1] == ""
