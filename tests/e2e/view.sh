#!/bin/sh
# Pages that show mechanisms: what they hold against the result they are of, and what is refused;
# `large`: opened in Chromium, where that is there.
# usage: view.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
cat >look.mo <<'MO'
package Look "A frame, parts and solids of one's own"
  connector Port
    Real r[3](each unit = "m");
    Real T[3, 3];
    flow Real f[3](each unit = "N");
    flow Real F[3, 3];
  end Port;
  record Solid
    Real form, x[3], y[3], r[3], size[3], material, extra;
    annotation(__rung(solid = true));
  end Solid;
  model Bar "between two frames, one sliding away"
    Port a, b;
    Solid solid(form = 1, x = {1, 0, 0}, y = {0, 1, 0}, r = a.r, size = {1, 0.1, 0.2}, material = 255, extra = 0);
    parameter Real speed = 0;
  equation
    b.r = a.r + {1 + speed*time, 0, 0};
    b.T = a.T;
    a.f + b.f = zeros(3);
    a.F + b.F = zeros(3, 3);
  end Bar;
  model Base
    Port a;
  equation
    a.r = {0, time^2, 0};
    a.T = identity(3);
  end Base;
  model Assembly "has no frames of its own: its parts do"
    Bar one, two(speed = 2);
    Port foot, tip;
  equation
    connect(foot, one.a);
    connect(one.b, two.a);
    connect(two.b, tip);
  end Assembly;
  model Machine
    Base base;
    Assembly assembly;
    Real height = base.a.r[2];
    Real turn(unit = "rad", displayUnit = "deg") = time, warmth(unit = "K", displayUnit = "degC") = 300;
  equation
    connect(base.a, assembly.foot);
  end Machine;
  record Form
    extends Solid;
    parameter String file = "";
    annotation(__rung(solid = true));
  end Form;
  model Pieces "forms in files: twice the same one, one that is not there, one that is none"
    Base base;
    parameter String name[4] = {"wedge.stl", "wedge.stl", "modelica://Look/none.dxf", "bad.obj"};
    Form piece[4](file = name, each form = 10, each x = {1, 0, 0}, each y = {0, 1, 0},
      each r = base.a.r, each size = {2, 3, 4}, each material = 255, extra = {0, 1, 0, 0});
  end Pieces;
  model Flat
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
  end Flat;
end Look;
MO
"$rung" simulate look.mo --model Look.Machine --stop 1 --interval 0.1 -q -o R.mat || fail "a run"
[ -s R.view.json ] || fail "no geometry beside the result"
"$rung" simulate look.mo --model Look.Flat -q -o F.mat || fail "a run without frames"
[ -e F.view.json ] && fail "a geometry where nothing can be drawn"
"$rung" view R.mat --signals 'height' -o R.html >out.txt || fail "a page"
grep -q '^3 parts, 7 frames, 2 solids in R.html$' out.txt || fail "$(cat out.txt)"
"$rung" view look.mo --model Look.Machine --stop 1 --interval 0.1 --signals height -o M.html -q || fail "a page of a model"
# curves in display units
"$rung" view R.mat --signals 'turn,warmth' -q -o units.html || fail "units"
python3 - <<'PY' || fail "display units: $(grep -o '"signals".*' units.html | head -c 400)"
import json, math, re
s = json.loads(re.search(r'"signals": (\[.*?\])', open('units.html').read(), re.S).group(1))
turn, warmth = sorted(s, key=lambda x: x['name'])
assert turn['unit'] == 'deg' and abs(turn['factor'] - 180/math.pi) < 1e-12 and turn['offset'] == 0, turn
assert warmth['unit'] == 'degC' and warmth['factor'] == 1 and abs(warmth['offset'] + 273.15) < 1e-10, warmth
PY
"$rung" simulate look.mo --model Look.Machine --stop 1 --interval 0.1 -q -o R.csv || fail "CSV"
"$rung" view R.csv --signals height -q -o C.html || fail "of CSV"
"$rung" view R.mat R.csv --play --speed 0.5 -q -o two.html || fail "two results"
cp R.html again.html
"$rung" view R.mat --signals height -q -o R.html && cmp -s R.html again.html || fail "other bytes"
grep -Eq '(src|href)="' R.html && fail "the page wants other files"

cat >read.py <<'PY'
import base64, csv, json, re, struct, sys

def page(name):
    text = open(name, encoding='utf-8').read()
    text = text[text.index('const RUNG =\n') + 13:]
    return json.loads(text[:text.index('\n;\n') if '\n;\n' in text else text.index(']};') + 2])

def floats(text):
    b = base64.b64decode(text)
    return struct.unpack('<%df' % (len(b) // 4), b)

table = list(csv.reader(open('R.csv')))
column = {name: [float(row[k]) for row in table[1:]] for k, name in enumerate(table[0])}

def check(name):
    data = page(name)
    run = data['runs'][0]
    cols = [floats(c) for c in run['columns']]
    at = lambda v, k: v if not isinstance(v, dict) else cols[v['c']][k]
    time = floats(run['time'])
    assert len(time) == len(column['time']), 'rows'
    assert len(cols) <= 3, 'columns that are equal are there once'
    for f in run['frames']:
        for i in range(3):
            for k in range(len(time)):
                want = column['%s.r[%d]' % (f['name'], i + 1)][k]
                assert abs(at(f['r'][i], k) - want) <= 1e-6 * (1 + abs(want)), f['name']
                for j in range(3):
                    assert at(f['T'][3 * i + j], k) == (i == j), 'rotation'
    names = {p['name']: [run['frames'][k]['name'] for k in p['frames']] for p in run['parts']}
    assert names == {'base': ['base.a'], 'assembly.one': ['assembly.one.a', 'assembly.one.b'],
                     'assembly.two': ['assembly.two.a', 'assembly.two.b']}, names
    s = run['solids'][1]
    assert s['form'] == 1 and s['size'] == [1, 0.1, 0.2] and s['material'] == 255, s
    if run['signals']:
        v = run['signals'][0]['value']
        assert all(abs(at(v, k) - t * t) < 1e-6 for k, t in enumerate(time)), 'signal'
    return data

for name in ['R.html', 'M.html', 'C.html']:
    check(name)
two = check('two.html')
assert len(two['runs']) == 2 and two['play'] is True and two['speed'] == 0.5
PY
python3 read.py || fail "the page holds something else"

# forms in files: each is there once, others are told of and the page is made
cat >wedge.stl <<'STL'
solid wedge
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 0.25 0
endloop
endfacet
endsolid
STL
echo 'f 1 2 3' >bad.obj
"$rung" view look.mo --model Look.Pieces --stop 1 -o pieces.html -q 2>err.txt || fail "pieces: $(cat err.txt)"
[ "$(grep -c warning err.txt)" -eq 2 ] || fail "warnings: $(cat err.txt)"
grep -q "warning: $dir/none.dxf: No such file" err.txt || fail "a file that is not there: $(cat err.txt)"
grep -q "warning: $dir/bad.obj: line 1: '1' is no corner" err.txt || fail "a bad file: $(cat err.txt)"
cat >pieces.py <<'PY'
exec(open('read.py').read().split('table = ')[0])
import struct
data = page('pieces.html')
assert [s.get('file') for s in data['runs'][0]['solids']] == [0, 0, None, None]
(shape,) = data['shapes']
assert floats(shape['points']) == (0, 0, 0, 1, 0, 0, 0, 0.25, 0) and shape['name'] == 'wedge.stl'
assert struct.unpack('<3H', base64.b64decode(shape['corners'])) == (0, 1, 2) and shape['bytes'] == 2
assert shape['colors'] == [[1, -1]]
PY
python3 pieces.py || fail "the page of forms in files holds something else"

# looks: forms of a class, inherited, of its frames, variables and numbers; they add no unknown
cat >looks.mo <<'MO'
package Looks
  connector Port
    Real r[3](each unit = "m");
    Real T[3, 3];
    flow Real f[3](each unit = "N");
    flow Real F[3, 3];
  end Port;
  partial model Round
    Port a;
    parameter Real size[2, 2] = [1, 2; 3, 4];
    Real w = 3*time;
  protected
    Real hidden = 2 annotation(HideResult = true);
  end Round;
  model Base
    extends Round;
  equation
    a.r = {0, time, 0};
    a.T = identity(3);
    annotation(__rung(look(wheel(frame = a, n = {0, 0, -1}, spin = w, radius = hidden, width = 0.25),
      other(size = size, wrong = nobody, at = a.r))));
  end Base;
  model Derived
    extends Base;
  end Derived;
  model Machine
    Derived part[2];
  end Machine;
  model Plain
    extends Round;
  equation
    a.r = {0, time, 0};
    a.T = identity(3);
  end Plain;
  model Without
    Plain part[2];
  end Without;
end Looks;
MO
"$rung" view looks.mo --model Looks.Machine --stop 1 -o looks.html -q 2>err.txt || fail "looks: $(cat err.txt)"
grep -q "looks.mo:21:26: warning N51.*'wrong' of a look" err.txt || fail "an argument that names nothing: $(cat err.txt)"
"$rung" check looks.mo --model Looks.Machine 2>err.txt | tail -n +2 >with.txt
"$rung" check looks.mo --model Looks.Without 2>err.txt | tail -n +2 >without.txt
cmp -s with.txt without.txt || fail "looks have unknowns: $(cat with.txt without.txt)"
cat >looks.py <<'PY'
exec(open('read.py').read().split('table = ')[0])
run = page('looks.html')['runs'][0]
frames = [f['name'] for f in run['frames']]
wheel, other, wheel2, other2 = run['looks']
assert (wheel['name'], wheel['form'], other['form'], wheel2['name']) == ('part[1]', 'wheel', 'other', 'part[2]'), wheel
assert frames[wheel['frame']] == 'part[1].a' and frames[wheel2['frame']] == 'part[2].a', frames
assert wheel['n'] == [0, 0, -1] and wheel['width'] == 0.25 and wheel['radius'] == 2, wheel
assert other['size'] == [1, 2, 3, 4] and 'wrong' not in other, other
spin, at = (floats(run['columns'][v['c']]) for v in (wheel['spin'], other['at'][1]))
time = floats(run['time'])
assert all(abs(s - 3 * t) < 1e-6 and abs(y - t) < 1e-6 for s, y, t in zip(spin, at, time))
PY
python3 looks.py || fail "the page of looks holds something else"

# refused
expect 2 "needs -o" "$rung" view R.mat
expect 2 "not both" "$rung" view R.mat look.mo -o a.html
expect 2 "called .html" "$rung" view R.mat -o a.png
expect 2 "positive" "$rung" view R.mat --speed 0 -o a.html
expect 1 "nothing to draw" "$rung" view look.mo --model Look.Flat -o a.html
expect 4 "F.view.json" "$rung" view F.mat -o a.html
expect 4 "no variable 'nobody'" "$rung" view R.mat --signals nobody -o a.html
"$rung" simulate look.mo --model Look.Machine --signals height -q -o few.mat
expect 4 "is not in it" "$rung" view few.mat -o a.html
echo '{"format": 3' >few.view.json
expect 4 "not the geometry" "$rung" view few.mat -o a.html
[ -e a.html ] && fail "a page of what was refused"

# a report: all of it on one page
mkdir tmp
export TMPDIR="$dir/tmp"
"$rung" report look.mo --model Look.Machine --stop 1 -o report.html >out.txt || fail "a report"
grep -q '^report in report.html$' out.txt || fail "$(cat out.txt)"
for text in 'unknowns' 'srcdoc="' 'audit, bound' 'image/svg' 'Made by rung'; do
    grep -q "$text" report.html || fail "the report lacks $text"
done
grep -Eq 'later_method|event_values|<td>status' report.html && fail "raw keys in a report"
sed 's/srcdoc="[^"]*"//' report.html | grep -q "$dir" && fail "directories in a report"
"$rung" report looks.mo --model Looks.Machine --stop 1 -q -o said.html && sed 's/srcdoc="[^"]*"//' said.html >said.txt &&
    grep -q 'looks.mo:21:26: warning N51' said.txt && [ "$(grep -c 'N51' said.txt)" -eq 1 ] &&
    ! grep -q "$dir" said.txt || fail "messages in a report: $(grep N51 said.txt)"
"$rung" report look.mo --model Look.Machine --stop 1 -q -o again.html && cmp -s report.html again.html || fail "other bytes"
cat >bad.mo <<'MO'
model Wrong
  Real x;
equation
  der(x) = y;
end Wrong;
model Ends
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
end Ends;
MO
cat >travels.mo <<'MO'
model Travels "a body with a wheel, 40 m on"
  inner Linkage.World world(n = {0, 0, -1});
  Linkage.Joints.Prismatic way(n = {1, 0, 0}, v(start = 20, fixed = true), s(fixed = true));
  Linkage.Parts.Body body(m = 1);
  Linkage.Parts.FixedTranslation beam(r = {1, 0, 0});
  Linkage.Joints.Revolute wheel(n = {0, 1, 0}, w(start = 9, fixed = true), phi(fixed = true));
  Linkage.Parts.Rod spoke(r = {0, 0, 0.3}, m = 1);
equation
  connect(world.frame_b, way.frame_a);
  connect(way.frame_b, body.frame_a);
  connect(way.frame_b, beam.frame_a);
  connect(beam.frame_b, wheel.frame_a);
  connect(wheel.frame_b, spoke.frame_a);
  annotation(experiment(StopTime = 2));
end Travels;
MO
"$rung" report travels.mo -q -o travels.report.html || fail "a report of a mechanism that travels"
for figure in '<b>4</b> states' '<b>2</b> degrees of freedom' '<b>2 s</b> simulated' 'bound 10: kept'; do
    grep -q "$figure" travels.report.html || fail "headline figures: $(grep -A20 'class="figures"' travels.report.html)"
done
"$rung" report --model 'Linkage.Benchmarks.PlanarFourBars(N=1)' --stop 0.1 -q -o loop.html || fail "a report of a loop"
sed 's/srcdoc="[^"]*"//' loop.html | grep -q 'cut ' || fail "a report without its cut"
sed 's/srcdoc="[^"]*"//' loop.html | grep -q '/library/' && fail "directories in the report of a loop"
"$rung" view travels.mo --play --up z -q -o travels.html || fail "what travels"
"$rung" view travels.mo --follow spoke -q -o spoke.html && grep -q '"follow": "spoke"' spoke.html ||
    fail "a part that the camera goes along with"
expect 4 "no part or frame is called 'spok'" "$rung" view travels.mo --follow spok -q -o a.html
expect 2 "needs -o" "$rung" report bad.mo --model Ends
expect 1 "bad.mo:4" "$rung" report bad.mo --model Wrong -o a.html
[ -e a.html ] && fail "a report of a wrong model"
expect 3 "the run failed" "$rung" report bad.mo --model Ends --stop 2 -o ends.html
grep -q 'step became too small' ends.html || fail "a run that fails"
[ -z "$(ls -A tmp)" ] || fail "left behind: $(ls tmp)"

large || exit $failed
browser=$(command -v chromium || command -v chromium-browser)
if [ -z "$browser" ]; then
    echo "skipped: no Chromium"
    exit 0
fi
"$rung" view --model Linkage.Examples.SpatialChain20 --play -q -o chain.html || fail "a chain"
[ "$(wc -c <chain.html)" -le 2621440 ] || fail "20 bodies take $(wc -c <chain.html) bytes"
"$rung" view --model Linkage.Benchmarks.SpatialFourBar --signals 'crank.phi' -q -o fourbar.html || fail "a loop"
cat >look.py <<'PY'
# The share of a PNG's points that are strongly coloured, as parts are and the ground is not.
import struct, sys, zlib
data = open(sys.argv[1], 'rb').read()
w, h, depth, kind = struct.unpack('>IIBB', data[16:26])
assert depth == 8 and kind in (2, 6)
raw, at = b'', 8
while at < len(data):
    n, name = struct.unpack('>I4s', data[at:at + 8])
    raw += data[at + 8:at + 8 + n] if name == b'IDAT' else b''
    at += 12 + n
raw, size = zlib.decompress(raw), 3 if kind == 2 else 4
line, last, found = w * size, bytearray(w * size), 0
for y in range(h):
    f, row = raw[y * (line + 1)], bytearray(raw[y * (line + 1) + 1:(y + 1) * (line + 1)])
    for k in range(line):
        a = row[k - size] if k >= size else 0
        b, c = last[k], last[k - size] if k >= size else 0
        p = a + b - c
        paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        row[k] = (row[k] + [0, a, b, (a + b) // 2, paeth][f]) & 255
    found += sum(max(row[k:k + 3]) - min(row[k:k + 3]) > 60 for k in range(0, line, size))
    last = row
print(found / (w * h))
PY
cat >forms.mo <<'MO'
model Forms "one part of each look"
  inner Linkage.World world;
  Linkage.Joints.Revolute hinge(n = {0, 0, 1}, phi(start = 1, fixed = true), w(fixed = true));
  Linkage.Parts.FixedTranslation arm(r = {0.5, 0, 0});
  Linkage.Parts.Body box(I_11 = 0.01, I_22 = 0.02, I_33 = 0.025), rotor(I_11 = 0.02);
  Linkage.Parts.PointMass mass;
  Linkage.Parts.SpinningBody wheel(w = 3);
  Linkage.Forces.SpringDamper spring(c = 10, d = 1, s_0 = 0.5);
  Linkage.Forces.Force force(f = {sin(time), 0, 0});
  Linkage.Forces.Torque torque(t = {0, 0, sin(time)});
  Linkage.Parts.FixedTranslation up(r = {0.2, 0.8, 0}), down(r = {0, -0.6, 0});
  Linkage.Forces.SpherePlane contact(radius = 0.1);
  Linkage.Vehicles.LinearTyre tyre;
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, arm.frame_a);
  connect(arm.frame_b, box.frame_a);
  connect(hinge.frame_b, rotor.frame_a);
  connect(arm.frame_b, mass.frame_a);
  connect(arm.frame_b, wheel.frame_a);
  connect(arm.frame_b, force.frame_b);
  connect(arm.frame_b, torque.frame_b);
  connect(arm.frame_b, tyre.frame_a);
  connect(world.frame_b, up.frame_a);
  connect(up.frame_b, spring.frame_a);
  connect(spring.frame_b, arm.frame_b);
  connect(world.frame_b, down.frame_a);
  connect(down.frame_b, contact.frame_a);
  connect(contact.frame_b, arm.frame_b);
  annotation(experiment(StopTime = 2));
end Forms;
MO
"$rung" view forms.mo -q -o forms.html || fail "forms"
for page in chain fourbar two pieces travels looks forms; do
    # shellcheck disable=SC2086
    timeout 120 "$browser" --headless --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
        --user-data-dir="$dir/profile" --window-size=700,500 --virtual-time-budget=4000 --enable-logging=stderr \
        --screenshot=$page.png --dump-dom "file://$dir/$page.html" >$page.txt 2>$page.err || fail "$page: the browser"
    grep 'CONSOLE' $page.err | grep -v 'GPU stall' >said.txt && fail "$page: $(cat said.txt)"
    grep -q 'data-pictures="[1-9]' $page.txt || fail "$page: no picture was drawn"
    case $page in travels | looks) follows=true ;; *) follows=false ;; esac
    grep -q "data-follows=\"$follows\"" $page.txt || fail "$page: whether the camera goes along"
    calls=$(sed -n 's/.*data-calls="\([0-9]*\)".*/\1/p' $page.txt | head -1)
    [ "${calls:-99}" -le 20 ] || fail "$page: $calls draw calls"
    share=$(python3 look.py $page.png)
    awk -v s="$share" 'BEGIN { exit !(s > 0.001 && s < 0.3) }' || fail "$page: $share of the picture is coloured"
done
# in a frame, as notebooks show a page, which has no size at first
(
    printf '<!DOCTYPE html><iframe width="690" height="480" style="display: none" srcdoc="'
    sed 's/&/\&amp;/g; s/"/\&quot;/g' fourbar.html
    printf '"></iframe><script>setTimeout(() => document.querySelector("iframe").style = "", 300)</script>'
) >framed.html
timeout 120 "$browser" --headless --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
    --user-data-dir="$dir/profile" --window-size=700,500 --virtual-time-budget=20000 --enable-logging=stderr \
    --screenshot=framed.png "file://$dir/framed.html" >framed.txt 2>framed.err || fail "framed: the browser"
grep 'CONSOLE' framed.err | grep -v 'GPU stall' >said.txt && fail "framed: $(cat said.txt)"
share=$(python3 look.py framed.png)
awk -v s="$share" 'BEGIN { exit !(s > 0.001 && s < 0.3) }' || fail "framed: $share of the picture is coloured"
exit $failed
