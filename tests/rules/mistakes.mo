What modellers get wrong most often, and what they are told: the words have to name what to change.

// illegal mistakes: S02 nothing sets the level of 'r.p.v' in 'r', whose equations hold differences alone
connector P Real v; flow Real i; end P;
model R "resistor" P p, n; parameter Real R = 1; equation p.v - n.v = R*p.i; 0 = p.i + n.i; end R;
model V "source" P p, n; parameter Real V = 1; equation p.v - n.v = V; 0 = p.i + n.i; end V;
model G "ground" P p; equation p.v = 0; end G;
model C "capacitor" P p, n; parameter Real C = 1; Real v(start = 0, fixed = true) = p.v - n.v; equation C*der(v) = p.i; 0 = p.i + n.i; end C;
model M
  R r; V v;
equation
  connect(v.p, r.p);
  connect(v.n, r.n);
end M;

// illegal mistakes: S02 nothing is connected to
connector P Real v; flow Real i; end P;
model R "resistor" P p, n; parameter Real R = 1; equation p.v - n.v = R*p.i; 0 = p.i + n.i; end R;
model V "source" P p, n; parameter Real V = 1; equation p.v - n.v = V; 0 = p.i + n.i; end V;
model G "ground" P p; equation p.v = 0; end G;
model C "capacitor" P p, n; parameter Real C = 1; Real v(start = 0, fixed = true) = p.v - n.v; equation C*der(v) = p.i; 0 = p.i + n.i; end C;
model M
  R r; V v; G g; C c;
equation
  connect(v.p, r.p);
  connect(r.n, g.p);
  connect(v.n, g.p);
end M;

// illegal mistakes: S02 structurally singular: 8 equations determine only 'r.p.v', 'r.n.v', 'v.p.v' and 4 more (the model has 14 equations and 14 unknowns)
connector P Real v; flow Real i; end P;
model R "resistor" P p, n; parameter Real R = 1; equation p.v - n.v = R*p.i; 0 = p.i + n.i; end R;
model V "source" P p, n; parameter Real V = 1; equation p.v - n.v = V; 0 = p.i + n.i; end V;
model G "ground" P p; equation p.v = 0; end G;
model C "capacitor" P p, n; parameter Real C = 1; Real v(start = 0, fixed = true) = p.v - n.v; equation C*der(v) = p.i; 0 = p.i + n.i; end C;
model M
  R r; V v; V w; G g;
equation
  connect(v.p, r.p);
  connect(w.p, r.p);
  connect(r.n, g.p);
  connect(v.n, g.p);
  connect(w.n, g.p);
end M;

// illegal mistakes: N01 there is no variable 'mas' here; did you mean 'mass'?
model M
  parameter Real mass = 2;
  Real x;
equation
  x = 2*mas;
end M;

// illegal mistakes: N20 there is no function 'sinus'; did you mean 'sin'?
model M
  Real x;
equation
  x = sinus(time);
end M;

// illegal mistakes: P02 expected ';' after an element, found 'Real'
model M
  Real x
  Real y;
equation
  x = 1;
  y = 2;
end M;

// illegal mistakes: P02 expected ';' after an equation, found 'y'
model M
  Real x;
  Real y;
equation
  x = 1
  y = 2;
end M;

// illegal mistakes: P01 expected '=': ':=' assigns, and only in an algorithm section
model M
  Real x;
equation
  x := 1;
end M;

// illegal mistakes: P01 expected ':=': '=' is an equation, and this is an algorithm section
model M
  Real x;
algorithm
  x = 1;
end M;

// illegal mistakes: P03 expected 'end Tank' here, found 'end Tnk'
model Tank
  Real x = 1;
end Tnk;

// illegal mistakes: P04 '!=' is no Modelica: '<>' is
model M
  Integer n = 3;
  Boolean b = n != 2;
end M;

// illegal mistakes: P04 '&&' is no Modelica: 'and' is
model M
  Boolean b = time > 1 && time < 2;
end M;

// illegal mistakes: P01 an equation has '=': '==' compares
model M
  Real x;
equation
  x == 2;
end M;

// illegal mistakes: P01 expected 'then', found '=': '==' compares
model M
  Integer n = 2;
  Real x;
equation
  if n = 2 then
    x = 1;
  else
    x = 2;
  end if;
end M;

// illegal mistakes: S03 structurally singular: no equation determines 'y' (the model has 1 equation and 2 unknowns)
model M
  Real x, y;
equation
  x = 2*y;
end M;

// illegal mistakes: S02 structurally singular: 2 equations determine only 'x' (the model has 2 equations and 1 unknown)
model M
  Real x;
equation
  x = 2;
  x = 3*time;
end M;

// illegal mistakes: F06 model Bad is not balanced: it has 3 unknowns and 2 equations (MLS 4.8)
connector P Real v; flow Real i; end P;
model R "resistor" P p, n; parameter Real R = 1; equation p.v - n.v = R*p.i; 0 = p.i + n.i; end R;
model V "source" P p, n; parameter Real V = 1; equation p.v - n.v = V; 0 = p.i + n.i; end V;
model G "ground" P p; equation p.v = 0; end G;
model C "capacitor" P p, n; parameter Real C = 1; Real v(start = 0, fixed = true) = p.v - n.v; equation C*der(v) = p.i; 0 = p.i + n.i; end C;
model Bad P p, n; Real u; equation p.v - n.v = u; 0 = p.i + n.i; end Bad;
model M
  R r; Bad b; G g;
equation
  connect(b.p, r.p);
  connect(r.n, g.p);
  connect(b.n, g.p);
end M;

// illegal mistakes: P03 expected 'end if' here
model M
  Real x;
equation
  if time > 1 then
    x = 1;
  else
    x = 2;
end M;

// illegal mistakes: P01 expected 'then', found 'x'
model M
  Real x;
equation
  if time > 1
    x = 1;
  else
    x = 2;
  end if;
end M;

// illegal mistakes: P03 'elseif' does not
model M
  Real x;
equation
  if time > 1 then
    x = 1;
  else if time > 2 then
    x = 2;
  else
    x = 3;
  end if;
end M;

// illegal mistakes: T31 'n' is Integer, not Real
model M
  Integer n = 2.5;
end M;

// illegal mistakes: T31 'x' is Real, not String
model M
  parameter Real x = "2";
end M;

// illegal mistakes: N14 an array size needs the value of 'n', which has none
model M
  parameter Integer n;
  Real x[n];
equation
  x = ones(n);
end M;

// illegal mistakes: T32 the sides of this equation differ in size: Real[3] and Real[2]
model M
  Real x[3];
equation
  x = {1, 2};
end M;

// illegal mistakes: T05 subscript 4 is outside 1 .. 3
model M
  Real x[3] = {1, 2, 3};
  Real y = x[4];
end M;

// illegal mistakes: T05 subscript 0 is outside 1 .. 3
model M
  Real x[3] = {1, 2, 3};
  Real y = x[0];
end M;

// illegal mistakes: N20 there is no function 'x': it is a variable, whose subscripts are in brackets, x[...]
model M
  Real x[3] = {1, 2, 3};
  Real y = x(2);
end M;

// illegal mistakes: N03 A has no element 'resistence' to modify; did you mean 'resistance'?
model A
  parameter Real resistance = 1;
  Real x = resistance;
end A;
model M
  A a(resistence = 2);
end M;

// illegal mistakes: N02 there is no type 'real' here; did you mean 'Real'?
model M
  real x = 1;
end M;

// illegal mistakes: F02 a.p and b.f cannot be connected: F has no 'v'
connector P Real v; flow Real i; end P;
connector F Real phi; flow Real tau; end F;
model A P p; equation p.v = 1; end A;
model B F f; equation f.phi = 1; end B;
model M
  A a; B b;
equation
  connect(a.p, b.f);
end M;

// illegal mistakes: F02 'a' is not a connector, so it cannot be connected
connector P Real v; flow Real i; end P;
model A P p; equation p.v = 1; end A;
model M
  A a; A b;
equation
  connect(a, b.p);
end M;

// illegal mistakes: P01 expected ',' or ')' in the arguments of a call, found ';'
model M
  Real x;
equation
  x = sin(2*(time + 1);
end M;

// illegal mistakes: S02 structurally singular: 2 equations determine only 'x' (the model has 2 equations and 1 unknown)
model M
  discrete Real x(start = 0);
equation
  when time > 1 then
    x = 1;
  end when;
  when time > 2 then
    x = 2;
  end when;
end M;

// illegal mistakes: T32 the sides of this equation differ in size: Real[2] and Real
function f
  input Real u;
  output Real a = u;
  output Real b = 2*u;
algorithm
end f;
model M
  Real x, y;
equation
  {x, y} = f(time);
end M;

// illegal mistakes: T07 argument 'k' of 'f' is missing
function f
  input Real u;
  input Real k;
  output Real a = u*k;
algorithm
end f;
model M
  Real x = f(time);
end M;

// illegal mistakes: T35 the value of parameter 'k' varies during the simulation
model M
  Real x = time;
  parameter Real k = 2*x;
end M;

// illegal mistakes: P01 expected the name of a component, found '=': equations stand behind 'equation'
model M
  Real x;
  x = 2;
end M;

// illegal mistakes: P04 '#' is no Modelica: a comment begins with '//'
model M
  Real x = 1; # a comment
end M;

// illegal mistakes: P01 expected the name of a component, found '5': numbers have a decimal point
model M
  Real x = 1,5;
end M;

// illegal mistakes: S03 nothing is connected to
connector In = input Real;
connector Out = output Real;
block Gain In u; Out y; parameter Real k = 2; equation y = k*u; end Gain;
model M
  Gain gain;
  Real z = gain.y;
end M;

// illegal mistakes: P03 expected 'end M' before the end of the file
model M
  Real x = 1;

// legal mistakes
model M
  Real x[3] = {1, 2, 3};
  Real y = x[2];
end M;
