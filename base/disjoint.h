/* disjoint.h -- disjoint sets of the numbers 0 .. n - 1, joined two by two, with path halving
 * (Tarjan and van Leeuwen, Worst-case analysis of set union algorithms, 1984). A set is known by
 * its smallest member, which leads it.
 *
 *     uint32_t *leader = disjoint_new(4, mem);        {0} {1} {2} {3}
 *     disjoint_join(leader, 3, 1);                    {0} {1 3} {2}
 *     disjoint_leader(leader, 3)                      1
 */
#ifndef RUNG_BASE_DISJOINT_H
#define RUNG_BASE_DISJOINT_H

#include "base/arena.h"

#include <stdint.h>

/* Of each number a member of its set, itself at first. */
uint32_t *disjoint_new(uint32_t n, Arena *mem);
uint32_t disjoint_leader(uint32_t *leader, uint32_t k);
void disjoint_join(uint32_t *leader, uint32_t a, uint32_t b);

#endif
