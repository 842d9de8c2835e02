"""A JupyterHub that says who people are, with one study as its service.

docs/behind-a-proxy.md goes through it. Change what is marked "yours", then: jupyterhub -f THIS_FILE
"""

FOLDER = "/srv/review"  # yours: the project folder
STUDY = "review"  # yours
REVIEWKIT = "/srv/review/.venv/bin/reviewkit"  # yours: has the package, with its extra [hub]
PORT = 8866  # where reviewkit listens, on this machine alone

c = get_config()  # noqa: F821 - the Hub gives it

# yours: what people open. HTTPS ends here (JupyterHub.ssl_cert) or at an nginx before it.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"

# yours: how people log in. "pam" is the accounts of this machine; a university's single sign-on is
# c.JupyterHub.authenticator_class = "generic-oauth", from the package oauthenticator.
c.JupyterHub.authenticator_class = "pam"
# A login opens no card: that takes `reviewkit link new NAME --no-secret` besides.
c.Authenticator.allow_all = True

c.JupyterHub.services = [
    {
        "name": "reviewkit",
        "url": f"http://127.0.0.1:{PORT}",
        "command": [
            REVIEWKIT, "serve", STUDY, "--people", "jupyterhub",
            "--port", str(PORT), "--base-url", "/services/reviewkit/",
        ],
        "cwd": FOLDER,
        # or everybody is asked first whether reviewkit may know the name
        "oauth_no_confirm": True,
    }
]  # fmt: skip
c.JupyterHub.load_roles = [
    {"name": "user", "scopes": ["self", "access:services!service=reviewkit"]},
]

# For those who review in JupyterLab, in servers that the Hub starts: their notebook takes the name
# of whoever has logged in.
c.Spawner.environment = {
    "REVIEWKIT_PEOPLE": "jupyterhub",
    "REVIEWKIT_STUDY": STUDY,
    "REVIEWKIT_WORKSPACE": FOLDER,
}
