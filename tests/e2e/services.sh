#!/bin/sh
# rung's own ModelicaServices comes before the one on MODELICAPATH and after --library, and its
# animation has the documented number of equations: 25 per Shape, 60 per Vector, 16 and three per
# point (six with colours) per Surface, beside those of the inputs that the interfaces declare.
# The library around it is a stand-in with the same interfaces.
# usage: services.sh RUNG DIR SOURCE
. "$(dirname "$0")/common.sh"
mkdir -p "$dir/path/ModelicaServices" "$dir/other"

cat >path/Modelica.mo <<'END'
within;
package Modelica
  package Units
    package SI
      type Position = Real(unit = "m");
      type Length = Real(unit = "m");
    end SI;
  end Units;
  record Orientation
    Real T[3, 3];
    Real w[3];
  end Orientation;
  partial function Surface
    input Integer nu;
    input Integer nv;
    input Boolean colours = false;
    output Real X[nu, nv];
    output Real Y[nu, nv];
    output Real Z[nu, nv];
    output Real C[if colours then nu else 0, if colours then nv else 0, 3];
  end Surface;
  package Utilities
    package Internal
      partial package PartialModelicaServices
        package Animation
          partial model PartialShape
            parameter String shapeType = "box";
            input Modelica.Orientation R;
            input Real r[3];
            input Real r_shape[3];
            input Real lengthDirection[3];
            input Real widthDirection[3];
            input Real length;
            input Real width;
            input Real height;
            input Real extra;
            input Real color[3];
            input Real specularCoefficient;
          end PartialShape;
          partial model PartialVector
            input Modelica.Orientation R;
            input Real r[3];
            input Real coordinates[3];
            input Real color[3];
            input Real specularCoefficient;
            input Boolean headAtOrigin;
            input Boolean twoHeadedArrow;
          end PartialVector;
          partial model PartialSurface
            input Modelica.Orientation R;
            input Real r_0[3];
            parameter Integer nu = 2;
            parameter Integer nv = 2;
            replaceable function surfaceCharacteristic = Modelica.Surface;
            parameter Boolean wireframe = false;
            parameter Boolean multiColoredSurface = false;
            input Real color[3];
            input Real specularCoefficient;
            input Real transparency;
          end PartialSurface;
        end Animation;
      end PartialModelicaServices;
    end Internal;
  end Utilities;
end Modelica;
END
cat >path/ModelicaServices/package.mo <<'END'
within;
package ModelicaServices
  package Animation
    model Shape
      extends Modelica.Utilities.Internal.PartialModelicaServices.Animation.PartialShape;
    end Shape;
  end Animation;
end ModelicaServices;
END
cat >models.mo <<'END'
model OneShape
  ModelicaServices.Animation.Shape s;
end OneShape;
model OneVector
  ModelicaServices.Animation.Vector v;
end OneVector;
function plane
  extends Modelica.Surface;
algorithm
  X := fill(time0, nu, nv);
  Y := X;
  Z := X;
  if colours then
    C := fill(0.5, nu, nv, 3);
  end if;
protected
  constant Real time0 = 1;
end plane;
model OneSurface
  ModelicaServices.Animation.Surface s(nu = 3, nv = 5, multiColoredSurface = true,
    redeclare function surfaceCharacteristic = plane);
end OneSurface;
END

# expect NUMBER ARGUMENTS...: the equations of the flat model
expect() {
    want=$1
    shift
    got=$(MODELICAPATH="$dir/path" "$rung" check --format json models.mo "$@" 2>err |
        sed -n 's/.*"equations": \([0-9]*\).*/\1/p')
    if [ "$got" != "$want" ]; then
        echo "FAILED: '$got' equations instead of $want: $*"
        cat err
        failed=1
    fi
}
expect 25 --model OneShape
expect 60 --model OneVector
expect $((16 + 6 * 15)) --model OneSurface
expect 0 --library "$dir/path" --model OneShape
exit $failed
