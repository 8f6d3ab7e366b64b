#!/bin/sh
# Values of --set as they are written: with units, as literals, arrays and texts, in a file; those
# that are wrong are refused with the name or the value that is meant, before anything runs.
# usage: settings.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >m.mo <<'MO'
package P
  type Kind = enumeration(few, many);
  model Beam
    parameter Real Mass(unit = "kg") = 1;
    parameter Real L(unit = "m") = 1;
    parameter Real T(unit = "K") = 300;
    parameter Real plain = 1;
    parameter Integer count = 3;
    parameter Kind kind = Kind.few;
    parameter Kind shape = Kind.few;
    parameter Boolean on = false;
    parameter String name = "beam";
    parameter Real v[2, 2] = {{1, 2}, {3, 4}};
    parameter Real w[:] = {1, 2};
    parameter Integer n = if shape == Kind.many then 4 else 2;
    Real x[n](each start = 1, each fixed = true);
    Real sum_w = sum(w);
    Integer k = if kind == Kind.many then 20 else 10;
  equation
    der(x) = -x*Mass;
    assert(name == "beam", "it is called " + name, AssertionLevel.warning);
  end Beam;
end P;
MO

# value NAME WANTED OPTIONS...: the last value of a variable
value() {
    name=$1
    wanted=$2
    shift 2
    "$rung" simulate m.mo --model P.Beam --stop 1 --signals "$name" -q -o v.csv "$@" >out.txt 2>&1 ||
        fail "$*: $(cat out.txt)"
    found=$(tail -1 v.csv | sed 's/.*,//')
    [ "$found" = "$wanted" ] || fail "$*: $name = $found, not $wanted"
}

value L 0.005 --set 'L=5 mm'
"$rung" flatten m.mo --model P.Beam --set 'L=5 mm' >out.txt 2>&1 && grep -q "'L'.* = 0.005;" out.txt || fail "digits of a value with a unit: $(grep "'L'" out.txt)"
value L 2 --set 'L = 2 m'
value Mass 2 --set 'Mass=2000 g'
value T 293.15 --set 'T=20degC'
value T 250 --set T=250
value count 7 --set count=7
value on 1 --set on=true
value kind 2 --set kind=many
value kind 2 --set kind=Kind.many
value kind 2 --set kind=P.Kind.many
value kind 2 --set kind=2
value k 20 --set kind=many
value 'v[2,1]' 7 --set 'v={{5,6},{7, 8}}'
value 'v[1,2]' 6 --set 'v={{5,6},{7,8}}'
# decides about the structure, so that the model is translated again
value n 4 --set shape=many
value sum_w 6 --set 'w={1,2,3}'
value sum_w 11 --set 'w={5,6}'
value k 10 --set 'name="a=b"'
grep -q 'it is called a=b' out.txt || fail "the text is not set: $(cat out.txt)"
printf '# of the drawing\n\n  L = 30 cm\nkind=many\r\n' >set.txt
value L 0.3 --set @set.txt
value k 20 --set @set.txt --set L=2

# wrong TEXT OPTIONS...: refused with these words, and without a result
wrong() {
    words=$1
    shift
    rm -f v.csv
    "$rung" simulate m.mo --model P.Beam --stop 1 -o v.csv "$@" >out.txt 2>&1 && fail "$*: accepted"
    grep -qF -- "$words" out.txt || fail "$*: $(cat out.txt)"
    grep -q audit out.txt && fail "$*: an audit of nothing"
    [ ! -e v.csv ] || fail "$*: a result"
}
wrong "did you mean 'Mass'?" --set mass=2
wrong "did you mean 'count'?" --set cuont=2
wrong 'it is an array: set one element' --set v=5
wrong 'its unit is kg' --set 'Mass=2 m'
wrong "'kgg' is no unit" --set 'Mass=2 kgg'
wrong 'it has no unit' --set 'plain=2 m'
wrong 'the value is no Integer' --set count=2.5
wrong 'it is true or false' --set on=1
wrong 'its values are few, many' --set kind=some
wrong 'its values are few, many' --set kind=3
wrong 'its values are few, many' --set shape=some
wrong "cannot set 'v[1,2]' to 'a'" --set 'v={{5,a},{7,8}}'
wrong '[2, 2]' --set 'v={5,6}'
wrong 'a String is written name="text"' --set name=girder
wrong "no element 'nam' to modify; did you mean 'name'?" --set 'nam="girder"'
wrong 'a start value is given by --start' --set 'x[1]=2'
wrong 'not of the form name=value' --set L
wrong 'cannot read' --set @none.txt
wrong "did you mean 'x[1]'?" --start 'X[1]=2'

# the same texts in a sweep, and where there is no program
"$rung" sweep m.mo --model P.Beam --vary kind=few,many --vary shape=few,many --sampling grid \
    --set 'L=5 mm' --stop 1 -o sweep >out.txt 2>&1 || fail "sweep: $(cat out.txt)"
grep -q '4 of 4 runs ok' out.txt || fail "sweep: $(cat out.txt)"
"$rung" parameters m.mo --model P.Beam --set 'Mass=2 s' >out.txt 2>&1 && fail 'parameters: accepted'
grep -q 'its unit is kg' out.txt || fail "parameters: $(cat out.txt)"
"$rung" dof m.mo --model P.Beam --set mass=2 >out.txt 2>&1 && fail 'dof: accepted'
grep -q "did you mean 'Mass'?" out.txt || fail "dof: $(cat out.txt)"
"$rung" bench m.mo --model P.Beam --set mass=2 >out.txt 2>&1 && fail 'bench: accepted'
grep -q "did you mean 'Mass'?" out.txt || fail "bench: $(cat out.txt)"
"$rung" linearize m.mo --model P.Beam --set 'Mass=2000 g' --set shape=many >out.txt 2>&1 ||
    fail "linearize: $(cat out.txt)"
grep -q '4 states' out.txt || fail "linearize: $(cat out.txt)"

# commands that run nothing: modifiers of the model, with units and literals
"$rung" count "$source/examples/rope.mo" --set n=3 --order ladder >set.txt 2>&1 || fail "count: $(cat set.txt)"
"$rung" count "$source/examples/rope.mo" --model 'Rope(n=3)' --order ladder >modified.txt 2>&1 ||
    fail "count: $(cat modified.txt)"
cmp -s set.txt modified.txt || fail "count: --set is not the modifier"
"$rung" flatten m.mo --model 'P.Beam(Mass=4)' --set shape=many --set 'Mass=500 g' --set 'w={3,4,5}' \
    --set 'name="b"' >out.txt 2>&1 || fail "flatten: $(cat out.txt)"
for wanted in "'x.4.'" "'Mass'.* = 0.5;" "'w.3.' = 5;" "'name' = \"b\";"; do
    grep -q "$wanted" out.txt || fail "flatten: no $wanted in $(cat out.txt)"
done
for command in check verify passes graph "compile -o set" "fmu -o set.fmu" "-d match"; do
    # shellcheck disable=SC2086
    "$rung" $command m.mo --model P.Beam --set mass=2 >out.txt 2>&1 && fail "$command: accepted"
    grep -q "did you mean 'Mass'?" out.txt || fail "$command: $(cat out.txt)"
done
"$rung" check m.mo --model P.Beam --set 'v[1,1]=3' >out.txt 2>&1 && fail 'check: accepted'
grep -q 'give the whole array' out.txt || fail "check: $(cat out.txt)"
exit $failed
