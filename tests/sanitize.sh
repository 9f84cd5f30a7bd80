#!/bin/sh
# Build the kernels with the address and undefined-behaviour sanitizers and run their tests on them.
set -eu
python=$1
bin=$(dirname "$python")
build=build/sanitize
cxx=${CXX:-c++}
"$bin/cmake" -S . -B $build -G Ninja -DTAMIS_SANITIZE=ON -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_MAKE_PROGRAM="$(cd "$bin" && pwd)/ninja" -DPython_EXECUTABLE="$(cd "$bin" && pwd)/python" >/dev/null
"$bin/cmake" --build $build | tail -1
asan=$("$cxx" -print-file-name=libasan.so)
if [ "$asan" = libasan.so ]; then
  echo "the sanitizer run needs GCC's libasan, which $cxx does not have: skipped"
  exit 0
fi
# Python itself leaks by design; the C++ library must be loaded first for exceptions to be seen.
LD_PRELOAD="$asan $("$cxx" -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
  PYTHONPATH=tests "$python" tests/sanitize.py $build/_native*.so
