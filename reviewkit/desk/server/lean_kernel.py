"""Starts a rater's kernel without what no rater uses: the debugger and the history file."""

import sys

if __name__ == "__main__":
    # A None entry makes ``import debugpy`` fail, which ipykernel takes as "not installed".
    sys.modules["debugpy"] = None  # type: ignore[assignment]

    from reviewkit.desk.server.rater_kernel import RaterKernelApp

    # History stays on, in memory: with it off, ipykernel 7 sometimes hangs when it ends.
    RaterKernelApp.launch_instance([*sys.argv[1:], "--HistoryManager.hist_file=:memory:"])
