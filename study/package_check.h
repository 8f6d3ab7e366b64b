/* package_check.h -- all classes of the user's files or of a package, checked one by one. */
#ifndef RUNG_STUDY_PACKAGE_CHECK_H
#define RUNG_STUDY_PACKAGE_CHECK_H

#include "base/exit.h"
#include "translate/compilation.h"

/* Models that are not partial are flattened, other classes are checked as types, on several
 * processors; messages of several classes are printed once, and a summary in the end. `package`
 * NULL: all classes of the files that c was opened with. */
Exit package_check(Compilation *c, SynClass *package, uint32_t jobs, bool as_json);

/* One class, with a System of its own: what it is checked as, and its messages in c->diags. */
ClassCheck class_check(Compilation *c, const char *name);

#endif
