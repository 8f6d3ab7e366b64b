within Linkage.Drives;
model TranslationalFixed "Flange that does not move"
  Interfaces.TranslationalFlange flange "Flange held in place";
  parameter Units.Length s_0 = 0 "Position of the flange";
equation
  flange.s = s_0;
end TranslationalFixed;
