/* rung loops: where kinematic loops are cut, and which of their constraints say something new. */
#include "base/json.h"
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

static void print_json(const RungModel *model, const LoopConstraints *g, const System *s,
                       const LoopsRank *r, Arena *mem)
{
    const RungLoops *l = model->loops;
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", model->name);
    json_array(&j, "loops");
    for (uint32_t k = 0; k < l->n_loops; k++) {
        json_line(&j, 2);
        json_object(&j, NULL);
        json_text(&j, "joint", l->joint[k]); // "": an equation of the model is the constraint
        json_text(&j, "joints", l->joints[k]);
        json_text(&j, "cut", l->loop_name[k]);
        json_text(&j, "where", l->where[k]);
        json_array(&j, "forces");
        for (uint32_t i = l->first[k]; i < l->first[k + 1]; i++) {
            json_object(&j, NULL);
            json_text(&j, "name", s->var.at[g->multiplier[i].i].name.s);
            json_bool(&j, "redundant", r->is_redundant[i]);
            json_close(&j);
        }
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_line(&j, 2);
    json_array(&j, "without_mass");
    for (uint32_t k = 0; k < g->n_massless; k++)
        json_text(&j, NULL, s->var.at[g->massless[k].i].name.s);
    json_close(&j);
    json_count(&j, "constraints", l->n_constraints);
    json_count(&j, "independent", r->rank);
    json_number(&j, "smallest_pivot", r->smallest, 3);
    json_count(&j, "velocities", r->n_velocities);
    json_count(&j, "degrees_of_freedom", r->n_velocities - r->rank);
    json_close(&j);
    puts(t.at);
}

static void print_none(const char *model, bool closed, bool json, Arena *mem)
{
    if (!json) {
        printf("%s\n  %s\n", model,
               closed ? "its loops are not cut: index reduction closes them"
                      : "no kinematic loops");
        return;
    }
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", model);
    json_array(&j, "loops");
    json_close(&j);
    json_bool(&j, "closed_by_index_reduction", closed);
    json_close(&j);
    puts(t.at);
}

static Exit report(const Compilation *c, const RungModel *model)
{
    LoopsRank rank;
    char why[1024];
    bool ok = loops_rank(model, &rank, why, sizeof why);
    if (ok && options_want_json(c->options))
        print_json(model, c->dae.solution.program.loops, c->sys, &rank, c->mem);
    else if (ok)
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
        print_none(c->options->model, c->sys->cut.n > 0, options_want_json(o), mem);
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
