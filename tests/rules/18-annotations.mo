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
