/* measure.h -- a model solved in one order of elimination, in numbers.
 *
 * The passes before the elimination run once. Every order continues from there in its own process
 * (branch.h), since in one pool the second order would find the results of the first. An operation
 * belongs to the first block, in the order of evaluation, that needs its result, so the blocks and
 * the explicit equations between them add up to the whole.
 */
#ifndef RUNG_STUDY_MEASURE_MEASURE_H
#define RUNG_STUDY_MEASURE_MEASURE_H

#include "base/exit.h"
#include "eliminate/block/ordering.h"
#include "eliminate/block/solve.h"
#include "eliminate/dae.h"
#include "graph/lu_cost.h"
#include "translate/request.h"

typedef struct BlockMeasure {
    BlockKind kind;
    const char *first; /* name of an unknown */
    uint32_t n;        /* equations */
    uint32_t n_torn;   /* tearing variables of the order, 0 if it has none; nonlinear: Newton's */
    uint32_t nonzeros, fill, swaps;
    uint32_t n_vanishing;  /* pivots that vanish at a sample point */
    const char *taken;     /* the order; "" for none */
    Failure failure;       /* of a candidate before that */
    uint32_t n_candidates; /* where there were several */
    const CandidateReport *candidate;
    bool is_numeric;       /* left to the LU at run time */
    OpCount ops;           /* for the accelerations if it serves them; nonlinear: one iteration */
    double growth;         /* growth of errors (eliminate/block/program_growth.h), NAN if unknown */
    LuCost numeric;        /* sparse LU at run time; not ok: not measured; without the columns */
    double numeric_growth; /* growth of its errors (eliminate/block/growth.h), NAN if unknown */
} BlockMeasure;

typedef struct Measure {
    const char *order; /* its name, "auto" for the compiler's choice */
    bool ok;
    Failure failure; /* not ok: why, without the name of `order` */
    uint32_t n_moved, n_turned, n_shifted, n_rates, n_points,
        n_axes; /* eliminate/frames/frames.h */
    OpCount accelerations,
        total; /* of the derivatives of the states or efforts, of all variables */
    uint32_t n_blocks;
    const BlockMeasure *block;
} Measure;

/* The residual form: inverse dynamics, nothing of the handles eliminated. */
typedef struct ResidualMeasure {
    uint32_t n;  /* tearing variables                                        */
    OpCount ops; /* for the residuals and the derivatives of the other states */
} ResidualMeasure;

/* Equations in base parameters (eliminate/forms/base_form.h), as C libraries have them. */
typedef struct BaseMeasure {
    bool is_taken;                 /* it is cheaper                          */
    uint32_t n_parameters, n_base; /* of bodies; of these not zero           */
    OpCount ops;                   /* for the derivatives of the states or efforts */
    ResidualMeasure residual;      /* n is 0 where it is not cheaper         */
} BaseMeasure;

/* Whether the order solved this block; blocks that it cannot solve are left to the compiler. */
bool measure_used(const Measure *m, uint32_t block);

/* The order that all linear blocks were solved in, "" where it is not one; NULL without blocks. */
const char *measure_single_order(const Measure *m);

/* An order is not carried out if the estimate for one block, operations on parameters included, is
 * larger.
 */
enum { MEASURE_LIMIT = 3 * 1000 * 1000 };

/* Requests for one model, and their results. */
typedef struct Measures {
    const char *motion, *effort; /* patterns: inverse dynamics (translate/inversion.h); or NULL */
    Measure choice;              /* the compiler's own */
    uint32_t n;
    const char *order[ORDER_NAMES]; /* requested */
    Measure forced[ORDER_NAMES];
    bool ask_residual;
    ResidualMeasure residual;
    BaseMeasure base; /* with the residual form */
} Measures;

/* The errors of the model, of the compiler's choice and of the residual form are printed; an order
 * that fails is a result. Results live in mem. */
Exit measures_find(const Request *r, const char *model, Measures *m, Arena *mem);

#endif
