/* fmu_description.h -- the XML files of an FMU. */
#ifndef RUNG_EMIT_FMU_FMU_DESCRIPTION_H
#define RUNG_EMIT_FMU_FMU_DESCRIPTION_H

#include "base/text.h"
#include "emit/fmu/fmu_variable.h"

typedef VEC(const char *) FmuNames;

/* modelDescription.xml. `source`: C files in sources/, for FMI 2; none: there are no sources. */
Text fmu_description(const FmuModel *m, const FmuVariables *v, const FmuOptions *o,
                     const char *token, const FmuNames *source, Arena *mem);
/* Libraries that the sources are linked with: files beside the binary, and system libraries by
 * name.
 */
typedef struct FmuLinked {
    FmuNames inside, outside;
} FmuLinked;
/* sources/buildDescription.xml: of the sources, `own` are rung's, the rest those of external
 * functions. */
Text fmu_build_description(const FmuModel *m, const FmuNames *source, uint32_t own,
                           const FmuLinked *linked, Arena *mem);

#endif
