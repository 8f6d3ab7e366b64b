#!/bin/sh
# The Iltis of Linkage.Vehicles against the reference trajectories of github.com/ovankerm/IAVSD_ILTIS: degrees of
# freedom, forces at rest, manoeuvres, eigenvalues.
# usage: vehicle.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
iltis=Linkage.Vehicles.Iltis
"$rung" dof --model $iltis.RampSteer | sed -n 2p | grep -q '^  10 degrees of freedom' || fail "degrees of freedom"

# run NAME MODEL STOP [--set ...]
run() {
    name=$1
    model=$2
    stop=$3
    shift 3
    "$rung" simulate --model $iltis."$model" --method dopri5 --tolerance 1e-8 --stop "$stop" --interval 0.001 -q "$@" \
        --signals 'free.r_rel*,pitch,roll,yaw,*.tyre.f_n,*.leaf.f,*.damper.f_s' -o "$name.csv" || fail "run $name"
}

# near NAME X Y Z ANGLES LOAD: bounds of the deviations from the rows of the reference on stdin, which are
# time, position, pitch, roll, yaw, loads of right front, left front, left rear, right rear
near() {
    awk -F, -v name="$1" -v x="$2" -v y="$3" -v z="$4" -v angle="$5" -v load="$6" '
        FNR == NR { n++; for (k = 1; k <= 11; k++) wanted[n, k] = $k; next }
        FNR == 1 {
            count = split("time free.r_rel[1] free.r_rel[2] free.r_rel[3] pitch roll yaw corner[2].tyre.f_n " \
                "corner[1].tyre.f_n corner[3].tyre.f_n corner[4].tyre.f_n", signal, " ")
            for (k = 1; k <= NF; k++) { gsub(/"/, "", $k); column[$k] = k }
            for (k = 1; k <= count; k++) {
                at[k] = column[signal[k]]
                if (!at[k]) { print "FAILED: " name ": no " signal[k]; bad = 1; exit }
                bound[k] = k == 2 ? x : k == 3 ? y : k == 4 ? z : k < 8 ? angle : load
            }
            next
        }
        {
            for (r = 1; r <= n; r++) {
                if (done[r] || $1 < wanted[r, 1] - 1e-9) continue
                done[r] = 1
                part = $1 > before[1] ? (wanted[r, 1] - before[1])/($1 - before[1]) : 1
                for (k = 2; k <= count; k++) {
                    off = before[at[k]] + part*($at[k] - before[at[k]]) - wanted[r, k]
                    if (off > bound[k] || off < -bound[k]) {
                        printf "FAILED: %s at %g: %s is off by %g\n", name, $1, signal[k], off
                        bad = 1
                    }
                    seen++
                }
            }
            for (k = 1; k <= NF; k++) before[k] = $k
        }
        END { if (seen != 10*n || n == 0) { print "FAILED: " name ": rows of the reference are missing"; bad = 1 } exit bad }
    ' - "$1.csv" || failed=1
}

# The rows are of seven digits; deviations are those of the reference, a tighter tolerance changes nothing.
run ramp20 RampSteer 5
near ramp20 1e-5 1e-5 1e-7 1e-7 0.01 <<'ROWS'
0,0,0,0.5629166,0.002557498,0,0,3831.315,3831.315,3591.912,3591.912
0.5,9.999694,-0.03077587,0.5627303,0.002953395,-0.008713877,-0.01342641,3473.314,4189.141,3929.865,3248.812
2,39.87727,-2.047178,0.5620132,0.005502078,-0.01824195,-0.1435964,3238.288,4429.867,4222.579,2955.555
5,97.4125,-17.33649,0.5620261,0.009906447,-0.01612108,-0.4006217,3242.064,4426.151,4218.705,2959.533
ROWS
# forces at rest: leaves, and the springs of the shock absorbers, front and rear
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) { gsub(/"/, "", $k); at[$k] = k } }
    NR == 2 { printf "%.2f %.2f %.2f %.2f\n", $at["corner[1].leaf.f"], $at["corner[3].leaf.f"],
        $at["corner[1].damper.f_s"], $at["corner[3].damper.f_s"] }' ramp20.csv >forces
grep -qx -e '-3068.62 -2885.51 -335.29 -241.64' forces || fail "forces at rest: $(cat forces)"

if large; then
    run anti10 Bump 2 --set right=-0.2
    near anti10 1e-3 2e-4 1e-4 2e-4 200 <<'ROWS'
0.2998,2.982672,-0.03917833,0.6099204,0.02875888,0.2084465,0.007084893,0,2602.495,0,0
0.6996,6.916103,-0.1389073,0.5621802,0.001023737,0.02363702,0.005852822,3332.634,7441.167,6469.539,4911.397
1.1996,11.82476,-0.1343979,0.5664844,0.00388362,-0.0003846057,0.0008939601,3729.876,3727.052,3432.487,3430.289
2.0000,19.68229,-0.1266844,0.5627845,0.002748601,-2.483225e-06,0.0009948655,3830.363,3830.364,3597.683,3597.681
ROWS
    run ramp30 RampSteer 5 --set v_0=30
    near ramp30 1e-4 1e-5 1e-7 1e-7 0.01 <<'ROWS'
5,145.9981,-25.37493,0.5611578,0.01354099,-0.02442894,-0.4055022,2957.357,4713.148,4517.365,2658.583
ROWS
    run sine2 SineSteer 3
    near sine2 1e-5 1e-6 1e-7 1e-7 0.01 <<'ROWS'
0.3,5.999826,-0.01563116,0.5627341,0.002959026,-0.007755096,-0.00907567,3528.2,4146.631,3877.088,3295.755
1.2,23.99412,-0.2679426,0.5627262,0.002816041,0.001887464,-0.002125265,3772.495,3893.985,3561.335,3623.608
3,59.97223,-0.7741927,0.562767,0.002794896,0.006272767,-0.005633341,4003.787,3658.227,3349.596,3832.273
ROWS
    run in10 Bump 0.7
    near in10 1e-3 1e-8 1e-4 2e-4 100 <<'ROWS'
0.2,1.98192,0,0.6353463,-0.0563854,0,0,1136.494,1136.494,2628.364,2628.364
0.4,3.9243,0,0.8032686,-0.1262523,0,0,0,0,5216.777,5216.777
0.6,5.849188,0,0.8443825,0.0316322,0,0,0,0,0,0
ROWS
    # eigenvalues, as many digits as the reference has: real part, imaginary part not below zero
    "$rung" linearize "$source/tests/e2e/vehicle/IltisModes.mo" --model IltisModes.Held >modes || fail "modes"
    grep -q '^    left  *[0-9.]*e-0[7-9]$' modes || fail "the loads do not hold the vehicle: $(grep ' left ' modes)"
    awk '/^  eigenvalues/ { on = 1; next }
        on && NF { im = $2 ~ /i$/ ? $2 + 0 : 0; if (im >= 0 && ($1 > 1e-9 || $1 < -1e-9)) printf "%.3e %.3e\n", $1, im }
    ' modes | sort >found
    sort >wanted <<'ROWS'
1.606e-02 0.000e+00
-1.139e-05 0.000e+00
-3.688e+00 9.096e+00
-3.990e+00 8.064e+00
-5.382e+00 9.258e+00
-6.682e+00 0.000e+00
-2.656e+01 7.135e+01
-2.938e+01 8.165e+01
-2.937e+01 8.477e+01
-2.968e+01 8.067e+01
-4.403e+01 0.000e+00
ROWS
    diff found wanted || fail "eigenvalues"
fi
exit $failed
