// simulate: --stop 9 --tolerance 1e-8
// methods: dopri5 esdirk ida
// zero: error_limited 1e-6
// zero: error_floored 1e-6
// zero: error_i 2e-6
// moves: i 1
// moves: limited 0.9
model ContraryRelations "Relations that no value satisfies for a while, and then one does again"
  Real u = sin(time);
  // with u > 0.5 neither value agrees: limited = 0.5 is not above 0.5
  Real limited = if limited > 0.5 then 0.5 else u;
  Real floored = if floored < -0.5 then -0.5 else u;
  Real error_limited = limited - min(u, 0.5), error_floored = floored - max(u, -0.5);
  // rests at 0.5 as long as u is positive, then falls with it
  Real i(start = 0, fixed = true);
  Boolean rests = i > 0.5 and der(i) > 0;
  constant Real pi = 3.14159265358979323846;
  Real error_i = i
    - (if time < pi/3 then 1 - cos(time) elseif time < pi then 0.5 else -0.5 - cos(time));
  // a state that sees the limits
  Real z(start = 0, fixed = true);
equation
  der(i) = if rests then 0 else u;
  der(z) = limited + floored;
end ContraryRelations;
