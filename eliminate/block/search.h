/* search.h -- better orders inside body structures, by simulated annealing, repeated from the best
 * order with some of its pairs exchanged.
 *
 *     unknowns of a joint's structure, as graph/ orders them    f1 f2 m3 a1 a2 z
 *     a vector moved to another place                           m3 f1 f2 a1 a2 z
 *     two pairs with their unknowns exchanged                   m3 f1 a1 f2 a2 z
 *
 * The rows that remain after eliminating a structure do not depend on the order inside it, so each
 * structure can be searched by itself, from the matrix at its turn; costs are counted on residues
 * (cost.h). A search is done once per class of structures that are alike (graph/structure_class.h),
 * with the first of the class, and its result is done to all others: the time hardly depends on the
 * number of structures, and the result not at all. Structures of as many pairs, those at the ends
 * of a chain for example, begin with the orders found for one another. Same input, same order.
 */
#ifndef RUNG_ELIMINATE_BLOCK_SEARCH_H
#define RUNG_ELIMINATE_BLOCK_SEARCH_H

#include "base/cache.h"
#include "eliminate/block/cost.h"
#include "eliminate/block/elimination.h"
#include "graph/structure_class.h"

/* Pivots among those of the steps done in m that vanish at a sample point. */
uint32_t vanishing_pivots(const Matrix *m, SamplePoints *w);

typedef struct OrderSearch OrderSearch;

/* Rows and columns of the matrix and in orders are numbered along the structures, by their roles
 * in them (StructureClasses.by_role): pair i of a structure that begins at place b is row and
 * column b + i. group: per column, its vector. variant: orders of the same structures, to begin the
 * search with. is_needed: per column, whether its unknown has to be computed. w: of the matrix's
 * pool. budget: nodes that may be built for a class of one structure; more for classes of
 * several. seed: of its random numbers, 1 or more. cache: keeps the orders found by long searches,
 * for later runs of the same search; may be NULL. */
OrderSearch *search_new(const StructureClasses *classes, const uint32_t *group, uint32_t n_variants,
                        const Order *variant, const bool *is_needed, SamplePoints *w,
                        uint64_t budget, uint32_t seed, Cache *cache, Arena *mem);
/* Rearranges the pairs of o from place `begin` on, where a structure begins, as found best for
 * its class; all pairs before have been eliminated in m. Returns the number of its pairs. */
uint32_t search_structure(OrderSearch *r, const Matrix *m, Order *o, uint32_t begin);

#endif
