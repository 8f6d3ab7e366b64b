#include "eliminate/block/ordering.h"

#include "base/bug.h"
#include "base/thread.h"
#include "graph/dissection.h"
#include "graph/frontal.h"
#include "graph/ladder.h"
#include "graph/mindegree.h"
#include "graph/order.h"
#include "graph/tearing.h"

#include <string.h>

typedef Order (*Find)(OrderPolicy *c, const Incidence *g, Arena *mem);

static Order find_ladder(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    c->ladder = ladder_find(g, mem);
    c->variant = NULL;
    c->n_variants = 0;
    return ladder_order(&c->ladder, g, LADDER_FILL, mem);
}

/* Explicit assignments divide by nothing that varies. */
static Order find_tearing(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    (void)c;
    return tearing_find(g, LABEL_PARAM, mem);
}

static Order find_frontal(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    (void)c;
    return frontal_order(g, mem);
}

static Order find_mindegree(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    (void)c;
    return mindegree_find(g, mem);
}

static Order find_dissection(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    (void)c;
    return dissection_find(g, mem);
}

/* Along a ladder that is found. */
static Order composite_along(OrderPolicy *c, const Incidence *g, uint64_t most, Arena *mem)
{
    c->composite = arena_array(mem, Order, LADDER_RULES);
    c->n_composite = 0;
    for (LadderRule rule = 0; rule < LADDER_RULES; rule++) {
        Order o = ladder_composite(&c->ladder, g, rule, most, mem);
        if (o.why && rule == 0)
            return o;
        if (!o.why)
            c->composite[c->n_composite++] = o;
    }
    return c->composite[0];
}

static Order find_composite(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    c->ladder = ladder_find(g, mem);
    return composite_along(c, g, UINT64_MAX, mem);
}

static const struct {
    const char *name;
    Find find;
} candidate[ORDERS] = {
    {"ladder", find_ladder},       {"tearing", find_tearing},       {"frontal", find_frontal},
    {"mindegree", find_mindegree}, {"dissection", find_dissection}, {"composite", find_composite},
};

/* places in the table */
enum { LADDER, TEARING, FRONTAL, MINDEGREE, DISSECTION, COMPOSITE };

const char *ordering_name(uint32_t k)
{
    return k == NUMERIC ? "numeric" : candidate[k].name;
}

/* The k-th name of a comma-separated list as one of ORDER_NAMES; ORDER_NAMES if unknown. */
static uint32_t listed(const char *list, uint32_t k, bool *end)
{
    for (; k > 0 && list; k--) {
        list = strchr(list, ',');
        list = list ? list + 1 : NULL;
    }
    *end = !list;
    if (!list)
        return ORDER_NAMES;
    size_t n = strcspn(list, ",");
    for (uint32_t i = 0; i < ORDER_NAMES; i++) {
        if (strlen(ordering_name(i)) == n && memcmp(ordering_name(i), list, n) == 0)
            return i;
    }
    return ORDER_NAMES;
}

bool ordering_is_known(const char *text)
{
    if (strcmp(text, "all") == 0)
        return true;
    for (uint32_t k = 0;; k++) {
        bool end;
        uint32_t i = listed(text, k, &end);
        if (end)
            return k > 0;
        if (i == ORDER_NAMES)
            return false;
    }
}

/* The estimate; a dense rest that is dearer by itself than `best` is not simulated. */
static OrderEstimate estimate(const Order *o, const Incidence *g, uint64_t best, Arena *mem)
{
    uint64_t torn = o->n_torn;
    uint64_t dense = torn * torn * torn / 3;
    if (dense > best)
        return (OrderEstimate){.ok = true, .ops = dense, .all = dense, .straight = dense};
    return order_estimate(o, g, mem);
}

/* Trying the widths of a band takes a while: for large blocks only if there is no good ladder. A
 * good one takes about ten operations per entry of the block, whatever its size; closed loops whose
 * multipliers are unknowns spoil it. */
enum { FRONTAL_ALWAYS = 2000, GOOD_LADDER = 30 };

/* A ladder comes with the other rules' orders inside its structures. */
static void find_variants(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    c->variant = arena_array(mem, Order, LADDER_RULES);
    for (LadderRule rule = 0; rule < LADDER_RULES && !c->order[LADDER].why; rule++) {
        Order o = rule == LADDER_FILL ? c->order[LADDER] : ladder_order(&c->ladder, g, rule, mem);
        if (!o.why)
            c->variant[c->n_variants++] = o;
    }
}

#if RUNG_CHECKS
static void check_tearing(const Order *o, const Incidence *g)
{
    if (!tearing_check(o, g, LABEL_PARAM)) {
        order_dump(o, stderr);
        bug("what follows from tearing variables does not follow one after another");
    }
}

static void check(const OrderPolicy *c, uint32_t which, const Incidence *g)
{
    if (which == TEARING)
        check_tearing(&c->order[which], g);
    if (which == LADDER && !ladder_check(&c->ladder, g)) {
        ladder_dump(&c->ladder, stderr);
        bug("the ladder of a block contradicts itself");
    }
    if (!order_check(&c->order[which], g)) {
        order_dump(&c->order[which], stderr);
        bug("the order '%s' leaves out equations of its block", candidate[which].name);
    }
}
#endif

static void find(OrderPolicy *c, uint32_t which, uint64_t best, const Incidence *g, Arena *mem)
{
    Arena *tmp = arena_new();
    c->order[which] =
        which == COMPOSITE ? composite_along(c, g, best, mem) : candidate[which].find(c, g, mem);
#if RUNG_CHECKS
    check(c, which, g);
#endif
    c->estimate[which] =
        c->order[which].why ? (OrderEstimate){0} : estimate(&c->order[which], g, best, tmp);
    arena_free(tmp);
}

/* ---- a large block: the ladder on one processor, the others on another ---- */

enum { LARGE = 2000 };

typedef struct Search {
    OrderPolicy *c;
    const Incidence *g;
    Arena *mem;
} Search;

static void search_ladder(void *data)
{
    Search *s = data;
    find(s->c, LADDER, UINT64_MAX, s->g, s->mem);
    find_variants(s->c, s->g, s->mem);
}

/* Those whose estimate does not depend on the ladder's. */
static void search_others(void *data)
{
    Search *s = data;
    find(s->c, MINDEGREE, UINT64_MAX, s->g, s->mem);
    find(s->c, DISSECTION, UINT64_MAX, s->g, s->mem);
}

static void search(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    Arena *beside = arena_new();
    Search ladder = {c, g, mem}, others = {c, g, beside};
    thread_both((Task){search_ladder, &ladder}, (Task){search_others, &others});
    for (uint32_t k = MINDEGREE; k <= DISSECTION; k++) {
        Order *o = &c->order[k], found = *o;
        if (o->why)
            continue;
        o->eq = arena_array(mem, uint32_t, o->n);
        o->var = arena_array(mem, uint32_t, o->n);
        memcpy(o->eq, found.eq, o->n * sizeof *o->eq);
        memcpy(o->var, found.var, o->n * sizeof *o->var);
    }
    arena_free(beside);
}

/* The estimate of composite bodies is off as that of the ladder is, by the symmetry of the same
 * matrices. On chains, trees, robots and closed loops they were cheaper only where it was at most a
 * seventh above the ladder's, and the search of orders takes long where many operations are
 * counted. */
static void drop_dear_composite(OrderPolicy *c)
{
    OrderEstimate *e = &c->estimate[COMPOSITE];
    if (!e->ok || e->ops <= c->ops[LADDER] + c->ops[LADDER] / 4)
        return;
    c->order[COMPOSITE] = order_failed("dearer than the ladder by its structure");
    *e = (OrderEstimate){0};
}

/* All candidates by their estimates; insertion keeps equal ones in the order of the table. */
static void rank(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    bool is_large = g->n_rows > LARGE;
    if (is_large)
        search(c, g, mem);
    for (uint32_t k = 0; k < ORDERS; k++) {
        bool skip = k == FRONTAL && g->n_rows > FRONTAL_ALWAYS &&
                    c->ops[LADDER] < (uint64_t)GOOD_LADDER * g->n_edges;
        if (skip) {
            c->order[k] = order_failed("the block has a ladder and is large");
            c->estimate[k] = (OrderEstimate){0};
        } else if (!is_large || k == TEARING || k == FRONTAL || k == COMPOSITE) {
            find(c, k, k ? c->ops[c->rank[0]] : UINT64_MAX, g, mem);
        }
        if (k == COMPOSITE)
            drop_dear_composite(c);
        c->ops[k] = c->estimate[k].ok ? c->estimate[k].ops : UINT64_MAX;
        uint32_t at = k;
        for (; at > 0 && c->ops[c->rank[at - 1]] > c->ops[k]; at--)
            c->rank[at] = c->rank[at - 1];
        c->rank[at] = k;
    }
}

/* ---- straight code or the LU at run time ---- */

/* Nanoseconds, measured on grids of resistors: to compile an operation of straight code, gcc -O1;
 * to execute it; the same at run time for an operation of a factorisation, and for an entry of the
 * factors, with the other evaluations of a solution. */
static const double COMPILED = 2e5, STRAIGHT = 0.5, FACTORED = 10, SOLVED = 7;

/* Operations of straight-line code whose compilation is always acceptable (a minute), and never
 * (half an hour). */
enum { SHORT = 300 * 1000, LONG = 10 * 1000 * 1000 };

/* How often a program is evaluated: some thousand steps. */
enum { EVALUATIONS = 50 * 1000 };

static bool varies(const Incidence *g)
{
    for (uint32_t k = 0; k < g->n_edges; k++)
        if (g->label[k] > LABEL_PARAM)
            return true;
    return false;
}

/* Whether an elimination is more straight code than it is worth: compiling it takes longer than all
 * evaluations together gain by it. */
static bool is_too_long(const OrderEstimate *p, const Incidence *g)
{
    if (p->straight <= SHORT || p->straight > LONG)
        return p->straight > SHORT;
    double lu =
        SOLVED * (double)(g->n_edges + p->fill) + (varies(g) ? FACTORED * (double)p->all : 0);
    return COMPILED * (double)p->straight > EVALUATIONS * (lu - STRAIGHT * (double)p->ops);
}

/* Columns for an LU that chooses its pivots itself: any permutation will do, one with little fill
 * is better. */
static Order numeric_order(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    Order o = find_ladder(c, g, mem);
    if (o.why)
        o = mindegree_find(g, mem);
    return o.why ? order_as_given(g->n_rows, mem) : o;
}

/* Tearing, or all of the block as residuals. */
static Order torn_order(OrderPolicy *c, const Incidence *g, Arena *mem)
{
    Order o = find_tearing(c, g, mem);
    if (!o.why)
        return o;
    o = order_as_given(g->n_rows, mem);
    o.n_torn = g->n_rows;
    return o;
}

/* Structures of composite bodies whose orders are searched as long as those of the ladder are,
 * which has few classes of them. */
enum { SEARCHED_WHOLE = 4 };

/* The ladder's variants only if it is worth a try. */
static void offer(OrderPolicy *c, uint32_t which, const Incidence *g, Arena *mem, Candidate *out)
{
    *out = (Candidate){.name = candidate[which].name,
                       .order = c->order[which],
                       .estimate = c->ops[which],
                       .budget = c->budget};
    if (which == COMPOSITE && !out->order.why) {
        // rows get longer towards the ground, so no structure is like another
        uint64_t budget = c->budget ? c->budget : SEARCH_BUDGET;
        out->budget = c->ladder.n > SEARCHED_WHOLE ? budget * SEARCHED_WHOLE / c->ladder.n : budget;
        out->variant = c->composite;
        out->n_variants = c->n_composite;
    }
    if (which == LADDER) {
        LadderSpread *spread = arena_make(mem, LadderSpread);
        *spread = ladder_spread(&c->ladder, g, mem);
        out->spread = spread;
    }
    bool is_dear = !c->only && c->ops[LADDER] / COUNTED_UP_TO > c->ops[c->rank[0]];
    if (which != LADDER || out->order.why || is_dear)
        return;
    if (!c->variant)
        find_variants(c, g, mem);
    out->variant = c->variant;
    out->n_variants = c->n_variants;
}

static Candidate left(Order order)
{
    return (Candidate){.name = ordering_name(NUMERIC), .order = order, .is_numeric = true};
}

/* Why none of the orders is taken. */
static void explain(const OrderPolicy *c, Arena *mem, Candidate *out)
{
    CandidateReport *r = arena_array(mem, CandidateReport, ORDER_NAMES);
    r[0] = (CandidateReport){.order = out->name};
    for (uint32_t k = 0; k < ORDERS; k++) {
        uint32_t which = c->rank[k];
        const char *why = c->order[which].why;
        Reason reason = {REASON_LONG_CODE, .amount = (double)c->estimate[which].straight};
        if (why)
            reason = (Reason){.kind = REASON_NO_ORDER, .text = why};
        else if (!c->estimate[which].ok)
            reason = (Reason){.kind = REASON_ZERO};
        r[k + 1] = (CandidateReport){
            .order = candidate[which].name, .status = CANDIDATE_REJECTED, .reason = reason};
    }
    out->report = r;
    out->n_reports = ORDER_NAMES;
}

/* Whether an order that is asked for takes more than it may. A dense rest beyond the limit is not
 * simulated. */
static Reason limit(const OrderPolicy *c, uint32_t which, const Incidence *g)
{
    if (!c->limit || c->order[which].why)
        return (Reason){0};
    uint64_t torn = c->order[which].n_torn, all = 2 * torn * torn * torn / 3;
    if (all <= c->limit) {
        Arena *tmp = arena_new();
        OrderEstimate p = order_estimate(&c->order[which], g, tmp);
        arena_free(tmp);
        all = p.ok ? p.all : 0;
    }
    if (all <= c->limit)
        return (Reason){0};
    return (Reason){.kind = REASON_LIMIT, .amount = (double)all};
}

Candidate ordering_torn(const Incidence *g, Arena *mem)
{
    Candidate c = {.name = candidate[TEARING].name, .order = tearing_find(g, LABEL_PARAM, mem)};
#if RUNG_CHECKS
    check_tearing(&c.order, g);
#endif
    return c;
}

bool ordering_next(OrderPolicy *c, const Incidence *g, uint32_t k, Arena *mem, Candidate *out)
{
    if (c->is_torn) {
        *out = (Candidate){.name = "residual", .order = torn_order(c, g, mem), .is_torn = true};
        return k == 0;
    }
    if (c->is_numeric) {
        *out = left(numeric_order(c, g, mem));
        return k == 0;
    }
    if (c->only) {
        bool end;
        uint32_t which = listed(c->only, k, &end);
        if (end)
            return false;
        if (which == NUMERIC) {
            *out = left(numeric_order(c, g, mem));
            return true;
        }
        c->order[which] = candidate[which].find(c, g, mem);
        c->ops[which] = 0;
        Reason beyond = limit(c, which, g);
        if (beyond.kind)
            *out = (Candidate){.name = candidate[which].name, .reason = beyond};
        else
            offer(c, which, g, mem, out);
        return true;
    }
    if (k >= ORDERS)
        return false;
    if (k == 0)
        rank(c, g, mem);
    if (k == 0 && c->too_long == TOO_LONG_NUMERIC && is_too_long(&c->estimate[c->rank[0]], g)) {
        *out = left(c->order[c->rank[0]]);
        explain(c, mem, out);
        return true;
    }
    offer(c, c->rank[k], g, mem, out);
    return true;
}

static bool next_of_policy(OrderSource *self, const Incidence *g, uint32_t k, Arena *mem,
                           Candidate *out)
{
    return ordering_next((OrderPolicy *)self, g, k, mem, out);
}

Orders ordering_of(OrderPolicy *p)
{
    p->source.next = next_of_policy;
    return (Orders){
        .source = &p->source, .leaves = p->is_torn || p->is_numeric, .whole = p->is_whole};
}
