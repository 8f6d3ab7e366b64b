/* audit.h -- the flat equations, as the frontend made them, at points of a trajectory.
 *
 * The exact check (verify.h) proves the program; the audit watches a run. It evaluates both sides
 * of each equation of the flat model, before aliases, index reduction and elimination, by an
 * interpreter of its own, with the values of the result and the derivatives of the interpolant.
 *
 * The defect of an equation lhs = rhs is |lhs - rhs| divided by the size of its terms: the
 * difference, to first order, if each variable in it were wrong by its own size. So a defect of
 * 1e-6 says that the equation holds exactly for values that differ from those of the run by a share
 * of 1e-6 (the componentwise backward error of Oettli and Prager 1964, Numerische Mathematik 6).
 * For example, with x = 2, y = 3.000006:
 *
 *     y = 1.5*x     difference 6e-6, size |3| + |1.5*2| = 6, defect 1e-6
 *
 * The size of a variable is |x| and the largest of all variables with its unit so far, no less than
 * that of which 32 roundings of the nominal value, to which Newton's method solves, are the bound;
 * that of a derivative |x'| + (|x| + nominal)/h: an integrator that keeps its tolerance in a step
 * of length h knows x' no better. A relation whose sides are equal within `slack`, or were or will
 * be within `late`, may be either; equations that depend on it are not judged. A relation that
 * makes events changes only where an event took place, and there is as it was, or at zero, on the
 * side before it.
 */
#ifndef RUNG_ELIMINATE_VERIFY_AUDIT_H
#define RUNG_ELIMINATE_VERIFY_AUDIT_H

#include "ir/system.h"

/* All arrays: one entry per variable of the System. NAN: not known, the equations that hold it are
 * left out at this point. */
typedef struct AuditPoint {
    double t;
    double step; /* length of the integrator's step around t */
    const double *value;
    const double *rate; /* time derivative */
    /* initial equations and start values with fixed = true are checked (MLS 8.6) */
    bool is_start;
    double late; /* an event may be off by so much time */
} AuditPoint;

typedef enum AuditKind {
    AUDIT_EQUATION,
    AUDIT_INITIAL,      /* an initial equation */
    AUDIT_FIXED,        /* a start value with fixed = true */
    AUDIT_BINDING,      /* of a parameter */
    AUDIT_EVENT,        /* a relation changed and no event took place */
    AUDIT_JUMP,         /* a change missing at an event */
    AUDIT_CAUSE,        /* an event at which nothing could change */
    AUDIT_STEP,         /* an equation with derivatives, over a step */
    AUDIT_GAP,          /* a state that does not begin where it has ended */
    AUDIT_UNDETERMINED, /* lhs, a variable that the states do not determine: it changes by rhs if
                           each state changes by a tolerance */
} AuditKind;

typedef struct AuditFault {
    AuditKind kind;
    double defect; /* in tolerances, of which 10 are the bound */
    double t;
    double lhs, rhs;    /* values of the sides; AUDIT_STEP: their means over the step */
    ExprId left, right; /* AUDIT_EVENT: the relation is left; AUDIT_CAUSE: none */
    Span span;
    const char *origin; /* instance path, as in Eq */
} AuditFault;

typedef struct AuditReport {
    uint32_t n_points, n_equations;
    uint32_t n_open; /* equations that could be evaluated at no point: texts, external functions,
                        delays */
    double worst;    /* defect */
    uint32_t n_faults;
    const AuditFault *fault; /* the worst of each equation, largest defect first */
    /* No faults: a variable jumps within a step, by a condition without events, and the equation's
     * derivative of it does not contain the jump; the first of each equation. */
    uint32_t n_jumps;
    const AuditFault *jump;
} AuditReport;

typedef struct Audit Audit;

/* flat: after flattening, in a pool that need not merge anything; calls in it are expanded where
 * they can be. Defects of equations with derivatives at single points (initial ones, and at
 * events) above `bound`, as shares of their terms, are faults, of those without above a thirtieth
 * of it. is_set: per variable, whose binding or start value was replaced from outside; may be NULL.
 */
Audit *audit_new(System *flat, double bound, double tolerance, const bool *is_set, Arena *mem);
void audit_point(Audit *a, const AuditPoint *at);
/* The beginning of a step after the start or an event, first `at`, then inside, just behind it: an
 * implicit method steps over components that decay far within the step, as the charging of a
 * capacitor through a closed switch; initial equations with derivatives that do not hold at its
 * beginning have to hold behind it. */
void audit_begin(Audit *a, const AuditPoint *at);
void audit_behind(Audit *a, const AuditPoint *at);
/* Equations that do not hold at the beginning: how many; the values that belong to moved
 * states, of which the effect is a tolerance as in steps, several times; then the judgement. */
uint32_t audit_begin_suspects(const Audit *a);
void audit_begin_moved(Audit *a, const AuditPoint *at);
void audit_begin_judge(Audit *a);
/* Before the end of a step at an event, or a point at which a relation has changed: the values
 * there, of which it is said whether a relation differs from before, or is not known from there;
 * then those that belong to moved states, several times. A relation of sides that are closer than
 * ten tolerances of the states may be either there. audit_sure: at other points none may. */
bool audit_unsure(Audit *a, double t, const double *value);
void audit_unsure_moved(Audit *a, double t, const double *moved);
void audit_sure(Audit *a);
/* Events took place since the last point. */
void audit_event(Audit *a);
/* The end of a step before an event: up to there no relation has changed unseen, whichever one made
 * the event. Without inputs, samples and clocks some relation is at zero there. */
void audit_before(Audit *a, const AuditPoint *before);
/* The other side of that event: checks its when-clauses and reinit (MLS 8.3.5, 8.3.6). A condition
 * whose sides are nearly equal, as that of a state event is, may have been true or false; either
 * must have been carried out. `again`: pre(v) has followed v more than once, perhaps only that of a
 * condition; then only clauses are judged whose condition became true at once. */
void audit_jump(Audit *a, const AuditPoint *after, bool again);

/* ---- steps (audit_steps.c) ----
 *
 * Between events an equation without derivatives holds at points inside the step, and one with
 * derivatives over the step: for m*der(v) = f
 *
 *     integral of (m v' - f) dt = 0,
 *
 * v' being the derivative of the polynomial through the values at the nodes of the quadrature, so
 * that the integral of v' is v(t1) - v(t0). The unit of a defect is the tolerance: the residual of
 * the equation if each state had an error of one tolerance. The model is evaluated for such states,
 * with the values `v moved` and `f moved`:
 *
 *     |integral| <= 10 (sum of |m| |v moved - v| + h |f moved - f|) + 1e-9 (size of its terms)
 *
 * A stiff equation der(x) = -k*(x - u) is so held to h k tolerances, and its solution to one; the
 * constraint of a cut loop, which an interpolant satisfies to its order only, to the effect of a
 * tolerance there. An equation that the values satisfy by construction has nothing but its
 * rounding. */

enum { AUDIT_TOLERANCES = 10, AUDIT_NODES = 8 };

/* Of the result, per variable of the System. */
typedef struct AuditColumns {
    const bool *is_still;   /* a number, parameter or constant                      */
    const uint32_t *place;  /* equal: they are one number; UINT32_MAX: not known    */
    const bool *is_negated; /* but for the sign                                     */
} AuditColumns;

/* Values at t0 + tau[k] h, and the weights of a quadrature, of sum 1; a node of weight 0 serves
 * the derivatives alone. */
typedef struct AuditNodes {
    double t0, h;
    double span;  /* of the step of which this is a part      */
    double whole; /* of the integrator, which an event may cut */
    uint32_t n;
    const double *tau, *weight;
    const double *value[AUDIT_NODES]; /* per variable that moves */
} AuditNodes;

/* Before all others here; columns may be NULL. */
void audit_prepare(Audit *a, const AuditColumns *columns);
const bool *audit_reads(const Audit *a); /* per variable: its values inside steps are needed */
bool audit_has_fault(const Audit *a);    /* an equation is beyond its bound */
uint64_t audit_work(const Audit *a);     /* operations so far */
uint32_t audit_cells(const Audit *a);    /* of a step */
/* After the start and each event: values that stay until the next. */
void audit_calm(Audit *a, const AuditPoint *at);

/* A point inside a step: how many equations are suspect; for these, values that belong to moved
 * states, several times, then the judgement. */
uint32_t audit_screen(Audit *a, const AuditPoint *at);
void audit_screen_moved(Audit *a, double t, const double *moved);
void audit_screen_judge(Audit *a);
/* Whether a relation there is another one than before. Then the point again, behind audit_unsure,
 * and the judgement of relations. */
bool audit_screen_relations_differ(const Audit *a);
void audit_screen_relations(Audit *a);

/* Integrals over the step, or anew over one part of it after the other. */
void audit_integrate(Audit *a, const AuditNodes *nodes, bool anew);
/* How many are suspect; then states moved in the middle, and how many that does not explain. */
uint32_t audit_integral_suspects(Audit *a);
void audit_integral_moved(Audit *a, const AuditPoint *middle, double span, const double *moved,
                          bool first);
uint32_t audit_integral_explained(Audit *a);
/* After integrals with more nodes: those that have converged are judged; how many have not. */
uint32_t audit_integral_judge(Audit *a, const AuditPoint *middle, double span, double t1);
/* A step begins with another value of a state than the last one has ended with. */
void audit_gap(Audit *a, double t, VarId v, double before, double after, double defect);

AuditReport audit_report(Audit *a);

#endif
