/* fmu.h -- a model as a Functional Mock-up Unit (FMI 2.0.5, 3.0.2): one archive for model exchange
 * and co-simulation.
 *
 *     fmu_variable.[ch]      attributes of each variable: causality, variability, initial
 *     fmu_dependency.[ch]    which states and inputs a value depends on
 *     fmu_description.[ch]   modelDescription.xml and buildDescription.xml
 *     fmu_terminal.[ch]      terminalsAndIcons/
 *     fmu_archive.[ch]       the ZIP file: fixed order and times, so that the same model gives the
 *                            same bytes
 *     fmu.c                  the sources of an FMU, and the build of its binary
 */
#ifndef RUNG_EMIT_FMU_FMU_H
#define RUNG_EMIT_FMU_FMU_H

#include "emit/model/build.h"
#include "ir/program.h"

typedef struct FmuOptions {
    int version; /* 2 or 3 */
    bool model_exchange, co_simulation, sources;
    const char *tool;
    const volatile sig_atomic_t *interrupt; /* of compiling; may be NULL */
    Cache *cache;                           /* for the object that all FMUs share; may be NULL */
} FmuOptions;

typedef struct FmuModel {
    const Program *program;
    const System *sys;
    const EmitFiles *files;
    const RungModel *model; /* loaded, made of these files */
    const double *value;    /* per row: the start value if it is known; else NAN */
} FmuModel;

typedef struct FmuFile {
    const char *path; /* in the archive */
    size_t size;      /* unpacked       */
} FmuFile;

/* The archive and its contents. */
typedef struct FmuResult {
    const char *bytes; /* the archive */
    size_t size;
    const char *token, *identifier; /* GUID or instantiation token; modelIdentifier */
    uint32_t n_files;
    const FmuFile *file;
    uint32_t n_variables; /* entries of the description: an array is one */
    uint32_t n_aliases, n_states, n_inputs, n_outputs, n_parameters, n_tunable, n_indicators,
        n_terminals;
    bool saves_state, has_derivatives;
    const char *needs; /* shared libraries that its binary needs besides libc and libm; NULL */
    const char *error; /* where there is none */
    int status;        /* an exit status: 1 or 4 */
} FmuResult;

/* `built` is the directory in which the model was compiled and kept; more is compiled there. False
 * with error and status. */
bool fmu_make(const FmuModel *m, FmuOptions o, Build *built, Arena *mem, FmuResult *out);

#endif
