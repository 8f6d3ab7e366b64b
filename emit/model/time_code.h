/* time_code.h -- the terms of derivatives that depend on time alone, or on states, and may have
 * narrow pulses, as a list of operations (RungTimeTerms of runtime/kernel/rung_model.h).
 *
 *     der(x) = x + 2*exp(-((time - 5)/w)^2)     the term exp(...): time, 5, w and the operations
 *
 * Sums and products are taken apart. A function without a narrow maximum or minimum is no term:
 * sines of linear functions of time, which error control resolves anyway, and monotonic functions.
 * The same holds for a state, where operands of relations are searched, too. Delayed expressions
 * are searched for both.
 *
 *     der(x) = y*exp(-((x + y)/w)^2) + y^2/(1 + x^2)      the terms exp(...) and y^2/(1 + x^2)
 *
 * Of several states, time, inputs and unknowns of blocks, sharp functions (exp, high powers, ...)
 * are terms, and sums and products of tanh; quotients as far as they are cheap, since mechanisms
 * are full of them and hardly any has a pulse. An unknown of a block costs an evaluation of the
 * derivatives for each sample, which quotients alone are not worth. In all the terms have a share
 * of the operations of the derivatives.
 */
#ifndef RUNG_EMIT_MODEL_TIME_CODE_H
#define RUNG_EMIT_MODEL_TIME_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

typedef struct TimeTerms {
    VEC(uint32_t) op, a, b, c, term;
    VEC(double) number;
} TimeTerms;

/* Allocates the constants of the terms in the coder, so it comes before the coder's last
 * section. */
TimeTerms time_terms_find(const Program *g, Coder *c, const uint8_t *leaf,
                          const uint32_t *leaf_index, bool of_states, Arena *mem);
/* name: "time" or "state". */
void time_terms_table(const TimeTerms *it, const char *name, Tables *t);

#endif
