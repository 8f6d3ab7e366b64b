/* residual.h -- the residual form: the equations solved once more, their loops torn. */
#ifndef RUNG_CLI_RESIDUAL_H
#define RUNG_CLI_RESIDUAL_H

#include "cli/driver.h"

/* After the pass "solve": gives the program its residual form, with derivatives of at most `limit`
 * nodes. */
void residual_make(Compilation *c, uint32_t limit);

#endif
