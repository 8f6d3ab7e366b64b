/* driver.h -- the passes from text to a solved System, as a table.
 *
 * `rung passes`, `-d PASS`, the order of work and its checks all come from the table, so they
 * cannot drift apart. Only here do the folders of the house meet.
 */
#ifndef RUNG_CLI_DRIVER_H
#define RUNG_CLI_DRIVER_H

#include "cli/options.h"
#include "eliminate/block/solve.h"
#include "eliminate/frames/frames.h"
#include "eliminate/prepare/alias.h"
#include "eliminate/prepare/loop_cut.h"
#include "frontend/front.h"
#include "graph/pantelides.h"
#include "graph/state.h"

struct OrderPolicy;

typedef struct Compilation {
    const Options *options;
    Arena *mem;     /* as long as the compilation */
    Arena *scratch; /* one pass                   */
    Names *names;
    Diags *diags;
    System *sys;
    Library *library;
    Front *front;
    /* facts */
    LoopCut loops;                              /* none unless loops are cut */
    uint32_t n_flat_equations, n_flat_unknowns; /* as the model wrote them */
    Aliases aliases;
    Structure structure;
    Pantelides pantelides;
    States states;
    bool *is_state;
    bool *is_invariant; /* per equation: redundant.h lets it go                           */
    bool *is_redundant; /* per variable: then it is a state                               */
    uint32_t n_redundant;
    Blt blt;
    Frames frames;           /* none unless vectors were moved */
    const char *order;       /* NULL: the cheapest */
    Orders orders;           /* who proposes them; next NULL: ordering.h, of `order` */
    InitialProgram *initial; /* NULL: states start from their start values */
    Solution solution;
    uint32_t facts;  /* what of the above holds, FACT_ bits */
    uint32_t n_done; /* passes */
} Compilation;

typedef struct Pass {
    const char *name, *what;
    uint32_t needs, gives, breaks;
    bool (*run)(Compilation *c);
    void (*dump)(Compilation *c, FILE *f);
} Pass;

uint32_t pipeline_n_passes(void);
const Pass *pipeline_pass(uint32_t k);
const Pass *pipeline_find(const char *name);

/* Lends graph/ to the frontend, which does not know it. */
void pipeline_lend(Compilation *c);

/* A compilation with the libraries and files of the options loaded. Errors are in c->diags. */
Compilation *compilation_new(const Options *o, Arena *mem);
/* As compilation_new, but NULL (said on stderr) if the options name no model. */
Compilation *compilation_open(const Options *o, Arena *mem);
void compilation_free(Compilation *c); /* NULL is fine */
/* Runs the passes that have not run yet up to and including `last` (NULL: all). False after an
 * error. */
bool pipeline_run(Compilation *c, const Pass *last);
/* After all passes: the equations solved once more, in orders of another policy (ordering.h).
 */
bool pipeline_again(Compilation *c, struct OrderPolicy *policy, Program *out);
/* The same, with the linear blocks left to the runtime, which
 * chooses their pivots while it runs. */
bool pipeline_numeric(Compilation *c, Program *out);
/* Whether that differs from what the passes made, in blocks where a divisor can vanish. */
bool pipeline_wants_numeric(const Compilation *c);
/* Whether the pass of that name has run and what it gives still holds. */
bool pipeline_reached(const Compilation *c, const char *name);

/* Prints what was recorded, as the options ask, and says with which status to exit. */
Exit compilation_report(Compilation *c);

#endif
