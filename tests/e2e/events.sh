#!/bin/sh
# Events that follow one another without end stop the run with the relations to blame, and so do
# relations that find no consistent values; what was reached is kept. A relation that is too fast to be
# followed is told of.
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
M
# stops MODEL ROWS TEXT...: with status 3 and a message that holds the texts
stops() {
    model=$1 rows=$2
    shift 2
    "$rung" simulate events.mo --model "$model" --stop 2 --interval 0.1 -o out.csv >log 2>&1
    [ $? -eq 3 ] || fail "$model: status, $(cat log)"
    for text in "$@"; do
        grep -qF "$text" log || fail "$model: no '$text' in: $(cat log)"
    done
    [ "$(($(wc -l <out.csv) - 1))" -ge "$rows" ] || fail "$model: rows are lost"
}
stops Chatter 10 "without end, the last 1000 within" "0 < 'x' changed 1000 times" "events.mo:4:3"
stops Contrary 5 "t = 0.5" "no consistent values" "0.5 < 'y' changed" "events.mo:9:"
"$rung" simulate events.mo --model Blind --stop 2 -o out.csv >log 2>&1 || fail "Blind: $(cat log)"
for text in "events.mo:20:" "1.0000001 < sin(1000000 * 'x')' moves too fast to be followed" \
    "steps in which a relation moved too fast"; do
    grep -qF "$text" log || fail "Blind: no '$text' in: $(cat log)"
done
exit $failed
