#!/bin/sh
# Mistakes that modellers make, each with the whole message: tests/errors/mistakes/X.mo and X.out. The
# first line names a place in the modeller's own file, the second says what to do. Components come
# from another file, as those of a library do.
# mistakes.sh RUNG DIR SOURCE; with RUNG_BLESS=1 the .out files are written anew.
. "${0%/*}/common.sh"

cases="$source/tests/errors/mistakes"
cp -r "$cases"/*.mo "$cases/library" .
n=0
for model in *.mo; do
    name=${model%.mo}
    if "$rung" check "$model" --library library >"$name.said" 2>&1; then
        fail "$model is accepted"
    fi
    case $(grep -v "warning" "$name.said" | grep -m 1 ": error ") in
    "$model":*) ;;
    *) fail "$model: the first line is not of this file: $(head -1 "$name.said")" ;;
    esac
    if [ -n "${RUNG_BLESS:-}" ]; then
        cp "$name.said" "$cases/$name.out"
    elif ! cmp -s "$name.said" "$cases/$name.out"; then
        fail "$model is told of in other words:"
        diff "$cases/$name.out" "$name.said"
    fi
    n=$((n + 1))
done
[ $n -gt 0 ] || fail "no models"
echo "$n mistakes"
exit $failed
