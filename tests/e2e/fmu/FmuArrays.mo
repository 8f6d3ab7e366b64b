model FmuArrays "functions with arrays whose sizes are known in a run only; a subscript outside at t = 1.5"
  function tail
    input Real u[:];
    input Integer k;
    output Real y[size(u, 1) - k];
  algorithm
    y := u[k + 1:end];
  end tail;
  function f
    input Integer n;
    input Integer k;
    input Real x;
    output Real y;
  protected
    Real w[:] = {i*x for i in 1:n};
  algorithm
    w := cat(1, w, tail(w, 1), w[1:1]);
    y := w[k];
  end f;
  Real x(start = 0, fixed = true);
  Real y(start = 1, fixed = true);
  output Real z = f(4, 1, x*y);
equation
  der(x) = f(3 + integer(time), if time > 1.5 then 100 else 1 + integer(2*time), y) - x;
  der(y) = -y;
end FmuArrays;
