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

refused() { # reason, then a model's body and options
    printf 'model M\n%s\nend M;\n' "$2" >m.mo
    # shellcheck disable=SC2086
    "$rung" compile m.mo --lanes 8 $3 -o m >out 2>err
    [ $? -eq 1 ] || fail "not refused: $2"
    grep -q "G07.*$1" err || fail "why: $(cat err)"
}
refused 'it has events' 'Real x(start=0); equation der(x) = if x > 0.5 then 1 else 2;' '--kind library'
refused 'solved at run time' 'Real x(start=0), y; equation der(x) = y; y + sin(y) = x;' '--kind library'
refused 'der(x) calls a function' 'function f input Real u; output Real y; protected Real s;
  algorithm s := u; while s > 1 loop s := s/2; end while; y := s; end f;
  Real x(start=0); equation der(x) = f(x);' '--kind library'
refused 'der(x) calls a function that has Strings' 'function f input String s; input Real u; output Real y;
  algorithm y := u; while y > 1 loop y := y/2; assert(y < 7, s); end while; end f;
  Real x(start=0); equation der(x) = f("large: " + String(x), x);'
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
        "$rung" sweep "$@" --lanes $lanes --sampling random --jobs 2 -q -o by$lanes >out 2>err
        sed 's/-[0-9a-f]*\.mat//' by$lanes/table.csv >table$lanes.csv
    done
    cmp table1.csv table8.csv || fail "other results in lanes: $*"
    for file in by1/runs/*.mat; do
        [ -e "$file" ] || continue
        k=${file##*/}
        cmp "$file" by8/runs/"${k%%-*}"-*.mat || fail "another trajectory in lanes: run ${k%%-*} of $*"
    done
    n=$(grep -c ',ok,' table8.csv)
    rm -rf by1 by8
}
same edge.mo --vary 'a=uniform(-2,3)' --vary 'b=uniform(0,3)' --vary k=0.5,1,20,700,4000 \
    --vary 'c=uniform(-0.3,3)' --vary 'lim=uniform(2.5,9)' --runs 43 --method rk4 --step 0.004 --stop 3 --interval 0.1
[ "$n" -gt 10 ] && [ "$n" -lt 40 ] || fail "$n of 43 runs are ok: some, not all, should be"
cat >chain.mo <<'MO'
model Chain
  extends Linkage.Examples.AlternatingPendulum(n = 4, joint(each phi(start = q)));
  parameter Real q = 0.2;
end Chain;
MO
same chain.mo --vary 'q=uniform(-1,1)' --vary 'm=uniform(1,2)' --runs 11 --method rk4 --step 0.01 --stop 0.995
[ "$n" -eq 11 ] || fail "$n of 11 runs of a chain"
large && same chain.mo --vary 'q=uniform(-1,1)' --runs 8 --method rk4 --step 0.003 --stop 0.5 --signals 'joint[4].phi,body[2].frame_a.m.r[*]'
# events: each lane at its own time, in steps of any method; all lanes in one at sample(); runs that end by
# terminate(), by an assertion, by events that never cease
cat >ball.mo <<'MO'
model Ball "it bounces, is pushed up now and then, counts, may end early"
  parameter Real e = 0.8, drag = 0.1, top = 3, end_at = 9, every = 0.5, limit = 60;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real s, u, w;
  Integer hits(start = 0, fixed = true);
  discrete Real sum(start = 0, fixed = true), last(start = 0, fixed = true);
  output Real way;
equation
  der(h) = v;
  der(v) = -9.81 - drag*v*abs(v) + (if h > top then -5 else 0) + (if time > 1.5 then 3*s else 0);
  s + u*cos(h) = 0.3;
  u - w*sin(v) = 1;
  w + s*h = 2;
  der(way) = abs(v) + exp(-10*mod(time, 0.7));
  when h < 0 then
    reinit(v, -e*pre(v));
    hits = pre(hits) + 1;
    last = time;
  end when;
  when sample(0.25, every) then
    sum = pre(sum) + h;
  end when;
  when hits >= 12 or time > end_at then
    terminate("enough");
  end when;
  assert(hits < limit, "too many");
  assert(v < 9, "fast", AssertionLevel.warning);
initial equation
  way = 0;
end Ball;
MO
ball() { # how many runs, options
    k=$1
    shift
    same ball.mo --vary 'e=uniform(0.3,1)' --vary 'drag=uniform(0,0.3)' --vary 'top=uniform(0.5,2)' --vary end_at=0.6,2.1,9 \
        --vary every=0.1,0.5 --vary limit=5,60 --runs "$k" --stop 3 "$@"
}
ball 27
[ "$n" -gt 9 ] && [ "$n" -lt 27 ] || fail "$n of 27 balls are ok: some, not all, should be"
ball 1
ball 3 --keep --method dopri5
ball 11 --method rk4 --step 0.01 --signals 'h,hits,s'
large && ball 19 --method ida --keep
large && ball 19 --method gear
# closed loops: multipliers, projections, and how a step closes them
same --model Linkage.Benchmarks.SpatialFourBar --vary 'crankRod.m=uniform(0.3,0.8)' --runs 9 --stop 0.2
[ "$n" -eq 9 ] || fail "$n of 9 spatial four-bars"
large && same --model Linkage.Benchmarks.SpatialFourBar --vary 'crankRod.m=uniform(0.3,0.8)' --runs 9 --stop 0.2 \
    --method ali3p --step 0.002
# functions that stay calls, one lane after the other: loops, several results, a divisor, assertions
cat >calls.mo <<'MO'
model Calls
  function root "by Newton's method"
    input Real a;
    output Real y = 1;
    output Integer n = 0;
  algorithm
    assert(a > 0, "no root of " + String(a));
    while abs(y*y - a) > 1e-12*a loop
      y := (y + a/y)/2;
      n := n + 1;
    end while;
    assert(n < 9, "slow", AssertionLevel.warning);
  end root;
  parameter Real a = 1, b = 1;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), r, s, u;
  Real n;
  output Real sum;
equation
  (r, n) = root(a + x);
  der(x) = -b*r + 0.2*s;
  der(y) = noEvent(if y > 1 then root(y) else n) - y;
  r*s + u = time;
  u - s*cos(x) = 1;
  sum = x + y + root(2 + y*y);
end Calls;
MO
same calls.mo --vary 'a=uniform(0.2,40)' --vary 'b=uniform(0.2,9)' --runs 21 --stop 2
[ "$n" -gt 5 ] && [ "$n" -lt 21 ] || fail "$n of 21 runs with calls are ok: some, not all, should be"
same calls.mo --vary 'a=uniform(5,60)' --vary 'b=uniform(0.2,1)' --runs 5 --stop 1 --method rk4 --step 0.01
small && exact 4 xdot,step calls.mo --set a=9
# equations that are solved at run time, one lane after the other: nonlinear ones in two blocks, linear ones with
# pivoting, with relations among them; some have no solution for some values
cat >blocks.mo <<'MO'
model Blocks
  parameter Real a = 1, b = 2, k = 3, g = 0.5;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Real p(start = 0.5), q(start = 0.2), r(start = 0.1), i1, i2, i3;
  output Real late(start = 1), sum;
  Integer n(start = 0, fixed = true);
equation
  p + sin(q) + 0.1*p^3 = x + cos(y)*a;
  q - 0.3*exp(-p) = y*x;
  r + 0.2*tanh(r*p) = q - time;
  (if i1 > 0 then k else b)*i1 + i2 - i3 = p;
  i1 - g*i2 + sin(x)*i3 = 1;
  i1 + i2*cos(y) + 2*i3 = r;
  der(x) = i2 - x + r;
  der(y) = p - b*y + 0.1*i3;
  late + 0.5*sin(late) + late^2 = 2 + x - a;
  sum = late + i1;
  when x > 1.05 then
    n = pre(n) + 1;
  end when;
  assert(p < 2.6, "p is large");
end Blocks;
MO
for method in '' '--method rk4 --step 0.01' '--method dopri5 --keep'; do
    # shellcheck disable=SC2086
    same blocks.mo --vary 'a=uniform(0,4)' --vary 'b=uniform(0.5,3)' --vary 'k=uniform(-1,4)' --runs 21 --stop 2 $method
    [ "$n" -gt 5 ] && [ "$n" -lt 21 ] || fail "$n of 21 runs with blocks are ok: some, not all, should be"
done
# the same command goes on, with lanes or without
"$rung" sweep ball.mo --vary e=0.5,0.6,...,0.9 --lanes 4 --stop 1 -o grown -q &&
    "$rung" sweep ball.mo --vary e=0.5,0.55,...,0.9 --lanes 4 --stop 1 -o grown >out || fail "a sweep that goes on"
grep -q '9 of 9 runs ok, 5 of them finished before' out || fail "what was finished: $(cat out)"
# without a number, wherever it stands
for words in '--lanes -o alone' '-o alone --lanes'; do
    # shellcheck disable=SC2086
    "$rung" sweep ball.mo --vary e=0.5,0.6,0.7 --stop 1 $words >out 2>err && grep -q '3 of 3 runs ok' out ||
        fail "sweep $words: $(cat out err)"
    rm -rf alone
done
"$rung" sweep --lanes ball.mo --vary e=0.5 --stop 1 -o alone -q || fail "sweep --lanes and a file"
for wrong in '--lanes 4,8' '--lanes 8 --slurm'; do
    # shellcheck disable=SC2086
    "$rung" sweep edge.mo --vary a=1,2 -o wrong $wrong >out 2>err
    [ $? -eq 2 ] && grep -q -- --lanes err || fail "sweep $wrong: $(cat err)"
done

for wrong in 3 x 8,x '' 32; do
    "$rung" bench branches.mo --lanes "$wrong" >out 2>err
    [ $? -eq 2 ] || fail "--lanes '$wrong' is taken"
done

[ $failed -eq 0 ] && echo "as many at once as alone"
exit $failed
