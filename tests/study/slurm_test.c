/* The script of an array of jobs: a part for each job, no more jobs than runs or 64. */
#include "base/text.h"
#include "study/scratch.h"
#include "study/sweep/slurm.h"

#include <criterion/criterion.h>
#include <string.h>

static bool asks_for(uint32_t n_runs, uint32_t jobs, const char *array)
{
    Arena *mem = arena_new();
    Scratch files;
    cr_assert(scratch_open(&files, "slurm", mem));
    cr_assert(slurm_write(files.dir, n_runs, jobs, true, mem));
    Text script = scratch_read(&files, scratch_path(&files, "sweep.slurm"));
    bool ok = strstr(script.at, array) && strstr(script.at, "--part \"${SLURM_ARRAY_TASK_ID:?}/") &&
              strncmp(script.at, "#!/bin/sh\n", 10) == 0;
    scratch_close(&files);
    arena_free(mem);
    return ok;
}

Test(slurm, has_as_many_jobs_as_the_runs_need)
{
    cr_assert(asks_for(10, 4, "#SBATCH --array=1-3\n"));
    cr_assert(asks_for(1, 8, "#SBATCH --array=1-1\n"));
    cr_assert(asks_for(100000, 2, "#SBATCH --array=1-64\n"));
    cr_assert(asks_for(10, 4, "#SBATCH --cpus-per-task=4\n"));
}
