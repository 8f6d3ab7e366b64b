/* structure.h -- the System as graph/ sees it: numbers, no expressions.
 *
 * Columns are chosen unknowns, rows the System's equations (or some of them). The plain structure
 * only has the occurrences; a block's structure also has their kind (labels), with known values put
 * in.
 */
#ifndef RUNG_ELIMINATE_STRUCTURE_H
#define RUNG_ELIMINATE_STRUCTURE_H

#include "eliminate/block/linear_form.h"
#include "graph/incidence.h"
#include "ir/sample.h"

typedef struct Structure {
    uint32_t n;       /* columns                            */
    VarId *var;       /* per column                         */
    uint32_t *column; /* per variable; INC_NONE if known    */
    Incidence g;      /* rows: all equations, in order; labels LABEL_OTHER */
} Structure;

/* All equations over the variables with is_unknown set. Linear in the size of the System. */
Structure structure_of(const System *s, const bool *is_unknown, Arena *mem);

/* The same with a variable and its derivatives as one column, whose `var` is that of lowest order
 * among the unknowns. */
Structure structure_of_chains(const System *s, const bool *is_unknown, Arena *mem);

/* Of a derivative of an equation, row e of g over the columns of t: labels of the variables of
 * highest order in it, which is linear in these. */
void structure_label(const System *s, Sample *sample, const Structure *t, const bool *is_highest,
                     uint32_t e, Incidence *g, Arena *tmp);

/* Of a block: row r is form[r], its columns are the n variables of `var`. */
Incidence structure_of_block(const System *s, Sample *sample, uint32_t n, const EqId *eq,
                             const VarId *var, const LinearForm *form, Arena *mem);

#endif
