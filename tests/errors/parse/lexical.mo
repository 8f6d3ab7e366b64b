model Lexical
  Real x = 1 $ + 2; // error P04: this character belongs to no Modelica token
  String s = "a\qb"; // error P06: unknown escape in a string
  Real 'a\zb'; // error P06: unknown escape in a quoted name
  Real ''; // error P04: a quoted name has at least one character
  Real 'é'; // error P04: a quoted name has only printable ASCII characters
  Real 'open; // error P05: this quoted name has no end
equation
  x = 3;
end Lexical;
