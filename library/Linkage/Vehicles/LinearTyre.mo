within Linkage.Vehicles;
model LinearTyre
  "Tyre with a side force by the sideways velocity and torques by slip angle and camber"
  extends Tyre;
  parameter Units.Damping d = 0 "Side force against the sideways velocity";
  parameter Units.RotationalStiffness c_slip = 0 "Torque about the normal by the slip angle";
  parameter Units.RotationalStiffness c_camber = 0 "Torque about the direction by the camber angle";
equation
  f_y = -d*v_y;
  t_x = c_camber*camber;
  t_z = c_slip*slip;
  annotation(Documentation(info = "<html>
<p>For eigenvalues and for shares of equilibrium: with all three zero it carries the vehicle and no
more.</p>
</html>"));
end LinearTyre;
