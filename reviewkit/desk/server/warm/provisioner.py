"""How jupyter_client starts a kernel from the warm parent: a kernel provisioner."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any

from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from reviewkit.desk.server.warm.parent import ForkedProcess, ForkRefused, WarmParent

NAME = "reviewkit-forked"
"""The entry point in the group ``jupyter_client.kernel_provisioners``."""


@lru_cache(maxsize=1)
def is_registered() -> bool:
    """Return whether the installed package names the provisioner; an old installation may not."""
    return bool(entry_points(group="jupyter_client.kernel_provisioners", name=NAME))


class ForkedProvisioner(LocalProvisioner):
    """Forks a kernel where that is possible, and otherwise starts an ordinary one.

    Connection files, shutdown, restart and clean-up are the ordinary ones; only the launch differs.
    """

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Start the kernel that ``cmd`` describes; its last part is ``-f CONNECTION_FILE``."""
        kernels = getattr(self.parent, "parent", None)
        warm: WarmParent | None = getattr(kernels, "warm", None)
        if warm is not None:
            try:
                arguments = cmd[cmd.index("-f") :]
                process = await warm.fork(arguments, kwargs["env"], kwargs.get("cwd"))
            except Exception as error:  # noqa: BLE001 - for any reason, an ordinary kernel
                why = str(error) if isinstance(error, ForkRefused) else type(error).__name__
                warm.tell_once(why)
            else:
                self.process: Any = process
                # its first act was to lead a session of its own
                self.pid = self.pgid = process.pid
                self.cwd = kwargs.get("cwd")
                return self.connection_info
        return await super().launch_kernel(cmd, **kwargs)

    async def send_signal(self, signum: int) -> None:
        """Send a signal to the kernel's process group while the kernel is there."""
        if isinstance(self.process, ForkedProcess) and self.process.poll() is not None:
            return
        await super().send_signal(signum)
