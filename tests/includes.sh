#!/bin/sh
# The order of the folders, read from the #include lines: a folder includes those below it, no chain of
# includes comes back to its file, sub-folders that are layers have no circle, and each header is named by
# the README of its folder or of the folder above; the files and identifiers that CONTRIBUTING names are there.
# Then trees that break a rule, each of which must fail.
# usage: includes.sh SOURCE DIR
source=$1
work=$2
[ $# -eq 2 ] || { echo "usage: ${0##*/} SOURCE DIR, which is emptied first"; exit 2; }
folders="base ir frontend format import graph eliminate emit runtime translate study language_server cli"
layered="runtime study" # their sub-folders are layers, too

# What a folder may include, besides itself.
below() {
    case $1 in
    base | runtime) echo ;;
    ir) echo base ;;
    frontend | graph) echo base ir ;;
    format) echo base frontend ;;
    import) echo base frontend ;;
    emit) echo base ir runtime ;;
    eliminate) echo base ir graph ;;
    translate) echo base ir frontend graph eliminate emit runtime ;;
    study) echo base ir frontend graph eliminate emit runtime translate ;;
    language_server) echo base ir frontend format graph eliminate emit runtime translate study ;;
    cli) echo base ir frontend format import graph eliminate emit runtime translate study language_server ;;
    esac
}

# "file header" for each include of a header of the tree; headers of runtime/ are named without a folder.
includes() {
    for folder in $folders; do
        [ -d "$folder" ] && grep -rHE '^#include "' "$folder" --include='*.[ch]' --include='*.inc'
    done | sed -E 's/^([^:]+):#include "([^"]+)".*/\1 \2/' >"$work/pairs"
    find $folders -name '*.h' -o -name '*.inc' 2>/dev/null | sort >"$work/headers"
    awk 'NR == FNR { path[$1] = $1; n = split($1, a, "/"); last[a[n]] = $1; next }
         { to = path[$2]; if (!to && $2 !~ /\//) to = last[$2]; if (to) print $1, to }' \
        "$work/headers" "$work/pairs"
}

check() (
    cd "$1" || exit 1
    bad=0
    includes >"$work/edges"
    [ -s "$work/edges" ] || { echo "there are no includes in $1"; exit 1; }

    while read -r from to; do
        a=${from%%/*} b=${to%%/*}
        [ "$a" = "$b" ] && continue
        case " $(below "$a") " in
        *" $b "*) ;;
        *)
            echo "$from includes $to: $b/ is not below $a/"
            bad=1
            ;;
        esac
    done <"$work/edges"

    if ! tsort "$work/edges" >/dev/null 2>"$work/circle"; then
        echo "files include each other in a circle:"
        sed -n 's/^tsort: //p' "$work/circle" | grep / | head -20
        bad=1
    fi

    for folder in $layered; do
        awk -v folder="$folder/" 'index($1, folder) == 1 && index($2, folder) == 1 {
            sub("/[^/]*$", "", $1); sub("/[^/]*$", "", $2); if ($1 != $2) print }' \
            "$work/edges" | sort -u >"$work/dirs"
        if ! tsort "$work/dirs" >/dev/null 2>"$work/circle"; then
            echo "sub-folders of $folder/ include each other in a circle:"
            sed -n 's/^tsort: //p' "$work/circle" | grep / | head -20
            bad=1
        fi
    done

    while read -r header; do
        dir=$(dirname "$header") stem=$(basename "${header%.*}")
        while [ ! -f "$dir/README.md" ] && [ "$dir" != . ]; do dir=$(dirname "$dir"); done
        grep -qE "(^|[^a-z_])$stem([^a-z_]|\$)" "$dir/README.md" 2>/dev/null && continue
        echo "$header: $dir/README.md does not name it"
        bad=1
    done <"$work/headers"

    # NAME and PASS stand for a name; words with blanks or signs are commands
    grep -os '`[A-Za-z0-9_./]*`' CONTRIBUTING.md | tr -d '`' | grep -v 'NAME\|PASS\|\.\.' | sort -u >"$work/names"
    while read -r name; do
        case $name in
        */) [ -d "$name" ] && continue ;;
        */*) [ -e "$name" ] && continue ;;
        *.*) [ -e "$name" ] || find $folders library -name "$name" 2>/dev/null | grep -q . && continue ;;
        *) grep -rqw -- "$name" $folders library dev 2>/dev/null && continue ;;
        esac
        echo "CONTRIBUTING.md names $name, which is not there"
        bad=1
    done <"$work/names"
    exit $bad
)

# refused TEXT: the tree in $work/tree breaks a rule, which is told so
refused() {
    if check "$work/tree" >"$work/log"; then
        echo "FAILED: nothing is said of: $1"
        failed=1
    elif ! grep -qF -- "$1" "$work/log"; then
        echo "FAILED: '$1' is not said, but:"
        cat "$work/log"
        failed=1
    fi
    rm -rf "$work/tree"
}

# file PATH LINE...
file() {
    path=$work/tree/$1
    shift
    mkdir -p "$(dirname "$path")"
    printf '%s\n' "$@" >"$path"
}

small_tree() {
    file base/a.h
    file base/README.md '- `a.h` a noun'
    file ir/b.h '#include "base/a.h"'
    file ir/README.md '- `b.h` another'
}

rm -rf "$work"
mkdir -p "$work"
failed=0
check "$source" || failed=1

small_tree
check "$work/tree" || failed=1
file base/a.h '#include "ir/b.h"'
refused "base/a.h includes ir/b.h: ir/ is not below base/"
small_tree
file ir/c.h '#include "ir/b.h"'
file ir/b.h '#include "ir/c.h"'
file ir/README.md '- `b.h`, `c.h`'
refused "files include each other in a circle"
small_tree
file study/d.h '#include "study/sweep/e.h"'
file study/f.h
file study/sweep/e.h '#include "study/f.h"'
file study/README.md '`d.h` `e.h` `f.h`'
refused "sub-folders of study/ include each other in a circle"
small_tree
file base/g.h
refused "base/g.h: base/README.md does not name it"
for name in base/c.c c.h some_function; do
    small_tree
    file CONTRIBUTING.md "A row in \`base/a.h\`, then in \`$name\`."
    refused "CONTRIBUTING.md names $name, which is not there"
done

[ $failed -eq 0 ] && echo "includes point down"
exit $failed
