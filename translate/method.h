/* method.h -- makes the forms of the model that the method of a run needs, as far as
 * request.jacobian allows. */
#ifndef RUNG_TRANSLATE_METHOD_H
#define RUNG_TRANSLATE_METHOD_H

#include "translate/compilation.h"

/* Whether the runtime has the method; if not, prints the list of methods. */
bool method_known(const char *name);
/* After the pass "solve": gives the program its Newton iteration, residual form or Jacobian, as
 * `method` needs them; NULL: the default method. */
void method_prepare(Compilation *c, const char *method);

/* Which parameters a linearisation may have derivatives by: those of a program are not set if they
 * follow from others. */
typedef enum ParameterColumns { INDEPENDENT_PARAMETERS, ALL_PARAMETERS } ParameterColumns;

/* Likewise, but before method_prepare: its derivatives by inputs and of outputs, those that the
 * request names, and by its parameters. False if they name none (a diagnostic). */
bool linearisation_prepare(Compilation *c, ParameterColumns which);

/* Likewise: the adjoint of the objectives that the request names. False after an error. */
bool adjoint_prepare(Compilation *c);
/* Likewise, of the top-level outputs that move. */
bool adjoint_of_outputs(Compilation *c);

#endif
