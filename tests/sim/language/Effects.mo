// MLS 12.3: calls for what they do: at events alone, as often as the model says, in their order
// simulate: --stop 1 --interval 0.03125
// zero: error[1] 1e-14
// zero: error[2] 1e-14
// zero: error[3] 1e-14
// zero: error[4] 1e-14
// zero: error[5] 1e-8
// moves: n 3
model Effects
  class Log "remembers a sum and a product of what it was told"
    extends ExternalObject;
    function constructor
      input Real start;
      output Log log;
      external "C" log = logNew(start) annotation(Include = "
#include <stdlib.h>
typedef struct { double calls, value; } Log;
static inline void *logNew(double start)
{
    Log *l = calloc(1, sizeof *l);
    l->value = start;
    return l;
}
static inline void logFree(void *l)
{
    free(l);
}
static inline void logScale(void *l, double x)
{
    ((Log *)l)->calls++;
    ((Log *)l)->value *= x;
}
static inline void logAdd(void *l, double x)
{
    ((Log *)l)->calls++;
    ((Log *)l)->value += x;
}
static inline double logCalls(void *l)
{
    return ((Log *)l)->calls;
}
static inline double logValue(void *l, double after)
{
    (void)after;
    return ((Log *)l)->value;
}");
    end constructor;
    function destructor
      input Log log;
      external "C" logFree(log);
    end destructor;
  end Log;
  impure function scale
    input Log log;
    input Real x;
    external "C" logScale(log, x);
  end scale;
  impure function add
    input Log log;
    input Real x;
    external "C" logAdd(log, x);
  end add;
  impure function both "calls others for what they do"
    input Log log;
    input Real x;
  algorithm
    add(log, x);
    if x > 0.3 then
      scale(log, 1);
    end if;
  end both;
  impure function calls
    input Log log;
    output Real n;
    external "C" n = logCalls(log);
  end calls;
  impure function value
    input Log log;
    input Real after;
    output Real n;
    external "C" n = logValue(log, after);
  end value;
  function demand "can only fail"
    input Real x;
  algorithm
    assert(x < 2, "x is " + String(x));
  end demand;
  Log log = Log(1), other = Log(0), first = Log(5);
  discrete Integer n(start = 0, fixed = true);
  discrete Real expected(start = 1, fixed = true), found(start = 1, fixed = true);
  discrete Real counted(start = 0, fixed = true), begun(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
  Real error[5];
initial algorithm
  add(first, 2);
  scale(first, 10);
equation
  der(x) = 1;
  demand(x);
  when sample(0.125, 0.25) then
    n = pre(n) + 1;
    scale(log, 2);
    add(log, n);
    expected = 2*pre(expected) + n;
  end when;
  when sample(0.25, 0.25) then
    found = value(log, n);
    counted = calls(log);
    begun = value(first, n);
  end when;
algorithm
  when {x > 0.2, x > 0.4, x > 0.6} then
    both(other, x);
  end when;
equation
  error[1] = if time > 0.25 and n > 0 and mod(time, 0.25) < 0.1 then found - expected else 0;
  error[2] = if time > 0.25 and mod(time, 0.25) < 0.1 then counted - 2*n else 0;
  error[3] = if time > 0.25 then begun - 70 else 0;
  when terminal() then
    error[4] = calls(other) - 5;
    error[5] = value(other, n) - 1.2;
  end when;
end Effects;
