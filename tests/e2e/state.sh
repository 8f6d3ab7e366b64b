#!/bin/sh
# A run that is saved and one that goes on from there: together, byte for byte, the run that saved
# and did not stop.
# usage: state.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
# events, a delay, a nonlinear equation, memory, a parameter
cat >ball.mo <<'MO'
model Ball
  parameter Real g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), d, lag(start = 0, fixed = true), w(start = 0.2);
  discrete Integer n(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  w^3 + w = h;
  d = delay(h, 0.13);
  der(lag) = d - lag + w;
  when h < 0 then
    reinit(v, -0.8*pre(v));
    n = pre(n) + 1;
  end when;
  when sample(0.05, 0.1) then
    last = h;
  end when;
end Ball;
MO
# a save ends what the choice of a method is made by: pieces are as the whole
cat >switch.mo <<'MO'
model Switch
  Real i(start = 0, fixed = true), w(start = 0, fixed = true);
  Boolean on = mod(1000*time, 1) < 0.4;
equation
  0.001*der(i) = (if on then 24 else 0) - i - 0.1*w;
  der(w) = i - w;
end Switch;
MO
"$rung" simulate switch.mo --stop 2 --interval 0.01 --save-state all.s --save-interval 0.705 -o all.csv >out || fail "$(cat out)"
grep -q 'from t = 0.*on dopri5' out || fail "close events: $(cat out)"
"$rung" simulate switch.mo --stop 1.41 --interval 0.01 --save-state 1.s --save-interval 0.705 -o 1.csv -q
"$rung" simulate switch.mo --stop 2 --from 1.s --save-state 2.s -o 2.csv >out
grep -q 'from t = 0.*on dopri5' out || fail "close events, resumed: $(cat out)"
{ cat 1.csv; tail -n +3 2.csv; } | cmp - all.csv || fail "close events: pieces"
cmp 2.s all.s || fail "close events: last states"
"$rung" simulate switch.mo --method ida --stop 2 --interval 0.01 --signals i,w -o ida.csv >out
grep -q dopri5 out && fail "a method that is named is left"
"$rung" compare all.csv ida.csv --tolerance 1e-4 -q || fail "close events: ida says other"
# whole MODEL METHOD...: rows of three pieces are those of the run that saved on its way
whole() {
    model=$1
    shift
    "$rung" simulate "$model" --method "$@" --stop 2 --interval 0.01 --save-state all.s --save-interval 0.7 -o all.csv -q &&
        "$rung" simulate "$model" --method "$@" --stop 0.7 --interval 0.01 --save-state 1.s -o 1.csv -q &&
        "$rung" simulate "$model" --method "$@" --stop 1.4 --from 1.s --save-state 2.s -o 2.csv -q &&
        "$rung" simulate "$model" --method "$@" --stop 2 --from 2.s --save-state 3.s -o 3.csv -q || fail "$*"
    { cat 1.csv; tail -n +3 2.csv; tail -n +3 3.csv; } >pieces.csv
    cmp pieces.csv all.csv || fail "$model: $*"
    cmp 3.s all.s || fail "the last states: $model: $*"
}
controlled='ida'
fixed='rk4'
large && controlled='dopri5 esdirk ida cvode' && fixed='rk4 bdf trapezoid'
for method in $controlled; do
    whole ball.mo "$method"
done
for method in $fixed; do
    whole ball.mo "$method" --step 0.004
done
# a closed loop of bodies
if large; then
    whole "$source/tests/sim/loops/SliderCrankClosedForm.mo" esdirk
    whole "$source/tests/sim/loops/SliderCrankClosedForm.mo" ali3p --step 0.01
fi
# fixed steps that meet the save: as if it had never stopped
"$rung" simulate ball.mo --set g=0 --method rk4 --step 0.0078125 --interval 0.125 --stop 2 -o plain.csv -q
"$rung" simulate ball.mo --set g=0 --method rk4 --step 0.0078125 --interval 0.125 --stop 1 --save-state s -o 1.csv -q
"$rung" simulate ball.mo --method rk4 --step 0.0078125 --stop 2 --from s -o 2.csv -q
awk -F, 'NR == FNR { line[$1] = $2 "," $3; next } FNR > 1 && line[$1] != $2 "," $3 { bad = 1 } END { exit bad }' \
    plain.csv 2.csv || fail "states of fixed steps without a save differ"

# a parameter is another from there on, the states are not; g was saved as 0
"$rung" simulate ball.mo --from s --set g=1 --stop 2 --method rk4 --step 0.01 -o r.csv -q || fail "--set and --from"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { h = $at["\"h\""] } END { exit !((h - $at["\"h\""] - 0.5)^2 < 1e-12) }' r.csv ||
    fail "the parameter that is set does nothing"

# times of samples, of clocks and delays are those of the parameters that are set, from there on: with
# x = t^2 what is delayed and sampled is known
cat >times.mo <<'MO'
model Times
  parameter Real h = 0.1, c = 0.1, lag = 0.3;
  Real x(start = 0, fixed = true), d;
  discrete Real s(start = 0, fixed = true), k;
  Real held;
equation
  der(x) = 2*time;
  d = delay(x, lag);
  when sample(0.05, h) then
    s = time;
  end when;
  k = sample(time, Clock(c));
  held = hold(k);
end Times;
MO
"$rung" simulate times.mo --stop 0.52 --save-state t -o none.csv -q || fail "times.mo"
"$rung" simulate times.mo --from t --set h=0.2 --set c=0.25 --set lag=0.2 --stop 0.7 -o r.csv -q ||
    fail "times are set"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { s = $at["\"s\""]; k = $at["\"held\""]; d = $at["\"d\""] }
    END { exit !((d - 0.25)^2 < 1e-10 && (s - 0.65)^2 < 1e-20 && (k - 0.5)^2 < 1e-20) }' r.csv ||
    fail "times are what they were: $(tail -n 1 r.csv)"
rm -f none.csv

# of fluid that has left nothing is remembered
cat >pipe.mo <<'MO'
model Pipe
  Real x(start = 0, fixed = true), first, out, turning(start = 0, fixed = true), home, right;
  Real error(start = 0, fixed = true);
equation
  der(x) = 1;
  (first, out) = spatialDistribution(sin(3*time), 0, x, true);
  der(turning) = 0.1 + cos(time);
  (home, right) = spatialDistribution(cos(time), -1, turning, der(turning) >= 0);
  der(error) = if time < 1 then 0 else out - sin(3*(time - 1));
end Pipe;
MO
for stop in 20 200; do
    "$rung" simulate pipe.mo --stop $stop --save-state $stop.s --tolerance 1e-8 -q -o $stop.csv || fail "pipe.mo"
done
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { e = $at["\"error\""] } END { exit !(e^2 < 1e-10) }' 200.csv ||
    fail "what leaves the pipe: $(tail -n 1 200.csv)"
[ "$(wc -c <200.s)" -lt "$((4 * $(wc -c <20.s)))" ] || fail "the history of a pipe: $(wc -c 20.s 200.s)"

# what cannot be
says() {
    want=$1
    text=$2
    shift 2
    "$rung" simulate "$@" -o none.csv >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "status $got instead of $want: $* $(cat err)"
    grep -qF "$text" err || fail "'$text' is not in: $(cat err)"
    [ ! -e none.csv ] || fail "a result in spite of: $text"
}
head -c 300 s >cut
says 1 "cut off or damaged" ball.mo --from cut --stop 2
sed 's/lag/late/g' ball.mo >other.mo
says 1 "belongs to another model" other.mo --from s --stop 2
says 1 "is not a saved state" ball.mo --from ball.mo --stop 2
says 4 "No such file" ball.mo --from none --stop 2
says 1 "reaches back 0.3 s" times.mo --from t --set lag=0.4 --stop 2
says 1 "the interval of sample() must be positive" times.mo --from t --set h=0 --stop 2
says 1 "below the rounding of times" times.mo --from t --set h=1e-20 --stop 2
says 1 "below the rounding of times" times.mo --set c=1e-16 --stop 2
says 2 "give a later --stop" ball.mo --from s --stop 0.5
says 2 "needs --save-state" ball.mo --save-interval 1
says 2 "must be positive" ball.mo --save-state x --save-interval 0
[ ! -e x ] || fail "a state in spite of a mistake"
cat >object.mo <<'MO'
model Object
  class Box
    extends ExternalObject;
    function constructor
      output Box b;
      external "C" b = box_new() annotation(Include = "
        static int box; static void *box_new(void) { return &box; }");
    end constructor;
    function destructor
      input Box b;
      external "C" box_free(b) annotation(Include = "static void box_free(void *b) { (void)b; }");
    end destructor;
  end Box;
  Box box = Box();
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Object;
MO
says 1 "external objects" object.mo --save-state x --stop 1
[ ! -e x ] || fail "the state of a model with external objects"
"$rung" simulate ball.mo --save-state none/x --stop 0.01 -o r.csv >out 2>err
[ $? -eq 4 ] && grep -q "cannot write 'none/x'" err || fail "a state that cannot be written: $(cat err)"

# pieces of closed loops are audited on request, which is said
if large; then
    loop=$source/tests/sim/loops/SliderCrankClosedForm.mo
    "$rung" simulate "$loop" --stop 0.01 --save-state s -o o.csv >out || fail "$(cat out)"
    grep -q '^audit: left out' out || fail "an audit is left out, unsaid: $(cat out)"
    "$rung" simulate "$loop" --stop 0.01 --save-state s --audit -o o.csv >out || fail "$(cat out)"
    grep -q '^audit: .* bound' out || fail "an audit that is asked for is left out: $(cat out)"
fi
"$rung" simulate ball.mo --audit --no-audit -o o.csv 2>err
[ $? -eq 2 ] && grep -q contradict err || fail "an audit and none: $(cat err)"
exit $failed
