/* fmu_model.h -- an FMU as a Modelica class on the functions of Linkage.Fmu.
 *
 * Parameters, inputs, outputs and other variables have the names of the FMU, as quoted identifiers
 * where they are no plain ones; the annotation __rung(unquoted = true) shows such a variable
 * without quotation marks in a flat model and its results. A variable with a start value that may
 * be set, h, has the parameter h_start, which --start h=1 sets, too.
 *
 * Model exchange: the states are states of the model, der(h) = ..., values follow the states, and
 * the FMU's event iteration is called in a when-clause. Co-simulation: in a when-clause at each
 * communication point, `communicationStep` apart, the FMU makes a step with its inputs as they were
 * after the last point; values are constant in between.
 */
#ifndef RUNG_IMPORT_FMU_MODEL_H
#define RUNG_IMPORT_FMU_MODEL_H

#include "base/text.h"
#include "import/imported_fmu.h"

typedef struct FmuModelOptions {
    const char *name; /* of the class; NULL: that of the file */
    const char *file; /* path that the class opens             */
    FmuInterface interface;
    double step; /* between communication points where the FMU gives none; 0: by its experiment */
    double tolerance; /* relative, passed to the FMU; 0: none is passed */
} FmuModelOptions;

/* Appends the class, unformatted. */
void fmu_model_write(const ImportedFmu *f, const FmuModelOptions *o, Arena *mem, Text *out);
/* The class of an FMU for rung itself, named after the file, which it opens; false after errors in
 * d. */
bool fmu_model_of_file(const char *path, const FmuModelOptions *asked, Arena *mem, Diags *d,
                       Text *out);
/* An absolute path, which a model opens wherever it runs. */
const char *fmu_model_path(const char *path, Arena *mem);
/* Whether a path ends with .fmu. */
bool fmu_model_is_path(const char *path);

#endif
