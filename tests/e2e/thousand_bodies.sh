#!/bin/sh
# A thousand bodies: checked and compiled in seconds, in hundreds of megabytes.
# usage: thousand_bodies.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
model='Linkage.Examples.PlanarPendulum(n=1000)'
ulimit -v 1500000 2>/dev/null
if ! timeout 20 "$rung" check --model "$model"; then
    echo "FAILED: check of $model"
    exit 1
fi
if ! timeout 60 "$rung" compile --method dopri5 --model "$model" -o "$dir"; then
    echo "FAILED: compile of $model"
    exit 1
fi
# a train of wagons that are coupled without play: one block, in which a row collects all of them
cat >Train.mo <<'END'
model Train
  constant Integer n = 4000;
  Real x[n], v[n](each start = 0, each fixed = true), f[n];
equation
  f[1] = sin(time);
  for i in 1:n loop
    der(x[i]) = v[i];
    der(v[i]) = f[i] - (if i < n then f[min(i + 1, n)] else 0);
  end for;
  for i in 2:n loop
    x[i] = x[i - 1] + 0.1;
  end for;
initial equation
  x[1] = 0;
end Train;
END
if ! timeout 20 "$rung" check Train.mo; then
    echo "FAILED: check of Train"
    exit 1
fi
