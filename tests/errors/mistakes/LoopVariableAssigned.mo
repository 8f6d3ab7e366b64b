model LoopVariableAssigned
  Real x;
algorithm
  x := 0;
  for i in 1:3 loop
    i := 2;
    x := x + i;
  end for;
end LoopVariableAssigned;
