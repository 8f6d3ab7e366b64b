/* open_warning.h -- warnings of unknowns that are undetermined for the given parameter values, in
 * the modeller's names: the component, the parameter that causes it, its declaration, a remedy.
 */
#ifndef RUNG_TRANSLATE_OPEN_WARNING_H
#define RUNG_TRANSLATE_OPEN_WARNING_H

#include "translate/compilation.h"

/* Warns for a solved program. */
void open_warning(Compilation *c, const Solution *s);
/* Warns for sorted equations that are not solved yet. It eliminates them along the ladder, in about
 * the time of one elimination, and removes the nodes that it has built. */
void open_warning_ahead(Compilation *c);

#endif
