// Nothing differentiates v_rel, but it is a speed: preferred, it is a state along with s_rel.
model prefer "Two bodies on a line and a spring between them; what follows an input is not differentiated"
  parameter Real m = 2, c = 5;
  input Real u;
  Real s1, s2, v1, v2, f;
  Real s_rel(stateSelect = StateSelect.prefer), v_rel(stateSelect = StateSelect.prefer);
equation
  v1 = der(s1);
  v2 = der(s2);
  s_rel = s2 - s1;
  v_rel = der(s_rel);
  f = c*s_rel;
  m*der(v1) = f;
  m*der(v2) = u - f;
end prefer;
