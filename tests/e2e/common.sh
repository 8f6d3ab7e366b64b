# What every script of this folder starts from: `. common.sh` with the script's own arguments
# RUNG DIR SOURCE [large] gives $rung, $source, an empty working folder $dir, $failed, fail, expect, and
# `large`, which is true in the large sizes (tests `NAME_large`) and false in `./dev test`;
# `night` is true, too, where there is time for more of the same (`./dev nightly`); `small` is false by day in
# the large size.
rung=$1
dir=$2
source=$3
if [ $# -lt 3 ] || [ -e "$dir/CMakeLists.txt" ]; then
    echo "usage: ${0##*/} RUNG DIR SOURCE [large], and DIR is emptied first"
    exit 2
fi
rm -rf "$dir"
mkdir -p "$dir"
cd "$dir" || exit 1
export XDG_CACHE_HOME="${RUNG_TEST_CACHE:-$dir/.cache}"
size=${4:-small}
failed=0

large() {
    [ "$size" = large ]
}

night() {
    large && [ "${RUNG_TEST_SIZE:-}" = night ]
}

# Parts that need not be repeated in the large size, since the small one has passed them; the night repeats them.
small() {
    ! large || night
}

# half of the time of a small test is the C compiler's
large || export CFLAGS=-O0

fail() {
    echo "FAILED: $*"
    failed=1
}

# expect STATUS TEXT COMMAND...: the command ends with the status, and its messages hold the text
expect() {
    status=$1
    text=$2
    shift 2
    "$@" >/dev/null 2>err.txt
    [ $? -eq "$status" ] && grep -q -- "$text" err.txt || fail "$*: $(cat err.txt)"
}

# find_python MODULES...: sets $python to an interpreter that has them; fails if there is none. That of
# Debian's packages comes first.
find_python() {
    modules=$(echo "$*" | tr ' ' ',')
    for python in /usr/bin/python3 python3; do
        "$python" -c "import $modules" 2>/dev/null && return 0
    done
    python=
    return 1
}

# make_program DIR: builds the program of `rung compile -o DIR` without optimisation. Sources of the runtime are the
# same for all models: their objects are kept for all tests.
make_program() {
    find "$source/runtime" -name '*.[ch]' -printf '%f\n' | sort >"$dir/.runtime"
    runtime=$(cd "$1" && ls | grep -Fx -f "$dir/.runtime")
    kept=$XDG_CACHE_HOME/objects-$(cd "$1" && { echo $runtime && cat $runtime; } | cksum | tr ' ' -)
    if [ -d "$kept" ]; then
        cp "$kept"/*.o "$1"
        make -s -C "$1" CFLAGS=-O0
        return
    fi
    make -s -C "$1" CFLAGS=-O0 || return 1
    mkdir -p "$kept.$$"
    for c in $runtime; do
        case $c in
        *.c) cp "$1/${c%.c}.o" "$kept.$$" ;;
        esac
    done
    mv -T "$kept.$$" "$kept" 2>/dev/null || rm -rf "$kept.$$"
}
