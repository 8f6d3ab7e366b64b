within Linkage.Drives;
model RotationalFixed "Flange that does not move"
  Interfaces.RotationalFlange flange "Flange held in place";
  parameter Units.Angle phi_0 = 0 "Angle of the flange";
equation
  flange.phi = phi_0;
end RotationalFixed;
