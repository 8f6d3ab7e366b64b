/* symbolic_lu.h -- symbolic factorisation: elimination on the structure alone, which entries appear
 * (fill-in) and an estimate of the operations.
 *
 * The active part of the matrix during Gaussian elimination, rows sorted, with a label per entry.
 * Labels follow arithmetic: a product has the worse label of its factors, a sum of two ones is
 * a constant. Work on constants and parameters is done once, before the simulation, and
 * multiplying by +-1 is free, so neither is counted. Entries that cancel go, where the incidence
 * knows values (Incidence.residue); that some are equal to others is not seen: eliminate/ counts
 * exactly.
 */
#ifndef RUNG_GRAPH_SYMBOLIC_LU_H
#define RUNG_GRAPH_SYMBOLIC_LU_H

#include "graph/incidence.h"

typedef struct SymbolicEntry {
    uint32_t col;
    uint8_t label;
    uint64_t residue; /* its value, if the incidence knows values */
} SymbolicEntry;

typedef struct SymbolicRow {
    SymbolicEntry *at; /* columns ascending */
    uint32_t n, cap;
} SymbolicRow;

typedef struct SymbolicCol {
    uint32_t *at; /* rows, in no particular order */
    uint32_t n, cap;
} SymbolicCol;

typedef struct SymbolicLu {
    Arena *mem;
    uint32_t n_rows, n_cols;
    bool by_value;    /* entries have residues: those that cancel are removed */
    SymbolicRow *row; /* n = 0 once eliminated */
    SymbolicCol *col;
    bool *row_done, *col_done;
    uint64_t n_fill;    /* entries created so far */
    uint64_t ops;       /* operations so far, with those of right-hand side and back substitution */
    uint64_t all;       /* likewise, with those of parameters alone */
    uint64_t inverse;   /* of the current pivot; 0: not computed yet */
    SymbolicRow merged; /* scratch */
} SymbolicLu;

SymbolicLu symbolic_lu_begin(const Incidence *g, Arena *mem);
/* The entry of row e in column v, or NULL. */
const SymbolicEntry *symbolic_lu_find(const SymbolicLu *f, uint32_t e, uint32_t v);
/* Solves e for v and puts it into all other rows. The entry must exist. */
void symbolic_lu_pivot(SymbolicLu *f, uint32_t e, uint32_t v);
/* The operations that symbolic_lu_pivot would add to ops, without pivoting: O(entries touched). */
uint64_t symbolic_lu_estimate(const SymbolicLu *f, uint32_t e, uint32_t v);
/* How many entries symbolic_lu_pivot would create. */
uint64_t symbolic_lu_fill_by(const SymbolicLu *f, uint32_t e, uint32_t v);
bool symbolic_lu_check(const SymbolicLu *f);

#endif
