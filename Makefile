# make demo   an audit and a selection on built-in data, and a report, in an environment of its own
# make test   everything that must hold: lint, types, folder order, tests, sanitizers
# make lint   the first three of these
# make picture  docs/report.png again, in a browser
# make bench  the same work by what people use instead, in one run

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install -q
KERNELS := $(wildcard src/tamis/_kernels/*.cpp src/tamis/_kernels/*.hpp)

.PHONY: demo test lint picture bench sanitize clean need-python need-compiler

demo: $(VENV)/built
	$(BIN)/tamis demo --out tamis-demo --force

# HTML pages are tested in Chromium, which tests/browser.sh finds or installs; TAMIS_BROWSER= make test goes without.
test: lint
	TAMIS_BROWSER="$${TAMIS_BROWSER-$$(sh tests/browser.sh)}" OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -n 2 --dist loadfile
	sh tests/sanitize.sh $(BIN)/python

lint: $(VENV)/dev
	$(BIN)/ruff check src tests docs benchmarks experiments
	$(BIN)/ruff format --check src tests docs benchmarks experiments
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/dev
	$(BIN)/python -m benchmarks

picture: $(VENV)/dev
	PYTHONPATH=tests TAMIS_BROWSER="$${TAMIS_BROWSER-$$(sh tests/browser.sh)}" $(BIN)/python docs/picture.py

need-python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "tamis needs Python 3.11 or newer; $(PYTHON) is not. Try: make PYTHON=python3.12"; exit 1; }

need-compiler:
	@command -v "$${CXX:-c++}" >/dev/null || \
	  { echo "tamis needs a C++17 compiler for its kernels: install one (on Debian: apt-get install g++) and run make again."; exit 1; }

$(VENV)/pip: | need-python need-compiler
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade "pip>=25.1"
	@touch $@

$(VENV)/built: $(VENV)/pip pyproject.toml CMakeLists.txt $(KERNELS)
	$(PIP) cmake ninja "scikit-build-core>=0.10" "nanobind>=2.4"
	$(PIP) --no-build-isolation -e ".[cli,tables]"
	@touch $@

$(VENV)/dev: $(VENV)/built pyproject.toml
	$(PIP) --group test --group lint
	@touch $@

clean:
	rm -rf $(VENV) build
