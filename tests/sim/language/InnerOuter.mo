// MLS 5.4: outer names the inner of the nearest enclosing instance
// simulate: --stop 1
// zero: error 1e-12
model InnerOuter
  model Field
    parameter Real g = 1;
    Real x = g*time;
  end Field;
  model User
    outer Field field;
    Real y = 2*field.x;
  end User;
  model Group
    inner Field field(g = 10);
    User user;
  end Group;
  inner Field field(g = 3);
  User user;
  Group group;
  Real error = user.y - 6*time + (group.user.y - 20*time);
end InnerOuter;
