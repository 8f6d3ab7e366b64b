/* kinematics.h -- the coordinates of a mechanism, and the differentials of its constraints.
 *
 * Found in the flat equations as they are written, before aliases, loops and index reduction, so
 * that constraints of joints, of closed loops and those written as equations are all alike. A
 * coordinate is a variable whose derivative the model ties to a velocity: w = der(phi) where w is
 * differentiated, too; der(Q) = G(Q) w for the velocities w of others. It is a length, an angle, a
 * pure number, or has no unit: v of an LC circuit, i = C der(v), is none.
 *
 * Each row is the differential of an equation, sum of coefficient * d variable:
 *
 *     at positions    equations without derivatives: 0 = x^2 + y^2 - L^2 gives 2 x dx + 2 y dy
 *     at velocities   with derivatives of coordinates alone, der(x) = r w: d der(x) - r dw
 *
 * Equations that hold flow variables are balances of efforts, those that hold derivatives of
 * velocities are laws of motion: neither restricts how the mechanism can move, and both are left
 * out.
 */
#ifndef RUNG_ELIMINATE_FORMS_KINEMATICS_H
#define RUNG_ELIMINATE_FORMS_KINEMATICS_H

#include "ir/system.h"

typedef struct KinematicRow {
    EqId eq;
    uint32_t first, n; /* entries */
    bool is_velocity;  /* holds a derivative of a coordinate */
    ExprId residual;   /* lhs - rhs */
} KinematicRow;

typedef struct KinematicEntry {
    VarId var;    /* of its kind the one that stands for all that are plus or minus it; of a
                     derivative the coordinate, and is_rate */
    bool is_rate; /* of the derivative of a coordinate */
    ExprId coeff;
} KinematicEntry;

typedef struct Kinematics {
    System *s;
    uint32_t n_vars;     /* of the flat model                                          */
    uint32_t *root;      /* per variable: equal to it or its negative, a = b, a = -b   */
    bool *is_negated;    /* per variable: its negative                                 */
    bool *is_coordinate; /* per variable that is a root                                */
    uint32_t n_coordinates;
    VarId *coordinate;     /* as declared; root[] may be another                        */
    StateSelect *priority; /* per coordinate: the highest of those that are equal to it */
    VEC(KinematicRow) row;
    VEC(KinematicEntry) entry;
    uint32_t n_open; /* equations left out since something in them has no derivative */
    EqId open;       /* the first of them */
} Kinematics;

/* Of a flat System in which der(...) is carried out and no loop is cut; its equations stay,
 * derivatives of variables are added. Near-linear in its size. */
void kinematics_find(System *s, Kinematics *out, Arena *mem);

#endif
