Chapter 16: clocks.

// illegal clock-mixed: K01
model M
  Real x = sample(time, Clock(0.1));
  Real y = time;
  Real w(start = 0);
  Real z = x + w;
equation
  der(w) = hold(x);
end M;
// legal clock-mixed
model M
  Real x = sample(time, Clock(0.1));
  Real w(start = 0);
equation
  der(w) = hold(x);
end M;

// illegal clock-two: K02
model M
  Real x = sample(time, Clock(0.1));
  Real y = sample(time, Clock(0.2));
  Real z = x + y;
end M;
// legal clock-two
model M
  Real x = sample(time, Clock(0.1));
  Real y = subSample(x, 2);
  Real z = superSample(y, 2) + x;
end M;

// illegal previous-argument: T08
model M
  Real x = sample(time, Clock(0.1));
  Real y(start = 0) = previous(2*x);
end M;
// illegal previous-argument: T31
record R Real a; end R;
model M
  R r(a(start = 0) = sample(time, Clock(0.1)));
  Real y = previous(r);
end M;
// illegal previous-argument: T05
function f
  input Real x;
  output Real y;
algorithm
  y := previous(x);
end f;
model M
  Real x(start = 0) = sample(time, Clock(0.1));
  Real y = f(x);
end M;
// legal previous-argument
record R Real a; end R;
model M
  R r(a(start = 0) = sample(time, Clock(0.1)));
  Real y = previous(r.a);
end M;

// illegal sub-sample-factor: T11
model M
  Real x = sample(time, Clock(0.1));
  Real y = subSample(x, 3*x);
end M;
// illegal sub-sample-factor: T08
model M
  Real x = sample(time, Clock(0.1));
  Real y = subSample(x, 1.5);
end M;
// illegal sub-sample-factor: T08
model M
  Real x = sample(time, Clock(0.1));
  Real y = subSample(x, -2);
end M;
// illegal sub-sample-factor: T08
model M
  Real x = sample(time, Clock(0.1));
  Real y = superSample(x, -2);
end M;
// illegal sub-sample-factor: T08
model M
  Real x = sample(time, Clock(0.1));
  Real y = shiftSample(x, -2);
end M;
// illegal sub-sample-factor: T08
model M
  Real x = sample(time, Clock(0.1));
  Real y = shiftSample(x, 2, 0);
end M;
// legal sub-sample-factor
model M
  parameter Integer n = 3;
  Real x = sample(time, Clock(0.1));
  Real y = subSample(x, factor = n);
  Real z = shiftSample(x, 1, 2);
end M;

// illegal clock-arguments: T08
model M
  Real x = sample(time, Clock(-0.1));
end M;
// illegal clock-arguments: T08
model M
  Real x = sample(time, Clock(0.0));
end M;
// illegal clock-arguments: T08
model M
  Real x = sample(time, Clock(1, 0));
end M;
// illegal clock-arguments: T08
model M
  Real x = sample(time, Clock("a"));
end M;
// illegal clock-arguments: T08
model M
  Real x = sample(time, Clock(1, 2.5));
end M;
// illegal clock-arguments: T20
model M
  Real x = sample(time, 0.1);
  Real y = sample(time, Clock(1, 2, 3));
end M;
// legal clock-arguments
model M
  Real x = sample(time, Clock(1, 10));
  Real y = sample(time, Clock(time > 0.5));
  Real z = sample(time, Clock(0.1));
end M;

// illegal clock-variable: T31
model M
  Clock c = Clock(0.1);
  Real x = c;
end M;
// illegal clock-variable: K05
model M
  Clock c = Clock(0.1);
  Real x = sample(time, c);
  Clock d = if x > 1 then c else Clock(0.2);
  Real y = sample(time, d);
end M;
// illegal clock-variable: K05
model M
  Clock c[2] = {Clock(0.1), Clock(0.2)};
  Integer k = if time > 1 then 1 else 2;
  Real x = sample(time, c[k]);
end M;
// illegal clock-variable: N41
model M
  flow Clock c = Clock(0.1);
end M;
// illegal clock-variable: N41
model M
  discrete Clock c = Clock(0.1);
  Real x = sample(time, c);
end M;
// illegal clock-variable: T31
model M
  Clock c(start = 1) = Clock(0.1);
  Real x = sample(time, c);
end M;
// illegal clock-variable: T35
model M
  parameter Clock c = Clock(0.1);
  Real x = sample(time, c);
end M;
// legal clock-variable
model M
  parameter Boolean fast = true;
  Clock c = if fast then Clock(0.1) else Clock(0.2);
  Real x = sample(time, c);
end M;

// illegal clock-event-super: K03
model M
  Clock u = Clock(time > 0.5);
  Clock y = superSample(u, 2);
  Real x = sample(time, y);
end M;
// illegal clock-event-super: K03
model M
  Clock u = Clock(time > 0.5);
  Clock y = shiftSample(u, 2, 3);
  Real x = sample(time, y);
end M;
// illegal clock-event-super: K03
model M
  Clock u = Clock(time > 0.5);
  Clock y = subSample(u, 4);
  Clock z = superSample(y, 5);
  Real x = sample(time, z);
end M;
// legal clock-event-super
model M
  Clock u = Clock(time > 0.5);
  Clock y = subSample(u, 4);
  Clock z = superSample(y, 2);
  Real x = sample(time, z);
end M;

// illegal back-sample: K03
model M
  Clock u = Clock(1, 10);
  Clock y = shiftSample(u, 3);
  Clock z = backSample(y, 4);
  Real x = sample(time, z);
end M;
// legal back-sample
model M
  Clock u = Clock(1, 10);
  Clock y = shiftSample(u, 3);
  Clock z = backSample(y, 2);
  Real x = sample(time, z);
end M;

// illegal clock-derivative: T20
model M
  Real x = sample(time, Clock(0.1));
  Real y = der(subSample(x, 2));
end M;
// illegal clock-derivative: T20
model M
  Real u = time;
  Real y = der(sample(u, Clock(0.1)));
end M;
// legal clock-derivative
model M
  Real x = sample(sin(time), Clock(0.1));
  Real y(start = 0);
equation
  der(y) = hold(x);
end M;

// illegal clock-when: F05
model M
  Real x(start = 0);
equation
  when Clock(0.1) then
    x = previous(x) + 1;
  elsewhen Clock(0.2) then
    x = 2;
  end when;
end M;
// illegal clock-when: F05
model M
  Real x(start = 0);
equation
  when Clock(0.1) then
    when time > 1 then
      x = previous(x) + 1;
    end when;
  end when;
end M;
// illegal clock-when: F05
model M
  Real x(start = 0);
algorithm
  when Clock(0.1) then
    x := previous(x) + 1;
  end when;
end M;
// illegal clock-when: F05
model M
  Real x(start = 0);
equation
  when Clock(0.1) then
    when Clock(0.2) then
      x = previous(x) + 1;
    end when;
  end when;
end M;
// legal clock-when
model M
  Real x(start = 0), y(start = 0);
equation
  when Clock(0.1) then
    x + y = previous(x) + 1;
    x - y = 1;
  end when;
end M;

// illegal clock-initial: K08
model M
  Real x(start = 0) = sample(time, Clock(0.1));
initial equation
  x = 2;
end M;
// illegal clock-initial: K08 fixed
model M
  Real x(start = 1, fixed = true);
equation
  when Clock(0.1) then
    x = sample(time) + 1;
  end when;
end M;
// legal clock-initial
model M
  Real x(start = 1, fixed = true);
equation
  when Clock(0.1) then
    x = previous(x) + 1;
  end when;
end M;
// legal clock-initial
model M
  Real x(start = 1);
equation
  when Clock(0.1) then
    x = previous(x) + 1;
  end when;
end M;

// illegal hold-argument: T08
model M
  Real y = hold(time);
end M;
// illegal hold-argument: T08
model M
  Real x = sample(time, Clock(0.1));
  Real y = hold(2*x);
end M;
// legal hold-argument
model M
  Real x(start = 0) = sample(time, Clock(0.1));
  Real y = hold(x);
end M;

// illegal clocked-events: F40
model M
  Real x(start = 0);
  Real y;
equation
  when Clock(0.1) then
    x = previous(x) + 1;
    y = pre(x);
  end when;
end M;
// illegal clocked-events: F40
model M
  Real x(start = 0);
  Boolean y;
equation
  when Clock(0.1) then
    x = previous(x) + 1;
    y = edge(x > 2);
  end when;
end M;
// illegal clocked-events: F40
model M
  Real x(start = 0);
equation
  when Clock(0.1) then
    x = previous(x) + delay(x, 1);
  end when;
end M;
// illegal clocked-events: F40
model M
  Real x(start = 0);
equation
  when Clock(0.1) then
    x = previous(x) + (if sample(0, 1) then 1 else 2);
  end when;
end M;
// legal clocked-events
model M
  Real x(start = 0);
equation
  when Clock(0.1) then
    x = previous(x) + (if previous(x) > 3 then 1 else 2);
  end when;
end M;

// illegal solver-method: K07
model M
  Real x(start = 1);
equation
  when Clock(0.1) then
    der(x) = -x;
  end when;
end M;
// illegal solver-method: K06
model M
  Real x(start = 1), y(start = 1);
  Real u = sample(time, Clock(Clock(0.1), solverMethod = "ExplicitEuler"));
equation
  der(x) = -x + u;
  der(y) = -y + sample(time, Clock(Clock(0.1), solverMethod = "ImplicitEuler")) + u;
end M;
// legal solver-method
model M
  Real x(start = 1);
equation
  when Clock(Clock(0.1), solverMethod = "ExplicitEuler") then
    der(x) = -x;
  end when;
end M;
