/* time_code.h -- what of the derivatives depends on time alone, or on one state alone, and may be
 * narrow, as a list of operations (RungTimeTerms of runtime/kernel/rung_model.h).
 *
 *     der(x) = x + 2*exp(-((time - 5)/w)^2)     the term exp(...), of time, 5, w and what is
 * between
 *
 * Sums and products are taken apart. What cannot have a maximum or minimum that the eye could miss
 * is no term: sines of what is linear in time, for steps show that anyway, and what rises or falls
 * all the time. Likewise of a state, and there also of what relations compare.
 */
#ifndef RUNG_EMIT_MODEL_TIME_CODE_H
#define RUNG_EMIT_MODEL_TIME_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

typedef struct TimeTerms {
    VEC(uint32_t) op, a, b, c, term;
    VEC(double) number;
} TimeTerms;

/* Constants that terms hold are asked for of the coder: before its last section. */
TimeTerms time_terms_find(const Program *g, Coder *c, const uint8_t *leaf,
                          const uint32_t *leaf_index, bool of_states, Arena *mem);
/* name: "time" or "state". */
void time_terms_table(const TimeTerms *it, const char *name, Tables *t);

#endif
