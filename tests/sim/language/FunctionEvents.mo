// MLS 8.5: relations in the bodies of functions make no events, also where the call is expanded:
// x slides on the jump of a valve, at which events would follow each other without end
// model: FunctionEvents.Sliding
// simulate: --stop 2 --tolerance 1e-5
// zero: error 1e-3
// moves: x 0.9
package FunctionEvents
  function valve "drives back from both sides of zero"
    input Real u;
    output Real y = if u > 0 then 1 else -1;
    annotation(Inline = true);
  end valve;
  model Sliding
    Real x(start = 1, fixed = true), error;
  equation
    der(x) = -FunctionEvents.valve(x);
    error = x - noEvent(max(1 - time, 0));
  end Sliding;
end FunctionEvents;
