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

"$rung" bench --model "$model" --what xdot --set m=2 >xdot.txt || fail "--what xdot"
grep -q '^xdot ' xdot.txt || fail "the table: $(cat xdot.txt)"
grep -q '^jacobian' xdot.txt && fail "--what xdot measures more"
"$rung" bench --model "$model" --what jacobian,xdot --format csv | cut -d, -f1 | sort -u | tr '\n' ' ' |
    grep -q '^jacobian what xdot $' || fail "--what with two words"

# differences leave half of the digits
"$rung" bench --model "$model" --what jacobian --jacobian all --format csv >all.csv || fail "all"
[ "$(head -n 1 all.csv)" = "what,variant,ns,size,error" ] || fail "columns: $(head -n 1 all.csv)"
awk -F, '$2 == "analytic" { exact = $5 == 0 } $2 ~ /coloured|dense/ { n += $5 > 0 && $5 < 1e-6 }
    END { exit !(exact && n == 2) }' all.csv || fail "errors: $(cat all.csv)"
"$rung" bench --model "$model" --what jacobian --jacobian dense --format csv | cut -d, -f2 |
    tr '\n' ' ' | grep -q '^variant dense $' || fail "--jacobian dense"

status() {
    want=$1
    shift
    "$rung" bench "$@" >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "status $got instead of $want: rung bench $*"
    [ -s err ] || fail "no message: rung bench $*"
}
status 2 --model "$model" --what xdots
status 2 --model "$model" --format json
status 1 --model "$model" --set nothing=1
printf 'model Still\n  Real x = 2*time;\nend Still;\n' >still.mo
status 1 still.mo
# 1/x where x starts at zero and stays there
printf 'model Pole\n  parameter Real k = 0;\n  Real x(start = 1, fixed = true), y;\nequation\n  der(x) = y;\n  k*y = x;\nend Pole;\n' >pole.mo
status 3 pole.mo
CC=/nowhere/cc status 4 --model "$model"

[ $failed -eq 0 ] && echo "bench measures"
exit $failed
