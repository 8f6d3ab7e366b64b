/* pass_costs.h -- time and memory of each pass for one model, and how the model grows.
 *
 *     PassCost cost[...];                                  driver_n_passes() of them
 *     bool ok = pass_costs_measure(c, cost, &n);           c: compilation_open()
 *     printf("%s %.0f MB\n", cost[n - 1].pass->name, (double)cost[n - 1].peak / 1e6);
 */
#ifndef RUNG_STUDY_MEASURE_PASS_COSTS_H
#define RUNG_STUDY_MEASURE_PASS_COSTS_H

#include "translate/driver.h"

typedef struct PassCost {
    const Pass *pass;
    double seconds;                /* of the processor */
    uint32_t n_equations, n_nodes; /* after the pass: of the System, of its pool of expressions */
    size_t kept;                   /* bytes of the compilation's arena */
    size_t peak;                   /* bytes: the most memory of the process up to here */
} PassCost;

/* Runs all passes, one after the other. n: passes that were run. False after an error, which is
 * among the messages of the compilation. */
bool pass_costs_measure(Compilation *c, PassCost *out, uint32_t *n);

#endif
