#!/bin/sh
# Recurring stretches are emitted once: the C of a thousand bodies is hardly longer than that of
# fifty, and computes what straight code computes.
# usage: kernels.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# lines of the C that is not tables
lines() {
    cat "$1"/*_[0-9]*.c | grep -c ' = '
}
families=PlanarPendulum
most=200
large && families='PlanarPendulum AlternatingPendulum' most=400
night && most=1000
for family in $families; do
    for n in 50 $most; do
        "$rung" compile -q --method dopri5 --model "Linkage.Examples.$family(n=$n)" -o "$dir/$family$n" || exit 1
    done
    few=$(lines "$dir/${family}50")
    many=$(lines "$dir/${family}$most")
    [ $((2 * many)) -lt $((3 * few)) ] || fail "$family: $few statements for n=50, $many for n=$most"
    "$rung" compile -q --method dopri5 --no-kernels --model "Linkage.Examples.$family(n=50)" -o "$dir/straight" || exit 1
    straight=$(lines "$dir/straight")
    [ "$straight" -gt "$few" ] || fail "$family: $straight straight statements, $few with kernels"
done

# tables and all: names, start values, indices, the model with numeric blocks
bytes() {
    cat "$1"/Linkage*.c | wc -c
}
# hardly_grows NAME FEW MANY PERCENT: bytes in directory MANY, of those in FEW
hardly_grows() {
    few=$(bytes "$2")
    many=$(bytes "$3")
    [ $((100 * many)) -lt $(($4 * few)) ] || fail "$1: $few bytes, then $many"
}
for family in $families; do
    hardly_grows $family "$dir/${family}50" "$dir/$family$most" 150
done

# each iteration reads a value that the first one computes
cat >"$dir/FirstOfRun.mo" <<'END'
model FirstOfRun
  parameter Integer n = 60;
  parameter Real p[n] = {0.1 + 0.01*k for k in 1:n}, r[n] = {1/(k + 3) for k in 1:n}, q[n] = {0.2 + 1/(k + 7) for k in 1:n};
  Real x[n](start = {1 + 0.01*k for k in 1:n}, each fixed = true), y[n];
equation
  for k in 1:n loop
    y[k] = p[k]*(x[k]*x[k] + q[k]);
    der(x[k]) = r[k]*y[1] + (q[k]*x[k] - y[k])*y[k] + p[k]*x[k];
  end for;
end FirstOfRun;
END
for method in dopri5 esdirk; do
    for way in '' --no-kernels; do
        # shellcheck disable=SC2086
        "$rung" simulate -q "$dir/FirstOfRun.mo" --method $method $way --stop 1 -o "$dir/first$way.csv" || fail "FirstOfRun: status $?"
    done
    cmp "$dir/first.csv" "$dir/first--no-kernels.csv" || fail "FirstOfRun: loops compute something else"
done

# a chain of loops, with the Newton iteration of a method, too
chain() { # NAME M OPTIONS...
    name=$1 m=$2
    shift 2
    "$rung" compile -q "$@" --model "Linkage.Benchmarks.FourBarChain(m=$m)" -o "$dir/$name$m" || exit 1
}
if large; then
    few=8 many=20
    night && many=32
    chain loops $few
    chain loops $many
    # sizes of pivots are constants of each loop, at places without a stride (emit/code/size.c)
    hardly_grows loops "$dir/loops$few" "$dir/loops$many" 140
fi
if night; then
    chain ali3p 8 --method ali3p
    chain ali3p 16 --method ali3p
    hardly_grows ali3p "$dir/ali3p8" "$dir/ali3p16" 125
fi

# blocks that the runtime solves: those that are alike have one pair of functions. Each is told which
# it is: their numbers are found by strides, in tables (the places of x) and in arrays of their own.
cat >"$dir/alike.mo" <<'M'
model Alike
  parameter Integer n = 40;
  parameter Real k[n] = {1 + i/n for i in 1:n};
  Real x[n](start = {i/n for i in 1:n}, each fixed = true), y[n], u[n], v[n], worst;
equation
  for i in 1:n loop
    y[i] + exp(y[i]) = k[i]*x[mod(7*i, n) + 1];
    time*u[i] + k[i]*v[i] = x[i];
    u[i] - (1 + time)*v[i] = y[mod(3*i, n) + 1];
  end for;
  der(x) = -x + v;
  worst = max({abs(y[i] + exp(y[i]) - k[i]*x[mod(7*i, n) + 1]) + abs(time*u[i] + k[i]*v[i] - x[i]) +
    abs(u[i] - (1 + time)*v[i] - y[mod(3*i, n) + 1]) for i in 1:n});
end Alike;
M
for order in numeric tearing; do
    "$rung" simulate -q "$dir/alike.mo" --order $order --method rk4 --step 0.01 --stop 0.2 --interval 0.1 \
        -o "$dir/$order.csv" || exit 1
done
paste -d, "$dir/numeric.csv" "$dir/tearing.csv" | awk -F, '
    NR == 1 { for (k = 1; k <= NF/2; k++) if ($k ~ /worst/) w = k }
    NR > 1 {
        for (k = 1; k <= NF/2; k++) {
            d = $k - $(k + NF/2)
            if (d*d > 1e-20)
                wrong++
        }
        if (!w || $w > 1e-9)
            wrong++
        rows++
    }
    END { if (wrong || rows != 3) { print "FAILED: alike blocks,", wrong, "values differ"; exit 1 } }' ||
    failed=1
"$rung" compile -q --no-fallback "$dir/alike.mo" --model "Alike(n=160)" --order numeric \
    -o "$dir/alike" || exit 1
[ "$(cat "$dir/alike"/Alike_*.c | grep -c '^int.*_\(residual\|jacobian\)_')" -le 4 ] ||
    fail "alike blocks have functions of their own"
if large; then
    for n in 100 400; do
        "$rung" compile -q --method dopri5 "$source/examples/heat_rod.mo" --model "HeatRod(n=$n)" -o "$dir/rod$n" || exit 1
    done
    few=$(cat "$dir/rod100"/HeatRod_numeric*.[ch] | grep -vc 'sin\|w\[\|c\[')
    many=$(cat "$dir/rod400"/HeatRod_numeric*.[ch] | grep -vc 'sin\|w\[\|c\[')
    [ $((4 * many)) -lt $((5 * few)) ] || fail "fallbacks: $few lines for n=100, $many for n=400"

    # the levels of a tree become loops: four times the bodies, two levels more
    levels='5 7'
    night && levels='6 8'
    for depth in $levels; do
        "$rung" compile -q --method dopri5 --no-fallback --model "Linkage.Examples.MultiPendulum(depth=$depth)" \
            -o "$dir/tree$depth" || exit 1
    done
    few=$(lines "$dir/tree${levels% *}")
    many=$(lines "$dir/tree${levels#* }")
    [ $((2 * many)) -lt $((3 * few)) ] || fail "tree: $few, then $many statements for depths $levels"
fi

# a tree, where the index tables are
for model in 'PlanarPendulum(n=61)' 'AlternatingPendulum(n=40)' 'MultiPendulum(depth=7)' 'SplitPendulum(n=24)'; do
    case $model in
    Planar*) ;;
    Multi*) large || continue ;;
    *) night || continue ;;
    esac
    for option in '' --no-kernels; do
        # shellcheck disable=SC2086
        "$rung" simulate -q $option --model "Linkage.Examples.$model" --method rk4 --step 0.001 \
            --stop 0.02 --interval 0.01 -o "$dir/r$option.csv" || exit 1
    done
    paste -d, "$dir/r.csv" "$dir/r--no-kernels.csv" | awk -F, -v model="$model" '
        NR > 1 {
            for (k = 1; k <= NF / 2; k++) {
                d = $k - $(k + NF / 2)
                s = $k * $k + 1e-6
                if (d * d > 1e-18 * s)
                    wrong++
            }
            rows++
        }
        END { if (wrong || rows < 3) { print "FAILED:", model, wrong, "values differ"; exit 1 } }' ||
        failed=1
done
[ $failed -eq 0 ] && echo "few statements, equal results"
exit $failed
