#!/bin/sh
# Loops whose rounds depend on variables, out of a run: derivatives by a parameter, FMUs, C libraries, verify; a loop
# without an end; statements that such a loop cannot have.
# usage: varying_loops.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

cat >Root.mo <<'MO'
model Root "der(x) = -p*sqrt(x): x = (1 - p*time/2)^2"
  parameter Real p = 1;
  Real x(start = 1, fixed = true), error;
  output Real y;
equation
  der(x) = -p*y;
  error = x - (1 - p*time/2)^2;
algorithm
  y := 1;
  while abs(y*y - x) > 1e-15*x loop
    y := 0.5*(y + x/y);
  end while;
  annotation(experiment(StopTime = 1));
end Root;
MO
# near FILE NAME VALUE BOUND: in the last row
near() {
    awk -F, -v name="$2" -v value="$3" -v bound="$4" '
        NR == 1 { n = split(substr($0, 2, length($0) - 2), column, "\",\""); for (k = 1; k <= n; k++) if (column[k] == name) c = k }
        END { d = $c - value; exit !(c && d <= bound && -d <= bound) }' "$1" ||
        fail "$1: $2 is not $3: $(tail -1 "$1")"
}

# dx/dp = -(1 - p t/2) t, dy/dp = -t/2
for method in esdirk dopri5; do
    "$rung" simulate Root.mo --sensitivity p --method $method --tolerance 1e-9 --stop 0.8 -q -o r.csv 2>err.txt ||
        fail "$method: $(cat err.txt)"
    near r.csv x 0.36 1e-7
    near r.csv 'der(x,p)' -0.48 1e-6
    near r.csv 'der(y,p)' -0.4 1e-6
done
"$rung" verify Root.mo >out.txt 2>&1 || fail "verify: $(cat out.txt)"

"$rung" fmu Root.mo -q -o Root.fmu 2>err.txt || fail "fmu: $(cat err.txt)"
for interface in me cs; do
    "$rung" simulate Root.fmu --interface $interface --set p=1.2 --tolerance 1e-8 -q -o f.csv 2>err.txt ||
        fail "$interface: $(cat err.txt)"
    near f.csv x 0.16 1e-5
    near f.csv y 0.4 1e-5
done
"$rung" compile --kind library Root.mo -q -o lib 2>err.txt && make -s -C lib >err.txt 2>&1 || fail "library: $(cat err.txt)"

# a thousand loops are one function
cat >Many.mo <<'MO'
model Many
  model Part
    parameter Real p = 1;
    Real y;
  algorithm
    y := p;
    while y > time loop
      y := y - 1;
    end while;
  end Part;
  Part part[1000](p = {k/10 for k in 1:1000});
  Real sum = sum(part.y);
end Many;
MO
"$rung" -d flatten Many.mo >flat.txt 2>err.txt || fail "many: $(cat err.txt)"
[ "$(grep -c '^  function' flat.txt)" -eq 1 ] || fail "many: $(grep -c '^  function' flat.txt) functions"

cat >Wrong.mo <<'MO'
model Endless
  Real x = 1 + time, y;
algorithm
  y := x;
  while y < 10 loop
    y := noEvent(if y > 2 then 1 else y);
  end while;
end Endless;
model Reinit
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
algorithm
  when x < 0.5 then
    while n < x*10 loop
      n := n + 1;
      reinit(x, n);
    end while;
  end when;
end Reinit;
model Rate
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -x;
algorithm
  y := 0;
  while y < x loop
    y := y + 1;
    z := der(y);
  end while;
end Rate;
model Between
  Integer k;
algorithm
  k := 0;
  while k < 3*time loop
    k := k + 1;
  end while;
end Between;
MO
expect 1 "a loop of 'Endless' does not end, Wrong.mo:5:3" "$rung" simulate Wrong.mo --model Endless -q
expect 1 "18:7: error F31: 'reinit' is not supported in a loop whose rounds depend on variables" "$rung" check Wrong.mo --model Reinit
expect 1 "28:3: error F31: der(), pre() and operators on time" "$rung" check Wrong.mo --model Rate
expect 0 "37:3: warning T41: 'k' changes at events only, and this loop assigns it between them" "$rung" check Wrong.mo --model Between
expect 1 "37:3: error T41" "$rung" check Wrong.mo --model Between --strict
exit $failed
