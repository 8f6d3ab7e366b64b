/* fmu_dependency.h -- which states and inputs the derivatives of states and the outputs depend on,
 * and how (FMI 2.0, 2.2.8; FMI 3.0, 2.4.8).
 *
 * A value depends on the known variables in its expression; through unknowns of a block on those in
 * the block's residuals; through relations and other memory on those in their expressions, since an
 * event makes these take effect. Known variables are the states in their order, then the inputs,
 * then time.
 */
#ifndef RUNG_EMIT_FMU_FMU_DEPENDENCY_H
#define RUNG_EMIT_FMU_FMU_DEPENDENCY_H

#include "ir/program.h"

typedef enum FmuDependency {
    FMU_UNRELATED,
    FMU_DEPENDENT,       /* in any way                                            */
    FMU_CONSTANT_FACTOR, /* linearly, with a number as the factor                 */
    FMU_FIXED_FACTOR,    /* with one of parameters that stay                      */
    FMU_TUNABLE_FACTOR,  /* of parameters that may change                         */
    FMU_DISCRETE_FACTOR  /* of variables that change at events only               */
} FmuDependency;

typedef struct FmuDependencies {
    uint32_t n_known;
    const VarId *known; /* n_known; the last one is VAR_NONE: time */
    uint32_t n_outputs;
    const VarId *output; /* n_outputs: top-level outputs */
    unsigned char **row; /* per state, then per output: FmuDependency of each known */
} FmuDependencies;

/* tuned: per variable of the System, a parameter that may change. NULL rows where everything counts
 * as dependent: loops are cut, or there are too many numbers. Takes the number of known variables
 * times the size of the program, over 64. */
FmuDependencies fmu_dependencies(const Program *g, const bool *tuned, Arena *mem);

#endif
