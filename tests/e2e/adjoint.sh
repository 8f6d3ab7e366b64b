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
function sinx
  input Real u;
  output Real y;
external "C" y = sin(u) annotation(Include = "#include <math.h>");
  annotation(derivative = sinx_der);
end sinx;
function sinx_der
  input Real u;
  input Real du;
  output Real dy;
algorithm
  dy := cosx(u)*du;
end sinx_der;
function cosx
  input Real u;
  output Real y;
external "C" y = cos(u) annotation(Include = "#include <math.h>");
end cosx;
model Outside "external functions with derivatives"
  parameter Real a = 0.4, b = 1.2;
  Real x(start = b, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -sinx(a*x) + b*sinx(y + sinx(a));
  der(y) = x - y;
end Outside;
model Linear "linear equations"
  parameter Integer n = 8;
  parameter Real k[4] = {1, 0.5, 0.3, 0.2}, m = 2;
  Real x[3](each start = 0.3, each fixed = true), f[n];
equation
  for i in 1:n loop
    (n + m*x[mod(i, 3) + 1])*f[i] +
      sum(sin(1 + i*j)*k[mod(i + j, 4) + 1]*(1 + x[mod(i*j, 3) + 1]^2)*f[j] for j in 1:n) = i*x[1] + m;
  end for;
  for i in 1:3 loop
    der(x[i]) = f[i] - x[i]*f[n] + sum(f)/n;
  end for;
end Linear;
model Still "nothing moves by itself"
  parameter Real a = 2;
  input Real u;
  Real y = a^2*time + u;
end Still;
MO
# both MODEL OPTIONS...: the largest difference of a gradient's entries, against its largest entry, below $close
close=1e-12 models=models.mo
both() {
    model=$1
    shift
    "$rung" gradient $models --model "$model" --format json --mode direct "$@" >direct.json 2>err ||
        { fail "$model $*: $(cat err)"; return; }
    "$rung" gradient $models --model "$model" --format json --mode adjoint "$@" >adjoint.json 2>err ||
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
both Pendulum --method esdirk --stop 4 --tolerance 1e-8 --by $by --objective 'max(phi),min(w),max(E),phi,min(E)'
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
both Linear --method dopri5 --stop 1 --order numeric --by 'k[*],m' --objective 'x[3],f[2],integral(f[2])'
both Outside --method dopri5 --stop 2 --tolerance 1e-8 --by a,b --objective x,y
both Still --stop 2 --method dopri5 --by a --objective y
"$rung" gradient models.mo --model Pendulum --stop 1 --mode adjoint --by L --objective phi --format json >default.json &&
    grep -q '"method": "esdirk"' default.json || fail "no method named"

# events: their times depend on parameters or not, several at once, at the start
cat >events.mo <<'MO'
model Bounce
  parameter Real e = 0.8, g = 9.81, h0 = 1, c = 0.05;
  Real h(start = h0, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g - c*v*abs(v);
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Bounce;
model Stops "a limited force and stops: relations that change equations"
  parameter Real k = 30, d = 0.3, F = 4, gap = 0.5, m[3] = {1, 1.5, 0.7}, w = 3, ks = 500;
  Real s[3](each start = 0, each fixed = true), v[3](each start = 0, each fixed = true);
  Real f[3], u, P = v*m;
equation
  u = if F*sin(w*time) > 0.7*F then 0.7*F else if F*sin(w*time) < -F/2 then -F/2 else F*sin(w*time);
  der(s) = v;
  for i in 1:3 loop
    f[i] = if s[i] > gap then -ks*(s[i] - gap) else if s[i] < -gap then -ks*(s[i] + gap) - d*v[i] else 0;
    m[i]*der(v[i]) = f[i] - d*v[i] + (if i < 3 then k*(s[i + 1] - s[i]) else 0) - (if i > 1 then k*(s[i] - s[i - 1]) else 0) + (if i == 2 then u else 0);
  end for;
end Stops;
model Timed "at a time that a parameter gives"
  parameter Real p = 0.7, q = 1.3, a = 0.5, b = 2*p;
  Real x(start = 1, fixed = true), y(start = a, fixed = true);
equation
  der(x) = -x*(if time > p then q else 1) + (if time > b then sin(time) else 0);
  der(y) = x - y*a;
  when time >= p + 0.1 then
    reinit(y, a*q*pre(y) + x);
  end when;
end Timed;
model AtStart
  parameter Real a = 0.5, b = 2, T = 1;
  Real x(start = 1, fixed = true), y(start = a, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x*b + n*a;
  der(y) = x - y*a;
  when initial() then
    reinit(x, a*b);
  elsewhen sample(0.25, 0.25) then
    reinit(x, a*b*pre(x) + y);
  end when;
  when sample(0.3, 0.3) then
    n = pre(n) + 1;
  end when;
end AtStart;
model Stick "stick and slip"
  parameter Real mu = 0.3, k = 20, vb = 0.5, m = 1, F0 = 4;
  Real x(start = 0, fixed = true), v(start = vb, fixed = true);
  Boolean sliding(start = false, fixed = true);
equation
  der(x) = v;
  m*der(v) = if sliding then -k*x + mu*F0*(1 + 0.2*exp(-(vb - v))) else 0;
  when k*x > mu*F0*1.2 then
    sliding = true;
  elsewhen v >= vb and pre(sliding) then
    sliding = false;
    reinit(v, vb);
  end when;
end Stick;
model Counted "integer counters and floor"
  parameter Real a = 1.3, b = 0.4;
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
  Integer n = integer(a*x + 0.1);
equation
  der(x) = 1 + b*sin(time);
  der(y) = -y*(1 + n*b) + floor(2*x*b);
end Counted;
model Pulse "steps are shortened for it"
  parameter Real a = 0.9, b = 0.3, c = 2;
  Real x(start = 1, fixed = true), y(start = b, fixed = true);
equation
  der(x) = y + 50*a*exp(-((time - 1.5)/1e-2)^2);
  der(y) = -c*x - b*y;
end Pulse;
model Alike "two relations of one time, alike"
  parameter Real a = 1.3, b = 0.5, c = 2;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -a*x;
  der(y) = if x > b then c*x else 1;
  when 2*x <= 2*b then
    reinit(y, y + c*a);
  end when;
end Alike;
model Stiff
  parameter Real k = 1e5, a = 1.3, b = 0.2, c = 0.35;
  Real x(start = 0.9, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = -k*(x - sin(a*time) - b*y^2);
  der(y) = x - y*a;
  der(z) = if y > c then x^2 else y*b;
  when x > 0.95 then
    reinit(y, y + x*b*a);
  end when;
end Stiff;
model Driven
  parameter Real a = 1.1, b = 0.4;
  input Real u;
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = u*a - b*x*y;
  der(y) = x*u - a*y;
end Driven;
MO
printf 'time,u\n0,0\n0.3,1\n0.5,1\n0.5,2\n1,0.5\n1.2,3\n2,0\n' >u.csv
models=events.mo
set -- esdirk
large && set -- esdirk dopri5 'trapezoid --step 1e-2'
for method in "$@"; do
    # shellcheck disable=SC2086
    set -- --method $method --tolerance 1e-8
    both Bounce "$@" --stop 2 --by e,g,h0,c,v.start --objective 'h,v,integral(h)'
    both Stops "$@" --stop 5 --by 'k,d,F,gap,m[*],w,ks,s[1].start' --objective 's[1],P,integral(s[3])'
    both Timed "$@" --stop 2 --by p,q,a,x.start --objective 'x,y,integral(y)'
    both Timed "$@" --stop 2 --by p,q,a,x.start --objective 'x,y,integral(y)' --set b=1
    both AtStart "$@" --stop 2 --by a,b,y.start --objective 'x,y,integral(y)'
    both Driven "$@" --stop 2 --by a,b,x.start --objective x,y --input u.csv
done
both Stick --method dopri5 --tolerance 1e-9 --stop 4 --by mu,k,vb,m,F0 --objective x,v
both Counted --method dopri5 --tolerance 1e-9 --stop 4 --by a,b --objective x,y
both Pulse --method dopri5 --stop 3 --by a,b,c --objective 'x,y,integral(x)'
both Alike --method dopri5 --stop 1 --by a,b,c --objective y
both AtStart --method dopri5 --stop 1 --by a,b --objective 'x,y,der(x)' # an event is there
# inside of a step stiff states follow the slow solution
both Stiff --method esdirk --stop 2 --tolerance 1e-7 --by k,a,b,c,x.start --objective x,y,z
models=models.mo

# discrete variables that depend on what moves: against differences, and against derivatives along the run
cat >kept.mo <<'MO'
model Sampled "a controller that samples: discrete variables that depend on states, on parameters and on each other"
  parameter Real Kp = 2, Ki = 1.5, ref = 1, tau = 0.3, y0 = 0.1, i0 = 0.2;
  Real x(start = 0, fixed = true), z(start = y0, fixed = true);
  discrete Real u(start = y0, fixed = true), i(start = i0, fixed = true), m(start = 0, fixed = true);
  discrete Real peak(start = y0*2, fixed = true), seen(start = 3, fixed = true);
  Real out = x*peak + i + seen;
equation
  der(x) = (u - x)/tau;
  der(z) = x - z;
  when sample(0.1, 0.1) then
    m = 0.5*pre(m) + 0.5*x;
    i = pre(i) + 0.1*Ki*(ref - m);
    u = Kp*(ref - m) + i;
  end when;
  when x > 0.9*ref then
    peak = z*Kp + time;
  end when;
  when z > 0.5 then
    seen = x*time*pre(seen);
  end when;
end Sampled;
model Threshold "a relation with a kept value; states that are set at events"
  parameter Real a = 0.8, b = 1.3, r = 0.6;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), w(start = 0, fixed = true);
  discrete Real level(start = r, fixed = true);
  Boolean flip(start = false, fixed = true);
equation
  der(x) = -a*x + (if flip then 0.3 else 0);
  der(y) = b - y;
  der(w) = x*y + level;
  when x < pre(level) then
    level = pre(level)*0.7*b;
    flip = not pre(flip);
    reinit(y, x*b + 0.1*y);
  end when;
  when y > 1 then
    reinit(x, x + a*y);
  end when;
end Threshold;
model Again "two states set one after the other at one event"
  parameter Real a = 0.7, b = 1.1;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Boolean c(start = false, fixed = true);
equation
  der(x) = -a*x;
  der(y) = b - y;
  when x < 0.6 then
    c = not pre(c);
  end when;
  when change(c) then
    reinit(y, 2*y*b + x);
  end when;
  when pre(c) then
    reinit(x, x*a + y);
  end when;
end Again;
model InsideSteps "events that change no derivative, inside of steps"
  parameter Real a = 0.9, b = 0.3, c = 2;
  Real x(start = 1, fixed = true), y(start = b, fixed = true);
  discrete Real m(start = a, fixed = true), k(start = 0, fixed = true), q(start = c, fixed = true);
  Integer n(start = 0, fixed = true);
  Real out = m*x + k + q*y;
equation
  der(x) = y;
  der(y) = -c*x - b*y;
  when x < 0.5 then
    m = x*c + y*time;
  end when;
  when y > 0.2*a then
    k = pre(k)*0.5 + y*x + time*a;
    n = pre(n) + 1;
  end when;
  when sample(0.37, 0.37) then
    q = 0.9*pre(q) + x*a;
  end when;
end InsideSteps;
model Contrary "the relation is about the value that the event changes"
  parameter Real a = 0.8, b = 1.3, r = 0.6;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), w(start = 0, fixed = true);
  discrete Real level(start = r, fixed = true);
  Boolean flip(start = false, fixed = true);
equation
  der(x) = -a*x + (if flip then 0.3 else 0);
  der(y) = b - y;
  der(w) = x*y + level;
  when x < level then
    level = pre(level)*0.7*b;
    flip = not pre(flip);
    reinit(y, x*b + 0.1*y);
  end when;
  when y > 1 then
    reinit(x, x + a*y);
  end when;
end Contrary;
model NoStates "events alone"
  parameter Real a = 0.4, b = 3;
  discrete Real d(start = b, fixed = true);
  Real y = d*a + time*b;
equation
  when time > a then
    d = pre(d)*b + time;
  elsewhen time > 2*a then
    d = pre(d)*a;
  end when;
end NoStates;
MO
# differs MODEL PARAMETERS OBJECTIVES OPTIONS...: against differences of order 4
differs() {
    python3 - "$rung" "$@" <<'EOF' || fail "$*: another gradient than by differences"
import json, subprocess, sys
rung, model, parameters, objective, *options = sys.argv[1:]
by = dict(p.split('=') for p in parameters.split(','))
def run(*settings):
    command = [rung, 'gradient', 'kept.mo', '--model', model, '--format', 'json', '--mode', 'adjoint', '--by',
               ','.join(by), '--objective', objective, '--tolerance', '1e-12', *options]
    return json.loads(subprocess.run(command + [a for s in settings for a in ('--set', s)], check=True,
                                     stdout=subprocess.PIPE).stdout)['objectives']
for name, value in by.items():
    h = 1e-4
    f = {k: run('%s=%.17g' % (name, float(value) + k*h)) for k in (-2, -1, 1, 2)}
    for i, one in enumerate(run()):
        want = (f[-2][i]['value'] - 8*f[-1][i]['value'] + 8*f[1][i]['value'] - f[2][i]['value'])/(12*h)
        size = max(map(abs, one['gradient'].values()))
        if not abs(one['gradient'][name] - want) <= 1e-7*size:
            sys.exit('%s by %s: %r, by differences %r' % (one['name'], name, one['gradient'][name], want))
EOF
}
differs Sampled Kp=2,ref=1,tau=0.3,y0=0.1,i0=0.2 'x,out,integral(z)' --method dopri5 --stop 2.05
differs Sampled Ki=1.5,i0=0.2 'x,out,integral(z)' --method esdirk --stop 1.05
differs Threshold a=0.8,b=1.3,r=0.6 'x,y,w' --method dopri5 --stop 1.5
differs Contrary b=1.3,r=0.6 'x,y,w' --method dopri5 --stop 1.5
differs InsideSteps a=0.9,b=0.3,c=2 out --method dopri5 --stop 4
differs InsideSteps a=0.9,c=2 out --method esdirk --stop 4
differs Again a=0.7,b=1.1 x,y --method dopri5 --stop 4
differs NoStates a=0.4,b=3 y --stop 1
models=kept.mo close=1e-9
for method in dopri5 esdirk; do
    both Sampled --method $method --tolerance 1e-12 --stop 2.05 --by Kp,Ki,ref,tau,y0,i0 --objective 'x,out,integral(z)'
    both Threshold --method $method --tolerance 1e-12 --stop 1.5 --by a,b,r --objective x,y,w
    both Contrary --method $method --tolerance 1e-12 --stop 1.5 --by b,r --objective x,y,w
    both InsideSteps --method $method --tolerance 1e-12 --stop 4 --by a,b,c --objective out
done
both NoStates --stop 1 --by a,b --objective y
models=models.mo close=1e-12

# initial equations that are solved at run time
cat >initial.mo <<'MO'
model Balance "a steady start by nonlinear equations, a parameter that they find"
  parameter Real a = 2, b = 3, c = 0.7, d = a*c, q(fixed = false, start = 1);
  Real x(start = 1), y(start = 0.5), z(start = 1, fixed = true);
initial equation
  der(x) = 0;
  der(y) = 0;
  q^3 + q*x = d + 1;
equation
  der(x) = -a*x^3 + b*exp(-y) + 0.2*z;
  der(y) = -b*y*(1 + x^2) + q*c*sin(time + 1);
  der(z) = x*q - z;
end Balance;
model Balanced "with a block of the model itself"
  parameter Real a = 2, b = 3, c = 0.7, d = a*c, q(fixed = false, start = 1);
  Real x(start = 1), y(start = 0.5), s(start = 1), z(start = 1, fixed = true);
initial equation
  der(x) = 0;
  s = 0.6*d;
  q^2*s = d + x;
equation
  s^3 + s*a = x + y;
  der(x) = -a*x^3 + b*exp(-y) + s;
  der(y) = -b*y*(1 + x^2) + q*c*s;
  der(z) = x*q - z;
end Balanced;
model Homotopy "the actual expression counts"
  parameter Real a = 2, b = 1.5;
  Real x(start = 1), y(start = 0, fixed = true);
initial equation
  homotopy(x^3 + x*a, x) = 3*b;
equation
  der(x) = -x*y;
  der(y) = x - b*y;
end Homotopy;
model Limited "relations in initial equations that are solved at run time"
  parameter Real a = 2, b = 1.5, lim = 0.8;
  Real x(start = 1), y(start = 0, fixed = true), u;
initial equation
  x^3 + x*a = 3*b - u*x;
equation
  u = if x > lim then lim + 0.1*(x - lim)*a else if x < -lim then -lim else x;
  der(x) = -x*y + u*0.1;
  der(y) = x - b*y;
end Limited;
MO
models=initial.mo
set -- dopri5
large && set -- esdirk dopri5
for method in "$@"; do
    set -- --method "$method" --stop 2 --tolerance 1e-9
    both Balance "$@" --by a,b,c --objective 'x,y,integral(z)'
    both Balance "$@" --by a,b,c --objective 'x,y,integral(z)' --set d=1
    close=1e-9
    both Balanced "$@" --by a,b,c --objective x,y,z,s
    close=1e-12
    both Homotopy "$@" --by a,b --objective x,y
    both Limited "$@" --by a,b,lim --objective x,y
    both Limited "$@" --by a,b,lim --objective x,y --set lim=3
done
models=models.mo

# with less memory the run is made several times, and the gradient is the same to the bit
less() { # FILE MODEL OPTIONS...
    file=$1 model=$2
    shift 2
    "$rung" gradient "$file" --model "$model" --mode adjoint --format json "$@" >all.json 2>err || fail "$model $*: $(cat err)"
    for size in 5k 40k; do
        "$rung" gradient "$file" --model "$model" --mode adjoint --format json "$@" --memory $size >less.json 2>err &&
            cmp -s all.json less.json || fail "$model $* --memory $size: another gradient, or $(cat err)"
    done
}
less events.mo Stops --stop 5 --tolerance 1e-8 --by 'k,d,F,gap,m[*],w' --objective 's[1],P,integral(s[3])'
less events.mo Stiff --stop 2 --tolerance 1e-8 --by k,a,b,c --objective x,y,z
less events.mo Driven --method trapezoid --step 1e-2 --stop 2 --input u.csv --by a,b --objective x,y
less kept.mo InsideSteps --stop 6 --by a,b,c --objective out,x
less kept.mo Sampled --method dopri5 --stop 3 --by Kp,ref,i0 --objective out,x
less models.mo Implicit --stop 2 --tolerance 1e-8 --by a,b,c,x.start --objective 'r,max(x),min(z),integral(z)'

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
model Apart "two balls that fall as one"
  parameter Real g = 9.81, e = 0.7, h0 = 1;
  Real h[2](each start = h0, each fixed = true), v[2](each start = 0, each fixed = true);
equation
  for i in 1:2 loop
    der(h[i]) = v[i];
    der(v[i]) = -g;
    when h[i] <= 0 then
      reinit(v[i], -e*v[i]);
    end when;
  end for;
end Apart;
model Ends
  parameter Real a = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x;
  when x < 0.5 then
    terminate("small");
  end when;
end Ends;
model Grazing "it crosses zero where its rate is zero"
  parameter Real a = 1, p = 1, q = 2;
  Real x(start = -p, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 3*a*(time - 1)^2;
  der(y) = if x > 0 then q else 1;
end Grazing;
model SampleTime
  extends Plain;
  Real z(start = 0, fixed = true);
equation
  der(z) = 1;
  when sample(a, 1) then
    reinit(z, x);
  end when;
end SampleTime;
model Last
  extends Plain;
  Real z = if terminal() then a else x;
end Last;
function tanx
  input Real u;
  output Real y;
external "C" y = tan(u) annotation(Include = "#include <math.h>");
end tanx;
model Unknown
  parameter Real a = 0.4, b = 1.2;
  Real x(start = b, fixed = true);
equation
  der(x) = -tanx(a*x);
end Unknown;
model Sharp
  extends Plain;
  Real z(start = 0, fixed = true);
equation
  der(z) = if x > 0.5 then 1 else -1;
end Sharp;
model Stateless
  parameter Real a = 1;
  Real y = a*sin(time);
end Stateless;
MO
none "'h.2.' <= 0' (none.mo:15:7) changes at the same time" 3 Apart --by g --objective 'h[1]'
none "'0 < 'x'' (none.mo:33:3) is zero together with its rate" 3 Grazing --objective y --by p
none 'ends the run at t = 0.693' 1 Ends
none 'times of sample() depend' 1 SampleTime
none 'terminal()' 1 Last
none 'esdirk, dopri5, trapezoid or ali3p' 2 Plain --method rk4 --step 0.1
none "'tanx' has no derivative" 1 Unknown
none 'no Real that changes' 1 Plain --objective 'max(a)'
none 'at an event or a kink' 1 Sharp --objective 'max(z)'
none 'extrema of a model without states' 3 Stateless --objective 'max(y)'
none 'is the start value of no state' 1 Plain --by y.start
none 'needs a size' 2 Plain --memory 3x
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
chooses adjoint Smooth --by 'p[*]' --objective 'y,min(x)'
chooses direct Smooth --by 'p[*]' --objective y --method cvode
chooses direct Smooth --by 'p[*]' --objective y --sensitivity-tolerance 1e-6
chooses adjoint Changes --by 'p[*]' --objective 'z,y'
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
grep -q '"mode": "adjoint"' Smooth.json && grep -q '"mode": "adjoint"' Changes.json || fail "optimize: the mode"
exit $failed
