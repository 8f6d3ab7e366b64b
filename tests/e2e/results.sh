#!/bin/sh
# Results as files: CSV and MAT hold the same, files are whole or absent and never someone else's.
. "$(dirname "$0")/common.sh"
model=Linkage.Examples.DrivenArm

status() {
    want=$1
    shift
    "$rung" "$@" >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "$*: status $got, not $want: $(cat err)"
}

# ---- formats ----
"$rung" simulate --model $model -o a.mat -q || fail "MAT"
"$rung" simulate --model $model -o a.csv -q || fail "CSV"
status 2 simulate --model $model -o a.fmu
status 2 simulate --model $model -o a
[ ! -e a.fmu ] && [ ! -e a ] || fail "a file of a wrong ending"
mkfifo pipe.mat
status 2 simulate --model $model -o pipe.mat
if find_python scipy.io; then
    "$python" - <<'END' || fail "MAT read by SciPy"
import csv, scipy.io
m = scipy.io.loadmat('a.mat', chars_as_strings=False)
text = lambda a: [''.join(c).rstrip() for c in a.T]
assert [''.join(r).strip(' \0') for r in m['Aclass']] == ['Atrajectory', '1.1', '', 'binTrans'], m['Aclass']
names, info = text(m['name']), m['dataInfo']
described = dict(zip(names, text(m['description'])))
assert names[0] == 'Time' and described['Time'] == 'Simulation time [s]'
rows = list(csv.reader(open('a.csv')))
head, rows = rows[0], [[float(x) for x in r] for r in rows[1:]]
assert head[1:] == names[1:]
assert m['data_2'].shape[1] == len(rows)
assert m['data_2'].shape[0] < len(names)   # aliases share a row
assert m['data_1'].shape[1] == 2 and list(m['data_1'][0]) == [rows[0][0], rows[-1][0]]
for k, name in enumerate(names):
    which, row = info[0, k], info[1, k]
    data = m['data_1'] if which == 1 else m['data_2']
    for i, r in enumerate(rows):
        x = data[abs(row) - 1, 0 if which == 1 else i]
        assert (x if row > 0 else -x) == r[k], (name, i)
assert any(d.endswith(']') and '[' in d for d in described.values()), 'units'
END
else
    echo "in part skipped: no SciPy"
fi

"$rung" compare a.mat a.csv --tolerance 1e-12 -q || fail "MAT read back"
"$rung" simulate --model $model -o p.mat -q --plot p.svg --plot-signals shoulder.phi 2>err || fail "a picture of MAT: $(cat err)"
"$rung" simulate --model $model -o p.csv -q --plot q.svg --plot-signals shoulder.phi || fail "a picture of CSV"
cmp -s p.svg q.svg || fail "pictures differ"
head -c 3000 a.mat >cut.mat
"$rung" compare cut.mat a.csv -q 2>err
[ $? -eq 4 ] && grep -q 'cut off' err || fail "a MAT file that is cut off: $(cat err)"

# ---- signals ----
"$rung" simulate --model $model -o s.csv -q --signals '*.phi' || fail "--signals"
head -n 1 s.csv | tr , '\n' | tail -n +2 | grep -qv '\.phi"$' && fail "other signals: $(head -n 1 s.csv)"
status 2 simulate --model $model -o s.csv --signals nothing

# ---- what a model hides ----
cat >hidden.mo <<'END'
model Hidden
  model Part
    Real shown = 2*time annotation(HideResult = false);
    Real inside = 3*time;
  end Part;
  Real x(start = 1, fixed = true) annotation(HideResult = true);
  output Real y = 2*x;
  Part part annotation(HideResult = true), open;
  parameter Real k = 2 annotation(HideResult = true);
  Real a[2] = {x, k} annotation(HideResult = true);
protected
  Real own = 5*time annotation(HideResult = false);
equation
  der(x) = -k*x;
end Hidden;
END
columns() {
    got=$(head -n 1 "$1" | tr -d '"')
    [ "$got" = "$2" ] || fail "$1: columns $got, not $2"
}
"$rung" simulate hidden.mo --save-state half -o h.csv -q || fail "hidden variables"
columns h.csv time,y,own,part.shown,open.shown,open.inside
"$rung" simulate hidden.mo --from half --stop 2 -o g.csv -q || fail "going on with a hidden state"
columns g.csv time,y,own,part.shown,open.shown,open.inside
"$rung" simulate hidden.mo -o n.csv -q --signals 'y,x,a[1]' || fail "hidden variables by name"
columns n.csv time,x,y,'a[1]'
"$rung" simulate hidden.mo -o all.csv -q --signals '*' || fail "all variables"
columns all.csv 'time,x,y,k,a[1],a[2],own,part.shown,part.inside,open.shown,open.inside,der(x)'
"$rung" simulate hidden.mo -o h.mat -q && "$rung" compare h.mat h.csv -q || fail "hidden variables in MAT"
"$rung" flatten hidden.mo -o flat.mo && "$rung" simulate flat.mo -o flat.csv -q || fail "hidden in the flat model"
columns flat.csv time,y,own,part.shown,open.shown,open.inside
# a drawing has positions of what is hidden
cat >drawn.mo <<'MO'
model Drawn
  inner Linkage.World world;
  Linkage.Joints.Revolute hinge(phi(start = 0.5, fixed = true), w(fixed = true));
  Linkage.Parts.FixedTranslation arm(r = {0.8, 0, 0}) annotation(HideResult = true);
  Linkage.Parts.Body load(m = 2, r_CM = {0.3, 0, 0}, I_11 = 0.01, I_22 = 0.1, I_33 = 0.1);
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, arm.frame_a);
  connect(arm.frame_b, load.frame_a);
end Drawn;
MO
"$rung" simulate drawn.mo --model Drawn -o d.csv -q || fail "a mechanism with a hidden part"
head -n 1 d.csv | grep -q '"arm.r\[1\]"' && fail "a hidden part is in the result"
"$rung" view d.csv -o d.html -q || fail "a hidden part is not drawn"

# ---- files ----
ln -s behind.csv link.csv
"$rung" simulate --model $model -o link.csv -q || fail "a link"
[ -L link.csv ] && [ -f behind.csv ] || fail "the link was replaced"
"$rung" simulate --model $model -o link.csv -q && [ -L link.csv ] || fail "the link was replaced"
mkfifo pipe
wc -l <pipe >lines &
"$rung" simulate --model $model -o pipe -q || fail "a pipe"
wait
[ -p pipe ] && [ "$(cat lines)" -gt 10 ] || fail "a pipe was replaced or got nothing"
# two runs with one name
"$rung" simulate --model $model -o same.csv -q &
"$rung" simulate --model $model -o same.csv -q || fail "the first of two runs"
wait $! || fail "the second of two runs"
cmp -s same.csv a.csv || fail "two runs into one file"
# what a killed process left, and what another one is writing
: >.a.csv.999999.part
"$rung" simulate --model $model -o a.csv -q || fail "a.csv again"
# interrupted: rows up to there, nothing left behind
cat >Long.mo <<'END'
model Long
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = -x;
end Long;
END
for signal in INT TERM HUP; do
    rm -f long.csv
    "$rung" simulate Long.mo --stop 1e7 --interval 1000 -o long.csv -q 2>err &
    run=$!
    until ls .long.csv.*.part >/dev/null 2>&1; do
        kill -0 $run 2>/dev/null || fail "the long run ended: $(cat err)"
        sleep 0.1
    done
    kill -$signal $run
    wait $run
    [ $? -eq 130 ] || fail "status after $signal"
    [ -s long.csv ] || fail "no rows after $signal"
done
left=$(find . -name '.*.part')
[ -z "$left" ] || fail "left behind: $left"
# a run that outlives its terminal
nohup "$rung" simulate Long.mo --stop 1e7 --interval 1000 -o long.csv -q 2>err &
run=$!
until ls .long.csv.*.part >/dev/null 2>&1; do
    kill -0 $run 2>/dev/null || { fail "the run under nohup ended: $(cat err)"; break; }
    sleep 0.1
done
kill -HUP $run
sleep 0.3
kill -TERM $run || fail "ended by SIGHUP under nohup"
wait $run
[ $? -eq 130 ] || fail "status of a run under nohup"

# a file that may not grow: status 4 with the cause, and no signal ends the program
(ulimit -f 200 && "$rung" simulate Long.mo --stop 1 --interval 1e-5 -o full.csv -q 2>err)
[ $? -eq 4 ] && grep -q "cannot write 'full.csv': File too large" err || fail "a limit of files: $(cat err)"
[ -e full.csv ] && fail "a partial result under its name"

# two compilations into one directory
"$rung" compile --model $model -q -o both &
"$rung" compile --model Linkage.Examples.Slider -q -o both || fail "compile"
wait $! || fail "compile"
[ -z "$(find both -name '.*')" ] || fail "left behind in both"
# one of several patterns means nothing: that is said; where none means anything it is an error
"$rung" simulate --model Linkage.Examples.Slider --stop 0.1 --signals 'time,*.nothing[1..3],*' -q -o some.csv 2>err &&
    grep -q "no variable is called like '\*.nothing\[1..3\]'" err && [ "$(grep -c 'is called' err)" -eq 1 ] ||
    fail "a pattern without a variable: $(cat err)"
"$rung" simulate --model Linkage.Examples.Slider --stop 0.1 --signals '*.nothing' -q -o some.csv 2>err
[ $? -eq 2 ] || fail "patterns without a variable: $(cat err)"
[ $failed -eq 0 ] && echo "results are whole, and read the same in both formats"
exit $failed
