/* base_form.h -- the equations of motion written with base parameters.
 *
 * Motions and joint efforts depend on fewer parameters than forces inside joints do (Gautier and
 * Khalil 1990). Of a pendulum on a cart's beam
 *
 *     f2 = m2*(a1 + ...), f1 = f2 + m1*a1, u = f1       u depends on m1 + m2 alone
 *
 * the same u comes of m1 + m2 in the place of m1 and of 0 in that of m2. So: equations of bodies
 * become sums of parameters times columns (parameter_rows.h), dependent columns are found by
 * their ranks (base_parameters.h), their parameters are set to zero and the others replaced by
 * their groups, which are expressions of parameters, computed once. Forces get other values in this
 * form, derivatives of states and efforts asked for do not: these are taken from it, all else has
 * the values that the equations as they are give. `rung verify` compares the two.
 */
#ifndef RUNG_ELIMINATE_FORMS_BASE_FORM_H
#define RUNG_ELIMINATE_FORMS_BASE_FORM_H

#include "eliminate/block/ordering.h"
#include "eliminate/dae.h"

/* After equations_sort. Solves the equations in base parameters, in the orders of the policy, if
 * that is cheaper than as they are, by counting. Near-cubic in the number of parameters, so models
 * with many stay as they are. Of a torn policy: for the residual form. */
void base_form_find(Dae *d, const OrderPolicy *policy, BaseForm *out, Arena *scratch);

/* Of a program of the equations as they are, in the same orders: derivatives of states, efforts and
 * residuals become those of the base form, if their values are the same at the pool's random point.
 */
void base_form_put_in(const Dae *d, const BaseForm *b, Program *g);

#endif
