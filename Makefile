# Everything runs in .venv, which `make setup` makes from requirements/lock.txt.
# Options: PYTHON=python3.12   WORKERS=4   ARGS="more arguments for the command"
#          CONFIG=configs/train/quebec4.yaml (train)   GAMES=20000 (oracle)   COVERED=98 (test-plain, percent)

PYTHON ?= python3
WORKERS ?= 2
CONFIG ?= configs/train/quebec4.yaml
GAMES ?= 20000
COVERED ?= 98
ARGS ?=

VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready
ALL_READY := $(VENV)/.ready-all
PIP := $(PY) -m pip --disable-pip-version-check install --no-input --constraint requirements/lock.txt
PYTEST := $(PY) -m pytest
# python3 may be an old one while a newer one is beside it; a PYTHON that was given is taken or refused
PYTHONS := $(if $(filter file,$(origin PYTHON)),$(PYTHON) python3.13 python3.12 python3.11,$(PYTHON))
SUITABLE := import sys; sys.exit(sys.version_info < (3, 11))
# code compiled with checks of array bounds gets a cache of its own, and a new one each time
BOUNDS_CACHE := $(CURDIR)/.cache/bounds

.DEFAULT_GOAL := help
.PHONY: help setup setup-all test test-all test-adapters test-quick test-plain test-bounds oracle lint format types train bench docs lock clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY)  ## make .venv with everything in it (again only when the lock file or pyproject.toml changed)

$(READY): requirements/lock.txt pyproject.toml
	@set -e; \
	if ! { [ -x $(PY) ] && $(PY) -c '$(SUITABLE)'; }; then \
	  for python in $(PYTHONS) none; do \
	    if [ $$python = none ]; then \
	      echo "setup: Python 3.11 or newer is needed, and $(PYTHONS) is not. Name one: make setup PYTHON=/path/to/python3.11" >&2; exit 1; \
	    fi; \
	    if $$python -c '$(SUITABLE)' 2>/dev/null; then break; fi; \
	  done; \
	  echo "setup: making $(VENV) with $$($$python --version)"; \
	  $$python -m venv --clear $(VENV); \
	fi
	@$(PY) -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec("torch"))' || { \
	  echo "setup: installing torch and what it needs (the large part: up to some minutes)"; \
	  $(PIP) torch; }
	@echo "setup: installing what training and tests need, as requirements/lock.txt has it"
	@$(PIP) -qq setuptools
	@$(PIP) -qq --no-build-isolation --editable '.[train,dev]'
	@touch $@
	@echo "setup: done"

setup-all: $(ALL_READY)  ## add every library that there is an adapter for

$(ALL_READY): $(READY)
	@echo "setup: installing every extra, as requirements/lock.txt has it"
	@$(PIP) -qq --no-build-isolation --editable '.[all]'
	@touch $@
	@echo "setup: done"

test: setup  ## the whole test suite
	$(PYTEST) -n $(WORKERS) --dist worksteal $(ARGS)

test-quick: setup  ## the suite without the tests that take long
	$(PYTEST) -n $(WORKERS) --dist worksteal -m "not slow" $(ARGS)

test-all: test test-plain test-bounds test-adapters  ## all tests there are: the suite, then the three that follow

test-adapters: setup-all  ## tests of the adapters, each with its library
	ALL_ADAPTERS=1 $(PYTEST) -n $(WORKERS) --dist worksteal tests/adapters $(ARGS)

test-plain: setup  ## tests marked plain as plain Python, which must cover the engine (COVERED=98 % of its lines)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n $(WORKERS) -m plain --cov=president_env/engine --cov-report=term --cov-fail-under=$(COVERED) $(ARGS)

test-bounds: setup  ## tests marked plain as compiled code that checks array bounds
	rm -rf $(BOUNDS_CACHE)
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(BOUNDS_CACHE) $(PYTEST) -n $(WORKERS) -m plain $(ARGS)

oracle: setup  ## random matches under random rules, move by move against the slow oracle (GAMES=20000)
	$(PY) -m tests.oracle.compare --games $(GAMES) $(ARGS)

lint: setup  ## style
	$(PY) -m ruff check
	$(PY) -m ruff format --check

format: setup  ## put style right where a tool can
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

types: setup  ## types
	$(PY) -m mypy

train: setup  ## train by self-play and evaluate (CONFIG=configs/train/quebec4.yaml)
	$(PY) -m training.self_play $(CONFIG) $(ARGS)

bench: setup  ## decisions per second of every face of the environment
	$(PY) -m benchmarks $(ARGS)

docs: setup  ## write the generated tables of the documentation
	$(PY) -m president_env.docs $(ARGS)

lock: setup  ## look up the newest versions and write requirements/lock.txt
	$(PY) requirements/lock.py

clean:  ## remove caches, builds and .venv; runs/ stays
	rm -rf $(VENV) .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist htmlcov .coverage *.egg-info
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +
