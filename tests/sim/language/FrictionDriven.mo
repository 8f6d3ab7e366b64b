// a shaft with dry friction whose motion is given: held, it would leave s open, which it is not in the end
// simulate: --stop 2 --tolerance 1e-9
// methods: dopri5 esdirk ida
// zero: error[1] 1e-9
// zero: error[2] 1e-9
// zero: error[3] 1e-9
// ends: held 0 0
// ends: still.held 1 0
// ends: still.s 0 1e-12
model FrictionDriven
  model Bearing "the states of Otter, Elmqvist, Mattsson (1999)"
    parameter Real f0 = 1;
    input Real w, a;
    Real s(start = 0), tau;
    Boolean starts(start = false, fixed = true), slides(start = false, fixed = true), held;
  equation
    starts = not pre(slides) and s > f0 or initial() and w > 0;
    held = not (pre(slides) or starts);
    slides = pre(slides) or w > 0;
    a = if held then 0 else s - f0;
    tau = if held then s else f0 + 0.1*w;
  end Bearing;
  Real w = 3*(1 + time);
  Bearing bearing(w = w, a = der(w)), constantly(w = 100, a = 0, f0 = 2), still(w = 0, a = 0);
  Boolean held = bearing.held or constantly.held;
  Real error[3];
equation
  error[1] = bearing.tau - 1 - 0.3*(1 + time);
  error[2] = bearing.s - 4;
  error[3] = constantly.tau - 12;
end FrictionDriven;
