within Linkage;
package Benchmarks "Problems with published or independently computed solutions, most with loops"
  annotation(Documentation(info = "<html>
<p>From the IFToMM library of computational benchmark problems (<code>Pendulum</code>,
<code>PlanarFourBars</code>, <code>Squeezer</code>, <code>Bricard</code>,
<code>FlyballGovernor</code>, <code>SpatialSliderCrank</code>), from the test set for initial value
problem solvers (<code>Squeezer</code>, <code>SliderCrank</code>, <code>CarAxis</code>), from Callejo
and others 2014 (<code>SpatialFourBar</code>, <code>FourBarChain</code>; the dimensions are our own)
and from L&oacute;pez Varela and others 2023 (<code>FiveBar</code>). Kinematic loops are closed by
ordinary joints.</p>
</html>"));
end Benchmarks;
