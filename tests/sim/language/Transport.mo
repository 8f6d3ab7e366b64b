// simulate: --stop 10 --tolerance 1e-8
// methods: dopri5 ida cvode esdirk
// zero: steady.error 1e-6
// zero: speeding.error 1e-6
// zero: returning.error 1e-6
// zero: coming.error 1e-6
// moves: steady.out 0.1
// moves: returning.back 0.1
model Transport "spatialDistribution (MLS 3.7.4.2): what enters leaves, as late as the flow takes"
  model Steady "from the left, after the distribution at the start"
    parameter Real v = 0.5;
    Real x(start = 0, fixed = true), front, out;
    Real place = 1 - v*time "that of the start, while there is one";
    Real error = noEvent(if abs(place) < 1e-6 then 0 elseif place > 0 then
      out - (if place < 0.5 then 2*place else 2 - 2*place) else out - sin(3*(time - 1/v)));
  equation
    der(x) = v;
    (front, out) = spatialDistribution(sin(3*time), 7, x, true, {0, 0.5, 1}, {0, 1, 0});
    assert(abs(front - sin(3*time)) < 1e-12, "what enters is what is there");
  end Steady;

  model Speeding "x = t^2/4: entered when x was one less"
    Real x(start = 0, fixed = true), front, out;
    Real error = noEvent(if time > 2.001 then out - cos(sqrt(time^2 - 4)) else 0);
  equation
    der(x) = time/2;
    (front, out) = spatialDistribution(cos(time), 0, x, time >= 0);
  end Speeding;

  model Returning "x = sin(t): what has entered comes back in the opposite order"
    Real x(start = 0, fixed = true), back, out;
    constant Real pi = 3.14159265358979323846;
    Real turn = pi/2 "where it turns first";
    Real error = noEvent(if time > turn + 0.01 and time < 2*turn - 0.01 then back - (2*turn - time) else 0);
  equation
    der(x) = cos(time);
    (back, out) = spatialDistribution(time, 10 + time, x, der(x) >= 0);
  end Returning;

  model Coming "from the right"
    Real x(start = 3, fixed = true), back, out;
    Real error = noEvent(if time > 1.001 then back - exp(-(time - 1)) elseif time < 0.999 then back - time else 0);
  equation
    der(x) = -1;
    (back, out) = spatialDistribution(in0 = 5, in1 = exp(-time), x = x, positiveVelocity = false,
      initialValues = {0, 1});
  end Coming;

  Steady steady;
  Speeding speeding;
  Returning returning;
  Coming coming;
end Transport;
