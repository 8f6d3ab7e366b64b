/* newton_blocks.h -- the linearised equations of a Newton iteration, in parts.
 *
 * With derivatives by parameters (prepare/sensitivity.h) the increments of the model's variables do
 * not depend on those of the derivatives, nor these, by one parameter, on those by another:
 *
 *     A dx            = r         the model
 *     B_1 dx + A ds_1 = r_1       derivatives by the first parameter
 *     B_2 dx + A ds_2 = r_2       by the second
 *
 * Eliminated as one matrix, in an order that mixes them, B fills what is zero here. Block after
 * block, dx is known where ds is looked for, and what eliminates A is shared.
 */
#ifndef RUNG_ELIMINATE_FORMS_NEWTON_BLOCKS_H
#define RUNG_ELIMINATE_FORMS_NEWTON_BLOCKS_H

#include "eliminate/dae.h"
#include "eliminate/forms/newton_system.h"

/* Per variable of the System its part: 0 is the model. */
typedef struct VariableParts {
    uint32_t n; /* variables */
    const uint32_t *of;
} VariableParts;

/* All are 0 without derivatives by parameters. Linear. */
VariableParts newton_parts(const Dae *d, Arena *mem);
uint32_t newton_part_of(const VariableParts *parts, VarId v);
/* That of the unknown which the equation of a row determines in the model. */
uint32_t newton_part_of_row(const NewtonView *v, const Dae *d, const VariableParts *parts,
                            uint32_t row);

/* The rows of the view, part after part, in its order; one block where rows and unknowns of a part
 * are not as many, or hold unknowns of a part behind it. False if the view is not square. */
bool newton_blocks(const NewtonView *v, const Dae *d, const VariableParts *parts, Blocks *out,
                   Arena *mem);

#endif
