#!/bin/sh
# Parameters with fixed = false in mechanisms whose loops are cut: initial equations that only look
# change nothing, others are solved together with the loops.
# usage: loop_starts.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
cat >m.mo <<'MO'
model FourBar "a four-bar linkage, its crank free"
  inner Linkage.World world;
  Linkage.Joints.Revolute crank(phi(start = 0.2), w(start = 1));
  Linkage.Parts.Rod arm(r = {1, 0, 0}, m = 1), coupler(r = {2.5, 0, 0}, m = 1),
    rod(r = {2.2, 0, 0}, m = 1);
  Linkage.Parts.FixedTranslation ground(r = {2.4, 0, 0});
  Linkage.Joints.Revolute elbow(phi(start = 0.7)), knee, rocker(phi(start = 1.8));
equation
  connect(world.frame_b, crank.frame_a);
  connect(crank.frame_b, arm.frame_a);
  connect(arm.frame_b, elbow.frame_a);
  connect(elbow.frame_b, coupler.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, rocker.frame_a);
  connect(rocker.frame_b, rod.frame_a);
  connect(rod.frame_b, knee.frame_a);
  connect(knee.frame_b, coupler.frame_b);
  annotation(experiment(StopTime = 1, Interval = 0.1));
end FourBar;
model Looks "what initial equations say of parameters, and what is bound to these"
  extends FourBar;
  parameter Real r0(fixed = false), w0(fixed = false), e0(fixed = false), twice = 2*r0;
  output Real gap = abs(r0 - rocker.phi) + abs(w0 - rocker.w - r0) + abs(e0 + r0 - elbow.phi) +
    abs(twice - 2*rocker.phi);
initial equation
  r0 = rocker.phi;
  w0 = rocker.w + r0;
  e0 + twice/2 = elbow.phi;
end Looks;
model Given "one parameter is known before the loops are closed, another gives a joint its angle"
  extends FourBar;
  parameter Real x0(fixed = false), a(fixed = false), b(fixed = false);
  Real x = coupler.frame_b.m.r[1];
  output Real gap = abs(x - x0) + abs(x0 - 2.3) + abs(crank.w - 2) + abs(a - 2.5);
initial equation
  x0 = 2.3;
  x = x0;
  crank.w = b;
  a + b = 4.5;
  a - b = 0.5;
end Given;
model Alike "the same with numbers"
  extends FourBar;
  Real x = coupler.frame_b.m.r[1];
initial equation
  x = 2.3;
  crank.w = 2;
end Alike;
MO
# at_start MODEL OPTIONS...: the first row of the states
at_start() {
    "$rung" simulate m.mo --model "$@" -o r.csv >out 2>err || fail "$*: $(cat err)"
    grep -q 'S07.*initial(' err && fail "$1: a parameter that an equation determines is said to be open"
    python3 - "$1" <<'PY'
import csv, sys
row = next(csv.DictReader(open("r.csv")))
print(*(f"{float(row[k]):.9f}" for k in ("crank.phi", "crank.w", "elbow.phi", "knee.phi", "rocker.phi")))
if "gap" in row and float(row["gap"]) > 1e-9:
    print(f"{sys.argv[1]}: the initial equations do not hold: {row['gap']}")
PY
}
methods=esdirk
large && methods='esdirk ida dopri5'
for method in $methods; do
    at_start FourBar --method "$method" >free
    at_start Looks --method "$method" >looks
    cmp -s free looks || fail "$method: the start of the one that looks: $(cat free looks)"
    at_start Alike --method "$method" >alike
    at_start Given --method "$method" >given
    cmp -s alike given || fail "$method: the start by parameters: $(cat alike given)"
done

# where the velocity of a given motion jumps, time, motion and joint are told, once for each jump
"$rung" simulate "$source/tests/sim/loops/GivenMotionByRelation.mo" --stop 0.5 -o r.csv >out 2>err || fail "$(cat err)"
grep -q '^warning: t = 0.2: the given motion of rack.s changes its velocity at once, by .* at joint last' err ||
    fail "a jump of a given velocity: $(cat err)"
[ "$(grep -c 'given motion' err)" = 1 ] || fail "told more than once: $(cat err)"
exit $failed
