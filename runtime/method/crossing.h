/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crossing.h -- a model as the rules of derivatives over events evaluate it (rung_crossing.h), and
 * relations whose time of crossing has no derivative by parameters, by name.
 */
#ifndef RUNG_RUNTIME_CROSSING_H
#define RUNG_RUNTIME_CROSSING_H

#include "problem.h"
#include "rung_crossing.h"

/* As long as the problem lasts. */
RungEvaluation crossing_evaluation(Problem *problem);
/* problem->why := why, of the relation with this index in memory, with its source line. */
void crossing_explain(Problem *problem, uint32_t relation, const char *why);

#endif
