model UnknownComponent "Names that do not exist, and a good one between them"
  Real x;
  Real y = 2*x;
equation
  x = z + 1; // error N01: z
  y = x.q; // error N01: q
end UnknownComponent;
