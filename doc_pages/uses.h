/* uses.h -- the names in a class's text that mean classes: bases, types, redeclarations, imports,
 * functions that are called, packages of constants. */
#ifndef RUNG_DOC_PAGES_USES_H
#define RUNG_DOC_PAGES_USES_H

#include "frontend/instantiate/outline.h"

/* span: of the name. */
typedef void (*UseVisit)(void *self, const SynClass *target, Span span);
/* In the order of the text, but for annotations, and without classes that are declared inside. */
void uses_visit(Front *f, const Outline *o, UseVisit visit, void *self);

#endif
