// MLS 8.5: an equation that holds discrete variables is differentiated: a capacitor at a pulse source
// simulate: --stop 2.2 --tolerance 1e-9
// zero: error[1] 1e-9
// zero: error[2] 1e-9
// moves: v 0.5
// moves: n 2
model ReducedDiscrete
  Integer n(start = 0, fixed = true);
  discrete Real from(start = 0, fixed = true);
  Real v, i, error[2];
equation
  when time >= n_next then
    n = pre(n) + 1;
    from = time;
  end when;
  n_next = pre(n) + 1;
  v = (time - from)*(1 + n);
  i = 3*der(v);
  error[1] = v - (time - from)*(n + 1);
  error[2] = i - 3*(n + 1);
protected
  Real n_next;
end ReducedDiscrete;
