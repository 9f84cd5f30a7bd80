# make demo     an audit and a selection on built-in data, and a report, in an environment of its own
# make test     everything that must hold: lint, types, folder order, tests, sanitizers
# make lint     the first three of these
# make lowest   the tests that depend on versions, with the lowest ones that pyproject.toml declares
# make fuzz     N=20000 random estimators, tables and arguments
# make mutate   small changes of the sources, and whether a test notices; MUTANTS='*7' for a tenth of them
# make picture  docs/report.png again, in a browser
# make bench    the same work by what people use instead, in one run
# make reproduce QUICK=1 DATA=folder   the five papers again, in ten minutes; without QUICK what is missing of the whole

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install -q
KERNELS := $(wildcard src/tamis/_kernels/*.cpp src/tamis/_kernels/*.hpp)
BUILD   := cmake ninja "scikit-build-core>=0.10" "nanobind>=2.4"
PYTEST  := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q
LOWEST  := $(VENV)-lowest
# What depends on versions; not the kernels, the browser, what takes its time for other reasons, and a killed worker, whose
# cancelled task the lowest joblib cannot report if it comes at the wrong moment.
LOWEST_TESTS := tests/cli tests/datasets tests/distances/test_c*.py tests/distances/test_l*.py tests/estimates/test_m*.py \
  tests/evidence tests/labels/test_crowd.py tests/labels/test_held_out.py tests/labels/test_labels.py \
  tests/labels/test_multi.py tests/relevance tests/search/test_r*.py \
  tests/selectors tests/test_common.py tests/views -k "not fifty_kills and not plain_search and not worker_killed"
N       ?= 20000
MUTANTS ?= *
DATA    ?= ../shared/data
JOBS    ?= 2

.PHONY: demo test lint lowest fuzz mutate picture bench reproduce clean need-python need-compiler

demo: $(VENV)/built
	$(BIN)/tamis demo --out tamis-demo --force

# HTML pages are tested in Chromium, which tests/browser.sh finds or installs; TAMIS_BROWSER= make test goes without.
# The sanitizers run even if a test fails.
test: lint
	status=0; \
	TAMIS_BROWSER="$${TAMIS_BROWSER-$$(sh tests/browser.sh)}" $(PYTEST) -n 2 --dist worksteal || status=1; \
	sh tests/sanitize.sh $(BIN)/python || status=1; \
	exit $$status

lint: $(VENV)/dev
	$(BIN)/ruff check src tests docs examples benchmarks experiments
	$(BIN)/ruff format --check src tests docs examples benchmarks experiments
	$(BIN)/mypy
	$(BIN)/lint-imports

# Old packages that use what newer ones call deprecated are no matter of ours, nor is a cluster beside a local scheduler.
lowest: $(LOWEST)/built
	TAMIS_BROWSER= OMP_NUM_THREADS=1 $(LOWEST)/bin/python -m pytest -q -n 2 --dist worksteal \
	  -W ignore::DeprecationWarning -W "ignore:Running on a single-machine scheduler" $(LOWEST_TESTS)

fuzz: $(VENV)/dev
	TAMIS_FUZZ=$(N) $(PYTEST) -n 2 --dist worksteal tests/fuzz

mutate: $(VENV)/dev
	$(PIP) --group mutate
	nice -n 5 sh tests/mutate.sh $(BIN)/python '$(MUTANTS)'

bench: $(VENV)/dev
	$(BIN)/python -m benchmarks

# PAPER=label_noise FIGURE="Fig. 4" for a part; stop it at any time, and it goes on from there.
reproduce: $(VENV)/reproduce
	$(BIN)/python -m experiments --data "$(DATA)" --jobs $(JOBS) $(if $(QUICK),--quick) \
	  $(if $(PAPER),--paper "$(PAPER)") $(if $(FIGURE),--figure "$(FIGURE)")

picture: $(VENV)/dev
	PYTHONPATH=tests TAMIS_BROWSER="$${TAMIS_BROWSER-$$(sh tests/browser.sh)}" $(BIN)/python docs/picture.py

need-python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "tamis needs Python 3.11 or newer; $(PYTHON) is not. Try: make PYTHON=python3.12"; exit 1; }

need-compiler:
	@command -v "$${CXX:-c++}" >/dev/null || \
	  { echo "tamis needs a C++17 compiler for its kernels: install one (on Debian: apt-get install g++) and run make again."; exit 1; }

%/pip: | need-python need-compiler
	$(PYTHON) -m venv $*
	$*/bin/python -m pip install -q --upgrade "pip>=25.1"
	@touch $@

$(VENV)/built: $(VENV)/pip pyproject.toml CMakeLists.txt $(KERNELS)
	$(PIP) $(BUILD)
	$(PIP) --no-build-isolation -e ".[cli,tables]"
	@touch $@

$(LOWEST)/built: $(LOWEST)/pip pyproject.toml CMakeLists.txt tests/lowest.py $(KERNELS)
	$(LOWEST)/bin/python tests/lowest.py >$(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip install -q $(BUILD)
	$(LOWEST)/bin/python -m pip install -q --no-build-isolation -C build-dir=build/lowest \
	  -c $(LOWEST)/constraints.txt -e ".[all]" --group test
	@touch $@

$(VENV)/dev: $(VENV)/built pyproject.toml
	$(PIP) --group test --group lint
	@touch $@

$(VENV)/reproduce: $(VENV)/built pyproject.toml
	$(PIP) --group reproduce
	@touch $@

clean:
	rm -rf $(VENV) $(LOWEST) build
