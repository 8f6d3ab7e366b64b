#!/bin/sh
# The tables and the picture of docs/measured/jacobians.md: times and errors of Jacobians, measured.
#   docs/measured/jacobians.sh RUNG SOURCE          the first table on standard output, SOURCE/docs/measured/jacobians.svg
#   docs/measured/jacobians.sh RUNG SOURCE loops    that of derivatives with frames as unknowns, of chains of loops
# Times are those of one machine; the fastest of many batches counts.
set -eu
rung=$1
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# loop M VARIANTS: a chain of M four-bars: evaluations of the residual form, of all equations, of all
# their derivatives; by differences
loop() {
    if ! "$rung" bench --model "Linkage.Benchmarks.FourBarChain(m=$1)" --what residual,extended --jacobian "$2" \
        >"$dir/loop" 2>"$dir/err"; then
        echo "m = $1: $(head -n 1 "$dir/err")" >&2
        return 0
    fi
    awk -v m="$1" '
        $1 == "residual" || $1 == "extended" { ns[$2] = $3; error[$2] = $7 }
        $1 == "residual:" { count = $2 }
        $1 == "extended:" { all = $2; equations = $6 }
        function time(k) { return k in ns ? sprintf("%.0f", ns[k]) : "–" }
        function digits(k) { return k in error ? error[k] : "–" }
        END {
            printf "| %d | %d | %d | %.2f | %s | %s | %s | %.2f | %.2f | %s | %s | %s | %s |\n", m, count, all,
                   all/count, time("inverse"), time("equations"), time("analytic"),
                   ns["analytic"]/ns["inverse"], ns["analytic"]/ns["equations"],
                   time("coloured"), time("dense"), digits("analytic"), digits("coloured")
        }' "$dir/loop"
}
if [ "${3:-}" = loops ]; then
    echo '| m | residual form, operations | all derivatives | ratio | residual form, ns | all equations | all derivatives | / residual form | / all equations | coloured | dense | error of analytic | of coloured |'
    echo '|---|---|---|---|---|---|---|---|---|---|---|---|---|'
    loop 16 all
    loop 64 all
    loop 256 analytic
    loop 1024 analytic
    exit
fi

# row NAME ARGUMENTS...: states, ns of xdot and of each Jacobian, their errors
row() {
    name=$1
    shift
    if ! "$rung" bench "$@" --what xdot,jacobian --jacobian all --format csv >"$dir/csv" 2>"$dir/err"; then
        echo "$name: $(head -n 1 "$dir/err")" >&2
        return 0
    fi
    awk -F, -v name="$name" '
        NR == 1 { next }
        { ns[$2] = $3; size = $4; error[$2] = $5 }
        function time(k) { return k in ns ? sprintf("%.0f", ns[k]) : "–" }
        function share(k) { return k in ns ? sprintf("%.1f", ns[k]/ns["explicit"]) : "–" }
        function digits(k) { return k in error && error[k] != "" ? error[k] : "–" }
        END {
            printf "| %s | %d | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, size,
                   time("explicit"), time("analytic"), time("coloured"), time("dense"),
                   share("analytic"), share("coloured"), digits("analytic"), digits("coloured")
        }' "$dir/csv"
}

echo '| model | states | xdot | analytic | coloured | dense | analytic / xdot | coloured / xdot | error of analytic | of coloured |'
echo '|---|---|---|---|---|---|---|---|---|---|'
for n in 16 64 256 1024; do
    sed "s/n = 8/n = $n/" "$source/tests/sim/JacobiansAgree.mo" >"$dir/JacobiansAgree.mo"
    row "chain of $n masses" "$dir/JacobiansAgree.mo" | tee -a "$dir/chain"
done
for folder in Examples Benchmarks; do
    for file in "$source/library/Linkage/$folder"/*.mo; do
        name=$(basename "$file" .mo)
        grep -q '^model' "$file" || continue
        model=$name
        case $name in
        SpatialChain20) continue ;; # AlternatingPendulum, longer
        FourBarChain) model='FourBarChain(m=3)' ;;
        esac
        row "\`$model\`" --model "Linkage.$folder.$model"
    done
done

# the chains: time over the number of masses, both logarithmic
awk -F'|' '
    function X(n) { return 60 + 460*(log(n) - log(16))/(log(1024) - log(16)) }
    function Y(t) { return 300 - 270*(log(t) - log(10))/(log(1e8) - log(10)) }
    { split($2, word, " "); n[++k] = word[3]
      for (i = 4; i <= 7; i++) t[k, i] = $i }
    END {
        print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"350\" font-family=\"sans-serif\" font-size=\"12\">"
        print "<rect width=\"640\" height=\"350\" fill=\"white\"/>"
        for (e = 1; e <= 8; e++)
            printf "<path d=\"M60 %.1fH520\" stroke=\"#ddd\"/><text x=\"54\" y=\"%.1f\" text-anchor=\"end\">1e%d</text>\n", Y(10^e), Y(10^e) + 4, e
        for (i = 1; i <= k; i++)
            printf "<text x=\"%.1f\" y=\"318\" text-anchor=\"middle\">%d</text>\n", X(n[i]), n[i]
        print "<text x=\"290\" y=\"338\" text-anchor=\"middle\">masses</text>"
        print "<text x=\"60\" y=\"20\">ns for one evaluation</text>"
        split("– – – xdot analytic coloured dense", name, " ")
        split("– – – #888888 #0072b2 #d55e00 #009e73", colour, " ")
        for (c = 4; c <= 7; c++) {
            path = ""
            for (i = 1; i <= k; i++)
                path = path sprintf("%s%.1f %.1f", i > 1 ? "L" : "M", X(n[i]), Y(t[i, c]))
            printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", path, colour[c]
            printf "<text x=\"528\" y=\"%.1f\" fill=\"%s\">%s</text>\n", Y(t[k, c]) + 4, colour[c], name[c]
        }
        print "</svg>"
    }' "$dir/chain" >"$source/docs/measured/jacobians.svg"
