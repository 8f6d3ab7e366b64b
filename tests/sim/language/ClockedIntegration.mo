// MLS 16.8: equations with derivatives in clocked partitions, against their steps by hand; the
// method is inferred; a derivative of what is no state
// simulate: --stop 2 --tolerance 1e-8
// zero: error[1] 1e-12
// zero: error[2] 1e-12
// zero: error[3] 1e-12
// zero: error[4] 1e-12
// zero: error[5] 1e-10
// moves: implicit 0.5
// moves: held 0.3
model ClockedIntegration
  parameter Real Ti = 0.5;
  Real v, implicit(start = 0), by_hand(start = 0);
  Real w, explicit(start = 0.2), hand(start = 0.2), slope(start = 0);
  Real a, middle, hand2(start = 0), slope2(start = 0);
  Real slow(start = 1), hand3(start = 1);
  Real given, inverse, slope_of_given;
  Real held = hold(explicit);
  Real error[5];
initial equation
  middle = 0.3;
equation
  v = sample(sin(3*time), Clock(Clock(1, 10), solverMethod = "ImplicitEuler"));
  der(implicit) = (v - implicit)/Ti;
  by_hand = if firstTick() then previous(by_hand) else (previous(by_hand) + interval()/Ti*v)/(1 + interval()/Ti);
  w = sample(cos(time), Clock(Clock(1, 20), solverMethod = "ExplicitEuler"));
  der(explicit) = -explicit + w;
  hand = if firstTick() then previous(hand) else previous(hand) + interval()*previous(slope);
  slope = -hand + w;
  der(slow) = -subSample(explicit, 4) "the method is inferred";
  hand3 = if firstTick() then previous(hand3) else previous(hand3) - interval()*previous(taken);
  a = sample(time, Clock(Clock(1, 10), solverMethod = "ImplicitTrapezoid"));
  der(middle) = a - 2*middle;
  hand2 = if firstTick() then 0.3 else
    (previous(hand2) + interval()/2*(previous(slope2) + a))/(1 + interval());
  slope2 = a - 2*hand2;
  given = sample(time^2, Clock(Clock(1, 10), solverMethod = "ExplicitEuler"));
  der(given) = inverse;
  slope_of_given = if firstTick() then inverse else (given - previous(given))/interval();
  error = {implicit - by_hand, explicit - hand, middle - hand2, slow - hand3, inverse - slope_of_given};
protected
  Real taken(start = 0.2) = subSample(explicit, 4);
end ClockedIntegration;
