within Linkage.Vehicles.Iltis;
model Bump "Over a bump on both sides, or over one on the left and a hole on the right"
  parameter Units.Length right = 0.2 "Height of the bump on the right; -0.2: a hole";
  extends Car(v_0 = 10,
    corner(tyre(redeclare each model Profile = CosineBump(height = 0.2, height_right = right,
      length = 5, x_0 = 0.97))));
  annotation(experiment(StopTime = 2.5, Interval = 0.01, Tolerance = 1e-8));
end Bump;
