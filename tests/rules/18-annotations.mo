Chapter 18: annotations.

// illegal must-be-connected: F02 support is needed
connector Flange Real phi; flow Real tau; end Flange;
model Load
  Flange b;
equation
  b.tau = b.phi - 1;
end Load;
model Part
  Load l;
  parameter Boolean useSupport = false;
  Flange a;
  Flange support if useSupport annotation(mustBeConnected = "support is needed");
equation
  a.tau = a.phi - time;
  connect(l.b, support);
end Part;
model M
  Part p(useSupport = true);
end M;
// illegal must-be-connected: F02 p[2].support
connector Flange Real phi; flow Real tau; end Flange;
model Load
  Flange b;
equation
  b.tau = b.phi - 1;
end Load;
model Part
  Load l;
  parameter Boolean useSupport = true;
  Flange a;
  Flange support if useSupport annotation(mustBeConnected = "support is needed");
equation
  a.tau = a.phi - time;
  connect(l.b, support);
end Part;
model Fixed
  Flange a;
equation
  a.phi = 0;
end Fixed;
model Two
  Part p[2];
  Fixed f;
equation
  connect(f.a, p[1].support);
end Two;
model M
  Two t;
end M;
// legal must-be-connected
connector Flange Real phi; flow Real tau; end Flange;
model Load
  Flange b;
equation
  b.tau = b.phi - 1;
end Load;
model Part
  Load l;
  parameter Boolean useSupport = false;
  Flange a;
  Flange support if useSupport annotation(mustBeConnected = "support is needed");
equation
  a.tau = a.phi - time;
  connect(l.b, support);
end Part;
model Fixed
  Flange a;
equation
  a.phi = 0;
end Fixed;
model M
  Part p(useSupport = true), q;
  Fixed f;
equation
  connect(f.a, p.support);
end M;
// illegal coordinate-system: N49 left lower
model M
  Real x = time;
  annotation(Icon(coordinateSystem(extent = {{100, -100}, {-100, 100}})));
end M;
// illegal coordinate-system: N49
model M
  Real x = time;
  annotation(Diagram(coordinateSystem(preserveAspectRatio = true, extent = {{-100, 0}, {100, 0}})));
end M;
// legal coordinate-system
model M
  Real x = time;
  annotation(Icon(coordinateSystem(extent = {{-100, -50}, {100, 50}})),
    Diagram(coordinateSystem(extent = {{0, 0}, {10, 10}})));
end M;
// warning dynamic-select: N49 literal
model M
  Real x = time;
  annotation(Icon(graphics = {Rectangle(extent = DynamicSelect({{0, 0}, {x, 20}}, {{0, 0}, {20, x}}))}));
end M;
// legal dynamic-select
model M
  Real x = time;
  annotation(Icon(graphics = {Rectangle(extent = DynamicSelect({{0, 0}, {-20, 20}}, {{0, 0}, {20, x}}))}));
end M;
// illegal figures: N49 two figures
model M
  Real x = time;
  annotation(Documentation(figures = {
    Figure(identifier = "a", plots = {Plot(curves = {Curve(y = x)})}),
    Figure(identifier = "a", plots = {Plot(curves = {Curve(y = x)})})}));
end M;
// illegal figures: N49 two plots
model M
  Real x = time;
  annotation(Documentation(figures = {
    Figure(plots = {Plot(identifier = "p", curves = {Curve(y = x)}), Plot(identifier = "p", curves = {Curve(y = x)})})}));
end M;
// legal figures
model M
  Real x = time;
  annotation(Documentation(figures = {
    Figure(identifier = "a", plots = {Plot(identifier = "p", curves = {Curve(y = x)})}),
    Figure(identifier = "b", plots = {Plot(identifier = "p", curves = {Curve(y = x)}),
      Plot(identifier = "", curves = {Curve(y = x)}), Plot(identifier = "", curves = {Curve(y = x)})})}));
end M;
// illegal dialog: N49 exclude each other
model M
  parameter String file = "" annotation(Dialog(loadSelector(filter = "a"), saveSelector(filter = "b")));
  Real x = time;
end M;
// illegal dialog: N49 exclude each other
model M
  parameter Integer n = 0 annotation(Dialog(connectorSizing = true, colorSelector = true));
  Real x = time;
end M;
// illegal dialog: N49 connectorSizing
model M
  parameter Integer n = 2 annotation(Dialog(connectorSizing = true));
  Real x = time;
end M;
// illegal dialog: N49 connectorSizing
model M
  parameter Real n = 0 annotation(Dialog(connectorSizing = true));
  Real x = time;
end M;
// illegal dialog: N49 connectorSizing is
model M
  parameter Boolean b = true;
  parameter Integer n = 0 annotation(Dialog(connectorSizing = b));
  Real x = time;
end M;
// legal dialog
model M
  parameter Integer n = 0 annotation(Dialog(connectorSizing = true));
  parameter Integer m = 3 annotation(Dialog(connectorSizing = false, tab = "a", group = "b"));
  parameter String file = "" annotation(Dialog(loadSelector(filter = "a")));
  Real x = time;
end M;
// illegal test-case: N49 test case
model T
  Real x = time;
  annotation(TestCase(shouldPass = true));
end T;
model M
  T t;
end M;
// illegal test-case: N49 test case
model T
  Real x = time;
  annotation(TestCase(shouldPass = false));
end T;
model M
  extends T;
end M;
// legal test-case
model T
  Real x = time;
  annotation(TestCase(shouldPass = true));
end T;
model M
  T t;
  annotation(TestCase(shouldPass = true));
end M;

// warning obsolete: N49 use B
model A
  Real x = 1;
  annotation(obsolete = "use B instead");
end A;
model M
  A a;
end M;
// warning obsolete: N49 use B
model A
  Real x = 1;
  annotation(obsolete = "use B instead");
end A;
model M
  extends A;
end M;
// legal obsolete
model A
  Real x = 1;
  annotation(obsolete = "use B instead");
end A;
model B
  extends A;
  annotation(obsolete = "use C instead");
end B;
model M
  Real x = 1;
end M;
// illegal single-instance: N49 singleInstance
model M
  block S
    Real x = 1;
    annotation(singleInstance = true);
  end S;
  S a, b;
end M;
// illegal single-instance: N49 singleInstance
model M
  block S
    Real x = 1;
    annotation(singleInstance = true);
  end S;
  S a[2];
end M;
// illegal single-instance: N49 declared
package P
  block S
    Real x = 1;
    annotation(singleInstance = true);
  end S;
end P;
model M
  P.S a;
end M;
// legal single-instance
model M
  block S
    Real x = 1;
    annotation(singleInstance = true);
  end S;
  block T
    Real x = 1;
    annotation(singleInstance = false);
  end T;
  S a;
  T b, c;
end M;
// illegal connect-once: F02 only once
connector P
  Real v;
  flow Real i;
end P;
model A
  P p annotation(mayOnlyConnectOnce = "only once");
equation
  p.i = p.v;
end A;
model B
  P p;
equation
  p.i = p.v - 1;
end B;
model M
  A a;
  B b, c;
equation
  connect(a.p, b.p);
  connect(a.p, c.p);
end M;
// illegal connect-once: F02 only once
connector P
  Real v;
  flow Real i;
end P;
model A
  P p[2] annotation(mayOnlyConnectOnce = "only once");
equation
  p.i = p.v;
end A;
model B
  P p;
equation
  p.i = p.v - 1;
end B;
model M
  A a;
  B b, c;
equation
  connect(a.p[2], b.p);
  connect(b.p, c.p);
end M;
// legal connect-once
connector P
  Real v;
  flow Real i;
end P;
model A
  P p[3] annotation(mayOnlyConnectOnce = "only once");
equation
  p.i = p.v;
end A;
model B
  P p;
equation
  p.i = p.v - 1;
end B;
model M
  A a;
  B b, c;
equation
  connect(a.p[1], b.p);
  connect(a.p[2], c.p);
end M;
// legal connect-once
connector S
  Real p;
  flow Real m;
  stream Real h;
end S;
model A
  S s annotation(mayOnlyConnectOnce = "only once");
equation
  s.m = s.p;
  s.h = 1;
end A;
model Sensor
  S s(m(min = 0));
  output Real y = inStream(s.h);
equation
  s.m = 0;
  s.h = 0;
end Sensor;
model B
  S s;
equation
  s.m = s.p - 1;
  s.h = 2;
end B;
model M
  A a;
  B b;
  Sensor c;
equation
  connect(a.s, b.s);
  connect(a.s, c.s);
end M;
// illegal connect-once: F02 only once
connector S
  Real p;
  flow Real m;
  stream Real h;
end S;
model A
  S s annotation(mayOnlyConnectOnce = "only once");
equation
  s.m = s.p;
  s.h = 1;
end A;
model B
  S s;
equation
  s.m = s.p - 1;
  s.h = 2;
end B;
model M
  A a;
  B b, c;
equation
  connect(a.s, b.s);
  connect(a.s, c.s);
end M;
// illegal unassigned-message: S03 say something of q
model A
  Real p;
  Real q annotation(unassignedMessage = "say something of q");
equation
  p = time;
end A;
model M
  extends A;
end M;
// legal unassigned-message
model M
  Real q annotation(unassignedMessage = "say something of q");
equation
  q = time;
end M;
// illegal annotation-values: N49 StopTime
model M
  Real x = 1;
  annotation(experiment(StopTime = "a"));
end M;
// illegal annotation-values: N49 Tolerance
model M
  Real x = 1;
  annotation(experiment(Tolerance = true));
end M;
// illegal annotation-values: N49 Evaluate
model M
  parameter Integer n = 1 annotation(Evaluate = 1);
  Real x = n;
end M;
// illegal annotation-values: N49 HideResult
model M
  Real x = 1 annotation(HideResult = "yes");
end M;
// illegal annotation-values: N49 info
model M
  Real x = 1;
  annotation(Documentation(info = 3));
end M;
// illegal annotation-values: N49 Inline
function f
  input Real x;
  output Real y = x;
  annotation(Inline = "true");
end f;
model M
  Real x = f(1);
end M;
// illegal annotation-values: N49 obsolete
model M
  Real x = 1;
  annotation(obsolete = true);
end M;
// legal annotation-values
function f
  input Real x;
  output Real y = x;
  annotation(Inline = true, smoothOrder = 2);
end f;
model M
  parameter Integer n = 1 annotation(Evaluate = true, HideResult = false);
  Real x = f(n);
  annotation(experiment(StartTime = -1, StopTime = 2e1, Interval = 1, Tolerance = 1e-6),
             Documentation(info = "<html></html>"), __other(StopTime = "a"));
end M;
