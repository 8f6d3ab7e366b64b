within Linkage.Frames;
pure function unit "Vector of length one in the same direction"
  extends Icons.Function;
  input Real v[3] "Vector, not zero";
  output Units.Cosine e[3] "v divided by its length";
algorithm
  e := v/sqrt(v*v);
  annotation(Inline = true);
end unit;
