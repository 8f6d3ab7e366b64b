/* clock_work.h -- inside clocks.h: partitions and their clocks (clocks.c), the equations that come
 * of them (clock_equations.c), and the stages of methods (clock_stages.c).
 */
#ifndef RUNG_ELIMINATE_PREPARE_CLOCK_WORK_H
#define RUNG_ELIMINATE_PREPARE_CLOCK_WORK_H

#include "base/map.h"
#include "eliminate/prepare/clock_calculus.h"
#include "graph/matching.h"
#include "ir/system.h"

/* Whether the partition of a variable or an equation is known to be clocked or continuous. */
enum { IS_CLOCKED = 1, IS_CONTINUOUS = 2 };

/* The clock of an equation is (SAME), or is made by a conversion operator from, that of another. */
typedef struct Claim {
    uint32_t eq;
    ExprId clock; /* or of the variable `of` */
    VarId of;
    ClockTie tie;
    long n, resolution;
    Span span;
} Claim;

/* Two clocks of the calculus: solvers are inferred along them. */
typedef struct Link {
    uint32_t a, b;
    bool is_same;
} Link;

/* How a state follows from its derivative, from tick to tick. */
typedef enum Method {
    EXPLICIT_EULER,
    EXPLICIT_MIDPOINT,
    EXPLICIT_RUNGE_KUTTA,
    IMPLICIT_EULER,
    IMPLICIT_TRAPEZOID
} Method;

typedef struct Partition {
    uint32_t node; /* of the calculus */
    ClockTicks ticks;
    ExprId fires;    /* it ticks now */
    ExprId first;    /* first use; EXPR_NONE: not used yet */
    ExprId interval; /* since the last time; likewise */
    Name solver;     /* NULL: none */
    Method method;
    bool is_integrated; /* has derivatives */
    Span span;
} Partition;

/* A row of the equations of all clocked partitions. */
typedef struct Row {
    uint32_t eq, partition;
    uint32_t initial; /* equation that holds at the first tick instead, or UINT32_MAX */
    VarId state;      /* whose step it is, or VAR_NONE */
    bool is_dummy;    /* the state is determined by others, and the step gives its derivative */
} Row;

typedef VEC(Row) Rows;

/* The variables that they determine. */
typedef struct Columns {
    Map of; /* VarId.i -> column */
    VEC(VarId) var;
} Columns;

/* When clocks tick. */
typedef struct Instants {
    ClockTicks ticks;
    ExprId fires;
} Instants;

typedef struct Clocks {
    System *s;
    Arena *scratch; /* kept to the end    */
    Arena *walk;    /* of expr_map        */
    ClockCalculus *calculus;
    uint32_t n_vars, n_eqs;  /* those that the partitions are of            */
    uint32_t *leader;        /* union-find of variables, then equations     */
    uint8_t *known;          /* per variable, then equation: IS_...         */
    uint32_t *node_of_clock; /* per variable of type Clock; UINT32_MAX      */
    VEC(Name) solver;        /* per node of the calculus; NULL              */
    VEC(Claim) claim;
    VEC(Link) link;
    VEC(Partition) partition;
    uint32_t *part_of; /* per leader; UINT32_MAX: not clocked         */
    bool *shows_start; /* per variable: until it ticks, its start value is read */
    VEC(Instants) instant;
    Map before;     /* expression -> VarId.i of its value before the event */
    Map previous;   /* variables that previous() is applied to */
    Map step;       /* VarId.i of a state -> ExprId.i of its value after a step by stages */
    bool *is_given; /* per initial equation: it belongs to a clocked state */
    uint32_t n_hidden;
    uint32_t partition_at_work; /* UINT32_MAX: the continuous one              */
    Span span;                  /* of the equation at work                     */
    bool failed;
} Clocks;

#define CONTINUOUS UINT32_MAX /* the partition that is not clocked */

/* ---- clocks.c ---- */

static inline ExprPool *clock_pool(const Clocks *c)
{
    return c->s->pool;
}

/* The operator on clocks that x is a call of, or INTRINSIC_NONE; its inputs, but for time. */
Intrinsic clock_operator_of(const Clocks *c, ExprId x);
uint32_t clock_n_inputs(const Clocks *c, ExprId x);
ExprId clock_input(const Clocks *c, ExprId x, uint32_t k);
/* The variable that x is and an equation has to determine, or NULL. */
const Var *clock_unknown(const Clocks *c, ExprId x);
/* Between clocks. */
bool is_clock_equation(const Clocks *c, const Eq *e);
/* Reported at c->span, once. */
void clock_fail(Clocks *c, const char *code, const char *what);
VarId clock_hidden(Clocks *c, const char *what, BaseType type);
void clock_add_eq(Clocks *c, VarId v, ExprId x);
/* Of variable k, or equation k - n_vars. */
uint32_t clock_partition_of(Clocks *c, uint32_t k);

/* ---- clock_equations.c ---- */

/* That a partition ticks, for all that have these ticks. */
ExprId clock_fires(Clocks *c, const ClockTicks *t);
/* All equations without operators on clocks; then initial ones, assertions and actions. */
void clock_equations(Clocks *c);
void clock_rest(Clocks *c);
/* The value of x before the event; that a partition ticks for the first time; its interval. */
ExprId clock_before(Clocks *c, ExprId x);
ExprId clock_first_tick(Clocks *c, Partition *part);
ExprId clock_interval(Clocks *c, Partition *part);
/* The partition of a variable that may be the derivative of one of the flat model. */
uint32_t clock_partition_of_var(Clocks *c, VarId v);
/* The equation holds where `fires` does; between, its variable x stays. */
void clock_hold(Clocks *c, Eq *e, ExprId x, ExprId fires);

/* ---- clock_stages.c ---- */

/* Clocks.step of the states of partitions with explicit methods of more than one stage, whose
 * equations, not yet held between ticks, are written once more for each stage. */
void clock_stages(Clocks *c, const Rows *rows, const Columns *columns, const Matching *m);

#endif
