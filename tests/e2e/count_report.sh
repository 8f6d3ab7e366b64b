#!/bin/sh
# What `rung count` prints: columns for scripts, points of a sweep, orders that fail, pictures.
# usage: count_report.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

pendulum=Linkage.Examples.PlanarPendulum

# the columns, exactly; one order is taken; the totals are no less than the accelerations
"$rung" count --model "$pendulum(n=3)" --format csv >a.csv || fail "csv"
[ "$(head -n 1 a.csv)" = \
    model,order,add,mul,div,call,total_add,total_mul,total_div,total_call,taken ] ||
    fail "columns: $(head -n 1 a.csv)"
awk -F, 'NR > 1 { taken += $11; bad += $7 < $3 || $8 < $4 || $9 < $5 || $10 < $6 }
    END { exit !(NR == 7 && taken == 1 && bad == 0) }' a.csv || fail "rows: $(cat a.csv)"

# a sweep is the same models one by one; the parameters' columns come after the model
"$rung" count --model "$pendulum" --sweep n=2,3,...,5 --order ladder,tearing --format csv \
    --plot a.svg >b.csv || fail "sweep"
[ "$(head -n 1 b.csv)" = \
    model,n,order,add,mul,div,call,total_add,total_mul,total_div,total_call,taken ] ||
    fail "columns: $(head -n 1 b.csv)"
[ "$(cut -d, -f2 b.csv | tail -n +2 | uniq | tr '\n' ' ')" = "2 3 4 5 " ] || fail "points of b.csv"
for order in ladder tearing; do
    one=$(grep ",$order," a.csv | cut -d, -f3-10)
    grep -q "^\"$pendulum\",3,$order,$one," b.csv || fail "n = 3 differs: $order"
done
grep -q '<svg' a.svg && [ "$(grep -c '<path' a.svg)" -eq 4 ] || fail "a.svg has not four curves"
if command -v xmllint >/dev/null 2>&1; then
    xmllint --noout a.svg || fail "a.svg is not XML"
fi
cat >grid.mo <<'M'
model Grid
  parameter Integer n = 1, m = 1;
  parameter Real k = 1;
  Real x[n](each start = 1), y[m](each start = k);
equation
  der(x) = -k*x;
  der(y) = {sin(y[i]) for i in 1:m};
end Grid;
M
"$rung" count grid.mo --model 'Grid(k=2)' --sweep n=1,2 --sweep m=3,5 --order ladder \
    --format csv >c.csv 2>c.log || fail "two sweeps: $(cat c.log)"
[ "$(cut -d, -f1-3,5,7 c.csv | tr '\n' ' ')" = \
    'model,n,m,add,div "Grid(k=2)",1,3,0,0 "Grid(k=2)",1,5,0,0 "Grid(k=2)",2,3,0,0 "Grid(k=2)",2,5,0,0 ' ] ||
    fail "points of c.csv: $(cat c.csv)"
[ "$(cut -d, -f6,8 c.csv | tr '\n' ' ')" = "mul,call 1,3 1,5 2,3 2,5 " ] ||
    fail "counts of c.csv: $(cat c.csv)"

# what an order of blocks says adds up to the whole: two loops in a row
cat >two.mo <<'M'
model Two
  Real a, b, c, d;
equation
  2*a + time*b = 1;
  time*a - 3*b = a + 2;
  c*a + d*time = 1;
  c - d*b = a;
end Two;
M
"$rung" count two.mo --order ladder,tearing >two.txt || fail "two.mo"
grep -q '^block 1, 2 equations' two.txt && grep -q '^block 2, 2 equations' two.txt ||
    fail "blocks of two.mo: $(cat two.txt)"
grep -q 'sparse LU' two.txt && grep -q 'taken: ' two.txt || fail "rows of two.mo"
grep -q 'ladder *fails: ' two.txt || fail "no reason for the ladder: $(cat two.txt)"
"$rung" count two.mo --order tearing --format json >two.json || fail "json"
if command -v python3 >/dev/null 2>&1; then
    python3 - <<'P' || fail "two.json"
import json
two = json.load(open("two.json"))
assert [b["equations"] for b in two["orders"][0]["blocks"]] == [2, 2]
for b in two["choice"][0]["blocks"]:
    assert b["nonzeros"] == 4 and b["sparse_lu"]["div"] == 3 and b["error_growth"] < 100
P
fi

if large; then
    # an order that fails says why, the others are counted
    "$rung" count --model "$pendulum" --sweep n=320 --order tearing >d.txt || fail "a candidate too dear"
    grep -q 'tearing *fails: .*would take about' d.txt || fail "no reason: $(cat d.txt)"
fi

# the residual form: as many torn unknowns as joints, nothing divided, the same for each body more
residual() {
    "$rung" count --model "$pendulum(n=$1)" --order ladder | awk -v n="$1" '
        $1 == "residual" && $4 == 0 && $9 == n { print $6 }'
}
[ "$(residual 8)" -gt 0 ] && [ $(($(residual 12) - $(residual 10))) -eq $(($(residual 10) - $(residual 8))) ] ||
    fail "residual form: $(residual 8) $(residual 10) $(residual 12)"

# cut loops behind linear blocks of positions and velocities: what those are left to has no derivatives
benchmarks=SliderCrank
large && benchmarks=$(cd "$source/library/Linkage/Benchmarks" && ls | sed -n '/package/d; s/\.mo$//p')
for model in $benchmarks; do
    "$rung" count --model "Linkage.Benchmarks.$model" --order ladder,numeric >l.txt 2>&1 &&
        grep -q '^residual .* torn$' l.txt && grep -q '^numeric  *[0-9]' l.txt ||
        fail "$model: $(cat l.txt)"
done

# mistakes
status() {
    want=$1
    shift
    "$rung" count "$@" >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "status $got instead of $want: rung count $*"
    [ -s err ] || fail "no message: rung count $*"
    [ ! -s out ] || fail "output in spite of the error: rung count $*"
}
status 2 --model "$pendulum" --sweep n
status 2 --model "$pendulum" --sweep n=
status 2 --model "$pendulum" --sweep n=1,,2
status 2 --model "$pendulum" --sweep n=1,...,4
status 2 --model "$pendulum" --sweep n=1,2,...
status 2 --model "$pendulum" --sweep n=1,2,...,2000000000
status 2 --model "$pendulum" --plot e.svg
status 2 --model "$pendulum" --order ladder,sweep
grep -q "'sweep' is called 'frontal'" err || fail "the new name of an order: $(cat err)"
status 1 --model "$pendulum" --sweep nothing=1
status 1 --model "$pendulum" --sweep n=1,x
"$rung" count --model "$pendulum" --sweep n=1 --order ladder --plot none/e.svg >/dev/null 2>err
[ $? -eq 4 ] && [ -s err ] || fail "a picture that cannot be written"

[ $failed -eq 0 ] && echo "the report keeps its word"
exit $failed
