#!/bin/sh
# Pictures of results: as SVG, PNG and pages; what a page tells its script is looked at by node where
# that is there.
# usage: pictures.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >ball.mo <<'MO'
model Ball
  Real h(start = 1, fixed = true, unit = "m"), v(start = 0, fixed = true, unit = "m/s");
  output Real energy(unit = "J") = 9.81*h + v^2/2;
  Real half = h/2;
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.8*pre(v));
  end when;
end Ball;
MO
"$rung" simulate ball.mo --stop 2 -o ball.mat -q --plot run.svg || fail "--plot"
"$rung" simulate ball.mo --stop 2 -o low.csv -q --start h=0.5 || fail "another run"
# the states, and the output that only the model knows; as the XML of three panels
for name in h v energy; do
    grep -q ">$name</text>" run.svg || fail "$name is not in the picture of a run"
done
grep -q '>half</text>' run.svg && fail "what is no state and no output is drawn"
for unit in m m/s J; do
    grep -q ">$unit</text>" run.svg || fail "no panel has the unit $unit"
done
"$rung" plot ball.mat -o a.svg -q || fail "rung plot"
grep -q '>energy</text>' a.svg && fail "an output is known from a result"
grep -q '>m/s</text>' a.svg || fail "a MAT file has units"
python3 -c 'import sys, xml.dom.minidom; [xml.dom.minidom.parse(f) for f in sys.argv[1:]]' run.svg a.svg || fail "no XML"
# order as given, a panel for each semicolon, two results
"$rung" plot ball.mat low.csv --signals 'v;h,half' -o b.svg -q || fail "signals"
[ "$(grep -c '<rect' b.svg)" -eq 3 ] || fail "panels"
[ "$(grep -c '<path' b.svg)" -eq 6 ] || fail "curves of two results"
awk '/>v, ball.mat</ { v = NR } />h, ball.mat</ { h = NR } />half, low.csv</ { last = NR } END { exit !(v && v < h && h < last) }' b.svg ||
    fail "order"

# a page: the data of its script are those of the result
"$rung" plot ball.mat --signals 'h;v' -o a.html -q 2>err || fail "a page"
if grep -q 'without uPlot' a.html; then
    grep -q '</svg>' a.html && grep -q 'uPlot' err || fail "a page without uPlot holds no picture, or it is not said"
    echo "remark: built without uPlot"
else
    grep -q 'MIT' a.html || fail "the licence is not in the page"
    grep -qE '(src|href)=' a.html && fail "the page wants other files"
    if command -v node >/dev/null; then
        "$rung" simulate ball.mo --stop 2 -o h.csv --signals h -q
        cat >look.js <<'JS'
const page = require('fs').readFileSync('a.html', 'utf8');
const script = page.slice(page.lastIndexOf('<script>') + 8, page.lastIndexOf('</script>'));
const seen = [];
const element = {appendChild: () => ({})};
const run = new Function('uPlot', 'document', 'window', script);
run(function (o, data) { seen.push({o, data}); },
    {getElementById: () => element, createElement: () => ({})}, {innerWidth: 1000});
if (seen.length !== 2) throw 'panels';
if (seen[0].o.series[1].label !== 'h' || seen[1].o.axes[1].label !== 'm/s') throw 'labels';
const rows = require('fs').readFileSync('h.csv', 'utf8').trim().split('\n').slice(1).map((r) => r.split(',').map(Number));
const [t, h] = seen[0].data;
if (t.length !== rows.length) throw 'rows ' + t.length + ' ' + rows.length;
rows.forEach((r, k) => { if (Math.abs(r[0] - t[k]) > 1e-8 || Math.abs(r[1] - h[k]) > 1e-8) throw 'row ' + k; });
JS
        node look.js || fail "the data of the page"
    fi
fi
# a picture of points, if this rung can; what fontconfig keeps is no leak of ours
if ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" "$rung" plot ball.mat -o a.png -q 2>err; then
    [ "$(head -c 4 a.png | od -An -c | tr -d ' ')" = '211PNG' ] || fail "no PNG"
else
    grep -q 'librsvg' err || fail "no PNG, and no reason"
fi

says() {
    want=$1
    text=$2
    shift 2
    "$rung" "$@" >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "status $got instead of $want: $* $(cat err)"
    grep -qF "$text" err || fail "'$text' is not in: $(cat err)"
}
says 2 ".svg, .png or .html" plot ball.mat -o a.gif
says 2 "needs results" plot -o a.svg
says 2 "needs results" plot ball.mat
says 4 "no variable 'nope'" plot ball.mat --signals nope -o none.svg
says 4 "none.mat" plot none.mat -o none.svg
says 4 "cannot write" plot ball.mat -o none/a.svg
says 2 ".svg, .png or .html" simulate ball.mo --plot a.gif -o r.mat
[ ! -e none.svg ] && [ ! -e r.mat ] || fail "files in spite of mistakes"

# display units: a panel of degC with values in degC, of runs and of MAT files; none where it does not fit
cat >warm.mo <<'MO'
model Warm
  Real T(start = 300, fixed = true, unit = "K", displayUnit = "degC");
  Real phi(start = 0, fixed = true, unit = "rad", displayUnit = "deg");
  Real s(start = 1, fixed = true, unit = "m", displayUnit = "kg");
equation
  der(T) = -10;
  der(phi) = 1;
  der(s) = 1;
end Warm;
MO
"$rung" simulate warm.mo --stop 2 -o warm.mat -q --plot warm.svg || fail "display units"
"$rung" plot warm.mat -o again.svg -q || fail "display units of a file"
for picture in warm.svg again.svg; do
    for text in degC 25 deg 120 m 3.0; do
        grep -q ">$text</text>" $picture || fail "$picture: no '$text'"
    done
    grep -q '>300</text>' $picture && fail "$picture: temperatures in K"
done
exit $failed
