/* slurm.h -- `rung sweep --slurm`: the same command as an array of jobs, DIR/sweep.slurm, for the
 * sbatch of a cluster. */
#ifndef RUNG_CLI_SLURM_H
#define RUNG_CLI_SLURM_H

#include "cli/options.h"

#include <stdint.h>

/* Says where it is and what to do with it; false (said on stderr) if it cannot be written. */
bool slurm_write(const Options *o, uint32_t n_runs);

#endif
