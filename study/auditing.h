/* auditing.h -- the audit of `rung simulate`: the flat model's equations watched along a run.
 *
 * The flat model is made once more, in a pool that merges nothing (eliminate/verify/audit.h). Over
 * each step equations with derivatives are integrated, by Simpson's rule with multistep methods, by
 * that of Lobatto and Legendre with the others, inside the step at events; the others are evaluated
 * at a node of it and at rows; events and the starts of the pieces between them are checked, and
 * that a step begins where the last one has ended. A suspect integral is repeated with more nodes,
 * until it converges.
 *
 * Work is counted, in operations of the interpreter: at first 5e7, which is a fifth of a second,
 * and then a share of the evaluations of the run. Steps beyond are not audited, which the summary
 * reports.
 */
#ifndef RUNG_STUDY_AUDITING_H
#define RUNG_STUDY_AUDITING_H

#include "runtime/run/simulate.h"
#include "study/run_request.h"
#include "translate/driver.h"

typedef struct Auditing Auditing;

/* The model that the request names, translated and loaded. NULL where the flat model cannot be
 * made, after a message. */
Auditing *auditing_new(const RunRequest *r, const RungModel *model, Arena *mem);
/* SimulateOptions.look; user is an Auditing. Stops the run where an equation does not hold and
 * pivoting at run time may help (runtime/problem/fallback.h). */
int auditing_look(void *user, const SimulateStep *step);
bool auditing_wants_pivoting(const Auditing *a); /* it has stopped the run */
/* value: one per variable of the model, not all finite. Writes the equation of the flat model from
 * which the first of these comes, one with a single variable that is not finite, and the values of
 * its others. */
void auditing_explain(Auditing *a, double t, const double *value, char *text, size_t size);
/* Prints the result of the audit; false if defects are beyond the bound. */
bool auditing_report(Auditing *a, FILE *summary);
/* The largest defect, its bound, how many equations are beyond it; false if no step was audited. */
bool auditing_worst(Auditing *a, double *worst, double *bound, uint32_t *n);
void auditing_free(Auditing *a); /* NULL is fine */

#endif
