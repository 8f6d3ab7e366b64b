// MLS 12.7.1: a function that is not expanded is differentiated by the one that its annotation names.
// not read back: a call
model ByAnnotation
  function f
    input Real u;
    output Real y;
  algorithm
    y := exp(-u);
    annotation(derivative = f_der, LateInline = true);
  end f;
  function f_der
    input Real u, u_der;
    output Real y_der;
  algorithm
    y_der := -exp(-u)*u_der;
    annotation(LateInline = true);
  end f_der;
  Real x(start = 1, fixed = true), v;
equation
  der(x) = 1;
  v = der(f(x));
end ByAnnotation;
