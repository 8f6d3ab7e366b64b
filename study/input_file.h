/* input_file.h -- `rung simulate --input`: a file of data for the top-level inputs of a model.
 *
 * The first column is the time, which never goes back; the others are found by their names. Inputs
 * that are Boolean, Integer or enumerations are held from row to row.
 */
#ifndef RUNG_STUDY_INPUT_FILE_H
#define RUNG_STUDY_INPUT_FILE_H

#include "base/arena.h"
#include "base/exit.h"
#include "runtime/problem/input.h"
#include "study/run_request.h"

/* NULL with *status after an error, printed to stderr with file, line and column. Also warns of
 * columns without an input and inputs without a column, unless the request is quiet. */
const InputData *input_file_read(const RunRequest *r, const RungModel *m, Arena *mem, Exit *status);

#endif
