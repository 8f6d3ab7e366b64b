within Linkage.Vehicles;
model LaneChange "Into the next lane and back; after ISO 3888-1 by default"
  extends Course;
  parameter Units.Length offset = 3.5 "To the next lane, positive to the left";
  parameter Units.Length x_0 = 15 "Where it begins";
  parameter Units.Length out(min = 0) = 30 "Length of the way out; not zero";
  parameter Units.Length stay(min = 0) = 25 "Length in the next lane";
  parameter Units.Length back(min = 0) = 25 "Length of the way back; not zero";
protected
  Real p(unit = "1") "Part of the way out";
  Real q(unit = "1") "Part of the way back";
equation
  p = smooth(0, noEvent(max(0, min(1, (x - x_0)/out))));
  q = smooth(0, noEvent(max(0, min(1, (x - x_0 - out - stay)/back))));
  // the slope and its derivative begin and end at zero
  y = offset*smooth(2, p^3*(10 - 15*p + 6*p^2) - q^3*(10 - 15*q + 6*q^2));
end LaneChange;
