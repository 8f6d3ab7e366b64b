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

/* Likewise, but before method_prepare: its derivatives by inputs and of outputs, those that the
 * request names. False if they name none (a diagnostic). */
bool linearisation_prepare(Compilation *c);

/* Likewise: the adjoint of the objectives that the request names. False after an error. */
bool adjoint_prepare(Compilation *c);

#endif
