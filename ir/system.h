/* system.h -- the System: unknowns and equations of a flat model, the only state of a compilation.
 *
 * The frontend fills it (flat), index reduction differentiates, elimination solves. Every scalar
 * variable and equation remembers its group (the array it came from, and its index there) and
 * its span, through every rewrite.
 */
#ifndef RUNG_IR_SYSTEM_H
#define RUNG_IR_SYSTEM_H

#include "base/cache.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/name.h"
#include "base/vec.h"
#include "ir/expr.h"
#include "ir/geometry.h"
#include "ir/terminal.h"

typedef enum BaseType {
    TYPE_REAL,
    TYPE_INTEGER,
    TYPE_BOOLEAN,
    TYPE_STRING,
    TYPE_ENUMERATION,
    TYPE_CLOCK,  /* of flat models only (MLS 16) */
    TYPE_OBJECT, /* an external object (MLS 12.9.7): a handle, bound to a call of its constructor */
} BaseType;

/* MLS 4.9.8.1, in ascending priority as a state. */
typedef enum StateSelect {
    STATE_NEVER,
    STATE_AVOID,
    STATE_DEFAULT,
    STATE_PREFER,
    STATE_ALWAYS,
} StateSelect;

typedef enum VarKind {
    VAR_CONSTANT,
    VAR_PARAMETER,
    VAR_INPUT,  /* top-level input: known from outside                   */
    VAR_MEMORY, /* known between events, changes only there: see Memory */
    VAR_DISCRETE,
    VAR_CONTINUOUS,
} VarKind;

/* MLS 4.9: the predefined attributes. EXPR_NONE or a NULL Name if the model does not set them. */
typedef struct Attributes {
    ExprId start, min, max, nominal;
    Name unit, display_unit, quantity;
    Truth fixed : 8; /* UNKNOWN: the default of the kind */
    StateSelect select : 8;
    bool start_is_chosen : 1; /* for this run: it goes before that of an alias */
} Attributes;

/* An enumeration type (MLS 4.9.5). */
typedef struct Enumeration {
    Name name;
    uint32_t n;
    const Name *literal; /* n: the values 1, 2, ... */
} Enumeration;

#define ENUMERATION_NONE UINT32_MAX

/* Its name and its literals, in lines. */
const char *enumeration_text(const Enumeration *e, Arena *mem);

typedef struct Var {
    Name name;        /* full path: arm.joint[2].phi, or der(arm.joint[2].phi) */
    Name description; /* may be NULL */
    Attributes attr;
    uint32_t enumeration; /* of TYPE_ENUMERATION: which of the System's; ENUMERATION_NONE */
    ExprId binding;       /* parameters and constants: their value; EXPR_NONE if none is given */
    VarId der;            /* the variable that is this one's derivative, or VAR_NONE */
    VarId der_of;         /* the inverse                                             */
    uint32_t group;       /* the array it is an element of; GROUP_NONE for a scalar  */
    uint32_t index;       /* row-major place in that array                           */
    Span span;
    VarKind kind : 8;
    BaseType type : 8;
    bool is_output : 1;       /* top-level output                                                 */
    bool is_protected : 1;    /* declared in a protected section                                  */
    bool hides_result : 1;    /* HideResult = true (MLS 18.3): in results only where it is named  */
    bool is_final : 1;        /* a parameter that cannot be set from outside (final, Evaluate, or
                             used for the structure)                                          */
    bool scales_rates : 1;    /* a parameter that may remove a derivative by being zero */
    bool is_settled : 1;      /* such a parameter that is zero, so that its value is put in */
    bool is_by_reduction : 1; /* a derivative that index reduction has introduced */
    bool is_by_preference : 1; /* a derivative that no equation contains, of a preferred variable */
    bool is_taken_for_zero : 1; /* a factor of derivatives, varying but zero (zero_factors.h) */
    bool is_flow : 1;
    bool is_potential : 1; /* of a connector, and neither flow nor stream, input nor output */
    bool is_hidden : 1;    /* made by the compiler: not in results */
    bool
        is_error_sum : 1; /* a sum of states whose error methods control (emit/model/sum_table.c) */
    bool starts_at_parameter : 1; /* attr.start is a parameter that stands for the start value */
    bool is_initial : 1;          /* stands for a parameter with fixed = false in the initial system
                                 (eliminate/forms/initial_system.h); no variable of the model */
    uint32_t state; /* 0, or 1 + the state of a state machine that declares it         */
    ExprId guess;   /* the initial guess for Newton's method without an attr.start, or EXPR_NONE
                       (eliminate/forms/start_guesses.h) */
} Var;

#define GROUP_NONE UINT32_MAX

typedef struct Eq {
    ExprId lhs, rhs;
    uint32_t group, index; /* the array equation it is an element of */
    Span span;
    uint32_t der_of;    /* 1 + the equation whose derivative index reduction made of it; 0: none */
    const char *origin; /* instance path whose class wrote it, "" for the model; may be NULL */
    bool of_connection; /* made of connections; span is one of them */
    uint32_t state;     /* 0, or 1 + the state of a state machine without which it does not hold */
} Eq;

/* A state of a state machine (MLS 17). Where it is not active, its equations do not hold and its
 * variables keep their values; where it is reset, its continuous states start anew. Until
 * eliminate/prepare/clocks.h. */
typedef struct MachineState {
    const char *path;
    ExprId active, reset;
} MachineState;

/* assert(cond, message, level), terminate: checked during the run (MLS 8.3.7). */
typedef struct Assertion {
    ExprId cond;
    ExprId message;
    bool is_warning;
    Span span;
    const char *where; /* for messages; NULL: the place of span */
} Assertion;

/* For messages: file:line:column, or "". */
const char *assertion_where(Diags *d, const Assertion *a);

/* The flow through a cut joint: of the flow variables that equation `eq` sums to zero, the sums of
 * those on the joint's side a and on its side b. */
typedef struct CutFlow {
    EqId eq;
    ExprId a, b;
    VarId of; /* the first of side b, for its name and type */
} CutFlow;

/* An action at the events at which `fires` is true (MLS 8.3.6, 8.3.8): the continuous variable var
 * restarts from value, or the run ends with a message. */
typedef struct Action {
    enum { ACTION_REINIT, ACTION_TERMINATE } kind;
    ExprId fires;
    VarId var;    /* ACTION_REINIT */
    ExprId value; /* ACTION_REINIT: the new value; ACTION_TERMINATE: the message */
    Span span;
} Action;

/* Values that expressions keep from the last event on (MLS 3.6, appendix B: pre(z) and the
 * relations c): a variable of kind VAR_MEMORY, its Var.index being the number here. Between events
 * nothing that depends on memory alone can jump, so integrators see smooth functions. */
typedef enum MemoryKind {
    MEMORY_RELATION,   /* whether `of` < 0, or <= 0                                        */
    MEMORY_PRE,        /* pre(of), `of` being a discrete variable or a condition           */
    MEMORY_INITIAL,    /* initial()                                                        */
    MEMORY_TERMINAL,   /* terminal()                                                       */
    MEMORY_DELAY,      /* `of` `start` seconds ago: it moves between events; where `interval`
                          exists, that memory, a delay of 0, holds how many, up to `start` */
    MEMORY_SAMPLE,     /* sample(start, interval): true at these times, during their event */
    MEMORY_CLOCK,      /* a clock ticks: likewise, (shift + k factor) / per intervals after the
                          start of the run                                                 */
    MEMORY_LEFT_LIMIT, /* `of` when the event began                                      */
    MEMORY_HOMOTOPY,   /* of the initial system: how much of homotopy() is simplified, 1 .. 0 */
    MEMORY_SHIFT,      /* the derivative of the time of an event by a parameter, during the event;
                          else 0 */
    MEMORY_FLOOR, /* floor(of); the two memories behind it are the relations of < floor(of) and of
                     >= floor(of) + 1, which show when it changes */
} MemoryKind;

/* A MEMORY_DELAY of spatialDistribution (MLS 3.7.4.2), `of` being the position x and `end` the end,
 * y = 0 or 1: a property of the fluid particle there, 1 + RungParticle of
 * runtime/kernel/rung_model.h. */
typedef enum ParticleProperty {
    PARTICLE_NONE,
    PARTICLE_LEFT_AGE,
    PARTICLE_RIGHT_AGE,
    PARTICLE_PLACE,
    PARTICLE_ORIGIN
} ParticleProperty;

typedef struct Memory {
    MemoryKind kind;
    ParticleProperty particle;
    bool end;
    VarId var;
    ExprId of;
    bool is_strict;            /* MEMORY_RELATION: <                                             */
    bool is_exact;             /* MEMORY_RELATION: of time and memory alone                      */
    ExprId start, interval;    /* MEMORY_PRE: at the start of a run; MEMORY_SAMPLE, MEMORY_CLOCK */
    double shift, factor, per; /* MEMORY_CLOCK: whole numbers                             */
    Span span;
    const char *text; /* MEMORY_RELATION: its text, maybe shortened; MEMORY_PRE: the name */
} Memory;

/* homotopy(actual, simplified) (MLS 3.7.4.4), after events.h: actual + offset. The offset is a
 * constant, 0 but in the initial system, where it is a share of simplified - actual. */
typedef struct Homotopy {
    VarId offset;
    ExprId actual, simplified;
} Homotopy;

/* A connector of one of the model's components that nothing is connected to. */
typedef struct LooseEnd {
    const char *path;
    Span span; /* of the component */
    bool is_input;
} LooseEnd;

/* MLS 18.8: the model's message if no equation determines variables first .. first + n. */
typedef struct UnassignedMessage {
    VarId first;
    uint32_t n;
    const char *text;
} UnassignedMessage;

/* A component of the model itself: messages about variables inside it name this declaration. */
typedef struct ModelComponent {
    const char *path;
    Span span; /* its name in the declaration */
} ModelComponent;

/* Equations first .. first + n stand in a when-clause with a clock (MLS 16.6). */
typedef struct ClockedWhen {
    ExprId clock;
    uint32_t first, n;
    Span span;
} ClockedWhen;

/* An operand that equation `eq` has in its text and no more, as u of y = 5 + 0*u: it is still in
 * the partition of that equation (MLS 16.7.3). */
typedef struct LostOperand {
    EqId eq;
    ExprId x;
} LostOperand;

/* A connection that the spanning tree broke (MLS 9.4): a loop's cut joint. */
typedef struct CutJoint {
    Name a, b;   /* the two overdetermined connectors */
    Name inside; /* the component that hides both, and no other cut; "" otherwise */
    Span span;
    uint32_t n_common; /* of the connector where their ways to the root of the tree meet: scalars
                        * of its record and its other potentials                              */
    ExprId *common;
    uint32_t n_record; /* of side a: scalars of its record */
    ExprId *record;
    /* Its closing equations, in the order of the connector's declarations: equality of the
     * potentials outside the record, and the residuals of its equalityConstraint. */
    VEC(EqId) eq;
    VEC(CutFlow) flow;
} CutJoint;

/* The place of e among those; UINT32_MAX: none of them. */
static inline uint32_t cut_joint_find(const CutJoint *j, EqId e)
{
    for (uint32_t k = 0; k < j->eq.n; k++)
        if (j->eq.at[k].i == e.i)
            return k;
    return UINT32_MAX;
}

typedef enum InlineKind {
    INLINE_DEFAULT, /* expand when built, if it can be expanded      */
    INLINE_LATE,    /* LateInline, InlineAfterIndexReduction, or has a derivative:
                       kept as a call until index reduction is done  */
    INLINE_NEVER,
} InlineKind;

/* MLS 12.7.1: annotation(derivative(order=.., noDerivative=.., zeroDerivative=..) = f). */
typedef struct DerivativeRule {
    FuncId func;
    uint32_t order;
    const bool *no_derivative;   /* per scalar argument of the differentiated function */
    const bool *zero_derivative; /* the rule holds only if these have derivative zero  */
    /* Of a function that is the derivative of another by time, f'(u) u': its own derivative is
     * f''(u) u'^2 + f'(u) u'', for arguments u that move with u'. The order of that, else 1; per
     * scalar argument: such a u. */
    uint32_t chain_order;
    const bool *in_chain;
} DerivativeRule;

typedef struct System System;
typedef struct Body Body; /* body.h */

/* Functions that the compiler itself makes. */
typedef enum Intrinsic {
    INTRINSIC_NONE,
    INTRINSIC_ELEMENT,  /* of n values, the one whose number comes first          */
    INTRINSIC_PARTICLE, /* of the particle at an end (0 or 1), by the position: ParticleProperty */
    INTRINSIC_DELAY, /* of an expression, by a time, up to a longest one if there are three inputs:
                        memory after events.h */
    INTRINSIC_HOMOTOPY,      /* of the actual and the simplified expression: gone after events.h */
    INTRINSIC_ARRAY_ELEMENT, /* of a dynamic array, by its subscripts (body.h)         */
    INTRINSIC_ARRAY_SIZE,    /* of a dynamic array, the size of a dimension            */
    INTRINSIC_TEXT,          /* of a value, by a format: rung_text.h                   */
    INTRINSIC_JOIN,          /* of two texts                                           */
    INTRINSIC_COMPARE,       /* of two texts: -1, 0 or 1                               */
    INTRINSIC_BEFORE, /* of a variable of an algorithm section and its start value: gone when the
                         model is flat (section_start.h) */
    /* Clocks (MLS 16), gone after eliminate/prepare/clocks.h; inputs as there, and `time` last, so
     * that they do not count as constants. */
    INTRINSIC_CLOCK_RATIONAL, /* Clock(intervalCounter, resolution)                    */
    INTRINSIC_CLOCK_INTERVAL, /* Clock(interval)                                       */
    INTRINSIC_CLOCK_EVENT,    /* Clock(condition, startInterval)                       */
    INTRINSIC_CLOCK_SOLVER,   /* Clock(c, solverMethod)                                */
    INTRINSIC_CLOCK_INFERRED, /* Clock()                                               */
    INTRINSIC_SAMPLE,         /* (u), (u, clock)                                       */
    INTRINSIC_HOLD,           /* (u)                                                   */
    INTRINSIC_PREVIOUS,       /* (u)                                                   */
    INTRINSIC_NO_CLOCK,       /* (u)                                                   */
    INTRINSIC_SUB_SAMPLE,     /* (u, factor), factor 0: inferred                       */
    INTRINSIC_SUPER_SAMPLE,   /* (u, factor), factor 0: inferred                       */
    INTRINSIC_SHIFT_SAMPLE,   /* (u, shiftCounter, resolution)                         */
    INTRINSIC_BACK_SAMPLE,    /* (u, backCounter, resolution)                          */
    INTRINSIC_INTERVAL,       /* (), (u)                                               */
    INTRINSIC_FIRST_TICK,     /* (), (u)                                               */
} Intrinsic;

/* Whether it reads a dynamic array. */
static inline bool intrinsic_is_array(Intrinsic i)
{
    return i == INTRINSIC_ARRAY_ELEMENT || i == INTRINSIC_ARRAY_SIZE;
}

/* Whether it is about texts. */
static inline bool intrinsic_is_text(Intrinsic i)
{
    return i >= INTRINSIC_TEXT && i <= INTRINSIC_COMPARE;
}

/* Whether it is about clocks. */
static inline bool intrinsic_is_clocked(Intrinsic i)
{
    return i >= INTRINSIC_CLOCK_RATIONAL;
}

/* A function that expressions call. `expand` runs its algorithm symbolically on the pool:
 * n_out results from n_in arguments, its assertions added to those of s; false (and nothing
 * reported) if it cannot be expanded. */
typedef struct Function {
    Name name;
    uint32_t n_in, n_out;
    InlineKind inlining;
    const DerivativeRule *derivative;
    uint32_t n_derivatives;
    bool (*expand)(void *self, System *s, const ExprId *args, ExprId *results);
    void *self;
    Span span;
    /* The body that is called where `expand` fails; NULL if there is none. */
    const Body *body;
    Intrinsic intrinsic;
    const BaseType *in_type, *out_type; /* per scalar; NULL: Real */
    /* Per input and result the rank of a dynamic array (body.h), 0 for a scalar; NULL: all are
     * scalars. */
    const uint8_t *in_rank, *out_rank;
    Name key; /* its name, with a number where there are several */
    bool has_tangent, has_guarded;
    bool is_guarded; /* called only where its first input is true (body.h) */
    /* For the derivative of another function the number of inputs before the rates; else 0. */
    uint32_t n_primal;
    FuncId tangent;   /* eliminate/prepare/tangent.h */
    const bool *held; /* inputs that do not move where the tangent is called; NULL: none */
    FuncId guarded;   /* body.h */
} Function;

/* A construct of the flat model that cannot be compiled: flattening succeeds, a translation stops
 * with this error. */
typedef struct Unsupported {
    Span span;
    const char *code, *what;
} Unsupported;

/* annotation(experiment(...)); the has_ flags mark the values that the model gives. */
typedef struct Experiment {
    bool has_start, has_stop, has_tolerance, has_interval;
    double start, stop, tolerance, interval;
} Experiment;

/* Calls name functions by their place here. */
typedef struct SystemFunctions {
    Function *at;
    uint32_t n, cap;
    Map name_uses; /* Name pointer of a function -> functions so called */
    Map intrinsic; /* Intrinsic and number of inputs -> FuncId.i */
} SystemFunctions;

/* Variables by the addresses of their names, open addressing. The entry of a variable that has got
 * another name since, or is gone, is found by nobody. */
typedef struct VarIndex {
    uint32_t *slot; /* VarId.i + 1; 0: free */
    uint32_t cap, n;
} VarIndex;

struct System {
    Arena *mem;
    Arena *own;   /* mem, or a view's, which may be freed before */
    Arena *table; /* of variables and equations, a part of own   */
    Names *names;
    Diags *diags;
    ExprPool *pool;
    Cache *cache; /* keeps orders found by searching (eliminate/block/search.h); NULL: none does */
    const char *model; /* as requested: Linkage.Examples.PlanarPendulum(n=32) */
    Name class_name;   /* Linkage.Examples.PlanarPendulum */
    bool strict;       /* report every violation of the specification as an error */
    Name description;

    VEC(Var) var;
    VEC(Eq) eq;
    VEC(Eq) initial_eq;
    VEC(Assertion) assertion;
    VEC(Memory) memory;
    VEC(Homotopy) homotopy;
    VEC(Action) action;
    VEC(CutJoint) cut;
    SystemFunctions *function; /* shared with views */
    VEC(Unsupported) unsupported;
    VEC(ClockedWhen) clocked; /* until eliminate/prepare/clocks.h */
    VEC(LostOperand) lost;    /* likewise                         */
    VEC(MachineState) state;  /* likewise                         */
    VEC(LooseEnd) loose;
    VEC(ModelComponent) component;
    VEC(UnassignedMessage) unassigned;
    uint32_t file;                /* that holds the model; 0: not known */
    VEC(Enumeration) enumeration; /* of variables */
    uint32_t n_objects;           /* external ones */
    uint32_t n_groups;            /* of variables and of equations */
    Experiment experiment;
    Geometry geometry;
    Terminals terminals;
    VarIndex by_name;
    Map der_group; /* group of an array -> group of its derivatives */
};

System *system_new(Arena *mem, Names *names, Diags *diags, bool by_value);
void system_free(System *s); /* the exact numbers; the arena keeps the rest */
/* The variables and expressions of s again, with room for other equations, variables, events. Both
 * share their functions: expressions of either may call functions added to the other. */
System *system_view(System *s);
void system_view_free(System *view); /* before the System, if it is not needed any longer */

Attributes attributes_none(void);
Var var_plain(Name name); /* a continuous Real without attributes */
/* Adds a variable; its name must be new. `v.der` etc. must be VAR_NONE. */
VarId system_add_var(System *s, Var v);
/* A Real of the compiler's own that is in no results. */
VarId system_add_hidden(System *s, const char *name);
VarId system_find_var(const System *s, Name name);
void system_index_names(System *s); /* after names of variables were put back */
/* The derivative variable of v, made on first use and named der(...). */
VarId system_der(System *s, VarId v);
/* Whether x is a variable of s that is marked, per variable: the pool holds variables of other
 * views, too. */
bool system_is_marked(const System *s, ExprId x, const bool *mark);
ExprId system_var_expr(System *s, VarId v); /* the pool's node, with the kind's variability */
/* A memory and its variable; `m.var` is set. The name is for dumps. */
VarId system_add_memory(System *s, Memory m, BaseType type, const char *name);
EqId system_add_eq(System *s, Eq e);
/* Variables of type ExprId that are not EXPR_NONE. */
typedef VEC(ExprId *) ExprPlaces;
void expr_places_add(ExprPlaces *out, uint32_t n, ExprId *x, Arena *mem);
/* Adds those of variables, equations, events and cut joints; not those of functions. */
void system_expressions(System *s, ExprPlaces *out, Arena *mem);
/* Takes those out that are marked among the first n; the others are renumbered. */
void system_drop_eqs(System *s, uint32_t n, const bool *dropped);
/* Frees the memory of equations that were taken out; pointers to equations are not valid then. */
void system_shrink(System *s);
FuncId system_add_function(System *s, Function f);
uint32_t system_new_group(System *s);

/* False after an error for everything that is unsupported. */
bool system_supported(const System *s);

/* MLS 4.7: an equation has to determine it. */
static inline bool var_is_unknown(const Var *v)
{
    return v->kind == VAR_CONTINUOUS || v->kind == VAR_DISCRETE;
}

static inline Var *var_at(System *s, VarId v)
{
    return &s->var.at[v.i];
}

/* Text of an expression in Modelica, with the precedence it needs; for dumps and messages. */
const char *
base_type_name(BaseType t); /* as declared in Base Modelica: enumerations are Integers */
const char *expr_text(const System *s, ExprId x, Arena *mem);
/* At most so many bytes of it, for messages: shared parts are printed wherever they stand, so the
 * whole text of an expression can be exponentially long. */
const char *expr_text_cut(const System *s, ExprId x, uint32_t most, Arena *mem);

/* The System as flat Modelica (Base Modelica, MCP-0031). */
void system_print(const System *s, FILE *f);

/* Facts of a pass beside the System. */
typedef struct SystemFacts {
    bool with_cuts;                /* the joints of System.cut are not cut yet                  */
    uint32_t n_removed;            /* variables whose equations were removed, and their values */
    const VarId *removed;          /*                                                            */
    const ExprId *value;           /*                                                            */
    const uint32_t *derivative_of; /* per equation: that which it is the derivative of,
                                      UINT32_MAX for none; NULL: no equation is one              */
} SystemFacts;

/* The same with annotations __rung(...) for data that flat Modelica cannot express, so that it can
 * be read back:
 *
 *     'x[2]' = 'y[2]' annotation(__rung(element = {7, 2}));           of array equation 7
 *     der('x') = 2 * der('y') annotation(__rung(derivative = 12));    of equation 12
 *     'z' = -'y'; // removed
 *
 * Functions that are called during a run are printed, but not read back. */
void system_dump(const System *s, const SystemFacts *facts, FILE *f);
/* Every id in range, every der-link mutual, operands of the right kind. bug() if not. */
void system_check(const System *s);

#endif
