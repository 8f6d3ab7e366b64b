#!/bin/sh
# The Python package, by pytest.
# usage: python.sh RUNG DIR SOURCE [pytest's arguments]
. "$3/tests/e2e/common.sh"
find_python numpy pytest || { echo "skipped: no Python with NumPy and pytest"; exit 0; }
shift 3
# little is computed here, much is compiled
export CFLAGS=-O0
# nothing is written into the source
export RUNG="$rung" PYTHONPATH="$source/python" PYTHONDONTWRITEBYTECODE=1
exec "$python" -m pytest -q -p no:cacheprovider --basetemp="$dir/pytest" -rs "$@" "$source/tests/python"
