// MLS 12.7.1: a function that is not inlined is differentiated through its annotation
// simulate: --stop 1 --tolerance 1e-9
// zero: error[1] 1e-6
// zero: error[2] 1e-6
model FunctionDerivative
  function wave
    input Real x;
    input Real k;
    output Real y;
  algorithm
    y := sin(k*x);
    annotation(Inline = false, derivative(noDerivative = k) = wave_der);
  end wave;
  function wave_der
    input Real x;
    input Real k;
    input Real x_der;
    output Real y_der;
  algorithm
    y_der := k*cos(k*x)*x_der;
    annotation(Inline = false);
  end wave_der;
  Real x(start = 0.5, fixed = true);
  Real y = wave(x, 3);
  Real v = der(y);
  Real error[2];
equation
  der(x) = 1;
  error[1] = x - 0.5 - time;
  error[2] = v - 3*cos(3*(0.5 + time));
end FunctionDerivative;
