"""Starts a rater's kernel without what no rater uses: the debugger and the history file.

Run by path, not as a module: importing the package would load ipywidgets before there is a kernel
for it to register with.
"""

import sys

if __name__ == "__main__":
    # A None entry makes ``import debugpy`` fail, which ipykernel takes as "not installed".
    sys.modules["debugpy"] = None  # type: ignore[assignment]

    from ipykernel.kernelapp import launch_new_instance

    # History stays on, in memory: with it off, ipykernel 7 sometimes hangs when it ends.
    launch_new_instance([*sys.argv[1:], "--HistoryManager.hist_file=:memory:"])
