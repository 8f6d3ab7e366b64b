model Motor "a DC motor: voltage, armature, shaft"
  parameter Real R = 2, L = 0.5, k = 0.1, J = 0.02, b = 0.2;
  input Real u;
  input Real tau "load";
  output Real w(start = 0.3);
  output Real P;
  Real i, phi;
equation
  L*der(i) = u - R*i - k*w;
  J*der(w) = k*i - b*w - tau;
  der(phi) = w;
  P = u*i;
end Motor;
