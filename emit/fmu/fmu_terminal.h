/* fmu_terminal.h -- terminalsAndIcons/: terminals and icons of an FMU (FMI 3.0, 2.4.9; with FMI 2
 * the same files, as that section provides for).
 *
 * A terminal is a public connector of the model with members that are inputs, outputs or
 * parameters: FMI has no others. Pictures are SVG and PNG; without librsvg there are none. */
#ifndef RUNG_EMIT_FMU_FMU_TERMINAL_H
#define RUNG_EMIT_FMU_FMU_TERMINAL_H

#include "emit/fmu/fmu_archive.h"
#include "emit/fmu/fmu_variable.h"

/* Adds the files; none if the model has neither. Returns the number of terminals. */
uint32_t fmu_terminals(const FmuModel *m, const FmuVariables *v, int version, FmuArchive *a,
                       Arena *mem);

#endif
