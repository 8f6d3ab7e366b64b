/* newton.h -- a Newton iteration made of the linearised equations: matched, ordered, solved. */
#ifndef RUNG_CLI_NEWTON_H
#define RUNG_CLI_NEWTON_H

#include "cli/pipeline.h"

/* After the pass "solve": gives the program its Newton iteration where there is one. */
void newton_make(Compilation *c, bool with_matrix);

#endif
