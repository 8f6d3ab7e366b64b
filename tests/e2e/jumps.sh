#!/bin/sh
# A variable that is no state and whose derivative is used has no derivative where it jumps at an
# event: a run and FMUs say so once, with time and name. What reinit sets, and what goes on
# continuously, they do not name.
# usage: jumps.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >m.mo <<'MO'
model Step
  Real x = if time > 0.5 then 1 else 0, v = der(x);
end Step;
model Again "the second jump is not told"
  Real z(start = 0, fixed = true), x = mod(z, 0.3), v = der(x);
equation
  der(z) = 1;
end Again;
model Small
  Real z(start = 0, fixed = true), x = 1e-10*mod(z, 0.3), v = der(x);
equation
  der(z) = 1;
end Small;
model Speed "a position with a kink"
  Real s = if time > 0.5 then time - 0.5 else 0, v = der(s), a = der(v);
end Speed;
model Capacitors "two at a source that steps: the state is continuous, the other one jumps"
  parameter Real R = 1;
  Real u1(start = 0, fixed = true, stateSelect = StateSelect.prefer), u2, i;
equation
  u1 + u2 = if time > 0.5 then 1 else 0;
  der(u1) = i - u1/R;
  2*der(u2) = i;
end Capacitors;
model Loop "an unknown of a nonlinear block"
  Real y, x = 2*y, v = der(x);
equation
  y + y^3 = if time > 0.5 then 2 else 1;
end Loop;
model Delayed
  Real x = delay(if time > 0.5 then 1 else 0, 0.1), v = der(x);
end Delayed;
model Bounce "positions and speeds that follow a state that reinit sets"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), w = 2*v + (if h > 0.5 then 1e-9 else 0), a = der(w);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
  end when;
end Bounce;
model Continuous "kinks, and rounding at an event"
  Real z(start = 0, fixed = true), x = if z > 0.3 then 3*z - 0.6 else z, v = der(x);
  Real y = (if z > 0.7 then 1e-17 else 0)*z, w = der(y);
equation
  der(z) = 1;
end Continuous;
model Through "the event is where the value is zero, and rounding makes it pass"
  Real z(start = 0.5, fixed = true), x = if z > 1 then z - 1 else 1 - z, v = der(x);
equation
  der(z) = z;
end Through;
model Many
  Real x[20] = {if time > 0.5 then k else 0 for k in 1:20}, v[20] = der(x);
end Many;
MO

# warns MODEL N [TEXT]: N warnings of jumps in a run, and of three models in both kinds of an FMU, with the TEXT
warns() {
    ways='m.fmu'
    case $1 in
    Step | Loop | Delayed | Through) "$rung" fmu m.mo --model $1 -q -o m.fmu || fail "$1: no FMU" ;;
    *) ways= ;;
    esac
    for what in 'm.mo --model '$1 ${ways:+"$ways --interface me"} ${ways:+"$ways --interface cs"}; do
        "$rung" simulate $what --stop 1 -o r.csv >out 2>err || fail "$1, $what: $(cat err)"
        [ "$(grep -c 'equations use its derivative' err)" -eq $2 ] || fail "$1, $what: $(cat err)"
        [ $2 -eq 0 ] || grep -qF "$3" err || fail "$1, $what: $(cat err)"
    done
}
warns Step 1 "t = 0.5: 'x' jumps from 0 to 1, and equations use its derivative"
warns Again 1 "t = 0.3: 'x' jumps from 0.3 to"
warns Small 1 "t = 0.3: 'x' jumps from 3e-11 to"
warns Speed 1 "t = 0.5: 'v' jumps from 0 to 1"
warns Capacitors 1 "t = 0.5: 'u2' jumps from 0 to 1"
warns Loop 1 "t = 0.5: 'x' jumps from 1.36465561 to 2"
warns Delayed 1 "t = 0.6: 'x' jumps from 0 to 1"
warns Bounce 0
warns Continuous 0
warns Through 0
"$rung" simulate m.mo --model Many --stop 1 -o r.csv >out 2>err || fail "Many: $(cat err)"
[ "$(grep -c 'equations use its derivative' err)" -eq 10 ] && grep -q 'further variables are not reported' err || fail "Many: $(cat err)"
# without events it is the audit that finds jumps; where nothing uses a derivative of it, or x bends, there is none
cat >n.mo <<'MO'
model OfTime
  Real x = noEvent(if time > 0.503 then 1 + time else time), v = der(x), y(start = 0, fixed = true);
equation
  der(y) = v;
end OfTime;
model OfState
  Real q(start = 0, fixed = true), x = smooth(0, noEvent(if q > 0.503 then 1 + q else q)), v = 2*der(x);
equation
  der(q) = 1;
end OfState;
model Bends
  Real q(start = 0, fixed = true), x = noEvent(if q > 0.503 then 2*q - 0.503 else q), v = der(x);
  Real z = noEvent(if q > 0.7 then 1 else 0);
equation
  der(q) = 1;
end Bends;
MO
for model in OfTime OfState Bends; do
    "$rung" simulate n.mo --model $model --stop 1 -o r.csv >out 2>err || fail "$model: $(cat err)"
    n=1
    [ $model = Bends ] && n=0
    [ "$(grep -c " 'x' jumps without an event, and 'v' = .*der('x') uses its derivative" err)" -eq $n ] || fail "$model: $(cat err)"
done
exit $failed
