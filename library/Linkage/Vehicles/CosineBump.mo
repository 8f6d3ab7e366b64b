within Linkage.Vehicles;
model CosineBump "One bump across the road, a period of a cosine"
  extends Road;
  parameter Units.Length height = 0.1 "Of the bump; negative: of a hole";
  parameter Units.Length height_right = height "The same to the right of y = 0";
  parameter Units.Length length(min = 0) = 5 "From its beginning to its end; not zero";
  parameter Units.Length x_0 = 0 "Where it begins";
protected
  constant Real pi = 3.14159265358979323846;
  Real phase(unit = "1") "Part of the period";
  Units.Length here "Height on this side";
equation
  phase = (x - x_0)/length;
  here = if y > 0 then height else height_right;
  h = if phase > 0 and phase < 1 then 0.5*here*(1 - cos(2*pi*phase)) else 0;
  h_x = if phase > 0 and phase < 1 then pi*here/length*sin(2*pi*phase) else 0;
  h_y = 0;
  annotation(Documentation(info = "<html><p>Height and slope begin and end at zero.</p></html>"));
end CosineBump;
