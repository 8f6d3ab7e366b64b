/* deselection.h -- selective model extension (MLS 3.6 7.4): extends B(break x, break connect(a,
 * b)).
 *
 * It works on the text alone: what is left of B, and of each base of B, is a copy of its class
 * without the components and connections that are named. A class from which nothing is left out
 * stays what it is.
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_DESELECTION_H
#define RUNG_FRONTEND_INSTANTIATE_DESELECTION_H

#include "frontend/instantiate/instance.h"

/* What extends clauses leave out, the innermost one first. */
typedef struct Deselection Deselection;

/* With what the extends clause `mod` says itself; `outer` if that is nothing. */
const Deselection *deselection_new(Front *f, const SynMod *mod, const Deselection *outer);
/* What is left of syn, which need not be long; syn itself if that is all of it. */
SynClass *deselection_apply(Front *f, const Deselection *d, SynClass *syn);
/* Of a class that has been elaborated without them: components that are no models, blocks or
 * connectors are not left out. */
void deselection_check_kinds(Front *f, const Deselection *d, Class *base);
/* Each one that `mod` names matches something in the bases that have been applied. */
void deselection_check_used(Front *f, const Deselection *d, const SynMod *mod, const Class *base);

#endif
