// MLS 12.9.1.2: arrays of Strings as arguments of external functions: literals, parameters, Strings
// that are made, in a model and in a function
// simulate: --stop 1
// ends: of_literals 8 0
// ends: of_parameters 9 0
// ends: mixed 4 0
// ends: made 6 0
// ends: inside 7 0
// ends: written 7 0
model TextArrays
  function total "number of characters"
    input String s[:];
    output Integer n;
    external "C" n = total_length(s, size(s, 1))
      annotation(Include = "
#include <string.h>
static int total_length(const char **s, size_t n)
{
    int total = 0;
    while (n-- > 0)
        total += (int)strlen(s[n]);
    return total;
}");
  end total;
  function text "of a number, by the utility functions of MLS 12.9.6"
    input Real x;
    input Integer k;
    output String s;
    external "C" s = text_of(x, k) annotation(Include = "
#include \"ModelicaUtilities.h\"
#include <stdio.h>
static const char *text_of(double x, int k)
{
    char *s = ModelicaAllocateString(50);
    if (x < 0)
        ModelicaFormatError(\"%g is below zero\", x);
    sprintf(s, \"%.2f:%d\", x, k);
    return s;
}");
  end text;
  function with_three
    input String s;
    output Integer n;
  algorithm
    n := total({s, "abc"});
  end with_three;
  parameter String name = "abc", names[2] = {"first", name + "d"};
  Integer of_literals = total({"xyz", "hello"}), of_parameters = total(names),
    mixed = total({name, "b"});
  discrete Integer made(start = 0, fixed = true);
  Integer inside = with_three("four"), written = total({text(3.14159, 42)});
equation
  when time > 0.5 then
    made = total({String(integer(100*time)), name, "x"});
  end when;
end TextArrays;
