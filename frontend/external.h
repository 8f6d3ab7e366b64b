/* external.h -- external C functions that are evaluated when the model is compiled.
 *
 * The library ModelicaExternalC, which every tool brings, has functions on Strings; with Strings
 * that are known they decide structure, so rung has the plain ones of them itself.
 */
#ifndef RUNG_FRONTEND_EXTERNAL_H
#define RUNG_FRONTEND_EXTERNAL_H

#include "frontend/expression.h"

bool external_is_known(const char *name);

/* The result of the C function of that name; false (nothing reported) if it is none of these, or
 * an argument is not known. */
bool external_evaluate(Front *f, const char *name, uint32_t n, const Value *arg, Value *out);

#endif
