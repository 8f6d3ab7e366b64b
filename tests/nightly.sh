#!/bin/sh
# Tests that take hours: random models against exact values, random mechanisms in several writings, with other
# seeds each night, then fuzzing of the parser and of flattening. The seed is the day, so that a failure can be seen again.
# usage: nightly.sh RUNG FUZZERS DIR [MINUTES]    FUZZERS: the folder of the fuzzers, - for none
# DIR keeps the models that failed, what crashes a fuzzer and what it has learned for the next night.
set -eu
[ $# -ge 3 ] || { sed -n '2,7s/^# //p' "$0"; exit 2; }
rung=$1 fuzzers=$2 out=$3 minutes=${4:-120}
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/.." && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
bad=0
seed=${RUNG_SEED:-$(($(date +%s) / 86400 * 100000))}
part=$((minutes * 60 / 4))
end=$(($(date +%s) + part))
models=0
echo "random models from seed $seed"
while [ "$(date +%s)" -lt "$end" ]; do
  # --models counts the seeds from --seed on
  nice python3 "$here/random/random_models.py" "$rung" --models 100 --seed "$seed" \
    --keep "$out/models" >"$out/random.log" 2>&1 || { grep -v ' wrong or refused$' "$out/random.log"; bad=1; }
  nice python3 "$here/random/random_loops.py" "$rung" --models 5 --seed "$seed" --keep "$out/models" >"$out/random.log" 2>&1 ||
    { cat "$out/random.log"; bad=1; }
  seed=$((seed + 100))
  models=$((models + 100))
done
echo "$models random models"
MODELICAPATH=$source/library nice python3 "$here/random/random_counts.py" "$rung" || bad=1

# Mechanisms of up to 30 bodies and 8 loops, one after the other.
end=$(($(date +%s) + part))
mechanisms=0
mkdir -p "$out/mechanisms"
while [ "$(date +%s)" -lt "$end" ]; do
  seed=$((seed + 1))
  mechanisms=$((mechanisms + 4))
  for kind in 'linkages --hung 13' 'mechanisms --bodies 14' 'closings --bodies 14' 'closings --bodies 6 --grid'; do
    # shellcheck disable=SC2086
    nice python3 "$here"/random/random_${kind%% *}.py "$rung" ${kind#* } --loops 8 --mechanisms 1 --seed "$seed" \
      --count --keep "$out/mechanisms" >"$out/random.log" 2>&1 || { cat "$out/random.log"; bad=1; }
  done
done
echo "$mechanisms random mechanisms"
nice python3 "$here/random/classic_linkages.py" "$rung" --orders 50 || bad=1
[ "$fuzzers" != - ] || exit $bad

# Each model of the rules is a seed of its own.
mkdir -p "$out/seeds"
awk -v out="$out/seeds" '
  /^\/\/ (legal|illegal|warning|open) / { close(file); file = sprintf("%s/%04d.mo", out, n++); printf "" > file; next }
  file { print > file }' "$here"/rules/*.mo
cp "$here"/golden/flatten/*.mo "$out/seeds"
for fuzzer in parser_fuzz flatten_fuzz; do
  mkdir -p "$out/$fuzzer" "$out/crashes"
  ASAN_OPTIONS=abort_on_error=1 nice "$fuzzers/$fuzzer" -dict="$here/fuzz/modelica.dict" -max_len=3000 \
    -timeout=10 -rss_limit_mb=2000 -artifact_prefix="$out/crashes/" -print_final_stats=1 \
    -max_total_time=$part "$out/$fuzzer" "$out/seeds" "$source/library" "$source/examples" \
    >"$out/$fuzzer.log" 2>&1 || { tail -30 "$out/$fuzzer.log"; bad=1; }
  grep 'number_of_executed_units' "$out/$fuzzer.log" | sed "s/^stat::/$fuzzer: /" || true
done
exit $bad
