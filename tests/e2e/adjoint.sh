#!/bin/sh
# Gradients on the way back from the end of a run, against those along it, and what has none.
# usage: adjoint.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

cat >models.mo <<'MO'
model Pendulum "a parameter that others give, also as it is set; a start that a parameter gives"
  parameter Real L = 1, m = 2, k = m*L^2/3, g = 9.81, c = 0.1, x0 = 0.6, idle = 3;
  Real phi(start = x0, fixed = true), w(start = 0.2, fixed = true);
  Real E = k*w^2/2 - m*g*L/2*cos(phi), F = atan2(w, phi)^3 + abs(phi)/max(m, w) + m^phi;
equation
  der(phi) = w;
  k*der(w) = -m*g*L/2*sin(phi) - c*w*smooth(1, noEvent(if w > 0.1 then w - 0.1 else 0));
end Pendulum;
model Robertson "stiff"
  parameter Real k1 = 0.04, k2 = 3e7, k3 = 1e4;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = -k1*x + k3*y*z;
  der(y) = k1*x - k3*y*z - k2*y^2;
  der(z) = k2*y^2;
end Robertson;
model Steady "initial equations; a parameter that they find"
  parameter Real a = 2, b = 3, q(fixed = false);
  Real x, y(start = 0.5, fixed = true);
initial equation
  der(x) = 0;
  x + q = 5*a;
equation
  der(x) = -a*x + b*y;
  der(y) = -b*y*sin(x) + q;
end Steady;
model Chain "bodies"
  parameter Real m = 0.2, L = 0.2, phi = 0.3;
  inner Linkage.World world;
  Linkage.Joints.Revolute hinge[4](each phi(start = phi), n = {if mod(i, 2) == 1 then {0, 0, 1} else {1, 0, 0} for i in 1:4});
  Linkage.Parts.Body link[4](each m = m, each r_CM = {0, -0.1, 0});
  Linkage.Parts.FixedTranslation length[4](each r = {0, -L, 0});
equation
  connect(world.frame_b, hinge[1].frame_a);
  connect(hinge.frame_b, link.frame_a);
  connect(hinge.frame_b, length.frame_a);
  connect(length[1:3].frame_b, hinge[2:4].frame_a);
end Chain;
model Implicit "blocks of equations, one behind the other, and one of results alone"
  parameter Real a = 1.2, b = 0.7, c = 0.3, q0 = 1, q = q0*a*b;
  Real x(start = 1, fixed = true), y(start = 0.2, fixed = true);
  Real z, u(start = 0.5), v(start = 0.5), s, r(start = 1);
equation
  z + exp(z*b) = x*a;
  u^3 + v*q + u = x + z*c;
  v + 0.3*sin(u) + v^3*y = b + s;
  s = y*a;
  der(x) = -u*a + 0.1*v + sin(time);
  der(y) = z - y*v*c;
  r^3 + r*u*a = 1 + x*z;
end Implicit;
model Still "nothing moves by itself"
  parameter Real a = 2;
  input Real u;
  Real y = a^2*time + u;
end Still;
MO
# both MODEL OPTIONS...: the largest difference of a gradient's entries, against its largest entry, below $close
close=1e-12
both() {
    model=$1
    shift
    "$rung" gradient models.mo --model "$model" --format json --mode direct "$@" >direct.json 2>err ||
        { fail "$model $*: $(cat err)"; return; }
    "$rung" gradient models.mo --model "$model" --format json --mode adjoint "$@" >adjoint.json 2>err ||
        { fail "$model $*, adjoint: $(cat err)"; return; }
    python3 - $close <<'EOF' || fail "$model $*: another gradient on the way back"
import json, sys
close = float(sys.argv[1])
direct, adjoint = (json.load(open(name + '.json')) for name in ('direct', 'adjoint'))
for a, b in zip(direct['objectives'], adjoint['objectives'], strict=True):
    assert a['name'] == b['name'] and a['gradient'].keys() == b['gradient'].keys(), (a, b)
    size = max(map(abs, a['gradient'].values()))
    for p, want in a['gradient'].items():
        if not abs(b['gradient'][p] - want) <= close*size:
            sys.exit('%s by %s: %r, along the run %r' % (a['name'], p, b['gradient'][p], want))
    if not abs(a['value'] - b['value']) <= 1e-12*(1 + abs(a['value'])):
        sys.exit('%s: %r, along the run %r' % (a['name'], b['value'], a['value']))
EOF
}
by='L,m,k,g,c,x0,w.start,idle'
for method in 'esdirk' 'dopri5' 'trapezoid --step 1e-2'; do
    # shellcheck disable=SC2086
    both Pendulum --method $method --stop 2 --tolerance 1e-8 --by $by --objective 'phi,E,F,integral(E),der(w)'
done
both Pendulum --method esdirk --stop 2 --by $by --objective phi,E --set k=0.7 --set x0=1
both Pendulum --method esdirk --stop 0 --by $by --objective phi,E
both Robertson --method esdirk --stop 40 --tolerance 1e-8 --by k1,k2,k3,x.start --objective 'x,y,integral(y)'
both Steady --method dopri5 --stop 2 --by a,b --objective x,y
both Steady --method trapezoid --step 0.01 --stop 2 --by a,b --objective x,y
set -- esdirk
large && set -- esdirk dopri5 'trapezoid --step 1e-2'
for method in "$@"; do
    # shellcheck disable=SC2086
    both Chain --method $method --stop 0.5 --by 'L,phi,link[2].m,hinge[2].w.start' \
        --objective 'hinge[4].phi,integral(hinge[1].phi)'
done
# derivatives along a run of an implicit method are iterated to a share of the tolerance
by=a,b,c,q0,x.start
both Implicit --method dopri5 --stop 2 --tolerance 1e-8 --by $by --objective 'x,y,z,v,integral(z)'
both Implicit --method dopri5 --stop 2 --tolerance 1e-8 --by $by --objective 'r,x,der(x)' --set q=1
close=1e-8
both Implicit --method esdirk --stop 2 --tolerance 1e-9 --by $by --objective 'r,x,integral(v)'
both Implicit --method trapezoid --step 1e-2 --stop 2 --by $by --objective 'r,x,integral(v)'
close=1e-12
both Still --stop 2 --method dopri5 --by a --objective y
"$rung" gradient models.mo --model Pendulum --stop 1 --mode adjoint --by L --objective phi --format json >default.json &&
    grep -q '"method": "esdirk"' default.json || fail "no method named"

# the parameters of data are found by either gradient in the same runs
cat >fit.mo <<'MO'
model Fit "what runs with 2, 0.3 and 1.5 had at the end"
  parameter Real a = 1, b = 1, c = 1;
  Real x(start = c, fixed = true), y(start = 0, fixed = true);
  Real defect = (x - xs)^2 + (y - ys)^2 + (a + b + c - 3.8)^2;
  final parameter Real xs = 0.5, ys = 0.4;
equation
  der(x) = -a*x + b*sin(y);
  der(y) = b*x - y;
end Fit;
MO
for mode in direct adjoint; do
    "$rung" optimize fit.mo --stop 1 --method dopri5 --tolerance 1e-9 --objective defect --by 'a=0.1:5,b=0.1:5,c=0.1:5' \
        --mode $mode --format json -q >$mode.json 2>err || fail "optimize --mode $mode: $(cat err)"
done
python3 - <<'EOF' || fail "optimize: other values by the adjoint"
import json
direct, adjoint = (json.load(open(name + '.json')) for name in ('direct', 'adjoint'))
for name, found in direct['parameters'].items():
    assert abs(adjoint['parameters'][name] - found) <= 1e-8, (direct['parameters'], adjoint['parameters'])
assert adjoint['value'] < 1e-12 and len(direct['history']) == len(adjoint['history']) > 3
EOF

# more parameters than a run along all of them would be compiled for: against a difference along one direction
cat >many.mo <<'MO'
model Many "of 1000 parameters"
  parameter Real p[1000] = {sin(i) for i in 1:1000}, s = 0;
  Real x[20](each start = 0.1, each fixed = true);
equation
  for i in 1:20 loop
    der(x[i]) = sum((p[50*(i - 1) + k] + s*cos(50*(i - 1) + k))*x[mod(i + k, 20) + 1]^2 for k in 1:50)/50 - x[i] +
      sin(time);
  end for;
end Many;
MO
"$rung" gradient many.mo --stop 2 --mode adjoint --by 'p[*],s' --objective 'x[7]' --format json >many.json 2>err || fail "many: $(cat err)"
python3 - <<'EOF' || fail "many: its directional derivative is another one"
import json, math, sys
g = json.load(open('many.json'))['objectives'][0]['gradient']
along = math.fsum(g['p[%d]' % i]*math.cos(i) for i in range(1, 1001))
if len(g) != 1001 or not abs(along - g['s']) <= 1e-12*math.fsum(abs(g['p[%d]' % i]) for i in range(1, 1001)):
    sys.exit('%d of them: %r along the direction, by s %r' % (len(g), along, g['s']))
EOF

# none CAUSE STATUS MODEL OPTIONS...
none() {
    want=$1 status=$2 model=$3
    shift 3
    case $* in *--by*) ;; *) set -- "$@" --by a ;; esac
    case $* in *--objective*) ;; *) set -- "$@" --objective x ;; esac
    "$rung" gradient none.mo --model "$model" --mode adjoint --stop 2 "$@" >out 2>err
    [ $? -eq "$status" ] && [ ! -s out ] || fail "$model $*: exit status, or a gradient that is none: $(cat err)"
    grep -q "$want" err || fail "$model $*: not '$want' but $(cat err)"
}
cat >none.mo <<'MO'
model Plain
  parameter Real a = 1;
  Real x(start = 1, fixed = true), y = -x;
equation
  der(x) = -a*x;
end Plain;
model Event "x is 0.5 at log(2)"
  extends Plain;
  Real z(start = 0, fixed = true);
equation
  der(z) = if x < 0.5 then 1 else x;
end Event;
model Acts
  extends Plain;
  Real z(start = 0, fixed = true);
equation
  der(z) = 1;
  when x < 0.5 then
    reinit(z, a);
  end when;
end Acts;
model Kept
  extends Plain;
  discrete Real d(start = a, fixed = true);
equation
  when x < 0.5 then
    d = a*x;
  end when;
end Kept;
model Jump
  extends Plain;
  Real z = noEvent(if x > 0.5 then 1 else 0);
end Jump;
MO
none "'x' < 0.5' changes" 3 Event
none 'kept over events' 1 Acts
none 'kept over events' 1 Kept
none 'may jump' 1 Jump
none 'esdirk, dopri5 or trapezoid' 2 Plain --method rk4 --step 0.1
none 'no Real that moves' 1 Plain --objective 'max(x)'
none 'is the start value of no state' 1 Plain --by y.start
none 'of --mode direct' 2 Plain --sensitivity-tolerance 1e-8
# without a mode the number of parameters decides; where the adjoint refuses, derivatives are those along the run
cat >chooses.mo <<'MO'
model Smooth
  parameter Real p[10] = {0.1*i for i in 1:10};
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -sum(p[i]*x^i for i in 1:10)/5;
  der(y) = x*p[1];
end Smooth;
model Changes "where x is 0.8"
  extends Smooth;
  Real z(start = 0, fixed = true);
equation
  der(z) = if x < 0.8 then p[3] else x;
end Changes;
model Solved "at run time"
  extends Smooth;
  Real z;
equation
  z + exp(z) = x*p[2];
end Solved;
MO
chooses() { # the mode, the model, options
    want=$1 model=$2
    shift 2
    for mode in auto direct; do
        "$rung" gradient chooses.mo --model "$model" --stop 2 --mode $mode --format json "$@" >$mode.json 2>err &&
            [ ! -s err ] || { fail "$model $*, --mode $mode: $(cat err)"; return; }
    done
    "$rung" gradient chooses.mo --model "$model" --stop 2 --format json "$@" >default.json &&
        cmp -s auto.json default.json || fail "$model $*: the default is another mode"
    python3 - "$want" <<'EOF' || fail "$model $*: another mode, or another gradient"
import json, sys
auto, direct = (json.load(open(name + '.json')) for name in ('auto', 'direct'))
assert auto['mode'] == sys.argv[1] and direct['mode'] == 'direct', auto['mode']
for one, other in zip(auto['objectives'], direct['objectives']):
    one, other = one['gradient'], other['gradient']
    largest = max(map(abs, other.values()))
    assert one.keys() == other.keys() and largest > 0
    assert all(abs(one[p] - other[p]) <= 1e-4*largest for p in one), (one, other)
EOF
}
chooses adjoint Smooth --by 'p[*]' --objective 'y,integral(x)'
chooses direct Smooth --by 'p[1],p[2],p[3],p[4],p[5],p[6],p[7],p[8],p[9]' --objective y
chooses direct Smooth --by 'p[*]' --objective 'y,min(x)'
chooses direct Smooth --by 'p[*]' --objective y --method cvode
chooses direct Smooth --by 'p[*]' --objective y --sensitivity-tolerance 1e-6
chooses direct Changes --by 'p[*]' --objective 'z,y'
chooses adjoint Solved --by 'p[*]' --objective z
for model in Smooth Changes; do
    "$rung" optimize chooses.mo --model $model --stop 2 --objective 'integral(y)' --maximise --runs 40 --format json \
        --by "$(seq -s , -f 'p[%.0f]=0.05:1.5' 10)" >$model.json 2>err || fail "optimize $model: $(cat err)"
done
cat >fails.mo <<'MO'
model Fails "a run that ends is tried along its way, too"
  parameter Real p[10] = {0.1*i for i in 1:10};
  Real x(start = 1, fixed = true);
equation
  der(x) = -sum(p)*x;
  assert(x > 0.5, "x is too small");
end Fails;
MO
"$rung" optimize fails.mo --stop 2 --objective x --by "$(seq -s , -f 'p[%.0f]=0.05:1.5' 10)" >out 2>err &&
    fail "optimize: a run that fails"
[ "$(grep -c 'once more with --mode direct' err)" -eq 1 ] && [ "$(grep -c 'x is too small' err)" -ge 2 ] &&
    grep -q 'this was the run with' err || fail "optimize: a run that fails: $(cat err)"
grep -q '"mode": "adjoint"' Smooth.json && grep -q '"mode": "direct"' Changes.json || fail "optimize: the mode"
"$rung" gradient --model 'Linkage.Benchmarks.FiveBar' --mode adjoint --by k --objective E >out 2>err
[ $? -eq 1 ] && grep -q 'closed kinematic loops' err || fail "loops: $(cat err)"
exit $failed
