Chapter 17: state machines.

// illegal state-machine: 
block S
  outer output Integer i;
equation
  i = previous(i) + 1;
end S;
model M
  inner Integer i(start = 0);
  S a, b;
  Real x;
equation
  initialState(a);
  transition(a, b, i > 10, priority = 0);
end M;
// illegal state-machine: 
model M
  Real x = ticksInState();
end M;
// illegal state-machine: 
model M
  Real x;
equation
  x = if activeState(x) then 1 else 2;
end M;
// illegal state-machine: 
model A
end A;
model M
  A a, b;
  Real x = time;
equation
  when x > 1 then
    initialState(a);
  end when;
end M;
// legal state-machine
model M
  Real x = time;
end M;
