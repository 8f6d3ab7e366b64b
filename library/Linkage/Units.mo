within Linkage;
package Units "Quantities and their units"
  type Length = Real(final quantity = "Length", final unit = "m");
  type Velocity = Real(final quantity = "Velocity", final unit = "m/s");
  type Acceleration = Real(final quantity = "Acceleration", final unit = "m/s2");
  type Angle = Real(final quantity = "Angle", final unit = "rad");
  type AngularVelocity = Real(final quantity = "AngularVelocity", final unit = "rad/s");
  type AngularAcceleration = Real(final quantity = "AngularAcceleration", final unit = "rad/s2");
  type Mass = Real(final quantity = "Mass", final unit = "kg", min = 0);
  type Inertia = Real(final quantity = "MomentOfInertia", final unit = "kg.m2");
  type Force = Real(final quantity = "Force", final unit = "N");
  type Torque = Real(final quantity = "Torque", final unit = "N.m");
  type Energy = Real(final quantity = "Energy", final unit = "J");
  type Power = Real(final quantity = "Power", final unit = "W");
  type Stiffness = Real(final quantity = "TranslationalStiffness", final unit = "N/m", min = 0);
  type Damping = Real(final quantity = "TranslationalDamping", final unit = "N.s/m", min = 0);
  type RotationalStiffness = Real(final quantity = "RotationalStiffness", final unit = "N.m/rad",
    min = 0);
  type RotationalDamping = Real(final quantity = "RotationalDamping", final unit = "N.m.s/rad",
    min = 0);
  type Voltage = Real(final quantity = "ElectricPotential", final unit = "V");
  type Current = Real(final quantity = "ElectricCurrent", final unit = "A");
  type Resistance = Real(final quantity = "Resistance", final unit = "Ohm", min = 0);
  type Inductance = Real(final quantity = "Inductance", final unit = "H", min = 0);
  type MotorConstant = Real(final quantity = "ElectricalTorqueConstant", final unit = "N.m/A");
  type Cosine = Real(final unit = "1") "Element of a direction or of a rotation matrix";
  type Axis = Cosine[3] "Direction; its length does not matter";
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Text(extent = {{-90, 50}, {90, -50}}, textString = "kg m/s")}),
    Documentation(info = "<html><p>All in SI units.</p></html>"));
end Units;
