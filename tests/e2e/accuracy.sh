#!/bin/sh
# Accelerations of long chains from the generated C, against the same C in quadruple precision.
# usage: accuracy.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
here=$source/tests/e2e/accuracy
if ! printf '#include <quadmath.h>\n__float128 x;\n' | gcc -fsyntax-only -x c - 2>/dev/null; then
    echo "skipped: gcc has no __float128 here"
    exit 0
fi

# FOLDER: as it was generated, or with four times the digits
build() {
    (cd "$1" && gcc -std=gnu11 -O1 -w -I. -o derivatives Linkage*.c "$here/derivatives.c" $2 -lm &&
        ./derivatives >values)
}

models=AlternatingPendulum n=100
night && models='AlternatingPendulum AlternatingPendulumGeneral PlanarPendulum' n=200
for model in $models; do
    rm -rf once four
    "$rung" compile --quiet --no-fallback --model "Linkage.Examples.$model(n=$n)" -o once &&
        cp -r once four && cp "$here/quad_math.h" four/rung_math.h &&
        build once "" && build four -lquadmath || {
        echo "FAILED: $model cannot be built or run"
        failed=1
        continue
    }
    # each against the largest of its point
    paste -d' ' once/values four/values | awk -v model=$model -v n=$n '
        $1 != $4 || $2 != $5 { print "FAILED: the programs differ in their states"; bad = 1; exit }
        {
            e = $3 - $6; e = e < 0 ? -e : e; a = $6 < 0 ? -$6 : $6
            if (e > error[$1]) error[$1] = e
            if (a > size[$1]) size[$1] = a
        }
        END {
            if (bad || NR != 5*2*n) exit 1
            for (k in error) if (!(error[k] / size[k] <= worst)) worst = error[k] / size[k]
            printf "%s, n = %d: relative error of accelerations %.1e\n", model, n, worst
            # more digits than double has would mean that the two are one program
            exit !(worst <= 1e-12 && worst > 1e-18)
        }' || {
        echo "FAILED: $model"
        failed=1
    }
done
exit $failed
