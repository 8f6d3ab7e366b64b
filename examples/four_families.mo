// rung count examples/four_families.mo --model FourFamilies.Planar
package FourFamilies "The families of Schubert and others (2011), section 5, at one size"
  model Planar = Linkage.Examples.PlanarPendulum(n = 16) "Chain in a plane";
  model Split = Linkage.Examples.SplitPendulum(n = 16) "Chain with a short branch";
  model Alternating = Linkage.Examples.AlternatingPendulum(n = 16) "Chain in space";
  model Multi = Linkage.Examples.MultiPendulum(depth = 4) "Each rod carries two more";
end FourFamilies;
