/* relation_guards.h -- the relations that nothing reads in the present discrete state.
 *
 *     quenched = off and (abs(i) <= abs(v)*Goff or pre(quenched));
 *
 * reads the relation only while off and not pre(quenched): that is its guard. Elsewhere a change of
 * the relation changes nothing, so it is no event. On the branch i = Goff*v both sides are equal,
 * and rounding would change the relation in every step.
 *
 * Guards are Boolean functions of memory that is constant between events. They are valid whatever
 * the values of the relations that have guards, so these may be out of date. Near-linear in the
 * pool.
 */
#ifndef RUNG_EMIT_MODEL_RELATION_GUARDS_H
#define RUNG_EMIT_MODEL_RELATION_GUARDS_H

#include "ir/program.h"

/* Operations as RungGuards has them. */
typedef struct RelationGuards {
    uint32_t n, n_numbers, n_relations;
    uint32_t *op, *a, *b; /* n */
    double *number;       /* n_numbers */
    uint32_t *of;         /* n_relations: the operation that is the guard */
} RelationGuards;

/* Without operations where all relations are read always. */
RelationGuards relation_guards_find(const Program *g, Arena *mem);

#endif
