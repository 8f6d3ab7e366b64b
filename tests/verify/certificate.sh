#!/bin/sh
# Certificates of models are accepted by a checker that is not rung, and changed ones refused.
# usage: certificate.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/../e2e/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
export PYTHONDONTWRITEBYTECODE=1

printf 'model Kepler\n  Real x;\nequation\n  x + sin(x)/2 = time;\nend Kepler;\n' >Kepler.mo
cat >Diode.mo <<'EOF'
model Diode
  Real s(start = 1), v, i, u(start = 1), w, z, k;
  Boolean off;
equation
  off = s < 0;
  v = if off then s else 0;
  i = if off then 0 else s;
  u - v = 2*i;
  der(u) = -u + sin(time) - i;
  w = abs(3*u) + max(u, v) + sqrt(u*u + 1) + mod(u, 3);
  z = floor(u) + (if u > 1e-19 then 1 else 2);
  k = exp(-u) + atan2(u, v) + u^2.5;
end Diode;
EOF

# FILE ARGUMENTS: a certificate that is accepted
accepted() {
    file=$1
    shift
    "$rung" verify "$@" --points 2 --certificate "$file" >log 2>&1 || fail "verify $*: $(cat log)"
    python3 "$here/check_certificate.py" "$file" >verdict 2>&1 || fail "$*: $(cat verdict)"
    grep -q '^accepted' verdict || fail "$*: $(cat verdict)"
}

"$rung" verify Diode.mo --certificate Diode.cert >log 2>&1 || fail "verify: $(cat log)"
grep -c '^2305843' Diode.cert | grep -q '^16$' || fail "as many points as rung takes"
accepted Kepler.cert Kepler.mo
accepted pendulum.cert --model 'Linkage.Examples.PlanarPendulum(n=2)'
accepted crank.cert --model Linkage.Benchmarks.SliderCrank

seeds=1
large && seeds=$$ # another one each time, and printed
night && seeds="2 3 4 $$"
for seed in $seeds; do
    (cd "$here" && python3 change_certificate.py 200 $seed "$dir/Kepler.cert" "$dir/Diode.cert" \
        "$dir/pendulum.cert" "$dir/crank.cert") >log 2>&1 || fail "changes: $(cat log)"
done
python3 "$here/check_certificate.py" Kepler.cert --seed other >log || fail "other points: $(cat log)"
printf 'rung certificate 2\n' >other.cert
python3 "$here/check_certificate.py" other.cert >log
[ $? -eq 2 ] || fail "another version: $(cat log)"
"$rung" verify Kepler.mo --certificate no/such/folder/F >log 2>&1
[ $? -eq 2 ] || fail "a folder that is not there: $(cat log)"

if large; then
    for file in "$source"/library/Linkage/Examples/*.mo "$source"/library/Linkage/Benchmarks/*.mo; do
        name=$(basename "$file" .mo)
        folder=$(basename "$(dirname "$file")")
        grep -q "^model $name" "$file" || continue
        accepted "$name.cert" --model "Linkage.$folder.$name"
    done
    n=100
    night && n=300
    accepted long.cert --model "Linkage.Examples.AlternatingPendulum(n=$n)"
fi

[ $failed -eq 0 ] && echo "certificates are accepted, changed ones refused"
exit $failed
