#!/bin/sh
# rung compare: verdicts on small trajectories, each computed a second time in awk by the definition
# of the tube (the largest and smallest reference value within the half-width), without queues.
# usage: compare.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# second TOLERANCE RESULT REFERENCE: prints the signals that leave the tube
second() {
    awk -F, -v e="$1" '
        function abs(x) { return x < 0 ? -x : x }
        function max(x, y) { return x > y ? x : y }
        function edge(i, s,   k, best) {
            best = -1e300
            for (k = 1; k <= n; k++)
                if (abs(t[k] - t[i]) <= dx && s * y[k, c] > best) best = s * y[k, c]
            return s * best
        }
        FNR == 1 { file++; for (k = 1; k <= NF; k++) { gsub(/"/, "", $k); head[file, k] = $k }; next }
        file == 1 { n++; t[n] = $1; for (k = 2; k <= NF; k++) y[n, k] = $k; cols = NF; next }
        { m++; u[m] = $1; for (k = 2; k <= NF; k++) z[m, k] = $k }
        END {
            dx = e * max(t[n] - t[1], abs(t[1]))
            for (c = 2; c <= cols; c++) {
                lo = 1e300; hi = -1e300
                for (k = 1; k <= n; k++) { if (y[k, c] < lo) lo = y[k, c]; if (y[k, c] > hi) hi = y[k, c] }
                dy = e * max(max(hi - lo, abs(lo)), 0.001)
                bad = 0
                for (r = 1; r <= m; r++) {
                    if (u[r] < t[1] || u[r] > t[n]) continue
                    i = 1
                    while (i < n - 1 && t[i + 1] <= u[r]) i++
                    if (u[r] <= t[1]) { a = b = 1 } else if (u[r] >= t[n]) { a = b = n } else { a = i; b = i + 1 }
                    up = max(edge(a, 1), edge(b, 1)) + dy
                    down = -max(-edge(a, -1), -edge(b, -1)) - dy
                    if (z[r, c] > up || z[r, c] < down) bad++
                }
                if (bad) print head[1, c] ": " bad
            }
        }' "$3" "$2"
}

# agrees TOLERANCE RESULT REFERENCE: both say the same signals leave the tube, as often
agrees() {
    "$rung" compare "$2" "$3" --tolerance "$1" >out 2>err
    status=$?
    sed -n 's/^FAIL  \([^ ]*: [0-9]*\) samples.*/\1/p' out >mine
    second "$1" "$2" "$3" >other
    if ! cmp -s mine other || { [ -s other ] && want=1 || want=0; [ $status -ne $want ]; }; then
        echo "FAILED: rung compare $2 $3 --tolerance $1 (status $status)"
        diff mine other
        cat err
        failed=1
    fi
}

# a sine, a step with both sides of an event, a constant; and copies that are off by more and more
awk 'BEGIN {
    print "\"time\",\"a.x[1]\",\"step\",\"constant\""
    for (k = 0; k <= 100; k++) {
        t = k / 10
        if (k == 50) printf "%.17g,%.17g,0,3\n", t, sin(t)
        printf "%.17g,%.17g,%d,3\n", t, sin(t), (k >= 50)
    }
}' >ref.csv
for off in 0 0.003 0.02; do
    for shift in 0 0.03 0.2; do
        awk -v off=$off -v shift=$shift 'BEGIN {
            print "time,step,constant,other,a.x[1]"
            for (k = 0; k <= 230; k++) {
                t = k / 23
                printf "%.17g,%d,%.17g,7,%.17g\n", t, (t >= 5 + shift), 3 + off, sin(t - shift) + off
            }
        }' >result.csv
        awk -F, '{ print $1 "," $5 "," $2 "," $3 }' result.csv >ordered.csv
        for tolerance in 2e-3 1.3e-2 2.3e-2; do
            agrees $tolerance ordered.csv ref.csv
        done
        # the order of columns and other signals do not matter
        "$rung" compare ordered.csv ref.csv >out1
        "$rung" compare result.csv ref.csv >out2
        cmp out1 out2 || failed=1
    done
done
"$rung" compare ref.csv ref.csv >out || { echo "FAILED: a file against itself"; failed=1; }
grep -q "at most 0 % of the tube" out || { echo "FAILED: no deviation from itself"; failed=1; }

# expect STATUS TEXT ARGUMENTS...
expect() {
    want=$1
    text=$2
    shift 2
    "$rung" compare "$@" >out 2>&1
    got=$?
    if [ $got -ne "$want" ] || ! grep -q -- "$text" out; then
        echo "FAILED: status $got instead of $want, or not '$text': compare $*"
        cat out
        failed=1
    fi
}
head -n 50 ref.csv >short.csv
expect 1 "ends at" short.csv ref.csv
expect 0 "3 of 3" short.csv ref.csv --stop 4
cut -d, -f 1,2 ref.csv >missing.csv
expect 1 "step: not in the result" missing.csv ref.csv
sed 's/,3$/,nan/' ref.csv >nan.csv
expect 1 "constant: 102 samples" nan.csv ref.csv
expect 4 "No such file" nowhere.csv ref.csv
expect 2 "two files" ref.csv
expect 2 "positive" ref.csv ref.csv --tolerance 0
printf 'time,x\n0,1\n1,oops\n' >bad.csv
expect 4 "bad.csv:3:3: 'oops' is no number" bad.csv ref.csv
printf 'time,x\n0,1\n1\n' >bad.csv
expect 4 "1 values in 2 columns" bad.csv ref.csv
printf 'x\n1\n' >bad.csv
expect 4 "no column 'time'" bad.csv ref.csv
: >bad.csv
expect 4 "no rows" bad.csv ref.csv
exit $failed
