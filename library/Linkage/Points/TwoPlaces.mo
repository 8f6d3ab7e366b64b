within Linkage.Points;
partial model TwoPlaces "Part between two points"
  Place place_a "One end" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Place place_b "Other end" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Units.Length r_rel[3] = place_b.r - place_a.r "From place_a to place_b";
  annotation(Documentation(info = "<html>
<p>The base of links, bars and springs between two points.</p>
</html>"));
end TwoPlaces;
