#!/bin/sh
# Accelerations that a model writes in the world frame (examples/world_frame.mo): moved into the frames
# of the bodies they cost what they cost in a library that writes them there, the program is proved, and
# the motion is that of the library's model, whose equations are others.
# Chains whose vectors are rows of arrays, in the rods' frames or the world's, cost what connectors cost.
# usage: frames.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
world=$source/examples/world_frame.mo

# slope ARGUMENTS...: operations per body of the ladder, from n = 16 to 32; "uneven" if from 32 to 64
# they grow otherwise, by more than what the search for orders finds by chance
slope() {
    "$rung" count "$@" --order ladder --sweep n=16,32,64 --format csv | awk -F, '
        NR > 1 { ops[$2] = $4 + $5 + $6 }
        END { s = (ops[32] - ops[16]) / 16; t = (ops[64] - ops[32]) / 32
              print (s > 0 && (s - t)^2 < (s / 10)^2) ? int(s) : "uneven" }'
}

# compare_slopes FILE MODEL FAMILY: of the library, with local frames
compare_slopes() {
    moved=$(slope "$1" --model "$2")
    written=$(slope "$1" --model "$2" --no-frames)
    shift
    local=$(slope --model "Linkage.Examples.$2")
    echo "$1: $written operations per body as written, $moved moved; $2: $local"
    case "$moved$local" in *uneven*) fail "$1: operations do not grow by the same number"; return ;; esac
    [ "$moved" -le $((local + local / 20)) ] || fail "$1: dearer than in local frames"
    # as written they may cost ever more per body
    [ "$written" = uneven ] || [ "$moved" -lt "$written" ] || fail "$1: moving gains nothing"
}

# angles FILE NAME OUT: time and phi of the rods, under equal names
angles() {
    awk -F, -v OFS=, -v name="$2" '
        NR == 1 { gsub(/\[[0-9]+,[0-9]+\]/, "") # commas inside names
                  for (i = 1; i <= NF; i++) {
                      c = $i; gsub(/"/, "", c)
                      if (c == "time" || c ~ "^" name "\\[[0-9]+\\]\\.phi$") { keep[++n] = i }
                      sub("^" name, "hinge", c); head[i] = c } }
        { for (k = 1; k <= n; k++)
              printf "%s%s", NR == 1 ? "\"" head[keep[k]] "\"" : $keep[k], k < n ? OFS : "\n" }' \
        "$1" >"$3"
    [ "$(head -n 1 "$3" | tr -cd , | wc -c)" -eq 6 ] || fail "columns of $3: $(head -n 1 "$3")"
}

# same_motion MODEL FAMILY
same_motion() {
    "$rung" simulate --model "Linkage.Examples.$2(n=6)" --stop 1 --interval 0.01 --tolerance 1e-9 \
        -o b.csv >log 2>&1 || fail "simulate: $(cat log)"
    angles b.csv joint y.csv
    for frames in --no-frames --quiet; do
        "$rung" verify "$world" --model "WorldFrame.$1" $frames >log || fail "verify: $(cat log)"
        "$rung" simulate "$world" --model "WorldFrame.$1" --stop 1 --interval 0.01 --tolerance 1e-9 $frames -o a.csv \
            >log 2>&1 || fail "simulate: $(cat log)"
        angles a.csv rod x.csv
        "$rung" compare x.csv y.csv --tolerance 1e-5 -q || fail "$1 does not move like $2 ($frames)"
    done
}

arrays=$(dirname "$0")/frames/Arrays.mo
large && compare_slopes "$world" WorldFrame.PlanarChain PlanarPendulum
night && compare_slopes "$world" WorldFrame.Chain AlternatingPendulum
night && compare_slopes "$arrays" Arrays.Body AlternatingPendulum
night && compare_slopes "$arrays" Arrays.World AlternatingPendulum
small && same_motion PlanarChain PlanarPendulum
large && same_motion Chain AlternatingPendulum

# the report says what was done, the dump shows it
if small; then
"$rung" count "$world" --model WorldFrame.PlanarChain --order ladder | grep -q '^frames: .* equations turned' ||
    fail "count does not report frames"
"$rung" -d frames "$world" --model WorldFrame.Chain | grep -q "in rod\[3\].T' = " ||
    fail "no coordinates in another frame in the dump"

fi

# operations ARGUMENTS...: in ladder order
operations() {
    "$rung" count "$@" --order ladder --format csv | awk -F, 'NR == 2 { print $3 + $4 + $5 }'
}

# vectors in rows of arrays
local=$(operations --model 'Linkage.Examples.AlternatingPendulum(n=8)')
models=World
large && models=Body
night && models='Body World'
for model in $models; do
    "$rung" verify "$arrays" --model "Arrays.$model" >log 2>&1 || fail "verify: $(cat log)"
    grep -q 'residual form: exact' log || fail "verify: $(cat log)"
    rows=$(operations "$arrays" --model "Arrays.$model(n=8)")
    echo "Arrays.$model, 8 rods: $rows operations, with connectors $local"
    # a chain's first rods cost more: constants stand for vectors there
    [ "$rows" -le $((local + local * 12 / 100)) ] || fail "Arrays.$model: dearer than with connectors"
done

rods=3
large && rods=6
"$rung" simulate --model "Linkage.Examples.AlternatingPendulum(n=$rods)" --stop 1 --tolerance 1e-9 -o y.csv \
    >log 2>&1 || fail "simulate: $(cat log)"
"$rung" simulate "$arrays" --model "Arrays.World(n=$rods)" --stop 1 --tolerance 1e-9 -o x.csv >log 2>&1 ||
    fail "simulate: $(cat log)"
# last FILE NAME...: values of columns in the last row
last() {
    python3 -c "import csv,sys; r=list(csv.reader(open(sys.argv[1]))); print([round(float(r[-1][r[0].index(n)]),5) for n in sys.argv[2:]])" "$@"
}
[ "$(last x.csv 'phi[1]' "phi[$rods]")" = "$(last y.csv 'joint[1].phi' "joint[$rods].phi")" ] ||
    fail "Arrays.World does not move like AlternatingPendulum"

# as written on paper: second derivatives of rotations give way to angular accelerations, torques about centres or the
# origin to those about the joints
paper=$(dirname "$0")/frames/OnPaper.mo
points=Origin
large && points='Joints Centres Origin'
bodies=5
if large; then
    "$rung" simulate "$paper" --model "OnPaper.Connectors(n=$bodies)" --stop 1 --tolerance 1e-9 -o y.csv >log 2>&1 ||
        fail "simulate: $(cat log)"
fi
for model in $points; do
    "$rung" verify "$paper" --model "OnPaper.$model(n=$bodies)" >log 2>&1 || fail "verify: $(cat log)"
    "$rung" -d frames "$paper" --model "OnPaper.$model(n=$bodies)" >log
    grep -q 'der(omega.*in R' log || fail "OnPaper.$model: no angular accelerations"
    large || continue
    "$rung" simulate "$paper" --model "OnPaper.$model(n=$bodies)" --stop 1 --tolerance 1e-9 -o x.csv >log 2>&1 ||
        fail "simulate: $(cat log)"
    [ "$(last x.csv 'phi[1]' "phi[$bodies]")" = "$(last y.csv 'joint[1].phi' "joint[$bodies].phi")" ] ||
        fail "OnPaper.$model does not move like parts of the library"
done
# taken MODEL: operations of the order that is taken
taken() {
    "$rung" count "$paper" --model "$1" --format csv | awk -F, '$NF == 1 { print $(NF - 8) + $(NF - 7) + $(NF - 6) }'
}
if large; then
    parts=$(taken 'OnPaper.Connectors(n=16)')
    for model in $points; do
        here=$(taken "OnPaper.$model(n=16)")
        echo "OnPaper.$model, 16 bodies: $here operations, with connectors $parts"
        [ "$here" -le $((parts + parts / 20)) ] || fail "OnPaper.$model: dearer than with connectors"
    done
fi

small || exit $failed
# a block left to the LU at run time is not cheap, nor is an order whose pivots vanish
slender=$(dirname "$0")/slender/Slender.mo
for model in 'Arm(I=0)' Tree; do
    taken=$("$rung" count "$slender" --model "Slender.$model" --format csv 2>log | awk -F, '$NF == 1 { print $(NF - 9) }')
    case $taken in ladder | composite) ;; *) fail "Slender.$model: the order taken is $taken: $(cat log)" ;; esac
done

# what is written in local frames stays as it is
for family in PlanarPendulum AlternatingPendulum; do
    "$rung" -d blocks --model "Linkage.Examples.$family" >a.txt
    "$rung" -d frames --model "Linkage.Examples.$family" >b.txt
    cmp -s a.txt b.txt || fail "$family is changed"
done

# where the levers between hinges are general, points move along the axes of the hinges: fewer operations, the same
# motion, forces and derivatives by levers, at other levers too
chain='Linkage.Examples.AlternatingPendulumGeneral(n=8)'
levers=$("$rung" count --model "$chain" --format json 2>log | sed -n 's/.*"levers_moved_along_axes": \([0-9]*\).*/\1/p' | head -1)
[ "$levers" = 7 ] || fail "$levers levers of 7 hinges between bodies have an element less: $(cat log)"
moved=$("$rung" count --model "$chain" --format csv | awk -F, '$NF == 1 { print $3 + $4 + $5 }')
written=$("$rung" count --model "$chain" --no-frames --format csv | awk -F, '$NF == 1 { print $3 + $4 + $5 }')
[ "$moved" -lt "$written" ] || fail "$chain: $moved operations, $written as written"
"$rung" verify --model "$chain" >log 2>&1 || fail "verify: $(cat log)"
for set in "body[1].m=1" "arm[3].r[2]=0.7"; do
    for how in --no-frames -q; do
        "$rung" simulate -q --model "$chain" --set "$set" $how --stop 1 --tolerance 1e-10 -o "r$how.csv" >log 2>&1 ||
            fail "simulate $how: $(cat log)"
    done
    "$rung" compare -q r-q.csv r--no-frames.csv --tolerance 1e-6 || fail "$chain, $set: moves otherwise than as written"
done
for how in --no-frames -q; do
    "$rung" gradient --model "$chain" $how --stop 0.5 --tolerance 1e-10 --method dopri5 --objective 'joint[8].phi,joint[4].frame_a.t[1]' \
        --by 'arm[3].r[2],arm[4].r[3],body[4].r_CM[3]' --format json >"g$how.json" 2>log || fail "gradient $how: $(cat log)"
done
python3 - <<'EOF' || fail "$chain: derivatives by levers differ"
import json
def numbers(x):
    return [y for v in (x.values() if isinstance(x, dict) else x) for y in numbers(v)] if isinstance(x, (dict, list)) \
        else [x] if isinstance(x, float) else []
a, b = (numbers(json.load(open(f"g{how}.json"))) for how in ("-q", "--no-frames"))
assert len(a) == len(b) >= 6, (a, b)
assert all(abs(x - y) < 1e-6 * (1 + abs(y)) for x, y in zip(a, b)), list(zip(a, b))
EOF
exit $failed
