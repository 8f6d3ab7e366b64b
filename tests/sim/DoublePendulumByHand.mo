// simulate: --stop 3 --tolerance 1e-10
// methods: dopri5 ida cvode esdirk
// zero: error1 1e-6
// zero: error2 1e-6
// moves: linkage.joint2.phi 1
// agree: linkage.joint1.phi 1e-6
// agree: linkage.joint2.phi 1e-6
model DoublePendulumByHand "Planar double pendulum against Lagrange's equations"
  Linkage.Examples.DoublePendulum linkage;
  // two uniform rods, angles against the horizontal
  parameter Real l = 1;
  parameter Real m = 1;
  parameter Real g = 9.81;
  Real p1(start = 0.3, fixed = true);
  Real p2(start = 1.3, fixed = true);
  Real w1(start = 0, fixed = true);
  Real w2(start = 0, fixed = true);
  Real error1 = linkage.joint1.phi - p1;
  Real error2 = linkage.joint1.phi + linkage.joint2.phi - p2;
equation
  der(p1) = w1;
  der(p2) = w2;
  4/3*m*l^2*der(w1) + m*l^2/2*cos(p1 - p2)*der(w2) =
    -m*l^2/2*sin(p1 - p2)*w2^2 - 3/2*m*g*l*cos(p1);
  m*l^2/2*cos(p1 - p2)*der(w1) + m*l^2/3*der(w2) =
    m*l^2/2*sin(p1 - p2)*w1^2 - m*g*l/2*cos(p2);
end DoublePendulumByHand;
