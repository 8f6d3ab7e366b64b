// simulate: --stop 1 --tolerance 1e-8
// methods: ida dopri5 esdirk cvode
// zero: one.error 1e-6
// zero: two.error 1e-6
// zero: three.error 1e-6
// moves: one.x 0.55
// moves: two.x 0.6
// moves: three.x 0.6
model SteepComparator
  "Relaxation without events: the loop of a comparator ends at a kink with one steep side"
  model Relaxation
    parameter Real gain, tau = 0.05;
    Real x(start = 0.2, fixed = true), y, p, error;
  protected
    final parameter Real a = 0.5 - 1/gain "where it switches", t0 = tau*log(1.2/(1 - a)),
      h = tau*log((1 + a)/(1 - a));
    Real s = mod(time - t0, 2*h), past = noEvent(if s < h then s else s - h);
  equation
    1000*p = 500*y;
    y = smooth(0,
      noEvent(if gain*(p - x) > 1 then 1 else if gain*(p - x) < -1 then -1 else gain*(p - x)));
    tau*der(x) = y - x;
    error = x
      - noEvent(if time < t0 then 1.2*exp(-time/tau) - 1
        else (if s < h then 1 else -1)*(1 - (1 + a)*exp(-past/tau)));
  end Relaxation;
  Relaxation one(gain = 10, tau = 0.06), two(gain = 15000), three(gain = 1e6, tau = 0.07);
end SteepComparator;
