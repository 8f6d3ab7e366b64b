#!/bin/sh
# rung optimize: known optima, parameters that are found again from a trajectory, and what is said
# where there is nothing to find. usage: optimize.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"

cat >known.mo <<'MO'
model Known "least where a = 0.3 + c, b = 1"
  parameter Real a = 2, b = 0.2, c = 0.1, other = 1, e = 2*a;
  Real x(start = 0, fixed = true), z;
equation
  der(x) = a;
  z = (x - 0.3 - c)^2 + (b - 1)^2*(1 + x^2);
end Known;
model Ball "so high at t = 1, behind a bounce"
  parameter Real e = 0.9, h0 = 1;
  Real h(start = h0, fixed = true), v(start = 0, fixed = true), far = (h - 0.4)^2;
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
model Cart "a pendulum on a cart, set free"
  parameter Real M = 2, m = 0.3, l = 0.5, d = 0.8, k = 5;
  Real s(start = 0, fixed = true), v(start = 0, fixed = true);
  Real phi(start = 1, fixed = true), w(start = 0, fixed = true);
equation
  der(s) = v;
  der(phi) = w;
  (M + m)*der(v) + m*l*(der(w)*cos(phi) - w^2*sin(phi)) = -d*v - k*s;
  l*der(w) + der(v)*cos(phi) = -9.81*sin(phi);
end Cart;
model Fit
  extends Cart(M = 1, m = 1, d = 0.1);
  input Real s_seen, phi_seen;
  Real error = (s - s_seen)^2 + (phi - phi_seen)^2;
end Fit;
model Fails "its equation has no solution for a > 1"
  parameter Real a = 0.5;
  Real x(start = 0, fixed = true);
equation
  der(x) = sqrt(1 - a) - x - 10*a;
end Fails;
model Arms
  Part arm[2];
  Real z = (arm[1].m - 1.5)^2 + (arm[2].m - 2.5)^2 + x;
  Real x(start = 0, fixed = true);
equation
  der(x) = 0;
end Arms;
model Part
  parameter Real m = 1;
end Part;
MO
optimize() {
    model=$1
    shift
    "$rung" optimize known.mo --model "$model" "$@" >out 2>err
}
# optimum MODEL OPTIONS...: JSON into r.json
optimum() {
    optimize "$@" --format json || fail "$*: $(cat err)"
    mv out r.json
}
# is NAME VALUE BOUND: as r.json has it; value: the objective's
is() {
    python3 - "$@" <<'EOF' || fail "$1 is not $2"
import json, sys
r = json.load(open("r.json"))
x = r["value"] if sys.argv[1] == "value" else r["parameters"][sys.argv[1]]
if not abs(x - float(sys.argv[2])) <= float(sys.argv[3]):
    sys.exit(f"{sys.argv[1]} = {x}")
EOF
}
optimize Known --objective z --by a=0:4
if [ $? -eq 4 ]; then
    grep -q 'NLopt' err && echo "skipped: $(cat err)" && exit 0
fi
for algorithm in slsqp lbfgs var2; do
    optimum Known --objective z --by 'a=0:4,b=-1:3' --tolerance 1e-9 --algorithm $algorithm
    is a 0.4 1e-6
    is b 1 1e-6
    is value 0 1e-11
done
# at a bound, where the slope is not zero; from where --set says; the largest
optimum Known --objective z --by 'b=-1:0.5' --set a=0.4
is b 0.5 1e-9
optimum Known --objective 'max(z)' --by 'b=-1:3' --set c=0.2 --maximise
is b -1 1e-9
# a parameter that follows moves with it, others stay
optimum Known --objective z --by 'a=0:4' --set b=1 --set c=0.2
is a 0.5 1e-6
# behind an event: h(1) is linear in e
optimum Ball --stop 1 --tolerance 1e-10 --objective far --by 'e=0.5:1'
is e "$(awk 'BEGIN { t = sqrt(2/9.81); r = 1 - t; printf "%.15g", (0.4 + 9.81/2*r^2)/(9.81*t*r) }')" 1e-6

# found again from a trajectory
"$rung" simulate known.mo --model Cart --stop 3 --interval 0.005 --tolerance 1e-10 --signals s,phi -q -o seen.csv
sed -i '1s/.*/"time","s_seen","phi_seen"/' seen.csv
optimize Fit --stop 3 --input seen.csv --interpolation cubic --objective 'integral(error)' \
    --by 'M=0.5:4,m=0.1:2,d=0:2' --tolerance 1e-9 -o history.csv || fail "Fit: $(cat err)"
result=$(tail -1 out)
optimum Fit --stop 3 --input seen.csv --interpolation cubic --objective 'integral(error)' --by 'M=0.5:4,m=0.1:2,d=0:2' \
    --tolerance 1e-9
is M 2 4e-6
is m 0.3 1e-6
is d 0.8 4e-6
runs=$(python3 -c 'import json; print(len(json.load(open("r.json"))["history"]))')
[ "$(wc -l <history.csv)" -eq $((runs + 1)) ] || fail "not all runs are in the history"
# what is printed is a model: a modification
"$rung" simulate known.mo --model "$result" --stop 0.1 --input seen.csv -q -o again.csv 2>err || fail "$result: $(cat err)"
case $result in "Fit(M=2.0"*"m=0."*) ;; *) fail "no modification: $result" ;; esac
optimize Arms --objective z --by 'arm[1].m=0:4,arm[2].m=0:4' -q || fail "Arms: $(cat err)"
tail -1 out | grep -q "^--set 'arm\[1\].m=1\.[45]" || fail "names with indices: $(tail -1 out)"

# refused CAUSE STATUS MODEL OPTIONS...
refused() {
    want=$1
    status=$2
    shift 2
    optimize "$@"
    [ $? -eq "$status" ] || fail "$*: exit status, not $status"
    grep -q "$want" err || fail "$*: not '$want' but $(cat err)"
}
refused 'needs' 2 Known --objective z
for wrong in 'a' 'a=1' 'a=2:1' 'a=1:1' 'a=x:2' 'a=0:inf' '=0:1' ':'; do
    refused "p=lo:hi" 2 Known --objective z --by "$wrong"
done
refused 'twice' 2 Known --objective z --by 'a=0:4,a=1:2'
refused 'one parameter' 2 Known --objective z --by '*=0:4'
refused 'start value' 2 Known --objective z --by 'x.start=0:4'
refused 'one objective' 2 Known --objective z,x --by 'a=0:4'
refused "no algorithm 'fast'" 2 Known --objective z --by 'a=0:4' --algorithm fast
refused 'whole number' 2 Known --objective z --by 'a=0:4' --runs 0.5
refused 'not between' 1 Known --objective z --by 'a=3:4'
refused "no such parameter" 1 Known --objective z --by 'q=3:4'
refused "nothing is called so" 1 Known --objective y --by 'a=0:4'
optimize Known --objective z --by 'a=0:4,other=0:2' --set b=1 -q || fail "other: $(cat err)"
grep -q 'other = 1, which changes nothing' out || fail "a parameter that does not matter: $(cat out)"
refused 'this was the run with a = ' 1 Fails --objective x --by 'a=0:2'
optimize Known --objective z --by 'a=0:4,b=-1:3' --runs 2
[ $? -eq 3 ] && grep -q 'not converged' out || fail "--runs: $(cat out err)"
exit $failed
