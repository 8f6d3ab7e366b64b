#!/bin/sh
# FMUs in: those that rung has exported give the digits of their model again, alone and as parts of a model; one
# written by hand is a controller, misbehaves in all ways, and wrong archives are errors.
# usage: fmus.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
find_python zipfile || { echo "skipped: no Python"; exit 0; }

# pack FILE NAME=PATH...: an archive
cat >pack.py <<'END'
import sys
import zipfile

out, *entries = sys.argv[1:]
with zipfile.ZipFile(out, "w") as z:
    for entry in entries:
        name, _, path = entry.partition("=")
        z.write(path, name)
END
pack() {
    "$python" pack.py "$@" || fail "pack $1"
}
# same A B [TOLERANCE]: all signals of A that B has agree
same() {
    "$rung" compare "$1" "$2" --tolerance "${3:-1e-6}" >compare.txt 2>&1 || fail "$1 is not $2: $(cat compare.txt)"
}
# last FILE NAME: the last value of a variable
last() {
    awk -F, -v name="\"$2\"" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) c = k } END { print c ? $c : "none" }' "$1"
}
export TMPDIR="$dir/tmp with blank"
mkdir "$TMPDIR"

# ---- our own: state events that set states, a time event, an input, discrete variables; both interfaces
cp "$source/tests/e2e/fmu/FmuBall.mo" .
"$rung" simulate FmuBall.mo -q -o model.csv || fail "the model"
for version in $(large && echo 2) 3; do
    "$rung" fmu FmuBall.mo --fmi $version -q -o Ball.fmu || fail "no FMU"
    "$rung" simulate Ball.fmu -q -o me.csv 2>err.txt || fail "me $version: $(cat err.txt)"
    same me.csv model.csv 1e-6
    "$rung" simulate Ball.fmu --interface cs -q -o cs.csv 2>err.txt || fail "cs $version: $(cat err.txt)"
    same cs.csv model.csv 2e-3
    "$rung" simulate Ball.fmu --start h=2 --set e=0.5 --set u=0.1 --stop 1 -q -o me.csv || fail "me $version: settings"
    "$rung" simulate FmuBall.mo --start h=2 --set e=0.5 --set u=0.1 --stop 1 -q -o set.csv
    same me.csv set.csv 1e-6
done
# relations that no value satisfies for a while: event indicators tell when one does again
cp "$source/tests/sim/ContraryRelations.mo" .
"$rung" fmu ContraryRelations.mo -q -o Contrary.fmu 2>err.txt || fail "no FMU: $(cat err.txt)"
for interface in me cs; do
    "$rung" simulate Contrary.fmu --interface $interface --stop 9 --interval 0.1 -q -o contrary.csv 2>err.txt ||
        fail "contrary, $interface: $(cat err.txt)"
    for name in limited floored i; do
        awk -F, -v name="\"error_$name\"" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) c = k; next }
            { x = $c < 0 ? -$c : $c; if (x > worst) worst = x } END { exit !(c && worst < 1e-4) }' contrary.csv ||
            fail "contrary, $interface: error_$name"
    done
done
# an FMU that has one as its part, whose libzip may be there as a shared library only
"$rung" fmu Ball.fmu -q -o Again.fmu 2>err.txt || fail "no FMU of an FMU: $(cat err.txt)"
"$rung" simulate Again.fmu -q -o again.csv 2>log.txt || fail "an FMU of an FMU: $(cat log.txt)"
same again.csv model.csv 1e-6
archive=$(${CC:-cc} -print-file-name=libzip.a)
said=$(grep -c "the FMU loads shared libraries (zip)" err.txt)
if [ -f "$archive" ]; then [ "$said" -le 1 ]; else [ "$said" = 1 ]; fi || fail "needs: $(cat err.txt)"
"$rung" fmu FmuBall.mo -q -o Own.fmu 2>err.txt && [ ! -s err.txt ] || fail "needs nothing: $(cat err.txt)"
# an explicit method makes the same steps: the same digits
for method in rk4 $(large && echo dopri5); do
    "$rung" simulate Ball.fmu --method $method --step 0.01 -q -o me.csv --signals h,v,n,y --stop 0.4 &&
        "$rung" simulate FmuBall.mo --method $method --step 0.01 -q -o m.csv --signals h,v,n,y --stop 0.4 || fail "$method"
    cmp -s me.csv m.csv || fail "$method: other digits"
done

# a state that is named as the derivative of another one
cat >Rod.mo <<'END'
model Rod "A pendulum without a variable for its angular velocity: a state is named der(phi)"
  Real phi(start = 1, fixed = true, stateSelect = StateSelect.always), x, y, v, u, T;
  output Real E = (v^2 + u^2)/2 + 9.81*y;
initial equation
  der(phi) = 2;
equation
  x = sin(phi);
  y = -cos(phi);
  v = der(x);
  u = der(y);
  der(v) = -T*x;
  der(u) = -T*y - 9.81;
end Rod;
END
"$rung" simulate Rod.mo --stop 2 -q -o model.csv || fail "Rod"
for version in 2 3; do
    "$rung" fmu Rod.mo --fmi $version -q -o Rod.fmu || fail "Rod: no FMU"
    "$rung" simulate Rod.fmu --interface me --stop 2 -q -o me.csv 2>err.txt || fail "Rod, FMI $version: $(cat err.txt)"
    same me.csv model.csv 1e-4
done

# Integers have no exponent in FMI 3
cat >Integers.mo <<'MO'
model Integers
  constant Integer seconds[3] = {31536000, 86400, 60};
  parameter Integer sizes[2] = {1000000, -20000};
  Integer n = sizes[1] + seconds[1];
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
end Integers;
MO
for version in 2 3; do
    "$rung" fmu Integers.mo --fmi $version -q -o Integers.fmu &&
        "$rung" simulate Integers.fmu --interface me --stop 1 -q -o integers.csv >out.txt 2>&1 || fail "Integers: $(cat out.txt)"
    python3 - <<'P' || fail "Integers, FMI $version"
import csv
rows = list(csv.reader(open("integers.csv")))
end = dict(zip(rows[0], rows[-1]))
for name, value in (("seconds[1]", 31536000), ("seconds[3]", 60), ("sizes[1]", 1000000), ("sizes[2]", -20000), ("n", 32536000)):
    assert float(end[name]) == value, (name, end[name])
P
done

# an FMU alone has its communication points at the rows
"$rung" simulate Rod.fmu --interface cs --stop 0.05 -q -o cs.csv && "$rung" simulate Rod.mo --stop 0.05 -q -o model.csv || fail "short"
same cs.csv model.csv 5e-3
"$rung" simulate Rod.fmu --interface cs --stop 0.05 --interval 0.025 -q -o cs.csv || fail "interval"
[ "$(last cs.csv communicationStep)" = 0.025 ] || fail "interval: $(last cs.csv communicationStep)"

# ---- a controller from elsewhere on a plant of rung: two instances, a name with dots, arrays of inputs
cat >Ctl.mo <<'END'
model Ctl
  parameter Real k = 2;
  parameter Real Ti = 0.5;
  input Real e;
  output Real u;
  Real I(start = 0, fixed = true);
equation
  der(I) = e/Ti;
  u = k*(e + I);
end Ctl;
END
cat >Plant.mo <<'END'
model Plant
  Ctl c, d(k = 1);
  Real y(start = 0, fixed = true), z(start = 1, fixed = true);
equation
  c.e = 1 - y;
  der(y) = c.u - y;
  d.e = y - z;
  der(z) = d.u;
end Plant;
END
cat >Sampled.mo <<'END'
model Sampled "the master loop of co-simulation, with the exact step of the FMU odd"
  odd f(communicationStep = 0.125);
  Real x(start = 1, fixed = true), y;
  discrete Real held(start = 0, fixed = true), u(start = 1, fixed = true);
equation
  f.'the input' = -x;
  y = f.'part[1].y';
  der(x) = y;
  when sample(0.125, 0.125) then
    held = pre(held) - 0.125*pre(u);
    u = x;
  end when;
end Sampled;
END
"$rung" simulate Ctl.mo Plant.mo --stop 3 -q -o plant.csv || fail "plant"
"$rung" fmu Ctl.mo --fmi 3 -q -o Ctl.fmu || fail "controller"
"$rung" simulate Ctl.fmu Plant.mo --stop 3 -q -o fmu.csv 2>err.txt || fail "plant with FMUs: $(cat err.txt)"
same fmu.csv plant.csv
"$rung" import Ctl.fmu -o Other.mo && "$rung" format --check Other.mo && "$rung" check --strict Other.mo >check.txt 2>&1 ||
    fail "import: $(cat check.txt)"

# ---- an FMU that is not of rung
cc -shared -fPIC -fvisibility=hidden -o odd.so "$source/tests/e2e/fmus/odd.c" -lm || fail "no odd.so"
cp "$source/tests/e2e/fmus/odd.xml" .
platform=$("$python" -c 'import platform; m = platform.machine(); print("linux64" if m == "x86_64" else m + "-linux")')
pack odd.fmu modelDescription.xml=odd.xml binaries/$platform/odd.so=odd.so
"$rung" simulate odd.fmu -q -o odd.csv --set 'the input=2' --start 'part[1].y=3' --set 'label="a b"' 2>err.txt ||
    fail "odd: $(cat err.txt)"
[ "$(last odd.csv 'part[1].y') $(last odd.csv also) $(last odd.csv length)" = "5 5 3" ] || fail "odd: $(tail -1 odd.csv)"
"$rung" simulate odd.fmu Sampled.mo --stop 2 -q -o s.csv 2>err.txt || fail "sampled: $(cat err.txt)"
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) { if ($k == "\"y\"") a = k; if ($k == "\"held\"") b = k } }
    NR > 1 && $a != $b { bad = 1 } END { exit bad || NR < 20 }' s.csv || fail "not the digits of a master loop"
expect 3 "odd.fmu', t = 0.5: fmi2DoStep discards the step to t = 0.625, done until t = 0.5.*too long a step" \
    "$rung" simulate odd.fmu --set fault=1 -q -o f.csv
expect 0 "warning: FMU 'odd.fmu', t = 0.5: it is warm" "$rung" simulate odd.fmu --set fault=4 -q -o f.csv
expect 3 "its value is not a number for 'part\[1\].y'" "$rung" simulate odd.fmu --set fault=5 -q -o f.csv
expect 0 "the FMU Odd ends the run" "$rung" simulate odd.fmu --set fault=6 -q -o f.csv
expect 1 "fmi2EnterInitializationMode returns fmi2Error: no start" "$rung" simulate odd.fmu --set fault=7 -q -o f.csv
[ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"

# ---- wrong archives
# wrong NAME PATTERN SED: the description changed so is an error
wrong() {
    sed "$3" odd.xml >wrong.xml
    pack "$1.fmu" modelDescription.xml=wrong.xml binaries/$platform/odd.so=odd.so
    expect 1 "$2" "$rung" simulate "$1.fmu" -q -o wrong.csv
    [ ! -e wrong.csv ] || fail "$1: a result"
}
wrong token "no instance with the GUID '{even}'" 's/{odd}/{even}/'
wrong index "modelDescription.xml:15:14: error I21: <Unknown>: there is no variable with the index 99" 's/index="2"/index="99"/'
wrong nan "start value 'nan' of 'the input' is no value" 's/start="1"/start="nan"/'
wrong reference "should be a whole number, not '-1'" 's/name="also" valueReference="2"/name="also" valueReference="-1"/'
wrong name "has no binaries/.*other.so, but binaries for $platform" 's/modelIdentifier="odd"/modelIdentifier="other"/'
expect 1 "is no FMU of model exchange" "$rung" simulate odd.fmu --interface me
pack bare.fmu modelDescription.xml=odd.xml binaries/win64/odd.dll=odd.so
expect 1 "has no binaries/.*odd.so, but binaries for win64" "$rung" simulate bare.fmu
pack none.fmu binaries/$platform/odd.so=odd.so
expect 1 "'none.fmu' is no FMU: it has no modelDescription.xml" "$rung" simulate none.fmu
pack up.fmu modelDescription.xml=odd.xml binaries/$platform/odd.so=odd.so ../up.txt=odd.xml
expect 1 "the entry '../up.txt', which leads out of its folder" "$rung" simulate up.fmu
head -c 3000 odd.fmu >short.fmu
expect 1 "'short.fmu' is no FMU" "$rung" simulate short.fmu
expect 4 "cannot read 'nowhere.fmu'" "$rung" simulate nowhere.fmu
expect 1 "cannot read 'nowhere.fmu'" "$rung" import nowhere.fmu -o X.mo
[ ! -e X.mo ] || fail "a class of no FMU"
"$rung" check odd.fmu >check.txt 2>&1 && grep -q '^odd$' check.txt || fail "check"
[ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"

# pulses that steps of the importer pass over, in model exchange by any method
cat >Bells.mo <<'MO'
model Bells
  output Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  output Real of_states(start = 0, fixed = true), of_time(start = 0, fixed = true), later(start = 0, fixed = true),
    gate(start = 0, fixed = true);
equation
  der(x) = 0.6;
  der(y) = 0.4;
  der(of_states) = 1000*exp(-((x + y - 3.1)/1e-3)^2);
  der(of_time) = 1000*exp(-((time - 5.1)/1e-3)^2);
  der(later) = 1000*delay(exp(-((x - 3.06)/0.6e-3)^2), 2);
  der(gate) = noEvent(if x + y > 8.2 and x + y < 8.201 then 1000 else 0);
end Bells;
MO
for version in 2 3; do
    "$rung" fmu Bells.mo --fmi $version -q -o Bells.fmu || fail "Bells: no FMU"
    for method in esdirk dopri5 cvode ida; do
        "$rung" simulate Bells.fmu --interface me --method $method --stop 10 -q -o bells.csv >out.txt 2>&1 ||
            fail "Bells $version, $method: $(cat out.txt)"
        python3 - <<'P' || fail "Bells $version, $method"
import csv, math
rows = list(csv.reader(open("bells.csv")))
end = dict(zip(rows[0], map(float, rows[-1])))
for name, value in (("of_states", math.sqrt(math.pi)), ("of_time", math.sqrt(math.pi)), ("later", math.sqrt(math.pi)), ("gate", 1)):
    assert abs(end[name] - value) < 1e-4, (name, end[name], value)
P
    done
done

# the runs of rung itself have their ends at the heads of these models
ends() {
    python3 - "$source/tests/sim/$model.mo" <<'P' || fail "$model, FMI $*"
import csv, sys
rows = list(csv.reader(open("fmu.csv")))
end = dict(zip(rows[0], rows[-1]))
heads = [line.split()[1:] for line in open(sys.argv[1]) if line.startswith("//")]
ends = [head[1:] for head in heads if head[0] == "ends:"]
zeros = [head[1:] for head in heads if head[0] == "zero:"]
for name, value, bound in ends:
    assert abs(float(end[name]) - float(value)) < float(bound), (name, end[name], value)
for name, bound in zeros:
    at = rows[0].index(name)
    assert all(abs(float(row[at])) < float(bound) for row in rows[1:]), name
assert ends or zeros
P
}
for model in Pulses loops/WindowInLoop language/TwistBehindTurns language/ShaftsThatStick; do
    for use in "2 me" "3 me" "3 cs"; do
        run=$(sed -n 's|^// simulate: ||p' "$source/tests/sim/$model.mo")
        # in co-simulation the method is the FMU's own
        case $use in *cs) run="$run --set fmuTolerance=1e-6" ;; esac
        # shellcheck disable=SC2086
        "$rung" fmu "$source/tests/sim/$model.mo" --fmi ${use% *} -q -o Model.fmu &&
            "$rung" simulate Model.fmu --interface ${use#* } $run -q -o fmu.csv >out.txt 2>&1 || fail "$model: $(cat out.txt)"
        ends $use
    done
done
# tighter: jumps of derivatives that no event meets are found to the rounding of time, and states at rest move by rounding alone
while read -r model use; do
    "$rung" fmu "$source/tests/sim/$model.mo" -q -o Model.fmu || fail "$model: no FMU"
    # shellcheck disable=SC2086
    "$rung" simulate Model.fmu $use -q -o fmu.csv >out.txt 2>&1 || fail "$model, $use: $(cat out.txt)"
    ends 2 $use
done <<'END'
Pulses --stop 10 --interface me --method esdirk --tolerance 1e-8
Pulses --stop 10 --interface me --method ida --tolerance 1e-8
loops/WindowInLoop --stop 1.2 --interface cs --set fmuTolerance=1e-8
loops/WindowInLoop --stop 1.2 --interface cs --set fmuTolerance=1e-10
language/ShaftsThatStick --stop 2 --interface me --method ida --tolerance 1e-8
END

# the tolerance of a run is that of the FMU's own method, too
cat >Turn.mo <<'MO'
model Turn
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), error = x - cos(time);
equation
  der(x) = -y;
  der(y) = x;
end Turn;
MO
"$rung" fmu Turn.mo -q -o Turn.fmu || fail "Turn: no FMU"
for told in "--tolerance 1e-10" "--tolerance 1e-10 --set fmuTolerance=1e-4"; do
    "$rung" simulate Turn.fmu --interface cs --stop 20 --interval 5 $told -q -o turn.csv --signals error >out.txt 2>&1 || fail "Turn: $(cat out.txt)"
    awk -F, 'NR > 1 && ($2 > 1e-9 || $2 < -1e-9) { n++ } END { exit !(NR >= 5 && n == 0) }' turn.csv
    status=$?
    case $told in *1e-4) [ $status -eq 1 ] ;; *) [ $status -eq 0 ] ;; esac || fail "Turn, $told: $(tail -n 1 turn.csv)"
done

# delays in steps nearly as long as the delay; in stiff equations, whose derivatives amplify the errors of interpolated states
cp "$source/tests/sim/DelayLongSteps.mo" .
cat >StiffDelay.mo <<'END'
model StiffDelay "x follows cos(3*time), 1e-5 s behind, and y follows x a second later"
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), error = y - cos(3*(time - 1) - 2*atan(3e-5));
equation
  der(x) = 1e5*(cos(3*time) - x);
  der(y) = 1e5*(if time < 1 then cos(3*(time - 1)) - y else delay(x, 1) - y);
end StiffDelay;
END
while read -r model tolerance bound; do
    "$rung" fmu $model.mo -q -o Delay.fmu &&
        "$rung" simulate Delay.fmu --stop 10 --tolerance $tolerance -q -o delay.csv --signals error || fail "$model"
    awk -F, -v bound=$bound 'NR > 1 && $1 > 1.1 && ($2 > bound || $2 < -bound) { n++ } END { exit n > 0 || NR < 500 }' delay.csv ||
        fail "$model in model exchange"
done <<'END'
DelayLongSteps 1e-8 1e-7
StiffDelay 1e-6 1e-4
END

# steps end where a jump arrives that was delayed
cat >Arrivals.mo <<'MO'
model Arrivals
  Real step = if time > 0.3123 then 1 else 0, late = delay(step, 0.4377), place(start = 0, fixed = true), front, out;
  output Real x(start = 0, fixed = true), twice(start = 0, fixed = true), through(start = 0, fixed = true);
equation
  der(x) = late;
  der(twice) = delay(late, 0.2111);
  der(place) = 1;
  (front, out) = spatialDistribution(step, 0, place, true);
  der(through) = out;
end Arrivals;
MO
# the derivative of x is late as well, of which FMI 3 has an alias
for interface in me cs; do
    for version in 2 3; do
        "$rung" fmu Arrivals.mo --fmi $version -q -o Arrivals.fmu || fail "Arrivals: no FMU"
        for step in 0.1 0.013; do
            "$rung" simulate Arrivals.fmu --interface $interface --stop 2 --interval $step -q -o arrivals.csv >out.txt 2>&1 ||
                fail "Arrivals, $interface: $(cat out.txt)"
            # in model exchange the fluid is looked after by the importer's control of the error
            python3 - $interface <<'P' || fail "Arrivals, $interface, FMI $version, $step"
import csv, sys
rows = list(csv.reader(open("arrivals.csv")))
end = dict(zip(rows[0], map(float, rows[-1])))
for name, value, bound in (("x", 1.25, 1e-9), ("twice", 1.0389, 1e-9), ("late", 1, 0),
                           ("through", 0.6877, 1e-9 if sys.argv[1] == "cs" else 1e-4)):
    assert abs(end[name] - value) <= bound, (name, end[name], value)
P
        done
    done
done

# an FMU that ends the run: terminal() is true, and nothing is set behind it
cat >Ending.mo <<'MO'
model Ending
  output Real x(start = 0, fixed = true), ended(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 0.5 then
    terminate("enough");
  end when;
  when terminal() then
    ended = x;
  end when;
end Ending;
MO
for version in 2 3; do
    "$rung" fmu Ending.mo --fmi $version -q -o Ending.fmu || fail "Ending: no FMU"
    for interface in me cs; do
        "$rung" simulate Ending.fmu --interface $interface -q -o ending.csv >out.txt 2>&1 || fail "Ending: $(cat out.txt)"
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { e = $at["\"ended\""] } END { exit !((e - 0.5)^2 < 1e-12) }' ending.csv ||
            fail "Ending, $interface, FMI $version: $(tail -n 1 ending.csv)"
    done
done

if large; then
    expect 3 "odd.fmu', t = 0.5: fmi2DoStep returns fmi2Error: it is broken" "$rung" simulate odd.fmu --set fault=2 -q -o f.csv
    expect 3 "fmi2Fatal: it is gone" "$rung" simulate odd.fmu --set fault=3 -q -o f.csv
    wrong version "of FMI 1.0: those of 2.0 and 3.0 are read" 's/fmiVersion="2.0"/fmiVersion="1.0"/'
    wrong three "error I02: <fmiModelDescription> without instantiationToken" 's/fmiVersion="2.0"/fmiVersion="3.0"/'
    wrong number "start value 'x1' of 'the input' is no value" 's/start="1"/start="x1"/'
    wrong twice "two variables have the name 'fault'" 's/name="also"/name="fault"/'
    wrong exchange "no FMU of model exchange or co-simulation" '/<CoSimulation/d'
    wrong xml "not XML" 's/<ModelStructure>/<ModelStructure/'
    wrong outside "is no modelIdentifier" 's/modelIdentifier="odd"/modelIdentifier="..\/odd"/'
    expect 1 "cannot open '.*gone.fmu'" sh -c "cp odd.fmu gone.fmu && '$rung' import gone.fmu -o Gone.mo && rm gone.fmu && '$rung' simulate Gone.mo -q"
    pack text.fmu modelDescription.xml=odd.xml binaries/$platform/odd.so=odd.xml
    expect 1 "cannot load its binary" "$rung" simulate text.fmu
    "$rung" import Ctl.fmu --model Ctl -o Imported.mo && "$rung" simulate Imported.mo Plant.mo --stop 3 -q -o fmu.csv ||
        fail "plant with imported class"
    same fmu.csv plant.csv
    # cut loops, delays and assertions as FMUs, arrays of FMI 3, many states, a program that stands alone
    for model in FmuLoop FmuValues FmuStiff; do
        "$rung" simulate "$source/tests/e2e/fmu/$model.mo" -q -o model.csv 2>err.txt || fail "$model: $(cat err.txt)"
        for version in 2 3; do
            "$rung" fmu "$source/tests/e2e/fmu/$model.mo" --fmi $version -q -o $model.fmu || fail "$model: no FMU"
            "$rung" simulate $model.fmu -q -o fmu.csv 2>err.txt || fail "$model $version: $(cat err.txt)"
            same fmu.csv model.csv 5e-3
            "$rung" simulate $model.fmu --interface cs -q -o cs.csv 2>err.txt || fail "$model $version cs: $(cat err.txt)"
        done
    done
    "$rung" compile Ctl.fmu Plant.mo -o alone >/dev/null && make_program alone && ./alone/Plant --stop 3 -o alone.csv >/dev/null ||
        fail "alone"
    same alone.csv plant.csv
fi
exit $failed
