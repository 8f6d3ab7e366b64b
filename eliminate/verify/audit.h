/* audit.h -- the flat equations, as the frontend made them, at points of a trajectory.
 *
 * The exact check (verify.h) proves the program; the audit watches a run. It evaluates both sides
 * of each equation of the flat model, before aliases, index reduction and elimination, by an
 * interpreter of its own, with the values of the result and the derivatives of the interpolant.
 *
 * The defect of an equation lhs = rhs is |lhs - rhs| divided by the size of its terms: what the
 * difference would be, to first order, if each variable in it were wrong by its own size. So a
 * defect of 1e-6 says that the equation holds exactly for values that differ from those of the run
 * by a share of 1e-6 (the componentwise backward error of Oettli and Prager 1964, Numerische
 * Mathematik 6). For example, with x = 2, y = 3.000006:
 *
 *     y = 1.5*x     difference 6e-6, size |3| + |1.5*2| = 6, defect 1e-6
 *
 * The size of a variable is |x| and the largest of all variables with its unit so far, no less than
 * that of which 32 roundings of the nominal value, to which Newton's method solves, are the bound;
 * that of a derivative |x'| + (|x| + nominal)/h: an
 * integrator that keeps its tolerance in a step of length h knows x' no better. A relation whose
 * sides are equal within `slack`, or were or will be within `late`, may be either; what depends on
 * it is not judged. A relation that makes events changes only where an event took place, and there
 * is as it was, or at zero, on the side before it.
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
    bool is_start;      /* initial equations are looked at, and what fixed = true says (MLS 8.6) */
    double late;        /* an event may be off by so much time */
} AuditPoint;

typedef enum AuditKind {
    AUDIT_EQUATION,
    AUDIT_INITIAL, /* an initial equation */
    AUDIT_FIXED,   /* a start value with fixed = true */
    AUDIT_BINDING, /* of a parameter */
    AUDIT_EVENT,   /* a relation changed and no event took place */
    AUDIT_JUMP,    /* what an event should have changed */
    AUDIT_CAUSE,   /* an event at which nothing could change */
} AuditKind;

typedef struct AuditFault {
    AuditKind kind;
    double defect, t;
    double lhs, rhs;
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
} AuditReport;

typedef struct Audit Audit;

/* flat: after flattening, in a pool that need not merge anything; calls in it are expanded where
 * they can be. Defects above `bound` are faults, of equations without derivatives above a thirtieth
 * of it: those hold for what the interpolant says, whatever it says. is_set: per variable, a
 * parameter whose binding was replaced from outside; may be NULL. */
Audit *audit_new(System *flat, double bound, double slack, const bool *is_set, Arena *mem);
void audit_point(Audit *a, const AuditPoint *at);
/* Where a step begins behind the start or an event, first `at`, then inside, close behind it: what
 * dies out far within the step, as the charging of a capacitor through a closed switch, an implicit
 * method steps over, and equations with derivatives that do not hold at its beginning have to hold
 * behind it. */
void audit_begin(Audit *a, const AuditPoint *at);
void audit_behind(Audit *a, const AuditPoint *at);
/* Events took place since the last point. */
void audit_event(Audit *a);
/* The end of a step before an event: up to there no relation has changed unseen, whichever one made
 * the event. Without inputs, samples and clocks some relation is at zero there. */
void audit_before(Audit *a, const AuditPoint *before);
/* The other side of that event: what when-clauses and reinit say of it (MLS 8.3.5, 8.3.6). A
 * condition whose sides are nearly equal, as that of a state event is, may have been true or false;
 * either must have been carried out. `again`: pre(v) has followed v more than once, perhaps only
 * that of a condition; then only clauses are judged whose condition became true at once. */
void audit_jump(Audit *a, const AuditPoint *after, bool again);
AuditReport audit_report(Audit *a);

#endif
