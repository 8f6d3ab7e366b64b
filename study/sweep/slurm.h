/* slurm.h -- `rung sweep --slurm`: the same command as an array of jobs, DIR/sweep.slurm, for the
 * sbatch of a cluster. */
#ifndef RUNG_STUDY_SWEEP_SLURM_H
#define RUNG_STUDY_SWEEP_SLURM_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Writes the script of an array of jobs into the directory dir, each job with so many processors.
 * Prints its path and the command to submit it, unless quiet; false, with a message on stderr, if
 * it cannot be written. */
bool slurm_write(const char *dir, uint32_t n_runs, uint32_t jobs, bool quiet, Arena *mem);

#endif
