#!/bin/sh
# A model that is simulated again is not compiled again, and never when anything that it is made of
# has changed. A C compiler that counts its calls tells.
# usage: cache.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
cat >counting <<END
#!/bin/sh
case " \$* " in *" -shared "*) echo call >>"$dir/calls" ;; esac
exec cc "\$@"
END
chmod +x counting
export CC="$dir/counting"
export XDG_CACHE_HOME="$dir/kept"

# runs WANTED OPTIONS...: the model, compiled so many times
runs() {
    want=$1
    shift
    : >calls
    "$rung" simulate "$@" -o r.csv >out 2>err || { cat err; fail "simulate $*"; }
    got=$(wc -l <calls)
    [ "$got" -eq "$want" ] || fail "compiled $got times instead of $want: $*"
}

mkdir -p lib/Lib
printf 'within ;\npackage Lib\nend Lib;\n' >lib/Lib/package.mo
printf 'within Lib;\nmodel B\n  parameter Real k = 2;\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -k*x;\nend B;\n' >lib/Lib/B.mo
printf 'model M\n  extends Lib.B;\nend M;\n' >m.mo
set -- --library lib m.mo --stop 1
runs 1 "$@"
cp r.csv first.csv
runs 0 "$@"
cmp r.csv first.csv || fail "the kept model gives other results"
runs 0 "$@" --set k=3 --tolerance 1e-3
# the audit makes the flat model for itself, and none of the rest
runs 0 "$@" --audit
grep -q '^audit: .* bound' out || fail "a kept model is not audited: $(cat out)"
"$rung" simulate "$@" --audit -o r.csv --progress bar 2>&1 | grep -q translating &&
    fail "translated again for an audit"
# the text, the library's text, an option, the compiler's flags, a file that comes first
printf 'model M\n  extends Lib.B(k = 4);\nend M;\n' >m.mo
runs 1 "$@"
sed -i 's/-k/-2*k/' lib/Lib/B.mo
runs 1 "$@"
runs 1 "$@" --model 'M(k=5)'
large && runs 1 "$@" --no-kernels --model 'M(k = 6)'
CFLAGS=-DX runs 1 "$@"
runs 0 "$@"
mkdir other
sed 's/package Lib/package Lib\n  model B parameter Real k = 1; Real x(start = 2, fixed = true); equation der(x) = -x; end B;/' \
    lib/Lib/package.mo >other/Lib.mo
runs 1 --library other "$@"
mkdir lib/Lib/New
runs 0 "$@" # looked at again, translated to the same C
rmdir lib/Lib/New
# where the C stays the same only the translation is made again
printf '\n// a remark\n' >>m.mo
runs 0 "$@"
# not wanted
runs 1 "$@" --no-cache
runs 0 "$@"

# derivatives are another program, of all points
linear() {
    want=$1
    shift
    : >calls
    "$rung" linearize "$@" -q -o A.json 2>err || { cat err; fail "linearize $*"; }
    [ "$(wc -l <calls)" -eq "$want" ] || fail "compiled $(wc -l <calls) times instead of $want: linearize $*"
}
linear 1 m.mo --library lib
cp A.json first.json
linear 0 m.mo --library lib
cmp A.json first.json || fail "the kept model gives other derivatives"
linear 0 m.mo --library lib --at 0.5
linear 1 m.mo --library lib --outputs x
linear 1 m.mo --library lib --outputs x --no-cache

# what was said is said again
printf 'model W\n  Real x(start = 1);\nequation\n  der(x) = -x;\nend W;\n' >w.mo
runs 1 w.mo --stop 1
cp err before
runs 0 w.mo --stop 1
cmp err before || fail "what was said about a model is not said again"

# a damaged shared object is made again
for f in kept/rung/*.so; do printf 'x' | dd of="$f" bs=1 seek=100 conv=notrunc 2>/dev/null; done
runs 1 "$@"
runs 0 "$@"
# a damaged record likewise
for f in kept/rung/*.txt; do head -c 40 "$f" >t && cp t "$f"; done
runs 0 "$@"

# two at once
if large; then
rm -rf kept
"$rung" simulate "$@" -o one.csv >/dev/null 2>&1 &
one=$!
"$rung" simulate "$@" -o two.csv >/dev/null 2>&1 || fail "the second of two at once"
wait $one || fail "the first of two at once"
cmp one.csv two.csv || fail "two at once differ"
fi

# nowhere to keep anything
homes='relative'
large && homes='/dev/null /proc/none relative'
for home in $homes; do
    XDG_CACHE_HOME=$home runs 1 "$@"
done
[ ! -e relative ] || fail "a relative XDG_CACHE_HOME is not ignored"
env -u XDG_CACHE_HOME -u HOME "$rung" simulate "$@" -o r.csv >/dev/null 2>&1 || fail "no home"
if [ "$(id -u)" -ne 0 ]; then
    mkdir bare && chmod 500 bare
    XDG_CACHE_HOME="$dir/bare" runs 1 "$@"
fi

# a fallback that is wanted at run time is found behind a kept model, too
large || exit $failed
cat >t.mo <<'MO'
model Turned
  constant Real pi = 3.141592653589793;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), a, b, s, d;
equation
  s = 1.5*cos(pi*time/2);
  d = sin(pi*time/2);
  s*a + d*b = cos(time) + x/10;
  -d*a + s*b = 1 - y/10;
  der(x) = a;
  der(y) = b;
end Turned;
MO
runs 2 t.mo --order tearing --stop 5 --interval 0.5 --no-cache
grep -q 'solved numerically' out || fail "the fallback is not used"
cp r.csv before
runs 2 t.mo --order tearing --stop 5 --interval 0.5
cmp r.csv before || fail "the model that is kept differs"
runs 0 t.mo --order tearing --stop 5 --interval 0.5
cmp r.csv before || fail "with a fallback that was kept the results differ"
exit $failed
