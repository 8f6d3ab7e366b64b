/* simulation.h -- a model translated, compiled and loaded for runs: what `rung simulate` and `rung
 * sweep` share. */
#ifndef RUNG_STUDY_SIMULATION_H
#define RUNG_STUDY_SIMULATION_H

#include "emit/model/build.h"
#include "runtime/run/simulate.h"
#include "study/auditing.h"
#include "study/run_request.h"
#include "translate/compilation.h"

typedef struct Simulation {
    RunRequest request; /* with the model named */
    Arena *mem;
    const char *class_name; /* without modifiers */
    bool may_be_redundant;  /* there is another choice of states */
    Compilation *c;         /* NULL: the request names no model, or it is kept from another run */
    EmitFiles files;        /* the C of it, unless that is kept                                */
    Build build;            /* of the model, once loaded        */
    Build fallback;       /* with its linear blocks solved at run time, once a pivot has vanished */
    Auditing *audit;      /* NULL, or as --audit asks         */
    Cache *cache;         /* NULL: none                       */
    bool has_begun;       /* a row has been looked at */
    double seconds;       /* of translating, or of taking what is kept */
    const char *geometry; /* what can be drawn (emit/picture/geometry.h); "": nothing */
    const char *depends;  /* what the model that is kept was made of: lines of dependency.h */
} Simulation;

/* Nonzero once a signal asked this process to end (simulation_catch_interrupts). */
extern volatile sig_atomic_t simulation_interrupted;
/* From now on a run ends at once, and keeps what it has. */
void simulation_catch_interrupts(void);

/* One line on a terminal, gone when the next comes; "": only that. */
void simulation_phase(const RunRequest *r, const char *text);

/* The model translated, compiled and loaded, or as it is kept from another run
 * (translation_record.h); says on stderr what is wrong. Where the translation fails but there is
 * another choice of states it is silent if that is asked. */
Exit simulation_open(Simulation *s, const RunRequest *r, bool silent_if_redundant, BuildOptions how,
                     Arena *mem);
/* The compilation, made now if the model was kept; NULL where the files are not any more what that
 * was made of. */
Compilation *simulation_compilation(Simulation *s);
/* Whether request.set gives values to parameters that are evaluated when the model is compiled:
 * then out is the request with them as modifiers of the model, said on stderr. */
bool simulation_set_structure(const Simulation *s, Arena *mem, RunRequest *out);
/* Up to the C. False after an error, which is in s->c->diags. */
bool simulation_translate(Simulation *s, const RunRequest *r, Arena *mem);
/* Compiles and loads it. Else says nothing; s->build.error does, unless it was interrupted. */
bool simulation_build(Simulation *s, BuildOptions how, Arena *mem);
/* As the request asks, with what runs of this model need; s must stay where it is. The caller
 * adds where the results go. */
SimulateOptions simulation_options(Simulation *s);
void simulation_free(Simulation *s);

#endif
