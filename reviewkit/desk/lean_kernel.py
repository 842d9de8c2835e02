"""Starts a rater's kernel without what no rater uses: the debugger and the history file.

Run by path, not as a module: importing the package would load ipywidgets before there is a kernel
for it to register with.
"""

import sys
from importlib import import_module
from threading import Thread


def load_ahead() -> None:
    """Import what the desk needs but widgets, while the server still waits for the kernel."""
    for name in ("reviewkit.rulings", "reviewkit.cards", "reviewkit.study", "psygnal"):
        import_module(name)


if __name__ == "__main__":
    # A None entry makes ``import debugpy`` fail, which ipykernel takes as "not installed".
    sys.modules["debugpy"] = None  # type: ignore[assignment]

    from ipykernel.kernelapp import IPKernelApp

    class LeanKernel(IPKernelApp):
        """A kernel that gets ready for its page before it is asked to."""

        def start(self) -> None:
            """Serve; the server lets 0.2 s pass before its first request."""
            Thread(target=load_ahead, daemon=True).start()
            super().start()

    # History stays on, in memory: with it off, ipykernel 7 sometimes hangs when it ends.
    LeanKernel.launch_instance([*sys.argv[1:], "--HistoryManager.hist_file=:memory:"])
