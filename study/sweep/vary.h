/* vary.h -- the values that the runs of `rung sweep` take.
 *
 * An axis is a list (--vary p=1,2,4), a file of rows, whose columns belong together (--vary-from),
 * or a distribution: uniform(a,b), normal(mean,deviation). The sampling makes runs of them:
 *
 *     grid     each value of a list with each of the others, the last axis varying fastest
 *     list     run k takes the k-th value of each list
 *     random   run k draws from each axis, from lists too; more runs begin with the same ones
 *     lhs      Latin hypercube (McKay, Beckman, Conover 1979): of n runs each takes another n-th of
 *              every distribution, and lists take turns
 *
 * The same seed gives the same values, on any machine and for any number of processes.
 */
#ifndef RUNG_STUDY_SWEEP_VARY_H
#define RUNG_STUDY_SWEEP_VARY_H

#include "base/exit.h"
#include "base/vec.h"

#include <stdint.h>

typedef enum VaryKind { VARY_LIST, VARY_UNIFORM, VARY_NORMAL } VaryKind;

typedef struct VaryAxis {
    VaryKind kind;
    Texts name; /* several of a file, else one                        */
    Texts row;  /* of a list: row by row the values of all names      */
    uint32_t n_rows;
    double a, b;     /* of a distribution: bounds, or mean and deviation    */
    uint32_t *place; /* of lhs: the n-th that run k takes; else NULL        */
} VaryAxis;

typedef enum Sampling {
    SAMPLING_DEFAULT, /* grid, or random where there is a distribution */
    SAMPLING_GRID,
    SAMPLING_LIST,
    SAMPLING_LHS,
    SAMPLING_RANDOM
} Sampling;

typedef struct VaryRequest {
    Texts axes;       /* "p=1,2,4", "p=normal(0,1)"               */
    const char *file; /* of rows; NULL: none                      */
    Sampling sampling;
    double runs, seed; /* whole numbers; NAN: not given            */
    Texts set;         /* "p=v" of all runs: these must not vary   */
} VaryRequest;

typedef struct Vary {
    VEC(VaryAxis) axis;
    Texts name;        /* all that vary, in order     */
    uint32_t n_runs;   /* 1 or more */
    Sampling sampling; /* not SAMPLING_DEFAULT */
    uint64_t seed;
} Vary;

const char *sampling_name(Sampling s);

/* EXIT_USAGE or EXIT_FILE, with a message on stderr, if the request or the file is invalid. */
Exit vary_read(Vary *v, const VaryRequest *r, Arena *mem);
/* The value of the k-th name in a run, as --set takes it. */
const char *vary_value(const Vary *v, uint32_t run, uint32_t k, Arena *mem);

/* The i-th value that it can take, of a distribution one; NULL: there are no more. */
const char *vary_possible(const Vary *v, uint32_t k, uint32_t i, Arena *mem);

/* x with P(X < x) = p, 0 < p < 1, for X normal with mean 0 and deviation 1. */
double vary_normal(double p);

#endif
