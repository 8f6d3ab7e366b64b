#!/bin/sh
# Every command of the README and of the pages for people who begin, and what they show of the output.
# usage: readme.sh RUNG DIR SOURCE [bless]
. "$(dirname "$0")/common.sh"
for page in README.md docs/tutorial.md docs/dof.md docs/gallery.md docs/base-parameters.md docs/how-it-works.md docs/certificate.md docs/limits.md docs/methods.md docs/sweeps.md docs/running.md docs/sensitivities.md docs/optimization.md; do
    [ -e "$source/$page" ] || continue
    mkdir "$dir/$(basename "$page")"
    cd "$dir/$(basename "$page")" || exit 1
    python3 "$source/tests/e2e/document.py" "$rung" "$source" "$page" $size || failed=1
done
exit $failed
