/* incidence.h -- which equation contains which unknown, and how. The facts computed from it.
 *
 * Rows are equations, columns are unknowns, both numbered from 0 in the order the caller chose
 * (local numbers of one pass, not ids of the System). Each edge carries a label that says how
 * the unknown appears, which is all that graph/ ever learns of an expression. Stored by rows and
 * by columns; everything lives in the arena given to the builder.
 *
 *     IncidenceBuilder b = incidence_begin(mem, n_cols);
 *     for each equation { incidence_row(&b); for each unknown in it incidence_edge(&b, v, ...); }
 *     Incidence g = incidence_done(&b);
 */
#ifndef RUNG_GRAPH_INCIDENCE_H
#define RUNG_GRAPH_INCIDENCE_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define INC_NONE UINT32_MAX /* no equation, no unknown, no group */

/* The kind of coefficient; a later one is a worse divisor. */
typedef enum Label {
    LABEL_ONE,       /* coefficient +1 or -1: solved by adding and subtracting                 */
    LABEL_CONST,     /* a number other than 0, +1, -1                                          */
    LABEL_PARAM,     /* an expression of parameters: assumed nonzero, but may be zero          */
    LABEL_OTHER,     /* linear, the coefficient varies with time and may vanish                */
    LABEL_NONLINEAR, /* the unknown appears nonlinearly, the equation is not solved for it    */
    LABEL_ZERO       /* the coefficient is zero for the values that parameters have           */
} Label;

/* Of the sum of two coefficients. */
static inline uint8_t label_of_sum(uint8_t a, uint8_t b)
{
    return a == LABEL_ONE && b == LABEL_ONE ? LABEL_CONST : a > b ? a : b;
}

typedef struct Incidence {
    uint32_t n_rows, n_cols, n_edges;
    /* by rows: edges row_begin[e] .. row_begin[e+1]-1, columns ascending */
    uint32_t *row_begin; /* n_rows + 1 */
    uint32_t *col;       /* n_edges */
    uint8_t *label;      /* Label of the edge */
    int8_t *sign;        /* +1 or -1 for LABEL_ONE, else 0 */
    /* by columns: places col_begin[v] .. col_begin[v+1]-1, rows ascending */
    uint32_t *col_begin; /* n_cols + 1 */
    uint32_t *row;       /* n_edges */
    uint32_t *edge;      /* the edge's number in row order, for its label */
    /* Array group of each scalar and its place in it. Each pointer may be NULL (no groups);
     * INC_NONE where a scalar belongs to no array. Group numbers are 0 .. n_groups-1. */
    uint32_t *row_group, *row_index, *col_group, *col_index;
    uint32_t n_row_groups, n_col_groups;
    /* Per edge, in row order: the coefficient modulo 2^61 - 1 at the pool's random point, so that
     * cancellation is detected. NULL if values are unknown. */
    uint64_t *residue;
} Incidence;

typedef struct IncidenceBuilder {
    Arena *mem;
    Arena *scratch; /* freed when the incidence is done */
    uint32_t n_cols;
    VEC(uint32_t) begin;
    VEC(uint32_t) col;
    VEC(uint8_t) label;
    VEC(int8_t) sign;
} IncidenceBuilder;

IncidenceBuilder incidence_begin(Arena *mem, uint32_t n_cols);
/* Opens the next row and returns its number. */
uint32_t incidence_row(IncidenceBuilder *b);
/* Adds an edge to the open row. sign is used for LABEL_ONE only. A second edge to the same column
 * merges: the label farther down the list wins, two LABEL_ONE give LABEL_CONST. */
void incidence_edge(IncidenceBuilder *b, uint32_t col, Label label, int sign);
Incidence incidence_done(IncidenceBuilder *b);

/* Gives each scalar its group; the arrays are kept, not copied, and may be NULL. */
void incidence_set_row_groups(Incidence *g, uint32_t *group, uint32_t *index, uint32_t n_groups);
void incidence_set_col_groups(Incidence *g, uint32_t *group, uint32_t *index, uint32_t n_groups);

/* The edge of row e and column v, or INC_NONE. Logarithmic in the row's length. */
uint32_t incidence_find(const Incidence *g, uint32_t e, uint32_t v);

/* Rows and columns exchanged. */
Incidence incidence_transpose(const Incidence *g, Arena *mem);
/* The part of given rows and columns (each listed once), in the order listed, groups kept. */
Incidence incidence_part(const Incidence *g, const uint32_t *rows, uint32_t n_rows,
                         const uint32_t *cols, uint32_t n_cols, Arena *mem);

bool incidence_check(const Incidence *g);
void incidence_dump(const Incidence *g, FILE *f);

/* Which equation determines which unknown. Rectangular systems are allowed. */
typedef struct Matching {
    uint32_t n_rows, n_cols;
    uint32_t *eq_of;  /* eq_of[v]: the equation that determines v, or INC_NONE */
    uint32_t *var_of; /* var_of[e]: the inverse                                */
    uint32_t size;    /* matched pairs; n means structurally regular           */
} Matching;

/* Strong components in the order of evaluation (block lower triangular form): the equations of
 * block k contain unknowns of blocks 0..k only. Pair p solves eq[p] for var[p]. */
typedef struct Blocks {
    uint32_t n;         /* blocks */
    uint32_t *begin;    /* n + 1: pairs begin[k] .. begin[k+1]-1 form block k */
    uint32_t *eq, *var; /* the pairs */
    uint32_t *block_of; /* of an equation, or INC_NONE when unmatched */
} Blocks;

/* An order of elimination: in step k, equation eq[k] is solved for var[k]. */
typedef struct Order {
    uint32_t n;
    uint32_t *eq, *var;
    uint32_t n_torn; /* the last n_torn pairs are the dense part: residual equations and tearing
                        variables; 0 when the order has no such part */
    uint32_t *stage; /* body structure of each pivot, INC_NONE for those of none; NULL when the
                        order knows no body structures */
    uint64_t ops;    /* as order_estimate estimates, where it came with the search; 0: not known */
    const char *why; /* NULL when good; else why no such order could be made */
} Order;

#endif
