/* audit_parts.h -- the audit's nodes and equations, for its files: audit.c makes them and looks at
 * points and events, audit_steps.c at whole steps. */
#ifndef RUNG_ELIMINATE_VERIFY_AUDIT_PARTS_H
#define RUNG_ELIMINATE_VERIFY_AUDIT_PARTS_H

#include "eliminate/verify/audit.h"
#include "ir/body.h"

#include <float.h>

static const double WITHOUT_RATES = 30; /* audit.h */
static const double SOLVED =
    32 * DBL_EPSILON;                       /* to which Newton's method goes, of nominal values */
static const uint32_t FOREVER = UINT32_MAX; /* a stamp: numbers stay */

enum {
    UNSURE = 1, /* depends on a relation whose sides are nearly equal */
    OPEN = 2,   /* cannot be evaluated here                           */
    MOVED = 4,  /* of an event: contains a variable that has taken several values */
};

/* A node of the pool that equations reach, operands first. */
typedef struct Cell {
    ExprId x;
    Op op;
    uint8_t fn;
    bool makes_events; /* a relation outside noEvent, smooth and functions */
    uint32_t n, arg;   /* operands: cells, from Audit.arg[arg] on            */
    uint32_t var;      /* OP_VAR: of the System; OP_CALL: first of its results */
} Cell;

/* Of a cell at a point: its value, the size of its terms, its slope in time. */
typedef struct Reading {
    double v, size, slope;
    uint8_t flags;
} Reading;

typedef struct Line {
    AuditKind kind;
    uint32_t left, right; /* cells */
    ExprId lhs, rhs;
    Span span;
    const char *origin;
    double bound; /* of its defect */
    bool has_pre; /* holds pre(): a when-clause, as a rule */
    /* v = ... pre(v) ...: at an event that changes v once, evaluated with the former v */
    bool remembers;
    bool may_jump; /* contains discrete variables or their followers, which events at the start may
                      change */
    bool has_rate; /* holds a derivative */
    bool is_open;  /* has to hold behind the beginning of the step */
    bool was_seen; /* evaluated at some point */
    bool is_bad;
    AuditFault worst;
    bool has_jumped; /* AuditReport.jump: */
    AuditFault jump;
    bool begins_wrong; /* at the beginning at work, not judged yet: */
    AuditFault at_begin;
    /* of a step (audit_steps.c) */
    bool is_suspect;
    double sum, least, terms; /* integrals: of lhs - rhs; its size by rates alone; of its terms */
    double of_left, of_right; /* integrals of the sides */
    double own;               /* size of its terms by the values at the point alone */
    double coarse;            /* the integral with fewer nodes */
    double part, largest;     /* of a part of the step, and of the part with the largest */
    bool is_refined;          /* by more nodes, once */
    bool has_kink;            /* more nodes say another thing: the step goes over a kink */
    double moves;             /* its change if each state is off by a tolerance */
    double ease;              /* the last (least + moves)/least; it serves for a while */
    uint32_t ease_age;
} Line;

/* A derivative: its cell, and that of the expression it is of. */
typedef struct Rate {
    uint32_t der, of;
    double unit; /* change of that expression if each state has an error of one tolerance */
    bool is_undetermined; /* that was too large once (AUDIT_UNDETERMINED) */
} Rate;

/* Constant, changing at events only, or changing with time. */
typedef enum Level { LEVEL_STILL, LEVEL_DISCRETE, LEVEL_MOVES } Level;

/* Cells in the order of evaluation. */
typedef VEC(uint32_t) CellList;

/* The data of checks over steps: values alone, of cells that move. */
typedef struct Steps {
    uint8_t *level;              /* per cell */
    double *v, *terms, *by_rate; /* per cell: value, size of its terms, and by rates alone */
    double *result;              /* of calls */
    double t;                    /* of the point at work, with the values of its variables */
    const double *value;
    CellList calm;             /* that move at events alone; refreshed there */
    CellList point;            /* of equations without rates, of relations    */
    CellList under, integrand; /* below derivatives; of equations with rates  */
    CellList relation;         /* that make events                            */
    VEC(uint32_t) point_line, integral_line;
    VEC(Rate) rate;
    uint32_t *rate_of;     /* per cell: its place in rate, UINT32_MAX      */
    uint32_t *cell_of_var; /* per variable that a derivative is of         */
    double *middle;        /* per rate: its value in the middle of a step */
    bool *reads;           /* per variable */
    uint32_t *read;        /* per cell: stamp of its Reading */
    uint32_t read_now;
    bool relations_differ; /* at the last point */
    double tight;  /* bound of residuals of equations without rates, relative to their terms */
    double rough;  /* likewise of integrals, per tolerance */
    double whole;  /* the integrator's step, in spans */
    double span;   /* of the step at work */
    uint64_t work; /* cells evaluated */
} Steps;

/* The users of each cell, user[first[k]] .. user[first[k + 1]]. */
typedef struct AuditUsers {
    uint32_t *first, *user;
    bool *is_root;       /* per cell: a side of an equation, a condition of an action */
    uint32_t *seen, now; /* stamps of a walk */
    bool met_equal;      /* the last audit_is_read has come upon branches of one value */
} AuditUsers;

/* An action in cells. */
typedef struct Jump {
    uint32_t fires, var, value, line;
} Jump;

struct Audit {
    System *s;
    Arena *mem;
    double bound, slack, tolerance;
    VEC(Cell) cell;
    VEC(uint32_t) arg;
    Reading *at;          /* per cell */
    Reading *left;        /* likewise, those before an event */
    Jump *jump;           /* per action of the System */
    const bool *restarts; /* per variable: by reinit */
    const bool
        *is_timed; /* per variable: one value at the time of a sample, another one after it */
    const bool *follows_discrete; /* per variable: set to discrete variables or pre() of some */
    Reading *result;              /* of calls */
    uint32_t n_results;
    Map cell_of; /* node -> cell */
    VEC(Line) line;
    Reading *of_var; /* per variable, at the point of work: its leaf; NULL elsewhere */
    /* sizes */
    uint32_t *unit;      /* per variable: place in largest, UINT32_MAX: its own size alone */
    double *largest;     /* per unit: |value| so far, or a small part of a nominal value    */
    double *nominal;     /* per variable */
    double least;        /* size that a variable has at least, in nominal values */
    const AuditPoint *p; /* at work */
    Reading *was;        /* per cell before an event, while one is looked at; else NULL */
    /* relations that make events */
    int8_t *truth; /* per cell: -1 not known */
    /* per cell: at the point of work the change of both sides' difference if each state is off by a
     * tolerance; and the difference itself */
    double *moves, *apart;
    const bool *has_rate;   /* per cell: it holds a derivative, which interpolants know badly */
    bool rate_makes_events; /* a relation does */
    bool is_before;         /* the point is the left side of an event */
    bool is_begin;          /* a step begins at the point */
    bool reported_cause;    /* that an event had none */
    bool is_screening;      /* readings are those of the cells with the stamp of now (Steps) */
    AuditUsers users;
    /* interpreter of function bodies */
    double *memo;
    uint32_t *stamp, memo_size;
    uint32_t now, last; /* the stamp at work, the last one given out */
    uint32_t depth;
    uint32_t n_points;
    double worst;
    Steps steps;
};

/* audit.c */
Reading audit_evaluate(Audit *a, uint32_t cell);
bool audit_call(Audit *a, FuncId f, uint32_t n, const double *in, double *out);
double audit_fn_slope(Fn f, double x);
/* x = the right side, over the branches that may have been taken; 0 where nothing can be said. */
double audit_least_defect(const Audit *a, const Reading *x, uint32_t right);
/* The larger of the defects of an equation is kept. */
void audit_note(Audit *a, Line *l, const AuditFault *f);
void audit_sizes(Audit *a, const AuditPoint *at);
void audit_look_at_relation(Audit *a, uint32_t cell);
/* audit_reads.c: whether an equation reads the value of the cell at the point of work. That of a
 * and b, with b false, does not read a. */
void audit_find_users(Audit *a);
bool audit_is_read(Audit *a, uint32_t cell);
/* audit_steps.c: the readings of a cell and all below. */
void audit_read_below(Audit *a, uint32_t cell);

#endif
