#!/bin/sh
# Values that mean nothing end a run, or begin none: what is no finite number where nothing varies,
# Integers with fractions, enumerations outside of their literals, divisions by zero that cancelled.
# A parameter without a value is a warning with its line, and an error with --strict.
# usage: values.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >m.mo <<'MO'
model Quotient
  parameter Real p = 0;
  Real y = 1/p;
end Quotient;
model Division
  parameter Integer n = 0;
  Integer k = div(5, n);
end Division;
model Bound "never used"
  parameter Real p = 0;
  parameter Real q = sqrt(p - 1);
  Real y = if p > 0 then q else 3;
end Bound;
model Cancelled
  parameter Real p = 0;
  Real y = time*p/p;
end Cancelled;
model Guarded "looks before it divides"
  parameter Real p = 0;
  Real y = if p > 0 then p/p else 3;
  Real z = 2;
equation
  if p <> 0 then
    p*y*z/p = z*w;
  else
    w = 1;
  end if;
public
  Real w;
end Guarded;
model Coefficient
  parameter Real c = 0;
  Real f, x(start = 1, fixed = true);
equation
  der(x) = 1;
  c*f = c*x;
end Coefficient;
model Whole
  Integer n, k;
equation
  2*n + k = 7;
  n = k;
end Whole;
model Later
  Integer n;
equation
  2*n = integer(10*time);
end Later;
model Literal
  type T = enumeration(a, b, c);
  parameter Integer i = 6;
  T e = T(i);
end Literal;
model Moves
  type T = enumeration(a, b, c);
  T e = T(1 + integer(time*10));
end Moves;
model Forgotten
  parameter Real p, q(start = 2), r[3];
  Real x = (p + q + sum(r))*time;
end Forgotten;
model Passed "violated inside a step alone"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 0;
  when x > 0.7 then
    reinit(v, -1);
    n = pre(n) + 1;
  end when;
  assert(abs(x - 0.3) > 0.02, "warned of", AssertionLevel.warning);
  assert(x < 0.8, "does not come to pass");
  assert(n < 1 or abs(x - 0.55) > 0.03, "on the way back");
end Passed;
model Fold "the solution that the run follows ends at time = 0.5 + 2/sqrt(27)"
  Real y(start = 1.3);
equation
  y^3 - y = 0.5 - time;
end Fold;
model FoldBesideStates
  extends Fold;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
end FoldBesideStates;
model Continuous "jumps by noEvent, a vertical tangent, a steep flank"
  Real x(start = 0, fixed = true), y(start = 1), z(start = 1), s(start = 0.1);
equation
  der(x) = 2;
  y^3 + y = noEvent(if x < 0.7123 then 1 else -3);
  z^3 = 0.5 - x;
  s^5 + s = 1000*tanh((x - 1)*1e6);
end Continuous;
model Doubles
  Integer n(start = 1, fixed = true);
  output Real r = n;
equation
  when sample(0, 0.02) then
    n = 2*pre(n);
  end when;
end Doubles;
model Scaled
  Integer n = -50000*integer(100000*time);
end Scaled;
model Product
  parameter Integer p = 100;
  parameter Integer q = p*p;
  Integer n = if time > 0.5 then q else 0;
end Product;
MO
interval=0.25
# refuses MODEL STATUS TEXT OPTIONS...
refuses() {
    model=$1 want=$2 text=$3
    shift 3
    "$rung" simulate m.mo --model "$model" --stop 1 --interval "$interval" "$@" -o r.csv >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "$model $*: status $got instead of $want: $(cat err)"
    grep -qF "$text" err || fail "$model $*: '$text' is not in: $(cat err)"
}
accepts() {
    model=$1
    shift
    "$rung" simulate m.mo --model "$model" --stop 1 --interval "$interval" "$@" -o r.csv >out 2>err ||
        fail "$model $*: $(cat err)"
}
refuses Quotient 1 "m.mo:3:12: 'y' = 1 / 'p' with p = 0"
accepts Quotient --set p=2
refuses Division 1 "the value of 'k' is"
refuses Bound 1 "m.mo:11:18: 'q' = sqrt('p' - 1) with p = 0"
accepts Bound --set p=2
refuses Cancelled 1 "m.mo:16:12: assertion violated at t = 0: division by zero: 'p'"
accepts Cancelled --set p=-1
accepts Guarded
accepts Guarded --set p=2
refuses Coefficient 1 "m.mo:36:3: assertion violated at t = 0: 'f' is not determined: its coefficient 'c' is zero"
accepts Coefficient --set c=1e-30
refuses Whole 1 "the value of 'n' is 2.33333333, which is no Integer"
refuses Later 3 "t = 0.1: the value of 'n' is 0.5, which is no Integer"
refuses Doubles 3 "t = 0.6: the value of 'n' is 2147483648, beyond the Integers of 32 bits"
refuses Scaled 3 "the value of 'n' is -2147500000, beyond the Integers of 32 bits"
refuses Product 1 "the value of 'q' is 1e+10, beyond the Integers of 32 bits" --set p=100000
accepts Product --set p=46340
"$rung" fmu m.mo --model Doubles -q -o Doubles.fmu || fail "Doubles: no FMU"
for interface in me cs; do
    "$rung" simulate Doubles.fmu --interface $interface --stop 1 -o r.csv >out 2>err
    [ $? -eq 3 ] && grep -q "t = 0.6: the value of 'n' is 2147483648, beyond" err || fail "Doubles, $interface: $(cat err)"
done
refuses Literal 1 "the value of 'e' is 6, but its enumeration has the literals 1 to 3"
accepts Literal --set i=3
refuses Moves 3 "t = 0.3: the value of 'e' is 4"
# an assertion is violated at the first time, wherever steps and rows are, and no row is later
interval=0.01
for method in esdirk dopri5 ida; do
    refuses Passed 3 'm.mo:74:3: assertion violated at t = 0.82: on the way back' --method $method
    grep -q 'assertion violated at t = 0.28: warned of' err || fail "$method: $(cat err)"
    grep -q 'from 0 to 0.82,' out || fail "$method: $(cat out)"
    tail -n 1 r.csv | grep -qE '^0.8(1|2)[0-9]*,' || fail "$method: $(tail -n 1 r.csv)"
done
for interval in 0.25 0.01 0.0003; do
    for model in Fold FoldBesideStates; do
        refuses $model 3 "the nonlinear equations of 'y' ends at t = 0.88"
    done
    accepts Continuous
done
interval=0.25
accepts Forgotten
for text in "m.mo:59:18: warning F51: parameter 'p' has no value: 0 is taken" \
    "'q' has no value: its start value is taken" "'r[1]' has no value"; do
    grep -qF "$text" err || fail "'$text' is not in: $(cat err)"
done
grep -q "'r\[2\]'" err && fail "an array is told of more than once"
"$rung" check --strict m.mo --model Forgotten >out 2>err
[ $? -eq 1 ] && grep -q 'error F51' err || fail "check --strict: $(cat err)"

# a sweep goes on with the other runs
"$rung" sweep m.mo --model Quotient --vary p=0,1,2 --stop 1 -o sweep >out 2>err
grep -rqF "the value of 'y' is infinite" sweep out err || fail "sweep: $(cat out err)"

# a sum of 120,000 terms is as deep as it is long; the audit looks at it, too
awk 'BEGIN { print "model Deep\n  Real x(start = 1, fixed = true), y, error = y - 120000*x;\nequation\n  der(x) = -x;"
    printf "  y = x"; for (k = 1; k < 120000; k++) printf " + x"; print ";\nend Deep;" }' >deep.mo
"$rung" simulate deep.mo --audit --signals error -o deep.csv >out 2>&1 || fail "a deep sum: $(tail -c 300 out)"
awk -F, 'NR > 1 && $2*$2 > 1e-12 { bad = 1 } END { exit bad || NR < 100 }' deep.csv || fail "a deep sum: $(tail -1 deep.csv)"

# A run that fails at a row has reached that row, not the end of the step around it.
"$rung" simulate m.mo --model FoldBesideStates --stop 1 --interval 0.15 --format json -o r.csv >out 2>err
grep -q '"reached": 0.8999999' out && grep -q '"status": 3' out || fail "reached: $(cat out err)"
exit $failed
