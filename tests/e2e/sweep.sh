#!/bin/sh
# rung sweep: values, the table against closed forms, runs that fail or are killed, going on.
# usage: sweep.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
find_python csv math

# x decays, y swings, s jumps, z has as many parts as n says
cat >Sweep.mo <<'END'
model Sweep
  parameter Real k = 1, w = 7;
  parameter Real limit = 100 "x must not fall below 1/limit";
  parameter Integer n = 1;
  parameter Boolean late = false;
  final parameter Real c = 2;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), v(start = w, fixed = true);
  Real z[n];
  output Real s = if time > 0.5 then 2 else 1;
equation
  der(x) = -k*x;
  der(y) = v;
  der(v) = -w^2*y;
  z = {i*x for i in 1:n};
  assert(x*limit > 1, "x is small");
  assert(k > 0, "k must be positive");
  annotation(experiment(StopTime = 1, Tolerance = 1e-9));
end Sweep;
END

# status, then the command
sweep() {
    want=$1
    shift
    "$rung" sweep "$@" >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "sweep $*: status $got, not $want: $(cat err)"
}
wrong() {
    message=$1
    shift
    "$rung" sweep Sweep.mo "$@" >out 2>err
    got=$?
    [ $got -eq 1 ] || [ $got -eq 2 ] || fail "sweep $*: status $got"
    grep -qF -- "$message" err || fail "sweep $*: $(cat err)"
}

# ---- the table against closed forms; the same for any number of processes ----
sweep 0 Sweep.mo --vary k=1,1.25,...,2 --vary late=false,true --jobs 1 -o a
sweep 0 Sweep.mo --vary k=1,1.25,...,2 --vary late=false,true --jobs 3 --keep -o b
grep -q '10 of 10 runs ok' out || fail "what is said: $(cat out)"
sed 's/"runs[^"]*"/""/' b/table.csv | cmp -s - a/table.csv || fail "the table depends on --jobs or --keep"
"$python" - <<'END' || fail "the table"
import csv, math
rows = list(csv.DictReader(open('a/table.csv')))
assert len(rows) == 10
for k, row in enumerate(rows):
    number = {name: float(text) for name, text in row.items()
              if name not in ('late', 'status', 'file', 'message')}
    c = 1 + 0.25 * (k // 2)
    assert number['run'] == k + 1 and number['k'] == c and number['time'] == 1
    assert row['late'] == ['false', 'true'][k % 2] and row['status'] == 'ok'
    exact = {'final(x)': math.exp(-c), 'min(x)': math.exp(-c), 'max(x)': 1,
             'integral(x)': (1 - math.exp(-c)) / c,
             'final(y)': math.sin(7), 'min(y)': -1, 'max(y)': 1, 'integral(y)': (1 - math.cos(7)) / 7,
             'min(v)': -7, 'max(v)': 7, 'integral(v)': math.sin(7),
             'final(s)': 2, 'min(s)': 1, 'max(s)': 2, 'integral(s)': 1.5}
    for name, value in exact.items():
        assert abs(number[name] - value) < 3e-7, (k, name, number[name], value)
END

# ---- a run is the run of `rung simulate` ----
file=$(awk -F, '$1 == 3 { print $(NF - 1) }' b/table.csv | tr -d '"')
[ "$(find b/runs -name '*.mat' | wc -l)" -eq 10 ] || fail "trajectories of --keep"
"$rung" simulate Sweep.mo --set k=1.25 -o one.mat -q || fail "simulate"
cmp -s one.mat "b/$file" || fail "run 3 is not what simulate gives: $file"

# ---- going on: a line is lost, another one is broken, half of one is there ----
cp a/table.csv before.csv
sed -i -e '3d' -e '5s/,ok,/,ok,1/' a/finished.csv
head -c -20 a/finished.csv >half && cat half >a/finished.csv
sweep 0 Sweep.mo --vary k=1,1.25,...,2 --vary late=false,true -o a
grep -q '7 of them finished before' out || fail "going on: $(cat out)"
cmp -s a/table.csv before.csv || fail "the table after going on"
sweep 0 Sweep.mo --vary k=1,1.25,...,2.25 --vary late=false,true -o a --format json
"$python" -c '
import json
j = json.load(open("out"))
assert j == json.load(open("a/sweep.json"))
assert (j["runs"], j["ok"], j["finished_before"]) == (12, 12, 10), j' || fail "JSON: $(cat out)"

# ---- runs that fail, runs that do not begin ----
sweep 3 Sweep.mo --vary k=-1,1 --vary limit=2,100 -o bad
"$python" - <<'END' || fail "runs that fail: $(cat bad/table.csv)"
import csv, os
rows = list(csv.DictReader(open('bad/table.csv')))
assert [r['status'] for r in rows] == ['invalid', 'invalid', 'failed', 'ok'], rows
assert 'k must be positive' in rows[0]['message'] and rows[0]['file'] == '', rows[0]
assert 'x is small' in rows[2]['message'] and os.path.getsize('bad/' + rows[2]['file']) > 0
assert 0.69 < float(rows[2]['time']) < 0.7 and float(rows[2]['final(x)']) > 0.49
END
grep -q '^rung: run 3 (k=1, limit=2) failed: .*x is small; results up to there in bad/runs/' err ||
    fail "failed runs are not named: $(cat err)"
[ "$(find bad/runs -type f | wc -l)" -eq 1 ] || fail "files of bad: $(ls bad/runs)"

# ---- what cannot be ----
wrong "has no variable of that name" --vary q=1,2 -o x
wrong "the range is empty" --vary k=2,1,...,3 -o x
wrong "the range is empty" --vary 'k=uniform(2,1)' --runs 3 -o x
wrong "the deviation must be above zero" --vary 'k=normal(2,0)' --runs 3 -o x
wrong "distributions are" --vary 'k=gamma(2,0)' --runs 3 -o x
wrong "there is no value" --vary k= -o x
wrong "sweep needs values of parameters" -o x
wrong "sweep needs -o DIR" --vary k=1
wrong "--runs is missing" --vary 'k=uniform(1,2)' -o x
wrong "--runs needs a whole number" --vary 'k=uniform(1,2)' --runs 0 -o x
wrong "'k' varies twice" --vary k=1 --vary k=2 -o x
wrong "--set gives it one value" --vary k=1,2 --set k=3 -o x
wrong "lists of one length" --vary k=1,2 --vary w=1 --sampling list -o x
wrong "--part needs I/K" --vary k=1,2 --part 3/2 -o x
printf 'k,w\n1,2\n3\n' >short.csv
wrong "short.csv:3: 1 values where the first row has 2 names" --vary-from short.csv -o x
sweep 4 Sweep.mo --vary-from none.csv -o x
[ ! -e x ] || fail "a folder of what cannot be"

if large; then
    wrong "is not a parameter" --vary x=1,2 -o x
    wrong "cannot set 'n' to '1.5': the value is no Integer" --vary n=1.5 -o x
    wrong "does not fit its type" --vary late=1 -o x
    wrong "no variable is called like 'nothing'" --vary k=1,2 --signals nothing -o x
    sweep 4 Sweep.mo --vary k=1 -o none/x

    # ---- values that are drawn ----
    sweep 0 Sweep.mo --vary 'k=uniform(1,3)' --vary 'w=normal(7,0.5)' --vary late=false,true \
        --runs 60 --sampling lhs --seed 5 -o lhs
    sweep 0 Sweep.mo --vary late=false,true --vary 'w=normal(7,0.5)' --vary 'k=uniform(1,3)' \
        --runs 60 --sampling lhs --seed 5 -o lhs
    grep -q '60 of them finished before' out || fail "the order of --vary matters"
    sweep 0 Sweep.mo --vary 'k=uniform(1,3)' --runs 40 -o r40
    sweep 0 Sweep.mo --vary 'k=uniform(1,3)' --runs 60 --seed 1 -o r60
    sweep 0 Sweep.mo --vary 'k=uniform(1,3)' --runs 60 -o r40
    grep -q '40 of them finished before' out || fail "more runs begin with others: $(cat out)"
    "$python" - <<'END' || fail "values that are drawn"
import csv, math
rows = list(csv.DictReader(open('lhs/table.csv')))
assert sorted(int((float(r['k']) - 1) * 30) for r in rows) == list(range(60))
p = [0.5 * math.erfc((7 - float(r['w'])) / 0.5 / math.sqrt(2)) for r in rows]
assert sorted(int(q * 60) for q in p) == list(range(60))
assert sorted(r['late'] for r in rows) == ['false'] * 30 + ['true'] * 30
assert [r['k'] for r in rows] != sorted(r['k'] for r in rows)
a, b = ([r['k'] for r in csv.DictReader(open(f + '/table.csv'))] for f in ('r40', 'r60'))
assert len(set(a)) == 60 and not set(a) & set(b)
assert all(1 <= float(k) < 3 for k in a) and 1.7 < sum(map(float, a)) / 60 < 2.3
END
    printf '"k", w\n1,2\n\n3,4\n' >pairs.csv
    sweep 0 Sweep.mo --vary-from pairs.csv --vary limit=60,70,80 -o pairs -q
    awk -F, 'NR > 1 { print $2, $3, $4 }' pairs/table.csv >got
    printf '60 1 2\n60 3 4\n70 1 2\n70 3 4\n80 1 2\n80 3 4\n' | cmp -s - got || fail "--vary-from: $(cat got)"

    # ---- ranges ----
    range() {
        rm -rf range
        sweep 0 Sweep.mo --vary "w=$1" -o range -q --stop 0.01
        got=$(awk -F, 'NR > 1 { printf "%s%s", separator, $2; separator = " " }' range/table.csv)
        [ "$got" = "$2" ] || fail "the range $1: $got, not $2"
    }
    range 2,1.5,...,-1 "2 1.5 1 0.5 0 -0.5 -1"
    range 0.001,0.01,...,10 "0.001 0.01 0.1 1 10"
    range 1,1.1,...,1.45 "1 1.1 1.2 1.3 1.4 1.45"
    range 1,2,...,8 "1 2 4 8"
    range 1,2,...,5,7 "1 2 3 4 5 7"
    range 1e3,2e3,...,5e3 "1e3 2e3 3e3 4e3 5e3"
    sweep 0 Sweep.mo --vary w=1,2,3 --vary limit=50,60,70 --sampling list -o listed -q
    awk -F, 'NR > 1 { print $2, $3 }' listed/table.csv >got
    printf '1 50\n2 60\n3 70\n' | cmp -s - got || fail "--sampling list: $(cat got)"

    # ---- structural parameters ----
    sweep 0 Sweep.mo --vary n=1,3 --vary k=1,2 --signals 'z[*]' -o n
    grep -q 'fixed when a model is compiled: n; compiled for each of 2 values' err || fail "structural: $(cat err)"
    "$python" - <<'END' || fail "structural parameters: $(cat n/table.csv)"
import csv, math
rows = list(csv.DictReader(open('n/table.csv')))
for k, r in enumerate(rows):
    for i in range(1, 4):
        text = r['final(z[%d])' % i]
        assert (text == '') == (i > int(r['n']))
        assert not text or abs(float(text) - i * math.exp(-1 - k % 2)) < 1e-7
END
    sweep 3 Sweep.mo --vary n=2,-1 -o m
    grep -q 'run 2 (n=-1) did not begin: Sweep.mo' err || fail "a value that cannot be compiled: $(cat err)"
    wrong "cannot be translated" --vary c=1 -o x

    # a factor of a derivative is a modifier where it is zero, since v is no state then
    cat >Lag.mo <<'END'
model Lag
  parameter Real C = 1, g = 1;
  Real v(start = 1);
equation
  C*der(v) = g*(2 - v);
  annotation(experiment(StopTime = 1, Tolerance = 1e-9));
end Lag;
END
    sweep 0 Lag.mo --vary C=1,0,2,0 --vary g=1,3 --signals v -o lag
    grep -q 'fixed when a model is compiled: C; compiled for each of 2 values' err || fail "a factor of a derivative: $(cat err)"
    "$python" - <<'END' || fail "a factor of a derivative: $(cat lag/table.csv)"
import csv, math
for k, r in enumerate(csv.DictReader(open('lag/table.csv'))):
    C, g = [1, 0, 2, 0][k // 2], [1, 3][k % 2]
    assert float(r['C']) == C and float(r['g']) == g
    exact = 2 - math.exp(-g/C) if C else 2
    assert abs(float(r['final(v)']) - exact) < 1e-7, (k, r)
END

    # ---- inputs and start values, a structural --set ----
    cat >Driven.mo <<'END'
model Driven
  input Real u;
  parameter Real k = 1;
  parameter Integer n = 2;
  Real x[n](each start = 0, each fixed = true);
equation
  der(x) = {k*i*u for i in 1:n};
end Driven;
END
    printf 'time,u\n0,0\n1,2\n' >u.csv
    sweep 0 Driven.mo --vary k=1,2,3 --set n=3 --start 'x[2]=5' --input u.csv -o driven
    printf 'time,u\n0,0\n1,4\n' >u.csv
    sweep 0 Driven.mo --vary k=1,2,3 --set n=3 --start 'x[2]=5' --input u.csv -o driven
    ! grep -q before out || fail "other data are the same to the digest"
    awk -F, 'NR > 1 { printf "%.4f %.4f %.4f\n", $6, $10, $14 }' driven/table.csv >got
    printf '2.0000 9.0000 6.0000\n4.0000 13.0000 12.0000\n6.0000 17.0000 18.0000\n' | cmp -s - got ||
        fail "driven: $(cat got)"

    # ---- a process that is killed costs its run; it is made the next time ----
    cat >Killed.mo <<'END'
model Killed
  function once "ends the process, the first time"
    input Real k;
    output Real y;
  external "C" y = once(k) annotation(Include = "
#include <signal.h>
#include <stdio.h>
static double once(double k)
{
    if (k != 4)
        return k;
    FILE *f = fopen(\"killed\", \"r\");
    if (f)
        fclose(f);
    else if ((f = fopen(\"killed\", \"w\")) && fclose(f) == 0)
        raise(SIGKILL);
    return k;
}
");
  end once;
  parameter Real k = 1, a = 0;
  Real x(start = 0, fixed = true);
equation
  der(x) = once(k);
end Killed;
END
    sweep 3 Killed.mo --vary k=1,2,...,12 -o gone
    grep -q '11 of 12 runs ok, 1 killed' out || fail "a process that is killed: $(cat out)"
    grep -q '^rung: run 4 (k=4) was lost: its process was ended by signal 9' err || fail "lost: $(cat err)"
    sweep 0 Killed.mo --vary k=1,2,...,12 -o gone
    grep -q '11 of them finished before' out || fail "after a kill: $(cat out)"

    # ---- interrupted, then all the rest ----
    cat >Long.mo <<'END'
model Long
  parameter Real k = 1;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = k*y;
  der(y) = -k*x;
end Long;
END
    for signal in INT TERM; do
        "$rung" sweep Long.mo --vary k=50,51,...,89 --stop 20 -o long-$signal >out 2>err &
        sweep=$!
        until [ -s long-$signal/finished.csv ]; do
            kill -0 $sweep 2>/dev/null || fail "the long sweep ended: $(cat err)"
            sleep 0.05
        done
        "$rung" sweep Long.mo --vary k=1,2 --stop 20 -o long-$signal >/dev/null 2>again
        [ $? -eq 4 ] && grep -q 'another command is at work' again || fail "two sweeps into one folder: $(cat again)"
        kill -$signal $sweep
        wait $sweep
        got=$?
        [ $got -eq 130 ] || fail "status $got after $signal"
        grep -q 'are left: the same command goes on' out || fail "interrupted: $(cat out)"
        sweep 0 Long.mo --vary k=50,51,...,89 --stop 20 -o long-$signal
        grep -q '40 of 40 runs ok' out || fail "the rest: $(cat out)"
    done
    cmp -s long-INT/table.csv long-TERM/table.csv || fail "tables after interrupts"

    # ---- in parts: as an array of jobs does it ----
    sweep 0 Sweep.mo --vary k=1,1.5,...,4 --jobs 2 -o parts --slurm
    for job in 1 2 3; do
        SLURM_ARRAY_TASK_ID=$job SLURM_CPUS_PER_TASK=1 sh parts/sweep.slurm >out 2>err || fail "job $job: $(cat err)"
    done
    [ ! -e parts/table.csv ] || fail "a part writes the table"
    sweep 0 Sweep.mo --vary k=1,1.5,...,4 -o parts
    grep -q '6 of them finished before' out || fail "parts: $(cat out)"
    [ "$(grep -c '^#SBATCH --array=1-4$' parts/sweep.slurm)" -eq 1 ] || fail "the array: $(cat parts/sweep.slurm)"

    # ---- by the ranks of mpirun; one that is killed ends the job, and the next one goes on ----
    wrong "no --jobs" --vary k=1,2 --mpi --jobs 2 -o x
    if command -v mpirun >/dev/null && [ -e "$(dirname "$rung")/rung_mpi.so" ]; then
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
        ranks() {
            mpirun --oversubscribe -n "$1" "$rung" sweep "$2" --vary k=1,1.5,...,4 --vary "$3" --mpi -o "$4" >out 2>err
        }
        ranks 4 Sweep.mo n=1,2 mpi || fail "four ranks: $(cat err)"
        grep -q '14 of 14 runs ok' out || fail "four ranks: $(cat out)"
        sweep 0 Sweep.mo --vary k=1,1.5,...,4 --vary n=1,2 -o no-mpi
        cmp -s mpi/table.csv no-mpi/table.csv || fail "the table by four ranks"
        ranks 1 Sweep.mo n=1,2 mpi-1 || fail "one rank: $(cat err)"
        cmp -s mpi/table.csv mpi-1/table.csv || fail "the table by one rank"
        rm -f killed
        ranks 4 Killed.mo late=0 mpi-killed && fail "a model without such a parameter by ranks"
        grep -q "'late' of Killed cannot be 0" err || fail "an error by ranks: $(cat err)"
        ranks 3 Killed.mo a=0,1 mpi-killed && fail "a job whose rank was killed"
        [ -s mpi-killed/finished.csv ] || fail "nothing is kept of it"
        ranks 3 Killed.mo a=0,1 mpi-killed || fail "the job again: $(cat err)"
        grep -q '14 of 14 runs ok, [1-9][0-9]* of them finished before' out || fail "it does not go on: $(cat out)"
    else
        echo "in part skipped: no mpirun, or built without MPI"
    fi
fi
[ $failed -eq 0 ] && echo "sweeps keep their word"
exit $failed
