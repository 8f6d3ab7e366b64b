#!/bin/sh
# Golden files of passes: tests/golden/<pass>/x.mo must leave behind x.out.
#   run.sh RUNG DIR          compare
#   run.sh RUNG DIR bless    rewrite the .out files; read their diff like code
set -u
rung=$1
dir=$2
bless=${3:-}
failed=0
n=0
# flatten has a runner of its own in tests/frontend
for pass in alias reduce states match blocks frames solve; do
  for mo in "$dir/$pass"/*.mo; do
    [ -f "$mo" ] || continue
    want=${mo%.mo}.out
    got=$("$rung" -d "$pass" "$mo" 2>&1)
    n=$((n + 1))
    if [ -n "$bless" ]; then
      printf '%s\n' "$got" >"$want"
    elif [ "$got" != "$(cat "$want" 2>/dev/null)" ]; then
      echo "$mo: the dump after '$pass' is not $want:"
      printf '%s\n' "$got" | diff "$want" - | head -20
      failed=$((failed + 1))
    fi
  done
done
echo "golden: $((n - failed)) passed, $failed failed"
[ "$n" -gt 0 ] && [ "$failed" -eq 0 ]
