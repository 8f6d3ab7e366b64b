model MisspeltTarget
  Real speed, angle;
algorithm
  speed := 2*time;
  anlge := time^2;
end MisspeltTarget;
