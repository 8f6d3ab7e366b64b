// Two equations for x, none for y: the equations that clash are named, and what is left over.
model TooMany
  Real x, y;
equation
  x = 1;
  x = time;
end TooMany;
