#!/bin/sh
# Records as arguments of external C functions (MLS 12.9.1.3): structs in both directions, nested, with all simple types,
# arrays of them, parts of them, returned by value; with a header and without; records that cannot be mapped.
# usage: external_records.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
mkdir -p Lib/Resources/C-Sources Lib/Resources/Include
cat >Lib/Resources/Include/records.h <<'END'
#include <string.h>
struct Point { double x, y; };
struct Body { double m; int n; struct Point a; int fixed; const char *name; struct Point b; int colour; };
/* the same body by another mass, its points exchanged and scaled */
static inline void lib_exchange(const struct Body *in, double by, struct Body *out)
{
    *out = *in;
    out->m = in->m * by;
    out->n = in->n + 1;
    out->a.x = by * in->b.x;
    out->a.y = by * in->b.y;
    out->b = in->a;
    out->fixed = !in->fixed;
    out->name = strcmp(in->name, "left") ? "left" : "right";
    out->colour = in->colour % 3 + 1;
}
static inline struct Point Point_of(double r, double phi)
{
    struct Point p = {r * phi, r - phi};
    return p;
}
END
# without a header: the compiler declares them
cat >Lib/Resources/C-Sources/plain.c <<'END'
struct P { double x, y; };
struct Flags { int a, b; };
struct Pair { int k; struct P p; double q; };
/* the output has its values before the call */
void lib_turn(const struct P *in, struct P *out)
{
    out->x += -in->y;
    out->y += in->x;
}
struct Pair lib_pair(const struct P *p, int k)
{
    struct Pair r = {10 * k, {p->y, p->x}, p->x * p->y};
    return r;
}
/* any number but 0 is true */
int lib_flags(struct Flags *out, int *c, int *d)
{
    out->a = 5;
    out->b = 0;
    *c = -1;
    d[0] = 2;
    d[1] = 0;
    return 7;
}
double lib_sum(const struct Pair *p, unsigned long n, const struct P *offset)
{
    double s = 0;
    for (unsigned long i = 0; i < n; i++)
        s += (double)(i + 1) * (p[i].k + 100 * p[i].p.x + 1000 * p[i].p.y + p[i].q);
    return s + offset->x;
}
void lib_fill(struct P *out, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        out[i].x = (double)i;
        out[i].y = -(double)i;
    }
}
void lib_part(double x, double *y, const struct P *p)
{
    *y = x + p->y;
}
END
cat >Lib/package.mo <<'END'
package Lib
  type Colour = enumeration(red, green, blue);
  record Point
    Real x, y;
  end Point;
  record Body
    Real m;
    Integer n;
    Point a;
    Boolean fixed;
    String name;
    Point b;
    Colour colour;
  end Body;
  record Pair
    Integer k;
    Point p;
    Real q;
  end Pair;
  function exchange
    input Body body;
    input Real by;
    output Body result;
    external "C" lib_exchange(body, by, result) annotation(Include = "#include \"records.h\"");
  end exchange;
  function pointOf
    input Real r, phi;
    output Point p;
    external "C" p = Point_of(r, phi) annotation(Include = "#include \"records.h\"");
  end pointOf;
  function turn
    input Point p;
    output Point q = Point(x = 100, y = 200);
    external "C" lib_turn(p, q) annotation(Library = "Records", IncludeDirectory = "modelica://Lib/Resources/C-Sources");
  end turn;
  function lib_pair "The call by default: it returns a struct"
    input Point p;
    input Integer k;
    output Pair pair;
    external "C" annotation(Library = "Records", IncludeDirectory = "modelica://Lib/Resources/C-Sources");
  end lib_pair;
  function weighted
    input Pair p[:];
    input Point offset;
    output Real s;
    external "C" s = lib_sum(p, size(p, 1), offset) annotation(Library = "Records", IncludeDirectory = "modelica://Lib/Resources/C-Sources");
  end weighted;
  record Flags
    Boolean a, b;
  end Flags;
  function flags
    input Real u;
    output Flags f;
    output Boolean c, d[2], e;
    external "C" e = lib_flags(f, c, d) annotation(Library = "Records", IncludeDirectory = "modelica://Lib/Resources/C-Sources");
  end flags;
  function fill
    input Integer n;
    output Point p[n];
    external "C" lib_fill(p, size(p, 1)) annotation(Library = "Records", IncludeDirectory = "modelica://Lib/Resources/C-Sources");
  end fill;
  function part "Fields of an output and of an input"
    input Body body;
    output Body result = body;
    external "C" lib_part(body.m, result.b.y, body.a) annotation(Library = "Records", IncludeDirectory = "modelica://Lib/Resources/C-Sources");
  end part;
  function numbers "All but the text, which a variable of a model cannot be"
    input Body body;
    input String name;
    output Real v[8];
  algorithm
    assert(body.name == name, "the name is " + body.name);
    v := {body.m, body.n, body.a.x, body.a.y, if body.fixed then 1 else 0, body.b.x, body.b.y, Integer(body.colour)};
  end numbers;
  function bodies
    input Real m;
    output Real other[8], back[8], parted[8];
  protected
    Body body = Body(m, 3, Point(1, 2), true, "left", Point(3, 4), Colour.blue), next;
  algorithm
    next := exchange(body, 10);
    other := numbers(next, "right");
    next := exchange(next, 0.5);
    back := numbers(next, "left");
    parted := numbers(part(body), "left");
  end bodies;
  model M
    Real other[8], back[8], parted[8];
    Point p = pointOf(2, time), q = turn(p);
    Pair pair = lib_pair(q, 4);
    Pair row[3] = {Pair(i, Point(i + 1, i + 2), time) for i in 1:3};
    Real s = weighted(row, Point(0.5, 0)), by_hand = 0.5 + sum(i*(i + 100*(i + 1) + 1000*(i + 2) + time) for i in 1:3);
    Point filled[4] = fill(4);
    Flags f;
    Boolean c, d[2], e;
  equation
    when time > 1.5 then
      (f, c, d, e) = flags(time);
    end when;
    (other, back, parted) = bodies(time);
  end M;
  record WithArray
    Real v[3];
  end WithArray;
  function arrays
    input WithArray w;
    output Real y;
    external "C" y = lib_arrays(w);
  end arrays;
  model Arrays
    Real y = arrays(WithArray({1, 2, time}));
  end Arrays;
  function fortran
    input Point p;
    output Real y;
    external "FORTRAN 77" y = ftn(p);
  end fortran;
  model Fortran
    Real y = fortran(Point(1, time));
  end Fortran;
end Lib;
END
"$rung" simulate -q --library "$dir" --model Lib.M --stop 3 --interval 1 -o R.csv 2>err.txt || { fail "no run: $(cat err.txt)"; exit 1; }
# value NAME VALUE FILE: in the last row
value() {
    awk -F, -v name="$1" -v value="$2" '
        NR == 1 { n = split(substr($0, 2, length($0) - 2), column, "\",\""); for (k = 1; k <= n; k++) if (column[k] == name) c = k }
        END { exit !(c && $c == value) }' "$3" || fail "$3: $1 is not $2"
}
values() {
    while read -r name is; do value "$name" "$is" "$1"; done <<'END'
other[1] 30
other[2] 4
other[3] 30
other[4] 40
other[5] 0
other[6] 1
other[7] 2
other[8] 1
back[1] 15
back[2] 5
back[3] 0.5
back[4] 1
back[5] 1
back[6] 30
back[7] 40
back[8] 2
p.x 6
p.y -1
q.x 101
q.y 206
pair.k 40
pair.p.x 206
pair.p.y 101
pair.q 20806
s 28032.5
by_hand 28032.5
filled[1].x 0
filled[4].x 3
filled[4].y -3
f.a 1
f.b 0
c 1
d[1] 1
d[2] 0
e 1
parted[1] 3
parted[2] 3
parted[6] 3
parted[7] 5
parted[8] 3
END
}
values R.csv
"$rung" fmu --library "$dir" Lib.M -q -o M.fmu 2>err.txt || fail "fmu: $(cat err.txt)"
"$rung" simulate M.fmu --stop 3 --interval 1 -q -o F.csv 2>err.txt || fail "fmu run: $(cat err.txt)"
values F.csv
expect 1 "a record with an array as argument of an external function (MLS 12.9.1.3)" "$rung" check --library "$dir" --model Lib.Arrays
expect 1 "a record as argument of FORTRAN 77 (MLS 12.9.1.3)" "$rung" check --library "$dir" --model Lib.Fortran
exit $failed
