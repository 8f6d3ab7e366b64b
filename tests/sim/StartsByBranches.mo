// simulate: --stop 2 --tolerance 1e-8
// zero: error_ruled_out 1e-7
// zero: error_taken 1e-7
// moves: ruled_out.z 0.4
// moves: taken.z 0.4
model StartsByBranches
  "Initial conditions through the branch that parameters choose, not through the other"
  block LeadLag "y = (1 + T1 s)/(1 + T2 s) u; y = u where both constants are equal"
    parameter Real T1, T2;
    parameter Real T = if abs(T1 - T2) < 1e-12 then 10 else T2;
    parameter StateSelect select = StateSelect.default;
    parameter Real x_start;
    input Real u;
    Real x(start = x_start, stateSelect = select), filtered;
    output Real y;
  initial equation
    filtered = 0;
  equation
    T*der(x) = u - x;
    filtered = T1/T*u + (1 - T1/T)*x;
    y = if abs(T1 - T2) < 1e-12 then u else filtered;
  end LeadLag;
  model Two
    "a lag and two lead-lags, which begin with filtered = 0: one start value is left to choose"
    parameter Real T1;
    Real z(start = 0.5);
    LeadLag a(T1 = T1, T2 = 2, x_start = 0, select = StateSelect.avoid),
      b(T1 = 1, T2 = 4, x_start = 0.5, select = StateSelect.prefer);
  equation
    der(z) = 1 - z;
    a.u = z;
    b.u = a.y;
  end Two;
  // a.y is filtered, which is zero: b.u = 0, b.x = 0, and z keeps its start value
  Two ruled_out(T1 = 1);
  // a.y is z: b.x keeps its start value, which is preferred, and z = -3 b.x
  Two taken(T1 = 2);
  Real error_ruled_out = abs(ruled_out.z - (1 - 0.5*exp(-time)))
    + (if time > 0 then 0 else abs(ruled_out.b.x));
  Real error_taken = abs(taken.z - (1 - 2.5*exp(-time)))
    + (if time > 0 then 0 else abs(taken.b.x - 0.5));
end StartsByBranches;
