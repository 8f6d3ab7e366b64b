#!/bin/sh
# Derivatives by parameters along a run, against closed forms, against differences of runs, and what
# has none. usage: sensitivities.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"

# near NAME A B BOUND: two columns of the result agree in each row, but where an event is
near() {
    awk -F, -v a="$2" -v b="$3" -v bound="$4" 'NR == 1 { gsub(/"/, ""); for (i = 1; i <= NF; i++) at[$i] = i
            if (!(a in at) || !(b in at)) { print "no column " a " or " b; exit 1 }
            next }
        ("gap" in at) && $at["gap"]^2 < 1e-14 { next }
        { d = ($at[a] - $at[b])^2; s = 1 + $at[b]^2
            if (!(d <= bound^2*s)) { print "row " NR ": " $at[a] " is not " $at[b]; exit 1 } }' r.csv ||
        fail "$1: $2 is not $3"
}

cat >closed.mo <<'MO'
model Oscillator "undamped: x = x0 cos(w t) + v0/w sin(w t)"
  parameter Real w = 2, x0 = 1.5;
  Real x(start = x0, fixed = true), v(start = 0.3, fixed = true);
  Real energy = 0.5*(v^2 + w^2*x^2);
  Real by_w = -x0*time*sin(w*time) + 0.3*(time*cos(w*time)/w - sin(w*time)/w^2);
  Real by_x0 = cos(w*time), by_v0 = sin(w*time)/w;
  Real energy_by_w = w*x0^2;
equation
  der(x) = v;
  der(v) = -w^2*x;
end Oscillator;
model Ball "before and behind the first bounce, at t = sqrt(2 h0/g)"
  parameter Real e = 0.8, g = 9.81, h0 = 1;
  final parameter Real g0 = 9.81, h00 = 1, t1 = sqrt(2*h00/g0);
  Real h(start = h0, fixed = true), v(start = 0, fixed = true);
  Real late = time - t1, gap = late;
  Real by_e = smooth(0, if late > 0 then g0*t1*late else 0);
  // h = e g t1 (t - t1) - g/2 (t - t1)^2, t1 by g: -t1/(2 g), by h0: t1/(2 h0)
  Real by_h0 = smooth(0, if late > 0 then t1/(2*h00)*(0.8*g0*(late - t1) + g0*late) else 1);
  Real by_g = smooth(0, if late > 0 then 0.8*t1*late - late^2/2 - t1/(2*g0)*(0.8*g0*(late - t1) + g0*late)
    else -time^2/2);
  Real v_by_e = smooth(0, if late > 0 then g0*t1 else 0);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;
model Switch "at time T, which moves; and where x is c"
  parameter Real T = 0.7, c = 3, a = 2;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), late = time - log(3)/2 - 1e-9;
  Real gap = late*(time - 0.7);
  // behind T: x = exp(a (2 T - t)); y is the time since x was c, which is log(c)/a
  Real x_by_T = smooth(0, if time > 0.7 + 1e-9 then 4*exp(2*(1.4 - time)) else 0);
  Real x_by_a = smooth(0, if time > 0.7 + 1e-9 then (1.4 - time)*exp(2*(1.4 - time)) else time*exp(2*time));
  Real y_by_c = smooth(0, if late > 0 then -1/6 else 0);
  Real y_by_a = smooth(0, if late > 0 then log(3)/4 else 0);
  Boolean seen(start = false, fixed = true);
equation
  der(x) = if time > T then -a*x else a*x;
  der(y) = if seen then 1 else 0;
  when x > c then
    seen = true;
  end when;
end Switch;
MO
# names of derivatives with a semicolon, which separates no columns
tidy() {
    sed '1s/(\([^",]*\),\([^",]*\))"/(\1;\2)"/g' "$1" >r.csv
}
run() {
    model=$1
    shift
    "$rung" simulate "$file" --model "$model" "$@" -q -o raw.csv 2>err || fail "$model: $(cat err)"
    tidy raw.csv
}
file=closed.mo
methods='ida esdirk dopri5'
small || methods=
for method in $methods; do
    run Oscillator --method $method --tolerance 1e-9 --sensitivity w,x0,v.start --stop 3 --interval 0.1
    near "$method" 'der(x;w)' by_w 1e-7
    near "$method" 'der(x;x0)' by_x0 1e-7
    near "$method" 'der(x;v.start)' by_v0 1e-7
    near "$method" 'der(energy;w)' energy_by_w 1e-7
    run Ball --method $method --tolerance 1e-9 --sensitivity '?,h0' --of h,v --stop 1 --interval 0.05
    near "$method" 'der(h;e)' by_e 1e-7
    near "$method" 'der(h;g)' by_g 1e-7
    near "$method" 'der(h;h0)' by_h0 1e-7
    near "$method" 'der(v;e)' v_by_e 1e-7
    grep -q 'der(s,' raw.csv && fail "--of does not leave others out"
    run Switch --method $method --tolerance 1e-9 --sensitivity T,c,a --stop 1.2 --interval 0.05
    near "$method" 'der(x;T)' x_by_T 1e-7
    near "$method" 'der(x;a)' x_by_a 1e-7
    near "$method" 'der(y;c)' y_by_c 1e-7
    near "$method" 'der(y;a)' y_by_a 1e-7
done

# several parameters are solved for together, eight at a time: each as by itself, the ninth too, whose group has one
cat >groups.mo <<'MO'
model Groups "a chain of links"
  parameter Real m = 0.2, L = 0.2;
  parameter Integer n = 2;
  inner Linkage.World world;
  Linkage.Joints.Revolute hinge[n](each phi(start = 0.3), n = {if mod(i, 2) == 1 then {0, 0, 1} else {1, 0, 0} for i in 1:n});
  Linkage.Parts.Body link[n](each m = m, each r_CM = {0, -0.1, 0.02});
  Linkage.Parts.FixedTranslation length[n](each r = {0, -L, 0});
equation
  connect(world.frame_b, hinge[1].frame_a);
  connect(hinge.frame_b, link.frame_a);
  connect(hinge.frame_b, length.frame_a);
  connect(length[1:n - 1].frame_b, hinge[2:n].frame_a);
end Groups;
MO
# last: names of a result, commas in them as semicolons, and the last row
last() {
    awk 'NR == 1 { n = split($0, part, "\""); for (i = 1; i <= n; i++) { if (i % 2 == 0) gsub(/,/, ";", part[i]); names = names part[i] } }
        { row = $0 } END { print names; print row }' raw.csv
}
# groups NAME PARAMETERS ALONE OPTIONS...: all together, and some of them alone, in the last row
groups() {
    name=$1 all=$2 some=$3
    shift 3
    large || some=${some##* }
    "$rung" simulate "$@" --sensitivity "$all" -q -o raw.csv 2>err || fail "$name: $(cat err)"
    last >together.csv
    for p in $some; do
        "$rung" simulate "$@" --sensitivity "$p" -q -o raw.csv 2>err || fail "$name, $p: $(cat err)"
        last | cat together.csv - | awk -F, -v p="$p" '
            NR % 2 { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; n = NF; next }
            NF != n { print NF " values, " n " names"; exit bad = 1 }
            NR == 2 { for (c in at) if (substr(c, length(c) - length(p) - 1) == ";" p ")") v[c] = $at[c]; next }
            { for (c in v) { some++; d = ($at[c] - v[c])^2
                if (!(c in at) || !(d <= 1e-20*(1 + v[c]^2))) { print c ": " $at[c] " alone, " v[c]; bad = 1 } } }
            END { if (!some) print "no derivatives by " p; exit bad || !some }' || fail "$name: $p together is not $p alone"
    done
}
set -- '--method trapezoid --step 1e-3' '--method dopri5 --tolerance 1e-8'
links=2
large && set -- "$@" '--method esdirk --tolerance 1e-8' && links=4
for method in "$@"; do
    # shellcheck disable=SC2086
    groups "chain, $method" 'm,L,link[1].m,link[2].m,link[1].r_CM[2],link[2].r_CM[2],length[1].r[2],length[2].r[2],world.g' \
        'm length[2].r[2] world.g' groups.mo --model "Groups(n = $links)" --of 'hinge[*].phi,hinge[*].w' --stop 0.2 \
        --interval 0.1 $method
done
large && groups 'cut loops' 'k,bar1.m,bar2.m,bar3.m,spring1.s_0,spring2.s_0,spring1.d,spring2.d,world.g' \
    'k spring2.d world.g' --of '?.phi,?.w' --model Linkage.Benchmarks.FiveBar --loops ali3p --method ali3p --step 1e-3 --stop 0.1 --interval 0.05

cat >runs.mo <<'MO'
model Start "initial equations, a free parameter, a nonlinear block, parameters that follow"
  parameter Real a = 2, b = 3, m = 1.3, c = a*b, d[2] = {b, a*c};
  parameter Real q(fixed = false);
  Real x, y(start = 0.5), z;
initial equation
  der(x) = 0;
  x + q = 5*m;
  y = q^2;
equation
  der(x) = -a*x + y + c;
  der(y) = -b*y + sin(x)*d[2];
  z + exp(z) = x*y + m;
end Start;
model Pendulum "an index of 3; its spring acts where it is taut"
  parameter Real a = 1, b = 9.81, m = 4;
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, F, z;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F*x - (if x < 0.2 then m*(x - 0.2) else 0);
  der(v) = -F*y - b;
  x^2 + y^2 = a^2;
  z = x*F;
end Pendulum;
model Bounces "many, over a floor that a state moves"
  parameter Real a = 0.7, b = 9.81, m = 0.3;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), w(start = 0.1, fixed = true), z;
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -b - m*v;
  der(w) = -m*w + 0.1*n;
  z = x - w;
  when x <= w then
    reinit(v, -a*(pre(v) - der(w)) + der(w));
    n = pre(n) + 1;
  end when;
  when sample(0.3, 0.4) then
    reinit(w, w - a*time/10);
  end when;
end Bounces;
model Rounds "an event takes values from before it, sets discrete variables and states in rounds, and one of them is a limit"
  parameter Real a = 1.1, b = 0.6, m = 0.5;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), s = sin(a*time) + x;
  discrete Real d(start = 0.3*m, fixed = true), f(start = 0, fixed = true), limit(start = m, fixed = true);
  Boolean flip(start = false, fixed = true);
  Real z(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -a*x - 0.1*v + d;
  der(z) = f*x + d^2;
  when x > pre(limit) then
    d = b*pre(s) + time;
    flip = not pre(flip);
    limit = pre(limit)*(1 + 0.1*b*pre(x));
    reinit(v, -b*pre(v) + 0.1*d);
  end when;
  when change(flip) then
    f = d*v + a*time;
    reinit(x, if v > 10 then 0 else x - 0.1*f);
  end when;
end Rounds;
model Period "a period is a parameter; only sampled values depend on others"
  parameter Real a = 0.31, b = 0.6, m = 0.5;
  Real x(start = 0, fixed = true), z(start = 0, fixed = true);
  discrete Real next(start = a, fixed = true), h(start = 0, fixed = true), g;
initial equation
  g = b*m + x;
equation
  der(x) = h - b*x + time;
  der(z) = g*x;
  when time >= pre(next) then
    next = pre(next) + a;
    h = pre(h) + b*x;
  end when;
  when {sample(0.2, 0.2), initial()} then
    g = if time >= m then x*time else pre(g);
  end when;
end Period;
model Clocked "two rates, a discretised integrator, a clock that ticks where x passes a value"
  parameter Real a = 2, b = 0.5, m = 0.7;
  Real x(start = 0.2, fixed = true), z(start = 0, fixed = true), u, f(start = 0), g(start = 0.3*b), n(start = 0);
equation
  der(x) = hold(u) - m*x + 0.1*sin(time);
  der(z) = x*hold(n);
  b*der(f) = sample(x*m, Clock(Clock(1, 10), solverMethod = "ExplicitEuler")) - f;
  u = a*(1 - f) + superSample(g, 2);
  g = 0.5*previous(g) + subSample(f, 2)*a*interval(g);
  n = previous(n) + sample(x*time, Clock(x > 0.5*m)) + b*interval(n);
end Clocked;
MO
# differences of runs in two steps, extrapolated: h^4
file=runs.mo
end() {
    tail -1 r.csv | awk -F, -v names="$(head -1 r.csv)" -v name="$1" '{ n = split(names, at, ",")
        for (i = 1; i <= n; i++) if (at[i] == "\"" name "\"") print $i }'
}
if small; then
for one in 'Start 1 a=2 b=3 m=1.3' 'Pendulum 0.7 a=1 b=9.81 m=4' 'Bounces 1.6 a=0.7 b=9.81 m=0.3' \
    'Rounds 5.1 a=1.1 b=0.6 m=0.5' 'Period 1.5 a=0.31 b=0.6 m=0.5' 'Clocked 2.15 a=2 b=0.5 m=0.7'; do
    # shellcheck disable=SC2086
    set -- $one
    model=$1
    stop=$2
    shift 2
    run "$model" --sensitivity a,b,m --stop "$stop" --interval "$stop" --tolerance 1e-10
    cp r.csv exact.csv
    for by in "$@"; do
        p=${by%=*}
        cp exact.csv r.csv
        for name in x z; do
            end "der($name;$p)"
        done >is
        for h in 2e-3 -2e-3 1e-3 -1e-3; do
            run "$model" --set "$p=$(awk -v p="${by#*=}" -v h=$h 'BEGIN { printf "%.17g", p*(1 + h) }')" \
                --stop "$stop" --interval "$stop" --tolerance 1e-10
            for name in x z; do
                end $name
            done >"at$h"
        done
        paste is at2e-3 at-2e-3 at1e-3 at-1e-3 | awk -v p="${by#*=}" '{
            d = (4*($4 - $5)/2e-3 - ($2 - $3)/4e-3)/3/p
            if (!(($1 - d)^2 <= 1e-12*(1 + d^2))) { print $1 " is not " d; bad = 1 } } END { exit bad || NR != 2 }' ||
            fail "$model by $p: not as the difference of runs"
    done
done
# a condition that stays as it is makes no jump
cat >still.mo <<'MO'
model Still
  parameter Real a = 2;
  Real c, d = 2*c, x(start = 1, fixed = true), exact = -time*x, y = n;
  Integer n = integer(time + 0.5);
equation
  c = a - 1;
  der(x) = -noEvent(if d > 1 then a else 1)*x;
end Still;
MO
file=still.mo
run Still --sensitivity a --stop 1 --tolerance 1e-9
near still 'der(x;a)' exact 1e-7
# what smooth(0, ...) says is continuous: with nested conditions, elseif, sign(), events in it; exact: x itself, and x by
# a, where x reaches 3 at log(6), x reaches 0.5 at log(2)
cat >smooth.mo <<'MO'
model Limited
  parameter Real a = 1;
  Real x(start = 0.5, fixed = true), gap = time - log(6);
  Real y = smooth(0, noEvent(if abs(x) < 3 then x else (if x > 0 then 3 else -3)));
  Real exact = smooth(0, noEvent(if gap < 0 then time*exp(time)/2 else 3*time));
equation
  der(x) = a*y;
end Limited;
model Elseif
  extends Limited(y = smooth(1, noEvent(if x*x < 0 then -x elseif abs(x) < 3 then x elseif x > 0 then 3 else -3)));
end Elseif;
model Signs
  extends Limited(y = smooth(0, if x < 1 then x*sign(x) else noEvent(if abs(x) < 3 then x else 3*sign(x))));
end Signs;
model Unsaid "the same without the promise: an event is made"
  extends Limited(y = noEvent(if abs(x) < 3 then x else (if x > 0 then 3 else -3)));
end Unsaid;
model Rate "the derivative of what is continuous jumps"
  extends Limited;
  Real z = der(y), w(start = 0, fixed = true);
equation
  der(w) = z;
end Rate;
model Kink
  extends Limited(y = noEvent(if x < 1 then x else 2 - x));
  Real w(start = 0, fixed = true);
equation
  der(w) = der(y);
end Kink;
model Magnitude
  extends Limited(y = abs(x));
  Real w(start = 0, fixed = true);
equation
  der(w) = der(y);
end Magnitude;
MO
file=smooth.mo
for model in Limited Elseif Signs Unsaid; do
    run $model --method esdirk --sensitivity a --stop 3 --interval 0.1 --tolerance 1e-9 --sensitivity-tolerance 1e-8
    near $model 'der(x;a)' exact 1e-6
done
# w is y less its start; der(y) jumps at an event
for model in Rate Kink Magnitude; do
    run $model --method esdirk --sensitivity a --stop 3 --interval 0.1 --tolerance 1e-9
    near $model 'der(w;a)' 'der(y;a)' 1e-6
done
"$rung" flatten smooth.mo --model Signs >flat.mo && "$rung" flatten flat.mo >again.mo 2>err && cmp flat.mo again.mo ||
    fail "smooth(0, ...) is not read as it is printed: $(cat err)"
file=runs.mo
# a parameter that is set follows from no other
run Start --sensitivity a --set c=6 --stop 1 --interval 1
[ "$(end 'der(c;a)')" = 0 ] || fail "a parameter that is set follows from another"

# derivatives that only states tie to each other, der(q,m) and der(w,m), are found together in an implicit step
cat >tied.mo <<'MO'
model Tied
  parameter Real m = 2;
  Real q(start = 1, fixed = true), w(start = 0.5, fixed = true);
equation
  der(q) = -q*w;
  m*der(w) = -q;
end Tied;
MO
tied() {
    "$rung" simulate tied.mo --model Tied --stop 2 --interval 2 --tolerance 1e-10 -q "$@" 2>err || fail "tied: $(cat err)"
}
tied --sensitivity m --method esdirk -o r.csv
tied --sensitivity m --method dopri5 -o dopri5.csv
"$rung" compare r.csv dopri5.csv --tolerance 1e-8 >out 2>&1 || fail "tied, by two methods: $(cat out)"
tied --sensitivity m --method trapezoid --step 1e-3 -o trapezoid.csv
"$rung" compare trapezoid.csv dopri5.csv --tolerance 1e-6 >out 2>&1 || fail "tied, by trapezoids: $(cat out)"
tied --method esdirk --set m=1.999 -o below.csv
tied --method esdirk --set m=2.001 -o above.csv
python3 - <<'EOF' || fail "tied: not as the differences of runs"
import csv, sys
def last(name):
    rows = list(csv.reader(open(name + '.csv')))
    return dict(zip(rows[0], map(float, rows[-1])))
exact, below, above = last('r'), last('below'), last('above')
for name in ('q', 'w'):
    got, want = exact['der(%s,m)' % name], (above[name] - below[name])/2e-3
    if not abs(got - want) < 1e-6:
        sys.exit('%s by m: %r, by differences %r' % (name, got, want))
EOF

fi

# a chain of bodies: Newton's method is that of the model, whose factors serve the derivatives
cat >chain.mo <<'MO'
model Chain
  parameter Real m = 0.2, L = 0.2, phi = 0.3;
  inner Linkage.World world;
  Linkage.Joints.Revolute hinge[3](each phi(start = phi), n = {if mod(i, 2) == 1 then {0, 0, 1} else {1, 0, 0} for i in 1:3});
  Linkage.Parts.Body link[3](each m = m, each r_CM = {0, -0.1, 0});
  Linkage.Parts.FixedTranslation length[3](each r = {0, -L, 0});
equation
  connect(world.frame_b, hinge[1].frame_a);
  connect(hinge.frame_b, link.frame_a);
  connect(hinge.frame_b, length.frame_a);
  connect(length[1:2].frame_b, hinge[2:3].frame_a);
end Chain;
MO
operations() {
    "$rung" simulate "$@" | sed -n 's/.*factorisations of \([0-9]*\) operations.*/\1/p'
}
chain() {
    operations chain.mo --model Chain --method esdirk --stop 0.5 --interval 0.1 --tolerance 1e-9 "$@"
}
if small; then
    without=$(chain -o r.csv)
    with=$(chain -o esdirk.csv --sensitivity m,L,phi)
    [ $((10 * with)) -lt $((11 * without)) ] ||
        fail "a Newton iteration of $without operations, with three parameters of $with"
    # the last iteration of a step leaves its factors to the derivatives, which are those of the computed steps
    fixed() {
        "$rung" simulate chain.mo --model Chain --method trapezoid --step 1e-3 --stop 2 --interval 2 "$@"
    }
    fixed -o trapezoid.csv --sensitivity m,L --signals '*hinge?3?.phi*' >out
    awk '{ gsub(/,/, "") } match($0, /[0-9]+ Newton/) { n = substr($0, RSTART) + 0; match($0, /[0-9]+ fact/)
        m = substr($0, RSTART) + 0 } END { exit !(n > 2000 && m <= 1.01*n) }' out ||
        fail "trapezoid: more factorisations than iterations: $(cat out)"
    for p in m L; do
        for k in -2 -1 1 2; do
            fixed -q -o "at$k.csv" --set "$p=$(awk -v k=$k 'BEGIN { printf "%.17g", 0.2*(1 + 1e-3*k) }')" --signals 'hinge?3?.phi'
        done
        python3 - $p <<'EOF' || fail "trapezoid: derivatives by $p"
import csv, sys
def last(name):
    rows = list(csv.reader(open(name + '.csv')))
    return dict(zip(rows[0], map(float, rows[-1])))
x = {k: last('at%d' % k)['hinge[3].phi'] for k in (-2, -1, 1, 2)}
want = (8*(x[1] - x[-1]) - (x[2] - x[-2]))/(12*0.2e-3)
got = last('trapezoid')['der(hinge[3].phi,%s)' % sys.argv[1]]
if not abs(got - want) <= 1e-8*(1 + abs(want)):
    sys.exit('%r, by differences %r' % (got, want))
EOF
    done
fi
# steps are those without derivatives, unless their errors are to be controlled, too
steps() {
    "$rung" simulate chain.mo --model Chain --stop 0.5 --tolerance 1e-7 -o r.csv "$@" | sed -n 's/.*: \([0-9]*\) steps.*/\1/p'
}
methods='esdirk cvode'
large && methods='dopri5 ida'
night && methods='esdirk dopri5 cvode ida'
for method in $methods; do
    with=$(steps --method $method --sensitivity m,L,phi)
    [ "$with" = "$(steps --method $method)" ] || fail "$method: other steps with derivatives"
done
if small; then
[ "$(steps --method esdirk --sensitivity m,L,phi --sensitivity-tolerance 1e-9)" -gt "$(steps --method esdirk)" ] ||
    fail "--sensitivity-tolerance makes no more steps"
"$rung" simulate chain.mo --model Chain -q --sensitivity m --sensitivity-tolerance 0 2>err
[ $? -eq 2 ] || fail "a tolerance of 0: $(cat err)"
"$rung" simulate chain.mo --model Chain --method dopri5 --stop 0.5 --interval 0.1 --tolerance 1e-9 -o dopri5.csv -q \
    --sensitivity m,L,phi
"$rung" compare esdirk.csv dopri5.csv --tolerance 1e-6 >out 2>&1 || fail "a chain: $(cat out)"

# The residual equations of the model must be its own, not equations of derivatives that contain its variables.
cat >bodies.mo <<'MO'
model FreeBodies "Bodies that move freely, one relative to another, beside a pendulum on a universal joint"
  inner Linkage.World world(g = 1.62, n = {0, -1, 0});
  Linkage.Joints.Free first(r_rel(start = {-0.1, 0, 0}), Q(start = {1, 0, 0, 0}));
  Linkage.Joints.Free second(r_rel(start = {-0.2, -0.1, -0.3}), Q(start = {1, 0, 0, 0}));
  Linkage.Joints.Revolute hinge(n = {1, 0, 0}, phi(start = -2.6));
  Linkage.Joints.Revolute swing(n = {0.3, 0.1, -0.9}, phi(start = 2));
  Linkage.Joints.Universal universal(n_a = {0, 0, 1}, n_b = {1, 0, 0}, phi(start = {0, -0.8}));
  Linkage.Parts.FixedTranslation side(r = {0.2, 0.4, 0.4});
  Linkage.Parts.FixedTranslation arm(r = {-0.1, -0.3, 0.2});
  Linkage.Parts.FixedTranslation rod(r = {0.2, 0.3, 0.1});
  Linkage.Parts.Body a(m = 0.9, r_CM = {0, -0.2, 0.05}, I_11 = 0.02, I_22 = 0.03, I_33 = 0.04);
  Linkage.Parts.Body b(m = 0.9, r_CM = {0, -0.1, 0.1}, I_11 = 0.02, I_22 = 0.03, I_33 = 0.04);
  Linkage.Parts.Body c(m = 1.5, r_CM = {-0.2, 0, -0.1}, I_11 = 0.02, I_22 = 0.03, I_33 = 0.04);
  Linkage.Parts.Body d(m = 1.4, r_CM = {0.05, 0.07, -0.15}, I_11 = 0.02, I_22 = 0.03, I_33 = 0.04);
  Linkage.Parts.Body e(m = 1.6, r_CM = {-0.1, 0.03, -0.1}, I_11 = 0.02, I_22 = 0.03, I_33 = 0.04);
equation
  connect(world.frame_b, first.frame_a);
  connect(first.frame_b, a.frame_a);
  connect(a.frame_a, side.frame_a);
  connect(side.frame_b, second.frame_a);
  connect(second.frame_b, b.frame_a);
  connect(a.frame_a, arm.frame_a);
  connect(arm.frame_b, hinge.frame_a);
  connect(hinge.frame_b, c.frame_a);
  connect(world.frame_b, swing.frame_a);
  connect(swing.frame_b, d.frame_a);
  connect(d.frame_a, rod.frame_a);
  connect(rod.frame_b, universal.frame_a);
  connect(universal.frame_b, e.frame_a);
end FreeBodies;
MO
free() {
    "$rung" simulate bodies.mo --stop 0.3 --interval 0.1 --tolerance 1e-9 -q --sensitivity a.m "$@" 2>err || fail "free bodies: $(cat err)"
}
free --method esdirk -o esdirk.csv
free --method dopri5 -o dopri5.csv
"$rung" compare esdirk.csv dopri5.csv --tolerance 1e-7 >out 2>&1 || fail "free bodies: $(cat out)"

# none says CAUSE MODEL OPTIONS...: exit 1
none() {
    want=$1
    shift
    "$rung" simulate none.mo --stop 1 -q -o r.csv --model "$@" 2>err
    [ $? -eq 1 ] || fail "$*: exit status, or derivatives that are none: $(cat err)"
    grep -q "$want" err || fail "$*: not '$want' but $(cat err)"
}
cat >none.mo <<'MO'
model Plain
  parameter Real a = 1;
  parameter Integer n = 2;
  final parameter Real f = 2, g = a + f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -a*x*n*f;
end Plain;
model Late
  extends Plain;
  Real y = delay(x, 0.1);
end Late;
function outside
  input Real x;
  output Real y;
  external "C" y = fabs(x);
end outside;
model Outside
  extends Plain;
  Real y = outside(x);
end Outside;
model Times
  extends Plain;
  Integer k(start = 0, fixed = true);
equation
  when sample(a, 1) then
    k = pre(k) + 1;
  end when;
end Times;
model Both "two events at one time, of which each has another derivative"
  extends Plain;
  Real y(start = 0, fixed = true);
equation
  der(y) = (if time > a/2 then 1 else 0) + (if time > a^2/2 then x else 0);
end Both;
MO
none 'no such parameter' Plain --sensitivity k
none 'no Real' Plain --sensitivity n
none 'final or used' Plain --sensitivity f
none "it is final, and follows from 'a'" Plain --sensitivity g
none 'no parameter' Plain --sensitivity x
none 'delay' Late --sensitivity a
none "function 'outside'" Outside --sensitivity a
none 'sample' Times --sensitivity a
none 'redundant' Plain --sensitivity a --states redundant
"$rung" simulate none.mo --model Both --stop 1 -q -o r.csv --sensitivity a 2>err
[ $? -eq 3 ] || fail "two events at one time: exit status"
grep -q 'at the same time' err || fail "two events at one time: $(cat err)"

# grazing events: no derivative by the parameters of the relation, unless nothing jumps
cat >touches.mo <<'MO'
model Touches "x crosses zero at a rate of zero"
  parameter Real p = 1, q = 2;
  Real x(start = -p, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 3*(time - 1)^2;
  der(y) = if x > 0 then q else 1;
end Touches;
model Top "of the flight of a ball, 1e-9 above the limit"
  parameter Real v0 = 1, g = 1, limit = 0.5 - 1e-9;
  Real h(start = 0, fixed = true), v(start = v0, fixed = true), y(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  der(y) = if h > limit then 2 else 1;
end Top;
model Leaves "x is zero at the start, at rest"
  parameter Real a = 1, x0 = 0;
  Real x(start = x0, fixed = true), v(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = a;
  der(y) = if x > 0 then 2 else 1;
end Leaves;
model Rests "a body at rest on a spring is pushed"
  parameter Real c = 4, F = -1;
  Real s(start = 0, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(s) = v;
  der(v) = F + (if s < 0 then -c*s else 0);
  when s < 0 then
    n = pre(n) + 1;
  end when;
end Rests;
MO
touches() { # CAUSE MODEL PARAMETERS
    for mode in direct adjoint; do
        for method in esdirk dopri5; do
            "$rung" gradient touches.mo --model "$2" --mode $mode --method $method --stop 2 --objective y --by "$3" \
                >out 2>err
            [ $? -eq 3 ] && [ ! -s out ] && grep -q "t = .*(touches.mo:$1.*is zero together with its rate" err ||
                fail "$2 --mode $mode --method $method: exit status, or derivatives that are none: $(cat out err)"
        done
    done
}
touches 6:3 Touches p
touches 6:3 Touches q,p
touches 14:3 Top limit
touches 22:3 Leaves x0
"$rung" gradient touches.mo --model Touches --mode direct --method cvode --stop 2 --objective y --by p >out 2>err
[ $? -eq 3 ] && [ ! -s out ] || fail "Touches by cvode: $(cat out err)"
for mode in direct adjoint; do
    "$rung" gradient touches.mo --model Rests --mode $mode --tolerance 1e-9 --stop 1 --objective s,v --by F,c \
        --format json >out.json 2>err || fail "Rests --mode $mode: $(cat err)"
    python3 - <<'EOF' || fail "Rests --mode $mode: other derivatives than those of the solution"
import json, math
# s = F/c*(1 - cos(w*t)), v = F/w*sin(w*t), w = sqrt(c)
F, c, t = -1, 4, 1
w = math.sqrt(c)
s, v = (one['gradient'] for one in json.load(open('out.json'))['objectives'])
want = {'s': {'F': (1 - math.cos(w*t))/c, 'c': -F/c**2*(1 - math.cos(w*t)) + F/c*math.sin(w*t)*t/(2*w)},
        'v': {'F': math.sin(w*t)/w, 'c': F*(math.cos(w*t)*t/w - math.sin(w*t)/w**2)/(2*w)}}
for name, found in (('s', s), ('v', v)):
    for p in 'Fc':
        assert abs(found[p] - want[name][p]) <= 1e-6, (name, p, found[p], want[name][p])
EOF
done

fi

# the gradients of López Varela et al. 2023, table 7, to the digits that are printed there: of a closed loop whose
# start moves with the length of a bar
cat >five.mo <<'MO'
model FiveBar "planar, two degrees of freedom; its loop is written as equations"
  parameter Real Ls1 = sqrt(5), Ls2 = sqrt(4.25), mA1 = 1, xG_A1 = sqrt(2)/2, L_A1 = sqrt(2);
  final parameter Real L[4] = {L_A1, sqrt(3.25), sqrt(3.25), sqrt(2)};
  final parameter Real m[4] = {mA1, 1.5, 1.5, 1}, J[4] = {1/6, 0.40625, 0.40625, 1/6};
  final parameter Real x[4] = {xG_A1, sqrt(3.25)/2, sqrt(3.25)/2, sqrt(2)/2};
  final parameter Real B[2] = {1, 0}, up[2] = {0, 9.81};
  Real phi[4](start = {atan2(-1, -1), atan2(-1, 1.5), atan2(1, 1.5), atan2(1, -1)}, each stateSelect = StateSelect.prefer,
    fixed = {true, true, false, false});
  Real w[4](each start = 0, fixed = {true, true, false, false}, each stateSelect = StateSelect.prefer);
  Real e[4, 2], P[5, 2], G[4, 2], vG[4, 2], aG[4, 2], F[5, 2], S[4, 2], v2[2], a2[2];
  Real psi1(start = 0, fixed = true), psi2(start = 0, fixed = true), psi3(start = 0, fixed = true);
protected
  Real d[2, 2], length[2];
equation
  der(phi) = w;
  P[1, :] = zeros(2);
  P[5, :] = B;
  for i in 1:4 loop
    e[i, :] = {cos(phi[i]), sin(phi[i])};
    P[i + 1, :] = P[i, :] + L[i]*e[i, :];
    G[i, :] = P[i, :] + x[i]*e[i, :];
    vG[i, :] = der(G[i, :]);
    aG[i, :] = der(vG[i, :]);
    m[i]*(aG[i, :] + up) = F[i, :] - F[i + 1, :] + S[i, :];
    J[i]*der(w[i]) = -x[i]*(e[i, 1]*F[i, 2] - e[i, 2]*F[i, 1])
      + (L[i] - x[i])*(e[i, 1]*(S[i, 2] - F[i + 1, 2]) - e[i, 2]*(S[i, 1] - F[i + 1, 1]));
  end for;
  for i in 1:2 loop
    d[i, :] = B - P[i + 1, :];
    length[i] = sqrt(d[i, :]*d[i, :]);
    S[i, :] = 100*(1 - (if i == 1 then Ls1 else Ls2)/length[i])*d[i, :];
    S[i + 2, :] = zeros(2);
  end for;
  v2 = der(P[3, :]);
  a2 = der(v2);
  der(psi1) = (P[3, :] - {0.5, -2})*(P[3, :] - {0.5, -2});
  der(psi2) = v2*v2;
  der(psi3) = a2*a2;
end FiveBar;
MO
if large; then
    "$rung" gradient five.mo --stop 5 --tolerance 1e-8 --objective 'psi1,psi2,psi3' --by 'Ls1,Ls2,mA1,xG_A1,L_A1' >is 2>err ||
        fail "five-bar: $(cat err)"
    printf '%s\n' Ls1 -4.2288 Ls2 3.2116 mA1 0.31866 xG_A1 0.44235 L_A1 3.3598 Ls1 -15.452 Ls2 50.309 mA1 0.97012 \
        xG_A1 0.74560 L_A1 -27.359 Ls1 221.64 Ls2 2436.6 mA1 -32.497 xG_A1 -85.657 L_A1 -2546.6 >want
    awk 'FNR == NR { if (FNR % 2) name[++n] = $1; else want[n] = $1; next }
        $1 == "by" { k++; size = want[k] < 0 ? -want[k] : want[k]; unit = 10^(int(log(size)/log(10) + 10) - 10 - 4)
            if ($2 != name[k] || ($3 - want[k])^2 > unit^2) { print $2 ": " $3 " is not " want[k]; bad = 1 } }
        END { exit bad || k != 15 || n != 15 }' want is >out || fail "five-bar: $(cat out)"
fi

# the same with joints, which are cut: redundant in space, and the start is closed by a projection
cat >joints.mo <<'MO'
model Bar "a rod with a mass anywhere on it"
  parameter Real L = 1, m = 1, x = 0.5, J = 1;
  Linkage.Interfaces.Frame_a frame_a;
  Linkage.Interfaces.Frame_b frame_b;
  Linkage.Parts.FixedTranslation arm(r = {L, 0, 0});
  Linkage.Parts.Body body(m = m, r_CM = {x, 0, 0}, I_33 = J);
equation
  connect(frame_a, arm.frame_a);
  connect(frame_a, body.frame_a);
  connect(arm.frame_b, frame_b);
end Bar;
model Joints "its joints are cut; redundant in space; the start is closed by a projection"
  parameter Real Ls1 = sqrt(5), Ls2 = sqrt(4.25), mA1 = 1, xG_A1 = sqrt(2)/2, L_A1 = sqrt(2);
  inner Linkage.World world;
  Linkage.Joints.Revolute A(phi(start = atan2(-1, -1), fixed = true), w(fixed = true));
  Bar bar1(L = L_A1, m = mA1, x = xG_A1, J = 1/6);
  Linkage.Joints.Revolute j1(phi(start = atan2(-1, 1.5) - atan2(-1, -1), fixed = true), w(fixed = true));
  Bar bar2(L = sqrt(3.25), m = 1.5, x = sqrt(3.25)/2, J = 0.40625);
  Linkage.Joints.Revolute j2(phi(start = atan2(1, 1.5) - atan2(-1, 1.5)));
  Bar bar3(L = sqrt(3.25), m = 1.5, x = sqrt(3.25)/2, J = 0.40625);
  Linkage.Joints.Revolute j3(phi(start = atan2(1, -1) - atan2(1, 1.5)));
  Bar bar4(L = sqrt(2), m = 1, x = sqrt(2)/2, J = 1/6);
  Linkage.Joints.Revolute j4;
  Linkage.Parts.FixedTranslation ground(r = {1, 0, 0});
  Linkage.Forces.SpringDamper spring1(c = 100, s_0 = Ls1), spring2(c = 100, s_0 = Ls2);
  Real r2[3] = bar2.frame_b.m.r, v2[3] = bar2.frame_b.m.v, a2[3] = bar2.frame_b.m.a + bar2.frame_b.m.T*world.G;
  Real psi1(start = 0, fixed = true), psi2(start = 0, fixed = true), psi3(start = 0, fixed = true);
equation
  der(psi1) = (r2 - {0.5, -2, 0})*(r2 - {0.5, -2, 0});
  der(psi2) = v2*v2;
  der(psi3) = a2*a2;
  connect(world.frame_b, A.frame_a);
  connect(A.frame_b, bar1.frame_a);
  connect(bar1.frame_b, j1.frame_a);
  connect(j1.frame_b, bar2.frame_a);
  connect(bar2.frame_b, j2.frame_a);
  connect(j2.frame_b, bar3.frame_a);
  connect(bar3.frame_b, j3.frame_a);
  connect(j3.frame_b, bar4.frame_a);
  connect(bar4.frame_b, j4.frame_a);
  connect(world.frame_b, ground.frame_a);
  connect(ground.frame_b, j4.frame_b);
  connect(ground.frame_b, spring1.frame_a);
  connect(bar1.frame_b, spring1.frame_b);
  connect(ground.frame_b, spring2.frame_a);
  connect(bar2.frame_b, spring2.frame_b);
end Joints;
model Loop "a four-bar, redundant in space, one joint without mass beside the cut; its crank passes a sensor"
  parameter Real a = 0.3, c = 5, at = 0.5;
  inner Linkage.World world;
  Linkage.Parts.FixedTranslation ground(r = {0.7, 0, 0}), ra(r = {a, 0, 0}), rb(r = {0.8, 0, 0}), rc(r = {0.6, 0, 0});
  Linkage.Parts.Body ba(m = 0.5, r_CM = {a/2, 0, 0}), bb(m = 1.5, r_CM = {0.4, 0, 0}), bc(m = 0.7, r_CM = {0.3, 0, 0});
  Linkage.Joints.Revolute j1(phi(start = 0.9, fixed = true), w(fixed = true), useFlange = true);
  Linkage.Joints.Revolute j2(phi(start = -0.5)), j3(phi(start = 1.2)), j4(phi(start = 1.6));
  Brake brake(tau = if on then c*j1.w else 0);
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
end Loop;
model Brake
  Linkage.Interfaces.RotationalFlange flange;
  input Real tau;
equation
  flange.tau = tau;
end Brake;
model Hit "what an event sets the loop answers with an impulse"
  extends Loop;
equation
  when j1.phi < 0.8 then
    reinit(j1.w, -j1.w);
  end when;
end Hit;
model Asked "what is asked of the start depends on how the loop closes"
  extends Loop(j1(phi(fixed = false)));
initial equation
  rb.frame_b.m.r[2] = 0.5;
end Asked;
MO

# projections are differentiated as they are carried out, with an integral that is not linear in forces and whose
# derivative moves with velocities: central differences of order 4 of long steps, whose projections go far
if large; then
    five='Ls1,Ls2,mA1,xG_A1,L_A1'
    set -- joints.mo --model Joints --stop 0.3 --interval 1e9 --no-audit -q --method ali3p --loops ali3p --step 1e-2
    for k in 0.98 0.99 1.01 1.02; do
        "$rung" simulate "$@" --set Ls1="$(awk "BEGIN { printf \"%.17g\", $k*sqrt(5) }")" --signals psi3 -o one.csv 2>err ||
            fail "joints: $(cat err)"
        tail -n 1 one.csv
    done >four
    # one parameter by rows along it, five by products with the Jacobian
    for by in Ls1 $five; do
        "$rung" simulate "$@" --sensitivity $by --of psi3 --signals 'der(psi3,Ls1)' -o by.csv 2>err || fail "joints: $(cat err)"
        awk -F, 'FNR == NR { f[FNR] = $2; next } FNR > 1 { is = $2 }
            END { is *= sqrt(5); want = (8*(f[3] - f[2]) - (f[4] - f[1]))/0.12
                if (!(want < -1 && (is - want)^2 < (3e-7*want)^2)) { print is " is not " want; exit 1 } }' four by.csv >out ||
            fail "joints, projected, by $by: $(cat out)"
        tail -n 1 by.csv
    done | awk -F, '{ is[NR] = $2 } END { exit !(NR == 2 && (is[1] - is[2])^2 < (1e-10*is[1])^2) }' ||
        fail "joints: rows and products differ"
    "$rung" gradient joints.mo --model Joints --stop 5 --tolerance 1e-8 --objective 'psi1,psi2,psi3' --by L_A1 >is 2>err ||
        fail "five-bar with joints: $(cat err)"
    awk '$1 == "by" { k++; d = $3 - (k == 1 ? 3.3598 : k == 2 ? -27.359 : -2546.6); if (d^2 > (k == 1 ? 5e-5 : k == 2 ? 5e-4 : 0.05)^2) bad = 1 }
        END { exit bad || k != 3 }' is || fail "five-bar with joints: $(cat is)"
fi
# methods of fixed steps: the derivatives of what the steps compute, projections too; by a penalty, which leaves the loop
# slightly open, those of the closed one
fixed() {
    "$rung" gradient joints.mo --model Joints --stop 0.2 --step 1e-3 --method "$@" --objective 'psi1,psi2,psi3' --by L_A1,Ls2 \
        --format json
}
methods=ali3p
large && methods=penalty
night && methods='ali3p bdf penalty euler'
for method in $methods; do
    fixed $method >steps.json 2>err || fail "$method: $(cat err)"
    for p in L_A1=1.4142135623730951 Ls2=2.0615528128088303; do
        for k in -2 -1 1 2; do
            value=$(awk -v p=$p -v k=$k 'BEGIN { split(p, x, "="); printf "%.17g", x[2] + 5e-4*k }')
            fixed $method --set "${p%=*}=$value" >"steps$k.${p%=*}.json"
        done
    done
    python3 - $method <<'EOF' || fail "$method: not as the differences of runs"
import json, sys
def objectives(name):
    return json.load(open(name))['objectives']
for p in ('L_A1', 'Ls2'):
    a, b, c, d = (objectives('steps%d.%s.json' % (k, p)) for k in (-2, -1, 1, 2))
    for i, o in enumerate(objectives('steps.json')):
        want = (a[i]['value'] - 8*b[i]['value'] + 8*c[i]['value'] - d[i]['value'])/(12*5e-4)
        got = o['gradient'][p]
        if not abs(got - want) <= (1e-4 if sys.argv[1] == 'penalty' else 1e-7)*(1e-2 + abs(want)):
            sys.exit('%s by %s: %r, by differences %r' % (o['name'], p, got, want))
EOF
done
small || exit $failed
# against differences of runs, over an event of which the time depends on parameters
loop() {
    "$rung" simulate joints.mo --model Loop --stop 0.4 --interval 0.1 --tolerance 1e-10 -q -o "$@" 2>err ||
        fail "loop: $(cat err)"
}
by='a=3e-4 at=5e-4'
loop with.csv --sensitivity a,at --signals 'time,j?.*,der(j?.*)'
loop_operations() {
    operations joints.mo --model Loop --stop 0.01 "$@" -o r.csv
}
without=$(loop_operations)
with=$(loop_operations --sensitivity a,at)
[ $((10 * with)) -lt $((11 * without)) ] ||
    fail "a Newton iteration of a loop of $without operations, with two parameters of $with"
for p in $by; do
    for k in -2 -1 1 2; do
        value=$(awk -v p="$p" -v k=$k 'BEGIN { split(p, x, "="); v["a"] = 0.3; v["at"] = 0.5
            printf "%.17g", v[x[1]] + k*x[2] }')
        loop "at$k.${p%=*}.csv" --set "${p%=*}=$value" --signals 'time,j?.*'
    done
done
python3 - $by <<'EOF' || fail "loop: not as the differences of runs"
import csv, sys
def last(name):
    rows = list(csv.reader(open(name)))
    return dict(zip(rows[0], map(float, rows[-1])))
exact, n = last('with.csv'), 0
for p, h in (x.split('=') for x in sys.argv[1:]):
    a, b, c, d = (last('at%d.%s.csv' % (k, p)) for k in (-2, -1, 1, 2))
    for name in a:
        got = exact.get('der(%s,%s)' % (name, p))
        want = (a[name] - 8*b[name] + 8*c[name] - d[name])/(12*float(h))
        if got is None or name == 'time':
            continue
        n += 1
        if not abs(got - want) <= 2e-6*(1 + abs(want)):
            sys.exit('%s by %s: %r, by differences %r' % (name, p, got, want))
sys.exit(n < 200)
EOF
"$rung" simulate joints.mo --model Hit --stop 0.4 -q -o r.csv --sensitivity a 2>err
[ $? -eq 3 ] || fail "an impulse in a loop: exit status"
grep -q 'sets states of closed kinematic loops' err || fail "an impulse in a loop: $(cat err)"
"$rung" simulate joints.mo --model Asked --stop 0.1 -q -o r.csv --sensitivity a 2>err
[ $? -eq 1 ] || fail "a start that waits for the loop: exit status"
grep -q 'no derivatives by parameters' err || fail "a start that waits for the loop: $(cat err)"

# objectives: an amplitude, its square's integral, a value at the end, by closed forms
cat >objective.mo <<'MO'
model Objective "x = a cos(w t), b falls from its peak at once"
  parameter Real w = 2, a = 1.5;
  Real x(start = a, fixed = true), v(start = 0, fixed = true);
  Real y = x^2, peak = -abs(x), b = if time < 1 then time*a else 0;
equation
  der(x) = v;
  der(v) = -w^2*x;
end Objective;
MO
gradient() {
    "$rung" gradient objective.mo --model Objective --stop 2 --tolerance 1e-9 --by w,a "$@"
}
gradient --objective 'x,integral(y),min(v),min(x),der(x)' --format json >g.json 2>err || fail "gradient: $(cat err)"
python3 - <<'EOF' || fail "gradient: not as the closed forms"
import json, math, sys
w, a, T = 2, 1.5, 2
s, c = math.sin(w*T), math.cos(w*T)
want = {
    "x": (a*c, -a*T*s, c),
    "integral(y)": (a*a*(T/2 + math.sin(2*w*T)/(4*w)),
                    a*a*(T*math.cos(2*w*T)/(2*w) - math.sin(2*w*T)/(4*w*w)),
                    2*a*(T/2 + math.sin(2*w*T)/(4*w))),
    "min(v)": (-a*w, -a, -w), "min(x)": (-a, 0, -1),
    "der(x)": (-a*w*s, -a*s - a*w*T*c, -w*s)}
got = {o["name"]: (o["value"], o["gradient"]["w"], o["gradient"]["a"]) for o in json.load(open("g.json"))["objectives"]}
bad = [(n, got.get(n), want[n]) for n in want
       if n not in got or any(abs(x - y) > 1e-6*(1 + abs(y)) for x, y in zip(got[n], want[n]))]
for b in bad:
    print(*b)
sys.exit(bool(bad) or len(got) != len(want))
EOF
# discrete variables: a sum over samples, its integral, a time that depends on k
cat >summed.mo <<'MO'
model Summed
  parameter Real k = 2, other = 1;
  Real x(start = 1, fixed = true);
  discrete Real d(start = 0, fixed = true), late(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -k*x;
  when sample(0, 0.1) then
    d = 0.5*pre(d) + k*x;
    n = pre(n) + 1;
  end when;
  when x < 0.5 then
    late = time;
  end when;
end Summed;
MO
for mode in direct adjoint; do
    "$rung" gradient summed.mo --objective 'd,integral(d),late' --by k,other --stop 0.55 --tolerance 1e-10 --mode $mode \
        --format json >g.json 2>err || fail "discrete objectives, $mode: $(cat err)"
    python3 - <<'EOF' || fail "discrete objectives, $mode: not as the sums"
import json, math, sys
k, value, slope, whole, rate = 2.0, 0.0, 0.0, 0.0, 0.0
for i in range(6):
    t, h = 0.1*i, 0.05 if i == 5 else 0.1
    value, slope = 0.5*value + k*math.exp(-k*t), 0.5*slope + (1 - k*t)*math.exp(-k*t)
    whole, rate = whole + h*value, rate + h*slope
exact = {"d": (value, slope), "integral(d)": (whole, rate), "late": (math.log(2)/k, -math.log(2)/k**2)}
got = {o["name"]: o for o in json.load(open("g.json"))["objectives"]}
for name, (v, s) in exact.items():
    o = got[name]
    if not (abs(o["value"] - v) < 1e-8 and abs(o["gradient"]["k"] - s) < 1e-7 and o["gradient"]["other"] == 0):
        sys.exit(f"{name}: {o}, not {v}, {s}")
EOF
    expect 1 "'n': it is no Real that changes" "$rung" gradient summed.mo --objective n --by k --mode $mode
    expect 1 'max(d)' "$rung" gradient summed.mo --objective 'max(d)' --by k --mode $mode
done
gradient --objective x 2>err | grep -q '^  by w ' || fail "gradient as text: $(cat err)"
# refused CAUSE STATUS OPTIONS...
refused() {
    want=$1
    status=$2
    shift 2
    gradient "$@" >out 2>err
    [ $? -eq "$status" ] || fail "gradient $*: exit status"
    grep -q "$want" err || fail "gradient $*: not '$want' but $(cat err)"
}
refused 'kink' 1 --objective 'max(peak)'
refused 'event' 1 --objective 'max(b)'
refused 'no Real that changes' 1 --objective w
refused 'no such variable' 1 --objective 'integral(q)'
refused 'needs' 2
# where constraints leave a choice, derivatives of states are states in all directions, along time too
cat >choice.mo <<'MO'
model Choice "capacitors in a loop: two of three voltages are states; v1 passes 1 at a time that depends on E"
  parameter Real E = 5, C1 = 1;
  output Real v1(start = 0.5, fixed = true), v2(start = 0), v3(start = 1, fixed = true);
  Real i1, i2, i3, i;
equation
  C1*der(v1) = i1;
  2*der(v2) = i2;
  3*der(v3) = i3;
  v2 = v1 + 2*v3;
  i = (E - v2)/0.7 + (if v1 < -1 then 0.5 else 0);
  i1 + i2 = i;
  i3 = i - 0.3*v3 + 2*i2;
end Choice;
MO
cat >pre.mo <<'MO'
model Pre "pre() of a Boolean in an initial equation"
  parameter Real k = 0.3, T = 20, band = 0.4;
  parameter Boolean was = false;
  output Real x(start = 20, fixed = true);
  Boolean on;
initial equation
  pre(on) = was;
equation
  on = pre(on) and x < T + band/2 or x < T - band/2;
  der(x) = (if on then 5 else 0) - k*(x - 10);
end Pre;
MO
# both_ways FILE NUMBER OPTIONS...: along the run and back from its end there are so many derivatives, and they agree
both_ways() {
    file=$1
    number=$2
    shift 2
    for mode in direct adjoint; do
        "$rung" gradient "$file" "$@" --mode $mode --method esdirk --tolerance 1e-10 >$mode.txt || fail "$file: $mode"
    done
    paste direct.txt adjoint.txt | awk -v number="$number" '
        /by/ { n++; d = $3 - $6; if (!(d*d < 1e-16*(1 + $3*$3))) bad = 1 } END { exit bad || n != number }' ||
        fail "$file: $(cat direct.txt adjoint.txt)"
}
both_ways choice.mo 4 --stop 2 --objective v1,v2 --by E,C1
both_ways pre.mo 3 --stop 3 --objective x --by k,T,band
# a variable that may jump without an event, on which nothing depends, has no derivative; all others have
cat >left.mo <<'MO'
model Left
  parameter Real k = 2;
  Real x(start = 1, fixed = true);
  Real s = noEvent(if x > 0.5 then 1 else -1)*x;
  Real z = 3*x;
equation
  der(x) = -k*x;
end Left;
MO
for mode in direct adjoint; do
    "$rung" gradient left.mo --objective z --by k --stop 1 --tolerance 1e-10 --mode $mode --method esdirk >out 2>err &&
        [ ! -s err ] && awk '/by k/ { d = $3 + 3*exp(-2); found = d*d < 1e-16 } END { exit !found }' out ||
        fail "beside a jump, $mode: $(cat out err)"
    "$rung" gradient left.mo --objective s --by k --stop 1 --tolerance 1e-10 --mode $mode --method esdirk >out 2>err &&
        awk '/by k/ { d = $3 - exp(-2); found = d*d < 1e-16 } END { exit !found }' out || fail "of a jump, $mode: $(cat out err)"
done
"$rung" simulate left.mo --stop 1 --sensitivity k -q -o r.csv 2>err || fail "beside a jump: $(cat err)"
grep -q "left.mo:4:.*warning S13: no derivatives by parameters of 's'" err && head -n 1 r.csv | grep -q 'der(z,k)' &&
    ! head -n 1 r.csv | grep -q 'der(s,k)' || fail "a jump left out: $(cat err)"
# where it is read, or an output, an event is made
sed 's/Real s = /output &/' left.mo >output.mo
"$rung" compile output.mo --kind library --sensitivity k -q -o output.small 2>err || fail "an output that jumps: $(cat err)"
sed 's/z = 3\*x/z = 3*s/' left.mo >read.mo
"$rung" simulate read.mo --model Left --stop 1 --sensitivity k --of z -q -o r.csv 2>err &&
    tail -1 r.csv | awk -F, '{ d = $NF - 3*exp(-2); exit !(d*d < 1e-10) }' || fail "a jump that is read: $(cat err)"
# as if these had been written as events
cat >jumping.mo <<'MO'
model Jumping "sign(), and under noEvent() relations and functions that jump"
  parameter Real a = 1.3, b = 0.4, m = 0.3;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -a*x - b*sign(v) + 0.2*noEvent(if x > m then 1 else -1);
  der(z) = x*noEvent(if v > b then 2 else 0.5) + noEvent(mod(time*a, 1)) + noEvent(floor(x/b)) + div(x - 0.2, m);
end Jumping;
MO
sed 's/noEvent(/(/g; s/sign(v)/(if v > 0 then 1 elseif v < 0 then -1 else 0)/' jumping.mo >events.mo
for mode in direct adjoint; do
    for model in jumping events; do
        "$rung" gradient $model.mo --objective x,z --by a,b,m --stop 2.9 --tolerance 1e-10 --mode $mode --method esdirk >$model.txt ||
            fail "$model.mo, $mode"
    done
    paste jumping.txt events.txt | awk '
        /by/ { n++; d = $3 - $6; if (!(d*d < 1e-16*(1 + $3*$3))) bad = 1 } END { exit bad || n != 6 }' ||
        fail "jumps, $mode: $(cat jumping.txt events.txt)"
done
# an event behind which another pivot would be needed: v = ((t - 1)^2 - (peak - 1)^2)/(2 m)
for method in esdirk dopri5; do
    "$rung" gradient "$source/tests/e2e/sensitivities/Slides.mo" --objective v --by m,peak --stop 2 --tolerance 1e-10 --method $method >out 2>err &&
        awk '/by/ { n++; d = $3 - (n == 1 ? -(1 - 1e-4)/200 : -0.001); if (!(d*d < 1e-20)) bad = 1 } END { exit bad || n != 2 }' \
            out || fail "slides, $method: $(cat out err)"
done
# a function without a derivative in a branch that a parameter excludes; where it does not, a run has no number
cat >chosen.mo <<'MO'
function outside
  input Real x;
  output Real y;
  external "C" y = fabs(x);
end outside;
model Chosen
  parameter Real a = 2;
  parameter Integer kind = 1;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = -a*x;
  der(y) = if kind == 2 then outside(x) else a*x;
end Chosen;
MO
"$rung" gradient chosen.mo --objective y --by a --stop 1 --tolerance 1e-10 >out 2>err &&
    awk '/by a/ { d = $3 - exp(-2); found = d*d < 1e-16 } END { exit !found }' out || fail "a branch excluded: $(cat out err)"
"$rung" gradient chosen.mo --objective y --by a --stop 1 --set kind=2 >out 2>err
[ $? -ne 0 ] && [ ! -s out ] && [ -s err ] || fail "a branch without a derivative: $(cat out err)"
# x and y differ by a constant, so that their derivatives are one variable: a state because x is
cat >offset.mo <<'MO'
model Offset
  parameter Real k = 2;
  Real x(start = 1, fixed = true, stateSelect = StateSelect.prefer), y;
  Real z(stateSelect = StateSelect.prefer), u, v;
equation
  y = x + 1;
  z = x + 0.1*x^3;
  u = der(y);
  v = der(z);
  der(x) = -k*x;
end Offset;
MO
"$rung" gradient offset.mo --objective x,z --by k --stop 1 --tolerance 1e-10 --mode direct --method esdirk >out 2>err &&
    awk '/by k/ { d = $3 + (++n == 1 ? exp(-2) : exp(-2)*(1 + 0.3*exp(-4))); if (!(d*d < 1e-16)) bad = 1 }
        END { exit bad || n != 2 }' out || fail "derivatives that are one: $(cat out err)"
# redundant constraints that contradict each other by the last digits of axes, against axes that are parallel
for tilt in 0 1e-12; do
    sed "s/tilt = 1e-11/tilt = $tilt/" "$source/tests/sim/AlmostParallelHinges.mo" >hinges$tilt.mo
done
cat >turned.mo <<'MO'
model Turned "the same, its plane turned"
  extends AlmostParallelHinges(world(n = {-0.48, -0.64, 0.6}), a(n = {0.36, 0.480000000001, 0.799999999999}),
    b(n = {0.360000000001, 0.479999999999, 0.8}), c(n = {0.36, 0.479999999999, 0.800000000001}),
    d(n = {0.36, 0.480000000001, 0.799999999999}), crank(r = {0.24, -0.18, 0}), coupler(r = {0.72, -0.54, 0}),
    rocker(r = {0.48, -0.36, 0}), ground(r = {0.64, -0.48, 0}));
end Turned;
MO
for method in esdirk dopri5; do
    for files in hinges0.mo hinges1e-12.mo 'hinges1e-12.mo turned.mo --model Turned'; do
        # shellcheck disable=SC2086
        "$rung" gradient $files --objective a.phi --by crank.m,a.w.start --stop 3 --tolerance 1e-10 --mode direct \
            --method $method
    done >tilted.txt 2>err || fail "$files: $(cat err)"
    awk '/by/ { if (++n > 2) { d = $3 - was[2 - n % 2]; if (!(d*d < 1e-14)) bad = 1 } else was[n] = $3 }
        END { exit bad || n != 6 }' tilted.txt || fail "axes almost parallel, $method: $(cat tilted.txt)"
done
# the derivative of a function by time has derivatives of its own, by time and by parameters
"$rung" simulate "$source/tests/sim/language/SecondDerivatives.mo" --stop 1 --tolerance 1e-9 --sensitivity k,s \
    --of 'x,a,g,b' -q -o r.csv || fail "SecondDerivatives"
sed 's/\(([a-z]*\),\([a-z]*)\)/\1;\2/g' r.csv >r2.csv && mv r2.csv r.csv
for by in k s; do
    near "second derivatives" "der(x;$by)" "der(a;$by)" 1e-8
    near "second derivatives" "der(g;$by)" "der(b;$by)" 1e-8
done
for wrong in "--sensitivity w --of nothing" "--sensitivity ,"; do
    # shellcheck disable=SC2086
    "$rung" simulate objective.mo --model Objective $wrong -q -o none.csv 2>err
    [ $? -eq 1 ] && grep -q S11 err && [ ! -e none.csv ] || fail "simulate $wrong: $(cat err)"
done
exit $failed
