#!/bin/sh
# `rung dof` against what is known of mechanisms: counted by hand, by theory, or by a second model of the
# same thing. Mechanisms of points and links are written here as equations.
# usage: dof.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"

cat >Points.mo <<'EOF'
package Points
  model Truss "n points of mass 1 and anchors behind them, held by links of constant length"
    parameter Integer n, links, anchors = 0, a[links], b[links];
    parameter Real r0[n + anchors, 3];
    Real r[n, 3](start = r0[1:n, :]), v[n, 3], f[links];
    Real p[n + anchors, 3] = cat(1, r, r0[n + 1:n + anchors, :]);
  equation
    for k in 1:links loop
      (p[a[k]] - p[b[k]])*(p[a[k]] - p[b[k]]) = (r0[a[k]] - r0[b[k]])*(r0[a[k]] - r0[b[k]]);
    end for;
    for i in 1:n loop
      der(r[i]) = v[i];
      der(v[i]) = {0, 0, -9.81} + sum(if a[k] == i then f[k]*(p[b[k]] - r[i])
        elseif b[k] == i then f[k]*(p[a[k]] - r[i]) else zeros(3) for k in 1:links);
    end for;
  end Truss;
  model Tetrahedra "two on one base, a link between the apexes, one to an anchor"
    extends Truss(n = 5, links = 11, anchors = 1, a = {1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 1},
      b = {2, 3, 1, 4, 4, 4, 5, 5, 5, 5, 6},
      r0 = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 0.8}, {0.3, 0.3, -0.8}, {-1, 0, 0}});
  end Tetrahedra;
  model Free "the same without the anchor"
    extends Truss(n = 5, links = 10, a = {1, 2, 3, 1, 2, 3, 1, 2, 3, 4},
      b = {2, 3, 1, 4, 4, 4, 5, 5, 5, 5},
      r0 = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 0.8}, {0.3, 0.3, -0.8}});
  end Free;
  model Suspension "two wheel carriers of three points, each on five links"
    extends Truss(n = 6, links = 16, anchors = 10,
      a = {1, 2, 3, 1, 1, 2, 2, 3, 4, 5, 6, 4, 4, 5, 5, 6},
      b = {2, 3, 1, 7, 8, 9, 10, 11, 5, 6, 4, 12, 13, 14, 15, 16},
      r0 = {{0, 0.7, 0.1}, {0.02, 0.68, 0.5}, {0.15, 0.7, 0.2}, {0, -0.7, 0.1}, {0.02, -0.68, 0.5},
        {0.15, -0.7, 0.2}, {0.2, 0.3, 0.12}, {-0.2, 0.3, 0.1}, {0.15, 0.35, 0.45}, {-0.18, 0.36, 0.46},
        {0.16, 0.32, 0.18}, {0.2, -0.3, 0.12}, {-0.2, -0.3, 0.1}, {0.15, -0.35, 0.45},
        {-0.18, -0.36, 0.46}, {0.16, -0.32, 0.18}});
  end Suspension;
  model Stretched "a point on two links in one line: it can give way to first order alone"
    extends Truss(n = 1, links = 2, anchors = 2, a = {1, 1}, b = {2, 3},
      r0 = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}});
  end Stretched;
end Points;
EOF
cat >Others.mo <<'EOF'
package Others
  model Circuit
    parameter Real C = 1e-3, L = 0.1;
    Real v(unit = "V", start = 1), i(unit = "A");
  equation
    C*der(v) = i;
    L*der(i) = -v;
  end Circuit;
  model Coin "rolls upright on a plane: two velocities, by which all four positions are reached"
    parameter Real R = 0.2, J = 1, m = 1;
    Real x, y, psi, phi, w1(start = 1), w2(start = 0.3);
  equation
    der(psi) = w1;
    der(phi) = w2;
    J*der(w1) = 0;
    (J + m*R^2)*der(w2) = 0;
    der(x) = R*w2*cos(psi);
    der(y) = R*w2*sin(psi);
  end Coin;
  model Wheel "rolls on a line: a constraint of velocities that positions keep, too"
    parameter Real r = 0.2, J = 1, m = 1;
    Real x, phi, w, v, f;
  equation
    der(x) = v;
    der(phi) = w;
    v = r*w;
    m*der(v) = f + 1;
    J*der(w) = -r*f;
  end Wheel;
  model Stewart "a platform on six legs: universal, prismatic, spherical"
    inner Linkage.World world;
    Linkage.Parts.FixedTranslation foot[6](r = {{cos(k), sin(k), 0} for k in 1:6});
    Linkage.Joints.Universal u[6];
    Linkage.Joints.Prismatic p[6](each n = {0, 0, 1}, each s(start = 1));
    Linkage.Parts.Body leg[6](each m = 0.1, each r_CM = {0, 0, -0.3});
    Linkage.Joints.Spherical s[6];
    Linkage.Parts.FixedTranslation arm[6](r = {{-cos(k), -sin(k), 0} for k in 1:6});
    Linkage.Parts.Body platform(m = 5);
  equation
    for k in 1:6 loop
      connect(world.frame_b, foot[k].frame_a);
      connect(foot[k].frame_b, u[k].frame_a);
      connect(u[k].frame_b, p[k].frame_a);
      connect(p[k].frame_b, leg[k].frame_a);
      connect(p[k].frame_b, s[k].frame_a);
      connect(s[k].frame_b, arm[k].frame_a);
      connect(arm[k].frame_b, platform.frame_a);
    end for;
  end Stewart;
  model None
  end None;
  model Row "points in a row, tied to each other by equations"
    parameter Integer n = 450;
    Real x[n](each unit = "m", each start = 0.5, fixed = {k == 1 for k in 1:n});
    Real v[n](each unit = "m/s", fixed = {k == 1 for k in 1:n});
    Real f[n - 1](each unit = "N");
  equation
    v = der(x);
    for k in 1:n loop
      der(v[k]) = (if k > 1 then f[k - 1]*2*x[k] else 0) - (if k < n then f[k]*2*x[k] else 0);
    end for;
    for k in 1:n - 1 loop
      x[k]^2 = x[k + 1]^2;
    end for;
  end Row;
end Others;
EOF

expect() { # options of dof, then lines that must be there
    options=$1
    shift
    eval "\"$rung\" dof $options" >out 2>&1 || fail "dof $options: $(cat out)"
    for line in "$@"; do
        grep -qF -- "$line" out || fail "'$line' is not said of $options: $(cat out)"
    done
}

if small; then
expect 'Points.mo --model Points.Tetrahedra' '  5 degrees of freedom: 15 coordinates, 11 constraints on them, 1 redundant' \
    'constraint 10, of Points.mo:9:7' 'redundant, follows from constraints'
grep -q 'no run can be started' out && fail "constraints that depend on each other have a run: $(cat out)"
expect 'Points.mo --model Points.Free' '  6 degrees of freedom: 15 coordinates, 10 constraints on them, 1 redundant'
expect 'Points.mo --model Points.Suspension' '  2 degrees of freedom: 18 coordinates, 16 constraints on them, 0 redundant'
expect 'Points.mo --model Points.Stretched' '  2 degrees of freedom' ', 1 redundant' 'to first order only'
# the same of components, which run, too
expect '--model Linkage.Examples.Tetrahedra -o tetra.html' \
    '  5 degrees of freedom: 15 coordinates, 11 constraints on them, 1 redundant'
grep -q 'no run can be started' out && fail "two tetrahedra have a run: $(cat out)"
expect '--model Linkage.Examples.PointSuspension' \
    '  2 degrees of freedom: 18 coordinates, 16 constraints on them, 0 redundant'
fi
large && expect 'Others.mo --model Others.Stewart' '  6 degrees of freedom'
if small; then
expect 'Others.mo --model Others.Circuit' 'no mechanism'
expect 'Others.mo --model Others.None' 'no mechanism'
expect 'Others.mo --model Others.Coin' '  2 degrees of freedom: 4 coordinates' \
    'nonholonomic: 2 degrees of freedom of velocities, 4 of positions'
expect 'Others.mo --model Others.Wheel' '  1 degree of freedom: 2 coordinates' '1: phi +1, x +0.2'
grep -q nonholonomic out && fail "a wheel on a line is holonomic: $(cat out)"
# trees; four Euler parameters are three degrees of freedom
expect '--model Linkage.Examples.DoublePendulum' '  2 degrees of freedom: 2 coordinates, 0 constraints'
expect '--model Linkage.Examples.FreeBody' '  6 degrees of freedom: 7 coordinates'
grep -q nonholonomic out && fail "Euler parameters are holonomic: $(cat out)"
# the angles of a parallelogram
expect "--model 'Linkage.Benchmarks.PlanarFourBars(N=1)'" \
    '1: foot[1].phi +1, foot[2].phi +1, corner[1].phi -1, closing[1].phi +1'
expect "--model 'Linkage.Examples.PlanarPendulum(n=22)'" '  22 degrees of freedom: 22 coordinates' \
    'and 2 more; --format json has them all'
# more coordinates tied together than singular values are found of at once
expect 'Others.mo --model Others.Row' '  1 degree of freedom: 450 coordinates, 449 constraints on them, 0 redundant' \
    '1: x[1] +1, x[2] +1' 'on x[1], x[2]' 'and 438 more'
fi
if large; then
    expect "--model 'Linkage.Examples.PlanarPendulum(n=300)'" '  300 degrees of freedom: 300 coordinates'
    expect "--model 'Linkage.Benchmarks.FourBarChain(m=12)'" \
        '  12 degrees of freedom: 48 coordinates, 72 constraints on them, 36 redundant'
    expect "--model 'Linkage.Benchmarks.PlanarFourBars(N=140)'" \
        '  1 degree of freedom: 421 coordinates, 840 constraints on them, 420 redundant' 'foot[2].phi -1' \
        'loop 1: foot[1].phi, foot[2].phi, corner[1].phi, closing[1].phi'
fi
if night; then
    expect "--model 'Linkage.Examples.PlanarPendulum(n=1000)'" '  1000 degrees of freedom: 1000 coordinates'
    expect "--model 'Linkage.Benchmarks.FourBarChain(m=100)'" \
        '  100 degrees of freedom: 400 coordinates, 600 constraints on them, 300 redundant'
fi

small || exit $failed
# a parallelogram that turns lies flat between two rows, and has a second freedom there
"$rung" simulate --model 'Linkage.Benchmarks.PlanarFourBars(N=1)' -q -o flat.mat --stop 2 || fail "a run"
expect "--model 'Linkage.Benchmarks.PlanarFourBars(N=1)' --along flat.mat" ' 1 degree of freedom' \
    '2 degrees of freedom, a singular position'
"$rung" simulate --model 'Linkage.Benchmarks.PlanarFourBars(N=1)' -q -o flat.csv --stop 2 --interval 1e-3 \
    --signals 'upright*frame_b.m.r*' || fail "a run"
time=$(sed -n 's/^ *t = \([0-9.]*\): 2 degrees.*/\1/p' out | head -1)
awk -F, -v t="${time:-9}" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /upright.1..frame_b.m.r.2/) at = i; next }
    $1 <= t + 2e-3 && $1 >= t - 2e-3 { y = $at < 0 ? -$at : $at; if (best == "" || y < best) best = y }
    END { printf "height of the uprights above the line at t = %s: %s\n", t, best; exit !(best != "" && best < 1e-2) }' \
    flat.csv || fail "the singular position"
"$rung" dof --model 'Linkage.Benchmarks.PlanarFourBars(N=1)' --along none.mat >out 2>&1
[ $? -eq 4 ] || fail "a result that is not there: $(cat out)"

# JSON says the same
"$rung" dof --model 'Linkage.Benchmarks.PlanarFourBars(N=1)' --format json >out.json 2>err || fail "json: $(cat err)"
python3 - <<'EOF' || fail "json: $(cat out.json)"
import json
d = json.load(open('out.json'))
assert d['degrees_of_freedom'] == len(d['directions']) == 1 and d['redundant'] == 3, d
move = {'foot[1].phi': 1, 'foot[2].phi': 1, 'corner[1].phi': -1, 'closing[1].phi': 1}
assert all(abs(d['directions'][0][k] - v) < 1e-9 for k, v in move.items()), d
assert sum(f['redundant'] for f in d['loops'][0]['forces']) == 3 and 'parallel' in d['loops'][0]['reason'], d
EOF

# a page of the motions: at the start they are tangent to the constraints, so that what is rigid is
# stretched by the square of how far they go; fastest frames have the longest arrows, of length 1
"$rung" dof --model Linkage.Benchmarks.FiveBar -o five.html >/dev/null 2>err || fail "a page: $(cat err)"
"$rung" dof --model Linkage.Benchmarks.FiveBar -o five.pdf >/dev/null 2>&1
[ $? -eq 2 ] && [ ! -e five.pdf ] || fail "a page called .pdf"
# the picture has the arrows of the page, one panel for each motion
"$rung" dof --model Linkage.Benchmarks.FiveBar -o five.svg >/dev/null 2>err || fail "a picture: $(cat err)"
"$rung" dof --model Points.Free Points.mo -o none.html >/dev/null 2>err
[ $? -eq 1 ] && grep -q 'no connector with a position' err && [ ! -e none.html ] || fail "no frames: $(cat err)"
python3 - <<'EOF' || fail "the page of the motions"
import base64, json, math, struct
import xml.dom.minidom
picture = xml.dom.minidom.parse('five.svg')
ways = [[p for p in g.getElementsByTagName('path') if p.getAttribute('class') == 'way']
        for g in picture.getElementsByTagName('g')]
assert len(ways) == 2 and all(len(w) >= 2 for w in ways), ways
text = open('five.html', encoding='utf-8').read()
text = text[text.index('const RUNG =\n') + 13:]
data = json.loads(text[:text.index(';\n')])
assert len(data['runs']) == 2 and data['loops'] and data['play']
moved = 0
for run in data['runs']:
    assert run['file'][0] in '12' and '.phi +1' in run['file']
    cols = [struct.unpack('<49f', base64.b64decode(c)) for c in run['columns']]
    at = lambda v, k: [cols[x['c']][k] if isinstance(x, dict) else x for x in v]
    half, full = 4, 12  # sin(2 pi k/48) = 0.5, 1
    for p in run['parts']:
        if len(p['frames']) < 2 or p['name'].startswith('spring'):
            continue
        a, b = (run['frames'][k]['r'] for k in p['frames'][:2])
        length = [math.dist(at(a, k), at(b, k)) for k in (0, half, full)]
        by = [length[1] - length[0], length[2] - length[0]]
        assert -1e-6 <= by[1] < 0.05, p
        assert by[1] < 1e-5 or 3.6 < by[1] / by[0] < 4.1, (p, by)
        moved += by[1] > 1e-4
    arrows = [s for s in run['solids'] if s['form'] == 11]
    assert arrows and max(s['size'][0] for s in arrows) == 1, run['file']
assert moved >= 4, moved
EOF

# points have no axes of their own: those of the world; links keep their lengths to first order
python3 - <<'EOF' || fail "the page of points"
import base64, json, math, struct
text = open('tetra.html', encoding='utf-8').read()
text = text[text.index('const RUNG =\n') + 13:]
data = json.loads(text[:text.index(';\n')])
assert len(data['runs']) == 5
for run in data['runs']:
    cols = [struct.unpack('<49f', base64.b64decode(c)) for c in run['columns']]
    at = lambda v, k: [cols[x['c']][k] if isinstance(x, dict) else x for x in v]
    assert all(f['T'] == [1, 0, 0, 0, 1, 0, 0, 0, 1] for f in run['frames'])
    links = [p['frames'] for p in run['parts'] if p['name'].startswith('link')]
    assert len(links) == 11
    for a, b in links:
        length = [math.dist(at(run['frames'][a]['r'], k), at(run['frames'][b]['r'], k)) for k in (0, 4, 12)]
        by = [length[1] - length[0], length[2] - length[0]]
        assert by[1] < 1e-5 or 3.6 < by[1] / by[0] < 4.1, (a, b, length)
EOF

# what it writes on its way is gone, whoever ends it; after SIGKILL with the next one
mkdir kept
for signal in TERM KILL; do
    TMPDIR=$PWD/kept "$rung" dof --model 'Linkage.Benchmarks.PlanarFourBars(N=20)' >/dev/null 2>&1 &
    run=$!
    until ls -d kept/rung-dof-* >/dev/null 2>&1; do
        kill -0 $run 2>/dev/null || break
        sleep 0.02
    done
    kill -$signal $run 2>/dev/null
    wait $run 2>/dev/null
    [ $signal = KILL ] || ! ls -d kept/rung-dof-* >/dev/null 2>&1 || fail "left after $signal: $(ls kept)"
done
# who was asked may go on for a while
for k in 1 2 3 4 5; do
    TMPDIR=$PWD/kept "$rung" dof --model Linkage.Benchmarks.FiveBar >/dev/null 2>&1
    ls -d kept/rung-dof-* >/dev/null 2>&1 || break
    sleep 1
done
ls -d kept/rung-dof-* >/dev/null 2>&1 && fail "left after SIGKILL and another run: $(ls kept)"

# `check` counts two states for each coordinate and the constraints that dof counts, whether they are
# joints or equations, redundant or not
for of in "$source/tests/sim/loops/LinksAsEquations.mo" "--model Linkage.Benchmarks.PlanarFourBars(N=3)"; do
    # shellcheck disable=SC2086
    checked=$("$rung" check $of | awk '/^ *[0-9]+ states$/ { s = $1 } / on the positions/ { print s / 2, $(NF - 7) }')
    # shellcheck disable=SC2086
    counted=$("$rung" dof $of | sed -n 's/.*: \([0-9]*\) coordinates, \([0-9]*\) constraint.*/\1 \2/p' | head -1)
    [ "$checked" = "$counted" ] || fail "$of: check says $checked, dof $counted"
done

# the same command for the standard library, where it is there
if "$rung" check --model Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum >/dev/null 2>&1; then
    multibody=Modelica.Mechanics.MultiBody.Examples
    expect "--model $multibody.Loops.Fourbar1" \
        '  1 degree of freedom: 7 coordinates, 6 constraints on them, 0 redundant'
    expect "--model $multibody.Elementary.RollingWheel" '  3 degrees of freedom' \
        'nonholonomic: 3 degrees of freedom of velocities, 5 of positions'
    if large; then
        expect "--model $multibody.Loops.Fourbar2" '  1 degree of freedom'
        expect "--model $multibody.Loops.Fourbar_analytic" '  1 degree of freedom'
        expect "--model $multibody.Loops.EngineV6" '  1 degree of freedom'
        expect "--model $multibody.Elementary.FreeBody" '  6 degrees of freedom'
        expect '--model Modelica.Electrical.Analog.Examples.ChuaCircuit' 'no mechanism'
    fi
fi
exit $failed
