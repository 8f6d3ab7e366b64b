// simulate: --stop 1 --tolerance 1e-9
// zero: error_1 1e-8
// zero: error_2 1e-8
// moves: s1 0.4
model PreferredSpeed "what reinit leaves alone is the preferred speed between two bodies, so both stop"
  Real s1(start = 0, fixed = true), s2, v1, v2(start = 1, fixed = true);
  Real s_rel(start = 0, fixed = true, stateSelect = StateSelect.prefer);
  Real v_rel(start = 0, fixed = true, stateSelect = StateSelect.prefer);
  Real f = s_rel + v_rel;
  Real error_1 = s1 - min(time, 0.5), error_2 = s2 - min(time, 0.5);
equation
  v1 = der(s1);
  v2 = der(s2);
  s_rel = s2 - s1;
  v_rel = der(s_rel);
  der(v1) = f;
  der(v2) = -f;
  when s2 > 0.5 then
    reinit(v2, 0);
  end when;
end PreferredSpeed;
