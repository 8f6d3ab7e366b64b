/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_model.h -- a generated model: tables and functions behind one versioned struct.
 *
 * The generated C defines `const RungModel *rung_model(void)`. All tables are constant once that
 * has returned; all state lives in a RungContext that the caller owns, so any number of instances
 * can run at once. Generated functions allocate nothing, do no I/O, and return
 *
 *     0         fine
 *     positive  not computable here (a pivot vanished, a block did not converge): try a
 *               smaller step; ctx->failed_* say where
 *     negative  stop
 *
 * Life of an instance: fill a context with zeroed arrays of the sizes in the model, put the
 * defaults of the parameters into p and the starts of inputs and block unknowns into u and z,
 * overwrite the user's settings (p[k] and is_set[k] = 1), call update, then start, then solve the
 * initial system if there is one, then xdot and outputs as often as wanted. Values of variables are
 * read through rung_value. The functions context_new, context_set of context.h do this on a machine
 * with a heap.
 *
 *     const RungModel *m = rung_model();
 *     RungContext *ctx = context_new(m);                 // arrays, defaults, starts
 *     int bad = context_update(ctx) || m->start(ctx, 0, x) || m->xdot(ctx, 0, x, xdot);
 *
 * Usable from C and C++. Optional parts are NULL (functions, structs) or 0 (sizes) when absent.
 */
#ifndef RUNG_MODEL_H
#define RUNG_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a field changes meaning or place; fields are only ever added at the end. */
#define RUNG_MODEL_VERSION 21u
#define RUNG_NONE UINT32_MAX

typedef struct RungModel RungModel;
typedef struct RungContext RungContext;

/* Files that a model reads, if they were moved with it, as into an FMU. */
typedef struct RungFiles {
    uint32_t n;
    const char *const *path; /* n: their paths at compile time */
    char **now;              /* n: their present paths; NULL: unchanged */
} RungFiles;

struct RungContext {
    const RungModel *model;
    double *p;             /* n_parameters: all parameters, dependent ones too                */
    unsigned char *is_set; /* n_parameters: 1 keeps p[k], 0 lets update compute a dependent one */
    double *c;             /* n_constants: expressions of parameters alone, computed by update */
    /* n_inputs: top-level inputs, set by the caller; behind them the n_memory numbers of the event
     * table (RungMemory) */
    double *u;
    double *z; /* n_unknowns: unknowns of all nonlinear blocks; last solution     */
    double *w; /* n_work: scratch of the generated code, nothing outlives a call  */
    /* Solves block k for its unknowns, from z as first guess; z holds the solution after. */
    int (*solve)(RungContext *ctx, uint32_t block, double t, const double *x);
    uint32_t failed_pivot; /* set with a return value above 0; the caller resets to RUNG_NONE */
    uint32_t failed_block; /* likewise, by solve                                              */
    void *user;            /* data of `solve` */
    /* A pivot smaller than this share of the terms it is made of counts as vanished; 0 at first. */
    double least;
    uint32_t failed_unknown; /* row of the variable that block failed_block does not determine */
    /* Message of an assertion in a function that failed, with a return value above 0; the caller
     * resets it to NULL. */
    const char *failed_message;
    const char *failed_where;    /* file:line:column */
    const char *failed_of;       /* the external object that the function is called with, or NULL */
    uint32_t depth;              /* of recursive functions at work; 0 between calls */
    struct RungObject *object;   /* n_objects: external objects (external.h), zeroed */
#if !defined(RUNG_NO_TEXTS)      /* only where no function of the model has texts */
    struct RungTextStore *texts; /* Strings, by their numbers (rung_text.h); NULL at first */
    char text[400];              /* message composed by RungModel.message */
#endif
    /* 0 between events: contradicting linear equations are a failure. During the iteration of
     * relations at an event 1 + the number of contradictions so far, which are no failure then. */
    uint32_t contradictions;
    /* 0: a nonlinear block without a solution is a failure. During the search for relations with
     * which there is one, 1 + the number of blocks without a solution so far, whose unknowns are
     * unchanged. */
    uint32_t unsolved;
    /* Receives the assertions of level warning in functions; may be NULL. */
    void (*warn)(RungContext *ctx, const char *message, const char *where);
    /* Receives the messages and warnings of external functions, without the last newline; NULL:
     * they go to stderr. */
    void (*message)(RungContext *ctx, const char *text, int is_warning);
    void *warn_to; /* data of `warn` and `message` */
    /* With keep = 0 looks up the results of an earlier call of function `key` with these inputs,
     * nonzero if there are some; with keep = 1 stores them. NULL: no calls are stored. In the event
     * iteration equations are evaluated several times, and an external function may count its
     * calls. */
    int (*recall)(RungContext *ctx, int keep, uint32_t n_in, const double *in, uint32_t n_out,
                  double *out, uint32_t key);
    void *recall_from;      /* data of `recall` */
    const RungFiles *files; /* NULL: no file was moved */
};

typedef enum RungType {
    RUNG_REAL,
    RUNG_INTEGER,
    RUNG_BOOLEAN,    /* 0 and 1               */
    RUNG_ENUMERATION /* 1, 2, ...          */
} RungType;

typedef enum RungKind {
    RUNG_CONSTANT,
    RUNG_PARAMETER,
    RUNG_INPUT,
    RUNG_DISCRETE,
    RUNG_STATE,
    RUNG_ALGEBRAIC
} RungKind;

/* Where a variable's value is: aliases are rows that name the same place. */
typedef enum RungPlace {
    RUNG_IN_VALUES,     /* v[index] of outputs */
    RUNG_IN_STATES,     /* x[index]            */
    RUNG_IN_PARAMETERS, /* p[index]            */
    RUNG_IN_CONSTANTS,  /* c[index]            */
    RUNG_IN_INPUTS,     /* u[index]            */
    RUNG_IN_UNKNOWNS,   /* z[index]            */
    RUNG_IN_NUMBERS,    /* number[index] of the model */
    RUNG_IS_TIME
} RungPlace;

/* The attributes min and max of a variable (MLS 4.9.1); infinite where the model gives none. */
typedef struct RungBounds {
    double min, max;
    uint32_t min_in, max_in; /* c[min_in] instead, or RUNG_NONE */
} RungBounds;

/* An error of a state of number / c[constant] (number * c[constant] if is_divisor, number if there
 * is no constant) moves a variable of the model by its nominal value, or the angle in a sine by
 * half a turn. */
typedef struct RungStateScale {
    uint32_t state;
    uint32_t constant; /* RUNG_NONE: none */
    uint32_t is_divisor;
    uint32_t is_turn; /* of an angle */
    double number;
} RungStateScale;

/* A term of a variable that is a sum of states, time and constants: `number`, times c[constant] or
 * divided by it, times the state or the time. */
typedef struct RungSumTerm {
    uint32_t state;    /* RUNG_NONE: none        */
    uint32_t constant; /* RUNG_NONE: 1           */
    uint32_t is_time, is_divisor;
    uint32_t begins; /* the first term of a sum */
    double number, nominal;
} RungSumTerm;

/* Attributes, shared by many variables. "" where the model gives none. */
typedef struct RungAttributes {
    const char *unit;
    const char *display_unit;
    const char *description;
    uint8_t kind;             /* RungKind           */
    uint8_t type;             /* RungType           */
    uint8_t is_output;        /* top-level output   */
    uint8_t is_protected;     /* declared protected */
    uint8_t hides_result;     /* in results only where it is named */
    const RungBounds *bounds; /* NULL: none */
    uint32_t n_literals;      /* of an enumeration */
    /* of an enumeration: the name of its type and its literals, in lines; else NULL */
    const char *literals;
} RungAttributes;

/* A variable that is no state, whose derivative the model uses, and that may jump at events. */
typedef struct RungDifferentiated {
    uint32_t variable; /* its row                             */
    double nominal;    /* 0 where the model gives none        */
} RungDifferentiated;

/* A variable of type String. It is none of the n_variables, whose values are
 * numbers; its value is the number of a text (rung_text.h). */
typedef struct RungStringVariable {
    const char *name, *description;
    uint32_t place, index; /* as of RungVariable */
    uint8_t is_output, is_protected, hides_result;
} RungStringVariable;

/* A row of the table of variables, unpacked by rung_variable. */
typedef struct RungVariable {
    const char *name; /* as in the model: arm.joint[2].phi */
    const RungAttributes *attributes;
    uint32_t index;   /* in the array that place names         */
    RungPlace place;  /*                                       */
    uint32_t negated; /* 1: the value is minus the number stored there */
} RungVariable;

typedef enum RungSettable {
    RUNG_NOT_SETTABLE, /* final or structural, fixed at compile time */
    RUNG_SETTABLE,
    RUNG_SETTABLE_RATE /* a factor of derivatives: other variables may be states where it is zero */
} RungSettable;

typedef struct RungParameter {
    uint32_t variable;     /* its row among the variables, for name and unit            */
    uint32_t is_dependent; /* computed by update from others unless is_set              */
    uint32_t is_settable;  /* a RungSettable                                            */
    double default_value;  /* of an independent one                                     */
} RungParameter;

typedef struct RungInput {
    uint32_t variable;
    double start;
} RungInput;

/* A matrix in compressed columns with its pattern fixed at compile time. Columns of one colour
 * share no row, so one directional difference fills them all. */
typedef struct RungPattern {
    uint32_t n_rows, n_cols;
    const uint32_t *col_start; /* n_cols + 1                      */
    const uint32_t *row;       /* col_start[n_cols], ascending    */
    const uint32_t *colour;    /* n_cols, or NULL                 */
    uint32_t n_colours;
} RungPattern;

/* residual(z) = 0 for the unknowns z[first .. first + n) of the context. */
typedef struct RungBlock {
    uint32_t n, first;
    const uint32_t *variable;    /* n: row of each unknown                                */
    const double *start;         /* n: first guess at the beginning                       */
    const double *nominal;       /* n: nominal value: the unit in which errors are measured */
    const char *const *equation; /* n: where each residual was written, for messages      */
    int (*residual)(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                    double *r);
    RungPattern pattern; /* of d residual / d z                                   */
    int (*jacobian)(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                    double *entry);
    uint32_t is_linear; /* entries do not depend on z: one step from any z is the solution */
    uint32_t copy;      /* index among blocks with the same functions, passed to them */
    /* n: the column of the Jacobian that a sparse LU takes k-th, so that its factors fill little;
     * NULL where dense LU is faster */
    const uint32_t *column_order;
    uint32_t has_kinks; /* choices by its own unknowns without an event, as by noEvent, abs, min */
} RungBlock;

/* A divisor that elimination chose and that may vanish at run time. */
typedef struct RungPivot {
    const char *variable; /* solved for                              */
    const char *equation; /* source: file:line:column */
    const char *instance; /* whose equation; "" for the model itself */
    uint32_t is_alone;    /* of one equation by itself: no other pivot could be taken */
} RungPivot;

typedef struct RungAssertion {
    const char *message;
    const char *where; /* file:line:column                                              */
    uint32_t is_warning;
    /* c[constant] is the condition, of parameters alone; else RUNG_NONE, and the condition is
     * holds[k] of function `assertions` */
    uint32_t constant;
} RungAssertion;

typedef struct RungExperiment {
    double start, stop, tolerance, interval;
    /* 1 where the model gives the number (MLS 18.4) */
    uint8_t has_start, has_stop, has_tolerance, has_interval;
} RungExperiment;

/* Optional. d f / d x of x' = f(t, x): entries in the order of the pattern. Where loops are cut,
 * with the present multipliers in u, and with the balances as n_free more rows. */
typedef struct RungJacobian {
    RungPattern pattern;
    /* NULL: only the pattern is known, differences of the columns of one colour give the entries */
    int (*entries)(RungContext *ctx, double t, const double *x, double *entry);
} RungJacobian;

/* Optional. Constraints that redundant states keep, as residuals: zero but for the errors of
 * integration, which decay at a rate that is a parameter (Baumgarte 1972). Columns of the matrix
 * are states. */
typedef struct RungInvariants {
    uint32_t rate;                /* its place in p, 1/s                  */
    RungPattern by_state_pattern; /* no rows: the residuals are not known */
    int (*residual)(RungContext *ctx, double t, const double *x, double *residual);
    int (*by_state)(RungContext *ctx, double t, const double *x, double *entry);
} RungInvariants;

/* Optional. The residual form: r(t, x, a) with the tearing variables a (accelerations, or other
 * unknowns chosen by tearing) as inputs, no elimination of the handles; r = 0 where a is the
 * explicit form's. Derivatives of states that are not among them follow as rates. Rows of the
 * matrices are the residuals, then the rates. */
typedef struct RungResidual {
    uint32_t n, n_rates;
    const uint32_t *variable; /* n: row of each tearing variable, or RUNG_NONE      */
    const uint32_t *state;    /* n: the state whose derivative it is, or RUNG_NONE */
    const uint32_t *rate_of;  /* n_rates: the state                                */
    int (*residual)(RungContext *ctx, double t, const double *x, const double *a, double *r);
    int (*rates)(RungContext *ctx, double t, const double *x, const double *a, double *rate);
    RungPattern by_torn_pattern, by_state_pattern;
    /* d rows / d a, d rows / d x; NULL where they would take too many expressions */
    int (*by_torn)(RungContext *ctx, double t, const double *x, const double *a, double *entry);
    int (*by_state)(RungContext *ctx, double t, const double *x, const double *a, double *entry);
    uint64_t operations; /* of `residual`: additions, multiplications, divisions, functions */
} RungResidual;

/* Optional. Kinematic loops cut open: the model is a tree, and its inputs u[multiplier[k]] are the
 * constraint forces: the flow variables of the cut joints on their sides b. phi(t, x) = 0 closes
 * the loops; where it holds, a multiplier does the work of its constraint: the mass matrix times d
 * xdot / d multiplier is the transpose of phi_v. Accelerations of coordinates without mass are
 * inputs too, u[free[k]], each with a balance of forces, linear in the multipliers, that has to be
 * zero. Columns of the matrices are states. */
typedef struct RungLoops {
    uint32_t n_loops, n_constraints, n_free, n_velocities;
    const char *const *loop_name; /* n_loops: the connection that was cut              */
    const char *const *where;     /* n_loops: file:line:column of it                   */
    const uint32_t *first;        /* n_loops + 1: constraints of each loop             */
    const uint32_t *multiplier;   /* n_constraints: its place in u                     */
    const uint8_t *held;          /* n_states: 1 if fixed, or given by an initial equation */
    const uint32_t *free;         /* n_free: its place in u                            */
    const uint8_t *moved;         /* n_states: 1 if multipliers change its derivative  */
    int (*phi)(RungContext *ctx, double t, const double *x, double *phi);
    int (*phi_dot)(RungContext *ctx, double t, const double *x, double *phi_dot);
    int (*phi_t)(RungContext *ctx, double t, const double *x, double *phi_t);
    /* phi'' with zero in place of the derivatives that forces change (`moved`) */
    int (*phi_rest)(RungContext *ctx, double t, const double *x, double *rest);
    int (*balance)(RungContext *ctx, double t, const double *x, double *balance);
    RungPattern phi_x_pattern, phi_v_pattern;
    /* d phi / d x */
    int (*phi_x)(RungContext *ctx, double t, const double *x, double *entry);
    /* d phi_dot / d x for the states that forces move */
    int (*phi_v)(RungContext *ctx, double t, const double *x, double *entry);
    /* Optional. d (xdot, balance) / d (multipliers, free), of n_states + n_free rows, the inputs of
     * the model's own part */
    RungPattern by_input_pattern;
    int (*by_input)(RungContext *ctx, double t, const double *x, double *entry);
    const char *const *joint;  /* n_loops: the joint beside the cut; "" where an equation of the
                                  model is the constraint, whose place is the loop's name */
    const char *const *joints; /* n_loops: all of the loop, with commas between them       */
    const char *const *given; /* n_loops: likewise the given motions that it follows; "" for none */
    /* Optional. Residuals of those initial equations and fixed start values that do not fix one
     * state alone: zero at the start of a run, with the loops closed. */
    uint32_t n_conditions;
    int (*conditions)(RungContext *ctx, double t, const double *x, double *out);
    const char *const *condition_where;  /* n_conditions: file:line:column                      */
    const char *const *condition_origin; /* likewise: the instance, or the variable that starts */
    const uint32_t *condition_by_forces; /* likewise: 1 where it depends on multipliers         */
    /* Parameters with fixed = false that these conditions determine: place in p, row of variables.
     */
    uint32_t n_late;
    const uint32_t *late, *late_row;
    /* Constraints, multipliers and free accelerations come part after part, all of the same size:
     * those of the model, then their derivatives along each direction (RungSensitivity), times
     * part_size, multipliers by it. `first` counts those of the model. */
    uint32_t n_parts;
    const double *part_size;                 /* n_parts */
    const struct RungLoopTangents *tangents; /* optional */
} RungLoops;

/* Optional. The model's own part of loops that have more than one, and what the derivatives by the
 * n_by parameters in the other parts are made of. States are the first of all parts, inputs those
 * of the model's own. Rows of the rates: derivatives of the states, balances, second derivatives of
 * the constraints, first ones; of the push: those of G y, with the inputs y and G at y = 0. Columns
 * are states; behind them those of the rates are inputs, with G at y in the rows of states of which
 * constraints know nothing. Behind the entries of a matrix are those of the derivatives by
 * parameters, states and inputs held: number k is in that row by that parameter.
 *
 * Or, along_rate not NULL: rows of `width` numbers, one of each parameter, the states x of its part
 * moving along and inputs not: of the push, of the first derivatives of the constraints, of the
 * other rates. Then the rates have no entries in columns of states and none by parameters, the push
 * has none at all. */
typedef struct RungLoopTangents {
    RungLoops loops; /* one part */
    uint32_t n_states, n_by;
    uint32_t width; /* n_by or more: even, and from three on a multiple of four */
    int (*xdot)(RungContext *ctx, double t, const double *x, double *xdot);
    RungPattern rate_pattern, push_pattern;
    int (*rate_entries)(RungContext *ctx, double t, const double *x, double *entry);
    int (*push_entries)(RungContext *ctx, double t, const double *x, double *entry);
    uint32_t n_rate_by, n_push_by;
    const uint32_t *rate_by_row, *rate_by_which, *push_by_row, *push_by_which;
    int (*along_push)(RungContext *ctx, double t, const double *x, double *row);
    int (*along_dot)(RungContext *ctx, double t, const double *x, double *row);
    int (*along_rate)(RungContext *ctx, double t, const double *x, double *row);
} RungLoopTangents;

/* A value that the initial system determines: row of its model's variables, and where it goes. */
typedef struct RungInitialValue {
    uint32_t place; /* RUNG_IN_STATES, _PARAMETERS, _UNKNOWNS or (memory) _INPUTS of the model */
    uint32_t index;
    uint32_t row;
} RungInitialValue;

/* Optional. The initial equations (MLS 8.6), as a model without states that has the same parameters
 * and inputs. Its outputs at the start time are the initial values; the parameters among them are
 * stored in p, then update is called once more. Its memory holds relations in loops of equations: 0
 * or 1, or negative for a relation evaluated in place; and RUNG_HOMOTOPY, at most one.
 * context_initialise of initial.h solves it. */
typedef struct RungInitial {
    const RungModel *model;
    uint32_t n;
    const RungInitialValue *value;
} RungInitial;

/* Memory, u[n_inputs + k] (MLS 3.6, appendix B): constant between events, except RUNG_DELAY. */
typedef enum RungMemoryKind {
    RUNG_RELATION,   /* whether g is negative (not positive unless strict) */
    RUNG_PRE,        /* the value of a discrete variable                   */
    RUNG_INITIAL,    /* 1 while initialising                               */
    RUNG_TERMINAL,   /* 1 at the end of a run that went well               */
    RUNG_SAMPLE,     /* 1 during its events                                */
    RUNG_DELAY,      /* the value of an expression `start` seconds before */
    RUNG_FLOOR,      /* floor(x); the two behind it are relations, with g = x - floor and
                        g = floor + 1 - x */
    RUNG_CLOCK,      /* 1 during the events of a clock                     */
    RUNG_LEFT_LIMIT, /* the value of an expression when the event began */
    RUNG_HOMOTOPY,   /* of an initial system: weight of the simplified expression, 1 .. 0 */
    RUNG_SHIFT       /* during an event, its time by a parameter; else 0 (RungSensitivity) */
} RungMemoryKind;

/* Properties of the fluid particle at y = 0 or y = 1 of spatialDistribution (MLS 3.7.4.2), whose
 * position x is the expression of a delay of 0: how long ago it entered on the left, on the right;
 * its place at the start, 0 .. 1; its origin: 0 inside since the start, 1 left, 2 right. */
typedef enum RungParticle {
    RUNG_PARTICLE_LEFT_AGE,
    RUNG_PARTICLE_RIGHT_AGE,
    RUNG_PARTICLE_PLACE,
    RUNG_PARTICLE_ORIGIN,
    RUNG_PARTICLE_KINDS
} RungParticle;

typedef struct RungMemory {
    uint32_t kind;        /* RungMemoryKind                                                  */
    uint32_t is_strict;   /* RUNG_RELATION: g < 0, else g <= 0                               */
    uint32_t is_exact;    /* RUNG_RELATION: of time alone                                    */
    double start;         /* RUNG_PRE: at first; RUNG_SAMPLE: the first event                */
    uint32_t start_in;    /* c[start_in] instead, or RUNG_NONE                               */
    double interval;      /* RUNG_SAMPLE: between events; RUNG_CLOCK                         */
    uint32_t interval_in; /* likewise                                                        */
    /* RUNG_CLOCK: events at (shift + k factor) / per intervals after the start of the run; whole
     * numbers, so that clocks whose times are equal tick at the same double */
    double shift, factor, per;
    const char *text;    /* for messages: a relation as it was written, v of pre(v); or ""  */
    const char *where;   /* file:line:column, or ""                                         */
    uint32_t is_driving; /* xdot depends on it                                            */
    /* RUNG_DELAY: 1 + the memory, a delay of 0, that holds how long it is, which varies up to
     * `start`; 0: it is as long as `start` */
    uint32_t lag_in;
    uint32_t particle;  /* RUNG_DELAY: 1 + RungParticle, at y = 1 + RUNG_PARTICLE_KINDS; 0: none */
    uint32_t is_string; /* the number of a text (rung_text.h) */
} RungMemory;

typedef enum RungActionKind { RUNG_REINIT, RUNG_TERMINATE } RungActionKind;

typedef struct RungAction {
    uint32_t kind;  /* RungActionKind                   */
    uint32_t state; /* RUNG_REINIT: x[state] is set     */
    const char *message;
    const char *where; /* file:line:column              */
} RungAction;

/* The arguments besides memory on which a part depends. */
typedef enum RungPartNature {
    RUNG_PART_MOVES = 1,  /* time, states, inputs, delays                            */
    RUNG_PART_ALWAYS = 2, /* it calls functions: it is evaluated whenever others are */
    RUNG_PART_CURVED = 4  /* of relations: one is not a linear function of time alone */
} RungPartNature;

/* The values of a function in parts, each of which can be evaluated by itself. The values of a part
 * are unchanged as long as the memory that it reads, read[first_read[p] .. first_read[p + 1]), and
 * the arguments named by its nature are. Branches that are taken at events only may depend on more,
 * but then memory in that list changes too. */
typedef struct RungEventParts {
    uint32_t n;
    int (*const *evaluate)(RungContext *ctx, double t, const double *x, double *out); /* n */
    const uint32_t *first_out, *out;   /* n + 1; places in out */
    const uint32_t *first_read, *read; /* n + 1; memory        */
    const uint32_t *nature;            /* n: bits of RungPartNature */
    /* Of relations alone: part k reads states state[first_state[k] .. first_state[k + 1]). */
    const uint32_t *first_state, *state;
} RungEventParts;

/* Operations of RungGuards. Logical ones give 0 or 1. */
typedef enum RungGuardOp {
    RUNG_GUARD_MEMORY, /* memory a, constant between events */
    RUNG_GUARD_NUMBER, /* number[a]                         */
    RUNG_GUARD_LT,     /* of operations a and b, from here on */
    RUNG_GUARD_LE,
    RUNG_GUARD_EQ,
    RUNG_GUARD_NE,
    RUNG_GUARD_AND,
    RUNG_GUARD_OR,
    RUNG_GUARD_NOT
} RungGuardOp;

/* Where the guard of a relation is 0 nothing reads the relation, whatever the others are that have
 * such guards: its changes are no events. */
typedef struct RungGuards {
    uint32_t n;
    const uint32_t *op, *a, *b; /* n; operands come first */
    const double *number;
    const uint32_t *of; /* per relation: the operation that is its guard; operation 1 is the number
                           1 */
} RungGuards;

/* Optional. Memory is constant between events. At an event `event` is called until memory no longer
 * changes: out[k] is the new value of memory k (only RUNG_PRE and RUNG_LEFT_LIMIT are set;
 * relations come from `events`), out[n_memory + 2 a] is nonzero if action a is due and out[n_memory
 * + 2 a + 1] is the value of RUNG_REINIT. */
typedef struct RungEvents {
    uint32_t n_memory, n_actions;
    const RungMemory *memory;
    const RungAction *action;
    int (*event)(RungContext *ctx, double t, const double *x, double *out);
    const RungEventParts *relations, *values; /* optional: `events` and `event` in parts */
    const RungGuards *guards;                 /* optional */
} RungEvents;

/* Optional. One iteration of Newton's method for an implicit step, which looks for states with
 *
 *     x = base + gamma * xdot(t, x)
 *
 * as straight-line code, eliminated when the model was compiled, with operations linear in the
 * number of bodies. It reads from u, beginning at u[first], n numbers:
 *
 *     gamma; weight; balance_weight; base, n_states; where loops are cut: penalty, n_constraints;
 *     s, n_constraints
 *
 * and finds the increments delta: of the states, n_states; of the accelerations of coordinates
 * without mass, n_free; of the multipliers, n_constraints. The defect base + gamma * xdot - x is
 * multiplied by weight, the residuals of the balances of these coordinates by balance_weight: both
 * 1 in an iteration; with 0 the increments are those due to s alone. Multipliers follow their
 * constraints: d multiplier + penalty * d phi = s. */
/* Where states are derivatives by parameters (RungSensitivity), these are of the model's own
 * states, multipliers and free accelerations alone, and their numbers. */
enum { RUNG_NEWTON_GAMMA, RUNG_NEWTON_WEIGHT, RUNG_NEWTON_BALANCE_WEIGHT, RUNG_NEWTON_BASE };
/* Right-hand sides that are solved for at once. */
#define RUNG_SIDES 8u
/* Optional, where there are derivatives by parameters: the matrix of an iteration, for any
 * right-hand side. `factor`, with gamma, base, penalties and inputs of loops where they are for
 * `step`, finds n_kept numbers, which belong at u[first + n_rows + n_states], and behind these
 * n_entries of right-hand sides. A right-hand side consists of s, the residuals of n_rows equations
 * and the residuals of n_states integration formulas; u[first] has the latter two. Entry k belongs
 * to the row place[k], counted behind s; from n_rows + n_states on the rows are those of s, and the
 * entry is multiplied by the penalty. by[k] = 0: the right-hand side of the iteration itself, which
 * has these entries alone; they come first, and only models without cut loops have them. by[k] > 0:
 * the derivatives by parameter by[k] - 1; the base of each formula is added to its row.
 * Then `solve_sides` finds the increments, as `step` does, for n sides, RUNG_SIDES at most. Number
 * k of side j is right[k * RUNG_SIDES + j]; likewise the increments. work: of RUNG_SIDES * n_work
 * numbers. All three are aligned to RUNG_SIDES numbers. */
typedef struct RungNewtonSolve {
    uint32_t n_states, n_rows, n_kept, first, n_entries;
    const uint32_t *by, *place;
    int (*factor)(RungContext *ctx, double t, const double *x, double *kept);
    int (*solve_sides)(RungContext *ctx, double t, const double *x, uint32_t n, const double *right,
                       double *work, double *delta);
} RungNewtonSolve;

typedef struct RungNewton {
    uint32_t first, n;
    uint64_t operations; /* of `step`: additions, multiplications, divisions, functions */
    int (*step)(RungContext *ctx, double t, const double *x, double *delta); /* may be NULL */

    /* May be absent (NULL, 0), all of it: the linear equations matrix * z = right that `step` has
     * eliminated, for a solver with pivoting. One array holds the entries of the matrix in the
     * pattern and behind them the n_rows right-hand sides. Entries that depend on parameters alone
     * are written into it by `parameter_entries`, once and after each update; `matrix` finds the
     * other n_matrix numbers, of which found[k] belongs at place[k]. */
    RungPattern pattern;
    int (*matrix)(RungContext *ctx, double t, const double *x, double *found);
    /* n_states: where in z the increment of the state's derivative is, of which gamma times is the
     * increment of the state; RUNG_NONE: the state's own equation is not among these */
    const uint32_t *rate;
    /* Like `matrix`, without right-hand sides: found[k], of n_entries, belongs at entry_place[k].
     */
    int (*entries)(RungContext *ctx, double t, const double *x, double *found);
    uint64_t entry_operations;
    int (*parameter_entries)(RungContext *ctx, double *entry);
    uint32_t n_entries, n_matrix;
    const uint32_t *entry_place, *place;
    /* The equations whose derivative by z the matrix is, n_rows of them, for comparison with
     * differences: z are the unknowns themselves here, derivatives of the states among them, and
     * the states are base + gamma * their derivatives. */
    int (*form)(RungContext *ctx, double t, const double *x, const double *z, double *row);
    /* At the states x the unknowns z, then the derivatives of the states. With base = x - gamma *
     * these derivatives `form` at z has the states x. */
    int (*point)(RungContext *ctx, double t, const double *x, double *z);
    uint64_t form_operations;
    const RungNewtonSolve *of_any;
} RungNewton;

/* Optional. The linearisation of derivatives of the states and outputs by states and inputs. Rows
 * of the matrix: derivatives of the states, n_states; outputs, n_outputs; equations that are zero,
 * n_implicit; where loops are cut, the constraints and their rates, n_constraints in all. Columns:
 * states; inputs, and parameters on request, both called u here; the unknowns of these equations,
 * n_implicit:
 *
 *     A  B  E       d xdot    = A dx + B du + E dz
 *     C  D  F       d outputs = C dx + D du + F dz
 *     G  H  K       0         = G dx + H du + K dz
 *
 * Without such equations A, B, C, D are the derivatives themselves, else A - E K^-1 G and so on
 * (linearise.h finds them). They come from blocks, and from cut loops: second derivatives of the
 * constraints by the multipliers, which `entries` finds in u, as the other functions do. */
typedef struct RungLinearisation {
    RungPattern pattern;
    uint32_t n_outputs, n_inputs, n_parameters, n_implicit, n_constraints;
    const uint32_t *output;    /* n_outputs: its row among the variables             */
    const uint32_t *input;     /* n_inputs: its place in u                           */
    const uint32_t *parameter; /* n_parameters: its place in p; NULL in C libraries  */
    /* NULL: something has no derivative. Then n_implicit and n_parameters are 0, and differences of
     * the columns of one colour give the entries. */
    int (*entries)(RungContext *ctx, double t, const double *x, double *entry);
    /* The last n_dependent unknowns are parameters that follow from others, p[dependent[k]], unless
     * they are set: then from column own[k] alone, RUNG_NONE if there is none. Only in C libraries:
     * elsewhere a parameter with a column follows from no other, and one that follows from others
     * is not set. */
    uint32_t n_dependent;
    const uint32_t *dependent, *own;
} RungLinearisation;

/* Operations of time terms: time; a state; a number of the table; p, c, u, z of the context; then
 * operators on earlier results. */
typedef enum RungTimeOp {
    RUNG_TIME_NOW,
    RUNG_TIME_STATE,
    RUNG_TIME_NUMBER,
    RUNG_TIME_PARAMETER,
    RUNG_TIME_CONSTANT,
    RUNG_TIME_MEMORY,
    RUNG_TIME_UNKNOWN, /* of a block, z */
    RUNG_TIME_INPUT,   /* or a delayed expression, u */
    RUNG_TIME_NEG,
    RUNG_TIME_ADD,
    RUNG_TIME_SUB,
    RUNG_TIME_MUL,
    RUNG_TIME_DIV,
    RUNG_TIME_POW,
    RUNG_TIME_LT,
    RUNG_TIME_LE,
    RUNG_TIME_AND,
    RUNG_TIME_OR,
    RUNG_TIME_NOT,
    RUNG_TIME_SELECT,
    RUNG_TIME_MIN,
    RUNG_TIME_MAX,
    RUNG_TIME_SIN,
    RUNG_TIME_COS,
    RUNG_TIME_TAN,
    RUNG_TIME_ASIN,
    RUNG_TIME_ACOS,
    RUNG_TIME_ATAN,
    RUNG_TIME_SINH,
    RUNG_TIME_COSH,
    RUNG_TIME_TANH,
    RUNG_TIME_EXP,
    RUNG_TIME_LOG,
    RUNG_TIME_LOG10,
    RUNG_TIME_SQRT,
    RUNG_TIME_ABS,
    RUNG_TIME_SIGN,
    RUNG_TIME_FLOOR,
    RUNG_TIME_CEIL
} RungTimeOp;

/* Optional. Subexpressions of the state derivatives that depend on time alone between events and
 * may rise and fall within a moment, as exp(-((time - 5) / 1e-3)^2) does, so that a step could pass
 * over them. `term` names n_terms of the n operations; an operation works on earlier ones, or on
 * place a of an array. They are data instead of code because they are evaluated for intervals of
 * time too (time_terms.h). State terms are the same for expressions of states, unknowns of blocks
 * and inputs, the sides of relations among them. */
typedef struct RungTimeTerms {
    uint32_t n, n_terms;
    const uint32_t *op, *a, *b, *c; /* n */
    const double *number;
    const uint32_t *term; /* n_terms */
} RungTimeTerms;
/* Optional, where there are derivatives by several parameters: for each parameter the derivative
 * f_x s + f_p of the rates x' = f(x, p), by one elimination for all. `factor` finds, at u[first],
 * the rates of the model's own n_states states, n_kept numbers, and n_entries derivatives of
 * equations by parameters. Then `solve_sides` finds rates for n right-hand sides, RUNG_SIDES at
 * most. Number k of side j is right[k * RUNG_SIDES + j], n_sides of them: s, then entry k of
 * parameter by[k] at place[k]; likewise the rates. work: of RUNG_SIDES * n_work numbers. All three
 * are aligned to RUNG_SIDES numbers. n_inputs: of u. `xdot`: the rates of the model's own states
 * alone. */
typedef struct RungRatesAlong {
    uint32_t n_states, n_sides, n_kept, n_entries, first, n_inputs;
    const uint32_t *by, *place;
    int (*factor)(RungContext *ctx, double t, const double *x, double *out);
    int (*solve_sides)(RungContext *ctx, double t, const double *x, uint32_t n, const double *right,
                       double *work, double *rate);
    int (*xdot)(RungContext *ctx, double t, const double *x, double *xdot);
} RungRatesAlong;

/* Optional. Derivatives of the states by parameters, der(x,p), are states of the model too; at an
 * event they jump by these formulas (saltation.h). Directions: n parameters, then time if there are
 * relations; the caller sets the states that belong to the direction of time. `slopes` evaluates,
 * at states that include the derivatives, slope[k * n_directions + j]: the derivative along
 * direction j of the zero-crossing function of relation k (as `events` evaluates it), then of the
 * value of action k - n_relations. */
typedef struct RungSensitivity {
    uint32_t n, n_directions, n_relations, n_actions;
    const uint32_t *of;         /* n_states: the state that it is the derivative of, or RUNG_NONE */
    const uint32_t *by;         /* n_states: along which direction                                */
    const uint32_t *is_negated; /* n_states: 1: it is minus that                                  */
    int (*slopes)(RungContext *ctx, double t, const double *x, double *slope);
    const RungRatesAlong *along;
    /* In C libraries: the derivatives of the model's own states alone, NULL where equations are
     * solved for them; n: the column of the linearisation of each parameter, RUNG_NONE for a start
     * value, NULL: it has none of them. */
    int (*own_xdot)(RungContext *ctx, double t, const double *x, double *xdot);
    const uint32_t *column;
    /* Discrete variables that have derivatives, which are memory, too. shift: n, the memory of the
     * event's time by the parameter, or RUNG_NONE; held: of n_held variables, pre(). */
    const uint32_t *shift, *held;
    uint32_t n_held;
    /* Equations have kinks in variables where no event is made: rates of derivatives jump inside
     * of steps. */
    uint32_t has_kinks;
} RungSensitivity;

/* Products with cut loops: derivatives of a sum with weights of states w, constraints a and
 * balances b by the states, kept values, shared values, and, where that is said, by the inputs of
 * the loops, multipliers and free accelerations, at last. G is d (xdot, balance) by the inputs
 * where these are zero. */
typedef struct RungAdjointLoops {
    /* w xdot + a phi + b balance; by the inputs, too */
    int (*stage)(RungContext *ctx, double t, const double *x, double *out);
    /* (w, b) G y with the inputs y; by the inputs, too */
    int (*push)(RungContext *ctx, double t, const double *x, double *out);
    /* a phi_dot; a phi_x w; a phi_v w */
    int (*dot)(RungContext *ctx, double t, const double *x, double *out);
    int (*by_x)(RungContext *ctx, double t, const double *x, double *out);
    int (*by_v)(RungContext *ctx, double t, const double *x, double *out);
} RungAdjointLoops;

/* Optional. Adjoint derivatives of a run by n parameters. Inputs at u[first]: a weight for each
 * state, for each objective, with cut loops for each constraint and balance, for each relation,
 * action and kept value; a number for each shared value; for each dependent parameter,
 * p[dependent[k]], 1, or 0 where it is set. `product` differentiates the sum of weights times
 * derivatives of the states and weights times objectives: by the states, n_states, by the kept
 * values, memory number kept[k], then by the shared values, subexpressions of parameters alone,
 * n_shared; with cut loops of weights times second derivatives of the constraints and times
 * balances, too, and by the inputs of the loops at last. `at_event`: likewise, of the sum of
 * weights times zero-crossing functions, values of reinit, and kept values as the event sets them;
 * at last by time. `by_parameter` takes the derivatives by shared values (which may have been
 * summed over a run) and, as weights, those by the states and kept values at the start, and finds
 * the derivatives by the parameters. */
typedef struct RungAdjoint {
    uint32_t n, n_objectives, n_shared, n_dependent, first, n_inputs;
    const char *const *name; /* n: p, or x.start */
    const uint32_t *dependent;
    int (*product)(RungContext *ctx, double t, const double *x, double *out);
    int (*by_parameter)(RungContext *ctx, double t, const double *x, double *out);
    uint32_t n_relations, n_actions, n_kept; /* 0 without events */
    const uint32_t *kept;
    int (*at_event)(RungContext *ctx, double t, const double *x, double *out); /* or NULL */
    uint32_t n_loop_weights;       /* 0 without cut loops */
    const RungAdjointLoops *loops; /* NULL: likewise      */
} RungAdjoint;

/* Several instances at once, one in each lane: numbers of the arrays of RungContext one behind the
 * other, x[k * width + lane], all aligned to width doubles. */
typedef struct RungLaneContext {
    double *p, *c, *u,
        *w;       /* n_parameters; n_constants, n_work of the RungLanes; as in RungContext */
    double least; /* as in RungContext                                                     */
    /* A bit for each lane in which a pivot has vanished, whose results are invalid. Bits are added;
     * the caller resets them. The scalar function of the model gives the reason for that instance.
     */
    unsigned failed;
    /* For functions and blocks of the model, called and solved lane by lane: a bit for each lane
     * that is evaluated, and the context that the scalar function of the model would be called
     * with. */
    unsigned active;
    RungContext **instance; /* width; may be NULL where no function is called */
    double *z;              /* unknowns of blocks, in lanes                       */
    double *x;              /* scratch for the states of one lane                 */
} RungLaneContext;

/* Of all lanes, at the time t[k] of lane k. */
typedef int (*RungLaneFunction)(RungLaneContext *ctx, const double *t, const double *x,
                                double *out);

/* Optional. Functions of the model for `width` instances with their own parameters, inputs, states
 * and times, with the same operations in the same order for each of them. They call no function of
 * these contexts, and `failed` is their only status. Those that are absent are NULL. */
typedef struct RungLanes {
    uint32_t width, n_work, n_constants;
    /* The array c of a lane, into ctx->c of n_constants, from ctx->p of one instance after `update`
     * of the model. */
    int (*constants)(RungContext *ctx);
    RungLaneFunction xdot;
    RungLaneFunction outputs;    /* where `output_parts` is there: those of its last part alone */
    RungLaneFunction assertions; /* numbers instead of bytes */
    RungLaneFunction entries;    /* RungJacobian */
    RungLaneFunction step;       /* RungNewton   */
    RungLaneFunction phi, phi_dot, phi_rest, balance, phi_v, by_input; /* RungLoops */
    /* One step of the classical Runge-Kutta method from x to x_new, where the slope is f_new. k: of
     * 4 n_states, that at x comes first; stage: n_states of scratch. grows: per lane, 1 where the
     * step is too long for a stable one, no number where the end is none, else 0. */
    int (*rk4)(RungLaneContext *ctx, double t, double t_new, const double *x, double *k,
               double *stage, double *x_new, double *f_new, double *grows);
} RungLanes;

struct RungModel {
    uint32_t version; /* RUNG_MODEL_VERSION of the generator             */
    uint32_t size;    /* sizeof(RungModel) there: fields beyond are absent */
    const char *name; /* with modifiers: Linkage.Examples.PlanarPendulum(n=32) */
    const char *description;
    const char *generator; /* "rung 0.1" */

    uint32_t n_states, n_variables, n_values, n_parameters, n_constants, n_inputs, n_unknowns,
        n_work, n_numbers, n_blocks, n_pivots, n_assertions, n_events;

    /* Three numbers per variable: the name's offset in `names`, index, and
     * attributes << 4 | place << 1 | negated. */
    const uint32_t *variable;
    const char *names; /* each ends with 0 */
    const RungAttributes *attributes;
    const RungParameter *parameter;
    const RungInput *input;
    const uint32_t *state; /* n_states: row of each state among the variables */
    const double *nominal; /* n_states: nominal value, the unit of the error */
    const uint32_t
        *is_nominal_open; /* n_states: 1 where the model gives none; NULL: it gives all */
    const double *turn;   /* n_states, in C libraries: half a turn of an angle, infinite for others;
                             NULL: no state is an angle */
    uint32_t n_state_scales;
    const RungStateScale *state_scale;
    uint32_t n_sum_terms;
    const RungSumTerm *sum_term;
    const double *number; /* n_numbers: values known at compile time         */
    const RungBlock *block;
    const RungPivot *pivot;
    const RungAssertion *assertion;
    RungExperiment experiment;
    /* That a program of its own takes where none is named; NULL: as any run. */
    const char *method;

    /* Dependent parameters, then the constant block. After every change of p. */
    int (*update)(RungContext *ctx);
    /* Initial values of the states, and of unknowns that have a start over parameters. */
    int (*start)(RungContext *ctx, double t, double *x);
    int (*xdot)(RungContext *ctx, double t, const double *x, double *xdot);
    /* The values of variables of place RUNG_IN_VALUES: v has n_values. */
    int (*outputs)(RungContext *ctx, double t, const double *x, double *v);
    /* holds[k] = 0 where assertion k is violated; conditions of parameters alone are in c. */
    int (*assertions)(RungContext *ctx, double t, const double *x, unsigned char *holds);
    /* Zero-crossing functions: g has n_events, one per relation in the order of memory; a relation
     * whose truth by g differs from memory causes an event. */
    int (*events)(RungContext *ctx, double t, const double *x, double *g);

    const RungJacobian *jacobian;
    const RungResidual *residual;
    const RungInvariants *invariants;
    const RungLoops *loops;
    const RungInitial *initial;
    const RungEvents *event;

    /* Optional: the same model with its linear blocks solved at run time, with pivoting, used where
     * a pivot vanishes. Parameters, inputs, states and memory are in the same places, variables in
     * the same rows, but without names. */
    const RungModel *fallback;
    const RungNewton *newton;
    uint32_t n_objects; /* external objects (MLS 12.9.7) */
    /* Optional: the expressions that are delayed, in the order of the memory of kind RUNG_DELAY. */
    int (*delays)(RungContext *ctx, double t, const double *x, double *out);
    /* Optional: puts a message that holds values into ctx->text: of assertion k, or of action k -
     * n_assertions; leaves it empty for a constant message. */
    int (*message)(RungContext *ctx, double t, const double *x, uint32_t k);
    /* Optional: fills the tables. rung_model has called it; that of `fallback` has to be called
     * before any other of its functions. */
    void (*fill)(void);
    const RungLinearisation *linearisation;
    /* 1: outputs divides, or takes roots and the like, where xdot does not: its values may be NaN
     * where the derivatives are finite. */
    uint32_t has_open_values;
    const RungEventParts *output_parts; /* optional: `outputs` in parts */
    const RungTimeTerms *time_terms;
    const RungTimeTerms *state_terms;
    const RungSensitivity *sensitivity;
    const RungLanes *lanes; /* optional, n_lanes of them, of different widths */
    uint32_t n_lanes;
    const RungAdjoint *adjoint;
    /* Optional: by how much the conditions of assertions hold, n_margins numbers, negative where
     * one is violated; margin: the assertion of each. */
    uint32_t n_margins;
    const uint32_t *margin;
    int (*margins)(RungContext *ctx, double t, const double *x, double *g);
    /* Optional: by how much conditions hold by which derivatives choose between events, as under
     * noEvent, those that cost little; the states that these are read from. */
    uint32_t n_choices, n_choice_states;
    const uint32_t *choice_state;
    int (*choices)(RungContext *ctx, double t, const double *x, double *g);
    uint32_t n_differentiated;
    const RungDifferentiated *differentiated;
    uint32_t n_strings;
    const RungStringVariable *string;
};

#if defined(__GNUC__)
#define RUNG_EXPORT __attribute__((visibility("default")))
#else
#define RUNG_EXPORT
#endif

/* The first call fills the tables: not from two threads at once. */
RUNG_EXPORT const RungModel *rung_model(void);

/* Passes a warning of a function of the model to `warn` of the context, which may be NULL. */
static inline void rung_warn(RungContext *ctx, const char *message, const char *where)
{
    if (ctx->warn)
        ctx->warn(ctx, message, where);
}

/* Records the failure of a function of the model; its return value. */
static inline int rung_fail(RungContext *ctx, const char *message, const char *where)
{
    ctx->failed_message = message;
    ctx->failed_where = where;
    ctx->failed_of = NULL;
    return 1;
}

/* Whether derivatives may rise and fall within a step, so that it is searched (time_terms.h). */
static inline int rung_has_pulses(const RungModel *m)
{
    return (m->time_terms || m->state_terms || m->n_choices || m->delays) && m->n_states;
}

/* Of an FMU: those of the relations, and one of pulses (fmi_pulse.h). */
static inline uint32_t rung_n_indicators(const RungModel *m)
{
    return m->n_events + (uint32_t)rung_has_pulses(m);
}

static inline const char *rung_name(const RungModel *m, uint32_t k)
{
    return m->names + m->variable[3 * (size_t)k];
}

static inline RungVariable rung_variable(const RungModel *m, uint32_t k)
{
    const uint32_t *row = m->variable + 3 * (size_t)k, packed = row[2];
    RungVariable v;
    v.name = rung_name(m, k);
    v.attributes = m->attributes + (packed >> 4);
    v.index = row[1];
    v.place = (RungPlace)(packed >> 1 & 7u);
    v.negated = packed & 1u;
    return v;
}

/* The number at a place at (t, x), v as filled by outputs. */
static inline double rung_at(const RungContext *ctx, RungPlace place, uint32_t index, double t,
                             const double *x, const double *v)
{
    switch (place) {
    case RUNG_IN_VALUES:
        return v[index];
    case RUNG_IN_STATES:
        return x[index];
    case RUNG_IN_PARAMETERS:
        return ctx->p[index];
    case RUNG_IN_CONSTANTS:
        return ctx->c[index];
    case RUNG_IN_INPUTS:
        return ctx->u[index];
    case RUNG_IN_UNKNOWNS:
        return ctx->z[index];
    case RUNG_IN_NUMBERS:
        return ctx->model->number[index];
    case RUNG_IS_TIME:
        break;
    }
    return t;
}

/* The value of variable k, likewise. */
static inline double rung_value(const RungContext *ctx, uint32_t k, double t, const double *x,
                                const double *v)
{
    const RungVariable it = rung_variable(ctx->model, k);
    double value = rung_at(ctx, it.place, it.index, t, x, v);
    return it.negated ? -value : value;
}

#ifdef __cplusplus
}
#endif

#endif
