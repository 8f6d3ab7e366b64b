/* rung count: the cost of each order of elimination. */
#include "study/measure/count.h"

#include "cli/command.h"
#include "cli/requests.h"
#include "translate/driver.h"

#include <stdio.h>
#include <string.h>

/* Whether the comma-separated list has the name; no list or "all" has every order. */
static bool is_listed(const char *list, const char *name)
{
    if (!list || strcmp(list, "all") == 0)
        return strcmp(name, ordering_name(NUMERIC)) != 0;
    for (;;) {
        size_t n = strcspn(list, ",");
        if (n == strlen(name) && memcmp(list, name, n) == 0)
            return true;
        if (!list[n])
            return false;
        list += n + 1;
    }
}

static bool same_counts(const OpCount *a, const OpCount *b)
{
    return a->add == b->add && a->mul == b->mul && a->div == b->div && a->call == b->call;
}

/* The order by name if it gives the same program, else any that does. */
static void find_taken(Counted *c, bool add_choice)
{
    const char *name = measure_single_order(&c->choice);
    c->taken = c->n;
    for (uint32_t k = c->n; k-- > 0;) {
        const Measure *m = &c->measure[k];
        bool same = m->ok && same_counts(&m->accelerations, &c->choice.accelerations) &&
                    same_counts(&m->total, &c->choice.total);
        bool named = name && strcmp(name, m->order) == 0;
        if (same &&
            (named || c->taken == c->n || !name || strcmp(name, c->measure[c->taken].order) != 0))
            c->taken = k;
    }
    if (c->taken == c->n && add_choice) {
        c->measure[c->n] = c->choice;
        if (name && *name)
            c->measure[c->n].order = name;
        c->n++;
    }
}

static Exit count_point(const Options *o, Counted *c, Arena *mem)
{
    /* not among the columns of csv */
    Measures m = {.motion = o->motion,
                  .effort = o->effort,
                  .ask_residual = !(o->format && strcmp(o->format, "csv") == 0) && !o->plot};
    for (uint32_t k = 0; k < ORDER_NAMES; k++) {
        if (is_listed(o->order, ordering_name(k)))
            m.order[m.n++] = ordering_name(k);
    }
    Request r = request_of(o);
    Exit status = measures_find(&r, c->model, &m, mem);
    if (status != EXIT_GOOD)
        return status;
    c->choice = m.choice;
    c->residual = m.residual;
    c->base = m.base;
    c->n = m.n;
    memcpy(c->measure, m.forced, sizeof m.forced);
    find_taken(c, !o->order || strcmp(o->order, "all") == 0);
    return EXIT_GOOD;
}

/* The model's name as the user gave it, or the default. */
static Exit find_model(const Options *o, Arena *mem, const char **model)
{
    if (o->model) {
        *model = o->model;
        return EXIT_GOOD;
    }
    Request r = request_of(o);
    Compilation *c = compilation_open(&r, mem);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (c && status == EXIT_GOOD)
        *model = arena_copy(mem, c->request.model, strlen(c->request.model));
    compilation_free(c);
    return status;
}

static bool usable(const Options *o, Grid *grid)
{
    if (!o->motion != !o->effort) {
        fputs("rung: --motion and --effort belong together: inverse dynamics\n", stderr);
        return false;
    }
    if (!grid_read(grid, &o->sweep, o->mem))
        return false;
    if (o->plot && grid->n_axes == 0) {
        fputs("rung: --plot draws over a parameter: say which with --sweep\n", stderr);
        return false;
    }
    return true;
}

Exit command_count(const Options *o)
{
    Study s = {.mem = o->mem};
    if (!usable(o, &s.grid))
        return EXIT_USAGE;
    Exit status = find_model(o, o->mem, &s.model);
    Counted *point = arena_array(o->mem, Counted, s.grid.n_points);
    for (uint32_t k = 0; k < s.grid.n_points && status == EXIT_GOOD; k++) {
        point[k].model = grid_model(&s.grid, k, s.model, o->mem);
        status = count_point(o, &point[k], o->mem);
    }
    if (status != EXIT_GOOD)
        return status;
    s.point = point;
    if (o->format && strcmp(o->format, "csv") == 0)
        study_print_csv(&s);
    else if (o->format && strcmp(o->format, "json") == 0)
        study_print_json(&s);
    else
        study_print_table(&s);
    return !o->plot || study_plot(&s, o->plot) ? EXIT_GOOD : EXIT_FILE;
}
