/* frame_work.h -- the common data of the parts of frames.h: a loop seen as vectors and vector
 * equations.
 *
 * frames.c makes it of an algebraic loop, frame_choice.c chooses frames, frame_equations.c writes
 * the equations down.
 */
#ifndef RUNG_ELIMINATE_FRAMES_FRAME_WORK_H
#define RUNG_ELIMINATE_FRAMES_FRAME_WORK_H

#include "eliminate/frames/explicit_values.h"
#include "eliminate/frames/frames.h"
#include "eliminate/frames/known_images.h"
#include "eliminate/frames/rotations.h"

/* The frame that the model has; a number of a rotation otherwise. */
#define AS_IS UINT32_MAX
#define NOWHERE UINT32_MAX

/* The part of an equation that reads one vector: rows times coordinates. */
typedef struct Term {
    uint32_t vector;
    ExprId x[DIM][DIM]; /* EXPR_NONE where there is none */
    Fp value[DIM][DIM];
} Term;

typedef struct Column {
    uint32_t unknown; /* place in the loop; in no vector */
    ExprId x[DIM];
} Column;

/* The cost of the coefficients of a term with its vector read in a frame. */
typedef struct Reading {
    uint32_t frame, cost;
} Reading;

typedef struct Readings {
    VEC(Reading) at;
} Readings;

/* The equation multiplied by a rotation. */
typedef struct Choice {
    uint32_t by;
    uint32_t cost;     /* of the rest */
    Readings *reading; /* per term: the candidate frames */
} Choice;

typedef struct VectorEq {
    uint32_t row[DIM]; /* places in the loop, NOWHERE for rows that are not in it */
    ExprId rest[DIM];
    ExprId written[DIM]; /* the rest, over variables */
    VEC(Term) term;
    VEC(Column) column;
    RotationHits in_terms;
    VEC(Choice) choice; /* as it is first */
    uint32_t taken;
    uint32_t *frame; /* per term: the one it is read in, AS_IS or a rotation */
} VectorEq;

/* Its coordinates in one frame. */
typedef struct Image {
    uint32_t frame, readers;
    uint32_t number; /* among those of all vectors that are moved */
    VarId var[DIM];
} Image;

/* Coordinates of a vector in two frames (places in Vector.image): those of `to` are written over
 * those of `from`. */
typedef struct Tie {
    uint32_t vector, from, to;
    bool is_turnable; /* or the other way round */
    Eq like;
} Tie;

typedef struct Vector {
    uint32_t at[DIM]; /* places in the loop, NOWHERE for coordinates that are not unknown there */
    VEC(Image) image; /* those with readers */
    bool is_moved, has_coordinates;
} Vector;

typedef struct Move {
    System *s;
    Arena *mem; /* as long as the search */
    Arena *tmp; /* one loop              */
    ExplicitValues explicit;
    Rotations rotations;
    KnownImages known;
    uint32_t n_groups;           /* there were before any were added */
    Shape *var_shape, *eq_shape; /* per such group */
    Fp one;
    uint32_t mixed_cost;
    Map costs; /* of entries, by their values' hash */
    Map links; /* costs of relative rotations */
    /* the loop at work */
    Loop loop;
    uint32_t *vector_of, *coordinate; /* per unknown; NOWHERE where it is of none */
    VEC(Vector) vector;
    VEC(VectorEq) equation;
    VEC(Tie) tie;
    uint32_t n_images;
    OpCounter as_written;  /* of equations over variables */
    uint32_t *frame_tried; /* per term of one equation, twice */
    Frames *out;
} Move;

const Rotation *frame_rotation(const Move *w, uint32_t frame);
/* Entries of the matrix that turns into the frame, of I too. */
ExprId frame_entry(const Move *w, uint32_t frame, uint32_t i, uint32_t k);
/* Which of three there are, as bits. */
uint32_t mask_of(const uint32_t at[DIM]);
/* The coordinates present after the rotation, if some are missing; 0 if the rotation mixes present
 * and missing ones. */
uint32_t turned_mask(const Move *w, uint32_t frame, uint32_t mask);
/* The frame's matrix times a; a times its transpose. */
void times_left(const Move *w, uint32_t frame, Fp a[DIM][DIM], Fp out[DIM][DIM]);
void times_right(const Move *w, uint32_t frame, Fp a[DIM][DIM], Fp out[DIM][DIM]);

/* Of having the coordinates in frame b when there are those in frame a. */
uint32_t link_cost(Move *w, uint32_t a, uint32_t b, uint32_t mask);
/* The cheapest tree over the frames of one vector (Prim 1957), or a star where there are many:
 * parent[k] is the place of the frame that the k-th comes from, order[] the places from the root
 * on. Returns its cost. */
uint32_t frame_tree(Move *w, const Vector *v, uint32_t *parent, uint32_t *order);
/* Sets the choice of each equation; whether that costs less than the equations as they are. */
bool frames_choose(Move *w);

/* The equations as chosen. */
void frames_write(Move *w);

#endif
