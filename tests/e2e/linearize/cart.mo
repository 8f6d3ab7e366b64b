model Cart "a cart, and a pendulum that hangs from it or stands on it"
  parameter Real M = 1, m = 0.2, l = 0.5, g = 9.81, d = 2, up = 0;
  input Real F;
  output Real s;
  output Real phi(start = 3.14159265358979323846*up);
  Real v, w;
equation
  der(s) = v;
  der(phi) = w;
  (M + m)*der(v) + m*l*der(w)*cos(phi) - m*l*w^2*sin(phi) = F - d*v;
  m*l^2*der(w) + m*l*cos(phi)*der(v) + m*g*l*sin(phi) = 0;
end Cart;
