/* SPDX-License-Identifier: BSD-3-Clause
 *
 * method_needs.h -- functions of the model that a method uses besides x' = f(t, x).
 */
#ifndef RUNG_RUNTIME_METHOD_NEEDS_H
#define RUNG_RUNTIME_METHOD_NEEDS_H

enum {
    NEEDS_NEWTON = 1,        /* its steps are solved by the model's own Newton iteration        */
    NEEDS_JACOBIAN = 2,      /* d f / d x in its pattern, where there is no such iteration      */
    NEEDS_LOOP_JACOBIAN = 4, /* the same where loops are cut: the pivots of that may vanish     */
    NEEDS_RESIDUAL = 8,      /* the residual form F(t, y, y') = 0                               */
    NEEDS_SUNDIALS = 16,     /* that library, which programs of rung compile do without         */
};

#endif
