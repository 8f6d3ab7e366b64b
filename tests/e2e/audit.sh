#!/bin/sh
# An audit that fails decides: the compiler is a script that changes the right-hand side in the emitted
# C, the run ends with status 3 after its result is written, and a message names variable, time and
# both sides.
# usage: audit.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >decay.mo <<'MO'
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Decay;
MO
cat >wrong_cc <<'END'
#!/bin/sh
# cc, but -x[0] is -1.01*x[0] in the files beside the one that is compiled, which may include them
for word do
    case $word in
    *.c) sed -i 's/= -x\[0\];/= -1.01 * x[0];/' "$(dirname "$word")"/*.c ;;
    esac
done
exec cc "$@"
END
chmod +x wrong_cc

"$rung" simulate decay.mo --method dopri5 --no-cache --progress none -o good.csv >out 2>err || fail "as it is: $(cat out err)"
grep -q '^audit: .* bound 10$' out || fail "not audited: $(cat out)"

CC="$dir/wrong_cc" "$rung" simulate decay.mo --method dopri5 --no-cache --progress none -o wrong.csv >out 2>err
[ $? -eq 3 ] || fail "a wrong right-hand side: $(cat out err)"
cmp -s good.csv wrong.csv && fail "the compiler has changed nothing"
grep -q '^rung: audit: decay.mo:4:3: .* over the step to t = .* for .der(x).: -[0-9.e-]* on the left, in the mean, -[0-9.e-]* on the right of der(.x.) = -.x., defect of ' err ||
    fail "the message: $(cat err)"
grep -q '^result in wrong.csv$' out || fail "the result is not kept: $(cat out)"
[ "$(wc -l <wrong.csv)" = "$(wc -l <good.csv)" ] || fail "rows are lost"

CC="$dir/wrong_cc" "$rung" simulate decay.mo --method dopri5 --no-cache --progress none --format json -o wrong.csv >json 2>err
[ $? -eq 3 ] || fail "json: $(cat err)"
grep -q '"status": *3' json && grep -q '"violated": *1' json || fail "json: $(cat json)"

CC="$dir/wrong_cc" "$rung" simulate decay.mo --method dopri5 --no-cache --progress none --no-audit -o wrong.csv >out 2>err ||
    fail "without an audit: $(cat out err)"
grep -q audit out err && fail "an audit that is not wanted: $(cat out err)"

# a function states the derivative of something else: by a share of 2e-3 cos(50 x), a warning; by half, a fault
cat >stated.mo <<'MO'
package Stated
  function f
    input Real x, share;
    output Real y;
  algorithm
    y := x + share*sin(50*x)/50;
    annotation(derivative(zeroDerivative = share) = g);
  end f;
  function g
    input Real x, share, x_der;
    output Real y_der;
  algorithm
    y_der := x_der;
  end g;
  model Some
    parameter Real share;
    Real x(start = 0, fixed = true), y = f(x, share), v = der(y);
  equation
    der(x) = 1;
  end Some;
end Stated;
MO
"$rung" simulate stated.mo --model Stated.Some --set share=2e-3 -o r.csv >out 2>err || fail "a stated derivative: $(cat err)"
grep -q "warning: stated.mo:.*the derivative of 'y' is not the change of its values" err || fail "a stated derivative: $(cat err)"
expect 3 "equation does not hold over the step" "$rung" simulate stated.mo --model Stated.Some --set share=0.5 -o r.csv

# currents are zero at the start but for the rounding of voltages, by an alias that no other equation reads
cat >AtZero.mo <<'MO'
model AtZero "Currents that begin at zero, as differences of large voltages"
  constant Integer n = 20;
  parameter Real R = 0.013, L = 0.03;
  Real i[n](each unit = "A", each start = 0.1), through[n](each unit = "A"), flux[n](each unit = "Wb", each start = 1), v[n](each unit = "V");
equation
  for k in 1:n loop
    v[k] = 141.4213562373095*cos(100*time + 2.0943951023931953*k);
    through[k] = i[k];
    R*i[k] = v[k] - (4.9 + k)*flux[k] - 0.7*flux[k];
    der(flux[k]) = 0.3*i[k] - flux[k]*L;
  end for;
initial equation
  through = zeros(n);
end AtZero;
MO
"$rung" simulate AtZero.mo --stop 0.1 -o r.csv >out 2>err || fail "zero as a difference of voltages: $(cat err)"

# the height of a pendulum does not determine its motion at the lowest point; the angle does everywhere
cat >height.mo <<'MO'
model Height
  parameter Real L = 1, g = 9.81;
  Real x(start = 0.8*L), y(start = -0.6, fixed = true, stateSelect = StateSelect.always);
  Real vx, vy(start = -2, fixed = true, stateSelect = StateSelect.always), F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = L^2;
end Height;
model Angle
  Real phi(start = 1, fixed = true), w(start = -2, fixed = true), x = sin(phi), y = -cos(phi), vx = der(x);
equation
  der(phi) = w;
  der(w) = -9.81*sin(phi);
end Angle;
MO
for options in '' '--method ida' '--tolerance 1e-8'; do
    # shellcheck disable=SC2086
    expect 3 "the states do not determine 'vx'" "$rung" simulate height.mo --model Height --stop 1 $options -o r.csv
done
"$rung" simulate height.mo --model Height --stop 0.2 -o r.csv >out 2>err || fail "above the lowest point: $(cat err)"
"$rung" simulate height.mo --model Angle --stop 5 -o r.csv >out 2>err || fail "by its angle: $(cat err)"
exit $failed
