#!/bin/sh
# What takes hours: random models against exact values, with other seeds each night, then fuzzing of
# the parser and of flattening. The seed is the day, so that a failure can be seen again.
# usage: nightly.sh RUNG FUZZERS DIR [MINUTES]    FUZZERS: the folder of the fuzzers, - for none
# DIR keeps the models that failed, what crashes a fuzzer and what it has learned for the next night.
set -eu
[ $# -ge 3 ] || { sed -n '2,6s/^# //p' "$0"; exit 2; }
rung=$1 fuzzers=$2 out=$3 minutes=${4:-120}
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/.." && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
bad=0
seed=${RUNG_SEED:-$(($(date +%s) / 86400 * 100000))}
end=$(($(date +%s) + minutes * 60 / 3))
models=0
echo "random models from seed $seed"
while [ "$(date +%s)" -lt "$end" ]; do
  # --models counts the seeds from --seed on
  nice python3 "$here/random/random_models.py" "$rung" --models 100 --seed "$seed" \
    --keep "$out/models" >"$out/random.log" 2>&1 || { grep -v ' wrong or refused$' "$out/random.log"; bad=1; }
  seed=$((seed + 100))
  models=$((models + 100))
done
echo "$models random models"
MODELICAPATH=$source/library nice python3 "$here/random/random_counts.py" "$rung" || bad=1
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
    -max_total_time=$((minutes * 60 / 3)) "$out/$fuzzer" "$out/seeds" "$source/library" "$source/examples" \
    >"$out/$fuzzer.log" 2>&1 || { tail -30 "$out/$fuzzer.log"; bad=1; }
  grep 'number_of_executed_units' "$out/$fuzzer.log" | sed "s/^stat::/$fuzzer: /" || true
done
exit $bad
