model Increment
  Integer n;
algorithm
  n := 0;
  n += 1;
end Increment;
