"""The client that waits for nothing more than the kernel: no output is lost or taken twice."""

from __future__ import annotations

import nbformat
import pytest
from voila.execute import VoilaExecutor

from tests.serving.warm.conftest import House

pytestmark = pytest.mark.kernel

TIMES = 12


def test_nothing_is_lost_or_doubled_without_the_wait(house: House) -> None:
    """As Voila runs a notebook, at once after the start: each output comes once and in its cell."""

    async def outputs(kernel_id: str) -> list[list[str]]:
        cells = [nbformat.v4.new_code_cell(f"print('out {n}'); {n}") for n in range(3)]
        notebook = nbformat.v4.new_notebook(cells=cells)
        executor = VoilaExecutor(notebook, km=house.kernels.get_kernel(kernel_id))
        executor.kc = await executor.async_start_new_kernel_client()
        # as Voila does, without waiting for its reply
        executor.kc.execute("import os; print('not of a cell')", store_history=False)
        try:
            for number, cell in enumerate(cells):
                await executor.execute_cell(cell, None, number, store_history=False)
        finally:
            executor.kc.stop_channels()
        return [
            [each.get("text") or each.data["text/plain"] for each in cell.outputs] for cell in cells
        ]

    for _ in range(TIMES):
        kernel = house.start()
        assert house.run(outputs(kernel)) == [["out 0\n", "0"], ["out 1\n", "1"], ["out 2\n", "2"]]
        house.end(kernel)


def test_a_kernel_that_dies_while_it_is_waited_for_is_noticed(house: House) -> None:
    """The wait ends with a reason as soon as the kernel is gone, not with its time."""
    kernel = house.start()
    manager = house.kernels.get_kernel(kernel)
    manager.stop_restarter()

    async def wait() -> None:
        client = manager.client()
        client.start_channels()
        house.process(kernel).kill()
        try:
            await client.wait_for_ready(timeout=40)
        finally:
            client.stop_channels()

    with pytest.raises(RuntimeError, match="Kernel died"):
        house.run(wait(), 20)
    house.end(kernel)
