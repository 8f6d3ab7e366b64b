model PlusOfStrings
  parameter Real p = 1;
  parameter String s = "p = " + p;
end PlusOfStrings;
