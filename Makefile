# make demo   a selection on built-in data, in an environment of its own
# make test   everything that must hold: lint, types, folder order, tests, sanitizers
# make lint   the first three of these
# make bench  the same work by what people use instead, in one run

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
KERNELS := CMakeLists.txt pyproject.toml $(wildcard src/tamis/_kernels/*.cpp src/tamis/_kernels/*.hpp)

.PHONY: demo test lint bench sanitize clean tools

demo: $(VENV)/built
	$(BIN)/python examples/demo.py

test: lint $(VENV)/built
	$(BIN)/python -m pytest -q
	$(MAKE) --no-print-directory sanitize

lint: $(VENV)/built
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/ruff format --check src tests benchmarks examples
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/built
	$(BIN)/python -m benchmarks

# The kernels once more, with the address and undefined-behaviour sanitizers.
sanitize: $(VENV)/built
	sh tests/sanitize.sh $(BIN)/python

tools:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "tamis needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12"; exit 1; }
	@command -v $${CXX:-c++} >/dev/null 2>&1 || command -v g++ >/dev/null 2>&1 || command -v clang++ >/dev/null 2>&1 || { echo "tamis needs a C++17 compiler to build its kernels; install one (on Debian: apt-get install g++) and run make again."; exit 1; }

$(VENV)/tools: pyproject.toml | tools
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	$(BIN)/python -m pip install -q cmake ninja "scikit-build-core>=0.10" "nanobind>=2.4" --group test --group lint --group bench
	@touch $@

$(VENV)/built: $(VENV)/tools $(KERNELS)
	$(BIN)/python -m pip install -q --no-build-isolation -e .
	@touch $@

clean:
	rm -rf $(VENV) build
