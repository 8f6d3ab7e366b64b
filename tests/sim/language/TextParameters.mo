// MLS 3.7.1, 4.4.4: texts of parameters that parameters and external functions decide
// simulate: --set n=4 --stop 1
// zero: error[1] 1e-9
// zero: error[2] 1e-9
// zero: error[3] 1e-9
// zero: error[4] 1e-9
// zero: error[5] 1e-9
model TextParameters
  function label "n with a letter before it"
    input Integer n;
    output String s;
    external "C" s = label_of(n) annotation(Include = "
#include <stdio.h>
#include \"ModelicaUtilities.h\"
static const char *label_of(int n)
{
    char *s = ModelicaAllocateString(20);
    sprintf(s, \"v%d\", n);
    return s;
}");
  end label;
  function differ
    input String a, b;
    output Real y;
  algorithm
    y := if a == b then 0 else 1;
  end differ;
  record Named
    parameter String s;
    parameter Integer k;
  end Named;
  model Part
    parameter String s;
    Real error = if s == "v4" then 0 else 1;
  end Part;
  parameter Integer n = 3;
  parameter String own = "v" + String(n), called = label(n), same = own, none;
  parameter Named named(s = own, k = n);
  Named copy = named;
  Part part[2](s = {own, called});
  Real error[5] = {differ(own, "v4") + differ(same, called), if called == "v4" then 0 else 1,
    differ(copy.s, "v4"), part[1].error + part[2].error, if none == "" then 0 else 1};
equation
  assert(own == label(n), "own is " + own);
end TextParameters;
