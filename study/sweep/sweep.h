/* sweep.h -- many runs of a model, each with other parameter values: their common data, and a
 * single run. */
#ifndef RUNG_STUDY_SWEEP_SWEEP_H
#define RUNG_STUDY_SWEEP_SWEEP_H

#include "runtime/problem/input.h"
#include "study/simulation.h"
#include "study/sweep/sweep_store.h"

/* A model of the sweep, ready for runs: as it stands, or for some values of structural parameters.
 */
typedef struct Variant {
    Arena *mem;     /* NULL: there is none                                  */
    uint32_t group; /* for which it was made                                */
    bool failed;    /* to be translated or compiled: `error` has the reason */
    char error[600];
    RunRequest request; /* with its own model and choice of states */
    Simulation simulation;
    Texts name;             /* of the signals that are summed up */
    uint32_t *row;          /* where they are                    */
    const InputData *input; /* NULL without request.input */
    uint64_t names;         /* their digest                     */
    bool is_named;          /* the names are in an answer       */
} Variant;

typedef struct Sweep {
    Arena *mem;
    RunRequest request; /* with the model named, and structural values of `set` in it */
    const char *dir;    /* where the results go */
    bool keeps;         /* the trajectories of all runs, not of failed ones alone */
    const char *model;
    Vary vary;
    bool *is_structural; /* of each name of vary: some of its values are modifiers of the model */
    bool any_structural;
    uint32_t *group; /* of each run: those of one have the same structural values */
    uint32_t n_groups;
    uint64_t *key;              /* of each run                                               */
    uint32_t *todo, n_todo;     /* runs, by groups */
    uint32_t width;             /* so many runs are made at once           */
    uint32_t *first, n_pieces;  /* n_pieces + 1: of todo; a piece is run at once */
    Variant base;               /* the model as it stands                            */
    Variant variant, redundant; /* of the current process */
} Sweep;

/* mem, dir, keeps, width and vary must be set. Translates and compiles the model, finds which
 * parameters are structural, checks all names and values. Prints errors to stderr (unless `silent`)
 * and returns the exit status. */
Exit sweep_prepare(Sweep *s, const RunRequest *r, bool silent);
/* A run: its lines for the store; none if it was interrupted. */
void sweep_run(Sweep *s, uint32_t run, Text *answer);
/* n runs with the same structural values, at once as far as that goes (--lanes). */
void sweep_run_lanes(Sweep *s, uint32_t n, const uint32_t *run, Text *answer);
void sweep_free(Sweep *s);

#endif
