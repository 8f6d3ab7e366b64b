model TypeOfString
  parameter Real k = "2";
end TypeOfString;
