// MLS 12.9.7: external objects, which have a memory, are those of the run also where a vanishing pivot has the
// equations solved in another way.
// simulate: --stop 1
// zero: error 1e-5
// moves: x 0.1
model ObjectsAndPivots
  class Offset
    extends ExternalObject;
    function constructor
      input Real by;
      output Offset o;
      external "C" o = offset_new(by) annotation(Include = "
#include <stdlib.h>
static void *offset_new(double by)
{
    double *o = malloc(sizeof *o);
    *o = by;
    return o;
}
static double offset_set(void *o, double by)
{
    *(double *)o = by;
    return by;
}
static double offset_at(void *o, double x)
{
    return *(double *)o + x;
}");
    end constructor;
    function destructor
      input Offset o;
      external "C" free(o);
    end destructor;
  end Offset;
  impure function set
    input Offset o;
    input Real by;
    output Real y;
    external "C" y = offset_set(o, by);
  end set;
  function at
    input Offset o;
    input Real x;
    output Real y;
    external "C" y = offset_at(o, x);
  end at;
  Offset o = Offset(-1);
  discrete Real last(start = -1, fixed = true);
  Real c = cos(6.283185307179586*time), s = sin(6.283185307179586*time), x(start = 0, fixed = true), a, b;
  Real error = abs(c*b - s*a - 1) + (if time < 0.1 then 0 else abs(c*a + s*b - 2 - time)) + abs(x - (if time < 0.1 then 0 else 2*time - 0.2 + (time^2 - 0.01)/2));
equation
  when time >= 0.1 then
    last = set(o, 2);
  end when;
  der(x) = if time < 0.1 then 0 else c*a + s*b;
  // c and s vanish in turn
  c*a + s*b = at(o, time);
  -s*a + c*b = 1;
end ObjectsAndPivots;
