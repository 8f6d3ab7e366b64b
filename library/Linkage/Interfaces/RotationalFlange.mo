within Linkage.Interfaces;
connector RotationalFlange "Shaft that turns about one axis"
  Units.Angle phi "Angle of rotation";
  flow Units.Torque tau "Torque into the component";
end RotationalFlange;
