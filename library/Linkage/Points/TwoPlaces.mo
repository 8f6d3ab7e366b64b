within Linkage.Points;
partial model TwoPlaces "Part between two points"
  Place place_a "One end";
  Place place_b "Other end";
  Units.Length r_rel[3] = place_b.r - place_a.r "From place_a to place_b";
end TwoPlaces;
