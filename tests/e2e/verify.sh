#!/bin/sh
# The exact check: models that real numbers satisfy and residues have to; large models, in which a
# wrong equation anywhere is found.
# usage: verify.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# pre() of a state and of another continuous variable in a when-clause
cat >before.mo <<'MO'
model Before
  Real x(start = 0, fixed = true), a = x^2, z(start = 0, fixed = true);
  discrete Real d(start = 0, fixed = true), f(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = d + f;
  when x > 0.5 then
    d = pre(x);
    f = pre(a);
  end when;
end Before;
MO
"$rung" verify before.mo --certificate before.txt >log 2>&1 || fail "pre() of continuous variables: $(cat log)"
python3 "$source/tests/verify/check_certificate.py" before.txt >log 2>&1 || fail "certificate with pre(): $(cat log)"

# angles that are sums known by a variable; roots, signs, parts, conditions
cat >Angles.mo <<'EOF'
model Angles
  Real a(start = 1), b, c, x, y, p(start = 1), q(start = 0);
equation
  der(a) = -a;
  b = sin(time);
  c = a + b + time;
  x = cos(c);
  y = sin(2*c) + x;
  der(p) = q;
  der(q) = -sin(p + c)*tan(p);
end Angles;
EOF
# the relation of an ideal switch depends on itself
cat >Diode.mo <<'EOF'
model Diode
  Real s(start = 1), v, i, u(start = 1), w, z, k;
  Boolean off;
equation
  off = s < 0;
  v = if off then s else 0;
  i = if off then 0 else s;
  u - v = 2*i;
  der(u) = -u + sin(time) - i;
  w = abs(3*u) + max(u, v) + sqrt(u*u + 1) + mod(u, 3);
  z = floor(u) + (if u > 1e-19 then 1 else 2);
  k = exp(-u) + atan2(u, v) + u^2.5;
end Diode;
EOF
for model in Angles Diode; do
    "$rung" verify $model.mo >out 2>&1 || fail "verify $model: $(cat out)"
done
grep -q 'hold exactly at 3 random points, and at 16 modulo primes' out || fail "conditions: $(cat out)"

# factors of derivatives that are zero have their values, or are assumed to be zero
cat >Zero.mo <<'EOF'
model Zero
  parameter Real C = 0, A = 2, R = 3, which = 1;
  parameter Real by = if which > 0.5 then 0 else 1;
  Real v(start = 0), w(start = 0, fixed = true), q, i, a(start = 0, fixed = true), b(start = 0);
equation
  C*der(v) = sin(time) - R*v;
  q = C*A*w;
  i = der(q);
  der(w) = v - w + i;
  by*der(b) = a - 2*b;
  der(a) = b;
end Zero;
EOF
"$rung" verify Zero.mo >out 2>&1 || fail "verify Zero: $(cat out)"
grep -q '1 of them if factors of derivatives are zero' out || fail "a factor that is assumed to be zero: $(cat out)"
"$rung" verify Zero.mo --model 'Zero(C=1, which=0)' >out 2>&1 || fail "verify Zero(C=1): $(cat out)"
! grep -q 'are zero' out || fail "no factor is zero: $(cat out)"
"$rung" verify Zero.mo --certificate zero.cert >out 2>&1
[ $? -eq 1 ] && [ ! -e zero.cert ] && grep -q 'no certificate' out || fail "a certificate of what is assumed: $(cat out)"
# a sum of equations in place of one of them: both miss one residual
"$rung" verify "$source/tests/sim/language/TransistorAmplifier.mo" "$source/tests/sim/language/ZeroCapacitances.mo" --model ZeroCapacitances >out 2>&1 ||
    fail "verify ZeroCapacitances: $(cat out)"

# fractions satisfy equations between Integers: refused where they always do, else said
for sum in 7 7/2 p; do
    cat >Integers.mo <<EOF
model Integers
  parameter Integer p = 9;
  Integer n, k, other = integer(3*time) + 2*p;
equation
  2*n + k = $sum;
  n = k;
end Integers;
EOF
    "$rung" verify Integers.mo >out 2>&1
    status=$?
    if [ $sum = p ]; then
        [ $status -eq 0 ] && grep -q "whole numbers: 2, 'n' first" out || fail "Integers by division: $status $(cat out)"
    else
        [ $status -eq 1 ] && grep -q "Integers.mo:3:11: .* a fraction .*'n'" out || fail "fractions: $status $(cat out)"
    fi
done
sed 's/2\*n + k = p/n + k = 2*p/; s/n = k;/n = 3*p - 1;/' Integers.mo >Whole.mo
"$rung" verify Whole.mo >out 2>&1 && ! grep -q division out || fail "sums of Integers: $(cat out)"
"$rung" verify Angles.mo | grep -q 'and at 4 modulo primes' || fail "no conditions: $("$rung" verify Angles.mo)"

# fractions where they are asked for, and residues alone where the model is large
"$rung" verify --model 'Linkage.Examples.PlanarPendulum(n=8)' >out 2>&1 || fail "verify: $(cat out)"
grep -q 'hold at 4 random points modulo primes of 61 bits' out || fail "residues alone: $(cat out)"
"$rung" verify --model 'Linkage.Examples.PlanarPendulum(n=8)' --rational --points 1 >out 2>&1 ||
    fail "verify: $(cat out)"
grep -q 'hold exactly at 1 random points, and at 1 modulo' out || fail "fractions: $(cat out)"
"$rung" verify --model 'Linkage.Examples.PlanarPendulum(n=200)' >out 2>&1 || fail "verify: $(cat out)"
grep -q 'derivatives: those of the method' out || fail "derivatives of a large model: $(cat out)"
"$rung" verify --model 'Linkage.Examples.PlanarPendulum(n=2)' --method nonsense >out 2>&1
[ $? -eq 2 ] || fail "a method that there is not: $(cat out)"

# derivatives by several parameters: of the rates by one elimination for all, as by their own equations, row for row
cat >Along.mo <<'MO'
model Along "links in space"
  parameter Real m = 0.2, L = 0.2, c = 0.02;
  inner Linkage.World world;
  Linkage.Joints.Revolute hinge[3](each phi(start = 0.3), n = {{0, 0, 1}, {1, 0, 0}, {0, 0, 1}});
  Linkage.Parts.Body link[3](each m = m, each r_CM = {0, -0.1, c});
  Linkage.Parts.FixedTranslation length[3](each r = {0, -L, 0});
equation
  connect(world.frame_b, hinge[1].frame_a);
  connect(hinge.frame_b, link.frame_a);
  connect(hinge.frame_b, length.frame_a);
  connect(length[1:2].frame_b, hinge[2:3].frame_a);
end Along;
MO
"$rung" verify Along.mo --sensitivity m,L,c,world.g >out 2>&1 || fail "verify by parameters: $(cat out)"
grep -q 'hold exactly at' out || fail "verify by parameters: $(cat out)"

[ $failed -eq 0 ] && echo "exact in residues and fractions"
exit $failed
