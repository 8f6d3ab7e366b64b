package IltisModes "Eigenvalues at 20 m/s, as the authors of the reference find them"
  // The springs of the dampers are linear through zero there, with the lengths of the position of rest: 10.7 and
  // 16.2 kN are in them instead of -0.3 and -0.2, and the vehicle would jump up. The matrices are those of
  // accelerations that are zero, hence of loads that hold it, constant along the coordinates that its motion is
  // written in: place, pitch, roll and yaw of the chassis, angles of the leaves. So they have a stiffness of their own.
  model Load
    "Force in the world; torque along the pitch, none along the roll and yaw that follow it"
    Linkage.Interfaces.Frame_a frame_a;
    input Linkage.Units.Force f[3];
    input Linkage.Units.Torque t_pitch;
    input Linkage.Units.Angle pitch, roll;
  equation
    frame_a.f = -frame_a.m.T*f;
    frame_a.t = -frame_a.m.T*(t_pitch*{tan(roll)*sin(pitch), 1, tan(roll)*cos(pitch)});
  end Load;

  model Leaf
    "Load on the angle of the leaf, as a torque about the hinge of the arm, which frame_b turns with"
    extends Linkage.Interfaces.TwoFrames;
    parameter Integer side = 1 "1: left, -1: right";
    input Linkage.Units.Torque t "Along the angle of the leaf";
    // across and up, in the position of construction
    constant Linkage.Units.Length hinge[2] = {0.259, 0.302};
    constant Linkage.Units.Length joint[2] = {0.572, 0.229};
    constant Linkage.Units.Length top[2] = {0.488, 0.531};
    constant Linkage.Units.Length root[2] = {0.1585, 0.6};
    Real axle[3] = frame_a.m.T*(transpose(frame_b.m.T)*{0, 1, 0}) "Along the arm";
    Real p[2] = sqrt((joint - hinge)*(joint - hinge))*{axle[2], side*axle[3]} "The arm";
    Real d[2] = root - hinge - p "From its end to the root of the leaf";
    Real along = ((top - joint)*(top - joint) - (top - root)*(top - root) + d*d)/(2*(d*d));
    Real across = sqrt((top - joint)*(top - joint)/(d*d) - along^2);
    Real c[2] = along*d + across*{d[2], -d[1]} "The carrier, from the arm to the leaf";
    Real l[2] = p + hinge + c - root "The leaf";
    Real ratio = (c[2]*p[1] - c[1]*p[2])/(c[2]*l[1] - c[1]*l[2]) "Of the leaf's turn to the arm's";
  equation
    frame_a.f = zeros(3);
    frame_b.f = zeros(3);
    frame_a.t = {side*ratio*t, 0, 0};
    frame_b.t = -{side*ratio*t, 0, 0};
  end Leaf;

  model HeldDamper "Linear, with the load on the leaf"
    extends Linkage.Interfaces.TwoFrames;
    parameter Real spring[:] = {0, 1};
    parameter Real damper[:] = {0, 1};
    parameter Linkage.Units.Velocity v_in = -1e3;
    parameter Linkage.Units.Velocity v_out = 1e3;
    parameter Real fast_in[2] = {0, 1};
    parameter Real fast_out[2] = {0, 1};
    parameter Integer side = 1;
    input Linkage.Units.Torque t = 0;
    Linkage.Vehicles.ShockAbsorber absorber(spring = spring, damper = damper, v_in = v_in,
      v_out = v_out, fast_in = fast_in, fast_out = fast_out);
    Leaf leaf(side = side, t = t);
    Linkage.Units.Length s = absorber.s;
    Linkage.Units.Velocity v = absorber.v;
    Linkage.Units.Force f_s = absorber.f_s;
    Linkage.Units.Force f_d = absorber.f_d;
    Linkage.Units.Energy V = absorber.V;
    Linkage.Units.Power loss = absorber.loss;
  equation
    connect(frame_a, absorber.frame_a);
    connect(frame_b, absorber.frame_b);
    connect(frame_a, leaf.frame_a);
    connect(frame_b, leaf.frame_b);
  end HeldDamper;

  model Held "At 20 m/s; with these loads no acceleration is left"
    extends Linkage.Vehicles.Iltis.Car(v_0 = 20,
      corner(redeclare each model WheelTyre = Linkage.Vehicles.LinearTyre,
        redeclare each model Damper = HeldDamper,
        tyre(d = {2082.05, 2082.05, 2008.1, 2008.1}, c_slip = {41641, 41641, 40162, 40162},
          c_camber = {6925, 6925, 6600, 6600}, trail = {0.06553, 0.06553, 0.06142, 0.06142}),
        damper(spring = {{0, 24529}, {0, 24529}, {0, 36975}, {0, 36975}},
          each damper = {0, 9945.627}, side = side, t = {t_front, t_front, t_rear, t_rear})));
    parameter Linkage.Units.Force f_x = 0.327598339;
    parameter Linkage.Units.Force f_z = 0;
    parameter Linkage.Units.Torque t_pitch = -943.563846;
    parameter Linkage.Units.Torque t_front = -2196.66683;
    parameter Linkage.Units.Torque t_rear = -3258.40447;
    Load load(f = {f_x, 0, f_z}, t_pitch = t_pitch, pitch = pitch, roll = roll);
    output Real left = max(abs({der(free.v_rel[1]), der(free.v_rel[3]), der(free.w_rel[2]),
      der(corner[1].hinge.w), der(corner[3].hinge.w)}))
      "Accelerations that are left; 600 rad/s2 without the loads";
  equation
    connect(free.frame_b, load.frame_a);
  end Held;
end IltisModes;
