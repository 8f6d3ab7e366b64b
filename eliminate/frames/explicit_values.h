/* explicit_values.h -- values of variables that explicit equations determine before an algebraic
 * loop, the loop over them, and the way back: a value written over the variables that have it.
 *
 * Values share the pool, so that fingerprints show the form of equations after solving; the results
 * are written over variables again, which keeps equations short.
 */
#ifndef RUNG_ELIMINATE_FRAMES_EXPLICIT_VALUES_H
#define RUNG_ELIMINATE_FRAMES_EXPLICIT_VALUES_H

#include "eliminate/block/linear_form.h"
#include "ir/op_counter.h"

typedef struct ExplicitValues {
    System *s;
    Arena *mem, *tmp;
    bool *is_unknown; /* per variable: of the block at work */
    uint32_t n_flags;
    ExprId *value; /* per variable; EXPR_NONE: it has none */
    Substitution values;
    Map var_of;        /* node -> variable that has it as its value */
    Map written;       /* node -> the same over variables           */
    OpCounter counter; /* the operations of values are counted already */
    /* Of a value that has no variable, written: a variable that it gets now, or EXPR_NONE. */
    ExprId (*named)(void *data, ExprId value, ExprId written);
    void *named_data;
} ExplicitValues;

/* tmp: no other's; given back as it was by each call. */
ExplicitValues explicit_values_new(System *s, Arena *mem, Arena *tmp);
/* v by equation e, if that is explicit. */
void explicit_values_solve(ExplicitValues *k, EqId e, VarId v);
/* x, a value, over variables. */
ExprId explicit_values_written(ExplicitValues *k, ExprId x);
/* Whether a variable has it as its value. */
bool explicit_values_is_value(const void *k, ExprId x);
/* Operations of the roots besides those of known values. */
uint32_t explicit_values_operations(ExplicitValues *k, uint32_t n, const ExprId *root);

ExprId without_sign(const ExprPool *p, ExprId x);

/* An algebraic loop that is linear. */
typedef struct Loop {
    uint32_t n;
    EqId *eq;
    VarId *var;
    LinearForm *form; /* per equation */
    Map place;        /* variable -> place in var */
    uint32_t *same;   /* per unknown: the first of those that are equal by equations a = b; these
                         equations say nothing else */
} Loop;

/* Of n equations; false if one is not linear. The unknowns are marked in values->is_unknown, which
 * loop_close takes back. Lives in mem. */
bool loop_open(Loop *l, ExplicitValues *values, uint32_t n, const EqId *eq, const VarId *var,
               Arena *mem);
void loop_close(const Loop *l, ExplicitValues *values);
/* Whether equation e is of the form a = b. */
bool loop_is_name(const Loop *l, const System *s, uint32_t e);

/* Vectors of an array, by its last dimension: two or three after each other. */
typedef struct Shape {
    uint32_t size;          /* scalars */
    uint32_t rows, columns; /* the last two dimensions; 0: not known */
} Shape;
/* Of the groups of variables, or of equations, which have the shape of their unknowns. */
Shape *array_shapes(const System *s, bool of_equations, Arena *mem);
/* Rows and columns of the square matrix, 2 or 3, whose scalars the variables from v on are, row by
 * row; 0: there is none. shape: of the groups of variables. */
uint32_t matrix_at(const System *s, const Shape *shape, uint32_t v);

/* The vector that a scalar of an array belongs to. */
typedef struct Coordinate {
    uint64_t vector;
    uint32_t k;
} Coordinate;
Coordinate coordinate_of(uint32_t group, uint32_t index, Shape shape);

#endif
