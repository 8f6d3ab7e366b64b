// MLS 16.8.2: ExplicitMidPoint2 and ExplicitRungeKutta4 against their formulas by hand: a nonlinear equation with
// continuous and discrete inputs and algebraic variables, a linear oscillator as array, an event clock; their order
// simulate: --stop 2.5 --tolerance 1e-8
// zero: error[1] 1e-13
// zero: error[2] 1e-13
// zero: error[3] 1e-13
// zero: error[4] 1e-13
// zero: error[5] 1e-13
// zero: error[6] 1e-13
// zero: error[7] 1e-13
// zero: error[8] 1e-13
// zero: error[9] 1e-10
// moves: implicit.x 0.5
// moves: mid.x 0.3
// moves: four.x 0.3
// moves: late.x 0.1
// moves: two.x[1] 1
// ends: order2 4 0.2
// ends: order4 16 0.3
model ClockedStages
  function f "The slope"
    input Real x, u, d;
    output Real y = -x*abs(x) + u*d + sin(x*u);
  algorithm
  end f;
  partial model Equation
    input Real u, d;
    Real x(start = 1), z, s, by_hand(start = 1);
    Real slope(start = 0), v(start = 0), w(start = 0), h, k2, k3, k4;
    Boolean high;
  equation
    high = x > 0;
    z = if high then -x*x else x*x;
    s = sin(x*v) + v*w;
    der(x) = z + s;
    v = u;
    w = d;
    h = interval(u);
    slope = f(by_hand, u, d);
  end Equation;
  model Mid
    extends Equation;
  equation
    k2 = f(previous(by_hand) + h/2*previous(slope), (previous(v) + u)/2, previous(w));
    by_hand = if firstTick() then previous(by_hand) else previous(by_hand) + h*k2;
    k3 = 0;
    k4 = 0;
  end Mid;
  model Four
    extends Equation;
  equation
    k2 = f(previous(by_hand) + h/2*previous(slope), (previous(v) + u)/2, previous(w));
    k3 = f(previous(by_hand) + h/2*k2, (previous(v) + u)/2, previous(w));
    k4 = f(previous(by_hand) + h*k3, u, d);
    by_hand = if firstTick() then previous(by_hand) else previous(by_hand) + h/6*(previous(slope) + 2*k2 + 2*k3 + k4);
  end Four;
  model Oscillator "x1' = x2, x2' = -w^2 x1: a step multiplies x1 - i x2/w with R(i w h), 1 + z + z^2/2 + ..."
    parameter Real w = 3, h = 0.1;
    parameter Integer order = 2;
    Clock c;
    Real x[2](start = {1, 0}), r(start = 1), i(start = 0);
    final parameter Real a = w*h;
    final parameter Real re = 1 - a^2/2 + (if order == 4 then a^4/24 else 0);
    final parameter Real im = a - (if order == 4 then a^3/6 else 0);
    Real t = sample(time, c);
    Boolean first = firstTick(t);
  equation
    der(x) = {x[2], -w^2*x[1] + 0*t};
    r = if first then previous(r) else re*previous(r) - im*previous(i);
    i = if first then previous(i) else re*previous(i) + im*previous(r);
  end Oscillator;
  model Implicit "x' = -y + u, y + y^3 = x: equations to be solved in each stage"
    Real u = sample(time, Clock(Clock(1, 4), solverMethod = "ExplicitRungeKutta4"));
    Real x(start = 2), y(start = 1);
    Real by_hand(start = 2), h = interval(u), s(start = 0), v(start = 0) = u, m = (previous(v) + u)/2;
    Real y1(start = 1), y2(start = 1), y3(start = 1), y4(start = 1), k2, k3, k4;
  equation
    y + y^3 = x;
    der(x) = u - y;
    y1 + y1^3 = by_hand;
    s = u - y1;
    y2 + y2^3 = previous(by_hand) + h/2*previous(s);
    k2 = m - y2;
    y3 + y3^3 = previous(by_hand) + h/2*k2;
    k3 = m - y3;
    y4 + y4^3 = previous(by_hand) + h*k3;
    k4 = u - y4;
    by_hand = if firstTick() then previous(by_hand) else previous(by_hand) + h/6*(previous(s) + 2*k2 + 2*k3 + k4);
  end Implicit;
  model Riccati "x' = -x^2: x = 1/(1 + t)"
    Clock c;
    Real x(start = 1), y, error(start = 0, fixed = true);
  equation
    der(x) = -x*y;
    y = x + 0*sample(time, c);
    when time > 2.01 then
      error = abs(hold(x) - 1/3);
    end when;
  end Riccati;
  Clock c2 = Clock(Clock(1, 10), solverMethod = "ExplicitMidPoint2");
  Clock c4 = Clock(Clock(1, 10), solverMethod = "ExplicitRungeKutta4");
  Boolean d = time > 0.72;
  Integer n(start = 1, fixed = true);
  Mid mid(u = sample(cos(2*time), c2), d = sample(if d then 2 else 1, c2));
  Four four(u = sample(cos(2*time), c4), d = sample(n, c4));
  // ticks of sin(5 t) > 0.3: intervals that vary; the input of a slower partition
  Mid late(u = sample(cos(time), Clock(Clock(sin(5*time) > 0.3, 0.1), solverMethod = "ExplicitMidPoint2")), d = 1 + 0*late.u);
  // its inputs are a state of a partition with a solver, and a sum, which has none
  Mid slow(u = subSample(mid.x, 2), d = subSample(total, 2));
  Real total(start = 0) = previous(total) + sample(0.1, c2);
  Oscillator two(c = c2), fourth(c = c4, order = 4);
  Riccati mid1(c = Clock(Clock(1, 20), solverMethod = "ExplicitMidPoint2"));
  Riccati mid2(c = Clock(Clock(1, 40), solverMethod = "ExplicitMidPoint2"));
  Riccati four1(c = Clock(Clock(1, 20), solverMethod = "ExplicitRungeKutta4"));
  Riccati four2(c = Clock(Clock(1, 40), solverMethod = "ExplicitRungeKutta4"));
  Real order2 = if time < 2.1 then 4 else mid1.error/mid2.error;
  Real order4 = if time < 2.1 then 16 else four1.error/four2.error;
  Implicit implicit;
  Real error[9];
equation
  when time > 1.3 then
    n = 3;
  end when;
  error = {hold(mid.x) - hold(mid.by_hand), hold(four.x) - hold(four.by_hand), hold(late.x) - hold(late.by_hand),
    hold(slow.x) - hold(slow.by_hand), hold(two.x[1]) - hold(two.r), hold(two.x[2]) + two.w*hold(two.i),
    hold(fourth.x[1]) - hold(fourth.r), hold(fourth.x[2]) + fourth.w*hold(fourth.i),
    hold(implicit.x) - hold(implicit.by_hand)};
end ClockedStages;
