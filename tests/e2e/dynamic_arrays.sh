#!/bin/sh
# Arrays of functions whose sizes are known in a run only: subscripts out of bounds and sizes that do not fit
# end a run with status 3, a message and the place, in standalone programs, too; so do elements that a loop reads before
# one of its rounds has assigned them. Their
# memory is freed when calls return and when they fail. C libraries have no heap and refuse them.
# usage: dynamic_arrays.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
cat >m.mo <<'MO'
package P
  function outside "a subscript"
    input Integer n;
    input Integer k;
    output Real y;
  protected
    Real w[:] = {i for i in 1:n};
  algorithm
    w := cat(1, w, {0});
    y := w[k];
  end outside;
  function slice "of an array of known size"
    input Real u[3];
    input Integer n;
    output Real y;
  algorithm
    y := sum(u[1:n]);
  end slice;
  function negative "a size"
    input Integer n;
    output Real y;
  protected
    Real w[n];
  algorithm
    y := sum(w);
  end negative;
  function sizes "of a sum"
    input Integer n;
    output Real y;
  protected
    Real w[n];
  algorithm
    y := sum(w + ones(3));
  end sizes;
  function given "the size that an output declares"
    input Integer n;
    output Real y[2];
  algorithm
    y := {i for i in 1:n};
  end given;
  function long "until no memory is left"
    input Integer n;
    output Real y;
  protected
    Real w[:, :];
  algorithm
    w := zeros(n, n);
    y := sum(w);
  end long;
  function early "reads what the round before has assigned, but for one"
    input Integer n;
    input Integer gap;
    output Integer s = 0;
  protected
    Integer a[10];
  algorithm
    for k in 1:n loop
      if k > 1 then
        s := s + a[k - 1];
      end if;
      if k <> gap then
        a[k] := k;
      end if;
    end for;
  end early;
  function earlyOfMany
    input Integer n;
    input Integer gap;
    output Integer s = 0;
  protected
    Integer a[100];
  algorithm
    for k in 1:n loop
      s := if k == 1 then 0 else s + a[k - 1];
      if k <> gap then
        a[k] := k;
      end if;
    end for;
  end earlyOfMany;
  function earlyOfRecord "of its array"
    input Integer n;
    input Integer gap;
    output Real s = 0;
  protected
    record R
      Integer count;
      Real a[10];
    end R;
    R r;
  algorithm
    r.count := 0;
    for k in 1:n loop
      if r.count > 1 then
        s := s + sum(r.a[1:r.count]);
      end if;
      r.count := r.count + 1;
      if k <> gap then
        r.a[k] := k;
      end if;
    end for;
  end earlyOfRecord;
  function earlyOfScalar "in rounds that are known"
    input Integer from;
    output Real s = 0;
  protected
    Real x;
  algorithm
    for k in 1:5 loop
      if k > from then
        s := s + x;
      end if;
      if k > 2 then
        x := k;
      end if;
    end for;
  end earlyOfScalar;
  model Early
    Integer y = early(integer(time), 3), three = early(3, integer(time) + 3);
  end Early;
  model EarlyOfMany
    Integer y = earlyOfMany(integer(time), 3);
  end EarlyOfMany;
  model EarlyOfRecord
    Real y = earlyOfRecord(integer(time), 2);
  end EarlyOfRecord;
  model EarlyOfScalar
    Real y = earlyOfScalar(6 - integer(time));
  end EarlyOfScalar;
  model Outside
    Real x(start = 0, fixed = true);
  equation
    der(x) = outside(3 + div(integer(time), 10), 1 + integer(time));
  end Outside;
  model Slice
    Real x(start = 0, fixed = true);
  equation
    der(x) = slice({1, 2, 3}*time, integer(time));
  end Slice;
  model Negative
    Real y = negative(3 - integer(time));
  end Negative;
  model Sizes
    Real y = sizes(3 - div(integer(time), 4));
  end Sizes;
  model Given
    Real y[2] = given(2 - div(integer(time), 4));
  end Given;
  model Long
    Real y = long(if time < 4 then 10 else 1000000);
  end Long;
  function grown "an array that a loop makes longer"
    input Real x;
    input Real p;
    input Integer n;
    output Real y;
  protected
    Real all[:] = {p*x};
  algorithm
    for i in 1:n loop
      all := cat(1, all, {all[end]*p + 1});
    end for;
    y := all*all/size(all, 1);
  end grown;
  model Grown
    parameter Real p = 0.5;
    Real x(start = 1, fixed = true);
  equation
    der(x) = -grown(x, p, 3 + integer(time))/(2 + x);
  end Grown;
  model Many "calls in each step; a leak would take all memory"
    function f
      input Integer n;
      input Real x;
      output Real y;
    protected
      Real a[n, n];
      Real b[:];
    algorithm
      for i in 1:n, j in 1:n loop
        a[i, j] := x*i/j;
      end for;
      b := a*ones(n);
      y := sum(b)/n^2;
    end f;
    Real x(start = 1, fixed = true);
  equation
    der(x) = -f(if time < 1e9 then 300 else 1, x);
  end Many;
end P;
MO
# stops MODEL TIME TEXT LINE
stops() {
    expect 3 "t = $2: .*$3, m.mo:$4" "$rung" simulate m.mo --model "P.$1" --stop 5 --interval 1 -o "$1.csv"
    [ "$(tail -1 "$1.csv" | cut -d, -f1)" = "$2" ] || fail "$1: $(tail -1 "$1.csv")"
}
L=$(grep -n 'function early "' m.mo | cut -d: -f1)
stops Early 4 "'P.early' violated: 'a\[k - 1\]' is used before it has a value" "$((L + 9)):18"
stops EarlyOfMany 4 "'P.earlyOfMany' violated: 'a\[k - 1\]' is used before it has a value" "$((L + 24)):38"
stops EarlyOfRecord 3 "'P.earlyOfRecord' violated: 'r.a\[1:r.count\]' is used before it has a value" "$((L + 44)):22"
stops EarlyOfScalar 4 "'P.earlyOfScalar' violated: 'x' is used before it has a value" "$((L + 60)):18"
stops Outside 4 "'P.outside' violated: subscript 5 is outside 1 .. 4" 10:12
stops Slice 4 "'P.slice' violated: subscript 1 or 4 is outside 1 .. 3" 17:16
stops Negative 4 "an array of 'P.negative' has a negative size or too many elements" 23:10
stops Sizes 4 "'P.sizes' violated: sizes do not fit: 2 and 3" 33:14
stops Given 4 "'P.given' violated: sizes do not fit: 1 and 2" 39:5
stops Long 4 "an array of 'P.long' has a negative size or too many elements" 47:5

# 600 MB in all would be needed, were arrays not freed
"$rung" compile -q m.mo --model P.Many --method rk4 -o many && make_program many || fail "no program"
(ulimit -v 200000 && many/P_Many --stop 2 --step 1e-2 --progress none -o many.csv) >log 2>&1 || fail "memory: $(cat log)"

# derivatives by a parameter, forward and backward, against differences
last() {
    "$rung" simulate -q m.mo --model P.Grown --stop 2 --set "p=$1" --tolerance 1e-12 -o grown.csv || fail "p = $1"
    tail -1 grown.csv | cut -d, -f3
}
more=$(last 0.5001)
less=$(last 0.4999)
for mode in direct adjoint; do
    "$rung" gradient m.mo --model P.Grown --objective x --by p --stop 2 --mode $mode --tolerance 1e-10 >out || fail "$mode"
    awk -v a="$more" -v b="$less" '/by p/ { d = $3 - (a - b)/2e-4; good = d*d < 1e-10 } END { exit !good }' out ||
        fail "$mode: $(cat out), differences of $more and $less"
done

# arrays of Reals are arguments of external C functions, with their sizes; those of Integers are refused
cat >external.mo <<'MO'
package External
  function weighted
    input Real a[:, :], w[:] = ones(size(a, 2));
    output Real s;
    external "C" s = weighted(a, size(a, 1), size(a, 2), w) annotation(Include = "
static double weighted(const double *a, size_t n, size_t m, const double *w)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            s += a[i*m + j]*w[j]*(i + 1);
    return s;
}");
  end weighted;
  function total "sizes behind the array"
    input Real a[:];
    output Real s;
    external "C" annotation(Include = "
static double total(const double *a, size_t n) { double s = 0; while (n) s += a[--n]; return s; }");
  end total;
  function whole
    input Integer a[:];
    output Real s;
    external "C" annotation(Include = "static double whole(const int *a, size_t n) { return n ? a[0] : 0; }");
  end whole;
  function f
    input Integer n;
    input Real x;
    output Real y;
  protected
    Real a[n, 2];
  algorithm
    for i in 1:n loop
      a[i, 1] := x;
      a[i, 2] := i;
    end for;
    y := weighted(a, {1, 2}) + total(a[:, 2]) + total({x*i for i in 1:n});
  end f;
  function g
    input Integer n;
    output Real y = whole({i for i in 1:n});
  algorithm
  end g;
  model Reals
    discrete Integer n(start = 0, fixed = true);
    Real error = f(n, time) - sum(if i <= n then 2*i*time + 2*i*i + i else 0 for i in 1:20);
  equation
    when sample(0.1, 0.1) then
      n = pre(n) + 1;
    end when;
  end Reals;
  model Integers
    Integer n(start = 3, fixed = true);
    Real y = g(n);
  equation
    when sample(1, 1) then
      n = pre(n) + 1;
    end when;
  end Integers;
end External;
MO
"$rung" simulate external.mo --model External.Reals --stop 1.05 -q -o reals.csv || fail "arrays to C"
awk -F, 'NR > 1 && ($3 > 1e-9 || $3 < -1e-9) { exit 1 } END { exit !(NR > 2 && $2 == 10) }' reals.csv || fail "arrays to C: $(tail -1 reals.csv)"
expect 1 "argument of an external function, unless it is an input of Reals" \
    "$rung" simulate external.mo --model External.Integers -o integers.csv

# the audit carries out such functions by itself
"$rung" simulate m.mo --model P.Outside --stop 3 -o audited.csv >out 2>&1
grep -q '^audit: 1 equations.*bound 10$' out || fail "audit: $(cat out)"

"$rung" compile -q m.mo --model P.Outside -o program && make_program program || fail "no program"
expect 3 "subscript 5 is outside 1 .. 4" program/P_Outside --stop 5 -o program.csv

expect 1 "error G05: a library cannot be made of a model whose functions have arrays" \
    "$rung" compile m.mo --model P.Outside --kind library -o library
exit $failed
