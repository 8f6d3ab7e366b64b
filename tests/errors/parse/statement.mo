function Statement
  input Real x;
  output Real y;
algorithm
  y = x; // error P01: expected ':=': '=' is an equation
  (y, 2) := f(x); // error P01: expected a variable to assign to
  (y, y) := x; // error P01: only a function has several results
  y; // error P01: expected ':=' or '(' in a statement
  3 := y; // error P01: expected a statement, found '3'
  for 1 in x loop // error P01: expected the name of an iterator, found '1'
    y := 1;
  end for;
  while x > 0 // error P01: expected 'loop', found 'y'
    y := 1;
  end while;
  if x > 0 // error P01: expected 'then', found 'y'
    y := 1;
  elseif x > 1 // error P01: expected 'then', found 'y'
    y := 2;
  else
    y := 3;
  end if;
  if x > 0 y := 1; // error P01: expected 'then', found 'y'
  end if; // error P03: this 'end' closes nothing that is open here
  y := 1;
end Statement;
