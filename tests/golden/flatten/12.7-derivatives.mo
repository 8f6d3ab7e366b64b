model Derivatives "MLS 12.7.1: a function with a derivative stays a call"
  record Rotation
    Real T[2, 2];
    Real w;
  end Rotation;

  function resolve "the rotation is not differentiated: its rate is w"
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
    input Real dv[2];
    output Real r[2];
  algorithm
    r := resolve(R, dv) + R.w*resolve(R, {v[2], -v[1]});
  end resolve_der;

  Real phi = time;
  Rotation R = Rotation([cos(phi), -sin(phi); sin(phi), cos(phi)], der(phi));
  Real v[2] = {1, time};
  Real r[2] = resolve(R, v);
  Real dr[2] = der(r);
  parameter Real k[2] = resolve(Rotation(identity(2), 0), {3, 4}) "of constants: run at once";
end Derivatives;
