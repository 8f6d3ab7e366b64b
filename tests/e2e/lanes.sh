#!/bin/sh
# Several instances at once: the same bits as one at a time, whatever the code is made of; what is
# not made for lanes is refused.
# usage: lanes.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"

cat >branches.mo <<'MO'
model Branches "conditions, functions of libm, powers, times alone, a pivot that may vanish"
  parameter Real a = 0.3, b = 2;
  parameter Boolean on = true;
  Real x(start = 0.4), y(start = 1.2), z(start = -0.3), q(start = 0);
  Real s, u, v;
equation
  der(x) = noEvent(if x > 0 and not y > 3 then sqrt(abs(x)) * a elseif z < 0 then -x^2 else exp(-x)) - s;
  der(y) = noEvent(max(x, y) * min(z, 0.1)) + abs(z) * noEvent(sign(x)) - y^5 / (1 + y^4) + sin(b*x) * cos(y);
  der(z) = atan2(x, y) - tanh(z) + log(1 + x^2) - noEvent(mod(y, 0.7)) + noEvent(floor(4*x)) + abs(x)^b + time;
  s + u * cos(x) = a;
  u - v * y = 1;
  v + s * z = b;
  der(q) = noEvent(if x > 0.45 or not on and y < 2 then 1 else cos(time));
end Branches;
MO

exact() { # widths, what, then the model
    lanes=$1
    what=$2
    shift 2
    "$rung" bench "$@" --what "$what" --lanes "$lanes" --jacobian all --format csv >bench.csv ||
        fail "bench of $*"
    awk -F, -v n="$(($(echo "$what" | tr ',' ' ' | wc -w) * $(echo "$lanes" | tr ',' ' ' | wc -w)))" '
        $2 ~ /^lanes/ { seen++; if ($5 == "" || $5 != 0) { print; bad = 1 } }
        END { exit bad || seen != n }' bench.csv || fail "lanes of $*: $(cat bench.csv)"
}
small && exact 2,8 jacobian,step branches.mo
# kernels, and values that they hand to each other
small && exact 4 newton,step --model 'Linkage.Examples.AlternatingPendulum(n=7)'
large && exact 2,4,8,16 xdot,newton,step --model Linkage.Examples.FreeBody
large && exact 8 xdot,newton --model 'Linkage.Examples.MultiPendulum(depth=4)'
large && CC=clang exact 4,8 xdot,jacobian,newton,step branches.mo

refused() { # reason, then a model's body
    printf 'model M\n%s\nend M;\n' "$2" >m.mo
    "$rung" compile m.mo --lanes 8 -o m >out 2>err
    [ $? -eq 1 ] || fail "not refused: $2"
    grep -q "G07.*$1" err || fail "why: $(cat err)"
}
refused 'it has events' 'Real x(start=0); equation der(x) = if x > 0.5 then 1 else 2;'
refused 'solved at run time' 'Real x(start=0), y; equation der(x) = y; y + sin(y) = x;'
refused 'der(x) calls a function' 'function f input Real u; output Real y; protected Real s;
  algorithm s := u; while s > 1 loop s := s/2; end while; y := s; end f;
  Real x(start=0); equation der(x) = f(x);'
# a C library: the same bits as its M_xdot, a lane's own parameters among them
"$rung" compile branches.mo --kind library --lanes 2,8 -q -o library || fail "a library with lanes"
cat >lanes.c <<'C'
#include "Branches.h"

#include <stdio.h>
#include <string.h>

enum { N = Branches_N_STATES, WIDTH = 8 };

int main(void)
{
    static Branches_Instance m[WIDTH];
    static Branches_Lanes8 l;
    static __attribute__((aligned(64))) double in[N * WIDTH], out[N * WIDTH];
    int differ = 0;
    for (int k = 0; k < WIDTH; k++) {
        double x[N];
        Branches_defaults(&m[k]);
        Branches_set(&m[k], Branches_PARAMETER_b, 1 + 0.3 * k);
        differ |= Branches_init(&m[k], 0, x) || Branches_lanes8_set(&l, k, &m[k]);
        for (int i = 0; i < N; i++)
            in[i * WIDTH + k] = x[i] + 0.1 * k - 0.02 * i * k;
    }
    differ |= Branches_lanes8_xdot(&l, 0.3, in, out) != 0;
    for (int k = 0; k < WIDTH; k++) {
        double x[N], rate[N];
        for (int i = 0; i < N; i++)
            x[i] = in[i * WIDTH + k];
        differ |= Branches_xdot(&m[k], 0.3, x, rate);
        for (int i = 0; i < N; i++)
            differ |= memcmp(&rate[i], &out[i * WIDTH + k], sizeof *rate) != 0;
    }
    return differ;
}
C
make -s -C library lib CFLAGS='-O2 -Wall -Wextra -Werror' && cc -O2 -Wall -Werror -Ilibrary -o lanes lanes.c library/libBranches.a -lm && ./lanes ||
    fail "lanes of a library have other numbers"
printf '#include "Branches.h"\nint main() { return 0; }\n' >lanes.cpp
c++ -Ilibrary -c lanes.cpp -o lanes.o || fail "the header of lanes in C++"
"$rung" compile branches.mo --kind single-file --lanes 8 -o refused >out 2>err
[ $? -eq 2 ] || fail "lanes in one file: $(cat err)"
# runs: the same table, byte for byte, whatever ends a run or is told of it
cat >edge.mo <<'MO'
model Edge "runs that end early, warn, leave a range, are not finite, grow without end"
  parameter Real a = 0.3, b = 2, k = 1, lim = 3;
  parameter Real c(min = 0) = 1;
  Real x(start = 0.4), y(start = 1.2), z(start = -0.3, max = 40);
  Real s, u, v;
  output Real o = noEvent(sqrt(lim - x)), sum = x + y + z + s + der(x);
equation
  der(x) = k*noEvent(if x > 0 and not y > 3 then sqrt(abs(x)) * a elseif z < 0 then -x^2 else exp(-x)) - s;
  der(y) = k*noEvent(max(x, y) * min(z, 0.1)) + sin(b*x) * cos(y) - k*y;
  der(z) = atan2(x, y) - tanh(z) + abs(x)^b + time;
  s + u * cos(x) = a;
  u - v * y = 1;
  v + s * z = b;
  assert(noEvent(z < 35), "z is " + String(z), AssertionLevel.warning);
  assert(noEvent(x < 2.9), "x is too large");
end Edge;
MO
same() { # options of a sweep
    for lanes in 1 8; do
        "$rung" sweep "$@" --lanes $lanes --method rk4 --sampling random --jobs 2 -q -o by$lanes >out 2>err
        sed 's/-[0-9a-f]*\.mat//' by$lanes/table.csv >table$lanes.csv
    done
    cmp table1.csv table8.csv || fail "other results in lanes: $*"
    n=$(grep -c ',ok,' table8.csv)
    rm -rf by1 by8
}
same edge.mo --vary 'a=uniform(-2,3)' --vary 'b=uniform(0,3)' --vary k=0.5,1,20,700,4000 \
    --vary 'c=uniform(-0.3,3)' --vary 'lim=uniform(2.5,9)' --runs 43 --step 0.004 --stop 3 --interval 0.1
[ "$n" -gt 10 ] && [ "$n" -lt 40 ] || fail "$n of 43 runs are ok: some, not all, should be"
cat >chain.mo <<'MO'
model Chain
  extends Linkage.Examples.AlternatingPendulum(n = 4, joint(each phi(start = q)));
  parameter Real q = 0.2;
end Chain;
MO
same chain.mo --vary 'q=uniform(-1,1)' --vary 'm=uniform(1,2)' --runs 11 --step 0.01 --stop 0.995
[ "$n" -eq 11 ] || fail "$n of 11 runs of a chain"
large && same chain.mo --vary 'q=uniform(-1,1)' --runs 8 --step 0.003 --stop 0.5 --signals 'joint[4].phi,body[2].frame_a.m.r[*]'
for wrong in '--step 0.1' '--method rk4' '--method dopri5 --step 0.1' '--method rk4 --step 0.1 --keep' \
    '--method rk4 --step 0.1 --slurm'; do
    # shellcheck disable=SC2086
    "$rung" sweep edge.mo --vary a=1,2 --lanes 8 -o wrong $wrong >out 2>err
    [ $? -eq 2 ] && grep -q -- --lanes err || fail "sweep --lanes 8 $wrong: $(cat err)"
done

for wrong in 3 x 8,x '' 32; do
    "$rung" bench branches.mo --lanes "$wrong" >out 2>err
    [ $? -eq 2 ] || fail "--lanes '$wrong' is taken"
done

[ $failed -eq 0 ] && echo "as many at once as alone"
exit $failed
