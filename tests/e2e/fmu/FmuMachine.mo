model FmuMachine "Events of other kinds: enumerations, sample, delay, terminate; arrays"
  type Mode = enumeration(idle "waits", heat, cool);
  parameter Real limit[2](each unit = "K", each displayUnit = "degC") = {300, 310};
  parameter Integer n = 3;
  parameter Real period = 0.5 "of ticks";
  parameter Mode first = Mode.heat;
  parameter Boolean on = true;
  input Real u(start = 0);
  input Boolean b(start = false);
  discrete output Mode mode(start = Mode.idle, fixed = true);
  discrete output Integer ticks(start = 0, fixed = true);
  output Real spread(unit = "K") = T[1] - T[3];
  Real T[3](each start = 290, each fixed = true, each unit = "K", each displayUnit = "degC");
  Real late = delay(T[1], 0.3);
  discrete Real held(start = 0, fixed = true);
  Boolean warm = T[1] > limit[2];
  constant Real absolute(unit = "degC") = -273.15;
equation
  der(T[1]) = (if mode == Mode.heat then 80 elseif mode == Mode.cool then -60 else 5) + u;
  der(T[2:3]) = n*{T[1] - T[2], T[2] - T[3]};
  when sample(0.25, period) then
    ticks = pre(ticks) + 1;
    held = T[1] - late;
  end when;
  when initial() then
    mode = if on then first else Mode.idle;
  elsewhen {warm, b} then
    mode = Mode.cool;
  elsewhen T[1] < limit[1] then
    mode = Mode.heat;
  end when;
  when T[3] > 304.5 then
    terminate("warm enough");
  end when;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end FmuMachine;
