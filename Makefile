# Two commands do everything, set-up included: `make report` and `make test`.
#
#   make report [STUDY=default]   run the study, print its tables, write build/report.html
#   make test                     every test but the long ones
#   make quick                    the tests that take less than two minutes in all
#   make test-long                the long ones as well
#   make lint                     ruff, check and format
#   make bench                    simulation speeds of this machine
#   make readme [STUDY=default]   write the README's measured tables of the study anew
#   make clean                    delete build, with all results

STUDY ?= default
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
JOBS ?= $(shell nproc)
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal -q

.PHONY: help report test quick test-long lint bench readme setup packages test-packages clean

help:
	@sed -n 's/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

report: setup
	$(BIN)/modexplorer report $(STUDY)

test: test-packages setup lint
	$(PYTEST)

quick: test-packages setup
	$(PYTEST) -m "quick and not long"

test-long: test-packages setup lint
	$(PYTEST) -m "long or not long"

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

bench: setup
	$(BIN)/python -m tests.bench.bench_simulation
	$(BIN)/python -m tests.bench.bench_processor
	$(BIN)/python -m tests.bench.bench_cluster

readme: setup
	$(BIN)/python -m eval.report.readme $(STUDY)

setup: packages $(READY)

packages:
	@.ci/packages

test-packages:
	@.ci/packages test

$(READY): setup.py | packages
	@echo "installing the Python packages pinned in setup.py into $(VENV)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[test]'
	@touch $@

clean:
	rm -rf build
