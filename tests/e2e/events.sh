#!/bin/sh
# Events that follow one another without end stop the run with the relations to blame, and so do
# relations that find no consistent values; what was reached is kept. A relation that is too fast to be
# followed is told of, and so is reinit of one of several states that a constraint ties.
# usage: events.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >events.mo <<'M'
model Chatter
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  der(y) = if time > 0.3 then 1 else 0;
end Chatter;
model Contrary
  Real x(start = 0, fixed = true), y;
  Boolean above = y > 0.5;
equation
  der(x) = 1;
  y = if above then x - 1 else x;
end Contrary;
model Blind
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when sin(1e6*x) > 1.0000001 then
    n = pre(n) + 1;
  end when;
end Blind;
model Struck "a pendulum whose speed along x is halved, and that along y by the rod"
  parameter Boolean both = false;
  Real x(start = 0.6), y(start = -0.8), vx(start = 0), vy, F, along = x*vx + y*vy;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  x^2 + y^2 = 1;
  when time > 0.5 then
    reinit(vx, 0.5*vx);
    if both then
      reinit(vy, 0.5*vy);
    end if;
  end when;
end Struck;
model StruckTwice "along x first, later along y: as if the angle had been struck"
  extends Struck;
  Real phi(start = -0.9272952180016122, fixed = true), w(start = 0, fixed = true), error = vy - w*cos(phi);
equation
  der(phi) = w;
  der(w) = -9.81*cos(phi);
  when time > 0.8 then
    reinit(vy, 1.0);
  end when;
  when {time > 0.5, time > 0.8} then
    reinit(w, if time > 0.7 then 1/cos(phi) else 0.5*w);
  end when;
end StruckTwice;
model StruckInSpace "two speeds follow, by no equation"
  Real x(start = 0.6), y(start = -0.8), z(start = 0), vx(start = 0), vy(start = 0), vz(start = 0.1), F;
equation
  der(x) = vx;
  der(y) = vy;
  der(z) = vz;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  der(vz) = -F*z;
  x^2 + y^2 + z^2 = 1;
  when time > 0.5 then
    reinit(vx, 0.5*vx);
  end when;
end StruckInSpace;
model BreakAway "a spring, wound up slowly, pushes a mass against friction that grows with the push"
  Real v(start = 0, fixed = true), s(start = 0, fixed = true), wound(start = 0, fixed = true);
  Real a, sa, f, F = 1000 + 1.3*(wound - s), most = 0.2*F + 801;
  Boolean forward = pre(mode) == 0 and sa > most, locked = not (pre(mode) == 1 or forward);
  Integer mode(start = 0, fixed = true);
equation
  der(wound) = 0.77;
  der(s) = v;
  der(v) = a;
  0.3*a = F - f;
  f = if locked then sa else most;
  a = if locked then 0 else sa - most;
  mode = if (pre(mode) == 1 or forward) and v > 0 then 1 else 0;
end BreakAway;
model SlidesOn "begins to slide at 1.01, and slides on at 1"
  Real v(start = 0, fixed = true), a, sa, f, error = v - (if time < 1.01 then 0 else ((time - 1)^2 - 1e-4)/20);
  Boolean forward(start = false, fixed = true), locked, stuck(start = true, fixed = true);
equation
  der(v) = a;
  10*a = time - f;
  forward = pre(stuck) and (sa > 1.01 or pre(forward) and sa > 1);
  locked = pre(stuck) and not forward;
  f = if locked then sa else 1;
  a = if locked then 0 else sa - 1;
  stuck = locked or v <= 0;
end SlidesOn;
model Falls "through the floor, once its bounces are too low to be seen: they end at (1 + e)/(1 - e)*sqrt(2/g)"
  parameter Real e = 0.5;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
end Falls;
model Rests "on the floor"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), after(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true), impact = h <= 0;
equation
  der(h) = v;
  der(v) = if flying then -9.81 else 0;
  when {h <= 0 and v <= 0, impact} then
    after = if edge(impact) then -0.5*pre(v) else 0;
    flying = after > 0;
    reinit(v, after);
  end when;
end Rests;
model Sticks "friction by sign(), which makes no event: no step gets past v = 0"
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = 0.5*sin(time) - 2*sign(v);
end Sticks;
M
# stops MODEL ROWS TEXT...: with status 3 and a message that holds the texts
stops() {
    model=$1 rows=$2
    shift 2
    "$rung" simulate events.mo --model "$model" --stop 2 --interval 0.1 $options -o out.csv >log 2>&1
    [ $? -eq 3 ] || fail "$model: status, $(cat log)"
    for text in "$@"; do
        grep -qF "$text" log || fail "$model: no '$text' in: $(cat log)"
    done
    [ "$(($(wc -l <out.csv) - 1))" -ge "$rows" ] || fail "$model: rows are lost"
}
options=
stops Chatter 10 "without end, the last 1000 within" "0 < 'x' changed 1000 times" "events.mo:4:3" \
    "wants a steep slope instead, or a discrete state in which the value rests"
stops Contrary 5 "t = 0.5" "no consistent values" "0.5 < 'y' changed" "events.mo:9:"
stops Falls 14 "ever faster up to t = 1.3545" "'h' < 0 (events.mo" "became true" "and then for good"
stops 'Falls(e = 0.2)' 7 "ever faster up to t = 0.6772" "and then for good"
for method in ida esdirk; do
    options="--method $method"
    stops Sticks 6 "; der(v) jumps to and fro where no event is made"
done
"$rung" simulate events.mo --model Rests --stop 2 -o out.csv >log 2>&1 || fail "Rests: $(cat log)"
"$rung" simulate events.mo --model Blind --stop 2 -o out.csv >log 2>&1 || fail "Blind: $(cat log)"
for text in "events.mo:20:" "1.0000001 < sin(1000000 * 'x')' moves too fast to be followed" \
    "steps in which a relation moved too fast"; do
    grep -qF "$text" log || fail "Blind: no '$text' in: $(cat log)"
done

# what an event leaves at zero is no event again and again while it is nothing but rounding
"$rung" simulate events.mo --model BreakAway --stop 2 -o out.csv >log 2>&1 || fail "BreakAway: $(cat log)"
grep -q ' [23] events' log || fail "BreakAway: $(cat log)"

# sa > 1.01 contradicts what follows from it, until pre(forward) is true
"$rung" simulate events.mo --model SlidesOn --stop 2 --signals error -o out.csv >log 2>&1 || fail "SlidesOn: $(cat log)"
awk -F, 'NR > 1 && $2*$2 > 1e-10 { bad = 1 } END { exit bad }' out.csv || fail "SlidesOn: $(tail -1 out.csv)"

# what a constraint ties to a state that is set follows it, or that it does not is said
"$rung" simulate events.mo --model Struck --signals along -o out.csv >log 2>&1 || fail "Struck: $(cat log)"
awk -F, 'NR > 1 && $2*$2 > 1e-16 { bad = 1 } END { exit bad }' out.csv || fail "Struck: not along the circle"
for model in Struck StruckTwice; do
    "$rung" simulate events.mo --model $model --states redundant --signals along,error -o out.csv >log 2>&1 ||
        fail "$model: $(cat log)"
    awk -F, 'NR > 1 && ($2*$2 > 1e-10 || $3*$3 > 1e-8) { bad = 1 } END { exit bad }' out.csv ||
        fail "$model: not along the circle: $(tail -1 out.csv)"
    grep -q S10 log && fail "$model: $(cat log)"
done
"$rung" simulate events.mo --model StruckTwice --signals error -o out.csv >log 2>&1 || fail "StruckTwice: $(cat log)"
grep -q 'S04\|S10' log && fail "StruckTwice, which says nothing of stateSelect: $(cat log)"
# after which the constraint does not hold, as the warning says
"$rung" simulate events.mo --model StruckInSpace --states redundant --no-audit -o out.csv >log 2>&1 || fail "StruckInSpace: $(cat log)"
grep -q "events.mo:[0-9]*:5: warning S10: reinit of 'vx' leaves 'v[yz]' as it is" log || fail "StruckInSpace: no S10: $(cat log)"
"$rung" simulate events.mo --model 'Struck(both=true)' --states redundant --signals along -o out.csv >log 2>&1 ||
    fail "Struck both: $(cat log)"
grep -q S10 log && fail "Struck both: $(cat log)"

# bounces ever lower are followed down to the speed below which the model lets the ball rest; without such a speed the
# run stops, with the relation's name, and does not fall through the floor
cat >rest.mo <<'M'
model Rest
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  parameter Real slow = 1e-6;
  discrete Boolean falls(start = true, fixed = true);
equation
  der(h) = v;
  der(v) = if falls then -9.81 else 0;
  when h <= 0 then
    reinit(v, if pre(v) > -slow then 0 else -0.7*pre(v));
    falls = pre(v) < -slow;
  end when;
end Rest;
M
for options in '' '--method dopri5' '--method esdirk' '--tolerance 1e-4' '--tolerance 1e-9'; do
    # shellcheck disable=SC2086
    "$rung" simulate rest.mo --stop 5 $options -o out.csv >log 2>&1 || fail "Rest $options: $(cat log)"
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
        NR > 1 { if ($at["\"h\""] < -1e-12) bad = 1; last = $at["\"h\""]; v = $at["\"v\""] }
        END { exit bad || last > 1e-12 || v != 0 }' out.csv || fail "Rest $options: $(tail -1 out.csv)"
done
"$rung" simulate rest.mo --stop 5 --set slow=0 -o out.csv >log 2>&1
[ $? -eq 3 ] || fail "a ball that never rests: $(cat log)"
grep -q "faster" log || fail "a ball that never rests: $(cat log)"
exit $failed
