// MLS 3.6.5, 12.9.1: a text that parameters choose is chosen when the model is compiled
// simulate: --stop 1
// zero: wrong 0
// moves: x 0.5
model TextChoice
  function length
    input String text;
    output Integer n;
    external "C" n = text_length(text) annotation(Include = "
      static int text_length(const char *text) { int n = 0; while (text[n]) n++; return n; }");
  end length;
  parameter Boolean isLong = true;
  parameter Integer kind = 2;
  Integer n = length(if isLong then "three" else "no");
  Integer m = length(if kind == 1 then "a" elseif kind == 2 then "bb" else "ccc");
  Real x(start = 0, fixed = true);
  Real wrong = abs(n - 5) + abs(m - 2);
equation
  der(x) = 1;
end TextChoice;
