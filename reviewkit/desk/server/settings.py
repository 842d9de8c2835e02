"""Every Voila setting that matters, none left to a default that may change."""

from __future__ import annotations

import logging

from traitlets.config import Config

from reviewkit.desk.server.channels import LiveChannels
from reviewkit.desk.server.identity import LinkIdentity
from reviewkit.desk.server.kernels import OneKernelSpec, OwnKernelsOnly
from reviewkit.desk.server.transport import transport
from reviewkit.desk.server.warm.client import PromptClient
from reviewkit.desk.server.warm.parent import why_not_fork
from reviewkit.desk.server.watched_kernels import WatchedKernels
from reviewkit.study.links import PERSON_HEADER

OUR_TEMPLATE = "reviewkit"

NEVER_CONNECTED_SECONDS = 600
"""Idle time after which a kernel ends whose page never came: a slow line needs minutes to load."""

POOL_WITHOUT_FORKING = 2
"""Kernels that are kept ready where each would take a second to start; each holds 40 MB."""

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


def usual_pool() -> int:
    """Return how many kernels are kept ready when nobody says how many."""
    return POOL_WITHOUT_FORKING if why_not_fork() else 0


def settings_for(port: int, host: str, base_url: str, template: str, pool: int = 0) -> Config:
    """Return the settings of a server; a stray ``voila.json`` changes nothing."""
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
                "multi_kernel_manager_class": WatchedKernels,
                "kernel_spec_manager_class": OneKernelSpec,
                "extension_allowlist": list(WIDGET_EXTENSIONS),
                "extension_denylist": [],
            },
            "MappingKernelManager": {
                "cull_idle_timeout": NEVER_CONNECTED_SECONDS,
                "cull_interval": 30,
                "cull_connected": False,
                "cull_busy": False,
            },
            # A kernel that has died is not started again empty under a page that looks alive: the
            # page hears of it, within this time, and comes back with a kernel of its own.
            "KernelRestarter": {"restart_limit": 0, "time_to_dead": 1.0},
            "OneKernelSpec": {"for_our_page": template == OUR_TEMPLATE},
            "OwnedKernels": {"pool_size": pool, "for_our_page": template == OUR_TEMPLATE},
            "KernelManager": {"transport": transport()},
            "AsyncKernelManager": {"client_factory": PromptClient},
        }
    )
