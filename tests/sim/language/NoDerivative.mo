// MLS 12.7.1: a rotation that is not differentiated, because it carries its rate
// simulate: --stop 3 --tolerance 1e-10
// zero: error[1] 1e-6
// zero: error[2] 1e-12
model NoDerivative
  record Rotation
    Real T[2, 2];
    Real w;
  end Rotation;
  function resolve
    input Rotation R;
    input Real v[2];
    output Real r[2];
  algorithm
    r := R.T*v;
    annotation(derivative(noDerivative = R) = resolve_der, InlineAfterIndexReduction = true);
  end resolve;
  function resolve_der
    input Rotation R;
    input Real v[2];
    input Real v_der[2];
    output Real r_der[2];
  algorithm
    r_der := resolve(R, v_der) + R.w*resolve(R, {-v[2], v[1]});
    annotation(Inline = true);
  end resolve_der;
  parameter Real g = 9.81;
  parameter Real l[2] = {2, 1};
  Real phi[2](start = {0.3, 1}, each fixed = true);
  Real w[2](each start = 0, each fixed = true);
  Rotation R[2];
  Real r[2], v[2], a[2], tip[2], v_tip[2], a_tip[2];
  Real f1[2], f2[2] "forces of the rods on the lower masses";
  Real lambda[2];
  Real error[2];
equation
  w = der(phi);
  for k in 1:2 loop
    R[k].T = [cos(phi[k]), -sin(phi[k]); sin(phi[k]), cos(phi[k])];
    R[k].w = w[k];
  end for;
  // two unit masses on massless rods
  r = resolve(R[1], {0, -l[1]});
  tip = r + resolve(R[2], {0, -l[2]});
  v = der(r);
  a = der(v);
  v_tip = der(tip);
  a_tip = der(v_tip);
  f1 = lambda[1]*r;
  f2 = lambda[2]*(tip - r);
  a = f1 - f2 - {0, g};
  a_tip = f2 - {0, g};
  // the energy at the start; the lengths of the rods
  error[1] = (v*v + v_tip*v_tip)/2 + g*(r[2] + tip[2]) + g*(4*cos(0.3) + cos(1));
  error[2] = r*r - 4 + ((tip - r)*(tip - r) - 1);
end NoDerivative;
