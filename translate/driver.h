/* driver.h -- the passes from text to a solved System, as a table.
 *
 * `rung passes`, `-d PASS`, the order of work and its checks all come from the table, so they
 * cannot drift apart. A pass runs when the facts that it needs are valid; a fact that a pass breaks
 * is recomputed, by the pass that gives it, before the next pass that needs it.
 */
#ifndef RUNG_TRANSLATE_DRIVER_H
#define RUNG_TRANSLATE_DRIVER_H

#include "translate/compilation.h"

typedef enum PassEnd {
    PASS_FAILED, /* with an error in c->diags             */
    PASS_DONE,
    PASS_UNCHANGED, /* the equations are as they were before */
} PassEnd;

typedef struct Pass {
    const char *name, *what;
    uint32_t needs, gives;
    uint32_t breaks; /* unless it ends with PASS_UNCHANGED */
    PassEnd (*run)(Compilation *c);
    void (*dump)(Dae *d, FILE *f);
    bool (*check)(const Dae *d); /* of its facts; NULL: it changes the System only */
    bool always;                 /* the check is cheap: not only in builds with RUNG_CHECKS */
} Pass;

uint32_t driver_n_passes(void);
const Pass *driver_pass(uint32_t k);
const Pass *driver_find(const char *name); /* NULL if there is none */

/* Runs the passes that have not run yet up to and including `last` (NULL: all). Afterwards all
 * holds that `last` needed and gave. False after an error. */
bool driver_run(Compilation *c, const Pass *last);
/* Whether the pass of that name has run and its facts are still valid. */
bool driver_reached(const Compilation *c, const char *name);

#endif
