#!/bin/sh
# The tables of docs/measured/counts.md say what is measured: every row that takes little time is measured
# again.
# usage: docs.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
sh "$source/docs/measured/measure.sh" "$rung" "$source" "$dir" small || exit 1
n=0

# agree ROWS FILE
agree() {
    while IFS= read -r row; do
        case $row in
        '| '*[0-9]*) ;;
        *) continue ;;
        esac
        n=$((n + 1))
        if ! grep -qxF -- "$row" "$2"; then
            echo "FAILED: $2 does not say: $row"
            failed=$((failed + 1))
        fi
    done <"$1"
}

agree "$dir/counts.md" "$source/docs/measured/counts.md"
[ "$failed" -eq 0 ] || echo "\`./dev docs\` measures them again"
echo "$n rows, $failed wrong"
[ "$n" -gt 20 ] && [ "$failed" -eq 0 ]
