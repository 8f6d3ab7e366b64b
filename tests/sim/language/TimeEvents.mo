// MLS 8.3.5.2, 8.3.7, 8.3.8: elsewhen, edge, conditions in vectors, terminate
// simulate: --stop 10 --tolerance 1e-9
// zero: late 1e-9
// zero: error[1] 0
// zero: error[2] 1e-9
// zero: error[3] 0
// moves: n 3
model TimeEvents
  parameter Real T[3] = {0.25, 0.5, 1.25};
  Integer n(start = 0, fixed = true);
  Integer which(start = 0, fixed = true);
  Real x(start = 0, fixed = true), late;
  Real error[3];
  Boolean b(start = false, fixed = true) = time > T[2];
  Integer edges(start = 0, fixed = true);
equation
  when {time > T[1], time > T[2], time > T[3]} then
    n = pre(n) + 1;
  end when;
  when time > T[2] then
    which = 1;
  elsewhen time >= T[1] then
    which = 2;
  end when;
  when edge(b) then
    edges = pre(edges) + 1;
  end when;
  der(x) = if time < 1 then 1 else 0; // a kink that no step may blur
  late = noEvent(if time > 1.5 then time - 1.5 else 0);
  error[1] = noEvent(if time > 1.26 then n - 3 elseif time > 0.51 and time < 1.24 then n - 2 else 0);
  error[2] = x - noEvent(min(time, 1));
  error[3] = noEvent(if time > 0.51 then which - 1 + edges - 1 elseif time > 0.26 and time < 0.49
    then which - 2 + edges else 0);
  when time >= 1.5 then
    terminate("enough");
  end when;
end TimeEvents;
