# Needs python3 (3.11 or newer), make and the package registries; everything lands in .venv, .cache and node_modules.

PYTHON  ?= python3
WORKERS ?= auto
UPGRADE ?=

BIN    := .venv/bin
DONE   := .venv/.done
UV     := $(BIN)/python -m uv --quiet
INSTALL = $(UV) pip install --python $(BIN)/python
COMPILE = $(UV) pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
          --custom-compile-command "make lock" $(UPGRADE)
PYTEST  = mkdir -p .cache/coverage && $(BIN)/python -m pytest
PARALLEL = -n $(WORKERS) --dist worksteal
IN_MEMORY = --ignore tests/process --ignore tests/peers -m "not process and not peers and not long"

NPM_PEERS := tests/peers/node_modules/.package-lock.json
PEERS  := $(NPM_PEERS) .cache/peers-python/done .cache/peers-sqlite/done
RIVALS := benchmarks/node_modules/.package-lock.json

export NODE_COMPILE_CACHE = $(CURDIR)/.cache/node
export PYRIGHT_PYTHON_IGNORE_WARNINGS = 1

# uv and npm bring certificates of their own; the authority of a proxy in between is known to the system alone
ifneq ($(wildcard /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem),)
export UV_SYSTEM_CERTS ?= 1
export NODE_USE_SYSTEM_CA ?= 1
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-fast test-long check formatted linted typed layered housed format lock bench clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

demo: $(DONE)/run $(DONE)/package ## use the bundled servers once, with what users install
	@$(BIN)/mooring demo

test: $(DONE)/dev $(DONE)/package $(PEERS) ## run every test but the long ones, with coverage
	$(PYTEST) --quiet --cov --cov-report= -m "alone and not long"
	$(PYTEST) $(PARALLEL) --cov --cov-append --cov-report=term -m "not alone and not long"

test-fast: $(DONE)/dev $(DONE)/package ## run the tests that stay in memory
	$(PYTEST) $(PARALLEL) $(IN_MEMORY)

test-long: $(DONE)/dev $(DONE)/package $(PEERS) ## run the tests that take minutes each
	$(PYTEST) $(PARALLEL) -m long

check: formatted linted typed layered housed ## check format, lint, types, imports and the house rules

formatted: $(DONE)/dev
	$(BIN)/python -m ruff format --check --quiet --diff .
linted: $(DONE)/dev
	$(BIN)/python -m ruff check --quiet .
typed: $(DONE)/dev $(DONE)/package
	$(BIN)/python -m pyright
layered: $(DONE)/dev $(DONE)/package
	$(BIN)/lint-imports --no-logo --cache-dir .cache/import-linter
housed: $(DONE)/dev $(DONE)/package
	$(PYTEST) --quiet -m "not long" tests/test_house.py

format: $(DONE)/dev ## format the code and mend what can be mended by rule
	$(BIN)/python -m ruff format --quiet .
	$(BIN)/python -m ruff check --quiet --fix .

lock: $(DONE)/uv ## make the locks again (UPGRADE=--upgrade takes newer releases)
	$(COMPILE) pyproject.toml --output-file locks/run.txt
	$(COMPILE) pyproject.toml --group dev --constraint locks/run.txt --output-file locks/dev.txt
	$(COMPILE) pyproject.toml --all-extras --constraint locks/dev.txt --output-file locks/extras.txt
	$(COMPILE) --group install --constraint locks/dev.txt --output-file locks/uv.txt
	$(COMPILE) --group bench --output-file locks/bench.txt
	$(COMPILE) --group peers --output-file locks/peers.txt
	$(COMPILE) --group sqlite --output-file locks/sqlite.txt
	@$(MAKE) $(DONE)/dev
	cd tests/peers && ../../$(BIN)/npm install --package-lock-only
	cd benchmarks && ../$(BIN)/npm install --package-lock-only

bench: $(DONE)/dev .cache/bench-venv/done .cache/bench-fastmcp/done $(RIVALS) ## measure beside peers, print ratios and goals
	@rm -rf .cache/bench/dist && mkdir -p .cache/bench
	$(UV) build --wheel --no-build-isolation --python $(BIN)/python --out-dir .cache/bench/dist
	$(UV) pip install --python .cache/bench-venv/bin/python --no-deps --reinstall --compile-bytecode .cache/bench/dist/*.whl
	$(BIN)/python benchmarks/run.py

clean: ## remove all that these targets made
	rm -rf .venv .cache tests/peers/node_modules benchmarks/node_modules
	find src tests benchmarks -type d -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Python 3.11 or newer is needed: make PYTHON=/path/to/python3 ...' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo 'This Python has no ensurepip: install it first (Debian, Ubuntu: apt-get install python3-venv)' >&2; exit 1; }
	$(PYTHON) -m venv .venv

$(DONE)/uv: locks/uv.txt | $(BIN)/python
	$(BIN)/python -m pip --quiet --disable-pip-version-check install --require-hashes --requirement locks/uv.txt
	@mkdir -p $(DONE) && touch $@

$(DONE)/run: locks/run.txt $(DONE)/uv
	$(INSTALL) --require-hashes --requirement locks/run.txt
	@touch $@

$(DONE)/dev: locks/dev.txt $(DONE)/uv
	$(INSTALL) --require-hashes --requirement locks/dev.txt
	@touch $@

$(DONE)/package: pyproject.toml $(DONE)/uv
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# npm reads the .npmrc beside package.json, so it has to run there
$(NPM_PEERS): tests/peers/package-lock.json $(DONE)/dev
	cd tests/peers && ../../$(BIN)/npm ci
	@touch $@

$(RIVALS): benchmarks/package-lock.json $(DONE)/dev
	cd benchmarks && ../$(BIN)/npm ci
	@touch $@

# an environment of its own for each peer that wants other packages than we do
VENVS := .cache/bench-venv/done .cache/bench-fastmcp/done .cache/peers-python/done .cache/peers-sqlite/done
$(VENVS): $(DONE)/uv
	@rm -rf $(@D) && $(PYTHON) -m venv --without-pip $(@D)
	$(UV) pip install --python $(@D)/bin/python --compile-bytecode --require-hashes --requirement $(filter locks/%,$^)
	@touch $@

.cache/bench-venv/done: locks/run.txt
.cache/bench-fastmcp/done: locks/bench.txt
.cache/peers-python/done: locks/peers.txt
.cache/peers-sqlite/done: locks/sqlite.txt
