/* homotopy.h -- homotopy(actual, simplified) (MLS 3.7.4.4) is its actual expression.
 *
 * From events.h on it is actual + offset, the offset being a constant that the initial system gives
 * another value (forms/initial_system.h). Once that is solved the offsets go.
 */
#ifndef RUNG_ELIMINATE_PREPARE_HOMOTOPY_H
#define RUNG_ELIMINATE_PREPARE_HOMOTOPY_H

#include "eliminate/dae.h"

/* Whether there was any. */
bool homotopy_end(Dae *d, Arena *scratch);

#endif
