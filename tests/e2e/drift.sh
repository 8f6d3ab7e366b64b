#!/bin/sh
# Redundant states keep their constraints whatever the length of the run and of the steps is, and take the steps of the
# motion, not those of a stabilisation.
# usage: drift.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

cat >Turning.mo <<'EOM'
model Turning "A mass on a rod turns evenly: x = cos(t), y = sin(t)"
  Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 1, fixed = true), F;
  Real off = abs(x^2 + y^2 - 1) + abs(x*vx + y*vy), error = abs(x - cos(time)) + abs(y - sin(time));
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y;
  x^2 + y^2 = 1;
end Turning;
EOM

# largest FILE: the largest values of columns 2 and 3
largest() {
    awk -F, 'NR > 1 { if ($2 > a) a = $2; if ($3 > b) b = $3 } END { printf "%.3g %.3g", a, b }' "$1"
}
# turns STOP STEPS OFF ERROR OPTIONS: a run of at most so many steps
turns() {
    stop=$1 most=$2 off=$3 error=$4
    shift 4
    "$rung" simulate Turning.mo --states redundant --stop "$stop" --signals off,error -o out.csv "$@" >log 2>&1 ||
        fail "to $stop, $*: $(cat log)"
    steps=$(sed -n 's/.*[:,] \([0-9]*\) steps, [0-9]* rejected.*/\1/p' log)
    echo "to $stop, $*: $steps steps, off and error at most $(largest out.csv)"
    echo "$steps $(largest out.csv)" | awk -v s="$most" -v o="$off" -v e="$error" '{ exit !(NF == 3 && $1 <= s && $2 <= o && $3 <= e) }' ||
        fail "to $stop, $*: more than $most steps, or off by more than $off, or wrong by more than $error"
}
# one that decays at a given rate, of 100/s, would be stiff here, where the motion's own steps are 0.1 s
turns 200 2000 3e-6 1e-2
turns 200 2000 3e-6 1e-2 --method esdirk
turns 200 2000 3e-6 1e-2 --method dopri5
turns 200 6000 3e-6 3e-2 --method ida
turns 200 6000 3e-6 5e-2 --method cvode
turns 200 6000 3e-6 3e-2 --method gear
turns 200 2000 3e-6 2e-2 --method rk4 --step 0.1
turns 200 20000 1e-8 3e-3 --method trapezoid --step 0.01
# short runs, as a whole and in one step
turns 0.1 20 1e-7 1e-7
turns 0.1 1 3e-6 3e-6 --method rk4 --step 0.1
# tight and loose
turns 50 4000 3e-10 2e-6 --tolerance 1e-10
turns 50 200 3e-3 1 --tolerance 1e-3

# a run that goes on from a state that was saved has the digits of the whole one
"$rung" simulate Turning.mo --states redundant --stop 40 --interval 1 --save-state all.s --save-interval 20 -o all.csv -q &&
    "$rung" simulate Turning.mo --states redundant --stop 20 --interval 1 --save-state half.s -o half.csv -q &&
    "$rung" simulate Turning.mo --states redundant --stop 40 --interval 1 --from half.s -o rest.csv -q || fail "in two halves"
[ "$(tail -n 1 all.csv)" = "$(tail -n 1 rest.csv)" ] ||
    fail "in two halves: $(tail -n 1 all.csv), $(tail -n 1 rest.csv)"
# Two cranks of one length and a coupler as long as the base: where all are in line it may go on as a parallelogram, or
# crossed. Errors within the tolerance lead from one to the other, at speeds that jump; a run says so and ends there,
# close to the time at which the parallelogram, with (m*l^2 + J)*der(w) = -m*g*l*cos(c), is flat.
cat >InLine.mo <<'EOM'
model InLine
  parameter Real l = 0.5, L = 1, m = 1, J = 0.3, g = 3;
  Real x(start = 0.5*cos(0.5)), y(start = 0.5*sin(0.5)), c(start = 0.5, fixed = true);
  Real vx, vy, wc(start = 6, fixed = true), F, G;
equation
  vx = der(x);
  vy = der(y);
  wc = der(c);
  x^2 + y^2 = l^2;
  (L + l*cos(c) - x)^2 + (l*sin(c) - y)^2 = L^2;
  m*der(vx) = F*x + G*(L + l*cos(c) - x);
  m*der(vy) = F*y + G*(l*sin(c) - y) - m*g;
  J*der(wc) = -G*l*(-sin(c)*(L + l*cos(c) - x) + cos(c)*(l*sin(c) - y));
end InLine;
EOM
cat >OneCrank.mo <<'EOM'
model OneCrank "Seconds until it is in line"
  parameter Real l = 0.5, m = 1, J = 0.3, g = 3;
  Real c(start = 0.5, fixed = true), w(start = 6, fixed = true), t(start = 0, fixed = true);
equation
  der(c) = w;
  (m*l^2 + J)*der(w) = -m*g*l*cos(c);
  der(t) = if c < 3.141592653589793 then 1 else 0;
end OneCrank;
EOM
"$rung" simulate OneCrank.mo --stop 1 --tolerance 1e-9 --signals t -o one.csv >log 2>&1 || fail "one crank: $(cat log)"
flat=$(tail -n 1 one.csv | cut -d, -f 2)
for how in esdirk 'dopri5 --tolerance 1e-8' 'gear --tolerance 1e-5' cvode; do
    "$rung" simulate InLine.mo --loops index-reduction --states redundant --stop 2 --method $how -o out.csv >log 2>&1
    [ $? -eq 3 ] || fail "in line, $how: another way is taken"
    at=$(sed -n 's/^rung: t = \([0-9.]*\): the constraints of redundant states are singular, and .*/\1/p' log)
    echo "in line at $flat, $how: ends at $at"
    echo "$flat $at" | awk '{ d = $2 - $1; exit !(NF == 2 && d * d < 4e-6) }' || fail "in line, $how: $(cat log)"
done

exit $failed
