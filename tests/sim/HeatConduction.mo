// simulate: --stop 0.2 --tolerance 1e-8
// zero: error 1e-6
// moves: T[80] 0.1
model HeatConduction "A wall of many layers, too stiff for an explicit method, in its first mode"
  parameter Integer n = 160 "more than the states that a dense matrix is taken for by default";
  constant Real pi = 3.141592653589793;
  Real T[n](start = {sin(pi*k/(n + 1)) for k in 1:n}, each fixed = true);
  parameter Real rate = 4*(n + 1)^2*sin(pi/(2*(n + 1)))^2;
  Real error = sqrt(sum((T[k] - exp(-rate*time)*sin(pi*k/(n + 1)))^2 for k in 1:n));
equation
  for k in 1:n loop
    der(T[k]) = (n + 1)^2*((if k > 1 then T[k - 1] else 0) - 2*T[k] + (if k < n then T[k + 1] else 0));
  end for;
end HeatConduction;
