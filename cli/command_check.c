/* rung check: is the model right, and how large is it. */
#include "cli/command.h"
#include "study/package_check.h"
#include "translate/driver.h"
#include "translate/open_warning.h"

#include "base/json.h"
#include "cli/requests.h"
#include "frontend/syntax/parser.h"

#include <stdio.h>
#include <string.h>

/* Constraints of the cut loops, without those of derivatives by parameters. */
static uint32_t n_constraints(const Compilation *c)
{
    const LoopCut *l = &c->dae.loops;
    return l->n_loops > 0 ? l->n_constraints / l->n_parts : 0;
}

static void count_loops(const Compilation *c, uint32_t *n, uint32_t *largest)
{
    *n = *largest = 0;
    for (uint32_t b = 0; b < c->dae.blt.blocks.n; b++) {
        uint32_t size = c->dae.blt.blocks.begin[b + 1] - c->dae.blt.blocks.begin[b];
        *n += size > 1;
        *largest = size > 1 && size > *largest ? size : *largest;
    }
}

static void print_json(const Compilation *c, const char *model)
{
    uint32_t loops;
    uint32_t largest;
    count_loops(c, &loops, &largest);
    Text t = text_new(c->mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", model);
    json_count(&j, "equations", c->dae.n_flat_equations);
    json_count(&j, "unknowns", c->dae.n_flat_unknowns);
    json_count(&j, "states", c->dae.states.n);
    json_count(&j, "aliases", c->dae.aliases.n_aliases);
    json_count(&j, "constants", c->dae.aliases.n_constants);
    json_count(&j, "loops", loops);
    json_count(&j, "largest_loop", largest);
    json_count(&j, "differentiated", c->dae.pantelides.n_eqs - c->dae.pantelides.n_old_eqs);
    json_count(&j, "cut_joints", c->sys->cut.n);
    json_count(&j, "constraints", n_constraints(c));
    json_close(&j);
    puts(t.at);
}

static void print_text(const Compilation *c, const char *model)
{
    uint32_t loops;
    uint32_t largest;
    count_loops(c, &loops, &largest);
    printf("%s\n", model);
    printf("  %u equations, %u unknowns\n", c->dae.n_flat_equations, c->dae.n_flat_unknowns);
    printf("  %u states\n", c->dae.states.n);
    printf("  %u aliases and %u constants removed, %u equations differentiated\n",
           c->dae.aliases.n_aliases, c->dae.aliases.n_constants,
           c->dae.pantelides.n_eqs - c->dae.pantelides.n_old_eqs);
    printf("  %u algebraic loop%s", loops, loops == 1 ? "" : "s");
    if (loops)
        printf(", the largest of %u equations", largest);
    printf("\n");
    uint32_t n = n_constraints(c), joints = c->sys->cut.n;
    if (joints)
        printf("  %u cut joint%s", joints, joints == 1 ? "" : "s");
    if (n)
        printf("%s%u constraint%s on the positions of these states", joints ? ", " : "  ", n,
               n == 1 ? "" : "s");
    if (joints || n)
        printf("\n");
}

/* The model was flattened, but a later pass found an error. */
static void print_flat_json(const Compilation *c, const char *model)
{
    Text t = text_new(c->mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", model);
    json_count(&j, "equations", c->dae.n_flat_equations);
    json_count(&j, "unknowns", c->dae.n_flat_unknowns);
    json_count(&j, "errors", diags_errors(c->diags));
    json_close(&j);
    puts(t.at);
}

/* The package that is named, or *all for the user's files: a directory, a package, several models.
 */
static SynClass *package_of(Compilation *c, bool *all)
{
    *all = false;
    if (c->request.model) {
        SynInstance x;
        if (!parse_instance(c->mem, c->names, c->diags, c->request.model, &x) || x.mod)
            return NULL;
        SynClass *named = library_find_path(c->library, &x.path);
        return named && named->restriction == SYN_R_PACKAGE ? named : NULL;
    }
    const SynClass *one;
    uint32_t n = library_n_files(c->library);
    const SynFile *last = n ? library_file(c->library, n - 1) : NULL;
    bool is_package =
        last && last->n_classes && last->class_[last->n_classes - 1]->restriction == SYN_R_PACKAGE;
    // functions and records alone are checked as types
    uint32_t n_models = compilation_candidates(c, &one, 1);
    *all = is_package || n_models > 1 || (n_models == 0 && last && last->n_classes);
    return NULL;
}

Exit command_check(const Options *o)
{
    Arena *mem = arena_new();
    Request r = request_of(o);
    Compilation *whole = compilation_new(&r, mem);
    bool all;
    SynClass *package = package_of(whole, &all);
    if (diags_errors(whole->diags) == 0 && (package || all)) {
        uint32_t jobs;
        Exit exit = EXIT_USAGE;
        if (jobs_of(o, &jobs))
            exit = package_check(whole, package, jobs, options_want_json(o));
        compilation_free(whole);
        arena_free(mem);
        return exit;
    }
    compilation_free(whole);
    Compilation *c = compilation_open(&r, mem);
    bool ok = c && driver_run(c, driver_find("blocks"));
    if (ok)
        open_warning_ahead(c);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    bool json = o->format && strcmp(o->format, "json") == 0;
    if (ok && status == EXIT_GOOD) {
        if (json)
            print_json(c, c->request.model);
        else
            print_text(c, c->request.model);
    } else if (json && c && driver_reached(c, "flatten")) {
        print_flat_json(c, c->request.model);
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}
