#!/bin/sh
# Start values and structural parameters from the command line, and the summary for programs.
# usage: starts.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >m.mo <<'MO'
model Sub
  parameter Integer n = 2;
  parameter Real k = 1;
  Real x[n](each start = 1, each fixed = true);
equation
  der(x) = -k*x;
end Sub;
model M
  Sub a, b(n = 3);
  final parameter Integer last = 3;
  Real y(start = 7), z(start = 0.1), s(start = 2, unit = "m"), w(start = 1);
  discrete Real c(start = 3);
  Boolean late(start = false, fixed = true);
initial equation
  der(w) = 0;
equation
  y = a.x[1];
  z^3 + z = y;
  der(s) = -s;
  der(w) = 5 - w;
  when time > 10 then
    c = time;
    late = true;
  end when;
end M;
MO
# starts NAME VALUE OPTIONS...: the first row
starts() {
    name=$1
    value=$2
    shift 2
    "$rung" simulate m.mo --stop 0.1 "$@" -o r.csv >out 2>err || fail "$*: $(cat err)"
    awk -F, -v name="\"$name\"" -v b="$value" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR == 2 { exit !(c && ($c - b)^2 < 1e-16) }' r.csv || fail "$name is not $value: $*"
}
# fixed in the model, an element of an array of a component, an alias of it, open, discrete
some="--start a.x[1]=5 --start s=-4e-3 --start c=9 --start late=true"
for first in 'a.x[1] 5' 'a.x[2] 1' 'y 5' 's -4e-3' 'c 9' 'late 1'; do
    # shellcheck disable=SC2086
    starts ${first% *} ${first#* } $some
done
starts 'a.x[1]' 5 --start 'y=5'
starts 's' 0.005 --start 's=5 mm'
# initial equations determine it: that is said; a first guess changes nothing else
starts 'w' 5 --start 'w=2'
grep -q "'w' is 5 at the start, not 2" err || fail "a start value without effect is not said"
starts 'z' 0.6823278038280193 --start 'z=1'
# parameters that decide the size of the model
starts 'a.x[4]' 1 --set a.n=4
grep -q 'compiled again: M(a(n=4))' err || fail "a structural parameter that is set is not said: $(cat err)"
starts 'b.x[5]' 1 --set a.n=4 --set b.n=5 --set a.k=3
starts 'a.k' 3 --set a.n=4 --set b.n=5 --set a.k=3
starts 'b.x[1]' 1 --set b.n=1 --model 'M(a(k=2))'

# parameters that decide what is a state: a factor of a derivative that is zero
cat >capacitor.mo <<'END'
model Capacitor
  parameter Real C = 0, R = 2;
  Real v(start = 0), w(start = 0, fixed = true);
equation
  C*der(v) = 1 - R*v;
  der(w) = v - w;
end Capacitor;
END
ends() {
    want=$1
    shift
    "$rung" simulate capacitor.mo --stop 1 -o c.csv --signals v "$@" >out 2>err || fail "$* $(cat err)"
    awk -F, -v want="$want" 'END { d = $2 - want; exit !(d < 1e-6 && d > -1e-6) }' c.csv || fail "$*: $(tail -1 c.csv)"
}
ends 0.5
ends 0.25 --set R=4
ends 0.4323323583816936 --set C=1
grep -q 'compiled again: Capacitor(C=1)' err || fail "a capacitance that is set is not said: $(cat err)"
ends 0.4323323583816936 --model 'Capacitor(C=1)'
ends 0.6321205588285577 --model 'Capacitor(C=2)' --set C=1 --set R=1
ends 0.5 --model 'Capacitor(C=1)' --set C=0
grep -q 'compiled again: Capacitor(C=0)' err || fail "a capacitance that is set to zero is not said: $(cat err)"

# a parameter that switches a derivative on and off: the variable is a state or none, also where it is set
cat >Eddy.mo <<'END'
model Eddy "A lag of 0.001 s, or none: B = sin(t) then"
  parameter Boolean eddy = false;
  parameter Integer kind = 1;
  Real B(start = 0), H = sin(time), d, P = B*der(B);
  Real off = B - (if eddy or kind == 2 then (sin(time) - 1e-3*cos(time) + 1e-3*exp(-1e3*time))/(1 + 1e-6) else sin(time));
equation
  H = B + d;
  d = if eddy then 1e-3*der(B) elseif kind == 2 then 1e-3*der(B) else 0;
end Eddy;
END
for options in '' '--set eddy=true' '--set kind=2' '--set kind=3' "--model Eddy(eddy=true)" "--model Eddy(eddy=true) --set eddy=false" \
    "--model Eddy(kind=2) --set kind=1"; do
    # shellcheck disable=SC2086
    "$rung" simulate Eddy.mo $options --stop 1 --tolerance 1e-8 --signals off -o eddy.csv >out 2>err || fail "Eddy $options: $(cat err)"
    awk -F, 'NR > 1 && $2*$2 > 1e-12 { bad = 1 } END { exit bad || NR < 100 }' eddy.csv || fail "Eddy $options: $(tail -1 eddy.csv)"
done

says() {
    want=$1
    text=$2
    shift 2
    "$rung" simulate m.mo "$@" -o none.csv >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "status $got instead of $want: $* $(cat err)"
    grep -qF "$text" err || fail "'$text' is not in: $(cat err)"
    [ ! -e none.csv ] || fail "a result in spite of: $text"
}
says 1 "the model has no variable 'nothing'" --start nothing=1
says 1 "its value is set by --set" --start a.k=1
says 1 "'often' is no value of 's'" --start s=often
says 1 "its unit is m" --start 's=2 kg'
says 1 "did you mean 'M'?" --model m
says 2 "did you mean 'dopri5'?" --method DOPRI5
says 1 "not of the form" --start s
says 1 "final" --set last=4
says 1 "sum" --set a.n=sum
"$rung" simulate m.mo --format json -o - >out 2>err
[ $? -eq 2 ] && [ ! -s out ] || fail "JSON and the result, both on standard output"

# what the initial equations find cannot be set; what a parameter is bound to goes before the binding
cat >set.mo <<'MO'
model '../../Set'
  parameter Real q = 2, p = 2*q;
  parameter Real c(fixed = false), d = 2*c;
  Real x = p*time + c + d;
  discrete Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  function same
    input Boolean u;
    output Boolean y = u;
  algorithm
  end same;
initial equation
  c = 5;
equation
  // MLS 8.6: initial() itself alone fires at the start
  when same(initial()) then
    n = 1;
  end when;
  when {time > 2, initial()} then
    m = 1;
  end when;
end '../../Set';
MO
mkdir -p some/where
(cd some/where && "$rung" simulate ../../set.mo --interval 0.5 >out 2>&1) || fail "$(cat some/where/out)"
find . -name '*_res.mat' | grep -q '^./some/where/' ||
    fail "a model's name puts its result elsewhere: $(find . -name '*_res.mat')"
"$rung" simulate set.mo --set p=3 --set d=1 --interval 0.5 -o r.csv >out 2>err || fail "set.mo: $(cat err)"
tail -n 1 r.csv | grep -q ',9,' || fail "parameters that are set: $(cat r.csv)"
head -n 1 r.csv | grep -q '"n","m"' && sed -n 2p r.csv | grep -q ',0,1$' || fail "when initial(): $(cat r.csv)"
"$rung" simulate set.mo --set c=3 --interval 0.5 -o r.csv >out 2>err
[ $? -eq 1 ] && grep -q "'c' to '3': the initial equations determine it" err || fail "--set c: $(cat err)"

# the summary for programs
"$rung" simulate m.mo --stop 12 --format json --save-state s -o r.csv >out 2>err || fail "json: $(cat err)"
python3 - <<'PY' || fail "the summary: $(cat out)"
import json
r = json.load(open("out"))
assert r["status"] == 0 and r["model"] == "M" and r["error"] == "" and r["reached"] == 12
assert r["steps"] > 0 and r["events"] == 1 and r["rows"] == len(open("r.csv").readlines()) - 1
assert r["files"] == {"result": "r.csv", "state": "s"}
assert 0 <= r["audit"]["worst"] <= r["audit"]["bound"] == 10 and r["audit"]["violated"] == 0
assert all(r["seconds"][k] >= 0 for k in ("translate", "compile", "run"))
PY
# one that is begun again with other states has one summary
"$rung" simulate "$source/tests/sim/language/StatesThatDepend.mo" --format json -o r.csv >out 2>err || fail "begun again: $(cat err)"
grep -q 'once more with --states redundant' err || fail "not begun again: $(cat err)"
python3 -c 'import json; assert json.load(open("out"))["status"] == 0' || fail "two summaries: $(cat out)"
# a run that fails has one, too
printf 'model F\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = x^2;\nend F;\n' >f.mo
"$rung" simulate f.mo --stop 2 --format json -o f.csv >out 2>err
[ $? -eq 3 ] || fail "status of a run that fails"
grep -q '"status": 3, "error": "t = ' out || fail "the summary of a run that fails: $(cat out)"
# studies take values that decide about the structure as modifiers, too
# two equations that contradict each other, with the same derivatives where both are nearly solved
for size in 1 1e23; do
    cat >C.mo <<END
model C
  parameter Real p(fixed = false, start = 0.9), q(fixed = false, start = 0);
  Real x(start = 1, fixed = true);
initial equation
  $size*(p^3 + p - 2 + q^2) = 0;
  q^2 + 3 + (p^3 + p - 2) = 0;
equation
  der(x) = p - x;
end C;
END
    "$rung" simulate C.mo -o c.csv >out 2>err
    [ $? -eq 1 ] && grep -q "did not converge from the start values" err || fail "$size: no solution is said to be one: $(cat err)"
    sed 's/ + 3 + / + /' C.mo >D.mo
    "$rung" simulate D.mo --model C -q -o c.csv 2>err || fail "$size: equations that say the same: $(cat err)"
done

pendulum=Linkage.Examples.PlanarPendulum
same_as_modified() { # command, options
    command=$1
    shift
    "$rung" $command --model $pendulum --set n=3 --set m=2 "$@" >set.out 2>err || fail "$command --set: $(cat err)"
    "$rung" $command --model "$pendulum(n=3)" --set m=2 "$@" >modified.out 2>err || fail "$command: $(cat err)"
    [ -s set.out ] && cmp set.out modified.out || fail "$command --set n=3 is not of the model with n = 3"
}
same_as_modified dof
same_as_modified linearize
same_as_modified gradient --objective 'joint[3].phi' --by m --stop 0.1
# all parts of a report are of the model that ran
"$rung" report --model $pendulum --set n=3 --stop 0.1 -q -o set.html 2>err && grep -q ' 6 states' set.html ||
    fail "a report with --set n=3: $(cat err; grep states set.html)"
exit $failed
