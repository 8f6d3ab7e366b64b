#include "translate/open_warning.h"

#include "base/hash.h"
#include "base/map.h"
#include "eliminate/block/ordering.h"
#include "eliminate/prepare/singular_report.h"
#include "translate/order_warning.h"

/* Warns once per declaration, at the component of the model that the parameter belongs to. */
static bool warn(Compilation *c, const OpenUnknown *open, Map *done)
{
    System *s = c->sys;
    const char *unknown = s->var.at[open->var.i].name.s, *path = "";
    Span at = singular_place_of_eq(s, &s->eq.at[open->eq.i]);
    bool is_blamed = var_exists(open->parameter);
    if (is_blamed && !front_component_of(c->front, open->parameter, &path, &at))
        at = s->var.at[open->parameter.i].span;
    uint64_t key = hash_pair(hash_word(at.file), at.begin);
    if (map_get(done, key) != MAP_NONE)
        return false;
    map_put(done, key, 1);
    if (!is_blamed) {
        diag_warning(c->diags, at, "E05",
                     "with these parameters nothing determines '%s'; a run stops if that moves a "
                     "state",
                     unknown);
        return true;
    }
    const char *cause = s->var.at[open->parameter.i].name.s;
    diag_warning(c->diags, at, "E05",
                 "nothing determines '%s' while '%s' is zero, and a run stops if that moves a "
                 "state; give '%s' another value",
                 unknown, cause, cause);
    return true;
}

/* Warns of a block that no order solves, since it costs an LU in each evaluation. */
static void warn_of_lu(Compilation *c, const BlockReport *r)
{
    enum { SMALL = 30 }; /* equations, where the LU costs little more */
    if (!r->is_numeric || r->n < SMALL || r->failure.reason.kind != REASON_ZERO_PIVOT)
        return;
    diag_warning(c->diags, c->sys->eq.at[r->eq[0].i].span, "E06",
                 "%u equations are left to an LU at run time, since orders of elimination meet a "
                 "zero pivot for '%s'",
                 r->n, r->failure.reason.text);
}

void open_warning(Compilation *c, const Solution *s)
{
    enum { MOST = 8 };
    Map done = map_new(c->mem);
    for (uint32_t k = 0, n = 0; k < s->n_reports; k++) {
        warn_of_lu(c, &s->report[k]);
        for (uint32_t i = 0; i < s->report[k].n_open && n < MOST; i++)
            n += warn(c, &s->report[k].open[i], &done);
    }
}

void open_warning_ahead(Compilation *c)
{
    System *s = c->sys;
    Arena *tmp = arena_new();
    OrderPolicy policy = {.only = ordering_name(0), .too_long = TOO_LONG_NUMERIC, .budget = 1};
    Orders orders = ordering_of(&policy);
    Diags *diags = s->diags;
    s->diags = diags_new(tmp);
    PoolMark mark = pool_mark(s->pool);
    Solution solution;
    bool ok = solve(&c->dae.blt, &orders, &solution, tmp);
    s->diags = diags;
    if (ok) {
        open_warning(c, &solution);
        order_warning_ahead(c, &orders, &solution);
    }
    pool_rollback(s->pool, mark);
    arena_free(tmp);
}
