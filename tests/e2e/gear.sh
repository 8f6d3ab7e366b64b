#!/bin/sh
# The method gear: closed loops in the stabilised form of index 2, where one Jacobian serves ten steps or more; stiff
# models; events; many states.
# usage: gear.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# last FILE: the value of its second column at the end
last() {
    tail -1 "$1" | cut -d, -f2
}
# number WORD: the number before it in the summary
number() {
    tr ',' '\n' <out | sed -n "s/.* \([0-9][0-9]*\) $1.*/\1/p" | head -1
}
# model, signal, stop, the largest error: against esdirk with a tight tolerance
closed() {
    run="$rung simulate --model $1 --stop $3 --interval $3 --signals $2"
    $run --method esdirk --tolerance 1e-11 -q -o reference.csv || failed=1
    $run --method gear --tolerance 1e-7 -o r.csv >out 2>&1 || fail "$1: $(cat out)"
    awk -v a="$(last r.csv)" -v b="$(last reference.csv)" -v most="$4" 'BEGIN { exit !((a - b)^2 < most^2) }' ||
        fail "$1: $(last r.csv) at the end, not $(last reference.csv)"
    [ $((10 * $(number Jacobians))) -le "$(number steps)" ] || fail "$1: more than 0.1 Jacobians a step: $(cat out)"
    ! grep -q 'phi|' out || sed -n "s/.*|phi| <= \([^,]*\),.*|phi'| <= \([^, ]*\).*/\1 \2/p" out |
        awk '{ exit !($1 < 1e-9 && $2 < 1e-6) }' || fail "$1: loops are open: $(cat out)"
}
closed Linkage.Examples.DoublePendulum joint2.phi 1 1e-5
closed Linkage.Benchmarks.FiveBar 'r2[2]' 1 1e-5
closed Linkage.Benchmarks.SpatialFourBar rocker.phi 1 1e-5
closed Linkage.Benchmarks.SpatialSliderCrank slide.s 1 1e-5

cat >stiff.mo <<'END'
model Stiff "Robertson's reaction: time scales from 1e-4 to 1e4"
  Real a(start = 1, fixed = true), b(start = 0, fixed = true, nominal = 1e-5), c(start = 0, fixed = true);
equation
  der(a) = -0.04*a + 1e4*b*c;
  der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
  der(c) = 3e7*b^2;
end Stiff;
model Bounce "a ball on a floor, by 12 events"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.8*pre(v));
    n = pre(n) + 1;
  end when;
end Bounce;
model Rod "heat in many cells"
  parameter Integer n = 1000;
  Real T[n](each start = 0, each fixed = true);
equation
  der(T[1]) = n*n*(1 - 2*T[1] + T[2])/100;
  for i in 2:n - 1 loop
    der(T[i]) = n*n*(T[i - 1] - 2*T[i] + T[i + 1])/100;
  end for;
  der(T[n]) = n*n*(T[n - 1] - 2*T[n])/100;
end Rod;
END
# the value of Hairer and Wanner II, IV.10
"$rung" simulate stiff.mo --model Stiff --stop 40 --interval 40 --tolerance 1e-7 --method gear -o r.csv >out 2>&1 || fail "$(cat out)"
awk -v a="$(last r.csv)" 'BEGIN { exit !((a - 0.7158270688)^2 < 1e-11) }' || fail "Robertson: $(last r.csv)"
[ "$(number steps)" -lt 400 ] || fail "Robertson: $(cat out)"
# t of bounce k is sqrt(2/g) (1 + 2 (0.8 + 0.8^2 + ...))
"$rung" simulate stiff.mo --model Bounce --stop 3 --interval 3 --tolerance 1e-8 --method gear --signals n,h -o r.csv >out 2>&1 ||
    fail "$(cat out)"
"$rung" simulate stiff.mo --model Bounce --stop 3 --interval 3 --tolerance 1e-8 --method dopri5 --signals n,h -q -o d.csv || failed=1
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) k[FILENAME, i] = $i } { a[FILENAME] = $2; b[FILENAME] = $3 }
    END { x = a["r.csv"] - a["d.csv"]; y = b["r.csv"] - b["d.csv"]; exit !(x*x < 1e-12 && y*y < 1e-12) }' r.csv d.csv ||
    fail "Bounce: $(tail -1 r.csv), dopri5 $(tail -1 d.csv)"
# the steady state is a straight line
"$rung" simulate stiff.mo --model Rod --stop 100 --interval 100 --tolerance 1e-6 --method gear --signals 'T?500?' -o r.csv >out 2>&1 || fail "$(cat out)"
awk -v a="$(last r.csv)" 'BEGIN { exit !((a - 501/1001)^2 < 1e-8) }' || fail "Rod: $(last r.csv)"

expect 2 "no derivatives by parameters with 'gear'" "$rung" simulate --model Linkage.Examples.DoublePendulum --method gear \
    --sensitivity 'world.g'
exit $failed
