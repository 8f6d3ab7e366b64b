// Several errors in one file: each is reported once and the rest is still read.
model Equation
  Real x, y;
  Real z = 1 +; // error P01: expected an expression, found ';'
  Real w(start = 1; // error P01: expected ',' or ')' in a modification, found ';'
equation
  x = ; // error P01: expected an expression, found ';'
  y := 2; // error P01: expected '=': ':=' assigns
  x + y; // error P01: expected '=' in an equation
  z = 2 2; // error P02: expected ';' after an equation, found '2'
  connect(a, ); // error P01: expected a name, found ')'
  connect(a + 1, b); // error P01: expected ',', found '+'
  w = a^b^c; // error P01: '^' is not associative
  w = a < b < c; // error P02: expected ';' after an equation, found '<'
  w = f(a = 1, 2); // error P01: expected the name of an argument, found '2'
  w = {}; // error P01: expected an expression (an array without elements
  w = {1, 2]; // error P01: expected ',' or '}' in an array, found ']'
  w = if a then 1; // error P01: expected 'else' or 'elseif' in an if-expression
  x = der; // error P01: expected '(', found ';'
  x = 3;
end Equation;
