#!/bin/sh
# The page of curves in a browser, which moves the cursor and draws over a stretch of time: nothing is
# complained about, the cursor reads values in all panels, zoom shows the stretch and goes back.
# usage: pages.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
browser=$(command -v chromium || command -v chromium-browser)
[ -n "$browser" ] || { echo "skipped: no Chromium"; exit 0; }
cat >ball.mo <<'MO'
model Ball
  Real h(start = 1, fixed = true, unit = "m"), v(start = 0, fixed = true, unit = "m/s");
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.7*pre(v));
  end when;
end Ball;
MO
"$rung" simulate ball.mo --stop 1.5 -q -o ball.mat && "$rung" plot ball.mat -q -o ball.html 2>err || fail "the page"
grep -q 'without uPlot' ball.html && { echo "skipped: rung was built without uPlot"; exit 0; }
cat >>ball.html <<'END'
<script>
addEventListener('load', async () => {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const over = document.querySelectorAll('.u-over');
  const send = (what, share, to) => {
    const box = over[0].getBoundingClientRect();
    (to || over[0]).dispatchEvent(new MouseEvent(what, {clientX: box.left + share * box.width,
      clientY: box.top + box.height / 2, bubbles: true, cancelable: true, view: window, button: 0,
      movementX: 1, movementY: 1}));
  };
  const at = async (share, panel, series) => {
    send('mouseenter', share);
    send('mousemove', share);
    await wait(100);
    const shown = document.querySelectorAll('.uplot')[panel].querySelectorAll('.u-value');
    return shown[series].textContent;
  };
  const seen = [over.length, await at(0.01, 0, 0), await at(0.25, 0, 0), await at(0.25, 1, 0),
    await at(0.25, 0, 1), await at(0.25, 1, 1)];
  send('mousedown', 0.4);
  await wait(50);
  send('mousemove', 0.5);
  await wait(50);
  send('mousemove', 0.6);
  await wait(50);
  send('mouseup', 0.6, document);
  await wait(200);
  seen.push(await at(0.01, 0, 0), await at(0.99, 0, 0), await at(0.99, 1, 0));
  send('dblclick', 0.5);
  await wait(200);
  seen.push(await at(0.01, 0, 0));
  document.body.dataset.seen = seen.join(' ');
});
</script>
END
timeout 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/profile" --window-size=1000,800 \
    --virtual-time-budget=6000 --enable-logging=stderr --dump-dom "file://$dir/ball.html" >page.txt 2>page.err ||
    fail "the browser: $(cat page.err)"
grep CONSOLE page.err >said.txt && fail "the console: $(cat said.txt)"
# panels; times under the cursor; height and speed there; the stretch drawn over; all again
sed -n 's/.*data-seen="\([^"]*\)".*/\1/p' page.txt | awk '
    function near(a, b, off) { return (a - b)^2 <= off^2 }
    END {
        exit !(NR == 1 && $1 == 2 && near($2, 0.015, 0.01) && near($3, 0.375, 0.01) && $4 == $3 &&
            near($5, 1 - 9.81/2*$3^2, 1e-3) && near($6, -9.81*$3, 1e-3) &&
            near($7, 0.603, 0.02) && near($8, 0.897, 0.02) && $9 == $8 && $10 == $2)
    }' || fail "cursor and zoom: $(sed -n 's/.*data-seen="\([^"]*\)".*/\1/p' page.txt)"
exit $failed
