model StringOfContinuous "texts change at events (MLS 3.8.5)"
  block Shown
    input Real u;
    String s = String(u); // error T41: 'shown.s' changes at events only
    String above = if u > 0.5 then "above" else "below";
  end Shown;
  function dots "as a call, whose conditions make no events"
    input Real u;
    input String of;
    output String s = "";
    output String other = of;
  protected
    Real v = u;
  algorithm
    while v > 0.25 loop
      v := v - 0.25;
      s := s + ".";
      other := other + "!";
      if s == "..." then
        break;
      end if;
    end while;
  end dots;
  function named "a text that does not depend on the number"
    input Real u;
    input String of;
    output String s = of;
    output Real v = u;
  algorithm
    while v > 0.25 loop
      v := v - 0.25;
    end while;
  end named;
  Shown shown(u = x);
  Real x(start = 0, fixed = true);
  String a, b, c;
  Real v;
equation
  der(x) = 1;
  (a, b) = dots(x, "x"); // error T41: 'b' changes
  (c, v) = named(x, shown.above);
end StringOfContinuous;
