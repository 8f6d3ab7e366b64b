/* mobility.h -- how the mechanism of a flat model can move in a position: degrees of freedom,
 * directions, redundant constraints.
 *
 * Positions q and the differentials of the flat equations (eliminate/forms/kinematics.h), of which
 * everything but the coordinates is eliminated (null_space.h):
 *
 *     position level   P dq = 0                     constraints of positions
 *     velocity level   P q' = 0,  V (q', dv) = 0    likewise, and those of velocities
 *
 * The degrees of freedom are those of velocities. Where positions have more, constraints of
 * velocities are holonomic as far as positions cannot be reached by any sequence of motions, which
 * Lie brackets of the directions tell, by differences (Chow's theorem; Murray, Li and Sastry 1994,
 * section 7.2). For Euler parameters these numbers are four (positions) and three (velocities).
 */
#ifndef RUNG_STUDY_MECHANISM_MOBILITY_H
#define RUNG_STUDY_MECHANISM_MOBILITY_H

#include "base/result_table.h"
#include "eliminate/forms/kinematics.h"
#include "study/mechanism/null_space.h"
#include "translate/compilation.h"

typedef struct Mechanism {
    Compilation *flat;
    System *s;
    Kinematics k;
    Arena *mem; /* of its own: the flat model's is in another */
    uint32_t
        *coordinate_of; /* per variable that is a root: number of the coordinate, or UINT32_MAX */
    uint32_t *cut_of;   /* per equation: the loop whose closing it is, or UINT32_MAX */
    VEC(uint32_t) node; /* that rows depend on, operands first */
    double *at;         /* per node of the pool: its value at the current position */
    double *value;      /* per variable: at that position */
    double t;
    double tolerance;
} Mechanism;

typedef struct Move {
    uint32_t coordinate;
    double by;
} Move;

/* Coordinates that move together, the first of them by 1. */
typedef struct Direction {
    uint32_t n;
    const Move *move;
} Direction;

typedef struct Constraint {
    uint32_t row;           /* of the Kinematics          */
    const NullRow *entries; /* of it, in chosen columns */
    bool is_redundant;
    uint32_t n_moved;
    const uint32_t *moved; /* coordinates that it restricts */
    uint32_t n_follows;
    const uint32_t *follows; /* of a redundant one: constraints that it follows from */
} Constraint;

typedef struct Loop {
    uint32_t cut, first, n; /* constraints that close it, in constraint[] */
    uint32_t n_redundant, n_joints;
    const uint32_t *joint; /* coordinates */
    uint32_t n_axes;       /* the rotations among them */
    bool is_parallel;      /* their axes are */
    uint32_t n_span;       /* directions that the joints move the cut in, or would, of n */
} Loop;

typedef struct Mobility {
    uint32_t n_coordinates; /* the chosen ones */
    uint32_t n_free;        /* degrees of freedom: of velocities                */
    uint32_t n_positions;   /* of positions, without constraints of velocities */
    Direction *direction;   /* n_free */
    uint32_t n_constraints, n_redundant;
    Constraint *constraint; /* those of loops first */
    uint32_t n_loops;
    Loop *loop;
    double above, below; /* as in NullSpace */
    uint32_t too_large;
} Mobility;

/* The flat model. Singular values up to tolerance times the largest are zero; NAN: 1e-6. False
 * after an error, which is in m->flat->diags. */
bool mechanism_open(Mechanism *m, const Request *r, double tolerance, Arena *mem);
void mechanism_close(Mechanism *m);
/* Parameters by their bindings, others by their start values. */
void mechanism_start(Mechanism *m);
/* The values and the time of a row of a result. */
void mechanism_set_row(Mechanism *m, const ResultTable *t, uint32_t row);
/* Projects the values onto the constraints, by Newton's method with the smallest correction of the
 * coordinates. False where that does not converge. */
bool mechanism_close_position(Mechanism *m);

Mobility mobility_find(Mechanism *m, Arena *mem);

/* How all variables of the flat model move along the first n directions, to first order: n arrays
 * with an entry per variable. */
const double *const *mobility_motions(Mechanism *m, const Mobility *at, uint32_t n, Arena *mem);

/* The mobility after a finite step along the directions. */
typedef struct Beyond {
    bool is_known;
    bool stays;      /* no step can be made: the constraints resist at second order */
    uint32_t n_free; /* degrees of freedom there */
} Beyond;
Beyond mobility_beyond(Mechanism *m, const Mobility *at);
/* How many independent positions can be reached: n_free where all constraints are holonomic.
 * UINT32_MAX: not computed, there are too many directions. */
uint32_t mobility_reach(Mechanism *m, const Mobility *at);

typedef struct AlongPoint {
    double t;
    uint32_t n_free;
    double above; /* as in NullSpace; 0 where there are more degrees of freedom than elsewhere */
} AlongPoint;

/* Along a result: degrees of freedom row by row, of as many rows as ALONG_MOST. */
typedef struct Along {
    uint32_t n_rows;
    double first, last;     /* times */
    uint32_t n_free;        /* the least */
    VEC(AlongPoint) change; /* rows, and places between them, with another number than before */
    AlongPoint nearest;     /* to a singular position */
    const char *error;      /* in mem; else NULL */
} Along;
enum { ALONG_MOST = 500 };
Along mobility_along(Mechanism *m, const char *path, Arena *mem);

/* The coordinate's name. */
const char *mobility_name(const Mechanism *m, uint32_t coordinate);
/* The place of a constraint: the component, else file:line:column. */
const char *mobility_where(const Mechanism *m, const Constraint *c, Arena *mem);

#endif
