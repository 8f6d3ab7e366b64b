model TypesOfC
  double x = 1;
end TypesOfC;
