#!/bin/sh
# An installation: it runs from where it lies, has man pages, completion and, as large, a package.
# usage: install.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
build=$(dirname "$rung")

# from a folder that nothing else knows of; the library that is found is the one beside it
DESTDIR="$dir/dest" cmake --install "$build" --prefix /opt/rung >log 2>&1 || { cat log; fail "cmake --install"; }
mv dest/opt/rung moved
installed="$dir/moved/bin/rung"
printf 'model OnlyHere\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend OnlyHere;\n' \
    >moved/share/rung/library/OnlyHere.mo
unset RUNG_HOME
(cd / && "$installed" simulate --model OnlyHere -o "$dir/here.csv" -q) || fail "the library beside the program"
(cd / && "$installed" simulate --model Linkage.Examples.Slider --stop 0.1 -o "$dir/slider.csv" -q) ||
    fail "an example of the installation"
for file in bin/rung share/man/man1/rung.1 share/man/man1/rung-simulate.1 share/zsh/site-functions/_rung \
    share/bash-completion/completions/rung share/doc/rung/LICENSE share/rung/library/tool/ModelicaServices.mo \
    share/doc/rung/linkage/index.html \
    share/doc/rung/linkage/classes/Linkage.Joints.Revolute.html share/rung/python/rung/__init__.py share/rung/python/pyproject.toml; do
    [ -s "moved/$file" ] || fail "the installation lacks $file"
done
# nothing of where it was built is needed: without the source
if unshare -rm sh -c 'mount -t tmpfs none "$1"' sh "$source" 2>/dev/null && ! expr "$dir" : "$source/" >/dev/null; then
    XDG_CACHE_HOME="$dir/cache" unshare -rm sh -c 'mount -t tmpfs none "$1" && cd / && [ ! -e "$1/README.md" ] &&
        exec "$2" simulate --model Linkage.Examples.Slider --stop 0.1 -o "$3" -q' sh "$source" "$installed" "$dir/alone.csv" ||
        fail "without the source"
    cmp -s alone.csv slider.csv || fail "another result without the source"
else
    echo "in part skipped: the source cannot be hidden here"
fi

# every command: a page without a warning, an example, in its help too
commands=$("$rung" help | sed -n 's/^  rung \([a-z]*\) .*/\1/p' | grep -vx help)
[ "$(echo "$commands" | wc -l)" -gt 15 ] || fail "commands of the help: $commands"
for command in $commands; do
    page=moved/share/man/man1/rung-$command.1
    grep -q '^\.SH EXAMPLES$' "$page" || fail "no example of $command"
    "$rung" $command --help | grep -q '^Example:$' || fail "no example in the help of $command"
    "$rung" help $command >help.txt || fail "help of $command"
    grep -q "^rung $command" help.txt || fail "help of $command"
done
if command -v man >/dev/null; then
    for page in moved/share/man/man1/*.1; do
        LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings -E UTF-8 -l -Tutf8 "$page" >page.txt 2>err
        [ $? -eq 0 ] && [ ! -s err ] && [ "$(wc -l <page.txt)" -gt 15 ] || fail "$page: $(cat err)"
    done
else
    echo "in part skipped: no man"
fi

# completion
complete_in_bash() {
    want=$1
    shift
    got=$(bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rung; echo "${COMPREPLY[*]}"' \
        moved/share/bash-completion/completions/rung "$@")
    [ "$got" = "$want" ] || fail "bash completes $* by '$got', not '$want'"
}
bash -n moved/share/bash-completion/completions/rung || fail "completion for bash"
complete_in_bash "simulate" rung sim
complete_in_bash "--sampling" rung sweep Model.mo --samp
complete_in_bash "analytic" rung simulate --jacobian an
complete_in_bash "analytic all" rung bench --jacobian a
complete_in_bash "half-explicit half-explicit-euler" rung simulate --model M --method half
complete_in_bash "bash" rung completion b
complete_in_bash "here.csv" rung compare here
if command -v zsh >/dev/null; then
    zsh -n moved/share/zsh/site-functions/_rung || fail "completion for zsh"
else
    echo "in part skipped: no zsh"
fi

# a library that is missing
printf 'model M\n  Modelica.Blocks.Sources.Sine s;\n  Modelica.Blocks.Sources.Sine t;\nend M;\n' >missing.mo
MODELICAPATH='' "$rung" check missing.mo 2>err
[ $? -eq 1 ] || fail "a missing library"
[ "$(grep -c "no library 'Modelica' was found; set MODELICAPATH (which is not set).*project ModelicaStandardLibrary" err)" -eq 1 ] ||
    fail "a missing library: $(cat err)"
printf 'model M\n  import SI = Lib.Units;\n  SI.Mass m = 1;\nend M;\n' >missing.mo
MODELICAPATH=/nowhere "$rung" check missing.mo 2>&1 | grep -q "no library 'Lib' .* (now '/nowhere')" || fail "a missing import"

if large; then
    # a build folder that was moved, and one of CMake's that stood elsewhere, as `./dev build` meets it
    mkdir folder
    cp -P "$build/rung" "$build/library" folder/
    (cd / && "$dir/folder/rung" check --model Linkage.Examples.Slider >/dev/null) || fail "a build folder elsewhere"

    # the examples of the man pages, as they are
    mkdir examples
    cd examples || exit 1
    for command in $commands; do
        "$rung" manual $command | sed -n '/^\.SH EXAMPLES/,/^\.EE/{s/\\-/-/g;s/\\e/\\/g;s/\\(aq/'"'"'/g;/^\./!p}' >$command.sh
        PATH=$(dirname "$installed"):$PATH sh -e $command.sh >out 2>err || fail "the example of $command: $(cat $command.sh err)"
    done
    cd ..

    # a Debian package
    if command -v cpack >/dev/null && command -v dpkg-shlibdeps >/dev/null; then
        (cd "$build" && cpack -G DEB -B "$dir/deb" >"$dir/log" 2>&1) || { cat log; fail "cpack"; }
        package=$(echo deb/rung_*.deb)
        dpkg-deb -f "$package" Depends >depends
        for what in 'gcc | c-compiler' 'libc6 (' libgmp libigraph libsundials; do
            grep -qF "$what" depends || fail "the package does not depend on $what: $(cat depends)"
        done
        ! grep -q openmpi depends || fail "the package wants MPI"
        dpkg-deb -x "$package" unpacked
        (cd / && "$dir/unpacked/usr/bin/rung" simulate --model Linkage.Examples.Slider --stop 0.1 -o "$dir/package.csv" -q) ||
            fail "the package's program"
        cmp -s package.csv slider.csv || fail "another result by the package"
    else
        echo "in part skipped: no cpack, or no dpkg-shlibdeps"
    fi
fi
[ $failed -eq 0 ] && echo "an installation stands by itself"
exit $failed
