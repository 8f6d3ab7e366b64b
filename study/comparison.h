/* comparison.h -- a trajectory against a reference, by the rule of csv-compare (tool of the
 * Modelica Association): around each reference signal lies a tube that the result must not leave.
 *
 * With the tolerance e the tube reaches e * max(tmax - tmin, |tmin|) to both sides in time and
 * e * max(ymax - ymin, |ymin|, 0.001) up and down: at a time x its upper edge is the largest
 * reference value within that time of x, plus that height. Between two samples of the reference
 * the wider one counts. Signals that only the result has are not looked at.
 */
#ifndef RUNG_STUDY_COMPARISON_H
#define RUNG_STUDY_COMPARISON_H

#include "base/arena.h"
#include "base/exit.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct CompareRequest {
    const char *result, *reference; /* files, CSV or MAT                                  */
    double tolerance;               /* NAN: 2e-3                                          */
    double stop;                    /* only up to there; NAN: to the end of the reference */
} CompareRequest;

typedef enum FitKind { FIT_INSIDE, FIT_OUTSIDE, FIT_MISSING } FitKind;

typedef struct SignalFit {
    const char *name;
    FitKind kind;
    uint32_t outside; /* samples                                                          */
    double worst;     /* how far the worst one is from the middle, in halves of the tube: more
                         than 1 is outside                                                */
    double over;      /* how far the worst one is outside, in the signal's unit           */
    double time;      /* of it                                                            */
} SignalFit;

typedef struct Comparison {
    double tolerance;
    double reached, end; /* times: of the result, and to which it is compared */
    bool ends_early;
    uint32_t n; /* signals of the reference */
    SignalFit *signal;
    uint32_t n_bad; /* that are outside or missing, and one more for an early end */
} Comparison;

/* EXIT_FILE (with a message on stderr) if a file does not hold numbers over an ascending time; else
 * EXIT_GOOD, also if signals differ. All in mem. */
Exit compare_results(const CompareRequest *r, Comparison *out, Arena *mem);

#endif
