within Linkage.Drives;
model Inertia "Moment of inertia on a shaft"
  Interfaces.RotationalFlange flange_a "One end"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Interfaces.RotationalFlange flange_b "Other end"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Units.Inertia J = 1 "Moment of inertia";
  Units.Angle phi(stateSelect = StateSelect.default) "Position";
  Units.AngularVelocity w "Derivative of phi";
  Units.AngularAcceleration a "Derivative of w";
  Units.Energy T "Kinetic energy";
equation
  phi = flange_a.phi;
  phi = flange_b.phi;
  w = der(phi);
  a = der(w);
  J*a = flange_a.tau + flange_b.tau;
  T = 0.5*J*w^2;
  annotation(
    Icon(graphics = {
      Line(points = {{-100, 0}, {100, 0}}),
      Rectangle(extent = {{-50, -50}, {50, 50}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 100}, {100, 60}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Of the parts that a drive moves before its motion reaches a joint: rotors, gear wheels, racks. It feels
neither
gravity nor the motion of the joint's bodies; a <code>Parts.Body</code> on the joint does.</p>
</html>"));
end Inertia;
