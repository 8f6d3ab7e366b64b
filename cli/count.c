/* rung count: what each order of elimination costs. Every order is compiled for itself, since in
 * one pool the second order would find the results of the first. */
#include "cli/candidates.h"
#include "cli/command.h"
#include "cli/pipeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Counted {
    const char *model; /* as asked for */
    const char *order; /* "auto" for the compiler's choice */
    const char *taken; /* order of the largest block       */
    OpCount accelerations, total;
    uint32_t n_blocks, largest, n_torn, nonzeros, fill, n_pivots;
    bool ok, is_choice;
} Counted;

static Counted count(const Compilation *c, const char *order)
{
    const Program *g = &c->solution.program;
    Counted r = {.order = order, .taken = "", .ok = true, .n_pivots = g->n_pivots};
    r.accelerations = program_count(c->sys->pool, g->n_states, g->derivative);
    r.total = program_count(c->sys->pool, c->sys->var.n, g->value);
    for (uint32_t k = 0; k < c->solution.n_reports; k++) {
        const BlockReport *b = &c->solution.report[k];
        r.n_blocks++;
        if (b->n <= r.largest)
            continue;
        r.largest = b->n;
        r.n_torn = b->n_torn;
        r.nonzeros = b->nonzeros;
        r.fill = b->fill;
        r.taken = b->order;
    }
    return r;
}

static bool same_counts(const OpCount *a, const OpCount *b)
{
    return a->add == b->add && a->mul == b->mul && a->div == b->div && a->call == b->call;
}

static void print_csv(const char *model, const Counted *r, uint32_t n)
{
    puts("model,order,add,mul,div,call,total_add,total_mul,total_div,total_call,taken");
    for (uint32_t k = 0; k < n; k++) {
        if (!r[k].ok)
            continue;
        const OpCount *a = &r[k].accelerations;
        const OpCount *t = &r[k].total;
        printf("\"%s\",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
               ",%" PRIu64 ",%" PRIu64 ",%d\n",
               model, r[k].order, a->add, a->mul, a->div, a->call, t->add, t->mul, t->div, t->call,
               r[k].is_choice);
    }
}

static void print_json(const char *model, const Counted *r, uint32_t n)
{
    printf("{\"model\": ");
    json_string(stdout, model);
    printf(", \"orders\": [");
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        if (!r[k].ok)
            continue;
        const OpCount *a = &r[k].accelerations;
        const OpCount *t = &r[k].total;
        printf("%s\n  {\"order\": \"%s\", \"taken\": %s, \"add\": %" PRIu64 ", \"mul\": %" PRIu64
               ", \"div\": %" PRIu64 ", \"call\": %" PRIu64 ", \"total_add\": %" PRIu64
               ", \"total_mul\": %" PRIu64 ", \"total_div\": %" PRIu64 ", \"total_call\": %" PRIu64
               ", \"largest_block\": %u, \"nonzeros\": %u, \"fill\": %u}",
               any ? "," : "", r[k].order, r[k].is_choice ? "true" : "false", a->add, a->mul,
               a->div, a->call, t->add, t->mul, t->div, t->call, r[k].largest, r[k].nonzeros,
               r[k].fill);
        any = true;
    }
    puts("\n]}");
}

static void print_table(const char *model, const Counted *r, uint32_t n)
{
    printf("%s\n", model);
    for (uint32_t k = 0; k < n; k++) {
        if (r[k].ok && r[k].n_blocks) {
            printf("%u algebraic loop%s, the largest of %u equations, %u non-zeros\n",
                   r[k].n_blocks, r[k].n_blocks == 1 ? "" : "s", r[k].largest, r[k].nonzeros);
            break;
        }
    }
    printf("%-12s %10s %10s %8s %8s %10s %10s %8s\n", "order", "add", "mul", "div", "call", "sum",
           "whole", "fill");
    for (uint32_t k = 0; k < n; k++) {
        if (!r[k].ok) {
            printf("%-12s cannot solve this model\n", r[k].order);
            continue;
        }
        const OpCount *a = &r[k].accelerations;
        const OpCount *t = &r[k].total;
        printf("%-12s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %10" PRIu64
               " %10" PRIu64 " %8u%s\n",
               r[k].order, a->add, a->mul, a->div, a->call, a->add + a->mul + a->div,
               t->add + t->mul + t->div, r[k].fill, r[k].is_choice ? "  <- taken" : "");
    }
    puts("add, mul, div, call, sum: for the derivatives of the states; whole: all variables.\n"
         "Expressions of parameters alone are evaluated once and not counted.");
}

/* Counts the model under one order (NULL: the compiler's choice). */
static Exit count_order(const Options *o, const char *order, const char *label, Counted *out)
{
    Arena *mem = arena_new();
    Options forced = *o;
    forced.order = order;
    Compilation *c = compilation_open(&forced, mem);
    bool ok = c && pipeline_run(c, NULL);
    Exit status = EXIT_USAGE;
    *out = (Counted){.order = label};
    if (c && (ok || !order))
        status = compilation_report(c);
    else if (c)
        status = c->facts && pipeline_reached(c, "blocks") ? EXIT_GOOD : compilation_report(c);
    if (ok && status == EXIT_GOOD) {
        *out = count(c, label);
        out->model = arena_copy(o->mem, c->options->model, strlen(c->options->model));
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}

Exit command_count(const Options *o)
{
    if (o->order && !candidates_known(o->order)) {
        fprintf(stderr, "rung: --order takes all or a list of");
        for (uint32_t k = 0; k < CANDIDATES; k++)
            fprintf(stderr, "%s %s", k ? "," : "", candidate_name(k));
        fputc('\n', stderr);
        return EXIT_USAGE;
    }
    /* what the compiler takes by itself */
    Counted choice;
    Exit status = count_order(o, NULL, "auto", &choice);
    if (status != EXIT_GOOD)
        return status;
    Counted all[CANDIDATES];
    uint32_t n = 0;
    bool any_taken = false;
    for (uint32_t k = 0; k < CANDIDATES; k++) {
        const char *name = candidate_name(k);
        if (o->order && strcmp(o->order, "all") != 0) {
            const char *at = strstr(o->order, name);
            if (!at)
                continue;
        }
        status = count_order(o, name, name, &all[n]);
        if (status != EXIT_GOOD)
            return status;
        bool same = all[n].ok && strcmp(choice.taken, *choice.taken ? name : "") == 0 &&
                    same_counts(&all[n].accelerations, &choice.accelerations);
        all[n].is_choice = same && !any_taken;
        any_taken = any_taken || same;
        n++;
    }
    if (o->format && strcmp(o->format, "csv") == 0)
        print_csv(choice.model, all, n);
    else if (o->format && strcmp(o->format, "json") == 0)
        print_json(choice.model, all, n);
    else
        print_table(choice.model, all, n);
    return EXIT_GOOD;
}
