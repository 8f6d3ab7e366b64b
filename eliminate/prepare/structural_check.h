/* structural_check.h -- each unknown needs an equation of its own (MLS 4.7).
 *
 * Checked before anything is removed, a variable and its derivatives being one unknown, so that
 * messages show the modeller's own lines: the smallest set of equations that clash, or the unknowns
 * for which an equation is missing (Dulmage & Mendelsohn 1958).
 */
#ifndef RUNG_ELIMINATE_PREPARE_STRUCTURAL_CHECK_H
#define RUNG_ELIMINATE_PREPARE_STRUCTURAL_CHECK_H

#include "eliminate/dae.h"

/* False if the model is structurally singular (reported). */
bool structural_check(Dae *d, Arena *scratch);

/* For reports of too many equations: redundant constraints of a kinematic loop are too many, unless
 * the loop is cut. */
void structural_note_loops(const Dae *d);

#endif
