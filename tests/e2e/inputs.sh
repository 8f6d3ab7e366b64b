#!/bin/sh
# Inputs that follow data: each interpolation against the integral by hand, events at jumps, and
# what is wrong with data, with its place.
# usage: inputs.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >lag.mo <<'MO'
model Lag
  input Real u(start = 0);
  input Boolean on(start = false);
  input Integer level(start = 0);
  Real x(start = 0, fixed = true), n(start = 0, fixed = true), y;
  discrete Real count(start = 0, fixed = true), passed(start = 0, fixed = true);
equation
  der(x) = u;
  der(n) = if on then level else 0;
  y = u^2;
  when on then
    count = pre(count) + 1;
  end when;
  when u > 2.5 then
    passed = time;
  end when;
end Lag;
MO
cat >d.csv <<'CSV'
"time","u","on","level","other"
0,0,0,2,1
1,1,true,2,1
1,3,1,2,1
2,3,0,5,1
3,0,true,5,1
4,0,false,5,1
CSV
# the last value of the column
last() {
    awk -F, -v name="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } END { print $c }' r.csv
}
near() {
    awk -v a="$(last "$1")" -v b="$2" 'BEGIN { exit !((a - b)^2 <= 1e-9) }' || fail "$how: $1 = $(last "$1") instead of $2"
}
# integrals of u: trapezia; rectangles; Hermite's cubics on [0, 1] (a line), [1, 4] with slopes 0,
# -1.5, -1.5, 0: h (a + b) / 2 + h^2 (a' - b') / 12
for method in ida esdirk dopri5 'rk4 --step 0.125'; do
    for how in 'linear 5 0' 'hold 6 1' 'cubic 5 0'; do
        set -- $how
        # shellcheck disable=SC2086
        "$rung" simulate lag.mo --input d.csv --interpolation "$1" --stop 4 --interval 1 \
            --method $method --tolerance 1e-7 -o r.csv -q 2>err || fail "$method $how: $(cat err)"
        near x "$2"
        near n 7
        near count 2
        near passed 1
    done
done
grep -q "'other'" err && fail "said with --quiet"
# with the cubic there is something else between rows; a jump stands in two rows
"$rung" simulate lag.mo --input d.csv --interpolation cubic --stop 4 --interval 0.5 -o r.csv >out 2>err
grep -q "not used.*'other'" err || fail "a column that is no input is not said"
awk -F, '$1 == 1 { n++; u[n] = $2 } $1 == 2.5 { middle = $2 } END { exit !(n == 2 && u[1] == 1 && u[2] == 3 && (middle - 1.5)^2 < 1e-20) }' r.csv ||
    fail "rows at a jump, or the cubic between rows"
# the equations hold along the run, too
"$rung" simulate lag.mo --input d.csv --stop 4 --audit -o r.csv >out 2>&1 || fail "audit: $(cat out)"
# a result of ours is data: the same run again, from MAT and from CSV
for kind in mat csv; do
    "$rung" simulate lag.mo --input d.csv --stop 4 --interval 1 --method rk4 --step 0.125 -o first.$kind -q
    "$rung" simulate lag.mo --input first.$kind --stop 4 --interval 1 --method rk4 --step 0.125 -o r.csv -q ||
        fail "results as data: $kind"
    near x 5
    near n 7
done

# units in heads: those of another size are converted, in time and values
cat >heat.mo <<'MO'
model Heat
  input Real T(unit = "K", start = 0);
  input Real v(unit = "m/s", start = 0);
  input Real n(start = 0);
  Real x(start = 0, fixed = true);
equation
  der(x) = v;
end Heat;
MO
printf 'time [min],T [degC],v [km/h],n [1]\n0,0,0,1\n0.1,100,36,2\n' >heat.csv
"$rung" simulate heat.mo --input heat.csv --stop 6 --tolerance 1e-8 -o r.csv -q 2>err ||
    fail "units in heads: $(cat err)"
near T 373.15
near v 10
near n 2
near x 30
"$rung" plot r.csv --signals x -o r.svg || fail "a result is not drawn"

# what is wrong, and where
wrong() {
    want=$1
    text=$2
    shift 2
    "$rung" simulate lag.mo "$@" -o none.csv >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "status $got instead of $want: $* $(cat err)"
    grep -qF "$text" err || fail "'$text' is not in: $(cat err)"
    [ ! -e none.csv ] || fail "a result in spite of: $text"
}
sed 's/^2,3/2,three/' d.csv >bad.csv
wrong 1 "bad.csv:5:3: 'three' is no number" --input bad.csv --stop 4
sed 's/^3,/1.5,/' d.csv >bad.csv
wrong 1 "bad.csv:6:1: 'time' = 1.5: the time goes back" --input bad.csv --stop 4
sed 's/,true,5,1/,2,5,1/' d.csv >bad.csv
wrong 1 "bad.csv:6:5: 'on' = 2" --input bad.csv --stop 4
sed 's/,2,1$/,2.5,1/' d.csv >bad.csv
wrong 1 "bad.csv:2:7: 'level' = 2.5" --input bad.csv --stop 4
sed 's/^2,3/2,nan/' d.csv >bad.csv
wrong 1 "bad.csv:5:3: 'u' = nan: the value is not finite" --input bad.csv --stop 4
wrong 1 "end at t = 4, before the run at 5" --input d.csv --stop 5
wrong 1 "also given by --set" --input d.csv --stop 4 --set u=1
printf 'time,a\n0,1\n' >bad.csv
wrong 1 "no column has the name of an input" --input bad.csv --stop 4
printf 'time,u\n' >bad.csv
wrong 1 "no rows" --input bad.csv --stop 4
printf 'time,u,u\n0,1,2\n9,1,2\n' >bad.csv
wrong 1 "in two columns" --input bad.csv --stop 4
printf 'time,u\n1,1\n9,2\n' >bad.csv
wrong 1 "begin at t = 1" --input bad.csv --stop 4
sed 's/km.h/kg/' heat.csv >bad.csv
"$rung" simulate heat.mo --input bad.csv --stop 6 -o none.csv >out 2>err && fail "kg for m/s"
grep -qF "column 'v' has unit 'kg', which cannot be converted to 'm/s'" err || fail "kg: $(cat err)"
wrong 4 "none.mat: No such file" --input none.mat --stop 4
wrong 2 "needs --input" --interpolation hold --stop 4
"$rung" simulate lag.mo --input d.csv --interpolation hold --stop 5 -o r.csv >out 2>err || fail "held to the end"
grep -q 'held' err || fail "what is held to the end is not said"
exit $failed
