#!/bin/sh
# Pivots that vanish while a run goes on: the run goes through, right, and says so; equations that
# are singular stop it.
# usage: pivots.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
here=$source/tests/e2e/pivots

# s vanishes at odd seconds, d at even ones, so whatever is taken first vanishes in some row
cat >crossing.mo <<'MO'
model Crossing
  constant Real pi = 3.141592653589793;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real a, b, s, d;
equation
  s = 1.5*cos(pi*time/2);
  d = sin(pi*time/2);
  s*a + d*b = cos(time) + x/10;
  -d*a + s*b = 1 - y/10;
  der(x) = a;
  der(y) = b;
end Crossing;
MO
# a and b of each row, by Cramer's rule from the x and y of that row
check() {
    awk -F, -v what="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i } next }
        {
            t = $at["time"]; h = atan2(0, -1) * t / 2
            s = 1.5 * cos(h); d = sin(h); D = s*s + d*d
            p = cos(t) + $at["x"] / 10; q = 1 - $at["y"] / 10
            e = ((s*p - d*q) / D - $at["a"])^2 + ((d*p + s*q) / D - $at["b"])^2
            if (!(e < 1e-24)) { print what ": error " sqrt(e) " at " t; bad = 1 }
        }
        END { exit bad || NR != 12 }' "$2" || fail "$1: a or b is wrong"
}
for order in tearing mindegree dissection; do
    "$rung" simulate crossing.mo --order $order --stop 5 --interval 0.5 -o $order.csv >log 2>&1 ||
        fail "$order: $(cat log)"
    check "$order" $order.csv
    grep -Eq '^[1-9][0-9]* evaluations with linear equations solved numerically, the first at t = [0-9.]+, where the pivot of' \
        log || fail "$order: the summary does not count: $(cat log)"
done
# what is compiled has its own
"$rung" compile crossing.mo -o crossing >/dev/null && make_program crossing >log 2>&1 || fail "make: $(cat log)"
crossing/Crossing --stop 5 --interval 0.5 -o made.csv 2>log || fail "the program made: $(cat log)"
check "the program made" made.csv
grep -q 'solved numerically' log || fail "the program made does not count: $(cat log)"
# beside an equation that is not linear, and a chain whose vectors are moved into frames: those are in no results
cat >>crossing.mo <<'MO'
model Beside
  extends Crossing;
  Linkage.Examples.AlternatingPendulumGeneral chain(n = 3);
  Real h(start = 1);
equation
  h^3 + h = 2 + a;
end Beside;
MO
"$rung" simulate crossing.mo --model Beside --stop 5 --interval 0.5 --signals a,h -o beside.csv >log 2>&1 ||
    fail "beside a chain: $(cat log)"
grep -q 'solved numerically' log || fail "beside a chain: nothing vanished: $(cat log)"
awk -F, 'NR > 1 { e = $3^3 + $3 - 2 - $2; if (!(e*e < 1e-18)) bad = 1 } END { exit bad || NR != 12 }' beside.csv ||
    fail "beside a chain: h is wrong"
# where nothing vanishes nothing is said
"$rung" simulate --model 'Linkage.Examples.AlternatingPendulum(n=3)' --stop 1 -o a.csv >log 2>&1
grep -q 'numerically' log && fail "numeric without need: $(cat log)"

# a jib and its tie turn over; forces at the pin between them, which has no mass. Each is level and
# upright once in a turn
cat >jib.mo <<'MO'
model Jib
  parameter Real load = 3, pull = 2;
  Real alpha(start = 0, fixed = true), W(start = 0, fixed = true);
  Real beta = alpha + 0.7 + 0.2*sin(alpha)^2, jib, tie;
equation
  der(alpha) = 1;
  jib*cos(alpha) + tie*cos(beta) = pull;
  jib*sin(alpha) + tie*sin(beta) = load;
  der(W) = jib^2 + tie;
end Jib;
MO
for order in tearing mindegree; do
    "$rung" simulate jib.mo --order $order --stop 6.283185307179586 --interval 0.7853981633974483 \
        -o jib.csv >log 2>&1 || fail "jib: $(cat log)"
    grep -q 'solved numerically' log || fail "jib: nothing vanished: $(cat log)"
    awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i } next }
        {
            a = $at["alpha"]; b = a + 0.7 + 0.2*sin(a)^2; d = sin(b - a)
            e = ((2*sin(b) - 3*cos(b))/d - $at["jib"])^2 + ((3*cos(a) - 2*sin(a))/d - $at["tie"])^2
            if (!(e < 1e-24)) { print "jib: error " sqrt(e) " at " a; bad = 1 }
        }
        END { exit bad || NR != 10 }' jib.csv || fail "jib with $order: wrong"
done

# singular, and the equation that contradicts is small beside the other: no solution is taken for one
cat >small.mo <<'MO'
model Small
  parameter Real b = 2.001;
  Real x, y, q(start = 0, fixed = true), s = noEvent(max(0, time - 1));
equation
  1e9*(x + y) = 2e9;
  x + (1 + s)*y = b + s;
  der(q) = x + y;
end Small;
MO
"$rung" simulate small.mo --stop 0.5 --interval 0.25 -o small.csv >log 2>&1
[ $? -eq 1 ] && grep -q singular log || fail "equations that contradict each other by a small part: $(cat log)"
"$rung" simulate small.mo --set b=2 --stop 0.5 --interval 0.25 -o small.csv >log 2>&1 ||
    fail "equations that agree: $(cat log)"

# whole mechanisms by LU, at states where elimination has no trouble either
for chain in 'AlternatingPendulum(n=30)' 'AlternatingPendulumGeneral(n=5)' 'MultiPendulum(depth=3)'; do
    [ "$chain" = 'MultiPendulum(depth=3)' ] || large || continue
    rm -rf mechanism
    "$rung" compile --model "Linkage.Examples.$chain" -o mechanism >/dev/null &&
        (cd mechanism && cc -std=c11 -O0 -w -I. -o agree "$here/agree.c" \
            $(ls *.c | grep -v "^main.c$") -lm) >log 2>&1 || fail "cc: $(cat log)"
    mechanism/agree || fail "$chain"
done
"$rung" compile --no-fallback --model "Linkage.Examples.$chain" -o without >/dev/null
ls without | grep -q numeric && fail "--no-fallback leaves files"

# a larger block, of which a corner is that of above: LU with pivoting of a sparse matrix
cat >band.mo <<'MO'
model Band
  parameter Integer n = 40;
  constant Real pi = 3.141592653589793;
  Real v[n], x(start = 0, fixed = true);
  Real c = cos(pi*time/2);
equation
  c*v[1] + (2 + x)*v[2] = 1;
  for i in 2:n-1 loop
    (2 + x)*v[i-1] + c*v[i] - (2 - x)*v[i+1] = sin(i + time);
  end for;
  (2 + x)*v[n-1] + c*v[n] = 1;
  der(x) = 0.1*v[1]/(1 + v[1]^2);
end Band;
MO
"$rung" simulate band.mo --order mindegree --stop 4 --interval 0.5 -o band.csv >log 2>&1 || fail "band: $(cat log)"
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i } next }
    {
        t = $at["time"]; x = $at["x"]; c = cos(atan2(0, -1) * t / 2); n = 40
        for (i = 1; i <= n; i++) v[i] = $at["v[" i "]"]
        for (i = 1; i <= n; i++) {
            r = c*v[i] - (i == 1 || i == n ? 1 : sin(i + t))
            if (i > 1) r += (2 + x)*v[i-1]
            if (i < n) r += (i == 1 ? 2 + x : -(2 - x))*v[i+1]
            if (!(r*r < 1e-20)) { print "row " i " is off by " r " at " t; bad = 1 }
        }
    }
    END { exit bad || NR != 10 }' band.csv || fail "band: wrong"

# really singular at one second: the run stops there with what it has
cat >singular.mo <<'MO'
model Singular
  Real x(start = 0, fixed = true), a, b;
equation
  (1 - time)*a + (2 - 2*time)*b = 1;
  (1 + time)*a - (1 + time + x)*b = 2;
  der(x) = 1 + 0*a + b^2/(1 + b^2);
end Singular;
MO
"$rung" simulate singular.mo --stop 2 --interval 0.125 -o singular.csv >log 2>&1
[ $? -eq 3 ] || fail "singular: status $?: $(cat log)"
grep -q "t = [01].*singular" log || fail "singular: no time, or no reason: $(cat log)"
grep -q "'[ab]'" log || fail "singular: no variable named: $(cat log)"
rows=$(wc -l <singular.csv)
[ "$rows" -ge 8 ] && [ "$rows" -le 10 ] || fail "singular: $rows lines kept"

[ $failed -eq 0 ] && echo "vanishing pivots are survived"
exit $failed
