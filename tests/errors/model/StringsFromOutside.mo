model StringsFromOutside "values that the model does not give"
  input String s; // error T15: Strings as inputs of a model
  parameter String p(fixed = false); // error T15: that initial equations determine
  String t = s + p;
initial equation
  p = "a";
end StringsFromOutside;
