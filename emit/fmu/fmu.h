/* fmu.h -- a model as a Functional Mock-up Unit (FMI 2.0.5, 3.0.2): one archive for model exchange
 * and co-simulation.
 *
 *     fmu_variable.[ch]      what the standard calls each variable: causality, variability, initial
 *     fmu_unit.[ch]          units as powers of the base units
 *     fmu_description.[ch]   modelDescription.xml and buildDescription.xml
 *     fmu_archive.[ch]       the ZIP file: fixed order and times, so that the same model gives the
 *                            same bytes
 *     fmu.c                  which sources it is made of, and how these become its binary
 */
#ifndef RUNG_EMIT_FMU_FMU_H
#define RUNG_EMIT_FMU_FMU_H

#include "emit/model/build.h"

typedef struct FmuOptions {
    int version; /* 2 or 3 */
    bool model_exchange, co_simulation, sources;
    const char *tool;
    const volatile sig_atomic_t *interrupt; /* of compiling; may be NULL */
    Cache *cache;                           /* for what is the same in every FMU; may be NULL */
} FmuOptions;

typedef struct FmuModel {
    const System *sys;
    const EmitFiles *files;
    const RungModel *model; /* loaded, made of these files */
    const double *value;    /* per row: the value at the start, of what is known then; else NAN */
} FmuModel;

/* The archive as bytes. `built` is the directory in which the model was compiled and kept; more is
 * compiled there. False with *error and *status (an exit status: 1 or 4). */
bool fmu_make(const FmuModel *m, FmuOptions o, Build *built, Arena *mem, const char **bytes,
              size_t *size, const char **error, int *status);

#endif
