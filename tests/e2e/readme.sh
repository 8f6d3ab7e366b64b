#!/bin/sh
# Every command of the README and of the pages for people who begin, and what they show of the output; by night of those
# pages, too, whose commands take long and are much like those of other tests.
# usage: readme.sh RUNG DIR SOURCE [bless]
. "$(dirname "$0")/common.sh"
# what is there is installed by pip without a network
export PIP_NO_INDEX=1 PIP_NO_BUILD_ISOLATION=0 PIP_DISABLE_PIP_VERSION_CHECK=1
long='docs/gallery.md docs/fmu-import.md docs/python.md'
night || [ "$size" = bless ] || long=
# shellcheck disable=SC2086
for page in README.md docs/tutorial.md docs/dof.md docs/base-parameters.md docs/how-it-works.md docs/certificate.md docs/limits.md docs/other-tools.md docs/methods.md docs/sweeps.md docs/running.md docs/sensitivities.md docs/optimization.md docs/format.md docs/reference.md docs/editors.md docs/live.md docs/robots.md $long; do
    [ -e "$source/$page" ] || continue
    if [ $page = docs/python.md ]; then
        find_python numpy setuptools venv || { echo "in part skipped: $page needs a Python with NumPy and setuptools"; continue; }
        export PATH="$(dirname "$python"):$PATH"
    fi
    if [ $page = docs/live.md ] && ! "$rung" view --live --model Linkage.Examples.PlanarPendulum -q -o "$dir/live.html" 2>"$dir/live.err"; then
        grep -q 'takes the packages' "$dir/live.err" && { echo "in part skipped: $page needs a compiler for WebAssembly"; continue; }
    fi
    mkdir "$dir/$(basename "$page")"
    cd "$dir/$(basename "$page")" || exit 1
    python3 "$source/tests/e2e/document.py" "$rung" "$source" "$page" $size || failed=1
done
exit $failed
