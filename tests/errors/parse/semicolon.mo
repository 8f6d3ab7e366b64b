// A forgotten semicolon at the end of a line costs nothing but its message.
model Semicolon
  Real x // error P02: expected ';' after an element, found 'Real'
  Real y;
equation
  x = 1 // error P02: expected ';' after an equation, found 'y'
  y = 2;
end Semicolon // error P02: expected ';' after a class, found 'model'

model Next
end Next;
