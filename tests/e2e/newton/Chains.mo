within;
package Chains "Chains of other joints than hinges, and trees with springs between bodies far apart"
  model Link "An arm with a body at its end, to be hung at a joint"
    Linkage.Interfaces.Frame_a frame_a;
    Linkage.Interfaces.Frame_b frame_b;
    Linkage.Parts.Body body(m = 1, r_CM = {0.1, -0.3, 0.05}, I_11 = 0.2, I_22 = 0.25, I_33 = 0.22,
      I_21 = 0.01, I_31 = 0.02, I_32 = 0.015);
    Linkage.Parts.FixedTranslation arm(r = {0.1, -0.6, 0.1});
  equation
    connect(frame_a, body.frame_a);
    connect(frame_a, arm.frame_a);
    connect(arm.frame_b, frame_b);
  end Link;

  model Balls "Ball joints"
    parameter Integer n = 4;
    inner Linkage.World world;
    Linkage.Joints.Spherical joint[n](each w_rel(start = {0.3, 0.5, 0.2}, each fixed = true));
    Link link[n];
  equation
    connect(world.frame_b, joint[1].frame_a);
    for k in 1:n loop
      connect(joint[k].frame_b, link[k].frame_a);
    end for;
    for k in 2:n loop
      connect(link[k - 1].frame_b, joint[k].frame_a);
    end for;
  end Balls;

  model Slides "Cylindrical joints, their axes in any direction"
    parameter Integer n = 4;
    inner Linkage.World world;
    Linkage.Joints.Cylindrical joint[n](each n = {0.4, 0.3, -0.7},
      each phi(start = 0.4, fixed = true), each s(start = 0.1, fixed = true),
      each w(start = 0.5, fixed = true), each v(start = 0.2, fixed = true));
    Link link[n];
  equation
    connect(world.frame_b, joint[1].frame_a);
    for k in 1:n loop
      connect(joint[k].frame_b, link[k].frame_a);
    end for;
    for k in 2:n loop
      connect(link[k - 1].frame_b, joint[k].frame_a);
    end for;
  end Slides;

  model Mixed "Universal joints, balls and hinges in turn; springs over six joints each"
    parameter Integer n = 2 "Number of times";
    inner Linkage.World world;
    Linkage.Joints.Universal cardan[n](each n_a = {1, 0, 0}, each n_b = {0, 1, 0},
      each phi(start = {0.3, 0.4}, each fixed = true),
      each w(start = {0.1, 0.2}, each fixed = true));
    Linkage.Joints.Spherical ball[n](each w_rel(start = {0.3, 0.5, 0.2}, each fixed = true));
    Linkage.Joints.Revolute hinge[n](each n = {0, 0, 1}, each phi(start = 0.5, fixed = true),
      each w(start = 0.1, fixed = true));
    Link link[n, 3];
    Linkage.Forces.SpringDamper spring[n - 1](each c = 10, each d = 0.5, each s_0 = 0.5);
  equation
    connect(world.frame_b, cardan[1].frame_a);
    for k in 1:n loop
      connect(cardan[k].frame_b, link[k, 1].frame_a);
      connect(link[k, 1].frame_b, ball[k].frame_a);
      connect(ball[k].frame_b, link[k, 2].frame_a);
      connect(link[k, 2].frame_b, hinge[k].frame_a);
      connect(hinge[k].frame_b, link[k, 3].frame_a);
    end for;
    for k in 2:n loop
      connect(link[k - 1, 3].frame_b, cardan[k].frame_a);
      connect(link[k - 1, 1].frame_b, spring[k - 1].frame_a);
      connect(link[k, 3].frame_b, spring[k - 1].frame_b);
    end for;
  end Mixed;
end Chains;
