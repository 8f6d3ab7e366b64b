package Switched "Motions with events between which nothing has a closed form"
  model StruckPendulum "A pendulum that hits a wall and comes back with four fifths of its speed"
    Real phi(start = 2, fixed = true), w(start = 0, fixed = true);
  equation
    der(phi) = w;
    der(w) = -9.81*sin(phi) - 0.1*w*abs(w);
    when phi < -0.3 then
      reinit(w, -0.8*pre(w));
    end when;
    annotation(experiment(StopTime = 5));
  end StruckPendulum;

  model Thermostat "A heater with a fast element, switched by a slow room's temperature"
    Real element(start = 15, fixed = true), room(start = 15, fixed = true);
    Boolean on(start = true, fixed = true);
    parameter Real outside = 5;
  equation
    on = room < 21 and (pre(on) or room < 19);
    1e-2*der(element) = (if on then 60 else outside) - element - 1e-9*(element + 273)^4/100;
    der(room) = 0.5*(element - room) - 0.3*(room - outside + 2*sin(time));
    annotation(experiment(StopTime = 5));
  end Thermostat;
end Switched;
