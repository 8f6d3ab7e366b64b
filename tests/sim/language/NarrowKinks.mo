// simulate: --stop 20 --interval 20
// methods: ida dopri5 esdirk cvode
// zero: missed 0
// moves: found 100
model NarrowKinks "Windows around zeros, which a V-shaped relation opens for a millionth of its period"
  parameter Integer n = 10;
  parameter Real w = 1e-6, om[n] = {1 + 0.137*i for i in 1:n};
  Real p[n], v[n];
  Integer k[n](each start = 0, each fixed = true), found = sum(k);
  Real missed = if terminal() then
    found - sum(floor((om[i]*time + 0.1*i)/pi) for i in 1:n) else 0;
  constant Real pi = 2*asin(1.0);
initial equation
  p = sin({0.1*i for i in 1:n});
  v = {om[i]*cos(0.1*i) for i in 1:n};
equation
  for i in 1:n loop
    der(p[i]) = v[i];
    der(v[i]) = -om[i]^2*p[i];
    when abs(p[i]) < w then
      k[i] = pre(k[i]) + 1;
    end when;
  end for;
end NarrowKinks;
