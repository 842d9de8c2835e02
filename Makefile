# Two commands do everything on a machine with python3, git and make:
#   make demo   environment, install, the review app on the demo bank (STUDY=rationale-demo: coding)
#   make test   environment, install, every test
PYTHON ?= python3
VENV ?= .venv
ORACLES ?= .venv-oracles
PORT ?= 8866
STUDY ?= demo
# tests that take the machine for themselves: crowds, writers that are killed, disks that are full
ALONE := stress
BIN := $(VENV)/bin

.PHONY: demo test unit lint bench clean chromium postgres nginx hub oracles

demo: $(VENV)/.demo
	$(BIN)/reviewkit serve $(STUDY) --port $(PORT) --new-links

test: $(VENV)/.dev chromium postgres nginx hub oracles
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not $(ALONE)"
	$(BIN)/python -m pytest -m "$(ALONE)"

# the fast loop: no browser, kernel, server or process of its own
unit: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n auto --dist loadfile -m "not (browser or kernel or stress or oracle or process or database)"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

bench: $(VENV)/.dev chromium oracles
	for script in benchmarks/[a-z]*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean:
	rm -rf $(VENV) $(ORACLES) .hub build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "reviewkit needs Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "python3 has no venv module: apt-get install python3-venv, or name another PYTHON="; exit 1; }

$(VENV)/.demo: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	$(BIN)/python -m compileall -q $(VENV)/lib reviewkit || true
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(BIN)/python -m compileall -q $(VENV)/lib reviewkit || true
	touch $@ $(VENV)/.demo

# the browser tests drive the system's Chromium; without one they are skipped, loudly
chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { \
	  apt=apt-get; [ "$$(id -u)" = 0 ] || apt="sudo -n apt-get"; \
	  if command -v apt-get >/dev/null && $$apt update -qq && \
	    DEBIAN_FRONTEND=noninteractive $$apt install -y -qq --no-install-recommends \
	      chromium fonts-noto-core fonts-dejavu-core; then :; \
	  else echo "NO CHROMIUM: the browser tests will be skipped"; fi; }

# the tests make a PostgreSQL of their own: only its programs are wanted, so Debian's package is told
# not to make and start a cluster of the machine's
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { \
	  root=; [ "$$(id -u)" = 0 ] || root="sudo -n"; \
	  if command -v apt-get >/dev/null && $$root apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive $$root apt-get install -y -qq --no-install-recommends \
	      postgresql-common && \
	    echo "create_main_cluster = false" \
	      | $$root tee -a /etc/postgresql-common/createcluster.conf >/dev/null && \
	    DEBIAN_FRONTEND=noninteractive $$root apt-get install -y -qq --no-install-recommends \
	      postgresql; then :; \
	  else echo "NO POSTGRESQL: the database tests will be skipped"; fi; }

# the tests start an nginx of their own with the example of deploy/nginx; the machine's is not started
nginx:
	@command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || { \
	  root=; [ "$$(id -u)" = 0 ] || root="sudo -n"; \
	  if command -v apt-get >/dev/null && $$root apt-get update -qq && \
	    $$root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
	      apt-get install -y -qq --no-install-recommends nginx-light; then \
	    [ ! -d /run/systemd/system ] || $$root systemctl disable --now nginx; \
	  else echo "NO NGINX: the tests of the nginx example will be skipped"; fi; }

# the proxy that JupyterHub starts, for the tests of deploy/jupyterhub; its 4 runs on any Node
HUB_PROXY := configurable-http-proxy@4.6.3
hub:
	@[ "$$(cat .hub/installed.txt 2>/dev/null)" = "$(HUB_PROXY)" ] || { \
	  command -v npm >/dev/null || { \
	    root=; [ "$$(id -u)" = 0 ] || root="sudo -n"; \
	    command -v apt-get >/dev/null && $$root apt-get update -qq && \
	      $$root env DEBIAN_FRONTEND=noninteractive \
	        apt-get install -y -qq --no-install-recommends nodejs npm; }; \
	  rm -rf .hub && npm install --prefix .hub --no-audit --no-fund --loglevel=error $(HUB_PROXY) && \
	  echo "$(HUB_PROXY)" > .hub/installed.txt; } || \
	  echo "NO HUB PROXY: the tests of the JupyterHub example will be skipped"

# libraries that tests compare with and that cannot share our environment; without a package index
# those tests are skipped, loudly, and in CI that is a failure
oracles: | $(BIN)/python
	@cmp -s tests/oracles/requirements.txt $(ORACLES)/installed.txt || { \
	  echo "making $(ORACLES): irrCAC, scikit-learn and NLTK, for tests alone"; rm -rf $(ORACLES); \
	  $(BIN)/python -m venv $(ORACLES) && $(ORACLES)/bin/python -m pip install --quiet \
	    --disable-pip-version-check -r tests/oracles/requirements.txt && \
	  cp tests/oracles/requirements.txt $(ORACLES)/installed.txt; } || { \
	  echo "NO ORACLES: the comparisons with irrCAC, scikit-learn and NLTK will be skipped"; \
	  [ -z "$$CI" ]; }
