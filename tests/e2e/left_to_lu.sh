#!/bin/sh
# A block whose elimination would be too much straight code is left to the LU at run time: the same
# results, exactly verified, little code, a report that says why; and nobody has to wait for orders
# that are not taken.
# usage: left_to_lu.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

grid=$source/examples/resistor_grid.mo

# asked for: what an order computes
for order in numeric mindegree; do
    "$rung" simulate -q "$grid" --model 'ResistorGrid(n=8)' --order $order --method rk4 --step 0.01 \
        --stop 0.2 --interval 0.1 -o $order.csv || fail "a run by $order"
done
paste -d, numeric.csv mindegree.csv | awk -F, '
    NR > 1 {
        for (k = 1; k <= NF/2; k++) {
            d = $k - $(k + NF/2)
            if (d*d > 1e-24)
                wrong++
        }
        rows++
    }
    END { if (wrong || rows != 3) { print wrong + 0, "values differ in", rows, "rows"; exit 1 } }' ||
    fail "numeric differs"
"$rung" verify "$grid" --model 'ResistorGrid(n=4)' --order numeric >verify.txt ||
    fail "not proved: $(cat verify.txt)"
grep -q 'hold exactly' verify.txt || fail "not proved: $(cat verify.txt)"

# closed loops: unknowns of a block that is left move with the forces of cut joints
for order in numeric tearing; do
    "$rung" simulate -q --model Linkage.Benchmarks.SliderCrank --order $order --stop 0.02 --interval 0.01 \
        --tolerance 1e-9 --signals '*.a,*.w,*.phi' -o loop_$order.csv || fail "closed loops by $order"
done
paste -d, loop_numeric.csv loop_tearing.csv | awk -F, '
    NR > 1 {
        for (k = 1; k <= NF/2; k++) {
            d = $k - $(k + NF/2)
            if (d*d > 1e-14*(1 + $k*$k))
                wrong++
        }
        rows++
    }
    END { if (wrong || rows != 3) { print wrong + 0, "values differ in", rows, "rows"; exit 1 } }' ||
    fail "closed loops: numeric differs"

# small blocks are eliminated, large ones are left; the report says so
"$rung" count "$grid" --model 'ResistorGrid(n=6)' --order mindegree,numeric >small.txt || fail "count of a small grid"
grep -q 'taken: numeric' small.txt && fail "a small block is left"
grep -q '^ *numeric .* 0  *[0-9.]*$' small.txt || fail "numeric is not counted: $(cat small.txt)"
large || exit $failed
"$rung" count "$grid" --model 'ResistorGrid(n=32)' --format json >large.json || fail "count of a large grid"
python3 - <<'P' || failed=1
import json
study = json.load(open("large.json"))
choice = study["choice"][0]
block, = choice["blocks"]
assert block["order"] == "numeric", block
taken, = [o for o in study["orders"] if o["taken"]]
assert taken["order"] == "numeric" and taken["add"] == choice["add"] > 4*32**2*8, taken
# factors of parameters are made once: that is far less than the decomposition
assert choice["add"] < block["sparse_lu"]["add"]/4
P
"$rung" compile -q "$grid" --model 'ResistorGrid(n=32)' -o large || fail "compile"
bytes=$(cat large/ResistorGrid*.c | wc -c)
[ "$bytes" -lt 400000 ] || fail "$bytes bytes of C for what is left to the LU"

# without any library, too
make -s -C large CFLAGS=-O1 >make.txt 2>&1 || fail "make: $(cat make.txt)"
large/ResistorGrid --stop 0.1 --interval 0.1 -o large.csv >run.txt || fail "run: $(cat run.txt)"
python3 - <<'P' || failed=1
import csv
rows = list(csv.DictReader(open("large.csv")))
assert len(rows) == 2 and all(abs(float(r["error"])) < 1e-9 for r in rows), [r["error"] for r in rows]
P

[ $failed -eq 0 ] && echo "left to the LU where that is better"
exit $failed
