#!/bin/sh
# Golden files of passes: after the pass its folder is named for, tests/golden/<pass>/x.mo must leave
# behind x.out; and a System left behind must be read back as itself. README.md says more.
#   run.sh RUNG DIR          compare
#   run.sh RUNG DIR bless    rewrite the .out files; read their diff like code
set -u
rung=$1
cd "$2" || exit 1
bless=${3:-}
failed=0
n=0
dump=$(mktemp -d)
trap 'rm -rf "$dump"' EXIT
complain() {
  echo "tests/golden/$mo: $1"
  failed=$((failed + 1))
}
for mo in */*.mo; do
  pass=${mo%%/*}
  [ "$pass" = flatten ] && continue # has a runner of its own in tests/frontend
  want=${mo%.mo}.out
  options=$(sed -n 's,^// options: ,,p' "$mo")
  # shellcheck disable=SC2086
  got=$("$rung" -d "$pass" $options "$mo" 2>&1)
  status=$?
  n=$((n + 1))
  if [ -n "$bless" ]; then
    printf '%s\n' "$got" >"$want"
  elif [ "$got" != "$(cat "$want" 2>/dev/null)" ]; then
    complain "the dump after '$pass' is not $want:"
    printf '%s\n' "$got" | diff "$want" - | head -20
    continue
  fi
  case $got in '//! base '*) ;; *) continue ;; esac
  [ "$status" -eq 0 ] || continue
  grep -q '^// not read back' "$mo" && continue
  printf '%s\n' "$got" >"$dump/dump.mo"
  # shellcheck disable=SC2086
  "$rung" -d "$pass" $options "$dump/dump.mo" >"$dump/again" 2>&1
  # the lines below the model say what the pass did, the second time to a model that has it done
  if ! grep -v '^//' "$dump/again" | diff - "$dump/dump.mo" >"$dump/diff" &&
    grep '^[<>]' "$dump/diff" | grep -qv '^> //'; then
    complain "the dump after '$pass' is another one when it is read back:"
    head -20 "$dump/diff"
  fi
done
echo "golden: $((n - failed)) passed, $failed failed"
[ "$n" -gt 0 ] && [ "$failed" -eq 0 ]
