#!/bin/sh
# rung graph: every format of every picture is well formed, holds all nodes, and is the same twice.
# usage: graphs.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# two loops, one of them with a name that wants escaping
cat >odd.mo <<'M'
model Odd
  Real 'a<b&"c"', x, y(start = 1, fixed = true);
equation
  'a<b&"c"' + 2*x = y;
  'a<b&"c"'*y - x = sin(time);
  der(y) = x;
end Odd;
M
for what in incidence blt blocks; do
    for format in dot graphml json svg; do
        "$rung" graph odd.mo --what $what --format $format >odd-$what.$format ||
            fail "odd.mo, $what as $format"
        [ -s odd-$what.$format ] || fail "odd-$what.$format is empty"
    done
done
for model in 'PlanarPendulum(n=4)' 'AlternatingPendulum(n=3)' 'MultiPendulum(depth=3)'; do
    [ "$model" = 'PlanarPendulum(n=4)' ] || large || continue
    for format in dot graphml json svg; do
        file=ladder-${model%%(*}.$format
        "$rung" graph --model "Linkage.Examples.$model" --what ladder -o "$file" ||
            fail "$model as $format"
        "$rung" graph --model "Linkage.Examples.$model" --what ladder --format $format |
            cmp - "$file" || fail "$file is not the same twice"
    done
done
python3 - <<'P' || fail "not well formed"
import glob, json, re, xml.etree.ElementTree as tree
for f in glob.glob("*.svg") + glob.glob("*.graphml"):
    tree.parse(f)
ns = "{http://graphml.graphdrawing.org/xmlns}"
for f in glob.glob("*.json"):
    g = json.load(open(f))
    ids = {n["id"]: n for n in g["nodes"]}
    assert len(ids) == len(g["nodes"]) > 0, f
    if "blocks" in f:
        # y(t) is known: the loop of two, then der(y); the picture has a layer below the other
        assert [n["name"] for n in g["nodes"]] == ["'a<b&\"c\"' and 1 more", "der(y)"], f
        assert [(e["from"], e["to"]) for e in g["edges"]] == [("b1", "b2")], f
        svg = tree.parse(f.replace(".json", ".svg")).getroot()
        top = [float(r.get("y")) for r in svg.iter("{http://www.w3.org/2000/svg}rect") if r.find("{*}title") is not None]
        assert len(top) == 2 and top[0] < top[1], top
        assert open(f.replace(".json", ".dot")).read().count(" -> ") == 1, f
        continue
    assert sum(n["kind"] == "unknown" for n in g["nodes"]) * 2 == len(ids), f
    for e in g["edges"]:
        assert ids[e["equation"]]["kind"] == "equation" and ids[e["unknown"]]["kind"] == "unknown"
    # each unknown of the whole model is determined once; of a ladder, all but its handles
    matched = [e["unknown"] for e in g["edges"] if e["matched"]]
    assert len(set(matched)) == len(matched), f
    x = tree.parse(f.replace(".json", ".graphml")).getroot()
    assert len(x.findall(f".//{ns}node")) == len(ids), f
    assert len(x.findall(f".//{ns}edge")) == len(g["edges"]), f
    dot = open(f.replace(".json", ".dot")).read()
    assert dot.count(" -- ") == len(g["edges"]), f
    if f.startswith("ladder"):
        roles = [n["role"] for n in g["nodes"]]
        tears = roles.count("tearing variable")
        assert tears == roles.count("residual equation") == len(ids) // 2 - len(matched), f
        # a structure per body: 4, 3, and 1 + 2 + 4
        assert tears == {"Planar": 4, "Alternating": 3, "Multi": 7}[re.split("[-P]", f)[1] or "Planar"]
    elif "blt" in f:
        # block lower triangular: no unknown of a later block in an equation
        assert all(ids[e["unknown"]]["block"] <= ids[e["equation"]]["block"] for e in g["edges"]), f
names = [n["name"] for n in json.load(open("odd-blt.json"))["nodes"]]
assert "'a<b&\"c\"'" in names, names
P

status() {
    want=$1
    shift
    "$rung" graph "$@" >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "status $got instead of $want: rung graph $*"
    [ -s err ] || fail "no message: rung graph $*"
    [ ! -s out ] || fail "output in spite of the error: rung graph $*"
}
status 2 odd.mo --what nothing
status 2 odd.mo --format csv
status 4 missing.mo --model None
status 4 odd.mo -o none/odd.svg
printf 'model One\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend One;\n' >one.mo
status 1 one.mo --what ladder

"$rung" graph --model 'Linkage.Examples.PlanarPendulum(n=20)' --what blocks --format svg >blocks.svg ||
    fail "blocks of twenty bodies"
"$rung" graph --model 'Linkage.Examples.PlanarPendulum(n=20)' --what blocks --format svg | cmp - blocks.svg ||
    fail "blocks.svg is not the same twice"

if large; then
    status 1 --model 'Linkage.Examples.PlanarPendulum(n=1000)' --what blocks --format svg
    # a thousand bodies: the picture leaves some out and says so
    "$rung" graph --model 'Linkage.Examples.PlanarPendulum(n=1000)' --what ladder -o large.svg ||
        fail "a thousand bodies"
    grep -q 'structures farther out are not drawn' large.svg || fail "large.svg does not say what it leaves out"
fi

[ $failed -eq 0 ] && echo "graphs are well formed"
exit $failed
