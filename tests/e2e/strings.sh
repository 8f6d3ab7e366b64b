#!/bin/sh
# Variables of type String (MLS 4.9.5, 3.8.5): in results, saved states, the memory of long runs; results
# without them, and commands that refuse them.
# usage: strings.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >Machine.mo <<'END'
model Machine
  parameter Real p = 1;
  parameter String word = "on";
  parameter Integer most = 3;
  Real x(start = 0, fixed = true) "rises at 1 or 2";
  Integer n(start = 0, fixed = true);
  String s(start = "p is " + String(p), fixed = true) "its own number";
  String constant_ = "p was " + String(p);
  String t = if x > 0.45 then "a \"quoted\", and\nlong" else "ünïcödé; " + String(n);
  String empty = "";
  String many[most] = {String(k*n) + "," for k in 1:most};
  output String out = s + "/" + t;
  Real y(start = 0, fixed = true);
equation
  der(x) = if s == "on 3" then 2 else 1;
  der(y) = n;
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
    s = if n == 5 then constant_ + ", " + pre(s) else word + " " + String(n);
  end when;
end Machine;
END
# the texts of a result by their closed forms, and its columns
cat >check.py <<'END'
import csv, sys
path, p, word, begin, most = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]), int(sys.argv[5])
rows = list(csv.reader(open(path, newline="", encoding="utf-8")))
names = rows[0]
texts = ["s", "constant_", "t", "empty"] + [f"many[{k}]" for k in range(1, most + 1)] + ["out"]
assert sorted(names[-len(texts):]) == sorted(texts), names
assert len(rows) > 10
for row in rows[1:]:
    at = dict(zip(names, row))
    n = int(at["n"])
    s = (f"p is {p}" if n == 0 else f"p was {p}, {word} 4" if n == 5 else f"{word} {n}")
    t = 'a "quoted", and\nlong' if at["t"].startswith("a") else f"ünïcödé; {n}"
    assert at["s"] == s, (at["s"], s)
    assert at["t"] == t and (float(at["x"]) > 0.4499) >= at["t"].startswith("a"), at
    assert float(at["x"]) < 0.4501 or at["t"].startswith("a"), at
    assert at["constant_"] == f"p was {p}" and at["empty"] == "" and at["out"] == s + "/" + t, at
    assert all(at[f"many[{k}]"] == f"{k*n}," for k in range(1, most + 1)), at
assert float(rows[1][0]) == begin and float(rows[-1][0]) == 1, rows[-1]
END
checked() {
    python3 check.py "$@" || fail "texts of $1"
}
run() {
    "$rung" simulate Machine.mo -q --interval 0.05 "$@" 2>log || fail "$*: $(cat log)"
}
run --stop 1 -o all.csv
checked all.csv 1 on 0 3
run --stop 1 --set p=2.5 --set 'word="off"' -o set.csv
checked set.csv 2.5 off 0 3
# as it is quoted, byte by byte
grep -q '^0,0,0,0,1,0,"p is 1","p was 1","ünïcödé; 0","","0,","0,","0,","p is 1/ünïcödé; 0"$' all.csv ||
    grep -q '"p is 1","p was 1","ünïcödé; 0","","0,","0,","0,"' all.csv || fail "the first row: $(sed -n 1,2p all.csv)"
grep -q '"a ""quoted"", and$' all.csv || fail "quotes in quotes"
# a saved state has its texts, and those of constants are those of its parameters
run --stop 0.47 --set p=7 --save-state state -o first.csv
run --stop 1 --from state -o second.csv
checked second.csv 7 on 0.47 3
run --stop 0.47 --set p=7 --save-state state --save-interval 0.1 -o first.csv
run --stop 1 --from state -o again.csv
cmp second.csv again.csv || fail "saved on the way"
# of constants alone
sed 's/model Machine/model Still/; s/end Machine/end Still/; /  when /,/  end when/d; /Integer n(/s/.*/  parameter Integer n = 0;/; /String s(/s/.*/  String s = "p is " + String(p);/' Machine.mo >Constants.mo
"$rung" simulate Constants.mo -q --stop 0.1 --set p=7 --save-state constants -o first.csv || fail "constants"
"$rung" simulate Constants.mo -q --stop 0.2 --from constants -o second.csv || fail "constants"
tail -n 1 second.csv | grep -q '"p is 7","p was 7"' || fail "texts of constants: $(tail -n 1 second.csv)"
# methods, and the same bytes
for method in dopri5 rk4 ida; do
    run --stop 1 --method $method --step 0.01 -o $method.csv
    checked $method.csv 1 on 0 3
done
run --stop 1 -o same.csv
cmp all.csv same.csv || fail "other bytes"

# by name
run --stop 1 --signals 's,x,many*' -o some.csv
[ "$(head -n 1 some.csv)" = '"time","x","s","many[1]","many[2]","many[3]"' ] || fail "signals: $(head -n 1 some.csv)"
run --stop 1 --signals s -o one.csv
[ "$(head -n 1 one.csv)" = '"time","s"' ] || fail "one String: $(head -n 1 one.csv)"
expect 2 "no variable is called like 'nothing'" "$rung" simulate Machine.mo -q --signals nothing -o no.csv
expect 2 "no Strings as 's'" "$rung" simulate Machine.mo -q --signals s -o no.mat

# files of numbers, curves and comparisons leave them out
run --stop 1 -o all.mat
"$rung" compare all.csv all.mat >log || fail "compared: $(cat log)"
grep -q 'ok *x\b' log || fail "nothing is compared: $(cat log)"
grep -q "many" log && fail "texts are compared"
"$rung" plot all.csv -q -o all.svg || fail "curves"
expect 4 "no variable .s." "$rung" plot all.csv --signals s -o no.svg
sed 's/"p is 1"/p is 1/' all.csv >bare.csv
expect 4 "bare.csv:2:.*'p is 1' is no number" "$rung" plot bare.csv -o no.svg
"$rung" sweep Machine.mo --vary p=1,2 --keep -q -o sweep 2>log || fail "a sweep: $(cat log)"
"$rung" verify Machine.mo >log || fail "verify: $(cat log)"

# refused
expect 1 "G07.*der(x) calls a function that has Strings" "$rung" sweep Machine.mo --vary p=1,2 --lanes -q -o lanes
expect 1 "G05.*Strings" "$rung" compile Machine.mo --kind library -q -o library

# 1000 of them, and one of 100,000 characters
run --stop 1 --set most=1000 -o many.csv
checked many.csv 1 on 0 1000
# texts that stay while others come and go
cat >Still.mo <<'END'
model Still
  parameter Integer most = 400;
  Integer c(start = 0, fixed = true), k[most] = {integer(time + j/most) for j in 1:most};
  String churn(start = "", fixed = true), still[most] = {"k = " + String(k[j]) for j in 1:most};
  Integer wrong(start = 0, fixed = true) "by events";
equation
  when sample(0.001, 0.001) then
    c = pre(c) + 1;
    churn = "c = " + String(c);
    wrong = pre(wrong) + (if still[1] == "k = " + String(k[1]) and still[most] == "k = 1" then 0 else 1);
  end when;
end Still;
END
"$rung" simulate Still.mo -q --stop 0.999 --interval 0.037 -o still.csv || fail "texts that stay"
python3 - <<'END' || fail "texts that stay"
import csv
rows = list(csv.DictReader(open("still.csv")))
assert int(rows[-1]["wrong"]) == 0 and rows[-1]["churn"] == "c = 999"
for r in rows:
    assert r["churn"] == ("c = " + r["c"] if int(r["c"]) else "")
    assert all(r[f"still[{j}]"] == "k = " + r[f"k[{j}]"] for j in range(1, 401))
END
cat >Long.mo <<'END'
model Long "at each of its events another text of 100,000 characters"
  function long
    input Integer n;
    output String all = String(n);
  protected
    String part = "0123456789";
    Integer k = 0;
  algorithm
    while k < 4 + 0*n loop
      part := part + part + part + part + part + part + part + part + part + part;
      k := k + 1;
    end while;
    all := all + ":" + part;
  end long;
  function same
    input String a;
    input String b;
    output Boolean is = a == b;
  algorithm
    annotation(Inline = false);
  end same;
  parameter Real h = 0.001;
  Integer n(start = 0, fixed = true), kept(start = 0, fixed = true);
  String s(start = "", fixed = true), old(start = "", fixed = true);
equation
  when sample(h, h) then
    n = pre(n) + 1;
    s = long(n);
    old = pre(s);
    kept = pre(kept) + (if same(old, if n > 1 then long(n - 1) else "") then 1 else 0);
  end when;
end Long;
END
# 3000 events make 600 MB of texts, in 200 MB
"$rung" compile Long.mo -q -o long || fail "a long text"
make_program long >log 2>&1 || fail "a long text: $(cat log)"
(ulimit -v 200000 && ./long/Long --stop 3 --interval 1 --signals n,kept --progress none -o long.csv) >log 2>&1 ||
    fail "memory grows: $(cat log)"
[ "$(tail -n 1 long.csv)" = "3,3000,3000" ] || fail "texts that were kept: $(tail -n 1 long.csv)"
"$rung" simulate Long.mo -q --stop 0.002 --interval 0.001 --signals s -o long_text.csv || fail "a long text"
[ "$(tail -n 1 long_text.csv | wc -c)" -eq 100011 ] || fail "a long text: $(tail -n 1 long_text.csv | wc -c)"
[ "$failed" -eq 0 ] && echo "strings: good"
exit "$failed"
