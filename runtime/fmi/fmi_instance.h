/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmi_instance.h -- an instance of a model behind the functions of FMI, shared by fmi2.c and
 * fmi3.c.
 *
 * All state is in the instance, so there may be several, in several threads. Values have these
 * references, n being the number of the model's variables:
 *
 *     0                          time
 *     1 + k, k < n               row k of the model's variables
 *     1 + n + k                  the derivative of state k
 *     1 + n + n_states + k       event indicator k
 *     fmi_config.first_text + k  String k, behind all of these: a constant; behind the constants
 *                                RungModel.string k, which changes at events
 *
 * Before initialisation values set by the importer are only stored; a value that it gets then is
 * computed by initialising with them. Event indicators are the model's zero-crossing functions,
 * each shifted by more than its noise to the side that the relation in memory has, so that none is
 * zero where an importer continues after an event (FMI 2.0, 3.1), with the sign convention of the
 * standard. Where the model may have pulses, one more is behind them (fmi_pulse.h).
 */
#ifndef RUNG_RUNTIME_FMI_INSTANCE_H
#define RUNG_RUNTIME_FMI_INSTANCE_H

#include "branches.h"
#include "delay.h"
#include "event.h"
#include "fmi_pulse.h"
#include "integrator.h"
#include "jump_watch.h"
#include "margin_search.h"
#include "valid.h"

/* The description of an FMU in its generated part. */
typedef struct FmiConfig {
    const char *token; /* FMI 2: GUID; FMI 3: instantiation token */
    uint32_t n_derivatives;
    const uint32_t *derivative;   /* per state: reference of its derivative */
    uint32_t n_fixed;             /* parameters that can be set before the start alone: */
    const uint32_t *fixed;        /* n_fixed: value reference, ascending                */
    uint32_t n_arrays;            /* FMI 3: values that are arrays           */
    const uint32_t *array;        /* n_arrays: value reference, ascending    */
    const uint32_t *size;         /* n_arrays: its elements are this many references from there */
    uint32_t n_texts, first_text; /* Strings: with which reference they begin */
    const char *const *text;      /* n_texts */
    const char *const *text_name; /* n_texts: of the variable, an element */
    /* Files that the model reads: where they were, their names in the folder resources/ */
    uint32_t n_files;
    const char *const *file, *const *resource; /* n_files */
} FmiConfig;
extern const FmiConfig fmi_config;

/* The values that FMI 2 and FMI 3 give them. */
typedef enum FmiStatus { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL } FmiStatus;

typedef enum FmiMode {
    FMI_INSTANTIATED,
    FMI_INITIALIZATION,
    FMI_EVENT,
    FMI_CONTINUOUS,
    FMI_STEP, /* co-simulation */
    FMI_TERMINATED,
    FMI_FAILED
} FmiMode;

/* Coefficients of an input during a step: its value, and those of derivatives up to the third. */
enum { FMI_ORDERS = 4 };

typedef struct FmiInstance FmiInstance;
typedef void (*FmiLog)(FmiInstance *it, FmiStatus status, const char *category, const char *text);

struct FmiInstance {
    const RungModel *model;
    bool is_cosimulation;
    unsigned logged; /* categories, as bits */
    FmiMode mode;
    bool is_ready; /* initialised with the present settings */
    Run run;       /* run.problem.ctx: the model's own instance */
    Counts counts;
    Events events;
    /* Values that the importer has set before the start: */
    double *p, *u, *x;
    unsigned char *p_set, *x_set;
    double start, tolerance;
    double span; /* of the experiment, by the importer or the model; 0: not known */
    /* Values at run.t, run.x with the present inputs: */
    bool has_xdot, has_values;
    double *xdot, *v, *g;
    double *z;         /* unknowns of blocks, found with v */
    JumpWatch jumps;   /* at events */
    Valid valid;       /* which of v are whole */
    Branches branches; /* of blocks that no step solves, at the ends of the importer's steps */
    uint64_t n_events; /* at the last of these ends */
    Scale scale;       /* of the states */
    FmiPulse pulse;    /* in the importer's step */
    double next_event; /* INFINITY: none is known */
    uint32_t over;     /* which action has ended the run */
    double h;          /* step length with which co-simulation continues; NAN: none yet */
    unsigned char *holds, *warned;
    MarginSearch margins;     /* of assertions, inside steps */
    double *inside;           /* states at the end of a step that is shortened */
    struct Linearise *linear; /* NULL before it is needed */
    bool has_linear;          /* at run.t, run.x, as has_xdot */
    /* Of the importer: */
    FmiLog log;
    void *environment;
    char *name;
    void (*logger)(void);         /* cast to its type by fmi2.c, fmi3.c */
    double *scratch;              /* n_states + n_values */
    unsigned char *is_loop_input; /* per input: it closes a loop */
    unsigned char *is_found;      /* per parameter: by the initial system */
    bool inputs_moved;            /* since the last step */
    bool parameters_moved;        /* dependent values are not updated yet */
    /* Of the next step: polynomials in the time since it begins, FMI_ORDERS numbers per input. */
    double *taylor;
    bool has_taylor;
    double *u_rate;   /* n_inputs: d u / d t at the communication point */
    double last_step; /* between communication points; 0: none yet */
    char text[1200];
    /* FMI 3 co-simulation: called after every internal step; *now: the importer's step ends there.
     */
    void (*stepped)(FmiInstance *it, double t, bool *now);
    void (*intermediate)(void); /* cast likewise */
    bool returns_early, uses_events;
    bool has_terminated; /* terminal() has been true */
    RungFiles files;
};

/* NULL with *wrong. The name is copied; token is the importer's copy of the GUID or instantiation
 * token. */
FmiInstance *fmi_new(bool is_cosimulation, const char *name, const char *token, FmiLog log,
                     const char **wrong);
void fmi_free(FmiInstance *it);
/* Where the importer has unpacked the folder resources/: a path, or a URI of one (RFC 8089). False
 * when out of memory. */
bool fmi_place(FmiInstance *it, const char *folder);
/* As it was after fmi_new, but for the importer's own. */
FmiStatus fmi_reset(FmiInstance *it);

/* Modes in which a function may be called, as bits. */
#define FMI_IN(mode) (1u << (mode))
enum {
    FMI_BEFORE = FMI_IN(FMI_INSTANTIATED) | FMI_IN(FMI_INITIALIZATION),
    FMI_DURING = FMI_IN(FMI_EVENT) | FMI_IN(FMI_CONTINUOUS) | FMI_IN(FMI_STEP),
    FMI_ENDED = FMI_IN(FMI_TERMINATED)
};
static const unsigned FMI_ANY_MODE = ~0u;
/* Whether a function may be called now (FMI 2.0, 3.2.3 and 4.2.4; FMI 3.0, 2.3, 3.2 and 4.2);
 * otherwise reports an error with the text `refusal`. */
bool fmi_is_allowed(FmiInstance *it, unsigned modes, const char *refusal);

/* The categories that messages have. */
#define FMI_CATEGORIES                                                                             \
    {                                                                                              \
        "logAll", "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal",      \
            "logEvents"                                                                            \
    }
/* Messages are wanted: of these n categories, 0: of all. */
FmiStatus fmi_set_logging(FmiInstance *it, bool on, size_t n, const char *const category[]);
/* Whether a message is passed on: failures always are, others as the importer has chosen. */
bool fmi_is_wanted(const FmiInstance *it, FmiStatus status, const char *category);

/* Reports a failure, in the category of the status. */
FmiStatus fmi_fail(FmiInstance *it, FmiStatus status, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* NAN: the tolerance, the stop time of the model's experiment. Before initialisation. */
FmiStatus fmi_set_experiment(FmiInstance *it, double tolerance, double start, double stop);
/* Initialises, unless that has been done with the present settings. */
FmiStatus fmi_initialise(FmiInstance *it);

typedef enum FmiType { FMI_REAL, FMI_INTEGER, FMI_BOOLEAN, FMI_ENUMERATION } FmiType;
/* Several types at once. */
#define FMI_TYPE(t) (1u << (t))

/* The value with reference r, of one of the types. */
FmiStatus fmi_get(FmiInstance *it, unsigned types, uint32_t r, double *value);
FmiStatus fmi_set(FmiInstance *it, unsigned types, uint32_t r, double value);
/* A String, which lasts as long as the FMU is loaded. None can be set but to the value it has for
 * good. */
FmiStatus fmi_get_text(FmiInstance *it, uint32_t r, const char **value);
FmiStatus fmi_set_text(FmiInstance *it, uint32_t r, const char *value);
/* Updates dependent values after parameters were changed behind the start. */
FmiStatus fmi_settle(FmiInstance *it);
/* How many references follow r in its array; 1 for a scalar. */
uint32_t fmi_size(uint32_t r);

FmiStatus fmi_set_time(FmiInstance *it, double t);
FmiStatus fmi_set_states(FmiInstance *it, const double *x, size_t n);
FmiStatus fmi_derivatives(FmiInstance *it, double *xdot, size_t n);
FmiStatus fmi_states(FmiInstance *it, double *x, size_t n);
FmiStatus fmi_nominals(FmiInstance *it, double *nominal, size_t n);
FmiStatus fmi_indicators(FmiInstance *it, double *z, size_t n);

/* The result of an event. */
typedef struct FmiEvent {
    bool states_changed, terminate;
    double next_time; /* INFINITY: none */
} FmiEvent;
FmiStatus fmi_handle_event(FmiInstance *it, FmiEvent *event);
/* The event at which terminal() is true, once (MLS 3.7.4.3): at the importer's end or the model's.
 */
FmiStatus fmi_terminate(FmiInstance *it);
FmiStatus fmi_completed_step(FmiInstance *it, bool *enter_event_mode);

/* Co-simulation: from t by h; *reached is where it came to, *event whether an event is to be
 * handled there by the importer. */
FmiStatus fmi_step(FmiInstance *it, double t, double h, double *reached, bool *event);

/* A derivative by time of a Real input during the next step, of order 1 to FMI_ORDERS - 1. */
FmiStatus fmi_set_input_rate(FmiInstance *it, uint32_t r, int order, double value);
/* d y / d t of Real outputs at the communication point, n of them, all of order 1, by differences
 * along the solution. */
FmiStatus fmi_output_rates(FmiInstance *it, const uint32_t *r, const int *order, size_t n,
                           double *rate);

/* Allocates anew all caches of an instance (factors and their pivots), so that later results do not
 * depend on earlier ones. False when out of memory. */
bool fmi_renew(FmiInstance *it);

/* The complete state of an instance as bytes; to be freed with free(). */
typedef struct FmiState FmiState;
/* *state: NULL, or one that may be overwritten. */
FmiStatus fmi_state_get(FmiInstance *it, FmiState **state);
FmiStatus fmi_state_set(FmiInstance *it, const FmiState *state);
size_t fmi_state_size(const FmiState *state);
FmiStatus fmi_state_write(FmiInstance *it, const FmiState *state, void *bytes, size_t size);
void fmi_state_free(FmiState **state); /* *state becomes NULL */
FmiStatus fmi_state_read(FmiInstance *it, const void *bytes, size_t size, FmiState **state);

/* sensitivity = d unknown / d known * seed; adjoint: with the transpose, seeds of unknowns. */
FmiStatus fmi_sensitivity(FmiInstance *it, bool adjoint, const uint32_t *unknown, size_t n_unknown,
                          const uint32_t *known, size_t n_known, const double *seed,
                          double *sensitivity);

#endif
