// MLS 8.5: relations that cross zero twice between two rows, and inside one step of any method;
// periodic ones whose period divides rows and steps
// simulate: --stop 10 --interval 2.5 --tolerance 1e-4
// methods: esdirk dopri5 ida cvode
// ends: pulses 48 0
// ends: lit 0.45292631463816735 1e-6
// ends: grid 20 0
// ends: passes 1 0
// ends: inside 0.02 1e-6
model FastRelations
  Integer pulses(start = 0, fixed = true), grid(start = 0, fixed = true),
    passes(start = 0, fixed = true);
  Real lit(start = 0, fixed = true) "time with sin(30 t) > 0.99";
  Real s(start = 0, fixed = true), inside(start = 0, fixed = true) "time with |s - 3.3| < 0.01";
equation
  when sin(30*time) > 0.99 then
    pulses = pre(pulses) + 1;
  end when;
  der(lit) = if sin(30*time) > 0.99 then 1 else 0;
  when cos(4*3.14159265358979*time - 1) > 0.999 then
    grid = pre(grid) + 1;
  end when;
  der(s) = 1;
  when (s - 3.3)^2 < 1e-4 then
    passes = pre(passes) + 1;
  end when;
  der(inside) = if (s - 3.3)^2 < 1e-4 then 1 else 0;
end FastRelations;
