#!/bin/sh
# rung compile --kind inverse: torques that move an arm as forward dynamics say it moves under these
# torques; its mass matrix; operations against the residual form's, and their growth.
# usage: inverse.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
warnings="-Wall -Wextra -Wconversion -Wpedantic -Werror"
sed 's/Robot/Arm/' "$source/tests/e2e/embedded/robot.mo" >arm.mo
"$rung" compile "$source/tests/e2e/embedded/robot.mo" --kind single-file --jacobian dense -q -o forward || fail "forward"
"$rung" compile arm.mo --kind inverse --motion 'joint[*].phi' --effort 'tau[*]' -q -o inverse || fail "inverse"
cat >test.c <<'END'
#include "Arm.h"
#include "Robot.h"
#include <math.h>
#include <stdio.h>
static Robot_Instance robot;
static Arm_Instance arm;
int main(void)
{
    double x[12], xdot[12], q[6], qd[6], qdd[6], tau[6], mass[36], gravity[6], worst = 0, off = 0, energy;
    unsigned at_q[6] = {Robot_STATE_joint_1__phi, Robot_STATE_joint_2__phi, Robot_STATE_joint_3__phi,
                        Robot_STATE_joint_4__phi, Robot_STATE_joint_5__phi, Robot_STATE_joint_6__phi};
    unsigned at_w[6] = {Robot_STATE_joint_1__w, Robot_STATE_joint_2__w, Robot_STATE_joint_3__w,
                        Robot_STATE_joint_4__w, Robot_STATE_joint_5__w, Robot_STATE_joint_6__w};
    Robot_defaults(&robot);
    if (Robot_init(&robot, 0, x) || Arm_defaults(&arm))
        return 1;
    for (int round = 0; round < 20; round++) {
        for (int k = 0; k < 6; k++) {
            x[at_q[k]] = q[k] = sin(1 + round + 2.3*k);
            x[at_w[k]] = qd[k] = 2*cos(3*round + 1.1*k);
            robot.u[k] = 10*sin(5*round + 0.7*k)/(1 + k);
        }
        if (Robot_xdot(&robot, 0, x, xdot))
            return 2;
        for (int k = 0; k < 6; k++)
            qdd[k] = xdot[at_w[k]];
        if (Arm_inverse(&arm, 0, q, qd, qdd, tau) || Arm_mass_matrix(&arm, 0, q, mass) ||
            Arm_gravity(&arm, 0, q, gravity))
            return 3;
        for (int k = 0; k < 6; k++)
            worst = fmax(worst, fabs(tau[k] - robot.u[k]));
        /* at rest: mass qdd + gravity = tau */
        for (int k = 0; k < 6; k++)
            x[at_w[k]] = 0;
        if (Robot_xdot(&robot, 0, x, xdot))
            return 4;
        energy = 0;
        for (int r = 0; r < 6; r++) {
            double sum = gravity[r] - robot.u[r];
            for (int c = 0; c < 6; c++) {
                sum += mass[6*c + r]*xdot[at_w[c]];
                off = fmax(off, fabs(mass[6*c + r] - mass[6*r + c]));
                energy += qd[r]*mass[6*c + r]*qd[c];
            }
            off = fmax(off, fabs(sum));
        }
        if (!(energy > 0))
            return 5;
    }
    printf("torques %.1e off, mass matrix %.1e\n", worst, off);
    return worst > 1e-9 || off > 1e-9;
}
END
make -s -C inverse lib CFLAGS=-O0 && [ -s inverse/libArm.a ] && grep -q 'motions | 6' inverse/README.md &&
    grep -q add_library inverse/CMakeLists.txt || fail "what builds it"
${CC:-cc} -std=c11 -O1 $warnings -Iforward -Iinverse -o test test.c forward/Robot.c inverse/Arm.c -lm || fail "C"
./test || fail "the arm does not move as it should: $?"
nm -g --defined-only test | awk '{ print $3 }' | grep -q '^rung_' && fail "symbols without the model's name"
operations() {
    sed -n 's/.*: \([0-9]*\) operations.*/\1/p' "$1"
}
residual=$(CFLAGS=-O0 "$rung" bench "$source/tests/e2e/embedded/robot.mo" --what residual | sed -n 's/^residual: \([0-9]*\) operations$/\1/p')
echo "$(operations inverse/Arm.h) operations, residual form $residual"
awk -v a="$(operations inverse/Arm.h)" -v b="$residual" 'BEGIN { exit !(a > 0 && b > 0 && a <= 1.2*b) }' || fail "operations"
# joints that nothing drives; twice as many bodies, twice the operations
for n in 10 20 40; do
    "$rung" compile --model "Linkage.Examples.AlternatingPendulum(n=$n)" --kind inverse --motion 'joint[*].phi' \
        --effort 'joint[*].tau' -q -o chain || fail "chain"
    operations chain/*.h
done | tr '\n' ' ' >chain.txt
awk 'NF != 3 || $3 - $2 != 2*($2 - $1) { print "not linear: " $0; bad = 1 } END { exit bad || !NR }' chain.txt || fail "chain"
refused() { # what it says, arguments
    text=$1
    shift
    "$rung" compile "$@" --kind inverse -o refused >out.txt 2>err.txt
    [ $? -eq 1 ] || fail "compile $*: exit status"
    grep -q "$text" err.txt || fail "compile $*: $(cat err.txt)"
}
cart=$source/tests/e2e/linearize/cart.mo
refused "is not given by an input" "$cart" --motion phi --effort s
refused "2 states are left" "$cart" --motion s --effort F
refused "one effort belongs to each motion" "$cart" --motion s,phi --effort F
refused "no variable of type Real" "$cart" --motion x --effort F
"$rung" compile "$cart" --kind inverse --motion s -o refused 2>err.txt
[ $? -eq 2 ] || fail "inverse without --effort"
exit $failed
