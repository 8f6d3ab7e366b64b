// simulate: --stop 2e-8 --tolerance 1e-8
// zero: balance 1e-5
// zero: late 1e-2
// moves: v[60] 0.3
model TransmissionLine "Sections of L and C between a matched source that jumps and a matched load"
  parameter Integer n = 60;
  parameter Real L = 2.5e-9, C = 1e-12 "a section takes 5e-11 s";
  parameter Real Z = sqrt(L/C);
  Real i[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true);
  Real W(start = 0, fixed = true) "energy that came in and was not lost at the ends";
  Real source = if time > 1e-10 then 1 else 0;
  Real balance = (W - sum(L*i[k]^2 + C*v[k]^2 for k in 1:n)/2)/(n*C);
  Real late = if time > 1.5e-8 then v[n] - 0.5 else 0 "five times the way through the line; sections ring a little";
equation
  der(W) = (source - Z*i[1])*i[1] - v[n]^2/Z;
  for k in 1:n loop
    L*der(i[k]) = (if k == 1 then source - Z*i[1] else v[k - 1]) - v[k];
    C*der(v[k]) = i[k] - (if k == n then v[n]/Z else i[k + 1]);
  end for;
end TransmissionLine;
