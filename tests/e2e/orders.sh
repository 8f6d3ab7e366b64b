#!/bin/sh
# All orders of elimination give the same values at the start, the accelerations among them.
# usage: orders.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
for model in 'PlanarPendulum(n=12)' 'SplitPendulum(n=12)' 'AlternatingPendulum(n=8)' \
    'AlternatingPendulumGeneral(n=4)' 'MultiPendulum(depth=4)' SphericalPendulum UniversalPendulum; do
    case $model in *n=*) large || continue ;; esac
    for order in ladder tearing mindegree dissection composite; do
        if ! "$rung" simulate --model "Linkage.Examples.$model" --order $order --stop 0 \
            -o "$dir/$order.csv" >"$dir/log" 2>&1; then
            cat "$dir/log"
            echo "FAILED: no result for $model by $order"
            failed=1
            continue
        fi
        # relative to the larger of the value and one unit
        if ! awk -F, -v model="$model" -v order=$order '
            FNR == 1 { next } # the names, some with commas
            FNR == 2 && FILENAME == ARGV[1] { n = NF; for (i = 1; i <= NF; i++) x[i] = $i; next }
            FNR == 2 {
                for (i = 1; i <= n; i++) {
                    d = $i - x[i]; if (d < 0) d = -d
                    s = x[i] < 0 ? -x[i] : x[i]; if (s < 1) s = 1
                    if (!(d <= worst * s)) worst = d/s
                }
                printf "%s, %s against ladder: %.1e\n", model, order, worst
                exit !(n > 0 && NF == n && worst <= 1e-9)
            }' "$dir/ladder.csv" "$dir/$order.csv"; then
            echo "FAILED: $model by $order"
            failed=1
        fi
    done
done

# An arm as robot files write it: joints turned by 1.5708, whose cosine is no pivot, nor is 0.
cat >arm.mo <<'END'
model Arm
  parameter Integer n = 6;
  parameter Real angle;
  inner Linkage.World world(n = {0, 0, -1});
  Linkage.Parts.FixedTranslation place[n](each r = {0.1, 0.2, 0.3});
  Linkage.Parts.FixedRotation turn[n](each angle = angle);
  Linkage.Joints.Revolute joint[n](each n = {0, 0, 1});
  Linkage.Parts.Body body[n](each m = 2, each r_CM = {0.1, 0.2, 0.05}, each I_11 = 0.1,
    each I_22 = 0.12, each I_33 = 0.15, each I_21 = 0.01, each I_31 = 0.02, each I_32 = 0.015);
equation
  connect(world.frame_b, place[1].frame_a);
  for i in 1:n loop
    connect(place[i].frame_b, turn[i].frame_a);
    connect(turn[i].frame_b, joint[i].frame_a);
    connect(joint[i].frame_b, body[i].frame_a);
  end for;
  for i in 2:n loop
    connect(joint[i - 1].frame_b, place[i].frame_a);
  end for;
end Arm;
END
for angle in 1.5708 -1.57 1.5707963267948966 0; do
    "$rung" simulate arm.mo --model "Arm(angle=$angle)" --stop 0.1 -o arm.csv >log 2>&1 || fail "arm: $(cat log)"
    ! grep 'solved numerically' log || fail "an arm turned by $angle has a pivot that vanishes"
done

# A body that hangs from the one or the other side of a ball joint: pivots are those of its inertia.
for side in a b; do
    cat >hung.mo <<END
model Hung
  inner Linkage.World world;
  Linkage.Joints.Spherical ball(w_rel(start = {1, 2, 3}));
  Linkage.Parts.Body body(m = 2, r_CM = {0.1, 0.2, 0.05}, I_11 = 0.1, I_22 = 0.12, I_33 = 0.15, I_21 = 0.01,
    I_31 = 0.02, I_32 = 0.015);
equation
  connect(ball.frame_$side, body.frame_a);
  connect(world.frame_b, ball.frame_$(echo $side | tr ab ba));
end Hung;
END
    "$rung" count hung.mo >log 2>&1 || fail "hung by frame_$side: $(cat log)"
    # of a block: order torn add mul div call sum fill vanish growth
    awk '/^  .*<- taken/ { n++; bad = bad || $9 != 0 } END { exit bad || !n }' log || fail "hung by frame_$side, a pivot vanishes: $(cat log)"
done
exit $failed
