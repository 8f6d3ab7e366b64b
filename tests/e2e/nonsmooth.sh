#!/bin/sh
# Derivatives by parameters of what jumps or has a kink and makes no event in a plain run, and over events in
# runs with inputs that follow data. usage: nonsmooth.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# gradients OPTIONS...: the numbers alone, one objective in each line: its value, then its derivatives
gradients() {
    "$rung" gradient "$@" --format json >g.json 2>err || { fail "$*: $(cat err)"; return; }
    python3 -c 'import json
for o in json.load(open("g.json"))["objectives"]: print(o["value"], *o["gradient"].values())'
}
# alike BOUND FILE OTHER: numbers agree, relative to the largest derivative of their line
alike() {
    python3 - "$@" <<'EOF'
import sys
bound, one, other = float(sys.argv[1]), *([l.split() for l in open(f)] for f in sys.argv[2:])
assert one and len(one) == len(other)
for a, b in zip(one, other):
    a, b = list(map(float, a)), list(map(float, b))
    size = max(map(abs, b[1:]))
    off = max(abs(x - y) for x, y in zip(a[1:], b[1:])) / size
    if not (len(a) == len(b) and off <= bound): sys.exit(f"{a} is not {b}: {off:.2g}")
EOF
}

# the same with and without events: kinks and smooth(1, ...) become events where derivatives are asked for
cat >stops.mo <<'MO'
model Kinks
  parameter Real k = 50, a = 0.3, d = 0.1, w = 2.3;
  Real x(start = 0.1, fixed = true), v(start = 0, fixed = true), e(start = 0, fixed = true), force;
equation
  der(x) = v;
  der(v) = force - d*v + 1.2*cos(w*time);
  force = -x - k*max(0, x - a) - k*min(0, x + a) - 3*smooth(1, noEvent(if v > a then (v - a)^2 else 0));
  der(e) = abs(v)*x;
end Kinks;
model Branches
  parameter Real k = 50, a = 0.3, d = 0.1, w = 2.3;
  Real x(start = 0.1, fixed = true), v(start = 0, fixed = true), e(start = 0, fixed = true), force;
equation
  der(x) = v;
  der(v) = force - d*v + 1.2*cos(w*time);
  force = -x - k*(if x > a then x - a else 0) - k*(if x < -a then x + a else 0) - 3*(if v > a then (v - a)^2 else 0);
  der(e) = (if v > 0 then v else -v)*x;
end Branches;
MO
gradients stops.mo --model Branches --objective e,x --by k,a,d,w --stop 10 --tolerance 1e-11 --mode direct >exact.txt
for how in '--mode direct' '--mode adjoint' '--method dopri5' '--method cvode --tolerance 1e-8' '--method ida --tolerance 1e-8'; do
    # shellcheck disable=SC2086
    gradients stops.mo --model Kinks --objective e,x --by k,a,d,w --stop 10 $how >kinks.txt
    alike 3e-5 kinks.txt exact.txt || fail "kinks, $how"
done
# the audit knows these events
"$rung" simulate stops.mo --model Kinks --sensitivity k,a --stop 10 -q -o r.csv || fail "an audit of a run over kinks"

# a kink that only touches zero, one in what nothing depends on, one at rest; z by k: closed forms
cat >touching.mo <<'MO'
model Touching
  parameter Real k = 1;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 1, fixed = true), rest(start = 0, fixed = true);
  Real only = abs(x - 0.5);
equation
  der(x) = 2*(time - 1);
  der(y) = k*abs(x);
  der(z) = -k*z + max(0, rest);
  der(rest) = -k*max(0, rest);
end Touching;
MO
# y = k (1 - (1 - t)^3)/3, z = exp(-k t)
awk -v OFMT=%.17g 'BEGIN { print 2/3, 2/3; print exp(-2), -2*exp(-2) }' >exact.txt
for mode in direct adjoint; do
    gradients touching.mo --objective y,z --by k --stop 2 --tolerance 1e-9 --mode $mode >touching.txt
    alike 1e-7 touching.txt exact.txt || fail "touching, $mode"
done

# one jump in two equations is an event for both
cat >twice.mo <<'MO'
model Twice
  parameter Real k = 2, a = 0.3;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = -k;
  der(y) = sign(x - a);
  der(z) = 3*sign(x - a);
end Twice;
MO
# y = 2 (1 - a)/k - t
printf '%s\n' '-0.3 -0.35 -1' '-0.9 -1.05 -3' >exact.txt
for mode in direct adjoint; do
    gradients twice.mo --objective y,z --by k,a --stop 1 --mode $mode >twice.txt
    alike 1e-8 twice.txt exact.txt || fail "one jump in two equations, $mode"
done

# no event where the branch is not defined beyond its kink, or stands in a function: errors are controlled
cat >under.mo <<'MO'
function f
  input Real x, k;
  output Real y;
protected
  Real s;
algorithm
  s := 0;
  while s < 1 + abs(x) loop
    s := s + 0.5;
    y := if x > 0 then k*x else 0;
  end while;
end f;
model Under
  parameter Real k = 50, a[11] = fill(0.1, 11), w = 2.3;
  Real x(start = 0.1, fixed = true), v(start = 0, fixed = true), free;
equation
  der(x) = v;
  der(v) = -x - f(x - 0.3, k) - sqrt(free) - 0.1*v + 1.2*cos(w*time);
  free = max(sum(a)*0.1 - x, 1e-3);
end Under;
MO
by='k,w,a[1]'
gradients under.mo --model Under --objective x --by "$by" --stop 10 --tolerance 1e-12 >exact.txt
gradients under.mo --model Under --objective x --by "$by" --stop 10 --tolerance 1e-8 >under.txt
alike 1e-5 under.txt exact.txt || fail "kinks without events"
"$rung" simulate under.mo --model Under --sensitivity "$by" --stop 10 --tolerance 1e-7 -o r.csv 2>&1 |
    grep -q 'derivatives by 3 parameters, tolerance 1e-07' || fail "control of errors is not said"
"$rung" simulate under.mo --model Under --sensitivity "$by" --stop 10 --tolerance 1e-7 --sensitivity-tolerance 1e-5 -o r.csv \
    2>&1 | grep -q 'derivatives by 3 parameters, tolerance 1e-05' || fail "the tolerance that is given"
"$rung" gradient under.mo --model Under --objective x --by k --stop 10 --mode adjoint >out 2>err &&
    grep -q 'under.mo:18:.*warning S14' err || fail "no warning of an adjoint over kinks: $(cat err)"
"$rung" gradient under.mo --model Under --objective x --by 'k,w,a[*]' --stop 10 --format json >out 2>err &&
    grep -q '"mode": *"direct"' out || fail "by many parameters: $(cat out err)"
"$rung" gradient stops.mo --model Kinks --objective x --by k --stop 1 --mode adjoint >out 2>err && [ ! -s err ] ||
    fail "a warning where kinks make events"

# relations of, and states moved by, inputs that follow data: as with these inputs written as functions of time
cat >driven.mo <<'MO'
partial model Drive
  parameter Real k = 2, a = 0.3;
  Real force, x(start = 0.1, fixed = true), v(start = 0, fixed = true), n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = force - x - (if x > a then k else 0) - k*max(0, -x - a);
  der(n) = if force*(1 + x) > k*a then 1 else 0;
end Drive;
model ByData
  extends Drive;
  input Real u;
equation
  force = u;
end ByData;
model ByTime
  extends Drive;
  parameter Boolean isHeld = false;
equation
  force = if isHeld then (if time < 2 then 1 else if time < 4 then 0.5 else -1)
    else if time < 2 then 1 - 0.25*time else if time < 4 then 1.25 - 0.375*time else -0.25;
end ByTime;
model Ball
  parameter Real e = 0.8;
  input Real u;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 + u;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
MO
printf '%s\n' time,u 0,1 2,0.5 4,-0.25 5,-0.25 >line.csv
printf '%s\n' time,u 0,1 2,0.5 4,-1 5,-1 >held.csv
for mode in direct adjoint; do
    for data in 'line linear false' 'held hold true'; do
        # shellcheck disable=SC2086
        set -- $data
        gradients driven.mo --model ByTime --set isHeld=$3 --objective x,n --by k,a,x.start --stop 5 --tolerance 1e-9 \
            --mode $mode >exact.txt
        gradients driven.mo --model ByData --input $1.csv --interpolation $2 --objective x,n --by k,a,x.start --stop 5 \
            --tolerance 1e-9 --mode $mode >data.txt
        alike 1e-6 data.txt exact.txt || fail "inputs that follow data, $data, $mode"
    done
    expect 3 'values are set at an event whose time depends on parameters' \
        "$rung" gradient driven.mo --model Ball --input line.csv --objective h --by h.start --stop 1 --mode $mode
    # the fall by g - 1, one bounce: h = e sqrt(2 h0 g) s - g s^2/2, s = t - sqrt(2 h0/g)
    gradients driven.mo --model Ball --input held.csv --interpolation hold --objective h --by e --stop 1 --mode $mode >ball.txt
    awk -v OFMT=%.17g 'BEGIN { g = 8.81; s = 1 - sqrt(2/g); print 0.8*sqrt(2*g)*s - g*s*s/2, sqrt(2*g)*s }' >exact.txt
    alike 1e-6 ball.txt exact.txt || fail "a ball in a steady wind, $mode"
done
exit $failed
