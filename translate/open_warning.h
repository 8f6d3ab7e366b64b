/* open_warning.h -- warnings of unknowns that are undetermined for the given parameter values, in
 * the modeller's names: the component, the parameter that causes it, its declaration, a remedy.
 */
#ifndef RUNG_TRANSLATE_OPEN_WARNING_H
#define RUNG_TRANSLATE_OPEN_WARNING_H

#include "translate/compilation.h"

/* Of a solution that was found. */
void open_warning(Compilation *c, const Solution *s);
/* Sorted equations that are not solved yet: they are for this, along the ladder, in about the time
 * that one elimination takes, and all that was made is taken back. */
void open_warning_ahead(Compilation *c);

#endif
