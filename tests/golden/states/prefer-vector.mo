// Of a machine whose third winding is open two states are left: the sum of the currents, which is preferred and
// differentiated, and one more. The currents in a frame that turns are preferred as a whole: one of them is none.
model 'prefer-vector' "Three windings of a star in a frame that turns, one of them open"
  Real i[3], v3, a(start = 0, fixed = true), b;
  Real phi(start = 0, fixed = true, stateSelect = StateSelect.prefer);
  Real i0(start = 0, fixed = true, stateSelect = StateSelect.prefer);
  Real q[2](each stateSelect = StateSelect.prefer);
equation
  i[3] = 0;
  3*i0 = i[1] + i[2] + i[3];
  3*a = 2*i[1] - i[2] - i[3];
  b = i[2] - i[3];
  der(phi) = 1;
  q[1] = cos(phi)*a + sin(phi)*b;
  q[2] = cos(phi)*b - sin(phi)*a;
  der(i0) = sin(time) - v3 - i0;
  der(a) = cos(time) - v3 - a;
  der(b) = 1 + v3 - b;
end 'prefer-vector';
