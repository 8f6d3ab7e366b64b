#include "language_server/model_size.h"

#include "study/measure/measure.h"
#include "study/package_check.h"
#include "translate/driver.h"

static uint64_t operations(const Measure *m)
{
    const OpCount *c = &m->accelerations;
    return c->add + c->mul + c->div + c->call;
}

static void put_operations(const Analysis *a, const char *model, Text *out)
{
    Request r = {.libraries = analysis_libraries(a), .units = RULE_OFF};
    vec_push(a->mem, r.files, a->document->path);
    Measures m = {.n = 1, .order = {"tearing"}};
    if (measures_find(&r, model, &m, a->mem) != EXIT_GOOD || !m.choice.ok)
        return;
    const char *order = measure_single_order(&m.choice);
    unsigned long long n = operations(&m.choice);
    text_printf(out, "  \n%llu operation%s for the derivatives of the states%s%s", n,
                n == 1 ? "" : "s", order && *order ? ", order " : "", order ? order : "");
    if (order && m.forced[0].ok)
        text_printf(out, "; %llu by tearing", (unsigned long long)operations(&m.forced[0]));
}

void put_model_size(const Analysis *a, const char *model, Text *out)
{
    enum { MOST = 10000 };
    const SynFile *tree;
    Compilation *c = analysis_open(a, &tree);
    diags_clear(c->diags);
    if (class_check(c, model) != CHECKED_AS_MODEL || diags_errors(c->diags) > 0)
        return;
    c = analysis_open(a, &tree);
    diags_clear(c->diags);
    compilation_name(c, model);
    driver_run(c, driver_find("blocks"));
    if (diags_errors(c->diags) > 0)
        return;
    uint32_t loops = 0, largest = 0, n = c->dae.n_flat_equations, states = c->dae.states.n;
    for (uint32_t b = 0; b < c->dae.blt.blocks.n; b++) {
        uint32_t size = c->dae.blt.blocks.begin[b + 1] - c->dae.blt.blocks.begin[b];
        loops += size > 1;
        largest = size > largest ? size : largest;
    }
    text_printf(out, "\n\n%u equation%s, %u state%s", n, n == 1 ? "" : "s", states,
                states == 1 ? "" : "s");
    if (loops)
        text_printf(out, ", %u algebraic loop%s, the largest of %u equations", loops,
                    loops == 1 ? "" : "s", largest);
    bool are_saved = true;
    for (const Document *d = a->documents->first; d; d = d->next)
        are_saved = are_saved && document_is_in_file(d);
    if (are_saved && n < MOST)
        put_operations(a, model, out);
}
