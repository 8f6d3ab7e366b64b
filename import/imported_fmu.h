/* imported_fmu.h -- an FMU as its archive describes it: modelDescription.xml of FMI 2.0 and 3.0,
 * checked for all that a model needs of it (fmu_model.h).
 *
 * Read: variables with types, units, limits, start values and arrays; the structure of the model;
 * the default experiment; the interfaces. Not read: clocks and variables of type Binary, which are
 * left out; units in base units, terminals, annotations, build descriptions.
 */
#ifndef RUNG_IMPORT_IMPORTED_FMU_H
#define RUNG_IMPORT_IMPORTED_FMU_H

#include "base/diag.h"
#include "base/vec.h"
#include "runtime/fmi/fmi_unit.h"

typedef enum FmuInterface { FMU_ANY, FMU_MODEL_EXCHANGE, FMU_COSIMULATION } FmuInterface;

typedef enum ImportedCausality {
    IMPORTED_PARAMETER,
    IMPORTED_CALCULATED_PARAMETER,
    IMPORTED_INPUT,
    IMPORTED_OUTPUT,
    IMPORTED_LOCAL,
    IMPORTED_INDEPENDENT,
    IMPORTED_STRUCTURAL_PARAMETER
} ImportedCausality;

/* As far as values change: at no time, not after the initialisation, at events, always. */
typedef enum ImportedVariability {
    IMPORTED_CONSTANT,
    IMPORTED_FIXED,
    IMPORTED_TUNABLE,
    IMPORTED_DISCRETE,
    IMPORTED_CONTINUOUS
} ImportedVariability;

enum { FMU_MOST_DIMS = 8 };
#define FMU_NONE UINT32_MAX

typedef VEC(uint32_t) FmuIndices;

/* A variable, or an array of them; `of_archive` is the name in the archive. */
typedef struct FmuQuantity {
    const char *name, *description;  /* description: NULL if there is none */
    const char *unit, *display_unit; /* NULL: none */
    const char *start;               /* as it is written: a number, a list of them; NULL: none */
    double min, max, nominal;        /* NAN: none */
    uint32_t reference;              /* value reference */
    FmiUnitType type;
    ImportedCausality causality;
    ImportedVariability variability;
    bool is_exact;    /* initial = exact: its start value may be set */
    bool is_alias;    /* of another one, which stands before it in the list */
    uint32_t same_as; /* that one's index */
    uint32_t n;       /* elements, 1 of a scalar */
    uint32_t n_dims, dim[FMU_MOST_DIMS];
    uint32_t derivative_of; /* index of the state; FMU_NONE */
    bool has_dependencies;  /* of an output: */
    FmuIndices depends;     /* on these variables   */
    FmuIndices linear;      /* of an output or a derivative: the states that it is linear in, with
                               factors      that parameters alone determine */
    uint32_t velocity;      /* of a derivative: the state of which it is a multiple; FMU_NONE */
} FmuQuantity;

typedef struct ImportedFmu {
    const char *path; /* as it was given */
    int version;      /* 2 or 3          */
    const char *model, *description, *token;
    const char *of_exchange, *of_cosimulation; /* identifiers of binaries; NULL: not offered */
    bool completes; /* model exchange: it wants to know of accepted steps */
    bool has_slopes;
    uint32_t n_indicators, n_states;     /* n_states: elements */
    double start, stop, tolerance, step; /* of the default experiment; NAN: not given */
    VEC(FmuQuantity) quantity;
    FmuIndices state, rate; /* in the order of the FMU's states */
    uint32_t n_left_out; /* clocks, and variables of type Binary, or String that is no parameter */
} ImportedFmu;

/* Everything lives in mem. False after errors in d, which have the place in modelDescription.xml.
 */
bool imported_fmu_read(ImportedFmu *f, const char *path, Arena *mem, Diags *d);
/* Whether the archive has a binary of that interface for this platform; else an error in d. */
bool imported_fmu_has_binary(const ImportedFmu *f, FmuInterface interface, Arena *mem, Diags *d);
/* The interface that is wanted, or model exchange if there is any; FMU_ANY after an error in d. */
FmuInterface imported_fmu_interface(const ImportedFmu *f, FmuInterface wanted, Diags *d);

#endif
