partial model Ground "what parts stand on"
  parameter Real g = 9.81;
end Ground;

model Part
  outer Ground ground; // error N08: outer 'ground' needs an 'inner Ground ground'
  Real weight = ground.g;
end Part;

model MissingInner "No ground, and a partial one cannot be added"
  Part body; // note: in component body
end MissingInner;
