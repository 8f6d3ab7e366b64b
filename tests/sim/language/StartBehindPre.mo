// MLS 8.6: an initial equation holds with the values of pre() at the initialisation; events at the start move them
// simulate: --stop 0.55 --interval 0.05
// methods: dopri5 esdirk ida
// zero: error 1e-6
// moves: held 0.4
// constant: twice 1e-9
// ends: doubled 6 1e-9
// ends: twice 2 1e-9
model StartBehindPre
  parameter Real p = 2;
  Real y(start = 0, fixed = true);
  Real held = pre(y);
  Real x "Starts at 2, since pre(y) is 0 at the initialisation";
  Real exact(start = 2, fixed = true) "x at the last event";
  Real since(start = 0, fixed = true);
  Real error = x - ((exact - held)*exp(since - time) + held);
  Real s(start = 1, fixed = true) "3 from the event at the start on";
  Real doubled = 2*s;
  Real twice "Starts at twice the first s";
initial equation
  x = held + p;
  twice = doubled;
equation
  der(x) = held - x;
  der(twice) = 0;
  when sample(0, 1) then
    s = 3;
  end when;
  when {initial(), sample(0.1, 0.1)} then
    y = time - 0.5;
  end when;
  when sample(0.1, 0.1) then
    exact = (pre(exact) - pre(y))*exp(pre(since) - time) + pre(y);
    since = time;
  end when;
end StartBehindPre;
