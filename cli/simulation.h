/* simulation.h -- a model translated, compiled and loaded for runs: what `rung simulate` and `rung
 * sweep` share. */
#ifndef RUNG_CLI_SIMULATION_H
#define RUNG_CLI_SIMULATION_H

#include "cli/auditing.h"
#include "cli/compilation.h"
#include "emit/model/build.h"
#include "runtime/simulate.h"

typedef struct Simulation {
    Compilation *c;  /* NULL: the options name no model */
    EmitFiles files; /* the C of it                      */
    Build build;     /* of the model, once loaded        */
    Build fallback;  /* with its linear blocks solved at run time, once a pivot has vanished */
    Auditing *audit; /* NULL, or as --audit asks         */
} Simulation;

/* Nonzero once a signal asked this process to end (simulation_catch_interrupts). */
extern volatile sig_atomic_t simulation_interrupted;
/* From now on a run ends at once, and keeps what it has. */
void simulation_catch_interrupts(void);

SimulateProgress simulation_progress(const Options *o);
/* One line on a terminal, gone when the next comes; "": only that. */
void simulation_phase(const Options *o, const char *text);

/* False, with a message on stderr, if simulation has no such method or Jacobian (EXIT_USAGE). */
bool simulation_usable(const Options *o);
/* Up to the C. False after an error, which is in s->c->diags. */
bool simulation_translate(Simulation *s, const Options *o, Arena *mem);
/* Compiles and loads it. Else says nothing; s->build.error does, unless it was interrupted. */
bool simulation_build(Simulation *s, BuildOptions how, Arena *mem);
/* As the command line asks, with what runs of this model need; s must stay where it is. The caller
 * adds where the results go. */
SimulateOptions simulation_options(Simulation *s);
void simulation_free(Simulation *s);

#endif
