/* by_nlopt.h -- minimises a function of a few parameters between bounds by NLopt. The library is
 * loaded on first use. */
#ifndef RUNG_STUDY_OPTIMIZE_BY_NLOPT_H
#define RUNG_STUDY_OPTIMIZE_BY_NLOPT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Minimum {
    uint32_t n;
    const double *low, *high; /* n */
    double *x;                /* n: the start, then where it ended */
    double x_tolerance;       /* it ends where a step moves no x by more, */
    double f_tolerance;       /* or changes the value by less             */
    int most;                 /* evaluations */
    /* The value at x, and its derivatives; with *stop it ends. */
    double (*value)(void *user, const double *x, double *gradient, bool *stop);
    void *user;
} Minimum;

typedef enum MinimumStatus {
    MINIMUM_FOUND,
    MINIMUM_ROUNDING, /* no better one is seen, for the value's last digits */
    MINIMUM_MOST,     /* after as many evaluations as there may be */
    MINIMUM_STOPPED,  /* by the function */
    MINIMUM_FAILED,   /* the algorithm gives up */
} MinimumStatus;

/* NULL, or the names of all algorithms, one blank apart: there is none of this name. */
const char *nlopt_names_unless(const char *algorithm);
bool nlopt_is_there(void);
/* Only where that is so, of an algorithm that there is. */
MinimumStatus nlopt_minimum(const char *algorithm, Minimum *m);

#endif
