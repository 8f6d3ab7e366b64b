#!/bin/sh
# Messages with values in them, of models and of functions (MLS 8.3.7, 8.3.8, 3.7.1).
# usage: messages.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >"$dir/Messages.mo" <<'END'
model Messages
  type Level = enumeration(Low, High);
  function steps
    input Real x;
    input Boolean demanding;
    output Real y = 0;
  algorithm
    assert(x < 0.2, "x is " + String(x < 0.2) + " small", AssertionLevel.warning);
    while y < x loop
      assert(y < 0.5, "y = " + String(y, significantDigits = 3) + " and " + String(3, minimumLength = 2));
      y := y + 0.125;
    end while;
    say("ends at " + String(y));
    demand(if demanding then x else 0);
  end steps;
  function say "an external function that is given a text"
    input String text;
    external "C" say(text) annotation(Include = "
#include <stdio.h>
static void say(const char *text)
{
    fprintf(stderr, \"said: %s\\n\", text);
}");
  end say;
  function demand "for its effect alone"
    input Real x;
  algorithm
    assert(x < 0.3, "demanded: " + String(x, significantDigits = 2));
  end demand;
  function deep
    input Real n;
    output Real y;
  algorithm
    y := if n < 0 then 0 else 1 + deep(n + 1);
  end deep;
  parameter Real stop = 0.25;
  parameter Boolean endless = false;
  Level level = if time > 0.125 then Level.High else Level.Low;
  Real x(start = 0, fixed = true);
  parameter Boolean demanding = false;
  Real y = steps(x, demanding);
  Real z = if endless then deep(x) else 0;
equation
  der(x) = 1;
  assert(x < 0.1875, "level " + String(level) + " at x = " + String(x, format = "6.1f") + "!", AssertionLevel.warning);
  when time > stop then
    terminate("x is " + String(x));
  end when;
end Messages;
END
run() {
    "$rung" simulate "$dir/Messages.mo" --method rk4 --step 0.015625 --interval 0.015625 --stop 1 -o "$dir/R.csv" "$@" 2>"$dir/said"
}
says() {
    grep -q -- "$1" "$dir/said" || {
        echo "no '$1' in:"
        cat "$dir/said"
        exit 1
    }
}
run || exit 1
says "x is false small"
says "level High at x =    0.2!"
says "said: ends at 0.25"
says "ends the run at t = 0.25: x is 0.25"
run --set stop=2 && exit 1
says "assertion of 'Messages.steps' violated: y = 0.5 and 3 "
run --set demanding=true --set stop=2 && exit 1
says "violated: demanded: 0.3"
run --set endless=true && exit 1
says "calls of 'Messages.deep' are nested more than 2000 deep"
echo "messages: good"
