"""``reviewkit serve``: one study for known people, to each the app of his role."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Sequence

from tornado.ioloop import IOLoop, PeriodicCallback

from reviewkit.decisions.stores import store_of
from reviewkit.desk.apps import load_apps, project_file
from reviewkit.desk.server.app import DeskServer
from reviewkit.desk.server.health import answers, look
from reviewkit.desk.server.identity import Door, load_secret
from reviewkit.desk.server.lifetime import Lifetime
from reviewkit.desk.server.links_seen import SeenLinks
from reviewkit.desk.server.listening import listed
from reviewkit.desk.server.logs import Form, ServerLog
from reviewkit.desk.server.people import LINKS, networks, people_named
from reviewkit.desk.server.settings import OUR_TEMPLATE, settings_for, usual_pool
from reviewkit.desk.server.transport import clear_abandoned
from reviewkit.desk.server.warm.ahead import STUDY_VARIABLE
from reviewkit.desk.server.warm.parent import why_not_fork
from reviewkit.desk.server.warm.provisioner import is_registered
from reviewkit.desk.server.watched_kernels import WatchedKernels
from reviewkit.problems import ReviewkitError
from reviewkit.study.links import PERSON_VARIABLE, link_book
from reviewkit.study.roles import Role
from reviewkit.workspace import Workspace

TOTALS_SECONDS = 60


TEMPLATES = (OUR_TEMPLATE, "lab")


class PortTaken(ReviewkitError):
    """The port cannot be listened on."""


class TemplateUnknown(ReviewkitError):
    """No page is served with such a template."""


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
    proxies: Sequence[str] = (),
    people: str = LINKS,
    log: str | None = None,
    log_form: Form | None = None,
    pool: int | None = None,
    say: Callable[[str], object] = print,
    invite: Callable[[], object] = lambda: None,
) -> None:
    """Serve the study to people with a link until interrupted, to each the app of his role.

    ``app`` is the one that raters get: ``review`` or ``code``. ``links_start`` is the address that
    links begin with, where it is not the one that is listened on. The networks in ``proxies`` are
    believed when they say where a request came from and, with ``people`` as ``header:NAME``, who
    somebody is; by default those of this machine. With ``people`` as ``jupyterhub`` the Hub says it
    whose service this is. ``log`` and ``log_form`` are what ``ServerLog`` takes. ``pool`` kernels
    are kept ready for visitors to come; by default none where kernels can be forked. ``invite`` is
    called once nothing can go wrong any more, the port held and the log open: making new links ends
    those that people work with.
    Raises PortTaken, AppUnknown, AppFileMissing, LogUnusable, PeopleUnusable or TemplateUnknown
    before anything is started.
    """
    if template not in TEMPLATES:
        raise TemplateUnknown(
            f"--template {template}: there is no such page; use {' or '.join(TEMPLATES)}"
        )
    apps = load_apps(ws, app)
    notebooks: dict[Role, str] = {
        role: str(project_file(ws, entry.notebook)) for role, entry in apps.own.items()
    }
    beside = {
        address: (entry.roles, str(project_file(ws, entry.notebook)))
        for address, entry in apps.beside.items()
    }
    titles = {str(project_file(ws, each.notebook)): each.title for each in apps.served}
    pages = project_file(ws, "voila_apps/templates/reviewkit/refused.html.j2")
    base_url = f"/{base_url.strip('/')}/" if base_url.strip("/") else "/"
    book = link_book(ws)
    trusted = networks(proxies)
    named_by = people_named(people, trusted, base_url)
    check_port(host, port)
    start = (links_start or f"http://{host}:{port}{base_url}").rstrip("/")
    journal = ServerLog(log, log_form)
    lifetime = Lifetime(journal)
    WatchedKernels.log_to = journal
    store = store_of(ws)
    secret = load_secret(ws.shown(ws.secret), store.kept)
    links = SeenLinks(book, shared=store.is_shared)
    door = Door(
        links, study, base_url, pages.read_text(encoding="utf-8"), secret, notebooks,
        titles=titles, beside=beside, proxies=trusted, people=named_by,
    )  # fmt: skip

    pool = usual_pool() if pool is None else pool
    os.environ["REVIEWKIT_WORKSPACE"] = str(ws.root)
    os.environ[STUDY_VARIABLE] = study
    os.environ.pop(PERSON_VARIABLE, None)
    server = DeskServer.instance(
        config=settings_for(port, host, base_url, template, pool),
        config_file_paths=[],
        notebook_path=notebooks["rater"],
        cookie_secret=secret,
        door=door,
        template_folder=pages.parent,
        open_browser=open_browser,
        lifetime=lifetime,
        look=lambda: look(ws, study),
        database=(lambda: answers(store.kept)) if store.is_shared else None,
    )
    hidden = "" if named_by is None else " --no-secret"
    try:
        clear_abandoned()
        server.initialize(argv=[])
        journal.listen_to_libraries(server.log)
        lifetime.watch_signals()
        invite()
        waiting = sum(link.works() and link.person.study == study for link in book.list())
        say(f"Study {study} at http://{host}:{port}{base_url}")
        say(
            f"{waiting} working link{'' if waiting == 1 else 's'}; anybody of the study gets one "
            f"from `reviewkit link new NAME --study {study}{hidden}`. Stop with Ctrl+C."
        )
        say(
            f"Health: http://{host}:{port}{base_url}healthz; raters get the app {app}; kernels are "
            f"{_kind_of_kernels(pool)}; the log goes to {journal.shown}."
        )
        for danger in store.dangers():
            say(str(danger))
        with listed(ws, study, host, port, base_url, start):
            totals = PeriodicCallback(journal.tell_totals, 1000 * TOTALS_SECONDS)
            IOLoop.current().add_callback(totals.start)
            server.start()
    finally:
        journal.tell_totals()
        journal.tell("server_stopped")
        WatchedKernels.log_to = None
        DeskServer.clear_instance()


def _kind_of_kernels(pool: int) -> str:
    why_not = why_not_fork() or ("" if is_registered() else "reviewkit has to be installed again")
    kind = f"started anew ({why_not})" if why_not else "forked from one that is warm"
    return f"{kind}, {pool} kept ready" if pool else kind


def check_port(host: str, port: int) -> None:
    """Raise PortTaken when nobody could listen there."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            other = "--port" if error.errno in (errno.EADDRINUSE, errno.EACCES) else "--host"
            raise PortTaken(
                f"{host}:{port}: cannot listen there ({error.strerror}); choose another with "
                f"{other}"
            ) from None
