#!/bin/sh
# What derivatives by parameters cost over the run without them, and to translate and compile: tables.
#   docs/measured/derivatives.sh RUNG [SIZES [GRADIENTS]]     on standard output; ten minutes of an idle machine
# Runs are counted in instructions of the steps (valgrind), which are the same on a machine with other things to do;
# translation and compilation in seconds of processor time. The C is compiled with -O2. SIZES: lengths of chains.
# GRADIENTS: rounds of the last table, of which the fastest counts.
set -eu
rung=$1
command -v valgrind >/dev/null || { echo "derivatives.sh: no valgrind" >&2; exit 1; }
export CFLAGS=-O2
# vectors of eight numbers, which valgrind does not know
! grep -qs avx512f /proc/cpuinfo || CFLAGS="$CFLAGS -mno-avx512f"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
rounds=${3:-5}
cat >chain.mo <<'MO'
model Chain "links in space"
  parameter Integer n = 16;
  parameter Real m = 0.2, L = 0.2, phi = 0.3;
  inner Linkage.World world;
  Linkage.Joints.Revolute hinge[n](each phi(start = phi), n = {if mod(i, 2) == 1 then {0, 0, 1} else {1, 0, 0} for i in 1:n});
  Linkage.Parts.Body link[n](each m = m, each r_CM = {0, -0.1, 0});
  Linkage.Parts.FixedTranslation length[n](each r = {0, -L, 0});
equation
  connect(world.frame_b, hinge[1].frame_a);
  connect(hinge.frame_b, link.frame_a);
  connect(hinge.frame_b, length.frame_a);
  connect(length[1:n-1].frame_b, hinge[2:n].frame_a);
end Chain;
MO
five='k,bar1.m,bar2.m,bar3.r[1],spring1.s_0'
twenty='k,bar?.m,bar?.r[1],bar?.r[2],ground.r[1],ground.r[2],spring?.s_0,spring?.d,world.g'
links='m,L,phi,link[1].m,link[2].m'
fifteen='link[3].m,link[4].m,link[5].m,link[6].m,link[7].m,link[8].m,link[1].I_11,link[1].I_22,link[1].I_33,link[1].r_CM[1],link[1].r_CM[2],link[1].r_CM[3],length[1].r[1],length[1].r[2],length[1].r[3]'

# count STEP OPTIONS...: instructions in the function STEP, in thousands; in a second run, which finds the first compiled
count() {
    step=$1
    shift
    "$rung" simulate "$@" --interval 1e9 --no-audit -q -o r.csv 2>err || { cat err >&2; exit 1; }
    valgrind --tool=callgrind --callgrind-out-file=out --toggle-collect="$step" "$rung" simulate "$@" --interval 1e9 --no-audit -q -o r.csv 2>&1 |
        awk '/Collected/ { printf "%.0f\n", $NF/1000 }'
}
# row NAME STEP PARAMETERS... -- OPTIONS...: the run without derivatives, and how many times that with them
row() {
    name=$1 step=$2
    shift 2
    : >sets
    while [ "$1" != -- ]; do
        echo "$1" >>sets
        shift
    done
    shift
    count "$step" "$@" >each
    while read -r set; do
        count "$step" "$@" --sensitivity "$set" </dev/null >>each
    done <sets
    awk -v name="$name" 'NR == 1 { one = $1; printf "| %s | %d |", name, one; next } { printf " %.2f |", $1/one } END { print "" }' each
}
echo '| steps of model and method | without, thousand instructions | by 1 parameter | 5 | 20 |'
echo '|---|---|---|---|---|'
for method in '--loops ali3p --method ali3p --step 1e-3' '--loops penalty --method penalty --step 1e-3' '--method esdirk' '--method dopri5' '--method cvode'; do
    name=$(echo "$method" | sed 's/.*--method //;s/ --step 1e-3/ 1 ms/')
    step=$(echo "$name" | sed 's/ali3p.*/trapezoid/;s/penalty.*/trapezoid/')_step
    # shellcheck disable=SC2086
    row "five-bar, $name" "$step" k "$five" "$twenty" -- --model Linkage.Benchmarks.FiveBar --stop 0.3 --tolerance 1e-8 $method
done
for method in '--method trapezoid --step 1e-3' '--method esdirk' '--method dopri5' '--method cvode'; do
    name=$(echo "$method" | sed 's/.*--method //;s/ --step 1e-3/ 1 ms/')
    # shellcheck disable=SC2086
    row "chain of 8, $name" "${name%% *}_step" m "$links" "$links,$fifteen" -- chain.mo --model 'Chain(n=8)' --stop 0.1 --tolerance 1e-8 $method
done
row 'chain of 16, trapezoid 1 ms' trapezoid_step m "$links" "$links,$fifteen" -- chain.mo --model 'Chain(n=16)' --stop 0.1 --method trapezoid --step 1e-3

# cpu ROUNDS COMMAND...: seconds of processor time, the least
cpu() {
    python3 - "$@" <<'EOF'
import os, resource, subprocess, sys
least = float('inf')
for k in range(int(sys.argv[1])):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    least = min(least, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
print(least)
EOF
}
echo
echo '| links of a chain, trapezoid 1 ms | without, thousand instructions | by 3 parameters | seconds to translate and compile, without | by 3 |'
echo '|---|---|---|---|---|'
for n in ${2:-8 32 128}; do
    set -- chain.mo --model "Chain(n=$n)" --method trapezoid --step 1e-3
    plain=$(cpu 1 "$rung" simulate "$@" --no-cache --stop 0 -q -o r.csv) with=$(cpu 1 "$rung" simulate "$@" --no-cache --stop 0 -q -o r.csv --sensitivity m,L,phi)
    row "$n" trapezoid_step m,L,phi -- "$@" --stop 0.02 | awk -v a="$plain" -v b="$with" '{ printf "%s %.1f | %.1f |\n", $0, a, b }'
done

echo
echo '| from the end: chain of 8, 10 s | run without, ms | gradient by all parameters of the links, over the run |'
echo '|---|---|---|'
for method in '--method trapezoid --step 1e-3' '--method esdirk' '--method dopri5'; do
    set -- chain.mo --model 'Chain(n=8)' --tolerance 1e-8
    back="--mode adjoint --objective hinge[8].phi --by m,L,phi,link[*].m,link[*].I_??,link[*].r_CM[*],length[*].r[*]"
    # shellcheck disable=SC2086
    for stop in 0 10; do
        "$rung" simulate "$@" $method --interval 1e9 --stop $stop -q -o r.csv
        "$rung" gradient "$@" $method $back --stop $stop >/dev/null
        cpu "$rounds" "$rung" simulate "$@" $method --interval 1e9 --stop $stop -q -o r.csv
        cpu "$rounds" "$rung" gradient "$@" $method $back --stop $stop
    done | tr '\n' ' ' | awk -v name="$(echo "$method" | sed 's/.*--method //;s/ --step 1e-3/ 1 ms/')" \
        '{ printf "| %s | %.0f | %.1f |\n", name, 1e3*($3 - $1), ($4 - $2)/($3 - $1) }'
done
