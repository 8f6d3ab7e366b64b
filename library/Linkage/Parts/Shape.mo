within Linkage.Parts;
model Shape "Solid fixed to a frame, to be seen: it has no mass"
  Interfaces.Frame_a frame_a "Frame that carries it"
    annotation(Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  parameter Form form = Form.Box "Its form" annotation(Evaluate = true);
  parameter Units.Length r[3] = {0, 0, 0}
    "Its centre, or the origin of the file, resolved in frame_a";
  parameter Units.Axis n_x = {1, 0, 0} "Direction of its length, resolved in frame_a";
  parameter Units.Axis n_y = {0, 1, 0} "Direction of its width, resolved in frame_a, across n_x";
  parameter Units.Length size[3](each min = 0) = {0.1, 0.1, 0.1}
    "Length, width, height; of a file the factors of its coordinates, in metres";
  parameter Real color[3](each min = 0, each max = 255) = {91, 127, 166} "Red, green, blue";
  parameter String file = ""
    "Of form File: .stl, .obj or .dxf; modelica://, file:// or beside the model";
protected
  final parameter Units.Cosine e_x[3] = Frames.unit(n_x) "Direction of length one";
  final parameter Units.Cosine e_y[3] = Frames.unit(n_y - e_x*(e_x*n_y)) "Direction across e_x";
  Interfaces.Solid solid(file = if form == Form.File then file else "");
equation
  frame_a.f = zeros(3);
  frame_a.t = zeros(3);
  solid.form = if form == Form.File then 10 else Integer(form);
  solid.x = transpose(frame_a.m.T)*e_x;
  solid.y = transpose(frame_a.m.T)*e_y;
  solid.r = frame_a.m.r
    + transpose(frame_a.m.T)*(if form == Form.File then r else r - e_x*size[1]/2);
  solid.size = size;
  solid.material = color*{65536, 256, 1};
  solid.extra = if form == Form.File then 1 else 0;
  annotation(
    Icon(graphics = {
      Rectangle(extent = {{-60, -40}, {60, 40}}, lineColor = {38, 58, 92},
        fillColor = {192, 206, 224}, fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 110}, {100, 75}}, textString = "%name")}),
    Documentation(info = "<html>
<p>A part that has shapes is drawn by these alone. The <code>size</code> of a file in millimetres is
<code>{0.001, 0.001, 0.001}</code>.</p>
</html>"));
end Shape;
