// simulate: --stop 1e-3 --tolerance 1e-7
// methods: esdirk ida cvode
// zero: late 1e-10
// zero: error 1e-7
// moves: at 1e-8
model EventInLayer "At rest at the start, then off the slow solution by 300 tolerances for 1e-8 s, with an event in it"
  parameter Real a = 1e8 "of the decay", w = 3140 "of the slow solution";
  Real v(start = 0, fixed = true);
  discrete Real seen(start = 0, fixed = true), at(start = 0, fixed = true);
  Real error = v - a/(a^2 + w^2)*(a*sin(w*time) - w*cos(w*time) + w*exp(-a*time));
  Real late = at - (if at > 0 then 1.166139368e-8 else 0) "v = 1.5e-5 there";
equation
  der(v) = a*(sin(w*time) - v);
  when v > 1.5e-5 then
    seen = v;
    at = time;
  end when;
end EventInLayer;
