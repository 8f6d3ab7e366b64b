within Linkage;
package Benchmarks "Problems with published or independently computed solutions, most with loops"
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
        fillColor = {238, 242, 248}, fillPattern = FillPattern.Solid, radius = 20),
      Line(points = {{-60, -60}, {-60, 60}}, color = {38, 58, 92}),
      Line(points = {{-60, -60}, {70, -60}}, color = {38, 58, 92}),
      Line(points = {{-60, 40}, {-20, -10}, {20, 10}, {60, -45}}, color = {38, 58, 92},
        smooth = Smooth.Bezier, thickness = 0.75),
      Ellipse(extent = {{-47, 8}, {-33, 22}}, lineColor = {38, 58, 92}, fillColor = {190, 60, 30},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-7, -7}, {7, 7}}, lineColor = {38, 58, 92}, fillColor = {190, 60, 30},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{33, -27}, {47, -13}}, lineColor = {38, 58, 92}, fillColor = {190, 60, 30},
        fillPattern = FillPattern.Solid)}),
    Documentation(info = "<html>
<p>From the IFToMM library of computational benchmark problems (<code>Pendulum</code>,
<code>PlanarFourBars</code>, <code>Squeezer</code>, <code>Bricard</code>,
<code>FlyballGovernor</code>, <code>SpatialSliderCrank</code>), from the test set for initial value
problem solvers (<code>Squeezer</code>, <code>SliderCrank</code>, <code>CarAxis</code>), from Callejo
and others 2014 (<code>SpatialFourBar</code>, <code>FourBarChain</code>; the dimensions are our own)
and from L&oacute;pez Varela and others 2023 (<code>FiveBar</code>). Kinematic loops are closed by
ordinary joints.</p>
</html>"));
end Benchmarks;
