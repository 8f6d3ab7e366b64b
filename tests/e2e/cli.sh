#!/bin/sh
# The command line: libraries, parameters, formats, the compiled directory.
# usage: cli.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
mkdir -p "$dir/lib/Lib"

# libraries: by option, by MODELICAPATH, by a structured package as a file
printf 'within ;\npackage Lib\nend Lib;\n' >lib/Lib/package.mo
printf 'within Lib;\nmodel M\n  parameter Real k = 2;\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -k*x;\nend M;\n' >lib/Lib/M.mo
"$rung" check --library lib --model Lib.M >/dev/null || fail "--library"
MODELICAPATH="$dir/none:$dir/lib" "$rung" check --model Lib.M >/dev/null || fail "MODELICAPATH"
"$rung" check lib/Lib --model Lib.M >/dev/null || fail "a package as a directory"

# by its name alone; the file of a class in a package is that class
"$rung" simulate --library lib 'Lib.M(k=3)' --tolerance 1e-17 -q -o - 2>&1 >out | grep -q '1e-17 is below the rounding' ||
    fail "a tolerance below rounding"
"$rung" check robot.urdf 2>&1 | grep -q "cannot read 'robot.urdf'" || fail "a file that is missing"
"$rung" check --library lib 'Lib.M(k=3)' | grep -qx 'Lib.M(k=3)' || fail "a class by its name alone"
"$rung" check lib/Lib/M.mo | grep -qx 'Lib.M' || fail "a file within a package"
(cd lib/Lib && "$rung" check M.mo) | grep -qx 'Lib.M' || fail "a file within a package, from its folder"
printf 'within Lib;\nmodel N\nend N;\nmodel O\nend O;\n' >lib/Lib/N.mo
"$rung" simulate lib/Lib/N.mo 2>err
[ $? -eq 2 ] && grep -q 'name one with --model: Lib.N Lib.O$' err || fail "two models within a package: $(cat err)"
(cd lib/Lib && "$rung" check M 2>err)
[ $? -eq 2 ] && grep -q "did you mean 'M.mo'?" lib/Lib/err || fail "a file without its suffix: $(cat lib/Lib/err)"
"$rung" check --library lib Lib.M none.mo 2>err
[ $? -eq 4 ] && grep -q "cannot read 'none.mo'" err || fail "a class beside a file that is missing: $(cat err)"
"$rung" view none.mat -o v.html 2>err
[ $? -eq 4 ] || fail "a result that is missing is no class: $(cat err)"
"$rung" check --library lib Lib.None 2>err
[ $? -eq 1 ] && grep -q "N02" err || fail "a class that is missing: $(cat err)"
rm lib/Lib/N.mo

# check for scripts
"$rung" check --library lib --model 'Lib.M(k=3)' --format json >check.json || fail "check"
for field in '"model": "Lib.M(k=3)"' '"equations": 1' '"unknowns": 1' '"states": 1'; do
    grep -q "$field" check.json || fail "check.json lacks $field"
done

# the flat size also of a model that fails later, with status 1
printf 'model Late\n  input Real u;\n  Real x, v;\nequation\n  v = der(x);\n  x = u;\nend Late;\n' >late.mo
"$rung" check late.mo --format json >check.json 2>err
[ $? -eq 1 ] || fail "status of a model that fails late"
for field in '"equations": 2' '"unknowns": 2' '"errors": 1'; do
    grep -q "$field" check.json || fail "check.json of a model that fails late lacks $field"
done

# results: time first, names quoted; the last value of x after `--set k`
last_x() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"x\"") c = i } END { print $c }' "$1"
}
"$rung" simulate --library lib --model Lib.M --stop 1 --interval 0.25 --tolerance 1e-9 -o a.csv \
    >/dev/null 2>&1 || fail "simulate"
head -n 1 a.csv | grep -q '^"time",' || fail "header of the result"
[ "$(wc -l <a.csv)" -eq 6 ] || fail "rows of the result"
"$rung" simulate --library lib --model Lib.M --stop 1 --tolerance 1e-9 --set k=0.5 -o b.csv \
    >/dev/null 2>&1 || fail "--set"
awk -v x="$(last_x a.csv)" 'BEGIN { exit !((x - exp(-2))^2 < 1e-14) }' || fail "x of a.csv"
awk -v x="$(last_x b.csv)" 'BEGIN { exit !((x - exp(-0.5))^2 < 1e-14) }' || fail "x of b.csv"

# what cannot be done has its status and a message
status() {
    want=$1
    shift
    "$rung" "$@" >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "status $got instead of $want: rung $*"
    [ -s err ] || fail "no message: rung $*"
}
status 1 simulate --library lib --model Lib.M --set nothing=1 -o c.csv
status 1 simulate --library lib --model Lib.M --set k=two -o c.csv
status 2 simulate --library lib --model Lib.M --method none -o c.csv
status 4 simulate --library lib --model Lib.M -o none/c.csv
status 2 count --library lib --model Lib.M --order none
status 2 check --library lib --model Lib.M --order none
status 2 simulate --library lib --model Lib.M --order ladder,none -o c.csv
status 2 compile --library lib --model Lib.M --start x=3 -o out.dir
status 2 compile --library lib --model Lib.M --method guess -o out.dir
[ ! -e out.dir ] || fail "an option that compile does not take"

# an equation that is solved numerically is proved to be what Newton's method solves
printf 'model Kepler\n  Real x;\nequation\n  x + sin(x)/2 = time;\nend Kepler;\n' >kepler.mo
"$rung" verify kepler.mo >out 2>&1
[ $? -eq 0 ] && grep -q '1 of them where Newton' out || fail "verify of a nonlinear loop: $(cat out)"
"$rung" verify --library lib --model Lib.M --points 5 >out 2>&1 || fail "verify"
grep -q 'hold exactly at 5 random points' out && grep -q 'probability below' out ||
    fail "what verify says: $(cat out)"

# a run that fails keeps what it has: x = 1/(1 - t) has no value at 1
printf 'model Pole\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = x^2;\nend Pole;\n' >pole.mo
status 3 simulate pole.mo --model Pole --stop 2 --interval 0.1 -o pole.csv
[ "$(wc -l <pole.csv)" -ge 10 ] || fail "the result of the run that failed"

# the compiled directory builds where rung is not
"$rung" compile --library lib --model Lib.M -o out.dir >/dev/null || fail "compile"
if make_program out.dir >log 2>&1; then
    program=$(find out.dir -type f -perm -u+x | head -n 1)
    "$program" --stop 1 --tolerance 1e-9 -o c.csv >log 2>&1 || { cat log; fail "the program built"; }
    awk -v x="$(last_x c.csv)" 'BEGIN { exit !((x - exp(-2))^2 < 1e-14) }' || fail "x of c.csv"
else
    cat log
    fail "make in the compiled directory"
fi

# what programs read: one JSON text, which says the same as the text for people
json() {
    name=$1
    shift
    "$rung" "$@" --format json >"$name.json" 2>err || fail "$*: $(cat err)"
}
json passes passes
json verify verify --library lib --model Lib.M --points 2
json compile compile --library lib --model Lib.M -o out.dir
json clibrary compile --model Linkage.Examples.DrivenArm --kind library -o out.lib
json bench bench --library lib --model Lib.M --what xdot
json same compare a.csv a.csv
json none dof --library lib --model Lib.M
json loops dof --model Linkage.Benchmarks.SliderCrank
json flat flatten --library lib --model Lib.M
json dump -d alias --library lib --model Lib.M
json parse parse lib
"$rung" compare b.csv a.csv --format json >other.json && fail "compare of different results"
"$rung" dof --model Linkage.Benchmarks.SliderCrank >loops.txt
"$rung" passes >passes.txt
find_python json
"$python" - <<'END' || fail "JSON"
import json, os, re
read = lambda name: json.load(open(name + '.json'))
made = read('clibrary')
head = open('out.lib/%s.h' % made['id']).read()
for sort in 'state', 'input', 'output', 'parameter':
    for v in made[sort + 's']:
        place = re.search(r'_%s_\w+ = (\d+), /\* %s[ ,:]' % (sort.upper(), re.escape(v['name'])), head)
        assert int(place[1]) == v['place'], (sort, v)
assert made['states'] and made['parameters'] and made['states'][0]['unit'] == 'rad', made
rows, columns = made['jacobian']['rows'], made['jacobian']['columns']
assert '_JACOBIAN_ROWS %du' % len(rows) in head and '_JACOBIAN_COLUMNS %du' % len(columns) in head, head
assert rows[:len(made['states'])] == [v['name'] for v in made['states']], rows
assert made['events'] == ('_next_event' in head), made
assert 'states' not in read('compile')
flat = read('flat')
assert flat['variables'] and flat['equations'] and 'model' in flat['text'], flat
for v in flat['variables']:
    assert v['name'] and v['type'] == 'Real' or v['kind'] != 'continuous', v
for e in flat['equations']:
    assert e['left'] and e['right'] and '.mo:' in e['where'], e
assert read('dump')['pass'] == 'alias' and 'equation' in read('dump')['text']
assert read('parse')['errors'] == 0 and read('parse')['files'] > 0 and read('parse')['lines'] > 0
assert [p['name'] for p in read('passes')] == [line.split()[0] for line in open('passes.txt')]
v = read('verify')
assert v['proved'] and v['holds'] and v['points'] == 2 and v['equations'] == 1, v
c = read('compile')
assert c['model'] == 'Lib.M' and c['files'] and all(os.path.exists('out.dir/' + f) for f in c['files']), c
b = read('bench')
assert [(m['what'], m['size']) for m in b['measured']] == [('xdot', 1)] and b['measured'][0]['ns'] > 0, b
assert read('same')['ok'] and all(s['status'] == 'inside' for s in read('same')['signals'])
other = read('other')
assert not other['ok'] and {s['name']: s['status'] for s in other['signals']}['x'] == 'outside', other
assert read('none')['loops'] == []
loops, text = read('loops'), open('loops.txt').read()
assert len(loops['loops']) == 1 and loops['loops'][0]['cut'] in text and loops['loops'][0]['coordinates'][0] in text, loops
forces = loops['loops'][0]['forces']
assert sum(f['redundant'] for f in forces) == loops['redundant'] == sum(c['redundant'] for c in loops['constraints']), loops
assert '%d constraints on them, %d redundant' % (len(loops['constraints']), loops['redundant']) in text, loops
assert '%d degree' % loops['degrees_of_freedom'] in text, loops
END

# help of a command, asked for in three ways
"$rung" help bench >help.txt && grep -q '^rung bench FILES' help.txt || fail "help bench"
for asked in "bench --help" "--help bench"; do
    "$rung" $asked | cmp -s - help.txt || fail "rung $asked"
done
"$rung" --help | grep -q '^  rung simulate' || fail "--help"
"$rung" simulate --model M --jacobian all 2>err
[ $? -eq 2 ] || fail "a run with all Jacobians"

# an option counts once, with one of its values, where the command takes it
usage() {
    message=$1
    shift
    "$rung" "$@" >out 2>err
    [ $? -eq 2 ] && grep -qF -- "$message" err || fail "rung $*: $(cat err)"
}
usage "--method is given twice, as 'ida' and as 'bdf'" simulate --model M --method ida --method bdf
usage "--stop is given twice, as '1' and as '2'" simulate --model M --stop 1 --stop 2
usage "--output is given twice" flatten --model M -o a --output b
usage "unknown option '--tolerence=1'; did you mean '--tolerance'?" simulate --model M --tolerence=1
usage "there is no command 'simluate'; did you mean 'simulate'?" simluate --model M
usage "there is no command 'method'; did you mean 'methods'?" help method
usage "there is no command 'nothing'; see \`rung help\`" nothing
usage "--stop needs a number, not 'soon'" simulate --model M --stop soon
usage "takes no option --stop" check --model M --stop 1
usage "--format does not know 'csv'; it takes text, json" check --model M --format csv
usage "--loops does not know 'none'" check --model M --loops none
usage "option '--model' needs a value" check --model
usage "unknown option '--modle'" check --modle M
usage "unknown option '--libr'; --library has to be written in full" check --libr lib --model Lib.M
usage "unknown option '--libr'; --library has to be written in full" check --libr=lib --model Lib.M
"$rung" flatten --library lib --model Lib.M --model Lib.M -q --quiet >out || fail "the same value twice"

# help names each option with its values, from the table by which it is read
"$rung" help simulate >help.txt
for words in '--stop T' '--jacobian analytic|coloured|dense' '--set p=v' 'rung help methods'; do
    grep -qF -- "$words" help.txt || fail "help of simulate: $words"
done
! grep -qF -- '--sweep' help.txt || fail "help of simulate has options of others"
# and each method, as docs/methods.md does
"$rung" help methods >help.txt
methods=$("$rung" simulate --model M --method none 2>&1 | sed 's/.*it takes //; s/,//g')
for method in $methods; do
    tr -s ' ,.;' '\n' <help.txt | grep -qx -- "$method" || fail "help of methods: $method"
    grep -q "^|.*\`$method\`" "$source/docs/methods.md" || fail "docs/methods.md: $method"
done
[ "${methods%% *}" = esdirk ] || fail "no methods: $methods"

[ $failed -eq 0 ] && echo "the command line keeps its word"
# units that do not fit: a run tells of them once, also where it translates the model again
cat >speed.mo <<'END'
model Speed
  parameter Integer n = 1;
  Real v(unit = "m/s"), x[n](each unit = "m", each start = 0, each fixed = true);
equation
  der(x) = fill(v, n);
  v = sum(x) + 1;
end Speed;
END
"$rung" simulate speed.mo --set n=2 --stop 1 -o speed.csv >out 2>err || fail "Speed: $(cat err)"
[ "$(grep -c 'speed.mo:6:3: warning U01' err)" -eq 1 ] || fail "one warning of units: $(cat err)"
"$rung" simulate speed.mo --unit-check off --stop 1 -o speed.csv >out 2>err || fail "Speed: $(cat err)"
! grep U01 err || fail "units were not to be looked at"

exit $failed
