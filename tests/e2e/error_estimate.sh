#!/bin/sh
# The estimate of the error against the error itself: models with closed forms, smooth, stiff, with
# events, with a closed loop whose constraints are redundant; by all methods. Then what may go with it:
# saved states, audit, a run that ends early, a second run that fails.
# usage: error_estimate.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >oscillator.mo <<'MO'
model Oscillator
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), off_x, off_v;
equation
  der(x) = v;
  der(v) = -x;
  off_x = x - cos(time);
  off_v = v + sin(time);
  annotation(experiment(StopTime = 50));
end Oscillator;
MO
cat >stiff.mo <<'MO'
model Stiff "by a slow state beside a fast one"
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), off_x, off_y;
equation
  der(x) = -x*y;
  der(y) = -1e5*(y - x) - x*y;
  off_x = x - 1/(1 + time);
  off_y = y - 1/(1 + time);
  annotation(experiment(StopTime = 10));
end Stiff;
MO
cat >ball.mo <<'MO'
model Ball "a bouncing ball, its heights in closed form"
  function height
    input Real t, c, g;
    output Real h;
  protected
    Real v, from, flight;
  algorithm
    v := sqrt(2*g);
    from := sqrt(2/g);
    h := 1 - g*t^2/2;
    while t > from loop
      v := c*v;
      h := v*(t - from) - g*(t - from)^2/2;
      from := from + 2*v/g;
    end while;
  end height;
  parameter Real c = 0.8, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real z(start = 1, fixed = true) "as stiff as the oscillator is not";
  discrete Integer n(start = 0, fixed = true);
  Real off_h;
equation
  der(h) = v;
  der(v) = -g;
  der(z) = -50*(z - cos(20*time));
  when h < 0 then
    reinit(v, -c*pre(v));
    n = pre(n) + 1;
  end when;
  off_h = h - height(time, c, g);
  annotation(experiment(StopTime = 3));
end Ball;
MO
cat >loop.mo <<'MO'
model Parallelogram "two cranks on springs, and a coupler that does not turn; its length holds twice"
  parameter Real l = 1, c = 2, d = 2;
  Real p(start = 1.3, fixed = true), q(start = 1.3), s(start = 0);
  Real u(start = 0, fixed = true), w, r, f[2], off_p, off_q;
equation
  der(p) = u;
  der(q) = w;
  der(s) = r;
  der(u) = -4*(p - 1) - l*sin(p)*f[1] + l*cos(p)*f[2];
  der(w) = -4*(q - 1) + l*sin(q)*f[1] - l*cos(q)*f[2];
  der(r) = -c*sin(s)*f[1] + c*cos(s)*f[2];
  l*cos(p) + c*cos(s) = d + l*cos(q);
  l*sin(p) + c*sin(s) = l*sin(q);
  off_p = p - 1 - 0.3*cos(2*time);
  off_q = q - 1 - 0.3*cos(2*time);
  annotation(experiment(StopTime = 20));
end Parallelogram;
MO

find_python json || {
    echo "skipped: no python3"
    exit 0
}

# MODEL VARIABLES [OPTION...]: each error is estimated within a factor of three, or is less than a thousandth of
# the tolerance.
check() {
    model=$1 variables=$2
    shift 2
    "$rung" simulate $model.mo "$@" --error-estimate --format json --progress none -o $model.csv >json 2>err ||
        fail "$model $*: $(cat err json)"
    "$python" - "$model.csv" "$variables" <<'PY' || fail "$model $*"
import csv, json, sys
estimate = json.load(open("json"))["error_estimate"]
rows = list(csv.DictReader(open(sys.argv[1])))
bad = False
for name in sys.argv[2].split():
    found = next(v for v in estimate["variables"] if v["name"] == name)
    true = max(abs(float(r["off_" + name])) for r in rows)
    is_small = max(true, found["error"]) < 1e-3 * 1e-6
    bad |= not (true / 3 <= found["error"] <= 3 * true or is_small)
    if bad:
        print(name, "is off by", true, "estimated", found)
sys.exit(bad)
PY
}
for method in '' '--method esdirk' '--method dopri5' '--method ida' '--method cvode' \
    '--method rk4 --step 0.02' '--method trapezoid --step 0.02' '--method bdf --step 0.02' \
    '--method euler --step 0.02'; do
    check oscillator 'x v' $method
    check ball h $method
    case $method in
    *rk4*) ;;
    *trapezoid*)
        check loop 'p q' --method ali3p --step 0.02
        check loop 'p q' --method half-explicit --step 0.02
        check loop 'p q' $method
        ;;
    *) check loop 'p q' $method ;;
    esac
    case $method in
    *rk4* | *dopri5*) ;;
    *) check stiff 'x y' $method ;;
    esac
done

# The result is that of a run without it.
"$rung" simulate ball.mo --error-estimate --audit --progress none -o a.csv >out 2>err || fail "ball: $(cat out err)"
"$rung" simulate ball.mo --progress none -q -o b.csv && cmp a.csv b.csv || fail "another result"
grep -q '^audit: ' out && grep -q '^error estimate: by a second run, tolerance 1e-07, .* on [0-9]* rows, 12 events' out ||
    fail "summary: $(cat out)"
[ "$(grep -c 'off by' out)" = 5 ] || fail "variables: $(cat out)"

# Saved runs; the file that a run begins from is not to be another one for the second run.
"$rung" simulate ball.mo --stop 1 --save-state half --error-estimate --progress none -q -o a.csv || fail "saving"
"$rung" simulate ball.mo --from half --save-state whole --error-estimate --progress none -o a.csv >out 2>err &&
    grep -q '^error estimate: ' out || fail "going on: $(cat out err)"
"$rung" simulate ball.mo --from half --save-state half --error-estimate --progress none -q -o a.csv 2>err
[ $? -eq 2 ] && grep -q 'has to name another file' err || fail "one file for both: $(cat err)"
"$rung" simulate ball.mo --tolerance 1e-14 --error-estimate --progress none -q -o a.csv 2>err
[ $? -eq 3 ] && grep -q 'cannot be estimated' err || fail "rounding: $(cat err)"
"$rung" sweep ball.mo --vary c=0.5,0.6 --error-estimate -o s -q 2>err
[ $? -eq 2 ] || fail "sweep: $(cat err)"

# Only the second run is so exact that it violates the assertion, or has the event.
cat >exact.mo <<'MO'
model Exact
  extends Oscillator;
  parameter Boolean asserts = true;
  discrete Integer n(start = 0, fixed = true);
equation
  assert(not asserts or time < 40 or abs(x^2 + v^2 - 1) > 2e-7, "too exact");
  when x > 1 - 1e-7 and time > 40 then
    n = pre(n) + 1;
  end when;
end Exact;
MO
"$rung" simulate oscillator.mo exact.mo --model Exact --method esdirk --error-estimate --progress none -o a.csv >out 2>err
[ $? -eq 3 ] && grep -q 'cannot be estimated: the second run fails: .*too exact' err && grep -q 'result in' out ||
    fail "a second run that fails: $(cat out err)"
"$rung" simulate oscillator.mo exact.mo --model Exact --set asserts=false --method esdirk --error-estimate \
    --progress none -o a.csv >out 2>err || fail "events of one run: $(cat out err)"
grep -q '^  [0-9]* events occur in one of the runs only, the first at t = ' out && grep -q ' n, off by 1 at' out ||
    fail "events of one run: $(cat out)"

# A run that ends early has no estimate, and one without states has no error.
cat >early.mo <<'MO'
model Early
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
  annotation(experiment(StopTime = 2));
end Early;
MO
"$rung" simulate early.mo --error-estimate --progress none -o a.csv >out 2>err
[ $? -eq 3 ] && ! grep -q 'error estimate' out || fail "a run that fails: $(cat out err)"
printf 'model Plain\n  Real y = sin(time);\n  parameter Real p = 1;\nend Plain;\n' >plain.mo
"$rung" simulate plain.mo --error-estimate --progress none -o a.csv >out 2>err && grep -q ' 0  y, off by 0 ' out ||
    fail "no states: $(cat out err)"
exit $failed
