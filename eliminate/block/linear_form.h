/* linear_form.h -- a residual as a linear form of chosen unknowns.
 *
 * residual = sum coeff[k] * var[k] + rest. Coefficients come from one reverse pass over the
 * expression (each node once), `rest` is the residual with the unknowns at zero; both keep the
 * factors as the model wrote them. A subexpression without unknowns is replaced by its value.
 */
#ifndef RUNG_ELIMINATE_BLOCK_LINEAR_FORM_H
#define RUNG_ELIMINATE_BLOCK_LINEAR_FORM_H

#include "ir/system.h"

typedef struct LinearForm {
    bool is_linear;
    uint32_t n;
    VarId *var;    /* the unknowns that occur, ascending                        */
    ExprId *coeff; /* EXPR_NONE for an unknown that appears nonlinearly         */
    ExprId rest;   /* EXPR_NONE unless is_linear                                */
} LinearForm;

typedef struct SeriesNode {
    uint32_t holds_in;      /* the last round in which it was found to hold some */
    uint32_t free_in;       /* the last round in which it was found to hold none */
    uint32_t met_in, place; /* the last walk that met it, and its place there    */
} SeriesNode;

/* A series of questions about the same unknowns: nodes without them are remembered, so that common
 * subexpressions are visited once. Questions in between may add nodes. */
typedef struct Series {
    const System *s;
    const bool *is_unknown; /* per variable                                        */
    Arena *mem;             /* NULL: nothing is remembered */
    VEC(SeriesNode) node;   /* per node of the pool        */
    uint32_t round, walks;
    bool cancels; /* forms have few of the unknowns that the expressions hold */
} Series;

Series series_new(const System *s, const bool *is_unknown, Arena *mem);
/* After is_unknown was set for more variables, or the pool rolled back. */
void series_restart(Series *q);
/* Whether x holds an unknown. q has a mem; `mem` is scratch. */
bool series_holds(Series *q, ExprId x, Arena *mem);

/* is_unknown: per variable. values: of all other variables that have one. mem also holds the
 * scratch, several times the form. */
LinearForm linear_form(const System *s, const bool *is_unknown, Substitution *values,
                       ExprId residual, Arena *mem);
LinearForm series_form(Series *q, Substitution *values, ExprId residual, Arena *mem);
LinearForm linear_copy(const LinearForm *f, Arena *mem);

/* The value of v by equation e alone; EXPR_NONE unless v is its only unknown, and linear in it. */
ExprId linear_solution(System *s, bool *is_unknown, Substitution *values, EqId e, VarId v,
                       Arena *mem);

/* The unknowns in x, ascending, at most `most` + 1 of them (most + 1 means "more"). */
uint32_t unknowns_of(const System *s, const bool *is_unknown, ExprId x, uint32_t most, Arena *mem,
                     VarId **out);
uint32_t series_unknowns(Series *q, ExprId x, uint32_t most, Arena *mem, VarId **out);

#endif
