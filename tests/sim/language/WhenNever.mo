// A when-clause of an algorithm that never fires leaves its variables as they were (MLS 11.1.2): of
// an array those that it names, in loops and branches too.
// simulate: --stop 1 --tolerance 1e-8
// methods: ida esdirk
// ends: x 11 1e-8
// ends: d[2] 5 0
// ends: e 1 0
model WhenNever
  parameter Integer n = 3;
  discrete Real d[n](each start = 4, each fixed = true), a[2](start = {2, 3}), e(start = 1, fixed = true);
  Integer k(start = 7, fixed = true);
  Real x(start = 0, fixed = true);
algorithm
  when true then
    e := 5;
  end when;
algorithm
  when false then
    for i in 1:n loop
      d[i] := 5*i;
    end for;
    terminate("never");
    a[1] := 1;
    if n > 3 then
      k := integer(d[1]);
    else
      k := 3;
    end if;
  elsewhen time > 0.5 then
    d[2] := d[2] + 1;
  end when;
equation
  a[2] = 9;
  der(x) = d[1] + k;
end WhenNever;
