/* pieces.h -- what a method uses of a model besides its derivatives. */
#ifndef RUNG_CLI_PIECES_H
#define RUNG_CLI_PIECES_H

#include "cli/driver.h"

/* Whether the runtime has the method; if not, says which there are. */
bool pieces_method_known(const char *name);
/* The one asked for, else that of a run, which may depend on a pattern: that is made then. */
const char *pieces_method(const Options *o, Compilation *c);
/* After the pass "solve": Newton iteration, residual form, Jacobian, as the method and --jacobian
 * say. */
void pieces_make(Compilation *c, const char *method);

#endif
