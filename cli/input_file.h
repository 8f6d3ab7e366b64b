/* input_file.h -- `rung simulate --input`: a file of data for the top-level inputs of a model.
 *
 * The first column is the time, which never goes back; the others are found by their names. Inputs
 * that are Boolean, Integer or enumerations are held from row to row.
 */
#ifndef RUNG_CLI_INPUT_FILE_H
#define RUNG_CLI_INPUT_FILE_H

#include "base/arena.h"
#include "cli/options.h"
#include "runtime/problem/input.h"

/* NULL with *status: says on stderr what is wrong, with file, line and column. What of the file
 * and of the inputs finds no partner is said, too, unless the options are quiet. */
const InputData *input_file_read(const Options *o, const RungModel *m, Arena *mem, Exit *status);

#endif
