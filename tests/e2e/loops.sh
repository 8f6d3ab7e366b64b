#!/bin/sh
# `rung dof`, by its older name loops: degrees of freedom and redundant constraints against what is known of the mechanisms;
# and the ways a run with loops ends that are no good ends.
# usage: loops.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

expect() { # model, lines that must be there
    model=$1
    shift
    "$rung" dof --model "Linkage.Benchmarks.$model" >"$dir/out" 2>&1 || failed=1
    for line in "$@"; do
        if ! grep -qF "$line" "$dir/out"; then
            cat "$dir/out"
            echo "FAILED: '$line' is not said of $model"
            failed=1
        fi
    done
}

# six constraints, of which one says nothing new, and one degree of freedom
expect Bricard 'cut at' '1 degree of freedom: 6 coordinates, 6 constraints on them, 1 redundant' \
    'is that of a redundant constraint'
# planar loops in space
expect 'PlanarFourBars(N=3)' '1 degree of freedom: 10 coordinates, 18 constraints on them, 9 redundant'
expect 'PlanarFourBars(N=1)' 'loop 1: foot[1].phi, foot[2].phi, corner[1].phi, closing[1].phi' \
    '6 constraints, 3 redundant: the axes of its joints are parallel' 'f[3] is that of' 't[1] is that of' 't[2] is that of'
expect SpatialFourBar ' 0 redundant' '1 degree of freedom'
expect FiveBar '3 redundant' '2 degrees of freedom'
expect 'FourBarChain(m=2,configuration=3)' '6 redundant' '2 degrees of freedom'
expect Squeezer '9 redundant' '1 degree of freedom'
expect Pendulum '1 degree of freedom' '0 constraints'

# a constraint that the model writes as an equation, and its multiplier; a definition is none
cat >Rod.mo <<'EOF'
model Rod "point mass in Cartesian coordinates"
  Real x(start = 1), y, vx, vy, force, angle = atan2(y, x), twice = 2*angle, f0 = x^2 + y^2 - 1, f1 = 2*(x*vx + y*vy), f2 = 2*(vx^2 + vy^2 - force*(x^2 + y^2) - 9.81*y);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - 9.81;
  x^2 + y^2 = 1;
end Rod;
EOF
"$rung" dof Rod.mo --loops penalty >out 2>&1 || fail "a constraint as an equation: $(cat out)"
for line in 'constraint 1, of Rod.mo:8:3, on x' '1 degree of freedom'; do
    grep -qF "$line" out || fail "'$line' is not said of a constraint: $(cat out)"
done
"$rung" verify Rod.mo --loops penalty >out 2>&1 || fail "a constraint is not proved: $(cat out)"
# results hold the norms of the constraints and of their first two derivatives: of a method that closes loops itself, between the ends of
# steps, which are on the constraints, they can be seen
"$rung" simulate Rod.mo --loops penalty --method half-explicit --step 0.02 --interval 0.013 --stop 1 -o rod.csv >out 2>&1 ||
    fail "a rod by half-explicit: $(cat out)"
awk -F, 'function size(x) { return x < 0 ? -x : x }
    NR == 1 { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i }; next }
    {
        a += size(size($at["f0"]) - $at["norm(phi)"]); b += size(size($at["f1"]) - $at["norm(der(phi))"])
        c += size(size($at["f2"]) - $at["norm(der(der(phi)))"])
        if (size($at["f0"]) > p) p = size($at["f0"]); if (size($at["f1"]) > q) q = size($at["f1"]); if (size($at["f2"]) > r) r = size($at["f2"])
    }
    END { printf "norms of the constraints: %.1e %.1e %.1e, off by %.1e %.1e %.1e\n", p, q, r, a, b, c
        exit !(p > 1e-9 && q > 1e-9 && a + b < 1e-12 && c < 1e-10) }' rod.csv || fail "norms of constraints"
"$rung" dof Rod.mo --loops index-reduction | grep -q '1 degree of freedom' || fail "index reduction"

# a loop that cannot be closed is named, with status 3
cat >"$dir/Apart.mo" <<'EOF'
model Apart "rods too short to meet"
  inner Linkage.World world;
  Linkage.Joints.Revolute a, b, c;
  Linkage.Parts.Rod left(r = {1, 0, 0}), right(r = {1, 0, 0});
  Linkage.Parts.FixedTranslation gap(r = {5, 0, 0});
equation
  connect(world.frame_b, a.frame_a);
  connect(a.frame_b, left.frame_a);
  connect(left.frame_b, b.frame_a);
  connect(b.frame_b, right.frame_a);
  connect(right.frame_b, c.frame_a);
  connect(world.frame_b, gap.frame_a);
  connect(gap.frame_b, c.frame_b);
end Apart;
EOF
"$rung" simulate "$dir/Apart.mo" --model Apart -o "$dir/Apart.csv" >"$dir/out" 2>&1
if [ $? -ne 1 ] || ! grep -q 'joint c (the loop cut at .*) cannot be closed' "$dir/out"; then
    cat "$dir/out"
    echo "FAILED: a loop that cannot be closed"
    failed=1
fi

# five hinges in a ring in space: a start velocity says that the mechanism cannot move
cat >"$dir/stuck.mo" <<'END'
model Stuck
  inner Linkage.World world;
  Linkage.Joints.Revolute a(n = {1, 0, 0}), b(n = {0, 1, 0}), c, d(n = {0, 1, 1}),
    e(w(start = 1, fixed = true));
  Linkage.Parts.Rod x, y(r = {0, 1, 0}), z(r = {0, 0, 1}), u(r = {0.3, 0.2, 0.5});
  Linkage.Parts.FixedTranslation g(r = {1.3, 1.2, 1.5});
equation
  connect(world.frame_b, a.frame_a);
  connect(a.frame_b, x.frame_a);
  connect(x.frame_b, b.frame_a);
  connect(b.frame_b, y.frame_a);
  connect(y.frame_b, c.frame_a);
  connect(c.frame_b, z.frame_a);
  connect(z.frame_b, d.frame_a);
  connect(d.frame_b, u.frame_a);
  connect(u.frame_b, e.frame_a);
  connect(world.frame_b, g.frame_a);
  connect(g.frame_b, e.frame_b);
end Stuck;
END
"$rung" simulate "$dir/stuck.mo" --stop 1 -o "$dir/stuck.csv" >"$dir/out" 2>&1
if [ $? -ne 1 ] || ! grep -q "'e.w' is 1 at the start and cannot be: the joints .* cannot move" "$dir/out"; then
    cat "$dir/out"
    echo "FAILED: a mechanism that cannot move"
    failed=1
fi

# a simulator that stands alone closes loops too
"$rung" compile --model Linkage.Benchmarks.SpatialFourBar -q -o "$dir/alone" &&
    make_program "$dir/alone" >"$dir/out" 2>&1 &&
    "$dir/alone/Linkage_Benchmarks_SpatialFourBar" --stop 0.1 --step 1e-3 --method trapezoid \
        --loops penalty --jacobian-reuse 2 -o "$dir/alone.csv" >"$dir/out" 2>&1 &&
    grep -q "constraints of the loops: |phi| <= [0-9.]*e-" "$dir/out" || {
    cat "$dir/out"
    echo "FAILED: a simulator that stands alone"
    failed=1
}

# one Jacobian serves as many iterations as it is told to where the method converges with it
jacobians() {
    "$rung" simulate --model Linkage.Benchmarks.Bricard --method bdf --step 2e-3 --stop 0.2 \
        --jacobian-reuse $1 --signals 'P3*' -o "$dir/reuse$1.csv" | sed -n 's/.* \([0-9]*\) Jacobians.*/\1/p'
}
often=$(jacobians 1)
seldom=$(jacobians 40)
tail -qn1 "$dir/reuse1.csv" "$dir/reuse40.csv" >"$dir/reuse"
if ! awk -F, -v often="$often" -v seldom="$seldom" '
        NR == 1 { for (i = 1; i <= NF; i++) x[i] = $i }
        NR == 2 { for (i = 1; i <= NF; i++) if (($i - x[i])^2 > 1e-16) bad = 1 }
        END { exit bad || NF != 4 || !(often > 0 && seldom > 0 && 20*seldom < often) }' "$dir/reuse"; then
    echo "FAILED: bdf makes $often Jacobians for one iteration each, $seldom for 40"
    failed=1
fi

# the three Jacobians lead to the same trajectory, and the summary says what was done
for jacobian in analytic coloured dense; do
    "$rung" simulate --model 'Linkage.Examples.AlternatingPendulum(n=4)' --method trapezoid \
        --step 1e-3 --stop 0.5 --jacobian $jacobian --jacobian-reuse 2 -o "$dir/$jacobian.csv" \
        >"$dir/out" 2>&1 || failed=1
    grep -q 'Newton iterations, .* factorisations' "$dir/out" || failed=1
    tail -1 "$dir/$jacobian.csv" >"$dir/$jacobian.last"
done
for jacobian in coloured dense; do
    if ! paste -d, "$dir/analytic.last" "$dir/$jacobian.last" | awk -F, -v what=$jacobian '{
            for (i = 1; i <= NF/2; i++) {
                d = $i - $(i + NF/2)
                if (d < 0) d = -d
                if (d > worst) worst = d
            }
            printf "analytic against %s: %.1e\n", what, worst
            exit !(NF > 100 && worst < 1e-6)
        }'; then
        echo "FAILED: Jacobians disagree"
        failed=1
    fi
done

# closed loops by differences, as by programs that are compiled without --method: from rest the scales of speeds are
# small, and rounding of the constraints moves these by more than the iteration's tolerance
for model in FiveBar SliderCrank; do
    for jacobian in analytic coloured; do
        "$rung" simulate --model Linkage.Benchmarks.$model --method esdirk --stop 0.02 --jacobian $jacobian --signals '*.phi,*.w' \
            -q -o "$dir/$model.$jacobian.csv" || fail "$model by esdirk, --jacobian $jacobian"
    done
    tail -qn 1 "$dir/$model.analytic.csv" "$dir/$model.coloured.csv" | awk -F, -v model=$model '
        NR == 1 { n = split($0, x, ","); next }
        { for (i = 1; i <= n; i++) { d = $i - x[i]; if (d < 0) d = -d; if (d > worst) worst = d } }
        END { printf "%s: analytic against coloured %.1e\n", model, worst; exit !(NR == 2 && n > 4 && worst < 1e-6) }' ||
        fail "$model: Jacobians disagree"
done

# rows inside of steps are closed as the ends of steps are: forces of a loop whose constraints depend on
# each other magnify what is open by a thousand
for tolerance in 1e-6 1e-9; do
    "$rung" simulate --model Linkage.Benchmarks.Bricard --stop 0.6 --interval 0.013 --tolerance $tolerance \
        --signals 'rod1.frame_b.f[1],norm(phi),norm(der(phi))' -o "$dir/bricard.$tolerance.csv" >"$dir/out" 2>&1 || failed=1
done
if ! paste -d, "$dir/bricard.1e-6.csv" "$dir/bricard.1e-9.csv" | awk -F, '
        NR > 1 { d = $2 - $6; if (d < 0) d = -d; if (d > worst) worst = d; if ($3 > open) open = $3; if ($4 > open) open = $4 }
        END { printf "forces of a six-bar: %.1e, open by %.1e\n", worst, open; exit !(NR > 40 && worst < 1e-4 && open < 1e-12) }'; then
    echo "FAILED: forces in rows inside of steps"
    failed=1
fi
exit $failed
