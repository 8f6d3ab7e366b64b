#!/bin/sh
# Neither the end of a run nor the interval of its rows is part of the motion: a four-bar without friction, by
# the default method, has the same values at t = 4 whatever they are, and keeps its energy for 200 s.
# usage: stops.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

cat >FourBar.mo <<'EOM'
model FourBar "Crank, coupler and rocker in a plane, the crank spinning"
  inner Linkage.World world;
  Linkage.Joints.Revolute A(phi(fixed = true), w(start = 12, fixed = true)), B, C(phi(start = -1)), D(phi(start = 1));
  Linkage.Parts.Rod crank(r = {0.2, 0, 0}), coupler(r = {0.7, 0.5, 0}), rocker(r = {0.1, 0.6, 0});
  Linkage.Parts.FixedTranslation ground(r = {0.8, 0, 0});
  output Real E = crank.E + coupler.E + rocker.E;
equation
  connect(world.frame_b, A.frame_a);
  connect(A.frame_b, crank.frame_a);
  connect(crank.frame_b, B.frame_a);
  connect(B.frame_b, coupler.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, D.frame_a);
  connect(D.frame_b, rocker.frame_a);
  connect(rocker.frame_b, C.frame_a);
  connect(C.frame_b, coupler.frame_b);
end FourBar;
EOM

# at T FILE: A.phi and D.w at that time, then how far E has moved until the end
at() {
    awk -F, -v t="$1" '
        NR == 1 { for (k = 1; k <= NF; k++) { gsub(/"/, "", $k); c[$k] = k }; next }
        { d = $1 - t; if (d < 0) d = -d; if (d < 1e-9) found = $c["A.phi"] " " $c["D.w"]
          if (NR == 2) E = $c["E"]
          e = $c["E"] - E; if (e < 0) e = -e; if (e > most) most = e }
        END { print found, most }' "$2"
}

"$rung" simulate FourBar.mo --stop 4 --interval 4 --method dopri5 --tolerance 1e-11 \
    --signals A.phi,D.w,E -o reference.csv -q || exit 1
reference=$(at 4 reference.csv)
runs='5/0.01 20/0.04 50/0.1 200/0.5 5/0.001 20/0.5'
large || runs='5/0.01 20/0.5'
for run in $runs; do
    "$rung" simulate FourBar.mo --stop "${run%/*}" --interval "${run#*/}" --tolerance 1e-6 \
        --signals A.phi,D.w,E -o run.csv -q || {
        fail "stop/interval $run"
        continue
    }
    echo "$reference $(at 4 run.csv)" | awk -v run=$run '
        function off(x, y) { x = (x - y)/(1 + (y < 0 ? -y : y)); return x < 0 ? -x : x }
        { printf "stop/interval %s: %.1e and %.1e off at t = 4, the energy moves by %.1e J\n", run, off($4, $1),
              off($5, $2), $6
          exit !(NF == 6 && off($4, $1) < 1e-4 && off($5, $2) < 1e-4 && $6 < 1e-2) }' || fail "stop/interval $run"
done
# what no step solves is found at rows that are far apart, too
"$rung" simulate "$source/tests/sim/language/Diodes.mo" --stop 0.1 --interval 0.37 --signals error,row.error \
    -o far.csv -q || fail "rows far apart"
tail -n 1 far.csv | awk -F, '{ for (k = 2; k <= NF; k++) if ($k*$k > 1e-16) bad = 1 } END { exit bad || NF != 3 }' ||
    fail "rows far apart: $(tail -n 1 far.csv)"
# the residual form of a disk that rolls, by IDA, has the wobble of the default method
"$rung" simulate "$source/tests/sim/RollingDisk.mo" --signals wobbling.lean,climb.s_x,E -o default.csv -q &&
    "$rung" simulate "$source/tests/sim/RollingDisk.mo" --method ida-residual --signals wobbling.lean,climb.s_x,E \
        -o residual.csv -q || fail "the residual form of a disk does not run"
echo "$(tail -n 1 default.csv),$(tail -n 1 residual.csv)" | awk -F, '
    function off(x, y) { x = x - y; return x < 0 ? -x : x }
    { exit !(NF == 8 && off($2, $6) < 1e-4 && off($3, $7) < 1e-4 && off($4, $8) < 1e-3) }' ||
    fail "the residual form of a disk: $(tail -n 1 default.csv), $(tail -n 1 residual.csv)"
exit $failed
