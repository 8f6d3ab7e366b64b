within Linkage.Interfaces;
model ExtentTap "One side of a constraint of lengths"
  input Units.Length s "Length on this side";
  ExtentPort port "To the other side";
  Units.Force f = port.f "Force of the constraint, which works on s";
equation
  Connections.root(port.e);
  port.e.s = s;
end ExtentTap;
