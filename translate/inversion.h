/* inversion.h -- inverse dynamics of a model: efforts computed from given motions. */
#ifndef RUNG_TRANSLATE_INVERSION_H
#define RUNG_TRANSLATE_INVERSION_H

#include "eliminate/prepare/inverse.h"
#include "translate/driver.h"

/* Runs the passes up to "der" and turns the flat model around (inverse.h); the patterns mean
 * coordinates, and as many efforts along them. False after an error. */
bool inversion_run(Compilation *c, const char *motion, const char *effort, InverseDynamics *it);

#endif
