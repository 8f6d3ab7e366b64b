#!/bin/sh
# The table of docs/work_precision.md: error against work of the methods with error control.
#   docs/work_precision.sh RUNG SOURCE     the table on standard output
# The error is the largest, at the end, of |x - reference|/(1 + |reference|) over the states that are named; the
# reference is esdirk and dopri5 or ida at 1e-11, whichever two agree; what they differ by is the last
# column. Work: evaluations and Newton iterations of the model, counted, not timed.
set -eu
rung=$1
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/Stiff.mo" <<'M'
package Stiff
  model VanDerPol "mu = 1000, in the scaling of Hairer and Wanner"
    Real x(start = 2, fixed = true), y(start = -0.66, fixed = true);
  equation
    der(x) = y;
    der(y) = ((1 - x^2)*y - x)/1e-6;
    annotation(experiment(StopTime = 2));
  end VanDerPol;
  model Robertson
    Real a(start = 1, fixed = true), b(start = 0, fixed = true, nominal = 1e-5), c(start = 0, fixed = true);
  equation
    der(a) = -0.04*a + 1e4*b*c;
    der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
    der(c) = 3e7*b^2;
    annotation(experiment(StopTime = 1e4));
  end Robertson;
  model Oregonator
    Real y[3](start = {1, 2, 3}, each fixed = true);
  equation
    der(y[1]) = 77.27*(y[2] + y[1]*(1 - 8.375e-6*y[1] - y[2]));
    der(y[2]) = (y[3] - (1 + y[1])*y[2])/77.27;
    der(y[3]) = 0.161*(y[1] - y[3]);
    annotation(experiment(StopTime = 300));
  end Oregonator;
  model Heat
    parameter Integer n = 160;
    Real T[n](each start = 0, each fixed = true);
  equation
    der(T[1]) = n^2*(1 - 2*T[1] + T[2]);
    for i in 2:n - 1 loop
      der(T[i]) = n^2*(T[i - 1] - 2*T[i] + T[i + 1]);
    end for;
    der(T[n]) = n^2*(T[n - 1] - T[n]);
    annotation(experiment(StopTime = 0.5));
  end Heat;
  model Line "a transmission line"
    parameter Integer n = 20;
    parameter Real L = 1e-6/n, C = 1e-9/n;
    Real i[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true);
  equation
    L*der(i[1]) = 1 - 0.1*i[1] - v[1];
    for k in 2:n loop
      L*der(i[k]) = v[k - 1] - v[k] - 0.1*i[k];
    end for;
    for k in 1:n - 1 loop
      C*der(v[k]) = i[k] - i[k + 1];
    end for;
    C*der(v[n]) = i[n] - v[n]/50;
    annotation(experiment(StopTime = 2e-7));
  end Line;
end Stiff;
M

# last FILE NAMES: their values in the last row
last() {
    awk -v names="$2" '
        NR == 1 { gsub(/^"|"$/, ""); m = split($0, head, "\",\""); for (k = 1; k <= m; k++) at[head[k]] = k }
        { row = $0 }
        END {
            split(row, v, ",")
            for (k = split(names, want, ";"); k > 0; k--) {
                if (!(want[k] in at))
                    exit 1
                print v[at[want[k]]]
            }
        }' "$1"
}
difference() {
    paste "$1" "$2" | awk 'function abs(x) { return x < 0 ? -x : x }
        { d = abs($1 - $2)/(1 + abs($2)); if (!(d <= most)) most = d } END { printf "%.1e", most }'
}
# run METHOD TOLERANCE OUT: false where the run fails
run() {
    timeout 300 "$rung" simulate $model $options --method "$1" --tolerance "$2" --interval 1e9 \
        -o "$dir/r.csv" >"$dir/log" 2>&1 && last "$dir/r.csv" "$names" >"$3"
}
# row TITLE NAMES MODEL OPTIONS
row() {
    title=$1 names=$2 model=$3 options=${4:-}
    run esdirk 1e-11 "$dir/reference"
    other=dopri5
    run dopri5 1e-11 "$dir/second" || { other=ida; run ida 1e-11 "$dir/second" || cp "$dir/reference" "$dir/second"; }
    agree="$other $(difference "$dir/second" "$dir/reference")"
    for tolerance in 1e-4 1e-6 1e-8; do
        printf '| %s | %s |' "$title" $tolerance
        for method in esdirk ida cvode dopri5; do
            if run $method $tolerance "$dir/x"; then
                work=$(sed -n '1s/.* \([0-9]*\) steps.* \([0-9]*\) evaluations.*/\1 \2/p' "$dir/log")
                iterations=$(sed -n '1s/.* \([0-9]*\) Newton iterations.*/\1/p' "$dir/log")
                set -- $work
                [ $method = esdirk ] && count=$((${iterations:-0})) || count=$2
                printf ' %s, %s |' "$(difference "$dir/x" "$dir/reference")" "$count"
            else
                printf ' fails |'
            fi
        done
        printf ' %s |\n' "$agree"
    done
}
echo '| model | tolerance | esdirk: error, Newton iterations | ida: error, evaluations | cvode | dopri5 | second reference, difference |'
echo '|---|---|---|---|---|---|---|'
row 'Van der Pol, 1e-6' 'x' "--model Stiff.VanDerPol $dir/Stiff.mo"
row Robertson 'a;c' "--model Stiff.Robertson $dir/Stiff.mo"
row Oregonator 'y[1];y[2];y[3]' "--model Stiff.Oregonator $dir/Stiff.mo"
row 'heat conduction, 160 nodes' 'T[1];T[80];T[160]' "--model Stiff.Heat $dir/Stiff.mo"
row 'transmission line, 20 sections' 'v[10];v[20]' "--model Stiff.Line $dir/Stiff.mo"
row 'motor with pendulum' 'phi;w;i' "$source/tests/sim/MotorWithPendulum.mo" '--stop 2'
row 'planar pendulum, 4 bodies' 'joint[1].phi;joint[4].phi' '--model Linkage.Examples.PlanarPendulum(n=4)' '--stop 2'
row 'spatial chain, 3 bodies' 'joint[1].phi;joint[3].phi' '--model Linkage.Examples.AlternatingPendulumGeneral(n=3)' '--stop 2'
row 'two coupled oscillators' 'x;v;y[1]' "$source/tests/sim/CoupledStates.mo" '--stop 2'
