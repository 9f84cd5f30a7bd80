"""Run the kernel tests on a build of the kernels with sanitizers: tests/sanitize.py path/to/_native.so."""

import importlib.util
import sys

import pytest

spec = importlib.util.spec_from_file_location("tamis._kernels._native", sys.argv[1])
native = importlib.util.module_from_spec(spec)
spec.loader.exec_module(native)
sys.modules[spec.name] = native

import tamis._kernels  # noqa: E402

assert tamis._kernels.scan is native.scan
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-W", "default", "tests/distances"]))
