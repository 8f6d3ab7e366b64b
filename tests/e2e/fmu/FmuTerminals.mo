package FmuTerminals "Connectors at the top, with and without causality, and icons"
  connector In = input Real "A signal" annotation(Icon(graphics={
    Polygon(points={{-100,100},{100,0},{-100,-100}}, fillPattern=FillPattern.Solid)}));
  connector Out = output Real;
  connector Shaft
    input Real tau;
    output Real phi[2];
  end Shaft;
  connector Pair
    Shaft s;
    input Boolean on;
  end Pair;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model Framed
    annotation(Icon(coordinateSystem(extent={{-100,-50},{100,150}}), graphics={
      Rectangle(extent={{-100,-50},{100,150}}, lineColor={0,0,255}, fillColor={255,255,255},
        fillPattern=FillPattern.HorizontalCylinder)}));
  end Framed;
  model Drive "With an icon of its own and a frame"
    extends Framed;
    parameter Boolean round = true;
    In u annotation(Placement(transformation(extent={{-140,30},{-100,70}})));
    In unused if not round;
    Out y annotation(Placement(transformation(extent={{-10,-10},{10,10}}, rotation=180,
      origin={110,50})));
    Shaft a "Shaft";
    Pair p[2];
    Pin pin;
  protected
    Out hidden;
  equation
    y = u + a.tau;
    hidden = y;
    a.phi = {y, 2*y};
    for k in 1:2 loop
      p[k].s.phi = {k*p[k].s.tau, if p[k].on then 1 else 0};
    end for;
    pin.v = y;
    annotation(Icon(graphics={
      Ellipse(extent={{-40,10},{40,90}}, visible=round, startAngle=0, endAngle=270,
        fillPattern=FillPattern.CrossDiag),
      Rectangle(extent={{-40,10},{40,90}}, visible=not round),
      Line(points={{-80,0},{0,-40},{80,0}}, color={255,0,0}, smooth=Smooth.Bezier,
        pattern=LinePattern.Dash),
      Text(extent={{-100,100},{100,140}}, textString="%name < 100%%"),
      Text(extent={{-100,100},{100,140}}, textString="r=%round")}));
  end Drive;
end FmuTerminals;
