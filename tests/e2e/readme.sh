#!/bin/sh
# Every command of the README, in a folder of its own; what it shows of the output must come out.
# usage: readme.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
set -u
mkdir -p "$dir/build"
ln -s "$source/examples" "$dir/examples"
ln -s "$rung" "$dir/build/rung"
n=0
# an indented line that begins with a dollar sign is a command, those after it are its output
while IFS= read -r line; do
  case $line in
    '    $ build/rung '*)
      command=${line#"    $ "}
      n=$((n + 1))
      if ! eval "$command" >log 2>&1; then
        echo "FAILED: $command"
        cat log
        failed=$((failed + 1))
      fi
      shown=yes
      ;;
    '    '*)
      if [ "${shown:-}" = yes ] && ! grep -qxF -- "${line#"    "}" log; then
        echo "FAILED: $command does not print: $line"
        failed=$((failed + 1))
      fi
      ;;
    *) shown=no ;;
  esac
done <"$source/README.md"
echo "$n commands, $failed failures"
[ "$n" -gt 5 ] && [ "$failed" -eq 0 ]
