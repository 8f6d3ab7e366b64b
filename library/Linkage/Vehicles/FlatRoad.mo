within Linkage.Vehicles;
model FlatRoad "Road without bumps"
  extends Road;
equation
  h = 0;
  h_x = 0;
  h_y = 0;
end FlatRoad;
