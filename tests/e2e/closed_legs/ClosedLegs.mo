package ClosedLegs "Bodies on many closed legs, all of joints: each leg is closed by a cut"
  model Platform "A platform on m legs, each of a universal, a prismatic and a ball joint"
    parameter Integer m = 6 annotation(Evaluate = true);
    constant Real pi = 3.14159265358979323846;
    parameter Real foot[m] = {2*pi*(k + (if mod(k, 2) == 1 then 0.35 else -0.35))/m for k in 1:m} "around the world";
    parameter Real eye[m] = {2*pi*(k + (if mod(k, 2) == 1 then -0.25 else 0.25))/m for k in 1:m} "around the platform";
    inner Linkage.World world;
    Linkage.Parts.FixedTranslation low[m](r = {{cos(foot[k]), 0, sin(foot[k])} for k in 1:m});
    Linkage.Joints.Universal cardan[m](each n_a = {1, 0, 0}, each n_b = {0, 0, 1});
    Linkage.Parts.Body cylinder[m](each m = 3, each r_CM = {0, 0.2, 0}, each I_11 = 0.1, each I_22 = 0.01, each I_33 = 0.1);
    Linkage.Joints.Prismatic slide[m](each n = {0, 1, 0}, each s(start = 0.9));
    Linkage.Parts.Body piston[m](each m = 2, each r_CM = {0, -0.2, 0}, each I_11 = 0.1, each I_22 = 0.01, each I_33 = 0.1);
    Linkage.Joints.Spherical ball[m];
    Linkage.Parts.FixedTranslation high[m](r = {{0.5*cos(eye[k]), 0, 0.5*sin(eye[k])} for k in 1:m});
    Linkage.Joints.Free free(r_rel(start = {0, 0.8, 0}, each fixed = true), Q(start = {1, 0, 0, 0}, each fixed = true));
    Linkage.Parts.Body platform(m = 20, I_11 = 1, I_22 = 2, I_33 = 1);
  equation
    connect(world.frame_b, free.frame_a);
    connect(free.frame_b, platform.frame_a);
    for k in 1:m loop
      connect(world.frame_b, low[k].frame_a);
      connect(low[k].frame_b, cardan[k].frame_a);
      connect(cardan[k].frame_b, cylinder[k].frame_a);
      connect(cardan[k].frame_b, slide[k].frame_a);
      connect(slide[k].frame_b, piston[k].frame_a);
      connect(slide[k].frame_b, ball[k].frame_a);
      connect(free.frame_b, high[k].frame_a);
      connect(ball[k].frame_b, high[k].frame_b);
    end for;
  end Platform;

  model Corner "Two wishbones, a carrier between ball joints, a tie rod between a universal and a ball joint"
    parameter Integer side = 1 annotation(Evaluate = true);
    parameter Real x = 0;
    Linkage.Interfaces.Frame_a chassis;
    Linkage.Interfaces.Frame_a road;
    Linkage.Parts.FixedTranslation to_lower(r = {x, 0.2, side*0.35});
    Linkage.Joints.Revolute lower(n = {1, 0, 0});
    Linkage.Parts.Body lower_arm(m = 5, r_CM = {0, 0, side*0.17}, I_11 = 0.05, I_22 = 0.05, I_33 = 0.01);
    Linkage.Parts.FixedTranslation along_lower(r = {0, -0.02, side*0.35});
    Linkage.Joints.Spherical low;
    Linkage.Parts.Body carrier(m = 30, r_CM = {0, 0.15, 0.02*side}, I_11 = 0.6, I_22 = 0.6, I_33 = 1);
    Linkage.Parts.FixedTranslation kingpin(r = {-0.02, 0.30, -side*0.04});
    Linkage.Parts.FixedTranslation to_upper(r = {x - 0.02, 0.46, side*0.42});
    Linkage.Joints.Revolute upper(n = {1, 0, 0});
    Linkage.Parts.Body upper_arm(m = 4, r_CM = {0, 0, side*0.12}, I_11 = 0.03, I_22 = 0.03, I_33 = 0.01);
    Linkage.Parts.FixedTranslation along_upper(r = {0, 0.02, side*0.24});
    Linkage.Joints.Spherical top;
    Linkage.Parts.FixedTranslation to_rack(r = {x + 0.14, 0.24, side*0.36});
    Linkage.Joints.Universal rack(n_a = {1, 0, 0}, n_b = {0, 1, 0});
    Linkage.Parts.Body tie(m = 1, r_CM = {0, 0, side*0.17}, I_11 = 0.01, I_22 = 0.01, I_33 = 0.001);
    Linkage.Parts.FixedTranslation along_tie(r = {0, 0, side*0.34});
    Linkage.Joints.Spherical tip;
    Linkage.Parts.FixedTranslation steer(r = {0.14, 0.06, 0});
    Linkage.Parts.FixedTranslation tower(r = {x, 0.7, side*0.5});
    Linkage.Forces.SpringDamper strut(c = 3e4, d = 2500, s_0 = 0.55);
    Linkage.Forces.SpringDamper tyre(c = 2e5, d = 500, s_0 = 1);
  equation
    connect(chassis, to_lower.frame_a);
    connect(to_lower.frame_b, lower.frame_a);
    connect(lower.frame_b, lower_arm.frame_a);
    connect(lower.frame_b, along_lower.frame_a);
    connect(along_lower.frame_b, low.frame_a);
    connect(low.frame_b, carrier.frame_a);
    connect(low.frame_b, kingpin.frame_a);
    connect(low.frame_b, steer.frame_a);
    connect(chassis, to_upper.frame_a);
    connect(to_upper.frame_b, upper.frame_a);
    connect(upper.frame_b, upper_arm.frame_a);
    connect(upper.frame_b, along_upper.frame_a);
    connect(along_upper.frame_b, top.frame_a);
    connect(top.frame_b, kingpin.frame_b);
    connect(chassis, to_rack.frame_a);
    connect(to_rack.frame_b, rack.frame_a);
    connect(rack.frame_b, tie.frame_a);
    connect(rack.frame_b, along_tie.frame_a);
    connect(along_tie.frame_b, tip.frame_a);
    connect(tip.frame_b, steer.frame_b);
    connect(chassis, tower.frame_a);
    connect(tower.frame_b, strut.frame_a);
    connect(strut.frame_b, low.frame_b);
    connect(road, tyre.frame_a);
    connect(tyre.frame_b, low.frame_b);
  end Corner;

  model Car "A chassis on m corners: two cut loops in each"
    parameter Integer m = 4 annotation(Evaluate = true);
    inner Linkage.World world;
    Linkage.Joints.Free free(r_rel(start = {0, 0.9, 0}));
    Linkage.Parts.Body chassis(m = 800, I_11 = 200, I_22 = 900, I_33 = 800);
    Corner corner[m](side = {if mod(k, 2) == 1 then 1 else -1 for k in 1:m}, x = {if k <= m/2 then 1.2 - 0.1*k else -1.0 - 0.1*k for k in 1:m});
  equation
    connect(world.frame_b, free.frame_a);
    connect(free.frame_b, chassis.frame_a);
    for k in 1:m loop
      connect(free.frame_b, corner[k].chassis);
      connect(world.frame_b, corner[k].road);
    end for;
  end Car;
end ClosedLegs;
