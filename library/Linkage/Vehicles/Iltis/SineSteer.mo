within Linkage.Vehicles.Iltis;
model SineSteer "The rack moves to and fro, 1 Hz"
  parameter Units.Length amplitude = 0.002 "Of the rack";
  extends Car(rack = amplitude*sin(6.283185307179586*time));
  annotation(experiment(StopTime = 3, Interval = 0.02, Tolerance = 1e-8));
end SineSteer;
