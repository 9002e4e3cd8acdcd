# Two commands do everything, set-up included: `make report` and `make test`.
#
#   make setup                    install what the commands need
#   make report [STUDY=default]   run the study, print what was found, write build/report.html
#   make test                     every test but the long ones
#   make quick                    the tests that take about a minute in all
#   make test-long                the long ones as well
#   make lint                     ruff, check and format, and mypy of what mypy.ini names
#   make bench                    simulation speeds of this machine
#   make pages                    write the numbers and outputs that are stored into pages and pictures
#   make docs                     build the manual, with a search: build/site
#   make clean                    delete build, with all results

STUDY ?= default
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
TEST_READY := $(VENV)/ready-to-test
JOBS ?= $(shell nproc)
# A study starts hundreds of Python processes, and each would compile all that it imports where the
# shell says that none may keep it.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/pycache
# One more worker than there are cores: for a tenth of its time a test waits.
PYTEST := $(BIN)/python -m pytest -n $(shell expr $(JOBS) + 1) --dist worksteal -q

.PHONY: help report test quick test-long lint bench pages docs setup test-setup packages test-packages clean

help:
	@sed -n 's/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

report: setup
	$(BIN)/modexplorer report $(STUDY)

test: test-setup lint
	$(PYTEST)

quick: test-setup
	$(PYTEST) -n $(JOBS) -m "quick and not seconds and not long"

test-long: test-setup lint
	$(PYTEST) -m "long or not long"

lint: test-setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python -m tests.bench.bench_simulation
	$(BIN)/python -m tests.bench.bench_processor
	$(BIN)/modexplorer levels mont-best --nbits 128
	$(BIN)/python -m tests.bench.bench_cluster

pages: setup
	$(BIN)/modexplorer pages

docs: test-setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "built; $(BIN)/python -m http.server --directory build/site shows it in a browser"

setup: packages $(READY)

packages:
	@.ci/packages

test-packages:
	@.ci/packages test

test-setup: test-packages $(TEST_READY)

$(READY): setup.py | packages
	$(call install,.)

# What only tests need takes half as long again.
$(TEST_READY): setup.py | test-packages
	$(call install,.[test])
	@touch $(READY)

# uv takes a third of pip's time; where it finds no registry, as behind pip's own settings, pip does it.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

define install
@echo "installing the Python packages pinned in setup.py into $(VENV)"
@$(PYTHON) -m venv $(VENV)
@$(PIP) uv && $(BIN)/uv pip install --quiet --python $(BIN)/python --editable '$(1)' || \
	{ echo "uv could not; pip installs them, which takes longer"; $(PIP) --editable '$(1)'; }
@touch $@
endef

clean:
	rm -rf build
