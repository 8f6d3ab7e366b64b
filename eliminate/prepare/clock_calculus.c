#include "eliminate/prepare/clock_calculus.h"

#include <math.h>

/* Clock a ticks every `factor` intervals of clock b, first `shift` intervals after it. */
typedef struct Tie {
    uint32_t a, b;
    ClockTie kind;
    bool is_exact; /* else only the base is common */
    mpq_t factor, shift;
    Span span;
} Tie;

typedef struct Definition {
    uint32_t node;
    ClockSource source;
    ExprId of;
    mpq_t interval; /* in units of the base */
    Span span;
} Definition;

typedef struct Node {
    const char *name;
    Span span;
    uint32_t cluster;    /* of clocks that exact ties connect   */
    mpq_t factor, shift; /* relative to the cluster's first one */
} Node;

/* The ticks of a cluster's first clock. */
typedef struct Cluster {
    uint32_t first; /* node */
    ClockSource source;
    ExprId of;
    mpq_t factor, shift;
    Span span; /* source of the claim */
} Cluster;

struct ClockCalculus {
    System *s;
    Arena *mem;
    VEC(Node) node;
    VEC(Tie) tie;
    VEC(Definition) definition;
    VEC(Cluster) cluster;
};

ClockCalculus *clock_calculus_new(System *s, Arena *scratch)
{
    ClockCalculus *c = arena_make(scratch, ClockCalculus);
    *c = (ClockCalculus){.s = s, .mem = scratch};
    return c;
}

void clock_calculus_free(ClockCalculus *c)
{
    for (uint32_t k = 0; k < c->node.n; k++)
        mpq_clears(c->node.at[k].factor, c->node.at[k].shift, NULL);
    for (uint32_t k = 0; k < c->tie.n; k++)
        mpq_clears(c->tie.at[k].factor, c->tie.at[k].shift, NULL);
    for (uint32_t k = 0; k < c->definition.n; k++)
        mpq_clear(c->definition.at[k].interval);
    for (uint32_t k = 0; k < c->cluster.n; k++)
        mpq_clears(c->cluster.at[k].factor, c->cluster.at[k].shift, NULL);
}

uint32_t clock_node(ClockCalculus *c, const char *name, Span span)
{
    Node n = {.name = name, .span = span, .cluster = UINT32_MAX};
    mpq_inits(n.factor, n.shift, NULL);
    vec_push(c->mem, c->node, n);
    return c->node.n - 1;
}

void clock_tie(ClockCalculus *c, uint32_t a, ClockTie kind, uint32_t b, long n, long resolution,
               Span span)
{
    Tie t = {.a = a, .b = b, .kind = kind, .is_exact = kind != TIE_BASE, .span = span};
    mpq_inits(t.factor, t.shift, NULL);
    mpq_set_si(t.factor, 1, 1);
    if (kind == TIE_SUB || kind == TIE_SUPER) {
        t.is_exact = n > 0;
        if (n > 0)
            mpq_set_si(t.factor, n, 1);
        if (n > 0 && kind == TIE_SUPER)
            mpq_inv(t.factor, t.factor);
    } else if (kind == TIE_SHIFT || kind == TIE_BACK) {
        mpq_set_si(t.shift, kind == TIE_SHIFT ? n : -n, (unsigned long)resolution);
        mpq_canonicalize(t.shift);
    }
    vec_push(c->mem, c->tie, t);
}

void clock_is(ClockCalculus *c, uint32_t a, ClockSource source, ExprId of, mpq_srcptr seconds,
              Span span)
{
    Definition d = {.node = a, .source = source, .of = of, .span = span};
    mpq_init(d.interval);
    if (seconds)
        mpq_set(d.interval, seconds);
    else
        mpq_set_si(d.interval, 1, 1);
    vec_push(c->mem, c->definition, d);
}

static bool conflict(ClockCalculus *c, Span span, Span other, const char *name)
{
    diag_error(c->s->diags, span, "K02", "the clock of '%s' contradicts what else is said of it",
               name);
    diag_note(c->s->diags, other, "here");
    return false;
}

/* ---- exact ties --------------------------------------------------------------------------- */

/* The clocks at both ends of each tie, by node: begin[k] .. begin[k + 1] of end. */
typedef struct Ends {
    uint32_t *begin, *tie;
} Ends;

static Ends ends_of(ClockCalculus *c)
{
    Ends e = {arena_array(c->mem, uint32_t, c->node.n + 2),
              arena_array(c->mem, uint32_t, 2 * c->tie.n + 1)};
    for (uint32_t k = 0; k < c->tie.n; k++) {
        e.begin[c->tie.at[k].a + 2]++;
        e.begin[c->tie.at[k].b + 2]++;
    }
    for (uint32_t k = 2; k < c->node.n + 2; k++)
        e.begin[k] += e.begin[k - 1];
    for (uint32_t k = 0; k < c->tie.n; k++) {
        e.tie[e.begin[c->tie.at[k].a + 1]++] = k;
        e.tie[e.begin[c->tie.at[k].b + 1]++] = k;
    }
    return e;
}

/* The factor and shift of the clock at the other end of the tie than `from`. */
static void across(const ClockCalculus *c, const Tie *t, uint32_t from, mpq_t factor, mpq_t shift)
{
    const Node *n = &c->node.at[from];
    if (from == t->b) {
        mpq_mul(factor, t->factor, n->factor);
        mpq_mul(shift, t->shift, n->factor);
        mpq_add(shift, shift, n->shift);
    } else {
        mpq_div(factor, n->factor, t->factor);
        mpq_mul(shift, t->shift, factor);
        mpq_sub(shift, n->shift, shift);
    }
}

static bool spread(ClockCalculus *c, const Ends *e, uint32_t first)
{
    VEC(uint32_t) todo = {0};
    mpq_t factor, shift;
    mpq_inits(factor, shift, NULL);
    Cluster fresh = {.first = first, .of = EXPR_NONE, .span = SPAN_NONE};
    mpq_inits(fresh.factor, fresh.shift, NULL);
    uint32_t cluster = c->cluster.n;
    vec_push(c->mem, c->cluster, fresh);
    mpq_set_si(c->node.at[first].factor, 1, 1);
    c->node.at[first].cluster = cluster;
    vec_push(c->mem, todo, first);
    bool ok = true;
    while (ok && todo.n) {
        uint32_t from = todo.at[--todo.n];
        for (uint32_t k = e->begin[from]; ok && k < e->begin[from + 1]; k++) {
            const Tie *t = &c->tie.at[e->tie[k]];
            uint32_t to = t->a == from ? t->b : t->a;
            if (!t->is_exact)
                continue;
            across(c, t, from, factor, shift);
            Node *n = &c->node.at[to];
            if (n->cluster == UINT32_MAX) {
                mpq_set(n->factor, factor);
                mpq_set(n->shift, shift);
                n->cluster = cluster;
                vec_push(c->mem, todo, to);
            } else if (!mpq_equal(n->factor, factor) || !mpq_equal(n->shift, shift)) {
                ok = conflict(c, t->span, n->span, n->name);
            }
        }
    }
    mpq_clears(factor, shift, NULL);
    return ok;
}

/* ---- definitions of single clocks ---------------------------------------------------------- */

/* The cluster's first clock such that the node has this factor, and ticks at the start. */
static void place(const Node *n, mpq_srcptr interval, mpq_t factor, mpq_t shift)
{
    mpq_div(factor, interval, n->factor);
    mpq_mul(shift, n->shift, factor);
    mpq_neg(shift, shift);
}

static bool define(ClockCalculus *c, const Definition *d)
{
    const Node *n = &c->node.at[d->node];
    Cluster *k = &c->cluster.at[n->cluster];
    if (k->source == CLOCK_OPEN) {
        k->source = d->source;
        k->of = d->of;
        k->span = d->span;
        place(n, d->interval, k->factor, k->shift);
        return true;
    }
    mpq_t factor, shift;
    mpq_inits(factor, shift, NULL);
    place(n, d->interval, factor, shift);
    bool same = k->source == d->source && expr_same(k->of, d->of) && mpq_equal(k->factor, factor) &&
                mpq_equal(k->shift, shift);
    mpq_clears(factor, shift, NULL);
    return same || conflict(c, d->span, k->span, n->name);
}

/* ---- ties that leave the factor open --------------------------------------------------------- */

/* Clusters without a clock take that of a neighbour, so that the tie's factor is one. */
static void borrow(ClockCalculus *c)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < c->tie.n; k++) {
            const Tie *t = &c->tie.at[k];
            const Node *a = &c->node.at[t->a], *b = &c->node.at[t->b];
            Cluster *of_a = &c->cluster.at[a->cluster], *of_b = &c->cluster.at[b->cluster];
            if (t->is_exact || (of_a->source == CLOCK_OPEN) == (of_b->source == CLOCK_OPEN))
                continue;
            bool from_a = of_a->source != CLOCK_OPEN;
            const Node *known = from_a ? a : b, *open = from_a ? b : a;
            const Cluster *of = from_a ? of_a : of_b;
            Cluster *to = from_a ? of_b : of_a;
            mpq_t shift, other;
            mpq_inits(shift, other, NULL);
            mpq_mul(to->factor, known->factor, of->factor);
            mpq_div(to->factor, to->factor, open->factor);
            mpq_mul(shift, known->shift, of->factor);
            mpq_add(shift, shift, of->shift);
            mpq_mul(other, open->shift, to->factor);
            mpq_sub(to->shift, shift, other);
            mpq_clears(shift, other, NULL);
            to->source = of->source;
            to->of = of->of;
            to->span = of->span;
            more = true;
        }
    }
}

/* The default clock (MLS 16.3): the cluster's fastest ticks once a second. */
static void default_clock(ClockCalculus *c, uint32_t cluster)
{
    const Node *fastest = NULL;
    for (uint32_t k = 0; k < c->node.n; k++) {
        const Node *n = &c->node.at[k];
        if (n->cluster == cluster && (!fastest || mpq_cmp(n->factor, fastest->factor) < 0))
            fastest = n;
    }
    diag_warning(c->s->diags, fastest->span, "K04",
                 "no clock is given for '%s': it ticks once a second", fastest->name);
    Cluster *k = &c->cluster.at[cluster];
    k->source = CLOCK_PERIODIC;
    k->of = expr_int(c->s->pool, 1);
    k->span = fastest->span;
    mpq_t second;
    mpq_init(second);
    mpq_set_si(second, 1, 1);
    place(fastest, second, k->factor, k->shift);
    mpq_clear(second);
}

/* ---- the result ------------------------------------------------------------------------------ */

static void ticks_of(const ClockCalculus *c, uint32_t a, mpq_t factor, mpq_t shift)
{
    const Node *n = &c->node.at[a];
    const Cluster *k = &c->cluster.at[n->cluster];
    mpq_mul(factor, n->factor, k->factor);
    mpq_mul(shift, n->shift, k->factor);
    mpq_add(shift, shift, k->shift);
}

static bool is_whole(mpq_srcptr q)
{
    return mpz_cmp_ui(mpq_denref(q), 1) == 0;
}

static bool node_is_fine(ClockCalculus *c, uint32_t a)
{
    const Node *n = &c->node.at[a];
    const Cluster *k = &c->cluster.at[n->cluster];
    mpq_t factor, shift;
    mpq_inits(factor, shift, NULL);
    ticks_of(c, a, factor, shift);
    const char *why = NULL;
    if (mpq_sgn(shift) < 0)
        why = "would tick before its base clock starts (MLS 16.5.2)";
    else if (k->source != CLOCK_PERIODIC && (!is_whole(factor) || !is_whole(shift)))
        why = "would tick between the ticks of a clock that is not periodic (MLS 16.5.2)";
    mpz_t per;
    mpz_init(per);
    mpz_lcm(per, mpq_denref(factor), mpq_denref(shift));
    bool small = mpz_sizeinbase(per, 2) <= 53 && mpz_sizeinbase(mpq_numref(factor), 2) <= 53 &&
                 mpz_sizeinbase(mpq_numref(shift), 2) <= 53;
    mpz_clear(per);
    mpq_clears(factor, shift, NULL);
    if (!why && !small)
        why = "has factors beyond 2^53";
    if (why)
        diag_error(c->s->diags, n->span, "K03", "the clock of '%s' %s", n->name, why);
    return !why;
}

/* subSample and superSample without a factor: it has to be a whole number. */
static bool tie_is_fine(ClockCalculus *c, const Tie *t)
{
    if (t->is_exact)
        return true;
    const Cluster *a = &c->cluster.at[c->node.at[t->a].cluster];
    const Cluster *b = &c->cluster.at[c->node.at[t->b].cluster];
    if (a->source != b->source || !expr_same(a->of, b->of))
        return conflict(c, t->span, b->span, c->node.at[t->a].name);
    mpq_t fa, sa, fb, sb;
    mpq_inits(fa, sa, fb, sb, NULL);
    ticks_of(c, t->a, fa, sa);
    ticks_of(c, t->b, fb, sb);
    bool ok = true;
    if (t->kind == TIE_SUB || t->kind == TIE_SUPER) {
        ok = mpq_equal(sa, sb);
        mpq_div(fa, t->kind == TIE_SUB ? fa : fb, t->kind == TIE_SUB ? fb : fa);
        ok = ok && is_whole(fa);
    }
    mpq_clears(fa, sa, fb, sb, NULL);
    return ok || conflict(c, t->span, c->node.at[t->b].span, c->node.at[t->a].name);
}

bool clock_solve(ClockCalculus *c)
{
    Ends e = ends_of(c);
    bool ok = true;
    for (uint32_t k = 0; k < c->node.n; k++)
        if (c->node.at[k].cluster == UINT32_MAX)
            ok = spread(c, &e, k) && ok;
    for (uint32_t k = 0; ok && k < c->definition.n; k++)
        ok = define(c, &c->definition.at[k]);
    if (!ok)
        return false;
    borrow(c);
    for (uint32_t k = 0; k < c->cluster.n; k++)
        if (c->cluster.at[k].source == CLOCK_OPEN) {
            default_clock(c, k);
            borrow(c);
        }
    for (uint32_t k = 0; k < c->node.n; k++)
        ok = node_is_fine(c, k) && ok;
    for (uint32_t k = 0; ok && k < c->tie.n; k++)
        ok = tie_is_fine(c, &c->tie.at[k]);
    return ok;
}

ClockTicks clock_ticks(const ClockCalculus *c, uint32_t a)
{
    const Cluster *k = &c->cluster.at[c->node.at[a].cluster];
    mpq_t factor, shift;
    mpz_t per, n;
    mpq_inits(factor, shift, NULL);
    mpz_inits(per, n, NULL);
    ticks_of(c, a, factor, shift);
    mpz_lcm(per, mpq_denref(factor), mpq_denref(shift));
    ClockTicks t = {.source = k->source, .of = k->of, .per = mpz_get_d(per)};
    mpz_divexact(n, per, mpq_denref(factor));
    mpz_mul(n, n, mpq_numref(factor));
    t.factor = mpz_get_d(n);
    mpz_divexact(n, per, mpq_denref(shift));
    mpz_mul(n, n, mpq_numref(shift));
    t.shift = mpz_get_d(n);
    mpq_clears(factor, shift, NULL);
    mpz_clears(per, n, NULL);
    return t;
}

ExprId clock_factor(ClockCalculus *c, uint32_t a)
{
    ClockTicks t = clock_ticks(c, a);
    ExprPool *p = c->s->pool;
    return expr_div(p, expr_double(p, t.factor), expr_double(p, t.per));
}
