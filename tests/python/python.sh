#!/bin/sh
# The Python package, by pytest; `large`: its installation and the notebooks.
# usage: python.sh RUNG DIR SOURCE small|large [pytest's arguments]
. "$3/tests/e2e/common.sh"
find_python numpy pytest || { echo "skipped: no Python with NumPy and pytest"; exit 0; }
shift 4
tests=$source/tests/python
if large; then
    set -- "$tests/test_install.py" "$tests/test_notebook.py" "$@"
else
    set -- --ignore="$tests/test_install.py" --ignore="$tests/test_notebook.py" "$tests" "$@"
fi
# little is computed here, much is compiled
export CFLAGS=-O0
# nothing is written into the source
export RUNG="$rung" PYTHONPATH="$source/python" PYTHONDONTWRITEBYTECODE=1
exec "$python" -m pytest -q -p no:cacheprovider --basetemp="$dir/pytest" -rs "$@"
