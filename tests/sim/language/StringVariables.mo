// MLS 3.8, 4.9, 8.3.5, 3.7.5: variables of type String, which change at events, against texts, lengths
// and numbers in closed form
// simulate: --stop 1.05 --interval 0.05
// zero: wrong[1] 0
// zero: wrong[2] 0
// zero: wrong[3] 0
// zero: wrong[4] 0
// zero: wrong[5] 0
// zero: wrong[6] 0
// zero: wrong[7] 0
// zero: wrong[8] 0
// zero: wrong[9] 0
// zero: wrong[10] 0
// zero: wrong[11] 0
// zero: error 1e-9
// ends: n 10 0
// zero: twin 0
// ends: changes 10 0
// ends: restarts 2 0
// ends: shift 2 0
// ends: y 0.4 1e-9
model StringVariables
  type Level = enumeration(Low, High);
  record Entry
    String name;
    Integer number;
    Real value;
  end Entry;
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
  function marked
    input Entry from;
    input String with;
    output Entry to;
  algorithm
    to := from;
    to.name := with + from.name + with;
  end marked;
  function repeated "n times a text, one after the other"
    input String text;
    input Integer n;
    output String all = "";
  algorithm
    for k in 1:n loop
      all := all + text;
    end for;
  end repeated;
  parameter String word = "step ";
  parameter String colours[3] = {"red", "green", "blue"};
  Integer n(start = 0, fixed = true) "of samples, at 0.1, 0.2, ...";
  String s(start = "none", fixed = true) "its number as a text";
  String before(start = "", fixed = true) "the one before";
  String log(start = "", fixed = true) "all of them";
  Integer changes(start = 0, fixed = true) "of s or of phase";
  String phase(start = "waiting") "by elsewhen branches";
  String colour = colours[1 + mod(n, 3)];
  String half = if time > 0.5 then "second" else "first";
  Level level = if half == "second" then Level.High else Level.Low;
  String both = half + "/" + String(level) + "/" + s;
  Entry entry = Entry(s, n, 2*n);
  Entry other = marked(entry, "<" + colour + ">");
  String list[2] = {both, turned(both)};
  String section "by an algorithm";
  String long "10 characters for each sample";
  String begun(start = "no");
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), z;
  Integer restarts(start = 0, fixed = true);
  String last(start = "", fixed = true) "set where x starts again";
  Integer shift "found by an initial equation";
  Integer wrong[11];
  Integer code(start = 0), coded(start = 0, fixed = true), twin "the same events with Integers";
  Real error;
protected
  Boolean late = time > 0.55;
initial equation
  pre(shift) = if pre(phase) == "waiting" then 1 else 100;
equation
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
    s = word + String(n);
    before = pre(s);
    log = pre(log) + "," + s;
  end when;
  when {change(s), change(phase)} then
    changes = pre(changes) + 1;
  end when;
  when s == "step 3" then
    phase = "at " + s;
  elsewhen n > 5 then
    phase = pre(phase) + ", over";
  elsewhen initial() then
    phase = "begun";
  end when;
  when n == 3 then
    code = 2;
  elsewhen n > 5 then
    code = pre(code) + 1;
  elsewhen initial() then
    code = 1;
  end when;
  when {change(n), change(code)} then
    coded = pre(coded) + 1;
  end when;
  twin = changes - coded;
  when initial() then
    begun = "yes: " + word;
  end when;
  when late then
    shift = pre(shift) + (if phase == "at step 3" then 1 else 10);
  end when;
  der(x) = -1;
  der(y) = if s == "step 2" or s >= "step 7" then 1 else 0;
  z^3 + z = size(both);
  when x < 0.55 then
    reinit(x, 0.95);
    restarts = pre(restarts) + 1;
    last = "again at n = " + String(pre(n));
  end when;
algorithm
  section := "n";
  section := section + (if n > 4 then ">" else "<=");
  for k in 1:3 loop
    section := section + String(k + 3);
  end for;
  long := repeated("0123456789", n);
equation
  wrong[1] = if n == 0 then (if s == "none" then 0 else 1) else if s == "step " + String(n) then 0 else 1;
  wrong[2] = if n < 2 then (if n == 1 and before <> "none" then 1 else 0) else
    if before == "step " + String(n - 1) then 0 else 1;
  wrong[3] = size(log) - (if n < 10 then 7*n else 7*n + 1);
  wrong[4] = if phase == (if n > 5 then "at step 3, over" else if n > 2 then "at step 3" else "begun") then 0 else 1;
  wrong[5] = if colour == (if mod(n, 3) == 0 then "red" else if mod(n, 3) == 1 then "green" else "blue") then 0 else 1;
  wrong[6] = if both == (if time > 0.5 then "second/High/" else "first/Low/") + entry.name then 0 else 1;
  wrong[7] = (if other.name == "<" + colour + ">" + s + "<" + colour + ">" then 0 else 1) + abs(other.number - n);
  wrong[8] = if turned(list[2]) == list[1] and list[1] == both then 0 else 1;
  wrong[9] = if section == (if n > 4 then "n>456" else "n<=456") then 0 else 1;
  wrong[10] = size(long) - 10*n + (if begun == "yes: step " then 0 else 1);
  wrong[11] = if restarts == 0 then size(last) else if last == "again at n = " + String(4*restarts) then 0 else 1;
  error = z^3 + z - size(half) - size(s) - (if half == "first" then 5 else 6);
end StringVariables;
