within Linkage;
package Examples "Models to run as they stand"
  annotation(Documentation(info = "<html>
<p>Four families grow with a parameter: <code>PlanarPendulum</code>,
<code>SplitPendulum</code>, <code>AlternatingPendulum</code> and
<code>MultiPendulum</code>, after Schubert, Frenkel, Kunze and Beitelschmidt: Achieving O(n)
complexity for models from Modelica.Mechanics.MultiBody, 2011, section 5. The others show one
component each. <code>E</code> is the total energy where it is conserved.</p>
</html>"));
end Examples;
