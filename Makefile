# Housuliiga's commands. Needs python3 >= 3.11 with pip, and make; 'make help' lists the targets.
# A machine's own settings for pip and uv (PIP_*, UV_*) hold here too.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
IN = .venv/bin/python
WITH_SERVICES = $(IN) -m config.embedded.throwaway
UV = .uv/bin/uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q pyproject.toml

.DEFAULT_GOAL := help
.PHONY: help up manage install install-dev test lint fuzz bench prove chaos lock clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name what; do printf '  make %-12s %s\n' "$$name" "$$what"; done

up: install ## start everything on this machine (PORT=8000 HOST=127.0.0.1), stop it with Ctrl-C
	@exec $(IN) -m config.embedded

manage: ## run a command beside a running 'make up': make manage ARGS="doctor"
	@exec $(IN) -m config.embedded.beside manage.py $(ARGS)

install: ## make .venv with what is needed to run
	@$(call with_python,config/embedded/install.py)

install-dev: ## make .venv with the development tools too
	@$(call with_python,config/embedded/install.py dev)
	-@$(IN) -m tests.clients.packages

test: lint ## check everything, on a throw-away PostgreSQL and broker
	$(IN) -m pytest -n 2

lint: install-dev ## the checks that need no test to run
	$(IN) -m ruff check .
	$(IN) -m ruff format --check .
	git ls-files -z '*.html' | xargs -0 -r .venv/bin/djade --check
	$(IN) -m deptry .
	.venv/bin/lint-imports --no-cache --no-logo
	$(IN) -m mypy .
	$(WITH_SERVICES) manage.py makemigrations --check --dry-run

fuzz: install-dev ## hold the engine against a second implementation (RECORDS=20000 SEED=1)
	$(IN) -m tests.fuzz --records $(or $(RECORDS),20000) --seed $(or $(SEED),1)

bench: install .venv-bench/installed ## measure the engine beside others, write docs/performance.md
	$(IN) manage.py bench engine --report
	$(IN) manage.py bench api --report
	$(IN) manage.py bench history --report
	$(IN) manage.py bench instructions --report
	$(IN) manage.py bench bots --report
	$(IN) manage.py bench tournament --report
	$(IN) manage.py bench standings --report
	$(IN) manage.py bench storage --report

# Whatever of the peers can't be had is reported as NOT RUN.
.venv-bench/installed: requirements-bench.lock
	-$(IN) -m venv .venv-bench && .venv-bench/bin/python -m pip install -q --require-hashes -r $< && touch $@

prove: install-dev ## what docs/house-bots.md says of the house bots, an hour; R=R2: a promise alone
	$(IN) -m $(if $(R),tests.chaos $(R),tests.games.players.proofs)

chaos: install-dev ## prove what the service promises in full; writes docs/reports/guarantees.json
	$(IN) -m tests.chaos

lock: install-dev ## write the lock files anew from pyproject.toml
	$(UV) -o requirements.lock
	$(UV) --group dev -o requirements-dev.lock
	$(UV:pyproject.toml=) --group pyproject.toml:bench -o requirements-bench.lock

clean: ## remove what was installed and cached (the data in var/ stays)
	rm -rf .venv .venv-bench .uv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis staticfiles
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

define with_python
if [ -z "$(PYTHON)" ]; then \
	echo "Housuliiga needs Python 3.11 or newer with pip. None was found as python3 on PATH;" >&2; \
	echo "install one (Debian: apt install python3 python3-pip) or name it: make $@ PYTHON=/path/to/python3" >&2; exit 1; fi; \
"$(PYTHON)" -I $(1)
endef
