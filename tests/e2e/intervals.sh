#!/bin/sh
# A result does not depend on what is looked at: rows at other times, an audit, a later end.
# usage: intervals.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"

cat >Guess.mo <<'END'
model Guess "the last solution of a nonlinear block is the first guess of the next"
  Real x(start = 1, fixed = true), y, z;
equation
  y + 0.3*sin(2*y + z) = x;
  z + 0.2*cos(2*z - y) = x*x;
  der(x) = -y - 0.5*z + sin(3*time);
end Guess;
END
cat >Bounce.mo <<'END'
model Bounce "events, and a block that they do not know"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), y;
equation
  y + 0.2*sin(y + h) = 0.1*time;
  der(h) = v;
  der(v) = -9.81 - 0.1*y*v;
  when h <= 0 then
    reinit(v, -0.9*pre(v));
  end when;
end Bounce;
END
cat >StiffGuess.mo <<'END'
model StiffGuess "stiff, so that what is inside a step takes another solution of the block"
  Real x(start = 1, fixed = true), y, z;
equation
  z + 0.2*cos(2*z - y) = y;
  der(x) = -x + sin(3*time);
  der(y) = 1e5*(x - z);
initial equation
  z = x;
end StiffGuess;
END

# run OUT METHOD MODEL OPTIONS...: states and what follows from them, since derivatives multiply errors
# where a model is stiff
run() {
    out=$1 method=$2 model=$3
    shift 3
    "$rung" simulate $model --method $method "$@" --signals 'x,y,z,h,v,crank.phi,crank.w' -o $out.csv >log 2>&1 ||
        fail "$model by $method, $*: $(cat log)"
}

# apart A B BOUND: at the quarters of a second that both have, but for the last of A, where there may be
# an event
apart() {
    awk -F, -v bound="$3" 'FNR == 1 { next } 4*$1 != int(4*$1) { next }
        FNR == NR { row[$1] = $0; next } $1 < 2 && ($1 in row) {
            n = split(row[$1], a)
            found++
            for (k = 2; k <= n; k++) {
                d = a[k] - $k; s = $k < 0 ? -$k : $k
                if (!(d <= bound*(1 + s) && -d <= bound*(1 + s))) bad = $1 ": " a[k] ", " $k
            }
        } END { if (bad) print bad; exit !(found >= 8 && bad == "") }' "$1.csv" "$2.csv" >found ||
        fail "$model by $method: $1 and $2 differ ($(cat found))"
}

for method in esdirk dopri5 ida cvode; do
    for model in Guess.mo Bounce.mo StiffGuess.mo '--model Linkage.Benchmarks.SpatialFourBar'; do
        case $method-$model in dopri5-StiffGuess.mo) continue ;; esac
        run often $method "$model" --stop 2 --interval 0.015625
        run seldom $method "$model" --stop 2 --interval 0.25
        run audited $method "$model" --stop 2 --interval 0.25 --audit
        run longer $method "$model" --stop 4 --interval 0.25
        # steps are the same, and what rows miss of nonlinear equations is rounding
        apart seldom often 1e-12
        apart seldom audited 1e-12
        # a step's part of the tolerance times what it grows by
        apart seldom longer 1e-4
    done
done

# the times of sample(0.01, 0.01) differ from those of the grid by a rounding: no row there has the value from before
cat >Counter.mo <<'END'
model Counter
  discrete Real n(start = 0, fixed = true);
equation
  when sample(0.01, 0.01) then
    n = pre(n) + 1;
  end when;
end Counter;
END
"$rung" simulate Counter.mo --stop 1 --interval 0.01 --signals n -q -o counter.csv 2>log || fail "Counter: $(cat log)"
awk -F, 'NR == 1 { next } NR > 2 && $1 - t > 1e-9 && n != k { print "n = " n " at t = " t }
    { t = $1; n = $2; k = int(100*t + 0.5) } END { if (NR != 202) print NR " rows" }' counter.csv >found
[ -s found ] && fail "rows at samples: $(cat found)"
exit $failed
