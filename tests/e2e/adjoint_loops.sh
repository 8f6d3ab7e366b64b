#!/bin/sh
# Gradients on the way back, with closed kinematic loops: against those along the run, and differences of runs.
# usage: adjoint_loops.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

cat >models.mo <<'MO'
model Brake
  Linkage.Interfaces.RotationalFlange flange;
  input Real tau;
equation
  flange.tau = tau;
end Brake;
model Stop "five bars, two degrees of freedom; an elastic stop and a switch"
  extends Linkage.Benchmarks.FiveBar(A(useFlange = true, phi(start = phi0)), bar1(m = m1));
  parameter Real at = 0.05, c = 50, d = 3, m1 = 1, phi0 = 0, late = 0.28;
  Boolean on(start = false, fixed = true);
  Brake brake(tau = (if A.phi > at then c*(A.phi - at) else 0) + (if on then d*A.w else 0) +
    (if time > late then d*sin(A.w) else 0));
equation
  when r2[1] > 0.51 + at/100 then
    on = true;
  end when;
  connect(brake.flange, A.flange);
end Stop;
model FourBar "redundant in space; a joint without mass beside the cut; start values that do not close; lengths"
  parameter Real a = 0.3, b = 0.8, m = 1.5, w0 = -1, at = 0.5, c = 5;
  inner Linkage.World world;
  Linkage.Parts.FixedTranslation ground(r = {0.7, 0, 0}), ra(r = {a, 0, 0}), rb(r = {b, 0, 0}), rc(r = {0.6, 0, 0});
  Linkage.Parts.Body ba(m = m/3, r_CM = {a/2, 0, 0}), bb(m = m, r_CM = {b/2, 0, 0}), bc(m = 0.7, r_CM = {0.3, 0, 0});
  Linkage.Joints.Revolute j1(phi(start = 0.9, fixed = true), w(start = w0, fixed = true), useFlange = true);
  Linkage.Joints.Revolute j2(phi(start = -0.5)), j3(phi(start = 1.2)), j4(phi(start = 1.6));
  Brake brake(tau = if on then c*j1.w else 0);
  Real force = ra.frame_a.f[1], idle = rc.frame_b.f[3];
  Boolean on(start = false, fixed = true);
equation
  when j1.phi < at then
    on = true;
  end when;
  connect(brake.flange, j1.flange);
  connect(world.frame_b, j1.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, j4.frame_a);
  connect(j1.frame_b, ra.frame_a);
  connect(j1.frame_b, ba.frame_a);
  connect(ra.frame_b, j2.frame_a);
  connect(j2.frame_b, rb.frame_a);
  connect(j2.frame_b, bb.frame_a);
  connect(j4.frame_b, rc.frame_a);
  connect(j4.frame_b, bc.frame_a);
  connect(rb.frame_b, j3.frame_a);
  connect(j3.frame_b, rc.frame_b);
end FourBar;
model Hit "an event sets states of the loop"
  extends FourBar;
equation
  when j1.phi < 0.8 then
    reinit(j1.w, -j1.w);
  end when;
end Hit;
model Asked "what is asked of the start depends on how the loop closes"
  extends FourBar(j1(phi(fixed = false)));
initial equation
  rb.frame_b.m.r[2] = 0.5;
end Asked;
model Given "a five-bar one joint of which follows a motion"
  extends Linkage.Benchmarks.FiveBar(A(useFlange = true, phi(fixed = false), w(fixed = false)));
  parameter Real a = 0.3, f = 4;
  Linkage.Drives.RotationalMotion motion(phi = a*sin(f*time)^2);
  Real z(start = 0, fixed = true);
equation
  der(z) = bar2.frame_a.f[1] + joint3.w^2;
  connect(motion.flange, A.flange);
end Given;
model Jumps "a given velocity jumps"
  extends Given(motion(phi = if time > 0.2 then a*(time - 0.2) else 0));
end Jumps;
model Slides "two slides, one on a third, and a link on ball joints between them: elimination loses digits"
  inner Linkage.World world(g = 9.81, n = {0, -1, 0});
  Linkage.Joints.Prismatic low(n = {1, 0, 0}, s(start = 0.25)), high(n = {0.785, -0.545, 0.294}, s(start = 0.2)),
    other(n = {0.477, -0.545, -0.69});
  Linkage.Parts.Body carrier(m = 2), slide(m = 1.8), counter(m = 1.2);
  Linkage.Parts.Body link(m = 0.9, r_CM = {0.075, -0.144, -0.027}, I_11 = 0.029, I_22 = 0.042, I_33 = 0.045);
  Linkage.Joints.Spherical first, second;
  Linkage.Parts.FixedTranslation lowAt(r = {0.29, -0.46, 0.33}), highAt(r = {0.12, -0.17, -0.3}), otherAt(r = {0.18, -0.83, 0.34}),
    onSlide(r = {-0.34, -0.53, -0.14}), onCounter(r = {0.16, -0.07, -0.29}), ends(r = {0.1, -0.38, -0.14});
equation
  connect(world.frame_b, lowAt.frame_a);
  connect(lowAt.frame_b, low.frame_a);
  connect(low.frame_b, carrier.frame_a);
  connect(carrier.frame_a, highAt.frame_a);
  connect(highAt.frame_b, high.frame_a);
  connect(high.frame_b, slide.frame_a);
  connect(slide.frame_a, onSlide.frame_a);
  connect(world.frame_b, otherAt.frame_a);
  connect(otherAt.frame_b, other.frame_a);
  connect(other.frame_b, counter.frame_a);
  connect(counter.frame_a, onCounter.frame_a);
  connect(onCounter.frame_b, first.frame_a);
  connect(first.frame_b, link.frame_a);
  connect(link.frame_a, ends.frame_a);
  connect(ends.frame_b, second.frame_a);
  connect(second.frame_b, onSlide.frame_b);
end Slides;
MO
# both MODEL OPTIONS...: the largest difference of a gradient's entries, against its largest entry, below $close
close=1e-12
both() {
    "$rung" gradient models.mo --model "$@" --format json --mode direct >direct.json 2>err ||
        { fail "$*: $(cat err)"; return; }
    "$rung" gradient models.mo --model "$@" --format json --mode adjoint >adjoint.json 2>err ||
        { fail "$*, adjoint: $(cat err)"; return; }
    python3 - $close <<'PY' || fail "$*: another gradient on the way back"
import json, sys
close = float(sys.argv[1])
direct, adjoint = (json.load(open(name + '.json')) for name in ('direct', 'adjoint'))
for a, b in zip(direct['objectives'], adjoint['objectives'], strict=True):
    size = max(map(abs, a['gradient'].values()))
    for p, want in a['gradient'].items():
        if not (size > 0 and abs(b['gradient'][p] - want) <= close*size):
            sys.exit('%s by %s: %r, along the run %r' % (a['name'], p, b['gradient'][p], want))
    if not abs(a['value'] - b['value']) <= close*(1 + abs(a['value'])):
        sys.exit('%s: %r, along the run %r' % (a['name'], b['value'], a['value']))
PY
}
# along the run a projection's steps are differentiated once; behind an event inside of a step that shows in the last digits
close=1e-10
set -- esdirk 'trapezoid --step 1e-3'
large && set -- "$@" dopri5 'ali3p --step 1e-2'
for method in "$@"; do
    # shellcheck disable=SC2086
    set -- --method $method --tolerance 1e-8
    both Stop "$@" --stop 0.5 --by k,at,c,d,m1,phi0,late,A.w.start,world.g --objective 'A.phi,E,r2[2],psi[3],integral(E),der(A.w)'
    both FourBar "$@" --stop 0.5 --by a,b,m,w0,at,c,ground.r[1] --objective 'j1.phi,j2.w,j4.phi,force,integral(force)'
done
both Given --method esdirk --tolerance 1e-8 --stop 0.5 --by a,f,bar2.m --objective 'joint1.phi,joint3.w,z'
close=1e-12
both Stop --method dopri5 --stop 0 --by phi0,A.w.start,joint1.w.start --objective 'joint2.phi,joint3.w'
both FourBar --method dopri5 --stop 0.3 --set at=-10 --by a,b,m,w0 --objective 'j1.phi,j2.w,force'

# elimination without pivoting loses digits
close=1e-9
both Slides --method trapezoid --step 1e-3 --stop 0.5 --by link.m,carrier.m --objective other.s
both Slides --method esdirk --tolerance 1e-11 --stop 0.5 --by link.m,carrier.m --objective other.s
# adjoint variables of the constraints that are rounding errors
both Slides --method dopri5 --tolerance 1e-9 --stop 0.5 --by link.m,carrier.m --objective other.s
close=1e-12
# long chains have no full system of the multipliers
large && close=1e-11
large && both 'Linkage.Benchmarks.FourBarChain(m=16)' --method dopri5 --stop 0.02 --by world.g --objective E
# redundant in all positions that it can take, and in no others: rounding grows by what contradicts itself there
large && close=1e-10
large && both Linkage.Benchmarks.Bricard --method esdirk --stop 1 --by world.g,joint1.w.start,rod1.m,rod3.m --objective 'P3[1],joint3.w'

# with less memory the run is made several times, and the gradient is the same to the bit
set -- gradient models.mo --model Stop --stop 0.5 --mode adjoint --by at,m1,k --objective 'A.phi,max(A.w)' --format json
"$rung" "$@" >all.json 2>err && "$rung" "$@" --memory 20k >less.json 2>err && cmp -s all.json less.json ||
    fail "less memory: another gradient, or $(cat err)"

# steps of one length, without an event: fourth-order differences of runs
steps() {
    "$rung" gradient models.mo --model FourBar --method trapezoid --step 1e-2 --stop 0.3 --mode adjoint --format json \
        --by a,b,m,w0 --objective 'j1.phi,j2.w,force,integral(force)' --set at=-10 "$@" 2>err || fail "steps $*: $(cat err)"
}
steps >steps.json
for p in a=0.3 b=0.8 w0=-1; do
    for k in -2 -1 1 2; do
        steps --set "$(awk -v p=$p -v k=$k 'BEGIN { split(p, x, "="); printf "%s=%.17g", x[1], x[2]*(1 + 2e-4*k) }')" >"${p%=*}$k.json"
    done
done
python3 - <<'PY' || fail "not as the differences of runs"
import json, sys
def objectives(name):
    return json.load(open(name + '.json'))['objectives']
for p, value in (('a', 0.3), ('b', 0.8), ('w0', -1)):
    a, b, c, d = (objectives(p + str(k)) for k in (-2, -1, 1, 2))
    for i, o in enumerate(objectives('steps')):
        want = (a[i]['value'] - 8*b[i]['value'] + 8*c[i]['value'] - d[i]['value'])/(12*2e-4*value)
        if not abs(o['gradient'][p] - want) <= 1e-8*(1 + abs(want)):
            sys.exit('%s by %s: %r, by differences %r' % (o['name'], p, o['gradient'][p], want))
PY

# none TEXT MODEL OPTIONS...: there is no adjoint, which is said
none() {
    text=$1
    shift
    "$rung" gradient models.mo --mode adjoint --stop 0.4 --by a --model "$@" >out 2>err && fail "$*: an adjoint"
    grep -q "$text" err || fail "$*: $(cat err)"
}
none 'sets states of closed kinematic loops' Hit --objective j1.phi
none 'a given motion jumps' Jumps --objective joint1.phi
none 'initial equations wait for closed kinematic loops' Asked --objective j1.phi
none 'forces in redundant constraints' FourBar --objective idle
none 'by a penalty' FourBar --objective j1.phi --method trapezoid --loops penalty --step 1e-3
none "no adjoint of 'penalty'" FourBar --objective j1.phi --method penalty --step 1e-3
exit $failed
