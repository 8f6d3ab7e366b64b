// MLS 12.9: external C functions: arrays, sizes, results by pointer, external objects, derivatives
// simulate: --stop 1
// zero: error[1] 1e-14
// zero: error[2] 1e-14
// zero: error[3] 1e-14
// zero: error[4] 1e-14
// zero: error[5] 1e-14
// zero: error[6] 1e-12
// zero: error[7] 1e-14
// moves: y 1
model ExternalFunctions
  type Mode = enumeration(Low, High);
  function horner
    input Real x;
    input Real c[:];
    output Real y;
    external "C" y = horner(x, c, size(c, 1)) annotation(Include = "
#include <stddef.h>
static double horner(double x, const double *c, size_t n)
{
    double y = 0;
    while (n-- > 0)
        y = y*x + c[n];
    return y;
}");
  end horner;
  function summary
    input Real c[2, 2];
    input Integer k[3];
    input Mode mode;
    output Real sum;
    output Integer twice[3];
    output Boolean large;
    external "C" summary(c, size(c, 1), size(c, 2), k, mode, sum, twice, large)
      annotation(Include = "
static void summary(const double *c, size_t rows, size_t columns, const int *k, int mode,
                    double *sum, int *twice, int *large)
{
    *sum = 0;
    for (size_t i = 0; i < rows*columns; i++)
        *sum += mode*c[i];
    for (int i = 0; i < 3; i++)
        twice[i] = 2*k[i];
    *large = *sum > 10;
}");
  end summary;
  function scaled "no call is written down: x, its size, y, its size"
    input Real x[2];
    output Real y[2];
    external "C" annotation(Include = "
static void scaled(const double *x, size_t n, double *y, size_t m)
{
    for (size_t i = 0; i < n && i < m; i++)
        y[i] = 10*x[i];
}");
  end scaled;
  class Offset
    extends ExternalObject;
    function constructor
      input String unit;
      input Real by;
      output Offset o;
      external "C" o = offset_new(unit, by) annotation(Include = "
#include <stdlib.h>
#include <string.h>
static void *offset_new(const char *unit, double by)
{
    double *o = malloc(sizeof *o);
    *o = strcmp(unit, \"km\") == 0 ? 1000*by : by;
    return o;
}
static double offset_at(void *o, double x)
{
    return *(double *)o + x*x;
}
static double offset_rate(void *o, double x, double x_rate)
{
    (void)o;
    return 2*x*x_rate;
}");
    end constructor;
    function destructor
      input Offset o;
      external "C" free(o);
    end destructor;
  end Offset;
  function at
    input Offset o;
    input Real x;
    output Real y;
    external "C" y = offset_at(o, x);
    annotation(derivative(noDerivative = o) = rate);
  end at;
  function rate
    input Offset o;
    input Real x;
    input Real x_rate;
    output Real y_rate;
    external "C" y_rate = offset_rate(o, x, x_rate);
  end rate;
  parameter Real by = 3;
  Offset near = Offset("m", by);
  Offset far = Offset("km", 2*by);
  Real y = horner(time, {1, 2, 3});
  Real sum, x[2] = scaled({time, 1});
  Integer twice[3];
  Boolean large;
  Real p = at(near, time), q = at(far, p);
  Real slope = der(q);
  Real w(start = 1) "Newton's method with the derivative of the annotation";
  Real error[7];
equation
  (sum, twice, large) = summary([time, 1; 2, 3], {1, 2, 3}, Mode.High);
  at(near, w) + w = 5 + time;
  error[1] = y - (1 + 2*time + 3*time^2);
  error[2] = sum - 2*(6 + time) + (if large then 0 else 1);
  error[3] = sum(twice) - 12;
  error[4] = x[1] - 10*time + x[2] - 10;
  error[5] = q - (6000 + (3 + time^2)^2);
  error[6] = slope - 4*time*(3 + time^2);
  error[7] = w - (sqrt(9 + 4*time) - 1)/2;
end ExternalFunctions;
