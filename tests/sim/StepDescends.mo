// simulate: --stop 3.5 --tolerance 1e-8
// constant: E 1e-9
// zero: sideways 1e-9
// zero: balance 1e-10
// ends: fallen -0.01 1e-4
// moves: lost 1
// moves: pitch 1e-3
// long
model StepDescends "A car on double wishbones rolls down a step of 1 cm"
  extends Linkage.Vehicles.HMMWV.Car(v_0 = 3,
    tyre(redeclare each model Profile = Linkage.Vehicles.CosineStep(height = -0.01, length = 0.1,
      x_0 = 2.2)));
  Real lost(start = 0, fixed = true, unit = "J"), work(start = 0, fixed = true, unit = "J");
  Real E(unit = "J") = chassis.E + sum(corner.E) + sum(wheel.E) + lost - work;
  Real sideways(unit = "m") = free.r_rel[2];
  Real fallen(unit = "m") = free.r_rel[3] - h_0;
  discrete Real load(start = 0, unit = "N") "Of the tyres at the start, which is the weight";
  Real balance(unit = "1") = load/((chassis.m + 4*(sum(corner[1].m) + wheel[1].m))*world.g) - 1;
equation
  der(lost) = sum(corner.loss);
  // by the road on the wheels, and by that which keeps their speed
  der(work) = sum({wheel[k].drive*wheel[k].w - wheel[k].frame_a.m.v*tyre[k].frame_a.f
    - wheel[k].frame_a.m.w*tyre[k].frame_a.t for k in 1:4});
  when initial() then
    load = sum(tyre.f_n);
  end when;
end StepDescends;
