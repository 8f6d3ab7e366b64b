/* reason.h -- why an order of elimination is not taken, or cannot be carried out: a value, and the
 * one function that puts it into words.
 *
 *     {.kind = REASON_ZERO_PIVOT, .step = 3, .of = 40, .text = "joint.a"}
 *     "zero pivot at step 3 of 40, for joint.a"
 */
#ifndef RUNG_ELIMINATE_BLOCK_REASON_H
#define RUNG_ELIMINATE_BLOCK_REASON_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ReasonKind {
    REASON_NONE,       /* nothing speaks against it                                         */
    REASON_NO_ORDER,   /* text: the reason of graph/ for finding none */
    REASON_ZERO_PIVOT, /* step, of, text: the unknown's name                                */
    REASON_ZERO,       /* a pivot is zero by structure, or by numbers                       */
    REASON_GROWTH,     /* amount: growth of rounding errors (growth.h), others have less    */
    REASON_VANISHING,  /* n pivots vanish at sample points (sample_points.h); in the best of
                          the other orders `fewest` do                                      */
    REASON_LONG_CODE,  /* amount: operations of straight code, an estimate                  */
    REASON_LIMIT,      /* amount: operations needed, above the limit */
} ReasonKind;

typedef struct Reason {
    ReasonKind kind;
    const char *text;
    uint32_t step, of, n, fewest;
    double amount;
} Reason;

/* An order that failed; kind REASON_NONE if none did. */
typedef struct Failure {
    const char *order; /* its name; NULL if it has none */
    Reason reason;
} Failure;

/* "" for REASON_NONE. In mem, or constant. */
const char *reason_text(const Reason *r, Arena *mem);
/* "ladder: zero pivot at ...", the reason alone where there is no name. */
const char *failure_text(const Failure *f, Arena *mem);

#endif
