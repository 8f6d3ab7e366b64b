// The nearest inner around; two environments in one model.
model InnerOuter
  model Env
    parameter Real T = 300;
    Real x = T*time;
  end Env;
  model User
    outer Env env;
    Real y = env.x;
  end User;
  model Group
    inner Env env(T = 400);
    User u;
  end Group;
  inner Env env;
  User u[2];
  Group g;
end InnerOuter;
