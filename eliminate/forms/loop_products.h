/* loop_products.h -- derivatives of cut loops by parameters, as products with the model's own
 * Jacobian.
 *
 * With derivatives by parameters the states x, the inputs y of the loops and the constraints come
 * in parts (prepare/sensitivity.h), and each further part is evaluated like the model itself. What
 * it comes to is linear in that part: of g(x, y, p) = (xdot, balance) = g0 + G y, and of the
 * constraints phi,
 *
 *     g'    = g_x s + G y' + g_p,        phi'' likewise, as xdot is put into it,
 *     (G y)' = (G y)_x s + (G y)_p + G y' of an impulse y,
 *
 * where s = dx/dp and y' = dy/dp. In rows of states without constraints, such as an integral of
 * work, G is evaluated at y. The matrices are the same for all parameters: one evaluation, and for
 * each parameter as many products as they have entries. For few parameters the products are cheaper
 * than their matrices: rows along each parameter, g_x s + g_p and so on, are expressions over s.
 */
#ifndef RUNG_ELIMINATE_FORMS_LOOP_PRODUCTS_H
#define RUNG_ELIMINATE_FORMS_LOOP_PRODUCTS_H

#include "eliminate/dae.h"

/* After jacobian_of_inputs: gives g->loops its `tangents`, if there are derivatives by parameters,
 * if the states of all parts correspond, if what constraints hold is linear in forces, and if it
 * takes fewer operations than the parts as they stand. limit: of new expressions, as in
 * sparse_jacobian.h. Linear in the model times the number of parameters. */
void loop_tangents_make(Dae *d, uint32_t limit, Arena *scratch);

#endif
