#!/bin/sh
# What derivatives by parameters cost over the run without them, and to translate and compile: tables.
#   docs/measured/derivatives.sh RUNG [ROUNDS [SIZES]]        on standard output
# The C is compiled with -O2. Of ROUNDS rounds (9), in each of which all runs of a row come one after the other, the
# fastest of each counts; of a machine with nothing else to do: runs of milliseconds are at stake.
set -eu
rung=$1
rounds=${2:-9}
export CFLAGS=-O2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
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

# seconds OPTIONS...: of the run
seconds() {
    "$rung" simulate "$@" --interval 1e9 -o r.csv 2>err | sed -n 's/.*rows, \(.*\) s$/\1/p'
}
# row NAME PARAMETERS... -- OPTIONS...: the run without derivatives, and how many times that with them
row() {
    name=$1
    shift
    : >sets
    while [ "$1" != -- ]; do
        echo "$1" >>sets
        shift
    done
    shift
    k=0
    : >each
    while [ $k -le "$rounds" ]; do # the first one compiles
        {
            seconds "$@"
            while read -r set; do
                seconds "$@" --sensitivity "$set" </dev/null
            done <sets
        } | tr '\n' ' ' >line
        [ $k -eq 0 ] || { cat line; echo; } >>each
        k=$((k + 1))
    done
    awk -v name="$name" '{ n = NF; for (i = 1; i <= NF; i++) if (!(i in t) || $i < t[i]) t[i] = $i }
        END { printf "| %s | %.2f", name, 1e3*t[1]; for (i = 2; i <= n; i++) printf " | %.1f", t[i]/t[1]; print " |" }' each
}
echo '| model and method | without, ms | 1 parameter | 5 | 20 |'
echo '|---|---|---|---|---|'
for method in '--loops ali3p --method ali3p --step 1e-3' '--loops penalty --method penalty --step 1e-3' '--method esdirk' '--method dopri5'; do
    # shellcheck disable=SC2086
    row "five-bar, $(echo "$method" | sed 's/.*--method //;s/ --step 1e-3/ 1 ms/')" k "$five" "$twenty" -- \
        --model Linkage.Benchmarks.FiveBar --stop 5 --tolerance 1e-8 $method
done
for method in '--method trapezoid --step 1e-3' '--method esdirk' '--method dopri5' '--method cvode'; do
    # shellcheck disable=SC2086
    row "chain of 8, $(echo "$method" | sed 's/.*--method //;s/ --step 1e-3/ 1 ms/')" m "$links" "$links,link[3].m,link[4].m,link[5].m,link[6].m,link[7].m,link[8].m,link[1].I_11,link[1].I_22,link[1].I_33,link[1].r_CM[1],link[1].r_CM[2],link[1].r_CM[3],length[1].r[1],length[1].r[2],length[1].r[3]" -- \
        chain.mo --model 'Chain(n=8)' --stop 2 --tolerance 1e-8 $method
done

echo
echo '| links of a chain, trapezoid 1 ms | without, ms | by 3 parameters | seconds to translate and compile, without | by 3 |'
echo '|---|---|---|---|---|'
# all WHAT...: seconds from nothing to the end of the run
all() {
    begin=$(date +%s%N)
    "$rung" simulate "$@" --no-cache --stop 0 -q -o r.csv 2>err
    echo $(($(date +%s%N) - begin)) | awk '{ printf "%.1f", $1*1e-9 }'
}
for n in ${3:-8 32 128 512}; do
    set -- chain.mo --model "Chain(n=$n)" --method trapezoid --step 1e-3
    plain=$(all "$@") with=$(all "$@" --sensitivity m,L,phi)
    row "$n" m,L,phi -- "$@" --stop 0.2 | sed "s/\$/ $plain | $with |/"
done

echo
echo '| from the end: chain of 8, 10 s | run without, ms | gradient by all parameters of the links, over the run |'
echo '|---|---|---|'
# cpu COMMAND...: seconds of processor time, least of the rounds
cpu() {
    python3 - "$rounds" "$@" <<'EOF'
import os, resource, subprocess, sys
least = float('inf')
for k in range(int(sys.argv[1])):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)
    least = min(least, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
print(least)
EOF
}
for method in '--method trapezoid --step 1e-3' '--method esdirk' '--method dopri5'; do
    set -- chain.mo --model 'Chain(n=8)' --tolerance 1e-8
    back="--mode adjoint --objective hinge[8].phi --by m,L,phi,link[*].m,link[*].I_??,link[*].r_CM[*],length[*].r[*]"
    # shellcheck disable=SC2086
    for stop in 0 10; do
        "$rung" simulate "$@" $method --interval 1e9 --stop $stop -q -o r.csv
        "$rung" gradient "$@" $method $back --stop $stop >/dev/null
        cpu "$rung" simulate "$@" $method --interval 1e9 --stop $stop -q -o r.csv
        cpu "$rung" gradient "$@" $method $back --stop $stop
    done | tr '\n' ' ' | awk -v name="$(echo "$method" | sed 's/.*--method //;s/ --step 1e-3/ 1 ms/')" \
        '{ printf "| %s | %.0f | %.1f |\n", name, 1e3*($3 - $1), ($4 - $2)/($3 - $1) }'
done
