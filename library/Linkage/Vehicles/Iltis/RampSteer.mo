within Linkage.Vehicles.Iltis;
model RampSteer "The rack moves by 2 mm in half a second and stays there"
  extends Car(rack = 0.004*min(time, 0.5));
  annotation(experiment(StopTime = 5, Interval = 0.02, Tolerance = 1e-8));
end RampSteer;
