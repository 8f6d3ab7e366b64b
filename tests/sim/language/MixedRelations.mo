// MLS appendix B: relations hold together with what follows from them. Changed all at a time these go
// round in circles, as those of two elements with dry friction do
// simulate: --stop 2
// methods: ida dopri5 esdirk
// ends: s 0.5 1e-9
// ends: x 2.5 1e-9
// moves: s 1.5
model MixedRelations
  Real s, x(start = 0, fixed = true);
  Boolean up = s > 1, down = s < -1 "from up alone both change, and back; it is neither";
equation
  s = if time < 1 then 2 elseif up then -3*z elseif down then 3*z else 0.5*z;
  der(x) = s;
  der(z) = 0;
protected
  Real z(start = 1, fixed = true);
end MixedRelations;
