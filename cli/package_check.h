/* package_check.h -- all classes of the user's files or of a package, checked one by one. */
#ifndef RUNG_CLI_PACKAGE_CHECK_H
#define RUNG_CLI_PACKAGE_CHECK_H

#include "cli/options.h"
#include "translate/compilation.h"

/* Models that are not partial are flattened, other classes are looked at as types, on several
 * processors; messages that several classes give are printed once, and a summary in the end.
 * `package` NULL: all classes of the files that c was opened with. */
Exit package_check(Compilation *c, SynClass *package, const Options *o);

#endif
