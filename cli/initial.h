/* initial.h -- the initial system: completed, ordered and solved. Where its equations come from is
 * eliminate/forms/initial_system.h; here graph/ says which of them are used. */
#ifndef RUNG_CLI_INITIAL_H
#define RUNG_CLI_INITIAL_H

#include "cli/driver.h"

/* Sets c->initial; NULL there if the start values of the states are all there is to it. Needs the
 * matching of the model's equations. False after an error. */
bool initial_solve(Compilation *c);
void initial_dump(Compilation *c, FILE *f);

#endif
