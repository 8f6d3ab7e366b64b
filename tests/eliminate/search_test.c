/* Orders inside structures that were searched: never dearer, still eliminating, kept from run to
 * run. */
#define _XOPEN_SOURCE 700
#include "eliminate/block/search.h"

#include "base/temporary.h"
#include "ir/program.h"
#include "tests/eliminate/fixture.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

/* A chain of stages of `size` pairs each: every stage's rows hold some of its own unknowns and some
 * of the next stage's. */
typedef struct Chain {
    uint32_t n_stages, size;
    Order order;
    Incidence g;
    Matrix m;
} Chain;

static Chain chain_of(Fixture *f, uint32_t n_stages, uint32_t size)
{
    uint32_t n = n_stages * size;
    Chain c = {.n_stages = n_stages, .size = size, .m = matrix_new(f->p, n, n, f->mem)};
    c.order = (Order){.n = n,
                      .eq = arena_array(f->mem, uint32_t, n),
                      .var = arena_array(f->mem, uint32_t, n),
                      .stage = arena_array(f->mem, uint32_t, n)};
    IncidenceBuilder b = incidence_begin(f->mem, n);
    for (uint32_t k = 0; k < n; k++) {
        c.order.eq[k] = c.order.var[k] = k;
        c.order.stage[k] = k / size;
        incidence_row(&b);
        for (uint32_t j = k / size * size; j < (k / size + 2) * size && j < n; j++) {
            bool there = j == k || (j * j + 3 * k) % 5 == 0;
            if (!there)
                continue;
            incidence_edge(&b, j, LABEL_OTHER, 0);
            VarId a = variable(f, VAR_CONTINUOUS, name_printf(f->s->names, "a%u_%u", k, j).s);
            f->s->var.at[a.i].attr.start = expr_ratio(f->p, 1 + (3 * k + 5 * j) % 11, 7);
            matrix_set(&c.m, k, j, system_var_expr(f->s, a));
        }
        c.m.rhs[k] = unknown(f, name_printf(f->s->names, "b%u", k).s);
    }
    c.g = incidence_done(&b);
    return c;
}

/* Operations for all unknowns. */
static Cost eliminated(Chain *c, OrderSearch *r, SamplePoints *w, Fixture *f)
{
    uint32_t refined = 0;
    for (uint32_t k = 0; k < c->order.n; k++) {
        if (r && k == refined)
            refined += search_structure(r, &c->m, &c->order, k);
        matrix_pivot(&c->m, c->order.eq[k], c->order.var[k]);
    }
    ExprId *x = arena_array(f->mem, ExprId, c->order.n);
    matrix_solve(&c->m, x);
    OpCount n = program_count(f->p, c->order.n, x);
    return (Cost){vanishing_pivots(&c->m, w), n.add + n.mul + n.div};
}

static Cost cost_of(uint32_t n_stages, uint32_t size, uint64_t budget, Cache *cache)
{
    Fixture f = fixture();
    Chain c = chain_of(&f, n_stages, size);
    uint32_t n = c.order.n;
    StructureClasses classes = structure_classes(&c.order, &c.g, f.mem);
    /* in its own roles, since the chain is numbered as it is */
    for (uint32_t k = 0; k < n; k++)
        classes.by_role[k] = k;
    uint32_t *group = arena_array(f.mem, uint32_t, n);
    bool *is_needed = arena_array(f.mem, bool, n);
    for (uint32_t k = 0; k < n; k++) {
        group[k] = k;
        is_needed[k] = true;
        classes.range[k / size].class = k / size; /* rows of stages differ: each for itself */
    }
    classes.n = n_stages;
    Order start = c.order;
    start.eq = arena_array(f.mem, uint32_t, n);
    start.var = arena_array(f.mem, uint32_t, n);
    memcpy(start.eq, c.order.eq, n * sizeof *start.eq);
    memcpy(start.var, c.order.var, n * sizeof *start.var);
    Sample sample = sample_new(f.s, f.mem);
    SamplePoints w = sample_points_new(f.p, &sample, f.mem);
    OrderSearch *r = search_new(&classes, group, 1, &start, is_needed, &w, budget, 1, cache, f.mem);
    Cost cost = eliminated(&c, budget ? r : NULL, &w, &f);
    /* every pair of a stage once */
    bool *seen = arena_array(f.mem, bool, 2 * n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t e = c.order.eq[k], v = c.order.var[k];
        cr_assert(e / size == k / size && v / size == k / size);
        cr_assert(!seen[e] && !seen[n + v]);
        seen[e] = seen[n + v] = true;
    }
    fixture_done(&f);
    return cost;
}

Test(search, never_costs_more_and_still_solves)
{
    for (uint32_t size = 3; size <= 7; size++) {
        Cost before = cost_of(4, size, 0, NULL);
        Cost after = cost_of(4, size, 100000, NULL);
        cr_assert(!cost_less(before, after), "size %u: %u, %lu; %u, %lu", size, before.n_vanishing,
                  (unsigned long)before.ops, after.n_vanishing, (unsigned long)after.ops);
    }
}

/* Puts the orders that the search began with in the place of those kept. How many there were. */
static uint32_t undo_kept(Cache *cache, const char *folder, uint32_t size)
{
    enum { MOST = 8 };
    uint32_t start[2 * MOST], n = 0;
    cr_assert(size <= MOST);
    for (uint32_t k = 0; k < size; k++)
        start[k] = start[size + k] = k;
    DIR *d = opendir(folder);
    cr_assert(d);
    for (struct dirent *e; (e = readdir(d));)
        if (strstr(e->d_name, ".order")) {
            cr_assert(cache_put(cache, e->d_name, start, 2 * size * sizeof *start));
            n++;
        }
    closedir(d);
    return n;
}

static bool same(Cost a, Cost b)
{
    return !cost_less(a, b) && !cost_less(b, a);
}

Test(search, orders_are_kept_for_the_same_search)
{
    enum { SIZE = 7, BUDGET = 1000000 };
    Arena *mem = arena_new();
    const char *home;
    cr_assert(temporary_folder(mem, "search-test", &home));
    const char *folder = arena_printf(mem, "%s/rung", home);
    setenv("XDG_CACHE_HOME", home, 1);
    Cache *cache = cache_open(mem);
    Cost before = cost_of(1, SIZE, 0, NULL), found = cost_of(1, SIZE, BUDGET, NULL);
    cr_assert(cost_less(found, before), "nothing to find");
    cr_assert(same(cost_of(1, SIZE, BUDGET, cache), found));
    cr_assert(same(cost_of(1, SIZE, BUDGET, cache), found));
    // the kept one is taken, whatever it is; by another search it is not
    cr_assert_eq(undo_kept(cache, folder, SIZE), 1);
    cr_assert(same(cost_of(1, SIZE, BUDGET, cache), before));
    cr_assert(same(cost_of(1, SIZE, 2 * BUDGET, cache), found));
    cr_assert_eq(undo_kept(cache, folder, SIZE), 2);
    temporary_remove(folder);
    temporary_remove(home);
    cr_assert_neq(access(home, F_OK), 0);
    arena_free(mem);
}
