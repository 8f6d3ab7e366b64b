#!/bin/sh
# rung bench: what is measured, in which columns; how long it takes is nobody's promise here.
# usage: bench.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

model='Linkage.Examples.AlternatingPendulum(n=3)'
"$rung" bench --model "$model" --format csv >all.csv 2>err || fail "bench"
[ -s err ] && fail "messages where all is well: $(cat err)"
[ "$(head -n 1 all.csv)" = "what,variant,ns,size" ] || fail "columns: $(head -n 1 all.csv)"
awk -F, 'NR > 1 && !(NF == 4 && $3 > 0 && $4 > 0) { exit 1 } END { exit NR < 3 }' all.csv ||
    fail "rows: $(cat all.csv)"
# six states: three angles and their rates
grep -q '^xdot,explicit,[0-9.e+]*,6$' all.csv || fail "no xdot: $(cat all.csv)"
grep -q '^jacobian,dense,[0-9.e+]*,6$' all.csv || fail "no jacobian: $(cat all.csv)"

# The residual form vanishes where the explicit form's accelerations are put in; generated
# derivatives are those of the functions, to the accuracy of central differences along a vector, and
# differences are near them.
exact() { # model
    "$rung" bench --model "$1" --what residual,jacobian --jacobian all --format csv >exact.csv ||
        fail "bench of $1"
    awk -F, -v model="$1" '
        NR == 1 { if ($5 != "error") { print "columns: " $0; bad = 1 }; next }
        $2 == "inverse" { bound = 1e-12 }
        $2 ~ /^by_/ || $2 == "analytic" { bound = 1e-8 }
        $2 == "coloured" || $2 == "dense" { bound = 1e-4 }
        { seen[$2] = 1
          if (!($5 != "" && $5 < bound)) { print model ": " $0; bad = 1 } }
        END {
            n = split("inverse by_torn by_state analytic coloured dense", name, " ")
            for (k = 1; k <= n; k++)
                if (!seen[name[k]]) { print model ": no " name[k]; bad = 1 }
            exit bad
        }' exact.csv || fail "derivatives of $1"
}
# an implicit iteration finds what a library finds from the same equations
"$rung" bench --model "$model" --what newton --jacobian all --format csv >newton.csv || fail "bench of newton"
awk -F, '$2 == "cxsparse" { seen = $5 != "" && $5 < 1e-10 } END { exit !seen }' newton.csv ||
    fail "newton: $(cat newton.csv)"
# the equations of an implicit step, each in its few unknowns: a chain of loops and a body that is
# turned by Euler parameters
for extended in 'Linkage.Benchmarks.FourBarChain(m=2)' Linkage.Examples.FreeBody; do
    large || break
    CFLAGS=-O0 "$rung" bench --model "$extended" --what extended --jacobian all --format csv >extended.csv ||
        fail "bench of $extended"
    awk -F, '
        $2 == "analytic" { seen++; bad = bad || !($5 != "" && $5 < 1e-8) }
        $2 == "coloured" || $2 == "dense" { seen++; bad = bad || !($5 != "" && $5 < 1e-4) }
        END { exit bad || seen != 3 }' extended.csv || fail "extended, $extended: $(cat extended.csv)"
done
"$rung" bench --model "$model" --what extended --format csv | cut -d, -f2 | tr '\n' ' ' |
    grep -q '^variant analytic equations $' || fail "--what extended"
large && exact 'Linkage.Examples.PlanarPendulum(n=4)'
exact "$model"
large && exact Linkage.Examples.FreeBody
large && exact 'Linkage.Examples.MultiPendulum(depth=2)'
"$rung" bench --model "$model" --what jacobian --jacobian coloured --format csv | cut -d, -f2 |
    tr '\n' ' ' | grep -q '^variant coloured $' || fail "--jacobian coloured"

"$rung" bench --model "$model" --what xdot --set m=2 >xdot.txt || fail "--what xdot"
grep -q '^xdot ' xdot.txt || fail "the table: $(cat xdot.txt)"
grep -q '^jacobian' xdot.txt && fail "--what xdot measures more"
"$rung" bench --model "$model" --what jacobian,xdot --format csv | cut -d, -f1 | sort -u | tr '\n' ' ' |
    grep -q '^jacobian what xdot $' || fail "--what with two words"

status() {
    want=$1
    shift
    "$rung" bench "$@" >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "status $got instead of $want: rung bench $*"
    [ -s err ] || fail "no message: rung bench $*"
}
status 2 --model "$model" --what xdots
status 2 --model "$model" --format xml
status 1 --model "$model" --set nothing=1
printf 'model Still\n  Real x = 2*time;\nend Still;\n' >still.mo
status 1 still.mo
# 1/x where x starts at zero and stays there
printf 'model Pole\n  parameter Real k = 0;\n  Real x(start = 1, fixed = true), y;\nequation\n  der(x) = y;\n  k*y = x;\nend Pole;\n' >pole.mo
status 1 pole.mo
CC=/nowhere/cc status 4 --model "$model"

[ $failed -eq 0 ] && echo "bench measures"
exit $failed
