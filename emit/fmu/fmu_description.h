/* fmu_description.h -- the XML files of an FMU. */
#ifndef RUNG_EMIT_FMU_FMU_DESCRIPTION_H
#define RUNG_EMIT_FMU_FMU_DESCRIPTION_H

#include "base/text.h"
#include "emit/fmu/fmu_variable.h"

typedef VEC(const char *) FmuNames;

/* modelDescription.xml. `source`: C files in sources/, for FMI 2; none: there are no sources. */
Text fmu_description(const FmuModel *m, const FmuVariables *v, const FmuOptions *o,
                     const char *token, const FmuNames *source, Arena *mem);
/* sources/buildDescription.xml. */
Text fmu_build_description(const FmuModel *m, const FmuNames *source, Arena *mem);

#endif
