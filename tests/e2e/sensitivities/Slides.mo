model Slides "rests until the force is the peak, then slides on at 1: another pivot is needed there"
  parameter Real m = 10, peak = 1.01;
  output Real v(start = 0, fixed = true), a;
  Real sa, f;
  Boolean forward(start = false, fixed = true), locked, stuck(start = true, fixed = true);
equation
  der(v) = a;
  m*a = time - f;
  forward = pre(stuck) and (sa > peak or pre(forward) and sa > 1);
  locked = pre(stuck) and not forward;
  f = if locked then sa else 1;
  a = if locked then 0 else sa - 1;
  stuck = locked or v <= 0;
end Slides;
