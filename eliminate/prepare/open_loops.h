/* open_loops.h -- which kinematic loops are cut open, and how.
 *
 * Cutting (loop_cut.h) pairs each constraint of a cut joint with a force; where a joint's record
 * does not allow it the index is reduced instead. Models without connection graphs have constraints
 * written as equations (constraint_cut.h): several are cut, a single one only if that is asked for.
 */
#ifndef RUNG_ELIMINATE_PREPARE_OPEN_LOOPS_H
#define RUNG_ELIMINATE_PREPARE_OPEN_LOOPS_H

#include "eliminate/dae.h"

typedef enum LoopTreatment {
    LOOPS_CUT_JOINTS,  /* where the cut joints allow it        */
    LOOPS_CUT_SEVERAL, /* likewise, and constraints written as equations where they are several */
    LOOPS_CUT_ALL,     /* an error where joints do not; constraints written as equations too */
    LOOPS_REDUCED,     /* not at all: index reduction closes them */
} LoopTreatment;

/* Gives d->loops, with massless coordinates, and takes the constraints out of the System. False
 * after an error (reported). */
bool loops_open(Dae *d, LoopTreatment how, Arena *scratch);
void loops_print(Dae *d, FILE *f);

#endif
