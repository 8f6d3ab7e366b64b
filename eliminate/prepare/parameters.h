/* parameters.h -- final parameters are replaced by their bindings.
 *
 * A parameter that cannot be set from outside is put into the equations as the expression over
 * others that it is bound to. So its properties are known by value: that the elements of a rotation
 * by a fixed angle are those of an orthogonal matrix, that an inertia comes from a length.
 * Conditions and calls stay parameters: they guard, or take long. So do numbers that are no
 * elements of arrays of expressions.
 */
#ifndef RUNG_ELIMINATE_PREPARE_PARAMETERS_H
#define RUNG_ELIMINATE_PREPARE_PARAMETERS_H

#include "eliminate/prepare/loop_cut.h"

/* value[v.i], per variable of the System: over parameters that stay; EXPR_NONE for all others. */
ExprId *parameters_values(System *s, Arena *mem);

/* The same of all real parameters that have such a binding, those that can be set and numbers
 * among them: the model as it is written. */
ExprId *parameters_written(System *s, Arena *mem);

/* Puts them into equations and actions, and into the equations removed with the loops. */
void parameters_put_in(System *s, LoopCut *cut, Arena *scratch);

#endif
