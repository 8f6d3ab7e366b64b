/* linearisation.h -- d (derivatives of the states, outputs) / d (states, inputs, parameters), as
 * expressions.
 *
 * Equations that are solved at run time are further rows, and their unknowns further columns
 * (ir/program.h), so that nothing is solved symbolically: blocks left to the runtime, the
 * multipliers of cut loops. Where the explicit form has too many derivatives, as that of a chain of
 * bodies, all linear loops are such blocks: then there are only as many entries as in the
 * equations, and they need no more than the values of the program itself. Parameters that follow
 * from those chosen are further unknowns, of the equations that give them.
 */
#ifndef RUNG_ELIMINATE_FORMS_LINEARISATION_H
#define RUNG_ELIMINATE_FORMS_LINEARISATION_H

#include "eliminate/dae.h"

/* The variables to differentiate, and those to differentiate by. */
typedef struct LinearisationChoice {
    uint32_t n_outputs, n_inputs;
    const VarId *output, *input;
    uint32_t n_parameters; /* none unless they are asked for */
    const VarId *parameter;
} LinearisationChoice;

/* The top-level outputs and inputs of type Real, in the order of the model's variables. */
LinearisationChoice linearisation_top_level(const Program *g, Arena *mem);

/* For d->solution.program, before forms that have leaves of their own. A matrix of more than
 * `limit` nodes, besides some per row, is written with the loops as blocks; beyond any limit, or
 * where something has no derivative, the pattern alone is given, of states and inputs; none at all
 * if loops are cut then. */
void linearisation_make(Dae *d, const LinearisationChoice *choice, uint32_t limit, Arena *scratch);

#endif
