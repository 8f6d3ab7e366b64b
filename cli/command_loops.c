/* rung loops: where kinematic loops are cut, and which of their constraints say something new. */
#include "cli/command.h"
#include "cli/driver.h"
#include "emit/model/build.h"
#include "runtime/loops_rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const RungModel *model, const LoopConstraints *g, const System *s,
                  const LoopsRank *r)
{
    const RungLoops *l = model->loops;
    printf("%s\n", model->name);
    for (uint32_t k = 0; k < l->n_loops; k++) {
        uint32_t n_redundant = 0;
        for (uint32_t i = l->first[k]; i < l->first[k + 1]; i++)
            n_redundant += r->is_redundant[i];
        if (*l->joint[k]) {
            printf("  loop %u, closed by joint %s: %s\n    cut at %s (%s)\n", k + 1, l->joint[k],
                   l->joints[k], l->loop_name[k], l->where[k]);
            printf("    %u constraints at joint %s, %u redundant\n", l->first[k + 1] - l->first[k],
                   l->joint[k], n_redundant);
        } else {
            printf("  constraint %u, at %s, of %s\n", k + 1, l->loop_name[k], l->joints[k]);
        }
        for (uint32_t i = l->first[k]; i < l->first[k + 1]; i++)
            printf("      force %s%s\n", s->var.at[g->multiplier[i].i].name.s,
                   r->is_redundant[i] ? ": redundant, follows from the others" : "");
    }
    for (uint32_t k = 0; k < g->n_massless; k++)
        printf("  without mass: %s\n", s->var.at[g->massless[k].i].name.s);
    printf("  %u constraints, %u independent at the start, %u redundant", l->n_constraints, r->rank,
           l->n_constraints - r->rank);
    printf(" (pivots from 1 to %.1e)\n", r->smallest);
    printf("  %u velocities, %u degree%s of freedom\n", r->n_velocities, r->n_velocities - r->rank,
           r->n_velocities - r->rank == 1 ? "" : "s");
}

static Exit report(const Compilation *c, const RungModel *model)
{
    LoopsRank rank;
    char why[1024];
    bool ok = loops_rank(model, &rank, why, sizeof why);
    if (ok)
        print(model, c->dae.solution.program.loops, c->sys, &rank);
    else
        fprintf(stderr, "rung: %s\n", why);
    free(rank.is_redundant);
    return ok ? EXIT_GOOD : EXIT_RUN;
}

Exit command_loops(const Options *o)
{
    Arena *mem = arena_new();
    Compilation *c = compilation_open(o, mem);
    EmitFiles files = {0};
    bool ok = c && driver_run(c, NULL);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD && !c->dae.solution.program.loops) {
        printf("%s\n  %s\n", o->model,
               c->sys->cut.n ? "its loops are not cut: index reduction closes them"
                             : "no kinematic loops");
    } else if (ok && status == EXIT_GOOD) {
        Build b;
        if (emit_program(&c->dae.solution.program, options_emission(o), mem, &files) &&
            build_model(&files, (BuildOptions){0}, mem, &b)) {
            status = report(c, b.model);
            build_close(&b);
        } else {
            fputs("rung: the model cannot be compiled\n", stderr);
            status = EXIT_FILE;
        }
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}
