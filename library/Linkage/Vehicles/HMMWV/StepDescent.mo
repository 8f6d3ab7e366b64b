within Linkage.Vehicles.HMMWV;
model StepDescent "Slowly down a step of 1 cm"
  extends Car(v_0 = 3,
    tyre(redeclare each model Profile = CosineStep(height = -0.01, length = 0.1, x_0 = 5.5)));
  annotation(experiment(StopTime = 4.5, Interval = 0.01, Tolerance = 1e-8));
end StepDescent;
