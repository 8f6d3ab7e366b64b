// simulate: --stop 80
// ends: both -12 1e-6
model RelationsTogether "Relations of time that become true together, and false where the time they compare jumps; many others"
  constant Integer n = 300;
  Integer turn = integer(time/20), half = integer(time/40);
  Real t = time - 20*turn, u = time - 40*half;
  Boolean late = t > 15, between[n] = {time > 100 + k for k in 1:n}, later = u > 35;
  Real both(start = 0, fixed = true);
equation
  der(both) = (if late and later then -1 else 0) + (if time > 75 and not between[n] then -2/5 else 0);
end RelationsTogether;
