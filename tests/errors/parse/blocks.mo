model Blocks
  Real x;
equation
  if x > 0 then
    x = 1;
  end for; // error P03: expected 'end if' here
  for i in 1:3 loop
    x = i;
  end; // error P03: expected 'end for' here
end Blocks;

model Strays
  Real x;
equation
  x = 1;
  else // error P03: 'else' without its 'if'
  x = 2;
  end when; // error P03: this 'end' closes nothing that is open here
  x = 3;
algorithm
  x := 1;
end Strays;
