/* external_function.h -- external C functions that are evaluated when the model is compiled.
 *
 * Others are linked and called at run time (function_body.c). But Strings exist only while a model
 * is compiled, and with Strings that are known these functions decide structure: so the plain
 * ones of the C library that the Modelica language's utility functions are written for
 * (ModelicaExternalC, by the name of the C symbol) are here, too.
 */
#ifndef RUNG_FRONTEND_EVALUATE_EXTERNAL_FUNCTION_H
#define RUNG_FRONTEND_EVALUATE_EXTERNAL_FUNCTION_H

#include "frontend/evaluate/expression.h"

bool external_is_known(const char *name);

/* The result of the C function of that name; false (nothing reported) if it is none of these, or
 * an argument is not known. */
bool external_evaluate(Front *f, const char *name, uint32_t n, const Value *arg, Value *out);

#endif
