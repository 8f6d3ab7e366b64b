within Linkage.Icons;
partial function Function "A function"
  annotation(Icon(graphics = {
    Ellipse(extent = {{-100, -100}, {100, 100}}, lineColor = {38, 58, 92},
      fillColor = {250, 244, 220}, fillPattern = FillPattern.Solid),
    Text(extent = {{-90, 80}, {90, -80}}, textString = "f", textStyle = {TextStyle.Italic})}));
end Function;
