// methods: esdirk dopri5 ida
// ends: all 100 0
model ManyShallowDips "each close to the end of another interval of the search"
  parameter Integer n = 100;
  Real x(start = 0, fixed = true);
  discrete Integer k[n](each start = 0, each fixed = true);
  Integer all = sum(k);
equation
  der(x) = 1;
  for i in 1:n loop
    when (x - i/101)^2 < 1e-12 then
      k[i] = pre(k[i]) + 1;
    end when;
  end for;
end ManyShallowDips;
