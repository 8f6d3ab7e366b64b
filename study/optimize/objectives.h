/* objectives.h -- objective functions of a run: y at its end, integral(y), max(y) or min(y), and
 * their derivatives by parameters, for `rung gradient` and `rung optimize`. */
#ifndef RUNG_STUDY_OPTIMIZE_OBJECTIVES_H
#define RUNG_STUDY_OPTIMIZE_OBJECTIVES_H

#include "eliminate/prepare/objective.h"
#include "study/simulation.h"

typedef struct Objective {
    ObjectiveKind kind;
    const char *text;
    const char *variable; /* of the model: of an integral that itself */
    uint32_t row;
    uint32_t *by; /* n_parameters: rows of its derivatives */
    double value, t;
    double *gradient; /* n_parameters                                */
    bool is_sharp;    /* an extremum at an event, or a kink */
    bool is_found;
} Objective;

typedef struct Objectives {
    Arena *mem;
    VEC(Objective) each;
    uint32_t n_parameters;
    const char **parameter;
    const char *model; /* as it was found, with its modifiers */
    double *back;      /* of a model with an adjoint: gradient after gradient; else NULL */
    const char *why;   /* a run has no values: the reason */
    /* along a run */
    bool after_event; /* the last step ended in one */
    bool failed;
} Objectives;

/* Parses the text of --objective. */
Objectives objectives_read(const char *text, Arena *mem);
/* The variables whose derivatives are needed (--of), as patterns. */
const char *objectives_variables(const Objectives *g);
bool objective_is_extremum(const Objective *it);
/* How derivatives are found: along the run, or on the way back (Request.adjoint); by the number of
 * parameters, adjoint from ten on where objectives, model and method have one. */
typedef enum GradientMode { GRADIENT_DIRECT, GRADIENT_ADJOINT, GRADIENT_BY_NUMBER } GradientMode;
/* Sets translation.adjoint, and a method that has one if the request names none. With
 * GRADIENT_BY_NUMBER the request becomes a trial: if its model cannot be opened, and is_trial is
 * set, the caller opens it with GRADIENT_DIRECT. */
void objectives_choose_mode(GradientMode mode, RunRequest *r);
/* Finds their places in a model that was translated with these derivatives. Prints to stderr which
 * have none. */
bool objectives_find(Objectives *g, const RungModel *m);
/* A run. If there are no values, g->why has the reason. */
Exit objectives_run(Objectives *g, const RungModel *m, SimulateOptions so, SimulateSummary *s);

#endif
