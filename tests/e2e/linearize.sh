#!/bin/sh
# rung linearize: the textbook matrices of a DC motor and of a cart with a pendulum; steady states;
# what it writes and what it refuses.
# usage: linearize.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
models=$source/tests/e2e/linearize
[ -d "$models" ] || exit 1
"$rung" linearize "$models/motor.mo" -o motor.json >motor.txt || fail "motor"
"$rung" linearize "$models/motor.mo" -q -o motor.mat || fail "motor as MAT"
"$rung" linearize "$models/cart.mo" -q -o - >hanging.json || fail "cart"
"$rung" linearize "$models/cart.mo" --set up=1 -q -o standing.json || fail "cart, standing"
"$rung" linearize "$models/cart.mo" --set up=1 --at 0 --inputs F --outputs 'v,der(w)' --format json \
    -q >some.json || fail "chosen outputs"
"$rung" linearize "$models/cart.mo" --start phi=3.14159265358979323846 -q -o started.json || fail "cart, started standing"
cmp standing.json started.json || fail "a start value is not that of a parameter"
"$rung" linearize "$models/cart.mo" --start 'der(v)=3' -q >out.txt 2>err.txt
grep -q "'der(v)' is -\\?0 at the start, not 3" err.txt || fail "a start value that is not kept: $(cat err.txt)"
# a parallelogram: of its four angles any one with its velocity, or two velocities
bar='Linkage.Benchmarks.FourBarChain(m=1)'
"$rung" linearize --model "$bar" -q -o hip.json || fail "four-bar"
"$rung" linearize --model "$bar" --states 'knee[1].*' -q -o knee.json || fail "four-bar by its knee"
"$rung" linearize "$models/tank.mo" --steady -q -o tank.json || fail "tank"
"$rung" linearize "$models/tank.mo" --set inflow=0.8 --steady -q -o full.json || fail "full tank"
"$rung" linearize "$models/ramp.mo" --steady >ramp.txt 2>ramp.err
[ $? -eq 1 ] || fail "a ramp has a steady state"
grep -q 'no steady state is found.*der(x) is 1' ramp.err || fail "ramp: $(cat ramp.err)"
python3 - <<'END' || fail "matrices"
import json, math, sys

bad = 0
def same(what, a, b, eps=1e-12):
    global bad
    if isinstance(b, list):
        if len(a) != len(b):
            print(what, a, "is not", b); bad = 1
        else:
            for k in range(len(b)):
                same("%s[%d]" % (what, k), a[k], b[k], eps)
    elif not abs(a - b) <= eps*(1 + abs(b)):
        print(what, a, "is not", b); bad = 1

def load(name, states, inputs, outputs):
    s = json.load(open(name))
    if (sorted(s["states"]), s["inputs"], s["outputs"]) != (sorted(states), inputs, outputs):
        print(name, s["states"], s["inputs"], s["outputs"]); sys.exit(1)
    at = [s["states"].index(x) for x in states]
    s["A"] = [[s["A"][i][k] for k in at] for i in at]
    s["B"] = [s["B"][i] for i in at]
    s["C"] = [[row[k] for k in at] for row in s["C"]]
    s["x0"] = [s["x0"][k] for k in at]
    return s

R, L, k, J, b = 2, 0.5, 0.1, 0.02, 0.2
m = load("motor.json", ["i", "w", "phi"], ["u", "tau"], ["w", "P"])
same("motor A", m["A"], [[-R/L, -k/L, 0], [k/J, -b/J, 0], [0, 1, 0]])
same("motor B", m["B"], [[1/L, 0], [0, -1/J], [0, 0]])
same("motor C", m["C"], [[0, 1, 0], [0, 0, 0]])
same("motor D", m["D"], [[0, 0], [0, 0]])
trace, det = -R/L - b/J, R/L*b/J + k/L*k/J
root = math.sqrt(trace**2 - 4*det)
same("motor poles", m["eigenvalues"], [[0, 0], [(trace + root)/2, 0], [(trace - root)/2, 0]])

M, m, l, g, d = 1, 0.2, 0.5, 9.81, 2
for name, sign in ("hanging.json", 1), ("standing.json", -1):
    c = load(name, ["s", "phi", "v", "w"], ["F"], ["s", "phi"])
    same(name + " A", c["A"], [[0, 0, 1, 0], [0, 0, 0, 1], [0, m*g/M, -d/M, 0],
                               [0, -sign*(M + m)*g/(M*l), sign*d/(M*l), 0]])
    same(name + " B", c["B"], [[0], [0], [1/M], [-sign/(M*l)]])
    same(name + " C", c["C"], [[1, 0, 0, 0], [0, 1, 0, 0]])
    same(name + " D", c["D"], [[0], [0]])
    if (c["eigenvalues"][0][0] > 1e-9) != (sign < 0):
        print(name, c["eigenvalues"]); bad = 1
bars = [load(n + ".json", [n + "[1].phi", n + "[1].w"], [], ["E"]) for n in ("hip", "knee")]
same("four-bar A", bars[0]["A"], bars[1]["A"], 1e-9)
same("four-bar states", bars[0]["x0"], [-bars[1]["x0"][0], 0], 1e-9)
some = load("some.json", ["s", "phi", "v", "w"], ["F"], ["v", "der(w)"])
same("chosen C", some["C"], [[0, 0, 1, 0], c["A"][3]])
same("chosen D", some["D"], [[0], c["B"][3]])

# q*(1 + 0.1*q^2) = 0.3*valve*sqrt(h), q = inflow
for name, q, valve in ("tank.json", 0.2, 1), ("full.json", 0.8, 1.5):
    t = load(name, ["h"], ["inflow"], ["h", "q"])
    h = (q*(1 + 0.1*q*q)/(0.3*valve))**2
    dq = 0.3*valve/(2*math.sqrt(h))/(1 + 0.3*q*q)
    same(name + " x0", t["x0"], [h], 1e-8)
    same(name + " A", t["A"], [[-dq]], 1e-7)
    same(name + " B", t["B"], [[1]])
    same(name + " C", t["C"], [[1], [dq]], 1e-7)
    same(name + " y0", t["y0"], [h, q], 1e-8)

try:
    from scipy.io import loadmat
except ImportError:
    print("without SciPy: MAT is not read")
else:
    a, b = loadmat("motor.mat"), json.load(open("motor.json"))
    for x in "A", "B", "C", "D":
        same("MAT " + x, a[x].tolist(), b[x], 0)
    for x in "states", "inputs", "outputs":
        if [n.strip() for n in a[x]] != b[x]:
            print(x, a[x]); bad = 1
    same("MAT x0", a["x0"].ravel().tolist(), b["x0"], 0)
sys.exit(bad)
END
# coordinates that are free stay so with their own velocities, also where these turn the constraints fast
sed 's/tilt = 1e-11/tilt = 0/' "$source/tests/sim/AlmostParallelHinges.mo" >parallel.mo
for model in parallel.mo '--model Linkage.Benchmarks.Squeezer' '--model Linkage.Benchmarks.FiveBar'; do
    # shellcheck disable=SC2086
    "$rung" linearize $model --format json -q >pairs.json || fail "$model"
    python3 - <<'END' || fail "$model: states without their velocities"
import json
names = [x.rsplit('.', 1) for x in json.load(open('pairs.json'))['states'] if '.' in x]
free = {joint: {x for j, x in names if j == joint} for joint, _ in names}
raise SystemExit(not free or any(x != {'phi', 'w'} for x in free.values()))
END
done
refused() { # status, what it says, arguments
    status=$1 text=$2
    shift 2
    "$rung" linearize "$@" >out.txt 2>err.txt
    got=$?
    [ $got -eq "$status" ] || fail "linearize $*: exit status $got"
    grep -q "$text" err.txt || fail "linearize $*: $(cat err.txt)"
}
refused 1 'depend on each other' --model "$bar" --states 'knee[1].phi,hip[1].phi'
refused 1 "'none.phi' is no state" --model "$bar" --states 'knee[1].phi,none.phi'
refused 2 'one of them' "$models/motor.mo" --steady --at 1
refused 2 'before the start of a run' "$models/motor.mo" --at -1
cat >late.mo <<'MO'
model Late
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 0.1);
end Late;
MO
"$rung" linearize late.mo --at 0.5 >out.txt 2>err.txt && grep -q 'delayed values count as constants' err.txt ||
    fail "a delay is not told of: $(cat err.txt)"
refused 2 'writes .json or .mat' "$models/motor.mo" -o a.csv
refused 1 "no top-level input of type Real is called like 'x'" "$models/motor.mo" --inputs x
refused 1 "no variable of type Real is called like 'none\*'" "$models/motor.mo" --outputs 'none*'
"$rung" linearize "$models/tank.mo" --set inflow=0.6 --steady >out.txt 2>err.txt
[ $? -eq 1 ] && grep -q "relations contradict each other" err.txt || fail "a valve that chatters: $(cat err.txt)"
refused 4 'cannot' "$models/motor.mo" -q -o nowhere/a.json
exit $failed
