/* verify.h -- the exact check: the program put into the equations as the model wrote them.
 *
 * Both sides are evaluated over the rationals (GMP) at random points: states, parameters without a
 * value and time are random small fractions, an angle is a random rational point of the unit
 * circle, any other function a random fraction per argument. Residuals must be exactly zero. The
 * equations come from a System of their own, built without merging, so that nothing here reuses
 * the pool's notion of equality.
 *
 * A program that is wrong in one rational function of degree d passes a point with probability of
 * at most d / VERIFY_RANGE (Schwartz-Zippel); points multiply.
 */
#ifndef RUNG_ELIMINATE_VERIFY_VERIFY_H
#define RUNG_ELIMINATE_VERIFY_VERIFY_H

#include "eliminate/prepare/loop_cut.h"
#include "eliminate/verify/exact.h"

typedef struct VerifyReport {
    uint32_t n_wanted, n_points; /* points; n_points < n_wanted if too many divide by zero */
    uint32_t n_equations;
    double degree;     /* no residual has a numerator of higher degree; INFINITY: beyond all use */
    uint32_t n_newton; /* equations that are residuals of nonlinear blocks: they hold at run time */
    uint32_t n_turned; /* others that, in another frame, are such residuals */
    uint32_t n_skipped; /* others of unknowns that a nonlinear block determines: not proved */
    bool ok;
    EqId failed; /* of the model, in `flat`; or */
    uint32_t
        failed_cut;    /* the number of the constraint or balance of a cut loop; else UINT32_MAX */
    uint32_t n_slopes; /* rows of derivatives, compared with dual numbers */
    const char *failed_slope; /* NULL, or which derivatives are wrong, in words   */
    uint32_t failed_row;      /* of them                                          */
    uint32_t n_cut; /* constraints and balances of cut loops, compared with the program's */
} VerifyReport;

/* flat: the same model, flattened, its loops cut as the program's are (cut; NULL: none), in a pool
 * that merges nothing. */
VerifyReport verify(const Program *g, System *flat, const LoopCut *cut, uint32_t n_points);

#endif
