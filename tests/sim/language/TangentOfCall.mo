// simulate: --stop 1
// methods: ida esdirk
// zero: error 1e-6
// moves: y 0.25
model TangentOfCall "A function that stays a call uses one whose derivative function is expanded"
  function square
    input Real u;
    output Real y = u*u;
    annotation(LateInline = true, derivative = twice);
  end square;
  function twice
    input Real u, du;
    output Real dy = (square(u + 1) - square(u) - 1)*du;
    annotation(LateInline = true);
  end twice;
  function power "u^(2n), by a loop whose end is not known"
    input Real u;
    input Real n;
    output Real y = 1;
  protected
    Real k = 0;
  algorithm
    while k < n loop
      y := y*square(u);
      k := k + 1;
    end while;
  end power;
  parameter Real n = 2;
  Real y(start = 1), x(start = 1, fixed = true), error;
equation
  der(x) = 1;
  power(y, n) + y = 2*x;
  error = y^4 + y - 2 - 2*time;
end TangentOfCall;
