#!/bin/sh
# HTML references (rung doc): every link of every page by another parser, the search in a browser, odd names, broken
# documentation, classes that are not resolved, folders that are there.
# usage: doc.sh RUNG DIR SOURCE [large]; large: the Modelica Standard Library, if it is in MODELICAPATH
. "$(dirname "$0")/common.sh"
find_python html.parser || exit 1
browser=$(command -v chromium || command -v chromium-browser)

# pages DIR: the findings of the other parser
pages() {
    "$python" "$source/tests/e2e/doc/check_pages.py" "$1" >pages.txt || fail "$1: $(cat pages.txt)"
}
# has FILE TEXT
has() {
    grep -qF -- "$2" "$1" || fail "$1 has no $2"
}

"$rung" doc Linkage -o linkage >out.txt 2>err.txt || fail "Linkage: $(cat err.txt)"
[ ! -s err.txt ] || fail "Linkage: $(cat err.txt)"
pages linkage
page=linkage/classes/Linkage.Joints.Revolute.html
has $page 'src="../icons/Linkage.Joints.Revolute.svg"'
has $page '<td class="value">{0, 0, 1}</td>'
has $page 'Linkage.Interfaces.TwoFrames.html'
has $page 'Linkage.Benchmarks.SliderCrank'
"$rung" doc "$source/library/Linkage/" -o again/ >/dev/null || fail "by its folder"
diff -r linkage again >diff.txt || fail "other bytes: $(head -5 diff.txt)"
touch linkage/classes/Gone.html
"$rung" doc Linkage -o linkage >out.txt 2>err.txt
[ $? -eq 4 ] && grep -q "Gone.html" err.txt || fail "a foreign file: $(cat err.txt)"
[ -f linkage/classes/Gone.html ] && pages again || fail "the foreign file is gone"
rm linkage/classes/Gone.html

# Names that file systems and URLs do not like, and documentation that is no HTML.
cat >odd.mo <<'END'
package Odd "a <package> & \"more\""
  model 'a b/c"' "quoted" annotation(Documentation(info = "<html><p>x<table><tr><td>y</p><b onclick=\"z()\">
    <script>alert(1)</script><a href=\"javascript:z()\">j</a> <a href=\"modelica://Odd.ab\">1</a>
    <a href=\"modelica://Odd.'a b/c\\\"'#there\">2</a> <a href=\"modelica://Nowhere.X\">3</a> <a href=\"#not\">4</a>
    <a href=\"modelica://Odd.AB#here\">5</a> <img src=\"modelica://Odd/../odd.mo\"> <img src=\"http://x.y/z.png\">
    <a name=\"there\">t</a> <a name=\"there\">twice</a> <a href=\"modelica://Odd/Resources/paper.html\">6</a></html>")); end 'a b/c"';
  model ab "small" Real x; end ab;
  model AB "large" annotation(Documentation(info = "<html><h4 id=\"here\">here</h4></html>")); end AB;
  model '../../up' end '../../up';
  model '</title><script>' end '</title><script>';
  type E = enumeration('<b>' "& one", two);
  function f input Real u "<in>"; output Real y; algorithm y := u; end f;
  model M extends Missing.Base; Nowhere z; ab part(x = f(1)); parameter Real p[2, 2] = {{1, 2}, {3, 4}} "m & n"; end M;
  annotation(Icon(graphics = {Bitmap(extent = {{-1, -1}, {1, 1}}, fileName = "modelica://Odd/../../etc/passwd"),
    Text(extent = {{-1, -1}, {1, 1}}, textString = "</svg>%name%%")}));
end Odd;
END
"$rung" doc odd.mo -o odd >out.txt 2>err.txt || fail "odd: $(cat err.txt)"
grep -q '1 class is not resolved completely' err.txt || fail "odd: $(cat err.txt)"
pages odd
has odd/classes/Odd.M.html 'Not resolved completely'
has odd/classes/Odd.M.html 'Odd.ab.html'
has odd/classes/Odd.M.html '{{1, 2}, {3, 4}}'
quoted=odd/classes/Odd.-27a-20b-2fc-22-27.html
has $quoted 'href="../classes/Odd.ab.html"'
has $quoted '#doc-here"'
[ ! -e odd/files ] || fail "files from outside of the library: $(ls odd/files)"
"$rung" doc odd.mo -o odd --title 'T & <t>' >/dev/null 2>&1 && has odd/index.html '<title>T &amp; &lt;t&gt;</title>'
pages odd

# Many classes, and two files whose classes have one name.
awk 'BEGIN { print "package Many"; for (k = 1; k <= 300; k++) print "model M" k " Real x = " k "; end M" k ";"; print "end Many;" }' >many.mo
"$rung" doc many.mo -o many >out.txt && pages many && grep -q '^301 classes' out.txt || fail "many: $(cat out.txt)"
mkdir -p user empty
echo 'model A "one" end A;' >user/a.mo
echo 'model B "two" extends A; end B;' >user/b.mo
"$rung" doc user -o empty >out.txt && pages empty && grep -q '^2 classes' out.txt || fail "a folder of files: $(cat out.txt)"

# Wrong input: nothing is written.
echo 'model A Real x = ; end A;' >bad.mo
expect 1 'bad.mo:1:18' "$rung" doc bad.mo -o bad
expect 1 'NoSuchLibrary' "$rung" doc NoSuchLibrary -o bad
expect 1 'none.mo' "$rung" doc none.mo -o bad
expect 2 'needs files' "$rung" doc odd.mo
expect 2 'needs files' "$rung" doc -o bad
mkdir here
(cd here && expect 4 'working folder' "$rung" doc ../odd.mo -o . && [ $failed -eq 0 ]) || failed=1
expect 4 'working folder' "$rung" doc odd.mo -o /
expect 4 "a.mo\|b.mo" "$rung" doc odd.mo -o user
expect 4 'no folder' "$rung" doc odd.mo -o odd.mo
expect 4 'missing' "$rung" doc odd.mo -o missing/there
[ ! -e bad ] || fail "pages of wrong input"
[ -z "$(find . -name '*.part*')" ] || fail "left behind: $(find . -name '*.part*')"

# The search, in a browser: the page of the class comes first.
if [ -n "$browser" ]; then
    "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=3000 --dump-dom \
        "file://$dir/linkage/index.html?q=revolute" >dom.txt 2>/dev/null
    grep -o '<li[^>]*><a href="[^"]*"' dom.txt | head -1 | grep -q 'classes/Linkage.Joints.Revolute.html' ||
        fail "search: $(grep -o '<ol>.*' dom.txt | head -c 300)"
else
    echo "the search was not tried: no chromium"
fi

if large && [ -n "$MODELICAPATH" ]; then
    "$rung" doc Modelica -o msl >out.txt 2>err.txt || fail "Modelica: $(cat err.txt)"
    cat out.txt err.txt
    pages msl
fi

[ $failed -eq 0 ] && echo "pages are whole"
exit $failed
