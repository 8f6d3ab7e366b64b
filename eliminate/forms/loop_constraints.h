/* loop_constraints.h -- the constraints that close the cut loops, over the states of the solved
 * tree.
 *
 * Of each constraint phi(x) = 0: its derivatives by time and by the states, and the part of its
 * second derivative without the accelerations that forces change (Callejo 2014, eqs. 14-26; Lopez
 * Varela 2023, eqs. 9-11). For a rod of length L between two points
 *     phi = dx^2 + dy^2 - L^2,   phi_dot = 2 (dx der(dx) + dy der(dy)),   phi_x = d phi / d x.
 */
#ifndef RUNG_ELIMINATE_FORMS_LOOP_CONSTRAINTS_H
#define RUNG_ELIMINATE_FORMS_LOOP_CONSTRAINTS_H

#include "eliminate/prepare/alias.h"
#include "eliminate/prepare/loop_cut.h"

/* Gives g its g->loops, and the norms of phi and its derivatives as results. False if a loop
 * depends on something that has no derivative or on a force (reported). */
bool loop_constraints_find(const LoopCut *cut, Aliases *aliases, Program *g, Arena *scratch);

#endif
