#include "study/sweep/slurm.h"

#include "study/output.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes the text as one word of the shell. */
static void put_word(FILE *f, const char *text)
{
    putc('\'', f);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", f);
        else
            putc(*text, f);
    putc('\'', f);
}

/* The words of this command but --slurm, --part and --jobs. */
static void put_command(FILE *f)
{
    char program[PATH_MAX], word[65536];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    put_word(f, n > 0 ? program : "rung");
    FILE *all = fopen("/proc/self/cmdline", "rb");
    size_t at = 0;
    bool skip = true; // the name under which the program was called
    for (int c; all && (c = getc(all)) != EOF;) {
        if (at + 1 < sizeof word)
            word[at++] = (char)c;
        if (c)
            continue;
        bool takes_next = !strcmp(word, "--jobs");
        if (!skip && !takes_next && strcmp(word, "--slurm") && strncmp(word, "--jobs=", 7)) {
            putc(' ', f);
            put_word(f, word);
        }
        skip = takes_next;
        at = 0;
    }
    if (all)
        fclose(all);
}

bool slurm_write(const char *dir, uint32_t n_runs, uint32_t jobs, bool quiet, Arena *mem)
{
    enum { MOST_TASKS = 64 };
    uint32_t tasks = (n_runs + jobs - 1) / jobs;
    tasks = tasks > MOST_TASKS ? MOST_TASKS : tasks;
    char directory[PATH_MAX];
    Output out;
    if ((mkdir(dir, 0777) != 0 && errno != EEXIST) || !getcwd(directory, sizeof directory)) {
        fprintf(stderr, "rung: cannot create '%s': %s\n", dir, strerror(errno));
        return false;
    }
    const char *path = arena_printf(mem, "%s/sweep.slurm", dir);
    if (!output_open(&out, path))
        return false;
    fprintf(
        out.file,
        "#!/bin/sh\n"
        "#SBATCH --job-name=rung-sweep\n"
        "#SBATCH --array=1-%u\n"
        "#SBATCH --ntasks=1\n"
        "#SBATCH --cpus-per-task=%u\n"
        "# Each job of the array makes its part of the runs. Afterwards the same command without\n"
        "# --part, which is the last line, makes the remaining runs and writes the table.\n"
        "parts=%u\n"
        "cd ",
        tasks, jobs, tasks);
    put_word(out.file, directory);
    fputs(" || exit 4\n", out.file);
    put_command(out.file);
    fputs(" \\\n    --part \"${SLURM_ARRAY_TASK_ID:?}/$parts\" --jobs "
          "\"${SLURM_CPUS_PER_TASK:-1}\" -q\n",
          out.file);
    fputs("# ", out.file);
    put_command(out.file);
    fputs("\n", out.file);
    if (!output_close(&out))
        return false;
    if (!quiet)
        printf("an array of %u jobs in %s: sbatch %s, then this command without --slurm\n", tasks,
               path, path);
    return true;
}
