#!/bin/sh
# Live pages: what is refused; `large`: in Chromium, where compiler and browser are there: the model in the page
# agrees with `rung simulate`, before and after a slider was moved, with closed loops and with events; a force
# that pulls at a frame is the force of a model that has it; the page plays by itself and runs into no error.
# usage: live.sh RUNG DIR SOURCE [large]
. "$(dirname "$0")/common.sh"
cat >ball.mo <<'MO'
package Live
  connector Point
    Real r[3](each unit = "m");
    flow Real f[3](each unit = "N");
  end Point;
  model Ball "bounces, and is driven sideways"
    parameter Real e(min = 0, max = 1) = 0.8 "restitution";
    parameter Real m(unit = "kg", min = 0.1) = 2;
    parameter Real period = 0.5;
    input Real drive(unit = "N", start = 0);
    Point at;
    Real x[3](start = {0, 1, 0}, each fixed = true), v[3](each start = 0, each fixed = true);
    discrete Real ticks(start = 0, fixed = true);
  equation
    der(x) = v;
    m*der(v) = {drive, -m*9.81, 0} + at.f;
    at.r = x;
    when x[2] < 0 and v[2] < 0 then
      reinit(v[2], -e*pre(v[2]));
    end when;
    when sample(period, period) then
      ticks = pre(ticks) + 1;
    end when;
  end Ball;
  model Scene
    Ball ball;
    input Real drive(start = 0);
  equation
    ball.drive = drive;
  end Scene;
  model Called
    extends Scene;
    function f
      input Real x;
      output Real y;
      external "C" y = fabs(x) annotation(Include = "#include <math.h>");
    end f;
    Real y = f(time);
  end Called;
end Live;
MO
scene() {
    "$rung" view ball.mo --live --model Live.Scene "$@"
}
expect 2 "not of a result" "$rung" view R.mat --live -o a.html
expect 2 "a modifier gives" scene --set ball.e=1 -o a.html
expect 2 "a modifier gives" scene --input d.csv -o a.html
RUNG_WASM_CC=none-such expect 4 "takes the packages clang, lld, wasi-libc" scene -o a.html
RUNG_WASM_CC=cc expect 4 "takes the packages clang, lld, wasi-libc" scene -o a.html
[ -e a.html ] && fail "a page of what was refused"
if ! scene --signals 'ball.x[1],ball.x[2],ball.ticks' -q -o ball.html 2>err.txt; then
    grep -q 'takes the packages' err.txt && echo "skipped: no compiler for WebAssembly" && exit $failed
    fail "a page: $(cat err.txt)"
fi
expect 1 "external functions" "$rung" view ball.mo --live --model Live.Called -o a.html
grep -Eq '(src|href)="' ball.html && fail "the page wants other files"
cp ball.html again.html
scene --signals 'ball.x[1],ball.x[2],ball.ticks' -q -o ball.html
cmp -s ball.html again.html || fail "other bytes"

large || exit $failed
browser=$(command -v chromium || command -v chromium-browser)
[ -n "$browser" ] || { echo "skipped: no Chromium"; exit $failed; }

# visit PAGE SCRIPT: lines "name values" in seen.txt, by the script, in a page that has the model `m`, go(SECONDS)
# and say(NAME, VALUES)
visit() {
    (
        cat "$1.html"
        cat <<END
<script>
addEventListener('load', async () => {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  for (let k = 0; k < 200 && !window.rungLive; k++) await wait(50);
  const m = window.rungLive, names = runs[0].signals.map((s) => s.name), lines = [];
  const go = (seconds) => { for (let k = 0; k < Math.round(60 * seconds); k++) m.step(1 / 60); };
  const values = () => names.map((n) => m.value(n)).join(' ');
  const say = (name, text) => lines.push(name + ' ' + text);
  const slide = (name, value) => {
    const bar = document.querySelector('#live input[type=range][aria-label="' + name + '"]');
    bar.value = value;
    bar.dispatchEvent(new Event('input'));
  };
  const filter = (text) => {
    document.querySelector('#live input[type=search]').value = text;
    document.querySelector('#live input[type=search]').dispatchEvent(new Event('input'));
  };
  try { $2 } catch (e) { say('error', e.message); }
  document.body.dataset.seen = lines.join('|');
});
</script>
END
    ) >run.html
    timeout 600 "$browser" --headless --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
        --user-data-dir="$dir/profile" --window-size=700,500 --virtual-time-budget=20000 --enable-logging=stderr \
        --dump-dom "file://$dir/run.html" >page.txt 2>page.err || fail "$1: the browser"
    grep CONSOLE page.err | grep -v 'GPU stall' >said.txt && fail "$1: $(cat said.txt)"
    sed -n 's/.*data-seen="\([^"]*\)".*/\1/p' page.txt | head -1 | tr '|' '\n' >seen.txt
}
seen() {
    sed -n "s/^$1 //p" seen.txt
}
# near NAME ERROR: its line is the last row of result.csv but for time
near() {
    seen "$1" >values.txt
    tail -1 result.csv | tr ',' ' ' >row.txt
    paste -d' ' values.txt row.txt | awk -v off="$2" '
        { n = (NF - 1)/2; good = n >= 1 && n == int(n); for (k = 1; k <= n; k++) good = good && ($k - $(n + 1 + k))^2 <= off^2 }
        END { exit !good }' || fail "$1: $(cat values.txt), not $(cat row.txt)"
    grep '^error' seen.txt && failed=1
}
simulate() {
    "$rung" simulate ball.mo --signals 'ball.x[1],ball.x[2],ball.ticks' --tolerance 1e-9 -q -o result.csv "$@" || fail "simulate $*"
}

visit ball '
  m.reset(); go(1.9); say("start", values());
  go(0.5); m.reset(); go(1.9); say("reset", values());
  m.reset(); go(0.5); slide("drive", 3); go(1.4); say("input", values()); slide("drive", 0);
  m.reset(); go(0.5); m.set(m.pullable[0].pull + "[1]", 3); go(1.4); say("force", values()); m.set(m.pullable[0].pull + "[1]", 0);
  m.reset(); m.pull(m.pullable[0]); say("mass", m.pulled().mass);
  m.pulled().target.set(0.5, 2, 0); go(4); say("hangs", values());
  m.reset(); playing.click(); advance(-1); for (let k = 0; k < 50; k++) advance(0.02); say("plays", m.time()); playing.click();
  filter("ball."); slide("ball.e", 0.7); slide("ball.period", 0.3); m.reset(); go(1.9); say("other", values());
  m.set("ball.m", 0); go(0.1); say("failed", document.body.dataset.failed || "");
  m.set("ball.m", 2); go(0.1); say("again", document.body.dataset.failed || m.time());'
# with events, as it is, begun anew, with values that sliders gave, one of them that a run reads at its start alone
simulate --model Live.Scene --stop 1.9
near start 1e-4
near reset 1e-4
simulate --model 'Live.Scene(ball(e = 0.7, period = 0.3))' --stop 1.9
near other 1e-4
printf 'time,drive\n0,0\n0.5,0\n0.5,3\n2,3\n' >d.csv
simulate --model Live.Scene --stop 1.9 --input d.csv
near input 1e-4
# pulled: by the force of the drive; the mass that is felt; the spring's rate is (4 pi)^2 per second^2 of that mass
near force 1e-4
seen mass | awk '{ m = $1 } END { exit !(m > 1.98 && m < 2.02) }' || fail "the ball has 2 kg, at the mouse $(seen mass)"
seen hangs | awk '{ d = 9.81/(16*atan2(0, -1)^2); ok = ($1 - 0.5)^2 < 1e-4 && ($2 - 2 + d)^2 < 1e-4 } END { exit !ok }' ||
    fail "pulled to (0.5, 2): $(seen hangs)"
seen plays | awk '{ t = $1 } END { exit !(t > 0.99 && t < 1.1) }' || fail "it plays: $(seen plays)"
[ -n "$(seen failed)" ] || fail "a mass of zero is no failure"
seen again | awk '{ t = $1 } END { exit !(t > 0.09 && t < 0.11) }' || fail "behind a failure: $(seen again)"

# a closed loop, and forces at frames of it, the cut one among them: as in a model that has such a force
cat >loop.mo <<'MO'
model Pushed
  extends Linkage.Benchmarks.SpatialFourBar;
  parameter Integer where = 0;
  Linkage.Forces.Force push(resolveIn = Linkage.Forces.ResolveIn.frame, f = {0, 5, 3});
equation
  if where == 1 then
    connect(push.frame_b, couplerBody.frame_a);
  elseif where == 2 then
    connect(push.frame_b, rockerRod.frame_b);
  elseif where == 3 then
    connect(push.frame_b, cross.frame_a);
  end if;
end Pushed;
MO
"$rung" view --live --model Linkage.Benchmarks.SpatialFourBar --signals crank.phi,rocker.phi -q -o fourbar.html || fail "a loop"
visit fourbar '
  const push = (name) => {
    const frame = m.pullable.find((f) => f.name === name);
    m.reset(); [0, 5, 3].forEach((f, k) => m.set(frame.pull + "[" + (k + 1) + "]", f)); go(0.5);
    say(name, values()); [1, 2, 3].forEach((k) => m.set(frame.pull + "[" + k + "]", 0));
  };
  m.reset(); go(0.5); say("loop", values());
  for (const name of ["couplerBody.frame_a", "rockerRod.frame_b", "cross.frame_a"]) push(name);'
loop() { # MODEL
    "$rung" simulate loop.mo --model "$1" --signals crank.phi,rocker.phi --stop 0.5 --tolerance 1e-9 -q -o result.csv || fail "simulate $1"
}
loop Linkage.Benchmarks.SpatialFourBar
near loop 1e-4
k=0
for name in couplerBody.frame_a rockerRod.frame_b cross.frame_a; do
    k=$((k + 1))
    loop "Pushed(where = $k)"
    near $name 1e-4
done
exit $failed
