// simulate: --stop 100
// methods: esdirk dopri5 ida cvode
// ends: n 500 0
// ends: m 334 0
// ends: s 100 1e-9
model SampleAtTheEnd
  "MLS 3.7.5.2: the last sample is at the end of the run, but for rounding: 0.2 + 499*0.2 is above 100"
  Real x(start = 0, fixed = true);
  discrete Real s(start = 0, fixed = true);
  discrete Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.2, 0.2) then
    n = pre(n) + 1;
    s = x;
  end when;
  when sample(0.1, 0.3) then
    m = pre(m) + 1;
  end when;
end SampleAtTheEnd;
