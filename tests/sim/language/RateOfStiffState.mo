// simulate: --stop 100 --interval 0.1 --tolerance 1e-4
// methods: esdirk
// zero: error 5e-2
// moves: s 0.005
model RateOfStiffState
  "A damped mass creeps, with steps a thousand times as long as its time constant: within its tolerance of the slow motion, its acceleration is still that of the creep"
  parameter Real m = 0.15, d = 2500, plate = 0.01, c = 1e6, e = 250;
  Real s(start = 0.015, fixed = true), v(start = 0, fixed = true), a;
  Real x(start = 0.0151, fixed = true), w(start = 0, fixed = true);
  Real q(start = 1, fixed = true), z(start = 0, fixed = true) "decide the length of the steps";
  Real F = e*(v - w) + c*(s - x);
  Real exact = 150*0.02*pi*cos(0.02*pi*time)/d "of the slow motion: m*a is far below d*v";
  Real error = noEvent(if time < 1 then 0 else (a - exact)/(150*0.02*pi/d));
protected
  constant Real pi = 3.14159265358979;
equation
  der(q) = z;
  der(z) = -0.25*q;
  der(s) = v;
  der(v) = a;
  m*a = 150*sin(0.02*pi*time) - d*v - F;
  der(x) = w;
  plate*der(w) = F;
end RateOfStiffState;
