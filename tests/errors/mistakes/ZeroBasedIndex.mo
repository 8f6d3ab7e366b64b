model ZeroBasedIndex
  Real x[3];
equation
  for i in 0:2 loop
    x[i] = i;
  end for;
end ZeroBasedIndex;
