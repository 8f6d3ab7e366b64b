/* verify.h -- the exact check: the program put into the equations as the model wrote them.
 *
 * Both sides are evaluated at random points, modulo primes of 61 bits and in fractions (exact.h,
 * number.h): states, parameters without a value and time are random numbers, an angle is a random
 * point of the unit circle, any other function a random number per argument. Residuals must be
 * exactly zero. The equations come from a System of their own, built without merging, so that
 * nothing here reuses the pool's notion of equality. In residues the check takes a time that is
 * proportional to the size of the program; fractions grow with it.
 *
 * A program that is wrong in one rational function of degree d passes a point with a probability of
 * at most d / VERIFY_RESIDUES, or d / VERIFY_RANGE in fractions (J. T. Schwartz, R. Zippel); points
 * multiply.
 */
#ifndef RUNG_ELIMINATE_VERIFY_VERIFY_H
#define RUNG_ELIMINATE_VERIFY_VERIFY_H

#include "eliminate/prepare/loop_cut.h"
#include "eliminate/verify/exact.h"
#include "ir/program.h"

/* How many there are: modulo primes, and in fractions. */
typedef struct VerifyPoints {
    uint32_t residues, fractions;
} VerifyPoints;

typedef struct VerifyReport {
    VerifyPoints wanted, done; /* fewer are done if too many divide by zero */
    uint32_t n_equations;
    double degree;     /* no residual has a numerator of higher degree; INFINITY: beyond all use */
    uint32_t n_newton; /* equations that are residuals of nonlinear blocks: they hold at run time */
    uint32_t n_turned; /* others that, in another frame, are such residuals */
    uint32_t n_assumed; /* that hold if factors of derivatives are zero, which runs check */
    uint32_t n_skipped; /* others of unknowns that a nonlinear block determines: not proved */
    bool ok;
    EqId failed; /* of the model, in `flat`; or */
    uint32_t
        failed_cut;    /* the number of the constraint or balance of a cut loop; else UINT32_MAX */
    uint32_t n_slopes; /* rows of derivatives, compared with dual numbers */
    const char *failed_slope; /* NULL, or which derivatives are wrong, in words   */
    uint32_t failed_row;      /* of them                                          */
    uint32_t n_rates;   /* variables x whose der(x) is the derivative of the program's value of x */
    VarId failed_rate;  /* in `flat`: that is not so, or VAR_NONE                              */
    uint32_t n_cut;     /* constraints and balances of cut loops, compared with the program's */
    VarId failed_whole; /* in `flat`: an Integer that the equations make a fraction, or VAR_NONE */
    uint32_t n_divided; /* Integers that are found by division: a run checks that they are whole */
    VarId divided;      /* in `flat`: the first of them */
} VerifyReport;

/* flat: the same model, flattened, its loops cut as the program's are (cut; NULL: none), in a pool
 * that merges nothing. Derivatives are compared at the points modulo primes. */
VerifyReport verify(const Program *g, System *flat, const LoopCut *cut, VerifyPoints points);

/* Which variable of the program is which of the flat model. */
typedef struct Correspondence {
    const uint32_t *match; /* per variable of flat: that of the program, or UINT32_MAX */
    /* per variable of flat: the value of a final parameter, or EXPR_NONE */
    const ExprId *bound;
    const uint32_t *memory_of; /* per variable of the program: which memory it is, or UINT32_MAX */
} Correspondence;

Correspondence correspondence_of(const Program *g, System *flat, Arena *mem);

/* Signs of residues are random, so that a branch is taken at half of the points. */
bool verify_has_conditions(const System *flat);

/* Whether all points wanted were good ones and no equation was left out. */
static inline bool verify_is_proved(const VerifyReport *r)
{
    return r->ok && r->done.residues == r->wanted.residues &&
           r->done.fractions == r->wanted.fractions && r->n_skipped == 0;
}

#endif
