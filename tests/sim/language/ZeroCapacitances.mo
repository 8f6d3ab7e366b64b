// simulate: --stop 2 --tolerance 1e-8
// methods: esdirk ida dopri5
// zero: ladder 1e-7
// zero: charge 1e-7
// zero: varying 1e-7
// zero: joined 1e-7
// zero: balanced 1e-7
// moves: n[3] 0.1
// moves: whole 0.3
// moves: w 0.1
// moves: z 0.3
model ZeroCapacitances "Capacitances of zero, which are parameters: what they belong to is no state"
  function capacitance "zero for an area of zero"
    input Real v, area;
    output Real C;
  algorithm
    C := if v > 0.2 then area/sqrt(1 + v) else area*(1 - 0.5*v);
  end capacitance;
  parameter Real C[3] = {1, 0, 1}, C0 = 0, area = 0, R0 = 0, damping = 0;
  parameter Real thickness = 1, Cq = C0*2/thickness;
  Real u = 1 - cos(time);
  // resistors of 1 between nodes: where C is zero two of them are one of 2
  Real n[3](each start = 0), m[2](each start = 0, each fixed = true);
  // what a charge is, and the derivative of a current is damped by nothing
  Real v(start = 0), q, i, s(start = 0, fixed = true), force;
  // a capacitance of voltages
  Real w(start = 0), Cw;
  // a resistance of zero: two capacitors are one
  Real a(start = 0), b(start = 0), ab, whole(start = 0, fixed = true);
  // two equations that are the same but for what is zero
  Real x(start = 0), y(start = 0), z(start = 0, fixed = true);
  Real ladder = abs(n[1] - m[1]) + abs(n[3] - m[2]) + abs(n[2] - (n[1] + n[3])/2);
  Real charge = abs(v - u) + abs(q) + abs(i) + abs(force - s);
  Real varying = w - u/3;
  Real joined = abs(a - whole) + abs(b - whole);
  Real balanced = abs(x - y - z) + abs(x + y - u);
initial equation
  n[1] = 0;
  n[3] = 0;
  a = 0;
  x - y = 0;
equation
  for k in 1:3 loop
    C[k]*der(n[k]) = (if k > 1 then n[k - 1] - n[k] else u - n[1]) + (if k < 3 then n[k + 1] - n[k] else 0);
  end for;
  der(m[1]) = u - m[1] + (m[2] - m[1])/2;
  der(m[2]) = (m[1] - m[2])/2;
  q = Cq*v;
  i = der(q);
  i = u - v;
  der(s) = v;
  force = s + damping*der(s);
  Cw = capacitance(w, area);
  Cw*der(w) = u - 3*w;
  R0*ab = a - b;
  der(a) = u - a - ab;
  der(b) = ab - b;
  2*der(whole) = u - 2*whole;
  der(x) - der(y) + C0*der(x) = u - 2*x + sin(2*time);
  der(y) - der(x) + C0*der(y) = 2*x - u - sin(2*time) + (u - x - y);
  der(z) = u - 2*x + sin(2*time);
end ZeroCapacitances;
