#!/bin/sh
# Which order is taken: the ladder beats tearing from two bodies in a plane and seven in space on, and
# the choice is never dearer than any candidate, operation for operation, over the whole model. Orders
# that are none have a reason that the report bears out: more pivots that vanish at sample points than
# what is taken, or digits lost. A chain of loops costs the same for each loop.
# usage: choice.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# study NAME ARGUMENTS...
study() {
    name=$1
    shift
    if ! "$rung" count "$@" --order all --format json >"$name.json" 2>log; then
        cat log
        echo "FAILED: count $*"
        failed=1
    fi
}

if ! large; then
    study PlanarPendulum --model Linkage.Examples.PlanarPendulum --sweep n=1,2,...,5
    study AlternatingPendulum --model Linkage.Examples.AlternatingPendulum --sweep n=2,7
    study heat_rod "$source/examples/heat_rod.mo" --sweep n=2,4,8
    study resistor_grid "$source/examples/resistor_grid.mo" --sweep n=2,4
    study arm "$source/examples/arm.mo"
else
    sizes=2,6 families='PlanarPendulum SplitPendulum AlternatingPendulum'
    night && sizes=1,2,3,4,6,9 families="$families AlternatingPendulumGeneral"
    for family in $families; do
        study $family --model Linkage.Examples.$family --sweep n=$sizes
    done
    study MultiPendulum --model Linkage.Examples.MultiPendulum --sweep depth=1,3,5
    study FourBarChain --model Linkage.Benchmarks.FourBarChain --sweep m=1,2
    for example in rlc_ladder heat_rod spring_chain distillation; do
        study $example "$source/examples/$example.mo" --sweep n=${sizes},16
    done
    study resistor_grid "$source/examples/resistor_grid.mo" --sweep n=2,4,8
    for example in arm crane double_pendulum; do
        study $example "$source/examples/$example.mo"
    done

    # the ladder of a chain of four-bars
    "$rung" count --model Linkage.Benchmarks.FourBarChain --sweep m=4,8,16,32 --order ladder \
        --format csv >chain.csv || failed=1
    awk -F, '
        NR > 1 { ops[$2] = $4 + $5 + $6 }
        END {
            a = (ops[8] - ops[4])/4; b = (ops[16] - ops[8])/8; c = (ops[32] - ops[16])/16
            print "a four-bar more: " a ", " b ", " c
            exit !(a > 0 && a < 1600 && (b - c)^2 < (b/10)^2 && (a - b)^2 < (b/10)^2)
        }' chain.csv || { echo "FAILED: a chain of loops is not linear"; failed=1; }
fi

python3 - $size <<'P' || failed=1
import glob, json, sys

failed = False
def fail(*text):
    global failed
    print("FAILED:", *text)
    failed = True

def total(order):
    return order["add"] + order["mul"] + order["div"]

def loss(order):
    return max([b.get("error_growth", 0) for b in order["blocks"]], default=0)

first = {"PlanarPendulum": 2, "SplitPendulum": 2, "MultiPendulum": 2, "AlternatingPendulum": 7,
         "AlternatingPendulumGeneral": 7}
n_compared = n_bad = 0
for file in sorted(glob.glob("*.json")):
    name = file[:-5]
    study = json.load(open(file))
    for point in study.get("points", [study]):
        n = int(point.get("n", point.get("depth", point.get("m", 0))))
        choice = point["choice"][0]
        good = {o["order"]: o for o in point["orders"] if "failed" not in o}
        taken = [o["order"] for o in point["orders"] if o["taken"]]
        if len(taken) != 1:
            fail(name, n, "takes", taken)
        if n >= first.get(name, 1000) and total(good["ladder"]) >= total(good["tearing"]):
            fail(name, n, "ladder", total(good["ladder"]), "tearing", total(good["tearing"]))
        if loss(choice) > 1e7:
            fail(name, n, "loses digits:", loss(choice))
        for o in good.values():
            whole = all(b["order"] == o["order"] for b in o["blocks"])
            bad = [(b, c) for b, c in zip(o["blocks"], choice["blocks"])
                   if b.get("status") == "rejected"]
            n_compared += whole and not bad
            n_bad += len(bad)
            if whole and not bad and total(choice) > total(o):
                fail(name, n, "takes", taken[0], total(choice), "but", o["order"], total(o))
            for b, c in bad:
                if b["vanishing_pivots"] <= c["vanishing_pivots"] and b.get("error_growth", 0) < 1e5:
                    fail(name, n, "excludes", o["order"], "without reason:", b["reason"])
if n_compared < (90 if sys.argv[1] == "large" else 25) or n_bad < (20 if sys.argv[1] == "large" else 5):
    fail(n_compared, "candidates,", n_bad, "others")
print(n_compared, "candidates compared,", n_bad, "orders of blocks are none")
sys.exit(failed)
P
[ $failed -eq 0 ] && echo "the choice is the cheapest candidate"
exit $failed
