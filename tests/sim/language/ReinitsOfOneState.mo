// MLS 8.3.6: branches of a when-clause that set the same state; the audit does not take one for another
// simulate: --stop 1 --interval 0.1 --step 0.01
// methods: rk4 dopri5 esdirk
// ends: n 5 0
// ends: v -1 0
model ReinitsOfOneState
  Real v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(v) = 0;
  when sample(0.1, 0.2) then
    n = pre(n) + 1;
    reinit(v, n);
  elsewhen time >= 1 then
    n = pre(n);
    reinit(v, -1);
  end when;
end ReinitsOfOneState;
