#!/bin/sh
# States that do not last: a pendulum written by x^2 + y^2 = L^2 swings through positions at which
# neither x nor y determines the other. What cannot choose again while it runs, a program, a library, a
# linearisation, has what holds everywhere (FMUs: fmu_models.sh); models whose states last keep them.
# usage: lasting.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cp "$source/tests/e2e/fmu/FmuSwing.mo" swing.mo
# all of a column of a result is within a bound of zero
small() {
    awk -F, -v name="\"$2\"" -v most="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR > 1 { n++; if (!($c <= most && $c >= -most)) bad = $c }
        END { if (bad != "") print "got " bad; exit bad != "" || n < 10 }' "$1" ||
        fail "$1: $2 is not within $3"
}

"$rung" compile swing.mo -o program 2>said && make_program program >log 2>&1 || fail "program: $(cat said log)"
grep -q 'do not last' said || fail "program: states that fail: $(cat said)"
for tolerance in 1e-4 1e-8; do
    ./program/FmuSwing --stop 20 --tolerance $tolerance -o r.csv 2>log || fail "program, $tolerance: $(cat log)"
    small r.csv error "$(awk -v t=$tolerance 'BEGIN { print 100 * t }')"
    small r.csv off "$(awk -v t=$tolerance 'BEGIN { print t }')" # between steps; at their ends 1e-15
done

# here each step is the model's own Newton iteration, whose accelerations hold the constraint to rounding
for tolerance in 1e-6 1e-10; do
    "$rung" simulate -q swing.mo --loops ali3p --tolerance $tolerance --stop 5 -o s.csv 2>log || fail "simulate, $tolerance: $(cat log)"
    small s.csv error "$(awk -v t=$tolerance 'BEGIN { print 100 * t }')"
    small s.csv 'norm(der(der(phi)))' 1e-9
done

"$rung" compile swing.mo --kind library -o library 2>said && make -s -C library example >log 2>&1 && ./library/example >out ||
    fail "library: $(cat said log out)"
awk '{ v[$1] = $3 } END { d = v["x"]^2 + v["y"]^2 - 1; exit !(NR >= 3 && d^2 < 1e-10) }' out || fail "library: $(cat out)"

# about the horizontal y falls freely, whatever small v: two eigenvalues 0; hanging: sqrt(g/L)
eigenvalues() {
    "$rung" linearize swing.mo "$@" --format json -q >out 2>err || fail "linearize $*: $(cat err)"
    python3 - "$want" <<'EOF' || fail "linearize $*: $(cat out)"
import json, sys
a = json.load(open("out"))["A"]
assert len(a) == 2
trace, det = a[0][0] + a[1][1], a[0][0] * a[1][1] - a[0][1] * a[1][0]
assert abs(trace) < 1e-6 and abs(det - float(sys.argv[1])) < 1e-6, (trace, det)
EOF
}
want=0
eigenvalues
want=9.81
eigenvalues --steady

# a crank with a rod: the angle lasts, and says so by saying nothing
cat >crank.mo <<'MO'
model Crank
  parameter Real r = 0.3, l = 1, m = 1;
  Real phi(start = 0.3, fixed = true, stateSelect = StateSelect.prefer);
  Real w(start = 5, fixed = true, stateSelect = StateSelect.prefer), s(start = 1.28), v, f;
equation
  der(phi) = w;
  der(s) = v;
  0.1*der(w) = -2*f*r*sin(phi)*(r*cos(phi) - s) + 2*f*r*cos(phi)*r*sin(phi);
  m*der(v) = -2*f*(s - r*cos(phi));
  (s - r*cos(phi))^2 + (r*sin(phi))^2 = l^2;
end Crank;
MO
"$rung" compile crank.mo -o crank 2>said || fail "crank: $(cat said)"
grep -q 'last' said && fail "crank: $(cat said)"
make_program crank >log 2>&1 && ./crank/Crank --stop 5 -o r.csv >log 2>&1 || fail "crank: $(cat log)"
exit $failed
