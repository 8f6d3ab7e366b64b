#!/bin/sh
# What `rung fmu` writes: the archive, its symbols and its description; runs by an importer of our
# own (fmu/fmu_client.c), in model exchange and co-simulation, give what `rung simulate` gives.
# Where FMI_SCHEMAS names a folder with fmi2ModelDescription.xsd and fmi3ModelDescription.xsd, xmllint
# checks against them.
# usage: fmu.sh RUNG DIR SOURCE CLIENT [large]
client=$4
if [ -n "$5" ]; then set -- "$1" "$2" "$3" "$5"; else set -- "$1" "$2" "$3"; fi
. "$(dirname "$0")/common.sh"
models=$source/tests/e2e/fmu

# make MODEL VERSION OPTIONS...: MODEL.VERSION.fmu, and its files in the folder MODEL.VERSION
make_fmu() {
    model=$1
    version=$2
    shift 2
    name=$model.$version
    "$rung" fmu -q "$models/$model.mo" --model "$model" --fmi "$version" "$@" -o "$name.fmu" 2>log ||
        { fail "$name: $(cat log)"; return 1; }
    python3 -m zipfile -e "$name.fmu" "$name" || { fail "$name: no archive"; return 1; }
    platform=linux64
    [ "$version" = 2 ] || platform=x86_64-linux
    binary=$name/binaries/$platform/$model.so
    description=$name/modelDescription.xml
    if [ -n "$FMI_SCHEMAS" ]; then
        xmllint --noout --schema "$FMI_SCHEMAS/fmi${version}ModelDescription.xsd" "$description" \
            2>log || fail "$name: $(cat log)"
    fi
    functions=44
    [ "$version" = 2 ] || functions=75
    nm -D --defined-only "$binary" >symbols
    [ "$(grep -c " T fmi$version" symbols)" = "$functions" ] || fail "$name: functions"
    grep -v " T fmi$version" symbols && fail "$name: exports more than FMI's functions"
    nm -D --undefined-only "$binary" | grep -v '@GLIBC\|_ITM_\|__gmon_start__' &&
        fail "$name: needs more than libc and libm"
    return 0
}

# runs METHODS STOP OPTIONS: as simulate has it, in these ways
runs() {
    ways=$1
    stop=$2
    [ -s "$model.csv" ] ||
        "$rung" simulate -q "$models/$model.mo" --model "$model" --method esdirk --tolerance 1e-8 \
            --interval "$(echo "$stop" | awk '{ print $1 / 1000 }')" -o "$model.csv" 2>log ||
        fail "$model: $(cat log)"
    for way in $ways; do
        "$client" "$binary" "$description" "$version" "$stop" "$way" "$name.$way.csv" 2>log ||
            fail "$name, $way: $(cat log)"
        # arrays and derivatives have other columns: those that both have
        "$rung" compare "$name.$way.csv" "$model.csv" --tolerance 1e-3 >log
        # and not what model exchange leaves of constraints, which is led back to zero
        grep '^FAIL ' log | grep -v 'not in the result\|  norm(' && fail "$name, $way: against simulate"
        [ "$(grep -c '^ok ' log)" -gt 2 ] || fail "$name, $way: nothing compared"
    done
}

# check STOP PARAMETERS...: derivatives by these parameters, too
check() {
    stop=$1
    shift
    "$client" "$binary" "$description" "$version" "$stop" check "$@" >checked 2>log ||
        fail "$name, checks: $(cat log)"
}

# tunes WAYS PARAMETER VALUE T STOP: a parameter that is changed at T gives what a run gives that is
# saved at T and goes on with another one
tunes() {
    "$rung" simulate -q "$models/$model.mo" --model "$model" --method esdirk --tolerance 1e-8 \
        --stop "$4" --save-state state -o /dev/null 2>log || fail "$name, tuned: $(cat log)"
    "$rung" simulate -q "$models/$model.mo" --model "$model" --method esdirk --tolerance 1e-8 \
        --from state --set "$2=$3" --stop "$5" --interval 0.002 -o tuned.csv 2>log ||
        fail "$name, tuned: $(cat log)"
    for way in $1; do
        "$client" "$binary" "$description" "$version" "$5" "$way" all.csv "$2=$3@$4" 2>log ||
            fail "$name, $way, tuned: $(cat log)"
        awk -F, -v t="$4" 'NR == 1 || $1 > t' all.csv >later.csv
        awk -F, -v t="$4" 'NR == 1 || $1 > t' tuned.csv >expected.csv
        "$rung" compare later.csv expected.csv --tolerance 1e-3 >log
        grep '^FAIL ' log | grep -v 'not in the result' && fail "$name, $way: tuned"
        [ "$(grep -c '^ok ' log)" -gt 2 ] || fail "$name, $way: nothing compared, tuned"
    done
}

if small; then
make_fmu FmuBall 2 && runs "me cs" 2 && check 2
grep -q 'name="g".*variability="tunable"' "$description" || fail "$name: a parameter is not tunable"
tunes "me cs" g 5 0.7 1.3
# y = h + v^2/k of h and v; the derivative of h is v
grep -q '<Unknown index="8" dependencies="5 6" dependenciesKind="constant dependent"/>' \
    "$description" || fail "$name: dependencies of y"
grep -q '<Unknown index="11" dependencies="6" dependenciesKind="constant"/>' "$description" ||
    fail "$name: dependencies of der(h)"
grep -q '<String start="heights &lt; 1"/>' "$description" || fail "$name: a String"
# an input with a slope is what the data say
printf 'time,u\n0,0\n2,6\n' >ramp.csv
"$rung" simulate -q "$models/FmuBall.mo" --model FmuBall --method esdirk --tolerance 1e-8 \
    --interval 0.002 --input ramp.csv -o ramped.csv || fail "a ramp"
"$client" "$binary" "$description" 2 2 cs ramp_cs.csv "u'=3" 2>log || fail "a slope: $(cat log)"
"$rung" compare ramp_cs.csv ramped.csv --tolerance 1e-3 >log
grep '^FAIL ' log | grep -v 'not in the result' && fail "an input with a slope"
fi
# derivatives by parameters, those of cut loops among them; no others than were asked for
if small; then
for version in 2 3; do
    by="d g"
    [ "$version" = 3 ] || by="d g l[1] l[2]"
    make_fmu FmuParameters "$version" --parameters 'd,g,l*' && check "1" $by
    [ "$(grep -c '^derivatives by' checked)" -ge 2 ] || fail "$name: derivatives by parameters"
    make_fmu FmuParameters "$version" --parameters d
    "$client" "$binary" "$description" "$version" 1 check g >checked 2>log &&
        fail "$name: derivatives by a parameter that was not asked for"
done
make_fmu FmuLoop 2 --parameters 'crankRod.m,couplerBody.I_31,ground.r*' &&
    check 1 crankRod.m couplerBody.I_31 'ground.r[2]'
expect 1 "no parameter that can be set" "$rung" fmu "$models/FmuParameters.mo" --parameters area -o no.fmu
fi
# versions WHICH OTHER: by day the small size has the one, the large size the other
versions() {
    if night; then echo "$1 $2"; elif large; then echo "$2"; else echo "$1"; fi
}
# the sources of both versions are complete: no part of what is not with them is called, not even
# by what a linker drops
for version in $(versions 3 2); do
    "$rung" fmu -q "$models/FmuBall.mo" --model FmuBall --fmi $version --sources -o sources.fmu
    python3 -m zipfile -e sources.fmu "from_sources.$version"
    tr -d '\n' <"from_sources.$version/modelDescription.xml" >flat
    [ "$version" = 2 ] || grep -q '<String name="marks"[^>]*> *<Dimension start="2"/> *<Start value="heights &lt; 10"/> *<Start value=""/>' flat ||
        fail "an array of Strings"
    (cd "from_sources.$version/sources" && ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O0 -fPIC \
        -shared -Wl,-z,defs -o ../from_sources.so ./*.c -lm) >log 2>&1 ||
        fail "FMI $version: the sources do not build: $(cat log)"
    "$client" "from_sources.$version/from_sources.so" "from_sources.$version/modelDescription.xml" \
        $version 2 cs sources.csv || fail "FMI $version: the sources do not run"
done
if small; then
# values that are no numbers are errors: of a variable on the way, of a parameter at the start
make_fmu FmuValues 2
for way in me cs; do
    "$client" "$binary" "$description" 2 1 $way values.csv 2>log || fail "FmuValues, $way: $(cat log)"
    "$client" "$binary" "$description" 2 2 $way values.csv >out 2>log && fail "FmuValues, $way: no error"
    grep -q "the value of 'y' is not a number\|sqrt" out log || fail "FmuValues, $way: $(cat out log)"
    "$client" "$binary" "$description" 2 1 $way values.csv "p=0@0" >out 2>log && fail "FmuValues, $way: p = 0"
done
fi
# Strings that change: the closed form of their texts, and their description
for version in $(versions 2 3); do
    make_fmu FmuStrings "$version" && runs "me cs" 2 && check 2
    grep -q 'name="s"[^>]*description="its number" causality="output" variability="discrete"' "$description" ||
        fail "$name: a String as an output"
    grep -q 'name="side\[1\]"[^>]*causality="local" variability="discrete"' "$description" ||
        fail "$name: a local String"
    for way in me cs; do
        python3 - "$name.$way.csv" <<'EOF' || fail "$name, $way: texts"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert int(rows[-1]["n"]) == 8 and any(r["side[1]"] == "right" for r in rows)
for r in rows:
    n, x = int(r["n"]), float(r["x"])
    s = f"step {n}" if n else "none"
    assert r["s"] == s and r["before"] == ("" if n == 0 else "none" if n == 1 else f"step {n - 1}"), r
    assert r["side[1]"] == ("right" if x > 0.5 else "left") or abs(x - 0.5) < 1e-6, r
    assert r["side[2]"] == "p = 2" and r["all"] == "/".join([s, r["side[1]"], r["side[2]"]]), r
EOF
    done
done
# a parameter of type String has its value for good: another one is refused, by name, and is an option of rung fmu
for version in $(versions 2 3); do
    make_fmu FmuStrings "$version" && "$client" "$binary" "$description" "$version" 2 check 2>log
    grep -q "'word' is a constant of this FMU, \"step \": .*rung fmu --set" log || fail "$name: $(cat log)"
    make_fmu FmuStrings "$version" --set 'word="move "' &&
        "$client" "$binary" "$description" "$version" 2 cs moved.csv 2>log || fail "$name: $(cat log)"
    grep -q '"move 8"' moved.csv || fail "$name: --set of a String"
done
if small; then
    make_fmu FmuStrings 2 && tunes "me cs" p 5 0.6 2
fi
# arrays whose sizes are known in a run only: the values of rung simulate, and an error for a subscript out of bounds
if small; then
    make_fmu FmuArrays 2
    runs "me cs" 1.4
    for way in me cs; do
        "$client" "$binary" "$description" 2 2 $way arrays.csv >out 2>log && fail "FmuArrays, $way: no error"
        grep -q "subscript 100 is outside 1 .. 8" out log || fail "FmuArrays, $way: $(cat out log)"
    done
fi
# a file that the model reads goes along, and is read where the archive is unpacked
echo 2.5 >data.txt
sed "s#data.txt#$PWD/data.txt#" "$models/FmuData.mo" >FmuData.mo
for version in $(versions 2 3); do
    "$rung" fmu -q FmuData.mo --model FmuData --fmi $version -o data.fmu || fail "FmuData"
    rm -rf "un packed"
    python3 -m zipfile -e data.fmu "un packed"
    rm data.txt
    "$client" un\ packed/binaries/*/FmuData.so "un packed/modelDescription.xml" $version 1 cs data.csv 2>log &&
        tail -n 1 data.csv | awk -F, '{ exit !(($2 - 2.5)^2 < 1e-12) }' ||
        fail "FMI $version: a file that goes along: $(cat log)"
    echo 2.5 >data.txt
done
# terminals are connectors with inputs and outputs; members, rules and places; icons as SVG and PNG
for version in $(versions 3 2); do
    "$rung" fmu -q "$models/FmuTerminals.mo" --model FmuTerminals.Drive --fmi $version \
        --format json -o terminals.fmu >summary || fail "FmuTerminals"
    rm -rf terminals
    python3 -m zipfile -e terminals.fmu terminals
    [ -z "$FMI_SCHEMAS" ] || xmllint --noout --schema "$FMI_SCHEMAS/fmi3TerminalsAndIcons.xsd" \
        terminals/terminalsAndIcons/terminalsAndIcons.xml 2>log || fail "terminals: $(cat log)"
    python3 - $version <<'EOF' || fail "FMI $version: terminals"
import json, os, sys
import xml.etree.ElementTree as ET
at = "terminals/terminalsAndIcons/"
root = ET.parse(at + "terminalsAndIcons.xml").getroot()
arrays = sys.argv[1] == "3"
def told(of):
    return [(t.get("name"), t.get("matchingRule"),
             [m.get("variableName") + ":" + m.get("memberName")
              for m in t.findall("TerminalMemberVariable")], told(t))
            for t in of.findall("Terminal")]
def shaft(of):
    phi = [of + "phi:phi"] if arrays else [of + "phi[1]:phi[1]", of + "phi[2]:phi[2]"]
    return [of + "tau:tau"] + phi
pair = lambda k: (f"p[{k}]", "plug", [f"p[{k}].on:on"], [("s", "plug", shaft(f"p[{k}].s."), [])])
assert told(root.find("Terminals")) == [
    ("u", "sequence", ["u:u"], []), ("y", "sequence", ["y:y"], []),
    ("a", "plug", shaft("a."), []), pair(1), pair(2)], told(root.find("Terminals"))
assert json.load(open("summary"))["terminals"] == 7
declared = {v.get("name"): v for v in ET.parse("terminals/modelDescription.xml").iter()
            if v.get("causality") in ("input", "output")}
for member in root.iter("TerminalMemberVariable"):
    assert member.get("variableName") in declared, member.attrib
# pictures are there together or not at all
icons = {f for f in os.listdir(at) if f != "terminalsAndIcons.xml"}
assert {f[:-4] for f in icons if f.endswith(".png")} == {f[:-4] for f in icons if f.endswith(".svg")}
if icons:
    assert root.find("GraphicalRepresentation/CoordinateSystem").get("y2") == "150"
    places = [tuple(float(g.get(k)) for k in ("x1", "y1", "x2", "y2"))
              for g in root.iter("TerminalGraphicalRepresentation")]
    assert places == [(-140, 30, -100, 70)], places
    assert open(at + "icon.png", "rb").read(8) == b"\x89PNG\r\n\x1a\n"
    shapes = [e.tag.split("}")[1] for e in ET.parse(at + "icon.svg").getroot()]
    # the frame of the base class, a part of an ellipse, a line, one text
    assert shapes == ["linearGradient", "path", "pattern", "path", "path", "text"], shapes
    assert "Drive &lt; 100%" in open(at + "icon.svg").read()
    assert (open("terminals/model.png", "rb").read() == open(at + "icon.png", "rb").read()
            if not arrays else not os.path.exists("terminals/model.png"))
EOF
done
if large; then
    # nothing at all; nothing that moves, a text; names in quotes; a start before zero
    for part in Empty Stateless "'a b.c'" Negative; do
        for version in 2 3; do
            "$rung" fmu -q "$models/FmuEdges.mo" --model "FmuEdges.$part" --fmi $version \
                -o edge.fmu || fail "FmuEdges.$part"
            rm -rf edge
            python3 -m zipfile -e edge.fmu edge
            [ -z "$FMI_SCHEMAS" ] || xmllint --noout \
                --schema "$FMI_SCHEMAS/fmi${version}ModelDescription.xsd" \
                edge/modelDescription.xml 2>log || fail "FmuEdges.$part: $(cat log)"
            for way in "me edge.csv" "cs edge.csv" check; do
                # shellcheck disable=SC2086
                "$client" edge/binaries/*/*.so edge/modelDescription.xml $version 1 $way \
                    >checked 2>log || fail "FmuEdges.$part, FMI $version, $way: $(cat log)"
            done
        done
    done
    make_fmu FmuBall 3 --sources && runs "me cs" 2 && check 2
    tunes "me cs" g 5 0.7 1.3
    for version in 2 3; do
        make_fmu FmuMachine $version && runs "me cs" 3 && check 1
        # of a clock's times and delays a run is made
        grep -q 'name="period".*variability="fixed"' "$description" || fail "$name: a period"
        tunes "me cs" n 2 1.1 2.2
        make_fmu FmuStiff $version && runs cs 5 && check 0.5
        make_fmu FmuLoop $version && runs "me cs" 1 && check 0.3
    done
    # the same bytes again; only what was asked for
    "$rung" fmu -q "$models/FmuBall.mo" --model FmuBall --fmi 3 --sources --no-cache -o again.fmu
    cmp -s FmuBall.3.fmu again.fmu || fail "two FMUs of one model differ"
    "$rung" fmu -q "$models/FmuBall.mo" --model FmuBall --interface cs -o cs.fmu
    python3 -m zipfile -e cs.fmu cs
    grep -q '<ModelExchange' cs/modelDescription.xml && fail "model exchange, not asked for"
fi

small || exit $failed
# the summary says what is in the archive
"$rung" fmu "$models/FmuBall.mo" --model FmuBall --format json -o ball.fmu >summary ||
    fail "--format json"
python3 - <<'EOF' || fail "--format json: $(cat summary)"
import json, zipfile
made = json.load(open("summary"))
held = {i.filename: i.file_size for i in zipfile.ZipFile("ball.fmu").infolist()}
assert {f["path"]: f["bytes"] for f in made["files"]} == held
assert (made["states"], made["inputs"], made["outputs"]) == (2, 1, 2)
assert (made["parameters"], made["tunable_parameters"]) == (2, 2)
EOF

# a model that is wrong leaves no file; no name is a usage error
echo 'model Wrong Real x; equation x = y; end Wrong;' >Wrong.mo
"$rung" fmu -q Wrong.mo --model Wrong -o wrong.fmu 2>/dev/null
[ $? -eq 1 ] || fail "a wrong model: exit status"
[ -e wrong.fmu ] && fail "a wrong model left a file"
"$rung" fmu -q "$models/FmuBall.mo" --model FmuBall 2>/dev/null
[ $? -eq 2 ] || fail "no -o: exit status"
"$rung" fmu -q "$models/FmuBall.mo" --model FmuBall --fmi 1 -o x.fmu 2>/dev/null
[ $? -eq 2 ] || fail "--fmi 1: exit status"
"$rung" fmu -q "$models/FmuBall.mo" --model FmuBall -o no/where.fmu 2>/dev/null
[ $? -eq 4 ] || fail "a folder that is not there: exit status"

# Equations that no step solves do not go on with another solution behind the end of theirs.
for version in 2 3; do
    make_fmu FmuFold $version || continue
    for way in me cs; do
        "$client" "$binary" "$description" "$version" 0.8 "$way" whole.csv 2>log || fail "$name, $way: $(cat log)"
        "$client" "$binary" "$description" "$version" 1.5 "$way" whole.csv 2>log && fail "$name, $way: over the fold"
        grep -q "the solution of the nonlinear equations of 'y' ends at t = 0.8849" log || fail "$name, $way: $(cat log)"
    done
done

# Co-simulation finds violations of assertions inside its own steps.
for version in 2 3; do
    make_fmu FmuAssertion $version || continue
    "$client" "$binary" "$description" "$version" 0.5 cs whole.csv 2>log || fail "$name: $(cat log)"
    "$client" "$binary" "$description" "$version" 1 cs whole.csv 2>log && fail "$name: over the violation"
    grep -q "assertion violated at t = 0.51224: too close" log || fail "$name: $(cat log)"
done
exit $failed
