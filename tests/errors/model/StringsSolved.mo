model StringsSolved "nothing solves equations for texts"
  function size
    input String s;
    output Integer n;
    external "C" n = strlen(s);
  end size;
  String a, b, c, d;
  String known = if time > 1 then "x" else "y";
equation
  a + "x" = known; // error S14: would have to be solved for the String 'a'
  size(b) = 3; // error S14: would have to be solved for the String 'b'
  c = d + "x"; // error S14: the String 'c' depends on itself
  d = if time > 1 then c else "y"; // error S14: the String 'd' depends on itself
end StringsSolved;
