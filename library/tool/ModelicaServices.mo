within;
package ModelicaServices "What the Modelica Standard Library leaves to each tool, as rung has it"
  constant String target = "rung" "The tool";

  package Animation "What a viewer of results needs to draw a body"
    record Solid "One solid in the world frame"
      Real form "Number of the kind of solid";
      Real norm "Length of the direction that was given";
      Real e_x[3] "Unit vector along its length, resolved in the object's frame";
      Real e_y[3] "Unit vector along its width, resolved in the object's frame";
      Real e_z[3] "Their cross product";
      Real x[3] "e_x, resolved in the world frame";
      Real y[3] "e_y, resolved in the world frame";
      Modelica.Units.SI.Position r[3] "Its origin, resolved in the world frame";
      Modelica.Units.SI.Length size[3] "Length, width, height";
      Real material "Colour and reflection as one number";
      Real extra "One more measure of some kinds";
      parameter String file = "" "Where form 10 is: modelica://, file:// or beside the model";
      annotation(__rung(solid = true));
    end Solid;

    model Shape "A solid whose measures vary"
      extends Modelica.Utilities.Internal.PartialModelicaServices.Animation.PartialShape;
    protected
      Solid solid(file = fileOf(shapeType));
    equation
      solid.form = formOf(shapeType);
      solid.norm = sqrt(lengthDirection*lengthDirection);
      solid.e_x = along(lengthDirection, solid.norm);
      solid.e_z = across(solid.e_x, widthDirection);
      solid.e_y = cross(solid.e_z, solid.e_x);
      solid.x = solid.e_x*R.T;
      solid.y = solid.e_y*R.T;
      solid.r = r + r_shape*R.T;
      solid.size = {length, width, height};
      solid.material = materialOf(color, specularCoefficient);
      solid.extra = extra;
    end Shape;

    model Vector "An arrow for a quantity that is no length"
      extends Modelica.Utilities.Internal.PartialModelicaServices.Animation.PartialVector;
    protected
      Real size "Of the quantity";
      Real e[3] "Its direction, resolved in the vector's frame";
      Real n[3] "Its direction, resolved in the world frame";
      Modelica.Units.SI.Position tail[3] "Where the arrow begins, resolved in the world frame";
      Solid line, head;
    equation
      size = sqrt(coordinates*coordinates);
      e = along(coordinates, size);
      n = e*R.T;
      tail = if headAtOrigin then r - size*n else r;
      line.form = 11 "The whole arrow, so long as the viewer finds that it should be";
      line.norm = size;
      line.e_x = e;
      line.e_z = across(e, {0, 1, 0});
      line.e_y = cross(line.e_z, line.e_x);
      line.x = n;
      line.y = line.e_y*R.T;
      line.r = tail;
      line.size = {size, 1, 1};
      line.material = materialOf(color, specularCoefficient);
      line.extra = if twoHeadedArrow then 2 else 1;
      head.form = 0;
      head.norm = size;
      head.e_x = e;
      head.e_z = line.e_z;
      head.e_y = line.e_y;
      head.x = n;
      head.y = line.y;
      head.r = tail + size*n;
      head.size = {1, 1, 1};
      head.material = line.material;
      head.extra = 0;
    end Vector;

    model Surface "A surface whose points move"
      extends Modelica.Utilities.Internal.PartialModelicaServices.Animation.PartialSurface;
    protected
      Real form "Number of the kind of surface";
      Real x[3] "Axes of the surface's frame, resolved in the world frame";
      Real y[3];
      Real z[3];
      Modelica.Units.SI.Position r[3] "Its origin, resolved in the world frame";
      Real material "Colour and reflection as one number";
      Real clear "0: opaque, 1: not seen at all";
      Real extra "Whether faces are drawn";
      Modelica.Units.SI.Position X[nu, nv] "Its points, resolved in the surface's frame";
      Modelica.Units.SI.Position Y[nu, nv];
      Modelica.Units.SI.Position Z[nu, nv];
      Real C[if multiColoredSurface then nu else 0, if multiColoredSurface then nv else 0, 3]
        "Their colours";
    equation
      form = 20;
      x = R.T[1, :];
      y = R.T[2, :];
      z = R.T[3, :];
      r = r_0;
      material = materialOf(color, specularCoefficient);
      clear = transparency;
      extra = if wireframe then 1 else 0;
      (X, Y, Z, C) = surfaceCharacteristic(nu, nv, multiColoredSurface);
    end Surface;

    function formOf "The number of a kind of solid"
      input String shapeType;
      output Real form;
    algorithm
      form := if shapeType == "box" then 1
        elseif shapeType == "sphere" then 2
        elseif shapeType == "cylinder" then 3
        elseif shapeType == "pipecylinder" then 4
        elseif shapeType == "cone" then 5
        elseif shapeType == "pipe" then 6
        elseif shapeType == "beam" then 7
        elseif shapeType == "gearwheel" then 8
        elseif shapeType == "spring" then 9
        else 10;
      annotation(Inline = true);
    end formOf;

    function fileOf "The file of a kind of solid; a name alone is that of a DXF file"
      input String shapeType;
      output String file;
    algorithm
      file := if formOf(shapeType) < 10 then ""
        elseif Modelica.Utilities.Strings.find(shapeType, ".") > 0 then shapeType
        else shapeType + ".dxf";
    end fileOf;

    function materialOf "0 to 255 per colour and 0 to 1 of reflection, in one number"
      input Real color[3];
      input Real specular;
      output Real material;
    algorithm
      material := color*{65536, 256, 1} + 0.99*specular;
      annotation(Inline = true);
    end materialOf;

    function along "The unit vector of v; the x axis, if v is zero"
      input Real v[3];
      input Real norm "Length of v";
      output Real e[3];
    algorithm
      e := noEvent(if norm < 1e-10 then {1, 0, 0} else v/norm);
      annotation(Inline = true);
    end along;

    function across "A unit vector orthogonal to e and, if they are not parallel, to v"
      input Real e[3];
      input Real v[3];
      output Real n[3];
    protected
      Real c[3] = cross(e, v);
      Real d[3] = noEvent(if c*c > 1e-6 then c
        elseif abs(e[1]) > 1e-3 then cross(e, {0, 1, 0})
        else cross(e, {1, 0, 0}));
    algorithm
      n := d/sqrt(d*d);
      annotation(Inline = true);
    end across;
  end Animation;

  package ExternalReferences "Files beside a library"
    function loadResource "The path of a file named by a URI"
      extends Modelica.Utilities.Internal.PartialModelicaServices.ExternalReferences.PartialLoadResource;
      // found when the model is compiled; a name that varies is a path already
      external "C" fileReference = rung_resource(uri)
        annotation(Include = "
#ifndef RUNG_RESOURCE
#define RUNG_RESOURCE
static const char *rung_resource(const char *uri)
{
    return uri;
}
#endif
");
    end loadResource;
  end ExternalReferences;

  package Machine "What a Real and an Integer can hold"
    final constant Real eps = 2.2204460492503131e-16 "The next number after 1, less 1";
    final constant Real small = 2.2250738585072014e-308 "The smallest normalised number";
    final constant Real inf = 1.7976931348623157e308 "The largest number";
    final constant Integer Integer_inf = 2147483647 "The largest Integer";
  end Machine;

  package System "The program around a simulation"
    impure function exit "Ends it"
      extends Modelica.Utilities.Internal.PartialModelicaServices.System.exitBase;
      external "C" exit(status) annotation(Include = "#include <stdlib.h>");
    end exit;
  end System;

  package Types "Types with choices of the tool"
    type SolverMethod = String "Method of integration of a clocked partition";
  end Types;

  annotation(version = "4.1.0", versionDate = "2025-05-23", uses(Modelica(version = "4.1.0")));
end ModelicaServices;
