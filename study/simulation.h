/* simulation.h -- a model translated, compiled and loaded for runs, for `rung simulate` and `rung
 * sweep`. */
#ifndef RUNG_STUDY_SIMULATION_H
#define RUNG_STUDY_SIMULATION_H

#include "emit/model/build.h"
#include "runtime/run/simulate.h"
#include "study/auditing.h"
#include "study/error_estimate.h"
#include "study/run_request.h"
#include "translate/compilation.h"

typedef struct Simulation {
    RunRequest request; /* with the model named */
    Arena *mem;
    const char *class_name; /* without modifiers */
    bool may_be_redundant;  /* there is another choice of states */
    bool has_preferred;     /* likewise, since states are preferred variables */
    Compilation *c;         /* NULL: the request names no model, or it is kept from another run */
    EmitFiles files;        /* the C of it, unless that is kept                                */
    Build build;            /* of the model, once loaded        */
    Build initial_fallback; /* with its initial system as well, once one has vanished there */
    Build fallback;       /* with its linear blocks solved at run time, once a pivot has vanished */
    Auditing *audit;      /* NULL: none                       */
    ErrorEstimate *error; /* NULL: none                       */
    Cache *cache;         /* NULL: none                       */
    bool has_begun;       /* the first row has been checked */
    Profile profile;      /* of the last run, where the request asks for it */
    double seconds;       /* of translating, or of loading from the cache */
    const char *geometry; /* as JSON (emit/picture/geometry.h); "": none */
    const char *depends;  /* files that the cached model was made of: lines of dependency.h */
} Simulation;

/* Nonzero after a signal to end this process (simulation_catch_interrupts). */
extern volatile sig_atomic_t simulation_interrupted;
/* From now on a signal ends a run early; the rows so far are kept. */
void simulation_catch_interrupts(void);
/* They end the process at once, as before: of a translation nothing is kept. */
void simulation_release_interrupts(void);

/* One line on a terminal, gone when the next comes; "": only that. */
void simulation_phase(const RunRequest *r, const char *text);

/* The model translated, compiled and loaded, or loaded from the cache (translation_record.h).
 * Prints errors to stderr, but not those of a translation that is a trial, nor with
 * silent_if_redundant of one for which there is another choice of states. */
Exit simulation_open(Simulation *s, const RunRequest *r, bool silent_if_redundant, BuildOptions how,
                     Arena *mem);
/* The same; where request.set gives values to parameters that are evaluated when the model is
 * compiled, s is the model with them as modifiers, and s->request says so. */
Exit simulation_open_set(Simulation *s, const RunRequest *r, bool silent_if_redundant, Arena *mem);
/* Whether request.set gives values to parameters that are evaluated when the model is compiled:
 * then out is the request with them as modifiers of the model, with a note on stderr. */
bool simulation_set_structure(const Simulation *s, Arena *mem, RunRequest *out);
/* Up to the C. False after an error, which is in s->c->diags. */
bool simulation_translate(Simulation *s, const RunRequest *r, Arena *mem);
/* Compiles and loads it. Prints nothing: after an error s->build.error has the message, unless it
 * was interrupted. */
bool simulation_build(Simulation *s, BuildOptions how, Arena *mem);
/* The options of the request, completed for this model; s must not move. The caller adds the result
 * files. */
SimulateOptions simulation_options(Simulation *s);
void simulation_free(Simulation *s);
/* At the first row of a run: reports start values of --start that initial equations have changed.
 */
void simulation_look_at_start(Simulation *s, const RungContext *ctx, double t, const double *x,
                              const double *v);

#endif
