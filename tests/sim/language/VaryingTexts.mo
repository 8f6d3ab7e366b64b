// MLS 3.5, 3.7.1, 12: Strings that functions make while a model runs, against their lengths and
// numbers in closed form; Strings as results and arguments of external functions (12.9)
// simulate: --stop 2 --interval 0.25
// zero: error[1] 1e-14
// zero: error[2] 1e-14
// zero: error[3] 1e-14
// zero: error[4] 1e-14
// zero: error[5] 1e-14
// zero: error[6] 1e-14
// zero: error[7] 1e-14
// zero: error[8] 1e-14
// moves: n 2
model VaryingTexts
  type Side = enumeration(Left, Right);
  function size "of a text"
    input String text;
    output Integer n;
    external "C" n = sizeOf(text) annotation(Include = "
#include <string.h>
static int sizeOf(const char *text)
{
    return (int)strlen(text);
}");
  end size;
  function turned
    input String text;
    output String back;
    external "C" back = turned(text) annotation(Include = "
#include <string.h>
extern char *ModelicaAllocateString(size_t);
static const char *turned(const char *text)
{
    size_t n = strlen(text);
    char *back = ModelicaAllocateString(n);
    for (size_t k = 0; k < n; k++)
        back[k] = text[n - 1 - k];
    return back;
}");
  end turned;
  function halves "two Strings by pointers, and a vector of them"
    input String text[2];
    output String first, last;
    external "C" halves(text, first, last) annotation(Include = "
static void halves(const char **text, const char **first, const char **last)
{
    *first = text[0];
    *last = text[1];
}");
  end halves;
  function repeated "n times a text, one after the other"
    input String text;
    input Real x;
    output String all = "";
  protected
    Real k = 0;
  algorithm
    while k < x loop
      all := all + text;
      k := k + 1;
    end while;
  end repeated;
  function length
    input Real x;
    output Integer n;
  algorithm
    n := size(repeated("ab", x));
  end length;
  function both "the results of another function stay while this one makes more"
    input Real x;
    output Integer n;
  protected
    String a, b, c;
  algorithm
    a := repeated("x", x);
    b := repeated("yz", 2*x);
    c := a + b + a;
    (a, b) := halves({c, a});
    n := size(a) + 1000*size(b);
  end both;
  function order
    input Real x;
    output Integer n;
  protected
    String name[3] = {"one", "two", "three"};
    String a;
  algorithm
    a := if x > 1 then "apple" else "pear";
    n := (if a < "fig" then 1 else 0) + (if a == "ap" + repeated("p", 1) + "le" then 2 else 0) +
      (if a <> "pear" then 4 else 0) + 8*size(name[integer(x) + 1]);
  end order;
  function palindrome
    input Real x;
    output Boolean same;
  protected
    String s;
  algorithm
    s := repeated("ab", x);
    same := turned(s) == repeated("ba", x);
  end palindrome;
  function texts "of values"
    input Real x;
    input Side side;
    output Integer n;
  algorithm
    n := size(String(x, format = "12.3f") + String(integer(x)) + String(x > 1) + String(side) +
      String(x > 1, minimumLength = 7, leftJustified = false));
  end texts;
  function many "concatenations"
    input Real x;
    output Integer n;
  protected
    String s = String(x > 5);
  algorithm
    for i in 1:20000 loop
      s := s + ".";
    end for;
    n := size(s);
  end many;
  parameter Real t0 = 0.3 "so that no text changes at an event";
  Real x = t0 + 0.75*time;
  Real n = length(x);
  Integer wanted = integer(ceil(x));
  Real error[8];
equation
  error[1] = noEvent(n - 2*ceil(x));
  error[2] = noEvent(both(x) - (2*ceil(x) + 2*ceil(2*x) + 1000*ceil(x)));
  error[3] = noEvent(order(x) - ((if x > 1 then 7 else 0) + 8*(if x >= 2 then 5 else 3)));
  error[4] = if palindrome(x) then 0 else 1;
  error[5] = noEvent(texts(x, if x > 1 then Side.Right else Side.Left) - (12 + 1 + 9 + 7));
  error[6] = size("x = " + String(time, format = "8.3f")) - 12;
  error[7] = noEvent(if x < 1 or x > 1.2 then 0 else many(x) - 20005);
  error[8] = size(turned("t" + String(wanted))) - 2;
end VaryingTexts;
