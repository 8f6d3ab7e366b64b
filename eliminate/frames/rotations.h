/* rotations.h -- matrices of the model that turn vectors: R R' = I, found by fingerprints.
 *
 * Any array of 9 or 4 scalars (or of so many per element) whose values are orthogonal is one,
 * whatever it is called; one of 2 x 2 turns the first two coordinates of three. Equal ones are one,
 * transposes are in the list too. The module finds the rotations in an expression: those with
 * entries among its operands.
 */
#ifndef RUNG_ELIMINATE_FRAMES_ROTATIONS_H
#define RUNG_ELIMINATE_FRAMES_ROTATIONS_H

#include "ir/system.h"

enum { DIM = 3 };

typedef struct Rotation {
    ExprId x[DIM][DIM];
    Fp value[DIM][DIM];
    uint32_t transposed; /* the number of R' */
    VarId first;         /* an entry of the array it was found in */
} Rotation;

typedef struct Rotations {
    System *s;
    Arena *mem;
    VEC(Rotation) at;
    Map by_value; /* hash of the values -> number */
    Map holders;  /* node -> first of its entries in `holder` */
    VEC(struct RotationHolder) holder;
    VEC(uint32_t) stack; /* of walks */
    Map seen;
} Rotations;

struct RotationHolder {
    uint32_t rotation, next;
};

Rotations rotations_new(System *s, Arena *mem);
/* Adds the d x d matrix x, row by row, and its transpose, if it is a rotation or reflection and not
 * I. Its number then, also if it was there; UINT32_MAX else. */
uint32_t rotations_offer(Rotations *r, uint32_t d, const ExprId *x, VarId first);

/* How often rotations occur in expressions: hits[k] times number[k], most first. Transposes are not
 * listed. */
enum { ROTATION_HITS = 4 };
typedef struct RotationHits {
    uint32_t n, number[ROTATION_HITS], hits[ROTATION_HITS];
} RotationHits;

/* In n expressions over nodes that is_leaf does not stop at; x may hold EXPR_NONE. */
RotationHits rotations_in(Rotations *r, uint32_t n, const ExprId *x,
                          bool (*is_leaf)(const void *data, ExprId x), const void *data);

#endif
