#!/bin/sh
# The cases that generate.py makes of its tables of rules, all as they have to be; docs/specification.md
# has these tables.
# usage: generated.sh TEST_RULES DIR SOURCE
[ $# -eq 3 ] || { echo "usage: ${0##*/} TEST_RULES DIR SOURCE, and DIR is emptied first"; exit 2; }
rm -rf "$2"
generate="$3/tests/rules/generate.py"
python3 "$generate" "$2" && python3 "$generate" --check "$3/docs/specification.md" && exec "$1" "$2"
