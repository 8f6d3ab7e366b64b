#!/bin/sh
# Which order is taken: the ladder beats tearing from two bodies in a plane and seven in space on, and
# the choice is never dearer than another order that is as safe. Safe is one that needs no columns
# exchanged, divides by no more expressions that can vanish at run time, and keeps its digits.
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

for family in PlanarPendulum SplitPendulum AlternatingPendulum AlternatingPendulumGeneral; do
    study $family --model Linkage.Examples.$family --sweep n=1,2,...,9
done
study MultiPendulum --model Linkage.Examples.MultiPendulum --sweep depth=1,2,3,4
for example in rlc_ladder heat_rod spring_chain distillation; do
    study $example "$source/examples/$example.mo" --sweep n=2,4,8,16
done
study resistor_grid "$source/examples/resistor_grid.mo" --sweep n=2,4,6

python3 - <<'P' || failed=1
import glob, json, sys

failed = False
def fail(*text):
    global failed
    print("FAILED:", *text)
    failed = True

def total(order):
    return order["add"] + order["mul"] + order["div"]

def weak(order):
    return sum(b["weak_pivots"] for b in order["blocks"])

def loss(order):
    return max([b.get("error_growth", 0) for b in order["blocks"]], default=0)

def whole(order):
    return all(not b["swaps"] and b["order"] == order["order"] for b in order["blocks"])

first = {"PlanarPendulum": 2, "SplitPendulum": 2, "MultiPendulum": 2, "AlternatingPendulum": 7,
         "AlternatingPendulumGeneral": 7}
for file in sorted(glob.glob("*.json")):
    name = file[:-5]
    for point in json.load(open(file))["points"]:
        n = int(point["n" if "n" in point else "depth"])
        choice = point["choice"][0]
        good = {o["order"]: o for o in point["orders"] if "failed" not in o}
        taken = [o["order"] for o in point["orders"] if o["taken"]]
        if len(taken) != 1:
            fail(name, n, "takes", taken)
        if n >= first.get(name, 1000) and total(good["ladder"]) >= total(good["tearing"]):
            fail(name, n, "ladder", total(good["ladder"]), "tearing", total(good["tearing"]))
        if loss(choice) > 1e6:
            fail(name, n, "loses digits:", loss(choice))
        for o in good.values():
            # what a trial cannot see: results that other blocks have anyway, enthalpies above all
            slack = max(2, (0.4 if name == "distillation" else 0.04) * total(o))
            if (whole(o) and weak(o) <= weak(choice) and loss(o) < 1e4
                    and total(choice) > total(o) + slack):
                fail(name, n, "takes", taken[0], total(choice), "but", o["order"], total(o))
sys.exit(failed)
P
[ $failed -eq 0 ] && echo "the choice is the cheapest that is safe"
exit $failed
