within Linkage.Vehicles;
model CalspanTyre "Tyre with the side force of the Calspan laboratory's polynomials"
  extends Tyre;
  parameter Real A[5] = {2625, 14.47, 12930, 2.29, 18175}
    "Stiffness: A_0 (N), A_1, A_2 (N), A_3, A_4 (N)";
  parameter Real A_w(unit = "1") = 1 "Part of A_2 up to which the stiffness changes with the load";
  parameter Real B[3] = {-0.464e-4, 1.216, 2.18e-11} "Friction: B_1 (1/N), B_3, B_4 (1/N2)";
  parameter Real SN(unit = "1") = 1.0274 "Ratio of skid numbers";
  parameter Real AF[2](each unit = "m/N") = {-0.171e-4, 0.171e-4}
    "Aligning torque: trail by load, by side force";
  Real friction(unit = "1") "Largest side force by the load";
  Real g(unit = "1") "Part of it, from -1 to 1";
protected
  Units.Force load "Load that stiffnesses depend on";
  Real stiffness(unit = "N/rad") "Side force by small slip angles, negative";
  Units.Angle turned "Slip angle with as much side force as the camber";
  Real s(unit = "1") "Slip without dimension";
  Real s_3(unit = "1") "The same, not beyond where the side force does not grow";
equation
  friction = (B[1]*f_n + B[2] + B[3]*f_n^2)*SN;
  load = smooth(0, noEvent(min(f_n, A_w*A[3])));
  stiffness = A[2]*load*(load - A[3])/A[3] - A[1];
  turned = -A[4]*(A[5] - load)*load/(A[5]*stiffness)*camber;
  // off the road, where there is no force, it shall be a number
  s = stiffness/(friction*noEvent(max(f_n, 1)))*(slip + turned);
  s_3 = smooth(2, noEvent(max(-3, min(3, s))));
  g = s_3 - smooth(1, noEvent(abs(s_3)))*s_3/3 + s_3^3/27;
  f_y = friction*f_n*g;
  t_x = 0;
  t_z = (AF[1]*f_n + AF[2]*smooth(0, noEvent(abs(f_y))))*f_y;
  annotation(Documentation(info = "<html>
<p>After Frik, Leister and Schwartz 1993, whose Iltis has these values.</p>
</html>"));
end CalspanTyre;
