within Linkage.Vehicles.Iltis;
model DoubleLaneChange "A driver changes the lane and comes back"
  parameter Units.Length arm = 0.14 "Of the steering: way of the rack for each radian";
  extends Car(v_0 = 16, rack = -arm*steerer.angle);
  Driver steerer(wheelbase = 2.017, T_ahead = 0.7) "Who steers";
equation
  connect(free.frame_b, steerer.frame_a);
  annotation(experiment(StopTime = 9, Interval = 0.02, Tolerance = 1e-6));
end DoubleLaneChange;
