#!/bin/sh
# Change the sources in small ways (mutmut) and see whether a test notices: tests/mutate.sh python [pattern of mutants].
# Survivors are listed at the end and explained in tests/mutate.md. What is mutated, and by which tests, says pyproject.toml.
set -eu
python=$1
pattern=${2:-*}
bin=$(cd "$(dirname "$python")" && pwd)
work=build/mutate
mkdir -p $work
cp -Rp src tests pyproject.toml README.md $work
cp "$("$bin/python" -c 'import tamis._kernels._native as n; print(n.__file__)')" $work/src/tamis/_kernels/
# An editable installation finds its own sources first; here the copies are meant.
cat >$work/sitecustomize.py <<'END'
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
END
cd $work
export PYTHONPATH="$PWD" OMP_NUM_THREADS=1 TAMIS_BROWSER=
if [ "$pattern" = "*" ]; then set --; else set -- "$pattern"; fi
"$bin/mutmut" run --max-children 1 "$@"
"$bin/mutmut" results
