/* run_report.h -- a run in numbers, for a program that started it: `rung simulate --format json`.
 */
#ifndef RUNG_STUDY_RUN_REPORT_H
#define RUNG_STUDY_RUN_REPORT_H

#include "study/simulation.h"

typedef struct RunReport {
    Exit status;
    const SimulateSummary *summary;
    const char *result, *plot, *state; /* files that were written; NULL: none */
} RunReport;

/* One object on standard output. */
void run_report_print(const Simulation *s, const RunReport *r);

#endif
