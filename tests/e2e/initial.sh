#!/bin/sh
# What initialisation and events say: contradicting, superfluous and missing conditions (MLS 8.6), a
# Newton that fails, events without end, assertions and terminate in when-clauses.
# usage: initial.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

# expect STATUS TEXT STOP: the model on stdin; TEXT must be said
expect() {
    cat >"$dir/M.mo"
    "$rung" simulate "$dir/M.mo" --stop "$3" -o "$dir/M.csv" --progress none >"$dir/log" 2>&1
    status=$?
    if [ $status -ne "$1" ] || ! grep -q "$2" "$dir/log"; then
        echo "FAILED: status $status instead of $1, or nothing of '$2':"
        cat "$dir/M.mo" "$dir/log"
        failed=1
    fi
}

expect 1 "M.mo:2:36: the initial conditions contradict each other" 1 <<'END'
model M
  Real x(start = 1, fixed = true), y(start = 3, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
end M;
END
expect 0 "result in" 1 <<'END'
model M "says the same twice"
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
end M;
END
expect 1 "did not converge from the start values x = 0.5; first equation .*M.mo:5:3" 1 <<'END'
model M
  Real x(start = 0.5);
  Real y(start = 1, fixed = true);
initial equation
  x^2 + 1 = 0*y;
equation
  der(x) = -x;
  der(y) = x;
end M;
END
expect 0 "leave 2 unknowns open; 'x' starts from its start value" 1 <<'END'
model M
  Real x(start = 1), y(start = 2), z(start = 3);
initial equation
  x + y + z = 10;
equation
  der(x) = -x;
  der(y) = x;
  der(z) = y;
end M;
END
expect 3 "events follow one another without end" 2 <<'END'
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
end M;
END
expect 3 "assertion violated at t = 0.5.*: too late" 2 <<'END'
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    assert(time < 0.25, "too late");
  end when;
end M;
END
expect 0 "the model ends the run at t = 0.5.*: enough" 2 <<'END'
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    terminate("enough");
  end when;
end M;
END
expect 1 "no state of the model" 2 <<'END'
model M
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = x^2;
  when x > 0.5 then
    reinit(y, 0);
  end when;
end M;
END
# with a loop: an arm on a slider that its rod holds
expect 1 "M.mo:13:3 misses by .*; slide.s = " 1 <<'END'
model M
  inner Linkage.World world;
  Linkage.Joints.Revolute arm(phi(start = 0.5));
  Linkage.Parts.Rod crank(r = {0.1, 0, 0}, m = 1), rod(r = {0.3, 0, 0}, m = 1);
  Linkage.Joints.Revolute pin, wrist;
  Linkage.Joints.Prismatic slide(n = {1, 0, 0}, s(start = 0.35));
  Linkage.Parts.PointMass slider(m = 1);
  Real tip[2];
equation
  tip = {crank.frame_b.m.r[1] + slide.s, rod.frame_b.m.r[2]};
initial equation
  // the slider ends at 0.4
  tip[1] = 0.55;
equation
  connect(world.frame_b, arm.frame_a);
  connect(arm.frame_b, crank.frame_a);
  connect(crank.frame_b, pin.frame_a);
  connect(pin.frame_b, rod.frame_a);
  connect(world.frame_b, slide.frame_a);
  connect(slide.frame_b, slider.frame_a);
  connect(slide.frame_b, wrist.frame_b);
  connect(rod.frame_b, wrist.frame_a);
end M;
END
exit $failed
