/* clock_calculus.h -- when clocks tick that are defined by one another (MLS 16.7.5, sub-clock
 * inferencing), in exact rational numbers.
 *
 * A clock ticks at shift + k factor, k = 0, 1, ..., in units of its base: seconds times an interval
 * from the start of the run, or ticks of a clock whose instants are not known beforehand.
 *
 *     c1 = Clock(1, 10); c2 = subSample(c1, 3); c3 = shiftSample(c2, 1, 2)
 *     c1: factor 1/10, shift 0;  c2: 3/10, 0;  c3: 3/10, 3/20   seconds
 */
#ifndef RUNG_ELIMINATE_PREPARE_CLOCK_CALCULUS_H
#define RUNG_ELIMINATE_PREPARE_CLOCK_CALCULUS_H

#include "ir/system.h"

typedef enum ClockSource {
    CLOCK_OPEN,     /* not determined yet */
    CLOCK_PERIODIC, /* base: `of` seconds, an expression of parameters; 1 for known numbers */
    CLOCK_VARYING,  /* base: ticks of the constructor `of`, whose interval is clocked itself */
    CLOCK_EVENT,    /* base: ticks of the constructor `of`, which has a condition           */
} ClockSource;

typedef enum ClockTie {
    TIE_SAME,
    TIE_SUB,   /* n times as slow as; n = 0: some whole number of times */
    TIE_SUPER, /* n times as fast as; n = 0: likewise                   */
    TIE_SHIFT, /* n / resolution intervals later than                   */
    TIE_BACK,  /* n / resolution intervals earlier than                 */
    TIE_BASE,  /* on one base with                                      */
} ClockTie;

typedef struct ClockCalculus ClockCalculus;

/* scratch is for its own things until clock_calculus_free. */
ClockCalculus *clock_calculus_new(System *s, Arena *scratch);
void clock_calculus_free(ClockCalculus *c);

/* A clock to be found; `name` is for messages. */
uint32_t clock_node(ClockCalculus *c, const char *name, Span span);
/* Ties clock a to clock b: a is the `tie` of b. */
void clock_tie(ClockCalculus *c, uint32_t a, ClockTie tie, uint32_t b, long n, long resolution,
               Span span);
/* Defines clock a. `seconds` is for CLOCK_PERIODIC with a known interval, else NULL. */
void clock_is(ClockCalculus *c, uint32_t a, ClockSource source, ExprId of, mpq_srcptr seconds,
              Span span);

/* Finds all clocks; one that is not determined ticks once a second, with a warning. False after an
 * error: clocks that contradict one another, or tick before their base. */
bool clock_solve(ClockCalculus *c);

/* Ticks at (shift + k factor) / per units of the base. */
typedef struct ClockTicks {
    ClockSource source;
    ExprId of;
    double shift, factor, per; /* whole numbers, exact */
} ClockTicks;

/* After clock_solve. */
ClockTicks clock_ticks(const ClockCalculus *c, uint32_t a);
/* factor, as an exact expression. */
ExprId clock_factor(ClockCalculus *c, uint32_t a);

#endif
