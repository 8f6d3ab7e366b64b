/* stream.h -- stream variables of connectors (MLS 3.6 chapter 15).
 *
 * A connection set with N inside and M outside connectors mixes the flows into it:
 *
 *     inStream(h_i) = sum over the others of (flow from it into the set) * (its stream value)
 *                     / sum over the others of (flow from it into the set)
 *
 * where an inside connector j gives max(-m_j, eps) of h_j, and an outside one k max(m_k, eps) of
 * inStream(h_k), seen from the set around. Each outside connector gets the equation that its
 * stream variable is the mixture of the others. With one other connector its value is taken
 * itself; with none inStream(h) = h (§15.2).
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_STREAM_H
#define RUNG_FRONTEND_INSTANTIATE_STREAM_H

#include "frontend/instantiate/instance.h"

/* The mixture of all members of a set but the one at `except`; elements as in connections_set. */
bool stream_mixture(Front *f, const uint32_t *element, uint32_t n, uint32_t except, Span span,
                    ExprId *out);

#endif
