/* fmu_variable.h -- the variables of a model as FMI sees them (FMI 2.0, 2.2.7; FMI 3.0, 2.4.7).
 *
 * One entry for time, one per row of the model's variables, then derivatives of states that have no
 * name of their own among these, then Strings with a text that is known, Strings that change, then
 * (FMI 3) event indicators. Value references are those of runtime/fmi/fmi_instance.h. With FMI 3
 * the elements of an array that have all in common are one entry. Variables that stand for the same
 * value have the same reference (FMI 2), or are one entry with other names (FMI 3): of a group, all
 * local ones but the first.
 */
#ifndef RUNG_EMIT_FMU_FMU_VARIABLE_H
#define RUNG_EMIT_FMU_FMU_VARIABLE_H

#include "emit/fmu/fmu.h"

typedef enum FmuCausality {
    FMU_LOCAL,
    FMU_PARAMETER,
    FMU_CALCULATED_PARAMETER,
    FMU_INPUT,
    FMU_OUTPUT,
    FMU_INDEPENDENT
} FmuCausality;

typedef enum FmuVariability {
    FMU_CONSTANT,
    FMU_FIXED,
    FMU_TUNABLE,
    FMU_DISCRETE,
    FMU_CONTINUOUS
} FmuVariability;

typedef enum FmuInitial { FMU_NO_INITIAL, FMU_EXACT, FMU_CALCULATED } FmuInitial;

enum { FMU_DIMS = 8 };

typedef struct FmuVariable {
    const char *name;
    const Var *var;                   /* NULL: time, event indicators */
    const RungAttributes *attributes; /* NULL: likewise               */
    uint32_t reference;
    RungType type;
    FmuCausality causality;
    FmuVariability variability;
    FmuInitial initial;
    double start;           /* NAN: none */
    uint32_t derivative_of; /* its place in the list; RUNG_NONE: of none */
    bool may_jump;          /* a state that events set */
    /* FMI 3: an array of that many elements, with consecutive references; 1: a scalar */
    uint32_t n, n_dims;
    uint32_t dim[FMU_DIMS];
    const double *starts;     /* n, where start is not NAN */
    const char *const *texts; /* n: of a String that is known; NULL: it is none */
    bool is_string;
    /* FMI 3: other names of the same value (FMI 3.0, 2.4.7.5) */
    const struct FmuVariable *alias; /* NULL: none; then its alias, and so on */
} FmuVariable;

typedef struct FmuVariables {
    VEC(FmuVariable) at;
    const uint32_t *state, *derivative; /* per state: places in the list */
    const uint32_t *reference;          /* per state: that of its derivative */
    uint32_t n_indicators;              /* at the end of the list (FMI 3) */
    const uint32_t *fixed; /* n_fixed: references of parameters that are not tunable, ascending */
    uint32_t n_fixed;
    uint32_t n_texts;             /* of all Strings */
    const char *const *text;      /* n_texts: from reference first_text on */
    const char *const *text_name; /* n_texts */
    uint32_t first_text;
    uint32_t n_shared; /* FMI 2: variables with the reference of another one */
    const bool *tuned; /* per variable of the System: a parameter that may change during a run */
} FmuVariables;

/* The variable of the System that row k of the model's variables is; VAR_NONE: of none. */
VarId fmu_var_of_row(const FmuModel *m, uint32_t row);
/* Per variable of the System: a parameter that is read when a run begins alone, by a constructor of
 * an external object, or for times of events and delays. */
const bool *fmu_fixed_parameters(const Program *g, Arena *mem);
FmuVariables fmu_variables(const FmuModel *m, int version, Arena *mem);

#endif
