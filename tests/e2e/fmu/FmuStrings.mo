model FmuStrings "texts that change at events"
  parameter Real p = 2;
  parameter String word = "step ";
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
  output String s(start = "none", fixed = true) "its number";
  String before(start = "", fixed = true);
  String side[2] = {if x > 0.5 then "right" else "left", "p = " + String(p)};
  output String all = s + "/" + side[1] + "/" + side[2];
  output Real y = if s == "step 2" then x else -x;
  Integer changes(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -4*x + (if before == "step 1" then 1 else 0);
  when sample(0.25, 0.25) then
    n = pre(n) + 1;
    s = word + String(n);
    before = pre(s);
  end when;
  when change(all) then
    changes = pre(changes) + 1;
  end when;
end FmuStrings;
