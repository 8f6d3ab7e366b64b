/* geometry.h -- the drawable parts of a model: the frames of its connectors, the parts between
 * them, and solids, with the variables of their positions. Only drawings read it.
 *
 * A frame is a connector with one Real[3] in metres, the position of its origin in the world frame,
 * and one Real[3, 3], whose rows are its axes in the world frame; neither is a flow. With a flow
 * Real[3], a force, and no Real[3, 3] it is a point, whose axes are those of the world. A part is a
 * component that has frames and no component inside with frames of its own. A solid is a record
 * with annotation(__rung(solid = true)); its members are those of ModelicaServices.Animation.Solid
 * in library/tool. Another library can give shapes to its parts by the same annotation. A member
 * `parameter String file` is the CAD file of form 10. A look is a form that the class of a
 * component gives it, with variables and frames of that component as arguments, and costs no
 * unknown:
 *
 *     annotation(__rung(look(body(frame = frame_a, m = m, r = r_CM, I = I))))
 */
#ifndef RUNG_IR_GEOMETRY_H
#define RUNG_IR_GEOMETRY_H

#include "base/name.h"
#include "base/vec.h"
#include "ir/expr.h"

typedef struct GeometryFrame {
    Name name;  /* of the connector */
    VarId r, T; /* the first of 3 and of 9, row by row; T is VAR_NONE of a point */
    VarId f;    /* the first of 3: a flow in N, the force; VAR_NONE: there is not exactly one */
    VarId pull; /* the first of 3 inputs, a force at the frame (eliminate/prepare/pulls.h); VAR_NONE
                   unless they were asked for */
} GeometryFrame;

typedef struct GeometryPart {
    Name name;
    uint32_t first_frame, n_frames;
} GeometryPart;

enum { SOLID_MEMBERS = 7 };

/* Members of Solid, in this order: form, x[3], y[3], r[3], size[3], material, extra. */
typedef struct GeometrySolid {
    Name name;
    VarId member[SOLID_MEMBERS];
    Name file; /* a path; NULL: none */
} GeometrySolid;

enum { LOOK_NUMBERS = 3 };

/* An argument of a look: a frame, variables, or numbers. */
typedef struct LookArgument {
    Name name;
    uint32_t frame;           /* FRAME_NONE: none                             */
    VarId var;                /* the first of its elements; VAR_NONE: none    */
    uint32_t n_dims, dims[2]; /* of variables and of numbers, of these 0 or 1 */
    double number[LOOK_NUMBERS];
} LookArgument;

#define FRAME_NONE UINT32_MAX

typedef struct GeometryLook {
    Name name; /* of the component */
    Name form;
    uint32_t first_argument, n_arguments;
} GeometryLook;

typedef struct Geometry {
    VEC(GeometryFrame) frame;
    VEC(GeometryPart) part;
    VEC(GeometrySolid) solid;
    VEC(GeometryLook) look;
    VEC(LookArgument) argument; /* of all looks */
} Geometry;

#endif
