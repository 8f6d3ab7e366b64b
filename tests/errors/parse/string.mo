model A
  Real x = 1;
  String s = "no end; // error P05: this string has no end
