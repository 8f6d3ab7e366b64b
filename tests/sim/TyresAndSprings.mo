// simulate: --stop 2 --tolerance 1e-9
// zero: load_off[1] 1e-8
// zero: load_off[2] 1e-8
// zero: cornering_off[1] 5
// zero: cornering_off[2] 2
// zero: cambering_off[1] 2
// zero: cambering_off[2] 2
// zero: trail_off[1] 2e-4
// zero: trail_off[2] 2e-4
// zero: most_off 1e-8
// zero: flying 1e-12
// zero: slope_off[1] 1e-8
// zero: slope_off[2] 1e-8
// zero: slope_off[3] 1e-8
// zero: climbed 1e-7
// zero: hole 1e-9
// constant: E 1e-6
// moves: bump.h 0.1
// moves: free.r_rel[3] 0.05
// moves: lost 0.1
model TyresAndSprings "What tyres, roads and springs of vehicles do, by formulas and linearised values"
  import Linkage.*;
  import Linkage.Vehicles.*;
  inner World world(n = {0, 0, -1});
  // 20 m/s forwards: two tyres turned, two leaning by next to nothing, with the loads of the Iltis, one that slides, one in the air
  Joints.Prismatic drive(n = {1, 0, 0}, useFlange = true);
  Drives.TranslationalMotion motion(s = 20*time);
  constant Real load[6] = {3831.3, 3591.9, 3831.3, 3591.9, 4000, -4000}, c = 460000;
  Parts.FixedTranslation height[6](r = {{0, 0, 0.36 - load[k]/c} for k in 1:6});
  Parts.FixedRotation turn[6](n = {{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 0, 1}},
    angle = {1e-6, 1e-6, 1e-6, 1e-6, -0.6, 0.1});
  CalspanTyre tyre[6](each radius = 0.36, each c = c);
  Real load_off[2] = tyre[1:2].f_n - load[1:2];
  Real cornering_off[2] = -tyre[1:2].f_y./tyre[1:2].slip - {41641, 40162};
  Real cambering_off[2] = tyre[3:4].f_y./tyre[3:4].camber + {6925, 6600};
  Real trail_off[2] = -tyre[1:2].t_z./tyre[1:2].f_y - {0.06553, 0.06142};
  Real most_off = tyre[5].f_y + (1.216 - 0.464e-4*4000 + 2.18e-11*4000^2)*1.0274*4000;
  Real flying = abs(tyre[6].f_n) + abs(tyre[6].f_y);
  // on a plane that rises to all sides
  model Slope
    extends Road;
  equation
    h = 0.1*x + 0.05*y;
    h_x = 0.1;
    h_y = 0.05;
  end Slope;
  Parts.FixedTranslation place(r = {2, 1, 0.54});
  LinearTyre still(radius = 0.3, c = 1e5, redeclare model Profile = Slope);
  Real slope_off[3] = -still.frame_a.f - 1e5*(0.3 - 0.29)/(1 + 0.1^2 + 0.05^2)*{-0.1, -0.05, 1};
  // height by its slope, and a hole beside
  CosineBump bump(height = 0.2, height_right = -0.1, length = 5, x_0 = 1, x = 4*time, y = 1);
  CosineBump right(height = 0.2, height_right = -0.1, length = 5, x_0 = 1, x = 4*time, y = -1);
  Real way(start = 0, fixed = true, unit = "m"), climbed = way - bump.h, hole = bump.h + 2*right.h;
  // a body on a leaf and a shock absorber keeps its energy but what the latter takes
  Joints.Free free(r_rel(start = {0.05, 0.1, -0.3}, each fixed = true), v_rel(start = {0.1, 0, 0}, each fixed = true),
    Q(each fixed = true), w_rel(each fixed = true));
  Parts.Body body(m = 100, r_CM = {0.1, 0, 0}, I_11 = 2, I_22 = 3, I_33 = 4);
  Parts.FixedRotation bracket(n = {1, 0, 0}, angle = 0.2);
  LeafSpring leaf(s_0 = 0.1, table = [0, -4000; 0.1, -2000; 0.2, 0]);
  ShockAbsorber shock(spring = {-2e3, 4e3, 2e3}, damper = {0, 200, 300}, v_in = -0.1, fast_in = {-7, 100}, v_out = 0.1,
    fast_out = {13, 100});
  Real lost(start = 0, fixed = true, unit = "J"), E(unit = "J") = body.E + leaf.V + shock.V + lost;
equation
  connect(world.frame_b, drive.frame_a);
  connect(motion.flange, drive.flange);
  for k in 1:6 loop
    connect(drive.frame_b, height[k].frame_a);
    connect(height[k].frame_b, turn[k].frame_a);
    connect(turn[k].frame_b, tyre[k].frame_a);
  end for;
  connect(world.frame_b, place.frame_a);
  connect(place.frame_b, still.frame_a);
  der(way) = bump.h_x*der(bump.x);
  connect(world.frame_b, free.frame_a);
  connect(free.frame_b, body.frame_a);
  connect(world.frame_b, bracket.frame_a);
  connect(bracket.frame_b, leaf.frame_a);
  connect(leaf.frame_b, free.frame_b);
  connect(world.frame_b, shock.frame_a);
  connect(shock.frame_b, free.frame_b);
  der(lost) = shock.loss;
end TyresAndSprings;
