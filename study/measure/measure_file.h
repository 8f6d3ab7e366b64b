/* measure_file.h -- a Measure as bytes, from one copy of the process to another. */
#ifndef RUNG_STUDY_MEASURE_MEASURE_FILE_H
#define RUNG_STUDY_MEASURE_MEASURE_FILE_H

#include "study/measure/measure.h"

#include <stdio.h>

void measure_write(const Measure *m, FILE *f);
/* False if it is not whole. */
bool measure_read(Measure *m, FILE *f, Arena *mem);

#endif
