// The level of an assertion may be a parameter, here one of a component that is inner.
model Levels
  parameter AssertionLevel level = AssertionLevel.error;
end Levels;
model Tank
  outer Levels levels;
  parameter Boolean strict = false;
  Real h = time;
equation
  assert(h < 1, "full", levels.level);
  assert(h < 2, "over", if strict then AssertionLevel.error else levels.level);
end Tank;
model Main
  inner Levels levels(level = AssertionLevel.warning);
  Tank a, b(strict = true);
end Main;
