/* sparse_jacobian.h -- matrices of derivatives as expressions, in compressed columns, with colours.
 *
 * Column by column, over the nodes that depend on its variable; common subexpressions of columns
 * are shared. Cheap where each row depends on few columns, however many there are; of a chain of
 * bodies in explicit form the matrix is full, so there is a limit, relative to the number of rows,
 * beyond which there is none (the Newton iteration of newton_system.h stays linear).
 */
#ifndef RUNG_ELIMINATE_FORMS_SPARSE_JACOBIAN_H
#define RUNG_ELIMINATE_FORMS_SPARSE_JACOBIAN_H

#include "ir/program.h"

/* Of expressions, besides 50 per row: a Jacobian beyond this takes longer to compile than its
 * differences to evaluate. */
enum { JACOBIAN_NODES = 20000 };

/* d value[row] / d by[column]; entries that are zero are left out. False if it would need more than
 * `limit` new nodes besides those per row, or has no derivative. The result lives as long as the
 * System. */
bool jacobian_columns(System *s, uint32_t n_rows, const ExprId *value, uint32_t n_cols,
                      const VarId *by, uint32_t limit, SparseJacobian *out, Arena *scratch);

/* Its pattern and colours alone, through the unknowns of blocks. False beyond the limit. */
bool jacobian_pattern_of(const Program *g, uint32_t n_rows, const ExprId *value, uint32_t n_cols,
                         const VarId *by, uint32_t limit, SparseJacobian *out, Arena *scratch);

/* Gives the columns of a matrix their colours. Greedy: a column takes the first colour that no
 * column sharing a row with it has (Curtis, Powell, Reid 1974; Coleman, Garbow, More 1984); columns
 * come as they stand, or with most coloured neighbours first where that needs fewer colours. */
void jacobian_colours(SparseJacobian *j, Arena *mem, Arena *scratch);

/* d xdot / d x for g->jacobian, where loops are cut with the balances as more rows; likewise. Where
 * blocks are solved at run time, or there is no derivative, the pattern and its colours alone, the
 * entries being NULL; false if even the pattern is beyond the limit. */
bool jacobian_of_states(Program *g, uint32_t limit, Arena *scratch);

/* Where loops are cut, d (xdot, balance) / d inputs for g->loops; likewise. */
bool jacobian_of_inputs(Program *g, uint32_t limit, Arena *scratch);

#endif
