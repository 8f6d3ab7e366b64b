/* deselection.h -- selective model extension (MLS 3.6 7.4): extends B(break x, break connect(a,
 * b)).
 *
 * It works on the syntax tree alone: B, and each base of B, is replaced by a copy without the named
 * components and connections. A class that has none of these is not copied.
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_DESELECTION_H
#define RUNG_FRONTEND_INSTANTIATE_DESELECTION_H

#include "frontend/instantiate/instance.h"

/* The deselections of extends clauses, the innermost one first. */
typedef struct Deselection Deselection;

/* `outer` with the deselections of the extends clause `mod` added; `outer` itself if it has
 * none. */
const Deselection *deselection_new(Front *f, const SynMod *mod, const Deselection *outer);
/* A copy of syn, a long or short class, without the deselected elements; syn itself if it has none
 * of them. */
SynClass *deselection_apply(Front *f, const Deselection *d, SynClass *syn);
/* Reports deselected components that are no models, blocks or connectors, once `base` has been
 * elaborated without them. */
void deselection_check_kinds(Front *f, const Deselection *d, Class *base);
/* Reports each deselection of `mod` that matched nothing in `base` and its bases. */
void deselection_check_used(Front *f, const Deselection *d, const SynMod *mod, const Class *base);

#endif
