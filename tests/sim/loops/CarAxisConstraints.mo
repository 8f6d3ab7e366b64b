// simulate: --loops ali3p --step 2e-4 --tolerance 1e-10 --interval 0.1 --stop 3
// methods: ali3p penalty half-explicit dopri5
// ends: xl 0.0493455784275402810 1e-8
// ends: yl 0.496989460230171154 1e-7
// ends: xr 1.04174252488542152 5e-6
// ends: yr 0.373911027265361257 5e-5
// ends: lambda1 -0.00473688659084893325 1e-5
// ends: lambda2 -0.00110468033125734369 5e-6
// zero: norm(phi) 1e-8
model CarAxisConstraints "The car axis as the IVP test set writes it: two constraints, one moves with time"
  parameter Real M = 10, eps = 0.01, L = 1, L0 = 0.5, r = 0.1, w = 10;
  parameter Real k = M*eps^2/2;
  Real xl(start = 0), yl(start = 0.5, fixed = true), xr(start = 1), yr(start = 0.5, fixed = true);
  Real ul(start = -0.5), vl(start = 0, fixed = true), ur(start = -0.5), vr(start = 0, fixed = true);
  Real lambda1, lambda2;
  Real xb, yb, Ll, Lr;
equation
  yb = r*sin(w*time);
  xb = sqrt(L^2 - yb^2);
  Ll = sqrt(xl^2 + yl^2);
  Lr = sqrt((xr - xb)^2 + (yr - yb)^2);
  der(xl) = ul;
  der(yl) = vl;
  der(xr) = ur;
  der(yr) = vr;
  k*der(ul) = (L0 - Ll)*xl/Ll + lambda1*xb + 2*lambda2*(xl - xr);
  k*der(vl) = (L0 - Ll)*yl/Ll + lambda1*yb + 2*lambda2*(yl - yr) - k;
  k*der(ur) = (L0 - Lr)*(xr - xb)/Lr - 2*lambda2*(xl - xr);
  k*der(vr) = (L0 - Lr)*(yr - yb)/Lr - 2*lambda2*(yl - yr) - k;
  xl*xb + yl*yb = 0;
  (xl - xr)^2 + (yl - yr)^2 = L^2;
end CarAxisConstraints;
