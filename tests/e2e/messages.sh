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

# one that is longer than its room says that it is
long=$(printf '%0500d' 0)
printf 'model Long "a message of 500 digits"\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = 1;\n  assert(x < 1.5, String(x) + "%s");\nend Long;\n' "$long" >"$dir/Long.mo"
"$rung" simulate "$dir/Long.mo" -q -o "$dir/R.csv" 2>"$dir/said" && exit 1
says 'violated at t = 0.5: 1.50*[.][.][.]$'
echo "messages: good"

# values outside min and max (MLS 4.9.1): of parameters as they are set, of variables as they move
cat >"$dir/Ranges.mo" <<'END'
model Ranges
  type Level = Real(min = 0, max = 3);
  parameter Real a(min = 0.001) = 1;
  parameter Real low = 0.5;
  parameter Real twice(max = 2) = 2*low;
  Level h(start = 1, fixed = true);
  Level again = h;
  Level rounded = 1e-14*cos(time);
  Real q(min = low) = 1 - 0.5*time;
  Integer n(max = 2) = if time > 0.75 then 3 else 2;
equation
  a*der(h) = -2;
end Ranges;
END
ranges() {
    "$rung" simulate "$dir/Ranges.mo" --method rk4 --step 0.0078125 --interval 0.125 --stop 1 -o "$dir/R.csv" "$@" 2>"$dir/said"
}
lines() {
    [ "$(grep -c ' is .* its m.. of ' "$dir/said")" -eq "$1" ] || {
        echo "not $1 values outside their ranges in:"
        cat "$dir/said"
        exit 1
    }
}
ranges || exit 1
says "t = 0.625: 'h' is -0.25, below its min of 0$"
says "t = 0.*: 'n' is 3, above its max of 2$"
lines 2
ranges --set low=0.75 || exit 1
says "t = 0.625: 'q' is 0.6875, below its min of 0.75$"
lines 3
ranges --set low=1.5 || exit 1
says "warning: 'twice' is 3, above its max of 2$"
ranges --set a=-0.5 || exit 1
says "'a' is -0.5, below its min of 0.001$"
says "'h' is 3.*, above its max of 3$"
ranges --range-check off || exit 1
lines 0
ranges --range-check error
[ $? -eq 3 ] || exit 1
says "rung: t = 0.625: 'h' is -0.25, below its min of 0$"
[ "$(wc -l <"$dir/R.csv")" -eq 6 ] || { echo "rows up to the error are not there"; exit 1; }
rm "$dir/R.csv"
ranges --range-check error --set a=-1
[ $? -eq 1 ] && [ ! -e "$dir/R.csv" ] || exit 1
echo "ranges: good"

# An external object that cannot be made, or a function of one that fails: which one it is.
cat >"$dir/Objects.mo" <<'END'
model Objects
  class Store
    extends ExternalObject;
    function constructor
      input Real limit;
      input String name;
      output Store store;
      external "C" store = store_new(limit, name) annotation(Include = "
#include \"ModelicaUtilities.h\"
#include <stdlib.h>
static void *store_new(double limit, const char *name)
{
    if (limit < 0)
        ModelicaFormatError(\"no store %s\", name);
    double *s = malloc(sizeof *s);
    *s = limit;
    return s;
}
static void store_free(void *s)
{
    free(s);
}
static double store_get(void *s, double t)
{
    if (t > *(double *)s)
        ModelicaError(\"too late\");
    return t;
}");
    end constructor;
    function destructor
      input Store store;
      external "C" store_free(store);
    end destructor;
  end Store;
  function get
    input Store store;
    input Real t;
    output Real y;
    external "C" y = store_get(store, t);
  end get;
  block Reader
    parameter Real limit = 10;
    parameter String name = "plain";
    Store store = Store(limit, name);
    Real y = get(store, time);
  end Reader;
  Reader first, second(limit = 0.5), third(name = "other");
end Objects;
END
objects() {
    "$rung" simulate "$dir/Objects.mo" --stop 1 -o "$dir/O.csv" "$@" 2>"$dir/said"
}
objects
[ $? -eq 3 ] || exit 1
says "too late, .*Objects.mo:.*, in 'second.store'$"
objects --set third.limit=-1
[ $? -eq 1 ] || exit 1
says "no store other, .*Objects.mo:.*, in 'third.store'$"
echo "objects: good"
