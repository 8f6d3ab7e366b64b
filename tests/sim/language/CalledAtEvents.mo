// MLS 12.3, 12.9: what has a memory is called once at each event of its when-clause, and never
// between; two calls of an impure function are two
// simulate: --stop 1.1
// methods: ida cvode dopri5 esdirk
// ends: n 4 0
// ends: first 7 0
// ends: second 8 0
// ends: x 1.9 1e-9
// ends: again 4 0
// ends: with 14 0
// ends: area 0.5 1e-7
// moves: x 1
model CalledAtEvents
  class Counter
    extends ExternalObject;
    function constructor
      output Counter c;
      external "C" c = counter_new() annotation(Include = "
#include <stdlib.h>
typedef struct Counted { int n; double t; } Counted;
static void *counter_new(void)
{
    Counted *c = calloc(1, sizeof *c);
    if (c)
        c->t = -1;
    return c;
}
static void counter_free(void *c) { free(c); }
static double counter_next(void *c) { return ++((Counted *)c)->n; }
/* times of a table: a call at another time goes on to the next one */
static double counter_time(void *c, double t)
{
    static const double at[] = {0, 0.3, 0.8, 1e60};
    Counted *k = c;
    k->n += t != k->t;
    k->t = t;
    return at[k->n < 3 ? k->n : 3];
}");
    end constructor;
    function destructor
      input Counter c;
      external "C" counter_free(c);
    end destructor;
  end Counter;
  function next
    input Counter c;
    input Real t;
    output Real n;
    external "C" n = counter_next(c);
  end next;
  impure function count
    input Counter c;
    output Real n;
    external "C" n = counter_next(c);
  end count;
  function nextTime
    input Counter c;
    input Real t;
    output Real at;
    external "C" at = counter_time(c, t);
  end nextTime;
  Counter a = Counter(), b = Counter(), table = Counter();
  discrete Real n(start = 0, fixed = true), first(start = 0, fixed = true), second(start = 0, fixed = true);
  Counter c = Counter(), d = Counter();
  discrete Real again(start = 0, fixed = true), with(start = 0, fixed = true);
  Boolean follows = again*ramp > 0.8 "changes at the time of a sample, once more what is called";
  Boolean late = ramp >= 0.5;
  Real ramp(start = 0, fixed = true);
  discrete Real at(start = 0, fixed = true), height(start = 0, fixed = true);
  Real x(start = 0, fixed = true), area(start = 0, fixed = true);
equation
  der(x) = n;
  when sample(0.25, 0.25) then
    n = next(a, time);
    first = count(b);
    second = count(b);
  end when;
  when sample(0.25, 0.25) then
    again = count(c);
    with = count(d) + (if late then 10 else 0);
  end when;
  der(ramp) = 1;
  der(area) = height;
  when {initial(), time >= pre(at)} then
    at = nextTime(table, time);
    height = if initial() then 0 else 1 - pre(height);
  end when;
end CalledAtEvents;
