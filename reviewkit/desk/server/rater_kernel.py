"""The kernel behind a rater's page: ipykernel without what only a notebook's front end needs.

Every message of a page made ipykernel publish two statuses that no page of ours reads, pass
through a thread for subshells that no page has, and wait twice for an output that was empty. That
was more work than the desk's own (docs/serving.md). Execution of the notebook is as it was:
nbclient waits for its statuses.
"""

from __future__ import annotations

import threading
from typing import Any, ClassVar

from ipykernel.iostream import OutStream
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from traitlets import Bool, default

_OF_COMMS = frozenset({"comm_open", "comm_msg", "comm_close"})


class _NoThread:
    """In place of the thread that is left out: none, where somebody asks whether there is one.

    A cell that waits (top-level ``await``) is run by whoever would be that thread's parent.
    """

    def __bool__(self) -> bool:
        return False

    @property
    def parent_thread(self) -> threading.Thread:
        """The thread that runs the cells."""
        return threading.main_thread()


class RaterKernel(IPythonKernel):
    """Tells nobody that it is busy with a message to a widget, unless told to."""

    tell_comms = Bool(
        True, config=True, help="Publish busy and idle around messages to widgets: JupyterLab asks."
    )

    @property
    def _supports_kernel_subshells(self) -> bool:
        return False

    def _publish_status(
        self, status: str, channel: str, parent: dict[str, Any] | None = None
    ) -> None:
        if not self.tell_comms:
            asked: dict[str, Any] = parent or self.get_parent(channel) or {}
            if (asked.get("header") or {}).get("msg_type") in _OF_COMMS:
                return
        super()._publish_status(status, channel, parent)


class PromptOutput(OutStream):
    """Standard output and error that make nobody wait for nothing.

    The kernel flushes both after every message, which wakes another thread and waits for it.
    """

    _unsent = False

    def write(self, string: str) -> int | None:
        """Take the text; a thread sends it soon."""
        self._unsent = True
        return super().write(string)

    def flush(self) -> None:
        """Send what was written since the last time, if anything was."""
        if self._unsent:
            # before the flush: what is written meanwhile has to be flushed once more
            self._unsent = False
            super().flush()


class RaterKernelApp(IPKernelApp):
    """Starts a rater's kernel; ipywidgets may have been imported long before."""

    classes: ClassVar[Any] = [*IPKernelApp.classes, RaterKernel]

    @default("kernel_class")
    def _rater_kernel(self) -> type[RaterKernel]:
        return RaterKernel

    @default("outstream_class")
    def _prompt_output(self) -> str:
        return f"{PromptOutput.__module__}.{PromptOutput.__qualname__}"

    def init_control(self, context: Any) -> None:
        """Do without the thread that hands each message to a subshell or to the main thread."""
        super().init_control(context)
        unused: Any = self.shell_channel_thread
        if unused is not None:
            unused.io_loop.close()
            self.shell_channel_thread = _NoThread()

    def init_shell(self) -> None:
        """Let widgets speak: at their import there was no kernel yet to register with."""
        super().init_shell()
        import ipywidgets  # noqa: PLC0415 - its import looks for a kernel

        ipywidgets.load_ipython_extension(self.shell)
