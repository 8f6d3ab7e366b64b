/* known_images.h -- vectors that are known before an algebraic loop, in other frames.
 *
 * An angular velocity in the world's frame, say, w = w_a + R e u. Where a vector is made of others
 * by sums, products with scalars and cross products, turning it is turning these: R' w = (R' R_a)
 * (R_a' w_a) + e u, R' (w x (w x d)) = y x (y x r) with y = R' w, d = R r. The physical meaning of
 * vectors plays no part: coordinates are exchanged for those in the other frame, and fingerprints
 * show whether that gives the rotated vector. If so its value is in the pool, in few operations,
 * before anyone multiplies by R'.
 *
 * An image becomes a variable when an equation is written over it (explicit_values_written).
 */
#ifndef RUNG_ELIMINATE_FRAMES_KNOWN_IMAGES_H
#define RUNG_ELIMINATE_FRAMES_KNOWN_IMAGES_H

#include "eliminate/blt.h"
#include "eliminate/frames/explicit_values.h"
#include "eliminate/frames/rewriting.h"
#include "eliminate/frames/rotations.h"

typedef struct KnownImages {
    ExplicitValues *explicit;
    Rotations *rotations;
    Rewriting *rewriting;
    const Shape *shape; /* of arrays of variables, by group */
    Arena *mem;
    uint32_t n_vars;
    VEC(struct KnownVector) vector;
    VEC(struct KnownMatrix) matrix;
    VEC(struct WaitingVector) waiting;
    struct KnownLeaf *leaf; /* per variable */
    ExprId *value;          /* per variable, while something is turned */
    ExprId *nothing;        /* per variable: EXPR_NONE */
    Substitution by, none;
    Map pending; /* node -> place in `image`, until it has a variable */
    VEC(struct PendingImage) image;
    VEC(uint32_t) leaves, frames; /* of expressions examined */
    VEC(ExprId) stack;
} KnownImages;

/* Sets explicit->named. All live as long as mem. */
void known_images_begin(KnownImages *k, const Blt *b, ExplicitValues *explicit,
                        Rotations *rotations, Rewriting *r, const Shape *shape, Arena *mem);
/* The d x d array of variables may be a rotation. */
void known_images_expect(KnownImages *k, uint32_t d, const VarId *var);
/* The d x d array of variables is a rotation, number `rotation` of the list. */
void known_images_matrix(KnownImages *k, uint32_t d, const VarId *var, const ExprId *x,
                         uint32_t rotation);
/* v is known, by equation e. */
void known_images_solved(KnownImages *k, EqId e, VarId v);
/* The frames of the vectors in n expressions over variables, the most frequent first; at most
 * `most`. */
uint32_t known_images_frames(KnownImages *k, uint32_t n, const ExprId *x, uint32_t most,
                             uint32_t *frame);
/* Tries to put the values of frame * x into the pool, x being over variables and EXPR_NONE where
 * there is nothing. False: x does not turn with its vectors. */
bool known_images_turn(KnownImages *k, const ExprId x[DIM], uint32_t frame, ExprId out[DIM]);

#endif
