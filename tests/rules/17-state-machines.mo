Chapter 17: state machines.

// legal machine
block S
  outer output Integer i;
equation
  i = previous(i) + 1;
end S;
model M
  inner Integer i(start = 0);
  S a, b;
  Real t;
  block W
    Real t = timeInState();
    Integer n = ticksInState();
  end W;
  W w;
equation
  initialState(a);
  for k in 1:2 loop
    transition(a, b, i > 10 * k and ticksInState() > 2, immediate = false, priority = k);
  end for;
  if true then
    transition(b, a, timeInState() > 3, reset = false, synchronize = true);
  end if;
  initialState(state = w);
  t = if activeState(a) then 1 else 2;
end M;
// illegal machine: F50 priority of a transition is at least 1
block S
  outer output Integer i;
equation
  i = previous(i) + 1;
end S;
model M
  inner Integer i(start = 0);
  S a, b;
equation
  initialState(a);
  transition(a, b, i > 10, priority = 0);
end M;
// illegal machine: F50 two transitions
block S
  outer output Integer i = previous(i) + 1;
end S;
model M
  inner Integer i(start = 0);
  S a, b;
equation
  initialState(a);
  transition(a, b, i > 10);
  transition(a, a, i > 20);
end M;
// illegal machine: F50 no state of the machine
block S
end S;
model M
  S a, b;
equation
  transition(a, b, time > 10);
end M;
// illegal machine: F50 both initial states
block S
end S;
model M
  S a, b;
equation
  initialState(a);
  initialState(b);
  transition(a, b, sample(time) > 10);
end M;
// illegal machine: F50 not inside the same state
block S
end S;
block P
  S a;
end P;
model M
  P p;
  S b;
equation
  initialState(p);
  initialState(b);
  transition(b, p.a, sample(time) > 10);
end M;
// illegal machine: F50 only a block
model S
end S;
model M
  S a;
equation
  initialState(a);
end M;
// illegal machine: F50 one block
block S
end S;
model M
  S a[2];
equation
  initialState(a);
end M;
// illegal machine: F50 start value
block S
  outer output Integer i;
equation
  i = previous(i) + 1;
end S;
block E
end E;
model M
  inner Integer i;
  E a;
  S b;
equation
  initialState(a);
  transition(a, b, sample(time) > 3);
end M;
// illegal machine: F50 active at the same time
block S
  outer output Integer i;
equation
  i = previous(i) + 1;
end S;
model M
  inner Integer i(start = 0);
  S a, b;
equation
  initialState(a);
  initialState(b);
end M;
// illegal machine: T31
block S
end S;
model M
  S a, b;
equation
  initialState(a);
  transition(a, b, 1);
end M;
// illegal machine: T07 no input
block S
end S;
model M
  S a, b;
equation
  initialState(a);
  transition(a, b, sample(time) > 1, delayed = true);
end M;
// illegal machine: T07 missing
block S
end S;
model M
  S a, b;
equation
  initialState(a);
  transition(a, b);
end M;
// illegal machine:
block S
end S;
model M
  S a, b;
  Boolean now = sample(time) > 1;
equation
  initialState(a);
  transition(a, b, sample(time) > 1, immediate = now);
end M;
// illegal machine: K
block S
end S;
model M
  S a, b;
equation
  initialState(a);
  transition(a, b, time > 1);
  transition(b, a, sample(time, Clock(1, 10)) > 1 and sample(time, Clock(1, 3)) > 1);
end M;
// illegal state-of-machine: F50 in no state machine
model M
  Real x = ticksInState();
end M;
// illegal state-of-machine: F50 in no state machine
model M
  Real x = timeInState();
end M;
// illegal state-of-machine:
model M
  Real x;
equation
  x = if activeState(x) then 1 else 2;
end M;
// illegal state-of-machine: F50 no state of a state machine
block S
end S;
model M
  S a, b;
  Boolean c = activeState(b);
equation
  initialState(a);
end M;
// illegal machine-equation: F50 when-equation
block A
end A;
model M
  A a, b;
  Real x = time;
equation
  when x > 1 then
    initialState(a);
  end when;
end M;
// illegal machine-equation:
block A
end A;
model M
  A a, b;
  Real x = time;
equation
  initialState(a);
  if x > 1 then
    transition(a, b, sample(time) > 1);
  end if;
end M;
// illegal machine-equation: F50 equation section
block A
end A;
model M
  A a, b;
algorithm
  initialState(a);
end M;
// illegal machine-equation: F50 initial equation
block A
end A;
model M
  A a, b;
initial equation
  initialState(a);
end M;
// illegal machine-equation: F50 equation section
block A
end A;
model M
  A a;
  Boolean b = initialState(a);
end M;
// legal machine-equation
block A
end A;
model M
  A a, b;
  parameter Boolean p = true;
equation
  initialState(a);
  if p then
    transition(a, b, sample(time) > 1);
  end if;
end M;
// legal state-of-machine
block S
  Integer n = ticksInState();
end S;
model M
  S a;
  function transition
    input Real x;
    output Real y = x;
  algorithm
  end transition;
  Boolean c = activeState(a);
  Real y = transition(time);
equation
  initialState(a);
end M;
// legal connected-outputs
connector Out = output Integer;
block S
  Out y;
equation
  y = previous(y) + 1;
end S;
model M
  S a(y(start = 1)), b;
  Out y;
equation
  connect(a.y, y);
  connect(y, b.y);
  initialState(a);
  transition(a, b, y > 3, immediate = false);
end M;
// illegal connected-outputs: F50 active at the same time
connector Out = output Integer;
block S
  Out y;
equation
  y = previous(y) + 1;
end S;
model M
  S a(y(start = 1)), b;
  Out y;
equation
  connect(a.y, y);
  connect(b.y, y);
  initialState(a);
  initialState(b);
end M;
// illegal connected-outputs: F02 both
connector Out = output Integer;
block S
  Out y;
equation
  y = previous(y) + 1;
end S;
model M
  S a(y(start = 1)), b;
  Out y;
equation
  connect(a.y, y);
  connect(b.y, y);
  initialState(a);
end M;
