#!/bin/sh
# FMUs of many models: Linkage's, the examples, and the Modelica Standard Library's where it is there.
# Each, in FMI 2 and FMI 3, has all of the standard's functions, is run by the importer of our own in
# model exchange and co-simulation and compared with `rung simulate`, and passes its checks. Where
# FMI_SCHEMAS names a folder with the standard's schemas, xmllint checks against them; where FMUSIM
# names the fmusim of the FMI project, that runs them as well; where VALGRIND is set, the checks run
# under it. The table in table.md is that of docs/fmu.md. ONLY: of the models whose names it matches.
# usage: fmu_models.sh RUNG DIR SOURCE CLIENT [large]
client=$4
if [ -n "$5" ]; then set -- "$1" "$2" "$3" "$5"; else set -- "$1" "$2" "$3"; fi
. "$(dirname "$0")/common.sh"

# norms of constraints, and what a model says of its own error, are each method's own
own='norm(\|^FAIL  error:\|^ok    error:'

# of up to 40 variables, spread over all, how many are inside the tube: "39/40"
share() {
    "$rung" compare "$1" "$2" --tolerance 2e-3 >compared
    grep -v "$own" compared | awk '
        /^ok / { ok++; n++ }
        /^FAIL / && !/not in the result/ { n++ }
        END { printf "%d/%d", ok, n }'
}

# pick DESCRIPTION RESULT: names that both have, 40 of them
pick() {
    sed -n 's/^ *<\(ScalarVariable\|Float64\|Int32\|Boolean\) name="\([^"]*\)".*/\2/p' "$1" |
        sed "s/&quot;/\"/g; s/&apos;/'/g" | sort >declared
    python3 - "$2" <<'EOF'
import csv, sys
head = next(csv.reader(open(sys.argv[1])))
declared = set(open("declared").read().split("\n"))
names = [n for n in head[1:] if n in declared and n != "error"]
k = max(1, len(names) // 40)
open("names", "w").write("\n".join(names[::k][:40]))
EOF
}

versions='2 3'
# with optimisation: fmu.sh
night || export CFLAGS=-O0
# one MODEL STOP FILE...: a row of the table
one() {
    model=$1 stop=$2
    shift 2
    case $model in *"$ONLY"*) ;; *) return ;; esac
    row="| $model |"
    name=$(echo "$model" | tr -c 'A-Za-z0-9_\n' _)
    "$rung" simulate -q "$@" --model "$model" --method esdirk --tolerance 1e-8 --stop "$stop" \
        --interval "$(awk "BEGIN { print $stop / 1000 }")" -o expected.csv 2>log ||
        { fail "$model: $(cat log)"; return; }
    for version in $versions; do
        functions=44 platform=linux64
        [ "$version" = 2 ] || { functions=75; platform=x86_64-linux; }
        rm -rf fmu
        "$rung" fmu -q "$@" --model "$model" --fmi "$version" -o "$name.fmu" 2>log ||
            { fail "$model, FMI $version: $(cat log)"; return; }
        python3 -m zipfile -e "$name.fmu" fmu
        binary=$(echo fmu/binaries/$platform/*.so)
        description=fmu/modelDescription.xml
        if [ -n "$FMI_SCHEMAS" ]; then
            xmllint --noout --schema "$FMI_SCHEMAS/fmi${version}ModelDescription.xsd" \
                "$description" 2>log || fail "$model: $(head -3 log)"
            [ ! -e fmu/terminalsAndIcons/terminalsAndIcons.xml ] ||
                xmllint --noout --schema "$FMI_SCHEMAS/fmi3TerminalsAndIcons.xsd" \
                    fmu/terminalsAndIcons/terminalsAndIcons.xml 2>log ||
                fail "$model: $(head -3 log)"
        fi
        [ "$(nm -D --defined-only "$binary" | grep -c " T fmi$version")" = "$functions" ] ||
            fail "$model, FMI $version: functions"
        row="$row $(($(wc -c <"$name.fmu") / 1024)) |"
        pick "$description" expected.csv
        for way in $ways; do
            if timeout 300 "$client" "$binary" "$description" "$version" "$stop" "$way" \
                "$way.csv" 2>log; then
                row="$row $(share "$way.csv" expected.csv)"
                grep '^FAIL ' compared | grep -v "not in the result\|$own" >apart &&
                    fail "$model, FMI $version, $way: $(head -3 apart)"
            else
                row="$row -"
                fail "$model, FMI $version, $way: $(head -c 300 log)"
            fi
            if [ -n "$FMUSIM" ]; then
                sed 's/^/--output-variable\n/' names >options
                if tr '\n' '\0' <options | FMU=$name.fmu timeout 300 xargs -0 sh -c \
                    'exec "$0" "$@" "$FMU"' "$FMUSIM" --interface-type $way --solver cvode --tolerance 1e-8 \
                    --stop-time "$stop" --output-interval "$(awk "BEGIN { print $stop / 500 }")" \
                    --output-file sim.csv >log 2>&1; then
                    row="$row, $(share sim.csv expected.csv)"
                    grep '^FAIL ' compared | grep -v "not in the result\|$own" >apart &&
                        fail "$model, FMI $version, $way by fmusim: $(head -3 apart)"
                else
                    row="$row, -"
                    fail "$model, FMI $version, $way by fmusim: $(tail -2 log | head -c 300)"
                fi
            fi
            row="$row |"
        done
        timeout 600 ${VALGRIND:+valgrind -q --leak-check=full --error-exitcode=9} "$client" \
            "$binary" "$description" "$version" \
            "$(awk "BEGIN { print $stop / (${VALGRIND:+20 *} 4) }")" check >checked 2>log ||
            fail "$model, FMI $version, checks: $(head -c 300 log)"
    done
    echo "$row" | tee -a table.md
}

ways="me cs"
models=$source/tests/sim/language
examples=$source/examples
one FmuBall 2 "$source/tests/e2e/fmu/FmuBall.mo"
one Enumerations 2 "$models/Enumerations.mo"
one FmuSwing 5 "$source/tests/e2e/fmu/FmuSwing.mo"
if large; then
    # both versions by day: of those above, and of fmu.sh
    night || versions=3
    # too stiff for the explicit method of our importer
    ways=cs
    one Diodes 0.2 "$models/Diodes.mo"
    ways="me cs"
    one Hysteresis 2 "$models/Hysteresis.mo"
    one SampledController 2 "$models/SampledController.mo"
    one Delays 2 "$models/Delays.mo"
    one ClockedController 1 "$models/ClockedController.mo"
    one LinearLoop 1 "$models/LinearLoop.mo"
    one DoublePendulum 2 "$examples/double_pendulum.mo"
    one Arm 1 "$examples/arm.mo"
    one Crane 2 "$examples/crane.mo"
    one Distillation 10 "$examples/distillation.mo"
    one HeatRod 1 "$examples/heat_rod.mo"
    mechanisms='SphericalPendulum FreeBody DrivenArm'
    if night; then
        one RlcLadder 1 "$examples/rlc_ladder.mo"
        one Rope 0.5 "$examples/rope.mo"
        mechanisms="$mechanisms SpringPendulum PushedBody TorsionPendulum UniversalPendulum"
    fi
    for model in $mechanisms; do
        one Linkage.Examples.$model 1
    done
    for model in SpatialFourBar SliderCrank; do
        one Linkage.Benchmarks.$model 0.5
    done
    ways=cs
    one Linkage.Benchmarks.FlyballGovernor 0.5
    ways="me cs"
    case $("$rung" check --model Modelica.Constants 2>&1) in
    *"no library 'Modelica'"*) echo "the Modelica Standard Library is not there" ;;
    *)
        one Modelica.Electrical.Analog.Examples.CauerLowPassAnalog 20
        ways=cs
        one Modelica.Electrical.Analog.Examples.Rectifier 0.05
        ways="me cs"
        one Modelica.Electrical.Digital.Examples.FullAdder 3
        one Modelica.Mechanics.Rotational.Examples.First 1
        one Modelica.Mechanics.Rotational.Examples.CoupledClutches 1
        one Modelica.Mechanics.MultiBody.Examples.Elementary.Pendulum 2
        one Modelica.Mechanics.MultiBody.Examples.Loops.Fourbar1 0.5
        one Modelica.Thermal.HeatTransfer.Examples.TwoMasses 1
        one Modelica.Blocks.Examples.PID_Controller 4
        one Modelica.StateGraph.Examples.FirstExample 5
        one Modelica.Mechanics.Translational.Examples.Oscillator 1
        one Modelica.Blocks.Examples.BooleanNetwork1 5
        ;;
    esac
fi
exit $failed
