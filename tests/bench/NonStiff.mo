package NonStiff "Problems in which nothing is stiff, over many periods or with many states"
  model Oscillator
    Real x(start=1, fixed=true), v(start=0, fixed=true);
  equation
    der(x) = v;
    der(v) = -x;
  end Oscillator;

  model Kepler "Two bodies on an ellipse"
    parameter Real e = 0.9 "excentricity";
    Real x(start=1 - e, fixed=true), y(start=0, fixed=true), vx(start=0, fixed=true),
      vy(start=sqrt((1 + e)/(1 - e)), fixed=true);
    Real r3 = (x^2 + y^2)^1.5;
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = -x/r3;
    der(vy) = -y/r3;
  end Kepler;

  model Turning "A pendulum with full turns"
    Real phi(start=0, fixed=true), w(start=2.5, fixed=true);
  equation
    der(phi) = w;
    der(w) = -sin(phi);
  end Turning;

  model Advection "A wave that travels once around a ring of n cells, by central differences of fourth order"
    parameter Integer n = 800;
    Real u[n](start={exp(-100*(k/n - 0.5)^2) for k in 1:n}, each fixed=true);
  equation
    for k in 1:n loop
      der(u[k]) = -n*(8*(u[mod(k, n) + 1] - u[mod(k - 2, n) + 1]) - u[mod(k + 1, n) + 1] + u[mod(k - 3, n) + 1])/12;
    end for;
  end Advection;

  model Rooms "n rooms with heaters that switch by themselves; walls of fast and slow parts"
    parameter Integer n = 10;
    Real T[n](start={18 + 0.3*k for k in 1:n}, each fixed=true), wall[n](each start=15, each fixed=true);
    Boolean on[n](each start=true, each fixed=true);
  equation
    for k in 1:n loop
      der(T[k]) = (if on[k] then 1 + 0.1*k else 0) - 0.5*(T[k] - wall[k]);
      der(wall[k]) = 20*(T[k] - wall[k]) - 20*(wall[k] - 5);
      on[k] = if pre(on[k]) then T[k] < 21 else T[k] < 19;
    end for;
  end Rooms;
end NonStiff;
