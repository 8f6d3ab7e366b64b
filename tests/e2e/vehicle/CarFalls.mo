model CarFalls "A car on double wishbones falls on a level road, leaning; its wheels do not turn"
  extends Linkage.Vehicles.HMMWV.Car(v_0 = 0,
    free(r_rel(start = {0, 0, 0.56}), Q(start = {cos(0.025), sin(0.025), 0, 0})),
    corner(lower_hinge(phi(start = zeros(4)))));
  Real r[5, 3](each unit = "m") = cat(1, {free.frame_b.m.r}, {wheel[k].frame_a.m.r for k in 1:4});
end CarFalls;
