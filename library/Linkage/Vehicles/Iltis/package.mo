within Linkage.Vehicles;
package Iltis "The off-road vehicle of the IAVSD benchmark, with its manoeuvres"
  annotation(Documentation(info = "<html>
<p>Bombardier Iltis: Frik, Leister, Schwartz: Simulation of the IAVSD road vehicle benchmark Bombardier Iltis with
FASIM, MEDYNA, NEWEUL and SIMPACK, Vehicle System Dynamics 22, 1993. Values and reference trajectories are those
of the open model github.com/ovankerm/IAVSD_ILTIS. Each wheel is on a transverse leaf spring that also guides
it, an arm below, and a tie rod: a chassis with six degrees of freedom and one for each wheel.</p>
</html>"));
end Iltis;
