// A flow that grows from zero. At rest the relation of the other direction holds, and within its noise it goes on to hold,
// but there the equations of that direction have no solution, as of enthalpies that come from the side that the flow
// leaves. No step can be made from there, and the event is where the flow leaves rest.
// simulate: --stop 2 --tolerance 1e-8
// methods: esdirk dopri5 ida
// zero: error 1e-7
// moves: y 0.5
model FlowLeavesRest
  Real given = if time < 0.5 then 0 else 3*(time - 0.5), w "the same, of an equation that Newton's method solves";
  Real y, x(start = 0, fixed = true), error = y - sqrt(1 + given);
equation
  w + 0.1*w^3 = given + 0.1*given^3;
  y = if w <= 0 then sqrt(1 - 1e20*w) else sqrt(1 + w);
  der(x) = y;
end FlowLeavesRest;
