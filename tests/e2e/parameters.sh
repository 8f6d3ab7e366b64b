#!/bin/sh
# `rung parameters`: the numbers that theory gives for arms, and motions that agree where base parameters do.
# usage: parameters.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# how many base parameters; further arguments are options
counts() {
    want=$1
    shift
    "$rung" parameters "$@" >out 2>err || fail "$*: $(cat err)"
    grep -q "^  $want base parameter" out || fail "$*: not $want: $(sed -n 2p out)"
}

# Mayeda, Yoshida and Osuka 1990: arms of n joints that turn, each axis across that before it, have
# 7 n - 4 of them, 2 less where gravity is along the first axis; planar ones 3 n
for n in 1 2 3 4; do
    counts $((7*n - 4)) --model "Linkage.Examples.AlternatingPendulumGeneral(n=$n)"
    counts $((7*n - 6)) --model "Linkage.Examples.AlternatingPendulumGeneral(n=$n, world(n={0,0,1}))"
done
counts 10 --model Linkage.Examples.FreeBody
grep -q 'known: world.g$' out || fail "a free body: $(cat out)"
cat >Star.mo <<'EOM'
model Star "two planar branches on a body that slides"
  inner Linkage.World world;
  Linkage.Joints.Prismatic rail(n = {1, 0, 0});
  Linkage.Joints.Revolute hinge[2];
  Linkage.Parts.FixedTranslation offset(r = {1, 0, 0});
  Linkage.Parts.Body base, branch[2];
equation
  connect(world.frame_b, rail.frame_a);
  connect(rail.frame_b, base.frame_a);
  connect(rail.frame_b, hinge[1].frame_a);
  connect(rail.frame_b, offset.frame_a);
  connect(offset.frame_b, hinge[2].frame_a);
  connect(hinge.frame_b, branch.frame_a);
end Star;
EOM
# a tree: one mass for all, each branch its inertia and two first moments
counts 7 Star.mo
grep -q '1: base.m + branch\[1\].m + branch\[2\].m$' out || fail "a tree: $(cat out)"

# motions with the same base parameters are the same, and another is not
pendulum="$source/examples/double_pendulum.mo"
counts 6 "$pendulum"
grep -q 'do not matter.*upper.I_11' out || fail "double pendulum: $(cat out)"
cat >moved <<'EOM'
--set lower.m=0.8 --set lower.r_CM={0.25,0,0} --set lower.I_33=0.01
--set upper.m=3 --set upper.r_CM={0.2,0,0} --set upper.I_33=0.105
EOM
run() {
    to=$1
    shift
    "$rung" simulate "$pendulum" --stop 3 --tolerance 1e-9 --signals 'shoulder.phi,elbow.phi' -o "$to" "$@" >log 2>&1 ||
        fail "simulate: $(cat log)"
}
run first.csv
run same.csv $(sed 's/r_CM={\([0-9.]*\),0,0}/r_CM[1]=\1/g' moved)
run other.csv $(sed 's/r_CM={\([0-9.]*\),0,0}/r_CM[1]=\1/g; s/0.105/0.106/' moved)
"$rung" compare same.csv first.csv --tolerance 1e-6 >log 2>&1 || fail "the same base parameters: $(cat log)"
"$rung" compare other.csv first.csv --tolerance 1e-4 >log 2>&1 && fail "other base parameters, the same motion"

# what is known, and by which numbers
counts 4 "$pendulum" --known '*.r_CM*'
counts 6 "$pendulum" --numbers
grep -q '1: upper.I_33 + upper.m.*+ 1/4\*lower.m$' out || fail "numbers: $(cat out)"
"$rung" parameters "$pendulum" --known nothing >out 2>err && fail "an unknown name is accepted"
grep -q "called like 'nothing'" err || fail "an unknown name: $(cat err)"
"$rung" parameters "$pendulum" --set arm.n=1 >out 2>err && fail "an unknown parameter is set"
"$rung" parameters "$pendulum" --set lower.m=1k >out 2>err && fail "a parameter is set to no number"
"$rung" parameters --model Linkage.Benchmarks.FiveBar >out 2>err || fail "a loop: $(cat err)"
grep -q 'loop is cut open' out || fail "a loop: $(cat out)"

"$rung" parameters "$pendulum" --format json >out.json 2>err || fail "json: $(cat err)"
if command -v python3 >/dev/null 2>&1; then
    python3 - <<'EOM' || fail "json: $(cat out.json)"
import json
d = json.load(open('out.json'))
assert len(d['base_parameters']) == 6 and d['base_parameters'][4]['lead'] == 'lower.m*lower.r_CM[1]'
assert {'product': 'lower.m', 'factor': 'arm.r[1]^2 + arm.r[2]^2'} in d['base_parameters'][0]['grouped']
assert 'lower.I_11' in d['do_not_matter'] and 'world.g' in d['known'] and d['loops_cut'] == 0
EOM
fi
exit $failed
