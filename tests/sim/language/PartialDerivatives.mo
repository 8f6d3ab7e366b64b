// MLS 12.7.2: functions that are partial derivatives of others, against their closed forms.
// simulate: --stop 1.5
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-12
// zero: error[6] 1e-12
// zero: error[7] 1e-12
// zero: error[8] 1e-12
model PartialDerivatives
  function f
    input Real u;
    input Real v;
    input Real w = u;
    output Real y;
    output Real z[2];
  protected
    Real p;
  algorithm
    p := sin(u)*v^2;
    y := 0;
    for k in 1:3 loop
      y := y + p*k + w*u;
    end for;
    z := {exp(-u*v), if u < 5 then u*v else v^3};
    assert(u > -1, "u is too small");
  end f;
  function f_u = der(f, u);
  function f_v = der(f, v);
  function f_uv = der(f, u, v);
  function f_uu = der(f_u, u);
  function f_vv = der(f, v, v);
  function same = f_uv;
  function power "with an exponent that varies"
    input Real x;
    input Real n;
    output Real y;
  algorithm
    y := x^n;
  end power;
  function power_n = der(power, n);
  function sum_of "calls a derivative, for each element"
    input Real a[:];
    output Real y;
  algorithm
    y := sum(f_v(a[k], a[k]) for k in 1:size(a, 1));
  end sum_of;
  parameter Real k = f_u(0, 2, 0) "known when the model is compiled";
  Real u = time, v = 2 + time, w = 3*time;
  Real y, z[2];
  Real error[8];
equation
  (y, z) = f_u(u, v, w);
  error[1] = y - (6*cos(u)*v^2 + 3*w);
  error[2] = z[1] + v*exp(-u*v);
  error[3] = z[2] - v;
  error[4] = f_uv(u, v, w) - 12*cos(u)*v + same(u, v) - 12*cos(u)*v;
  error[5] = f_uu(u, v, w) + 6*sin(u)*v^2;
  error[6] = f_vv(u, v) - 12*sin(u) + f_v(u, v) - 12*sin(u)*v;
  error[7] = power_n(v, u) - v^u*log(v) + k - 24;
  error[8] = sum_of({u, v}) - 12*sin(u)*u - 12*sin(v)*v;
end PartialDerivatives;
