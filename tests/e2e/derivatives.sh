#!/bin/sh
# All derivatives of locally coupled equations cost a few evaluations of the generalized forces, as
# many whatever the number of bodies: a chain of four-bars, each on the coupler of the one before.
# Operations are counted, not timed.
# usage: derivatives.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
bench() { # m: operations of the residual form, of all derivatives, of the equations
    CFLAGS=-O0 "$rung" bench --model "Linkage.Benchmarks.FourBarChain(m=$1)" --what residual,extended |
        sed -n 's/^residual: \([0-9]*\) operations$/\1/p
                s/^extended: \([0-9]*\) operations, the equations \([0-9]*\)$/\1 \2/p' | tr '\n' ' '
}
# where loops stand in between, one more of them costs the same, but for a few operations: whether a
# value that is there already can be used is decided by hashes of the variables in it
bench 8 >8.txt
bench 12 >12.txt
bench 16 >16.txt
cat 8.txt 12.txt 16.txt | awk 'NF { print }' >all.txt
awk '
    { for (i = 1; i <= 9; i++) a[i] = $i }
    NF != 9 || !(a[1] > 0 && a[2] > 0 && a[3] > 0) { print "unreadable: " $0; exit bad = 1 }
    {
        for (k = 0; k < 3; k++)
            printf "%d four-bars: %d, %d, %d operations, %.2f\n", 8 + 4*k, a[3*k + 1], a[3*k + 2],
                   a[3*k + 3], a[3*k + 2]/a[3*k + 1]
        for (i = 1; i <= 3; i++)
            if (500*(a[6 + i] - 2*a[3 + i] + a[i])^2 > (a[3 + i] - a[i])^2/500) { print "not linear"; bad = 1 }
        for (k = 0; k < 3; k++)
            if (a[3*k + 2] > 2.5*a[3*k + 1]) { print "more than 2.5 evaluations"; bad = 1 }
    }
    END { exit bad || !NR }' all.txt || fail "derivatives of a chain of four-bars"
exit $failed
