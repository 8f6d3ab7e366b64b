within Linkage.Vehicles;
model CosineStep "One step across the road, half a period of a cosine"
  extends Road;
  parameter Units.Length height = 0.1 "Of the step; negative: downwards";
  parameter Units.Length length(min = 0) = 0.5 "From its beginning to its end; not zero";
  parameter Units.Length x_0 = 0 "Where it begins";
protected
  constant Real pi = 3.14159265358979323846;
  Real phase(unit = "1") "Part of the length";
equation
  phase = (x - x_0)/length;
  h = if phase > 1 then height elseif phase > 0 then 0.5*height*(1 - cos(pi*phase)) else 0;
  h_x = if phase > 0 and phase < 1 then 0.5*pi*height/length*sin(pi*phase) else 0;
  h_y = 0;
  annotation(Documentation(info = "<html><p>The slope begins and ends at zero.</p></html>"));
end CosineStep;
