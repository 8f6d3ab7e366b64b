/* rung flatten, rung -d PASS, rung passes: the model after a pass. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "cli/variable_json.h"
#include "study/measure/pass_costs.h"
#include "study/output.h"
#include "translate/driver.h"

#include <stdio.h>
#include <stdlib.h>

/* Output for programs: variables with their attributes and equations of the flat model, as far as
 * they can be written one by one; the dump itself, as text. */
static void dump_json(Compilation *c, const Pass *p, bool is_flat, FILE *out, Arena *mem)
{
    const System *s = c->sys;
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (f) {
        p->dump(&c->dae, f);
        fclose(f);
    }
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", c->request.model);
    json_text(&j, "pass", p->name);
    if (is_flat) {
        json_array(&j, "variables");
        for (uint32_t k = 0; k < s->var.n; k++)
            if (!s->var.at[k].is_hidden) {
                json_line(&j, 2);
                json_object(&j, NULL);
                variable_json(&j, s, &s->var.at[k], mem);
                json_close(&j);
            }
        json_close(&j);
        json_array(&j, "equations");
        for (uint32_t k = 0; k < s->eq.n; k++) {
            const Eq *e = &s->eq.at[k];
            json_line(&j, 2);
            json_object(&j, NULL);
            json_text(&j, "left", expr_text(s, e->lhs, mem));
            json_text(&j, "right", expr_text(s, e->rhs, mem));
            if (e->origin && *e->origin)
                json_text(&j, "instance", e->origin);
            if (e->span.file)
                json_text(&j, "where", diags_where(c->diags, e->span));
            json_close(&j);
        }
        json_close(&j);
    }
    json_text(&j, "text", text ? text : "");
    json_close(&j);
    fprintf(out, "%s\n", t.at);
    free(text);
}

static Exit dump(const Options *o, const Pass *p)
{
    Arena *mem = arena_new();
    Request r = request_of(o);
    Compilation *c = compilation_open(&r, mem);
    bool ok = c && driver_run(c, p);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD) {
        Output out;
        if (output_open(&out, o->output)) {
            if (options_want_json(o))
                dump_json(c, p, p == driver_find("flatten"), out.file, mem);
            else
                p->dump(&c->dae, out.file);
            status = output_close(&out) ? EXIT_GOOD : EXIT_FILE;
        } else {
            status = EXIT_FILE;
        }
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}

Exit command_flatten(const Options *o)
{
    return dump(o, driver_find("flatten"));
}

Exit command_dump(const Options *o)
{
    const Pass *p = o->dump ? driver_find(o->dump) : NULL;
    if (p)
        return dump(o, p);
    fprintf(stderr, "rung: there is no pass '%s'; `rung passes` lists them\n",
            o->dump ? o->dump : "");
    return EXIT_USAGE;
}

/* Costs of the passes for a model; NULL: their list. */
static void print_passes(uint32_t n, const PassCost *cost, bool json, Arena *mem)
{
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_array(&j, NULL);
    if (cost && !json)
        printf("%-13s %9s %10s %10s %9s %9s\n", "pass", "seconds", "equations", "nodes", "kept MB",
               "peak MB");
    for (uint32_t k = 0; k < n; k++) {
        const Pass *p = driver_pass(k);
        if (!json && !cost)
            printf("%-13s %s\n", p->name, p->what);
        else if (!json)
            printf("%-13s %9.3f %10u %10u %9.1f %9.1f\n", p->name, cost[k].seconds,
                   cost[k].n_equations, cost[k].n_nodes, (double)cost[k].kept / 1e6,
                   (double)cost[k].peak / 1e6);
        json_line(&j, 2);
        json_object(&j, NULL);
        json_text(&j, "name", p->name);
        json_text(&j, "what", p->what);
        if (cost) {
            json_number(&j, "seconds", cost[k].seconds, 6);
            json_count(&j, "equations", cost[k].n_equations);
            json_count(&j, "nodes", cost[k].n_nodes);
            json_count(&j, "kept", cost[k].kept);
            json_count(&j, "peak", cost[k].peak);
        }
        json_close(&j);
    }
    json_line(&j, 0);
    json_close(&j);
    if (json)
        puts(t.at);
}

Exit command_passes(const Options *o)
{
    bool json = options_want_json(o);
    if (!o->model && !o->files.n) {
        print_passes(driver_n_passes(), NULL, json, o->mem);
        return EXIT_GOOD;
    }
    Arena *mem = arena_new();
    Request r = request_of(o);
    Compilation *c = compilation_open(&r, mem);
    PassCost *cost = arena_array(o->mem, PassCost, driver_n_passes());
    uint32_t n = 0;
    bool ok = c && pass_costs_measure(c, cost, &n);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD)
        print_passes(n, cost, json, o->mem);
    compilation_free(c);
    arena_free(mem);
    return status;
}
