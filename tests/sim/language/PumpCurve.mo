// MLS 12.7: a function that calls an external one without derivative is differentiated by the inputs
// on which the arguments of that call do not depend, here by V: 100 - 10*V - 10*V^2 = 60 - 20*time.
// A call of an external function whose arguments do not move does not move either.
// simulate: --stop 1
// ends: V 2 1e-9
// ends: rate 0.4 1e-9
// ends: second -0.064 1e-9
// ends: summed 2 1e-9
// ends: by_curve 2 1e-9
model PumpCurve
  function coefficients "of the parabola through (0, h[1]), (1, h[2]), (2, h[3])"
    input Real h[3];
    output Real c[3];
    external "C" fit(h, c) annotation(Include = "
static void fit(const double *h, double *c)
{
    c[0] = h[0];
    c[2] = (h[2] - 2*h[1] + h[0])/2;
    c[1] = h[1] - h[0] - c[2];
}");
  end coefficients;
  function head
    input Real V, h[3];
    output Real y;
  protected
    Real c[3] = coefficients(h);
  algorithm
    y := c[1] + V*(c[2] + V*c[3]);
  end head;
  function load "calls it twice, and has a loop"
    input Real V, h[3];
    input Integer n;
    output Real y = 0;
  protected
    Real most = head(0, h), part;
  algorithm
    for k in 1:n loop
      part := (most - head(V, h))/n;
      y := y + part;
    end for;
  end load;
  parameter Real h[3] = {100, 80, 40};
  parameter Integer n = 3;
  Real V(start = 1), rate = der(V), second = der(rate), summed(start = 1), by_curve(start = 1);
  Real curve[3] = {100 - time, 80 - time, 40 - time};
equation
  head(V, h) = 60 - 20*time;
  load(summed, h, n) = 40 + 20*time;
  head(by_curve, curve) = 60 - 21*time "differentiated by by_curve alone";
end PumpCurve;
