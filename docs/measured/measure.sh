#!/bin/sh
# The tables and pictures of docs/measured/counts.md, measured.
#   docs/measured/measure.sh RUNG SOURCE DIR          writes DIR/counts.md and DIR/*.svg
#   docs/measured/measure.sh RUNG SOURCE DIR small    only rows that take little time, for the test
# `./dev docs` puts them where they belong.
set -eu
rung=$1
source=$2
dir=$3
size=${4:-full}
mkdir -p "$dir"
if [ "$size" = small ]; then
    bodies=4,8 depths=3 loops=2 stages=4,8 sides=4 printed=8
else
    bodies=4,8,16,32,64 depths=3,4,5,6 loops=2,4,8,16 stages=4,8,16,32,64 sides=4,8,16,24,32 printed=8,32
fi

# rows NAME: what count says as csv becomes a row per point: operations by order, taken in bold
rows() {
    awk -F, -v name="$1" '
        NR == 1 { next }
        { ops = $4 + $5 + $6; n = $2
          if (!(n in seen)) { seen[n] = 1; point[++points] = n }
          cost[n, $3] = $12 ? "**" ops "**" : ops
          if ($12 && ($3 == "auto" || $3 == "numeric")) choice[n] = ops }
        END {
            split("ladder tearing frontal mindegree dissection composite", order, " ")
            for (k = 1; k <= points; k++) {
                n = point[k]
                line = "| " name " | " n
                for (i = 1; i <= 6; i++)
                    line = line " | " (((n, order[i]) in cost) ? cost[n, order[i]] : "–")
                print line " | " ((n in choice) ? "**" choice[n] "**" : "") " |"
            }
        }'
}

# saving NAME ARGUMENTS...: the ladder with values shared and with what is written alike shared
saving() {
    name=$1
    shift
    "$rung" count "$@" --order ladder --format csv >"$dir/by_value.csv"
    "$rung" count "$@" --order ladder --no-fingerprints --format csv >"$dir/plain.csv"
    awk -F, -v name="$name" '
        FNR == 1 { next }
        FILENAME ~ /by_value/ { value[$2] = $4 + $5 + $6; whole[$2] = $8 + $9 + $10; next }
        { ops = $4 + $5 + $6; all = $8 + $9 + $10
          printf "| %s | %s | %d | %d | %.0f %% | %d | %d | %.0f %% |\n", name, $2, ops, value[$2],
                 100*(1 - value[$2]/ops), all, whole[$2], 100*(1 - whole[$2]/all) }' \
        "$dir/by_value.csv" "$dir/plain.csv"
    rm "$dir/by_value.csv" "$dir/plain.csv"
}

# frames NAME: the ladder with equations as the model writes them, and in other frames
frames() {
    for option in --no-frames --quiet; do
        "$rung" count "$source/examples/world_frame.mo" --model "WorldFrame.$1" --order ladder \
            --sweep n=$printed $option --format csv
    done | awk -F, -v name="$1" '
        $1 == "model" { next }
        $2 in written { print "| " name " | " $2 " | " written[$2] " | " $4 + $5 + $6 " |"; next }
        { written[$2] = $4 + $5 + $6 }'
}

# slender NAME [SIZE]: what is taken with no inertia about the rods' lines, and with some
slender() {
    for inertia in 0 0.01; do
        "$rung" count "$source/tests/e2e/slender/Slender.mo" --format csv \
            --model "Slender.$1(${2:+n=$2,}I=$inertia)"
    done | awk -F, -v name="$1" -v n="${2:-6}" '
        $NF != 1 { next }
        { row = row " | " $(NF - 9) " | " $(NF - 8) + $(NF - 7) + $(NF - 6) }
        END { print "| " name " | " n row " |" }'
}

# in_base MODEL OPTIONS...: operations as the equations are and in base parameters
in_base() {
    model=$1
    shift
    "$rung" count "$@" --model "$model" --order ladder,tearing,composite | awk '
        /^totals/ { inside = 1 }
        inside && /<- taken/ { as_is = $2 + $3 + $4 }
        /^base  / { base = $2 + $3 + $4 }
        END { printf " | %d | %s", as_is, base ? base : as_is }'
}

# robot NAME TITLE: inverse dynamics, SYMORO, direct dynamics, SYMORO
robot() {
    robots=$source/tests/e2e/robots/Robots.mo
    printf '| %s%s | %s%s | %s |\n' "$2" \
        "$(in_base "Robots.$1" "$robots" --motion 'joint?.phi' --effort 'joint?.tau')" "$3" \
        "$(in_base "Robots.$1" "$robots")" "$4"
}

# imported NAME DEGREES: a robot in URDF, without limits and friction: direct dynamics
imported() {
    name=$(printf %s "$1" | cut -c1 | tr a-z A-Z)$(printf %s "$1" | cut -c2-)
    "$rung" import "$dir/$1.urdf" -o "$dir/$name.mo"
    "$rung" count "$dir/$name.mo" --model "$name(limits=false,friction=false)" --order ladder --format csv |
        awk -F, -v name="$1" -v n="$2" '$NF == 1 { ops = $(NF - 8) + $(NF - 7) + $(NF - 6) }
            END { printf "| %s | %d | %d | %.0f |\n", name, n, ops, ops/n }'
    rm "$dir/$name.mo"
}

# family NAME: as csv
family() {
    "$rung" count --model "Linkage.Examples.$1" --sweep "$2" --format csv
}

{
    cat <<'T'
# What the orders of elimination cost

Additions, multiplications and divisions for the derivatives of the states; expressions of parameters
alone are evaluated once and not counted. Bold: the order that is taken. A last column shows the choice
where it differs from every single order. Lengths, masses and inertias are symbolic. This page is
written by `./dev docs` and kept true by a test.

## Multibody families (Schubert et al. 2011, section 5)

Each row is from `rung count --model Linkage.Examples.FAMILY --sweep n=... --format csv`
(`MultiPendulum`: `--sweep depth=...`, 2^depth - 1 bodies; `Linkage.Benchmarks.FourBarChain`: `--sweep
m=...`, a chain of m closed loops, cut open).

| family | n | ladder | tearing | frontal | minimum degree | nested dissection | composite bodies | choice |
|---|---|---|---|---|---|---|---|---|
T
    for name in PlanarPendulum SplitPendulum AlternatingPendulum AlternatingPendulumGeneral; do
        family $name "n=$bodies" | rows $name
    done
    family MultiPendulum "depth=$depths" | rows 'MultiPendulum (depth)'
    "$rung" count --model Linkage.Benchmarks.FourBarChain --sweep "m=$loops" --format csv |
        rows 'FourBarChain (m)'
    cat <<'T'

![planar pendulum](planar.svg)
![split pendulum](split.svg)
![alternating pendulum](alternating.svg)
![multi pendulum](multi.svg)

## Frames

Vectors that a model writes in one frame, as the world's, are moved into those in which their equations
cost least, and measured from where these need them (`eliminate/frames/frames.h`, `eliminate/frames/shifts.h`).
Rotations are told by their fingerprints. In ladder order, of `examples/world_frame.mo`, whose rods are
those of PlanarPendulum and AlternatingPendulum. Where the levers between hinges are general, as in
AlternatingPendulumGeneral above, accelerations and torques are taken about points on the axes at which a
lever has an element less (`eliminate/frames/axis_points.h`). `--no-frames` keeps the model's own vectors:

| model | n | as written | moved |
|---|---|---|---|
T
    for name in PlanarChain Chain; do
        frames $name
    done
    cat <<'T'

## Base parameters

Motions and joint efforts depend on fewer parameters than forces inside joints do. Where only these are
asked for, in C libraries and inverse dynamics, equations of bodies are written with base parameters,
those that are grouped into others being zero, if that is cheaper (`eliminate/forms/base_form.h`);
`rung count` shows both. Of `tests/e2e/robots/Robots.mo`; inverse dynamics with `--motion 'joint?.phi' --effort
'joint?.tau'`. SYMORO+ with base parameters, its recursive direct model (github.com/symoro/symoro); simple:
links of which most parameters are zero; bodies: `Linkage.Parts.Body`, with centres of mass.

| robot | inverse as written | in base parameters | SYMORO+ | direct as written | in base parameters | SYMORO+ |
|---|---|---|---|---|---|---|
T
    robot RX90 'RX-90' 513 1447
    robot RX90Simple 'RX-90 simple' 272 1007
    if [ "$size" != small ]; then
        robot RX90Body 'RX-90, bodies' 513 1447
        robot Puma560 'Puma 560' 541 1616
        robot Puma560Simple 'Puma 560 simple' 326 1196
        robot Puma560Body 'Puma 560, bodies' 541 1616
        robot SevenAxes '7 axes' 614 1732
        robot SevenAxesSimple '7 axes simple' 442 1535
        robot SevenAxesBody '7 axes, bodies' 614 1732
    fi
    cat <<'T'

| chain, direct | n | as written | in base parameters |
|---|---|---|---|
T
    for n in 4 8 16; do
        [ "$size" = small ] && [ "$n" = 16 ] ||
            echo "| AlternatingPendulumGeneral | $n$(in_base "Linkage.Examples.AlternatingPendulumGeneral(n=$n)") |"
    done
    cat <<'T'

## Robots of ROS

Files that `tests/e2e/robots/robots.py` writes, through `rung import`, with general inertias: accelerations of all joints,
and of the trunk where it is free ([robots](../robots.md)).

| robot | degrees of freedom | operations | for each |
|---|---|---|---|
T
    python3 "$source/tests/e2e/robots/robots.py" write "$dir"
    imported arm 8
    if [ "$size" != small ]; then
        imported quadruped 18
        imported humanoid 37
    fi
    rm -f "$dir/arm.urdf" "$dir/quadruped.urdf" "$dir/humanoid.urdf"
    cat <<'T'

## Rods without inertia about their lines

Where nothing resists a hinge, a pivot is zero: a last rod that turns about its own line (`Arm`), one in each
third place of a chain (`Turns`), an arm that starts in a line (`Stretched`). It costs that body's structure a
check and no order (`eliminate/block/elimination.h`). Of `tests/e2e/slender/Slender.mo`; I is the inertia
about the line:

| model | n | taken, I = 0 | operations | taken, I > 0 | operations |
|---|---|---|---|---|---|
T
    slender Arm
    slender Stretched
    slender Turns 8
    [ "$size" = small ] || slender Turns 32
    cat <<'T'

## Other domains

From `rung count examples/FILE.mo --sweep n=... --format csv`. What the structure allows is linear in n:
all but the grid, which has n² nodes and where nested dissection overtakes minimum degree at about n = 80.
An order that would lose digits is never taken, however cheap: tearing marches along the ladder of
resistors and loses 8 of 16 digits at n = 12 (`error` in the report of `rung count`). In the column,
flows of liquid and vapour have no natural pivots: ladder, frontal order and minimum degree go on with columns
exchanged there. What speaks against an order stands beside it in the report: pivots that change their
sign or vanish at one of a dozen sample points (`eliminate/block/sample_points.h`), or
digits lost. Among all others the cheapest is taken, by the count that is printed here.

A block is left to the LU at run time (`numeric` in the report, `--order numeric`) where an order would be
straight code that takes longer to compile than fifty thousand evaluations gain by it: from n = 32 on in
the grid, whose count is then that of the triangular solutions, its factors depending on parameters alone.
Orders of more than three million operations, those of parameters included, are not carried out for the
report.

| example | n | ladder | tearing | frontal | minimum degree | nested dissection | composite bodies | choice |
|---|---|---|---|---|---|---|---|---|
T
    for name in rlc_ladder heat_rod spring_chain distillation; do
        "$rung" count "$source/examples/$name.mo" --sweep "n=$stages" --format csv | rows $name
    done
    "$rung" count "$source/examples/resistor_grid.mo" --sweep "n=$sides" --format csv |
        rows resistor_grid
    cat <<'T'

![RLC ladder](rlc_ladder.svg)

## Fingerprints

Expressions are shared by value: two that are equal as rational functions (by their values modulo two
primes at a random point) are one. With `--no-fingerprints` only what is written alike is shared, as
plain hash-consing does. Operations in ladder order, for the accelerations and for the whole model:

| family | n | written alike | equal | saved | whole, written alike | equal | saved |
|---|---|---|---|---|---|---|---|
T
    for name in PlanarPendulum SplitPendulum AlternatingPendulum AlternatingPendulumGeneral; do
        saving $name --model Linkage.Examples.$name --sweep n=$printed
    done
    saving 'MultiPendulum (depth)' --model Linkage.Examples.MultiPendulum --sweep depth=3
    for name in rlc_ladder heat_rod spring_chain; do
        saving $name "$source/examples/$name.mo" --sweep n=$printed
    done
} >"$dir/counts.md"

[ "$size" = full ] || exit 0

# code ARGUMENTS...: thousands of bytes of C of the model, without the runtime
code() {
    "$rung" compile -q "$@" -o "$dir/code"
    bytes=0
    for file in "$dir"/code/*.[ch]; do
        ls "$source"/runtime/*/"${file##*/}" >/dev/null 2>&1 || bytes=$((bytes + $(wc -c <"$file")))
    done
    rm -r "$dir/code"
    echo "$((bytes/1000))"
}
{
    cat <<'T'

## Code

What recurs is a loop, in the tables too, and blocks that are alike share their functions: thousands of
bytes of C that `rung compile` writes for the model, its fallback included, without the runtime.

| model | n | kB |
|---|---|---|
T
    for n in 50 1000; do
        echo "| AlternatingPendulum | $n | $(code --model "Linkage.Examples.AlternatingPendulum(n=$n)") |"
    done
    for m in 8 32 64; do
        echo "| FourBarChain (m) | $m | $(code --model "Linkage.Benchmarks.FourBarChain(m=$m)") |"
    done
    for n in 100 1000; do
        echo "| heat_rod | $n | $(code "$source/examples/heat_rod.mo" --model "HeatRod(n=$n)") |"
    done
    for n in 16 24 32 64; do
        echo "| resistor_grid | $n | $(code "$source/examples/resistor_grid.mo" --model "ResistorGrid(n=$n)") |"
    done
} >"$dir/code.md"
cat "$dir/code.md" >>"$dir/counts.md"
rm "$dir/code.md"

plot() {
    file=$1
    shift
    "$rung" count "$@" --plot "$dir/$file.svg" >/dev/null
}
plot planar --model Linkage.Examples.PlanarPendulum --sweep n=1,2,4,...,64
plot split --model Linkage.Examples.SplitPendulum --sweep n=1,2,4,...,64
plot alternating --model Linkage.Examples.AlternatingPendulum --sweep n=1,2,4,...,64
plot multi --model Linkage.Examples.MultiPendulum --sweep depth=1,2,...,6
plot rlc_ladder "$source/examples/rlc_ladder.mo" --sweep n=2,4,8,...,64
