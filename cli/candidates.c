#include "cli/candidates.h"

#include "graph/dissection.h"
#include "graph/ladder.h"
#include "graph/mindegree.h"
#include "graph/order.h"
#include "graph/sweep.h"
#include "graph/tearing.h"

#include <string.h>

typedef Order (*Find)(Candidates *c, const Incidence *g, Arena *mem);

static Order find_ladder(Candidates *c, const Incidence *g, Arena *mem)
{
    c->ladder = ladder_find(g, mem);
    return ladder_order(&c->ladder, g, LADDER_FILL, mem);
}

/* Explicit assignments divide by nothing that varies. */
static Order find_tearing(Candidates *c, const Incidence *g, Arena *mem)
{
    (void)c;
    return tearing_find(g, LABEL_PARAM, mem);
}

static Order find_sweep(Candidates *c, const Incidence *g, Arena *mem)
{
    (void)c;
    return sweep_find(g, mem);
}

static Order find_mindegree(Candidates *c, const Incidence *g, Arena *mem)
{
    (void)c;
    return mindegree_find(g, mem);
}

static Order find_dissection(Candidates *c, const Incidence *g, Arena *mem)
{
    (void)c;
    return dissection_find(g, mem);
}

static const struct {
    const char *name;
    Find find;
} candidate[CANDIDATES] = {
    {"ladder", find_ladder},       {"tearing", find_tearing},       {"sweep", find_sweep},
    {"mindegree", find_mindegree}, {"dissection", find_dissection},
};

enum { LADDER, TEARING, SWEEP }; /* places in the table */

const char *candidate_name(uint32_t k)
{
    return candidate[k].name;
}

/* No order of elimination: the block is left to the LU at run time. */
static const char numeric[] = "numeric";
enum { NUMERIC = CANDIDATES, UNKNOWN_NAME };

/* The k-th name of a comma-separated list as a candidate, or NUMERIC, or UNKNOWN_NAME. */
static uint32_t listed(const char *list, uint32_t k, bool *end)
{
    for (; k > 0 && list; k--) {
        list = strchr(list, ',');
        list = list ? list + 1 : NULL;
    }
    *end = !list;
    if (!list)
        return UNKNOWN_NAME;
    size_t n = strcspn(list, ",");
    for (uint32_t i = 0; i <= CANDIDATES; i++) {
        const char *name = i < CANDIDATES ? candidate[i].name : numeric;
        if (strlen(name) == n && memcmp(name, list, n) == 0)
            return i;
    }
    return UNKNOWN_NAME;
}

bool candidates_known(const char *text)
{
    if (strcmp(text, "all") == 0)
        return true;
    for (uint32_t k = 0;; k++) {
        bool end;
        uint32_t i = listed(text, k, &end);
        if (end)
            return k > 0;
        if (i == UNKNOWN_NAME)
            return false;
    }
}

/* The estimate; a dense rest that is dearer by itself than `best` is not simulated. */
static uint64_t price(const Order *o, const Incidence *g, uint64_t best, Arena *mem)
{
    uint64_t torn = o->n_torn;
    uint64_t dense = torn * torn * torn / 3;
    if (dense > best)
        return dense;
    OrderPrice p = order_price(o, g, mem);
    return p.ok ? p.ops : UINT64_MAX;
}

/* Trying the widths of a band takes a while: for large blocks only if there is no good ladder. A
 * good one takes about ten operations per entry of the block, whatever its size; closed loops whose
 * multipliers are unknowns spoil it. */
enum { SWEEP_ALWAYS = 2000, GOOD_LADDER = 30 };

/* All candidates by estimated price; insertion keeps equal ones in the order of the table. */
static void rank(Candidates *c, const Incidence *g, Arena *mem)
{
    for (uint32_t k = 0; k < CANDIDATES; k++) {
        bool skip = k == SWEEP && g->n_rows > SWEEP_ALWAYS &&
                    c->ops[LADDER] < (uint64_t)GOOD_LADDER * g->n_edges;
        c->order[k] = skip ? order_failed("the block has a ladder and is large")
                           : candidate[k].find(c, g, mem);
        Arena *tmp = arena_new();
        uint64_t best = k ? c->ops[c->rank[0]] : UINT64_MAX;
        c->ops[k] = c->order[k].why ? UINT64_MAX : price(&c->order[k], g, best, tmp);
        arena_free(tmp);
        uint32_t at = k;
        for (; at > 0 && c->ops[c->rank[at - 1]] > c->ops[k]; at--)
            c->rank[at] = c->rank[at - 1];
        c->rank[at] = k;
    }
}

/* Columns for an LU that chooses its pivots itself: any permutation will do, one with little fill
 * is better. */
static Order numeric_order(Candidates *c, const Incidence *g, Arena *mem)
{
    Order o = find_ladder(c, g, mem);
    if (o.why)
        o = mindegree_find(g, mem);
    return o.why ? order_as_given(g->n_rows, mem) : o;
}

/* Tearing, or all of the block as residuals. */
static Order torn_order(Candidates *c, const Incidence *g, Arena *mem)
{
    Order o = find_tearing(c, g, mem);
    if (!o.why)
        return o;
    o = order_as_given(g->n_rows, mem);
    o.n_torn = g->n_rows;
    return o;
}

/* A ladder comes with the other rules' orders inside its structures, if it is worth a try. */
static void propose(const Candidates *c, uint32_t which, const Incidence *g, Arena *mem,
                    Proposal *out)
{
    *out = (Proposal){.name = candidate[which].name,
                      .order = c->order[which],
                      .ops = c->ops[which],
                      .effort = c->effort};
    bool is_dear = !c->only && c->ops[LADDER] / WORTH_A_TRY > c->ops[c->rank[0]];
    if (which != LADDER || out->order.why || is_dear)
        return;
    Order *variant = arena_array(mem, Order, LADDER_RULES);
    for (LadderRule rule = 0; rule < LADDER_RULES; rule++) {
        Order o = rule == LADDER_FILL ? out->order : ladder_order(&c->ladder, g, rule, mem);
        if (!o.why)
            variant[out->n_variants++] = o;
    }
    out->variant = variant;
}

bool candidates_order(void *data, const Incidence *g, uint32_t k, Arena *mem, Proposal *out)
{
    Candidates *c = data;
    if (k == UINT32_MAX) {
        *out = (Proposal){.name = candidate[TEARING].name, .order = find_tearing(c, g, mem)};
        return true;
    }
    if (c->is_torn) {
        *out = (Proposal){.name = "residual", .order = torn_order(c, g, mem), .is_torn = true};
        return k == 0;
    }
    if (c->is_numeric) {
        *out = (Proposal){.name = numeric, .order = numeric_order(c, g, mem), .is_numeric = true};
        return k == 0;
    }
    if (c->only) {
        bool end;
        uint32_t which = listed(c->only, k, &end);
        if (end)
            return false;
        if (which == NUMERIC) {
            *out = (Proposal){.name = numeric, .order = numeric_order(c, g, mem), .is_numeric = true};
            return true;
        }
        c->order[which] = candidate[which].find(c, g, mem);
        c->ops[which] = 0;
        propose(c, which, g, mem, out);
        return true;
    }
    if (k >= CANDIDATES)
        return false;
    if (k == 0)
        rank(c, g, mem);
    propose(c, c->rank[k], g, mem, out);
    return true;
}
