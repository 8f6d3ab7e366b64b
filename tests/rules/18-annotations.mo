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
