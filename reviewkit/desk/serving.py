"""``reviewkit serve``: one notebook for known people, through Voila with the right settings.

Voila's own doors that nobody here needs (files, tree, login) are not opened; what remains stands
behind the link gate. Settings come from here alone: a stray ``voila.json`` changes nothing.
"""

from __future__ import annotations

import logging
import os
import re
import socket
import tempfile
from collections.abc import Callable
from typing import Any

from jupyter_server.base.handlers import FileFindHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from jupyter_server.utils import url_path_join
from jupyterlab_server.themes_handler import ThemesHandler
from tornado.web import HTTPError, RequestHandler
from traitlets import Any as AnyTrait
from traitlets.config import Config
from voila.app import Voila
from voila.paths import collect_static_paths, collect_template_paths
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.static_file_handler import MultiStaticFileHandler, TemplateStaticFileHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from reviewkit.desk.apps import load_apps, project_file
from reviewkit.desk.identity import (
    Admission,
    Door,
    LinkIdentity,
    door_of,
    gated,
    load_secret,
)
from reviewkit.desk.kernels import (
    LiveChannels,
    OneKernelSpec,
    OwnedKernels,
    OwnKernelsOnly,
    ShutdownOwnKernel,
)
from reviewkit.problems import ReviewkitError
from reviewkit.study.links import PERSON_HEADER, PERSON_VARIABLE, LinkBook
from reviewkit.study.roles import Role
from reviewkit.workspace import Workspace

OUR_TEMPLATE = "reviewkit"
NEVER_CONNECTED_SECONDS = 600
"""Idle time after which a kernel ends whose page never came: a slow line needs minutes to load."""

CONTENT_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""No request leaves the machine, whatever a template or a widget asks for."""

WIDGET_EXTENSIONS = (
    "anywidget",
    "@voila-dashboards/widgets-manager8",
    # Registers the base widgets: without it the layout of every widget fails to load.
    "@jupyter-widgets/jupyterlab-manager",
)
_SECRET_PATH = re.compile(r"(/go/)[^\s/?\"'<>()]+")


class PortTaken(ReviewkitError):
    """The port cannot be listened on."""


class CardsPage(TornadoVoilaHandler):
    """The page itself, and nothing below it."""

    async def get(self, path: str | None = None) -> None:
        """Show the visitor's notebook at the address itself, or one that stands beside it for him.

        Anything else does not exist, nor does a page of another role.
        """
        if path and f"/{path}/" == self.base_url:
            self.redirect(self.base_url)
            return
        mine = door_of(self).notebook_of(self, path or "")
        if path and mine is None:
            raise HTTPError(404)
        self.set_header("Referrer-Policy", "same-origin")
        if mine is not None:
            # as Voila names it: from the folder that the server looks at
            self.notebook_path = os.path.relpath(mine, self.settings["reviewkit_root"])
        page: Any = super().get(None)  # tornado's decorator hides that it is awaited
        await page


_SERVED: dict[type[RequestHandler], type[RequestHandler]] = {
    KernelHandler: gated(KernelHandler),
    VoilaKernelWebsocketHandler: gated(VoilaKernelWebsocketHandler),
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


class DeskServer(Voila):
    """Voila with our template, our routes and our door."""

    door: Any = AnyTrait()
    template_folder: Any = AnyTrait()

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
        settings.update(
            reviewkit_door=self.door,
            reviewkit_root=self.root_dir,
            log_function=log_refusals,
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
            voilas: Any = super().init_handlers()
            routes.extend(
                (pattern, served[handler], *arguments)
                for pattern, handler, *arguments in voilas
                if handler in served
            )
        return routes


def log_refusals(handler: RequestHandler) -> None:
    """Log what was refused or failed: without secrets, and without noting who reads what."""
    if handler.get_status() >= 400:
        request = handler.request
        logging.getLogger("reviewkit.serve").warning(
            "%d %s %s", handler.get_status(), request.method, without_secrets(request.path)
        )


def without_secrets(text: str) -> str:
    """Return the text with the secret of every link blotted out."""
    return _SECRET_PATH.sub(r"\1[secret]", text)


class BlotSecrets(logging.Filter):
    """Keeps secrets out of what tornado and Voila log by themselves."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record in place."""
        said = record.getMessage()
        record.msg, record.args = without_secrets(said), ()
        return True


def settings_for(port: int, host: str, base_url: str, template: str, title: str) -> Config:
    """Return every Voila setting that matters, none left to a default that may change."""
    # A socket's path must be short: in a deep temporary folder, fall back to TCP.
    short = os.name == "posix" and len(os.fsencode(tempfile.gettempdir())) < 30
    return Config(
        {
            "Voila": {
                "ip": host,
                "port": port,
                "port_retries": 0,
                "base_url": base_url,
                "log_level": logging.WARNING,
                "autoreload": False,
                "identity_provider_class": LinkIdentity,
                "authorizer_class": OwnKernelsOnly,
                "kernel_websocket_connection_class": LiveChannels,
                "token": "",
            },
            "VoilaConfiguration": {
                "template": template,
                "theme": "light",
                "allow_template_override": "NO",
                "allow_theme_override": "NO",
                "show_tracebacks": False,
                "strip_sources": True,
                "file_allowlist": [],
                "file_denylist": [".*"],
                "preheat_kernel": False,
                "progressive_rendering": False,
                "http_header_envs": [PERSON_HEADER],
                "multi_kernel_manager_class": OwnedKernels,
                "kernel_spec_manager_class": OneKernelSpec,
                "extension_allowlist": list(WIDGET_EXTENSIONS),
                "extension_denylist": [],
                "resources": {"reviewkit": {"title": title}},
            },
            "MappingKernelManager": {
                "cull_idle_timeout": NEVER_CONNECTED_SECONDS,
                "cull_interval": 30,
                "cull_connected": False,
                "cull_busy": False,
            },
            "KernelManager": {"transport": "ipc" if short else "tcp"},
        }
    )


def serve(
    ws: Workspace,
    study: str,
    *,
    port: int = 8866,
    base_url: str = "/",
    host: str = "127.0.0.1",
    template: str = OUR_TEMPLATE,
    app: str = "review",
    links_start: str | None = None,
    open_browser: bool = False,
    say: Callable[[str], object] = print,
) -> None:
    """Serve the study to people with a link until interrupted, to each the app of his role.

    ``app`` is the one that raters get: ``review`` or ``code``. ``links_start`` is the address that
    links begin with, where it is not the usual one.
    Raises PortTaken, AppUnknown or AppFileMissing before anything is started.
    """
    apps = load_apps(ws, app)
    notebooks: dict[Role, str] = {
        role: str(project_file(ws, entry.notebook)) for role, entry in apps.own.items()
    }
    beside = {
        address: (entry.roles, str(project_file(ws, entry.notebook)))
        for address, entry in apps.beside.items()
    }
    pages = project_file(ws, "voila_apps/templates/reviewkit/refused.html.j2")
    base_url = f"/{base_url.strip('/')}/" if base_url.strip("/") else "/"
    book = LinkBook(ws.links)
    waiting = sum(link.works() and link.person.study == study for link in book.list())
    check_port(host, port)

    os.environ["REVIEWKIT_WORKSPACE"] = str(ws.root)
    os.environ.pop(PERSON_VARIABLE, None)
    for name in ("tornado.access", "tornado.general", "tornado.application", "DeskServer"):
        logging.getLogger(name).addFilter(BlotSecrets())
    server = DeskServer.instance(
        config=settings_for(
            port, host, base_url, template, apps.own["rater"].title.get("en", study)
        ),
        config_file_paths=[],
        notebook_path=notebooks["rater"],
        cookie_secret=load_secret(ws.private / "secret"),
        door=Door(book, study, base_url, pages.read_text(encoding="utf-8"), notebooks, beside),
        template_folder=pages.parent,
        open_browser=open_browser,
    )
    try:
        server.initialize(argv=[])
        server.log.addFilter(BlotSecrets())
        at = f" --url {links_start}" if links_start else ""
        say(f"Study {study} at http://{host}:{port}{base_url}")
        say(
            f"{waiting} working link{'' if waiting == 1 else 's'}; anybody of the study gets one "
            f"from `reviewkit link new NAME --study {study}{at}`. Stop with Ctrl+C."
        )
        server.start()
    finally:
        DeskServer.clear_instance()


def check_port(host: str, port: int) -> None:
    """Raise PortTaken when nobody could listen there."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            raise PortTaken(
                f"{host}:{port}: cannot listen there ({error.strerror}); choose another with --port"
            ) from None
