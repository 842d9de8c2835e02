"""Voila with our template, our routes and our door.

Voila's own doors that nobody here needs (files, tree, login) are not opened; what remains stands
behind the link gate.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from jupyter_core.utils import run_sync
from jupyter_server.base.handlers import FileFindHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from jupyter_server.utils import url_path_join
from jupyterlab_server.themes_handler import ThemesHandler
from tornado.ioloop import IOLoop
from tornado.web import RequestHandler
from traitlets import Any as AnyTrait
from voila.app import Voila
from voila.paths import collect_static_paths, collect_template_paths
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.static_file_handler import MultiStaticFileHandler, TemplateStaticFileHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from reviewkit.desk.server.channels import FRAME_LIMIT, PageSocket
from reviewkit.desk.server.entrance import Admission, Choice, gated
from reviewkit.desk.server.health import Folder, Health, HealthPage
from reviewkit.desk.server.hub import CALLBACK, NamedByHub
from reviewkit.desk.server.kernels import ShutdownOwnKernel
from reviewkit.desk.server.logs import log_request, readable
from reviewkit.desk.server.page import CardsPage
from reviewkit.desk.server.scripts import Shelf, ShelvedFile
from reviewkit.desk.server.settings import CONTENT_POLICY, OUR_TEMPLATE
from reviewkit.desk.server.standing import Standing
from reviewkit.desk.server.transport import hold

_SERVED: dict[type[RequestHandler], type[RequestHandler]] = {
    KernelHandler: gated(KernelHandler),
    VoilaKernelWebsocketHandler: gated(PageSocket),
    VoilaShutdownKernelHandler: gated(ShutdownOwnKernel),
    TornadoVoilaHandler: gated(CardsPage),
}
"""What we serve instead of each handler of Voila; one that is not named here is not served."""

_SERVED_TO_STOCK_TEMPLATES: dict[type[RequestHandler], type[RequestHandler]] = {
    MultiStaticFileHandler: gated(MultiStaticFileHandler),
    FileFindHandler: gated(FileFindHandler),
    TemplateStaticFileHandler: gated(TemplateStaticFileHandler),
    ThemesHandler: gated(ThemesHandler),
}
"""What JupyterLab's application needs besides."""


_SHELVED = gated(ShelvedFile)


class DeskServer(Voila):
    """Voila with our template, our routes and our door."""

    door: Any = AnyTrait()
    template_folder: Any = AnyTrait()
    lifetime: Any = AnyTrait()
    look: Callable[[], Folder] = AnyTrait()  # pyright: ignore[reportAssignmentType]
    """Looks whether the project folder can be worked in."""
    database: Callable[[], bool] | None = AnyTrait()  # pyright: ignore[reportAssignmentType]
    """Looks whether the database answers, where one is configured."""

    def setup_template_dirs(self) -> None:
        """Use our template from where it lies; leave stock templates to Voila."""
        if self.voila_configuration.template != OUR_TEMPLATE:
            super().setup_template_dirs()
            return
        apps = ["voila", "nbconvert"]
        self.template_paths = [
            str(self.template_folder),
            *collect_template_paths(apps, "base", prune=True),
        ]
        self.static_paths = collect_static_paths(apps, "base")

    def init_settings(self) -> Any:
        """Add what our handlers look up."""
        settings: Any = super().init_settings()
        # the first notebook compiles the schema for all; the first visitor would wait for it
        nbformat.validate(nbformat.v4.new_notebook())  # pyright: ignore[reportUnknownMemberType]
        settings.update(
            reviewkit_door=self.door,
            reviewkit_root=self.root_dir,
            reviewkit_templates=self.template_folder,
            reviewkit_stock_template=self.voila_configuration.template != OUR_TEMPLATE,
            reviewkit_shelf=Shelf(),
            websocket_max_message_size=FRAME_LIMIT,
            reviewkit_lifetime=self.lifetime,
            reviewkit_log=self.lifetime.log,
            reviewkit_health=Health(
                self.look, self._kernels_and_connections, self.lifetime, database=self.database
            ),
            log_function=log_request,
            headers={"Content-Security-Policy": CONTENT_POLICY},
        )
        return settings

    def init_handlers(self) -> Any:
        """Route each address under the base URL, and once more at the root.

        A proxy may keep the prefix or strip it: both work without a setting.
        """
        served = dict(_SERVED)
        if self.voila_configuration.template != OUR_TEMPLATE:
            served |= _SERVED_TO_STOCK_TEMPLATES
        routes: list[Any] = []
        for prefix in dict.fromkeys((self.base_url, "/")):
            self.server_url = prefix
            routes.append((url_path_join(prefix, r"/go/([^/]*)"), Admission))
            routes.append((url_path_join(prefix, r"/here/([^/]*)"), Standing))
            routes.append((url_path_join(prefix, r"/desk/([0-9a-f]{32}\.(?:js|css))"), _SHELVED))
            routes.append((url_path_join(prefix, r"/as/([^/]*)"), Choice))
            if isinstance(self.door.people, NamedByHub):
                routes.append((url_path_join(prefix, CALLBACK), self.door.people.callback()))
            routes.append((url_path_join(prefix, r"/healthz"), HealthPage))
            voilas: Any = super().init_handlers()
            routes.extend(
                (pattern, served[handler], *arguments)
                for pattern, handler, *arguments in voilas
                if handler in served
            )
        names: dict[type[RequestHandler], str] = {}
        for pattern, handler, *_ in routes:
            names.setdefault(handler, readable(pattern))
        self.app.settings["reviewkit_routes"] = names
        # called when the loop runs, which is when there is something to end
        IOLoop.current().add_callback(self._begun)
        return routes

    def _begun(self) -> None:
        self._held = hold(Path(self.connection_dir))
        self.lifetime.runs_with(self.kernel_manager, self.connection_dir, self.ioloop.stop)
        self.lifetime.log.tell("server_started", port=self.port, pid=os.getpid())

    def _kernels_and_connections(self) -> tuple[int, int]:
        connections: dict[str, int] = self.kernel_manager._kernel_connections  # noqa: SLF001
        return len(self.kernel_manager.list_kernel_ids()), sum(connections.values())

    def stop(self, from_signal: bool = False) -> None:  # noqa: ARG002
        """End what is left when the loop has ended; nothing, after an orderly stop."""
        self.lifetime.stopping = True
        shutil.rmtree(self.connection_dir, ignore_errors=True)
        run_sync(self.kernel_manager.shutdown_all)()
