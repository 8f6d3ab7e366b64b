/* Which of several orders a linear block is solved in, and what is said of the others. */
#include "eliminate/block/candidate.h"

#include "base/hash.h"
#include "graph/order.h"
#include "ir/program.h"
#include "tests/eliminate/fixture.h"

#include <string.h>

enum { N = 8, ORDERS = 3 };

typedef struct Block {
    OrderSource source;
    Fixture f;
    VarId var[N];
    EqId eq[N];
    LinearForm form[N];
    Sample sample;
    OpCounter counter;
    LinearBlock b;
    BlockReport r;
    ExprId *value;
    Order order[ORDERS];
    uint32_t only; /* the order that is wanted; ORDERS: all are offered */
    bool is_numeric;
} Block;

static bool next(OrderSource *self, const Incidence *g, uint32_t k, Arena *mem, Candidate *out)
{
    static const char *const name[] = {"first", "second", "third"};
    const Block *b = (const Block *)self;
    (void)g;
    (void)mem;
    bool alone = b->only < ORDERS;
    if (k >= (alone ? 1 : ORDERS))
        return false;
    uint32_t which = alone ? b->only : k;
    *out = (Candidate){.name = name[which],
                       .order = b->order[which],
                       .estimate = alone ? 0 : 100 + k,
                       .is_numeric = b->is_numeric};
    return true;
}

/* Nothing follows from the block. */
static uint32_t follow(Consequences *self, const ExprId *value, ExprId **out, uint32_t *n_needed,
                       Arena *mem)
{
    (void)self;
    if (!value)
        return 0;
    *out = arena_array(mem, ExprId, N);
    memcpy(*out, value, N * sizeof **out);
    *n_needed = N;
    return N;
}

static Consequences nothing = {follow};

/* The same block for the same seed; hole: pairs of `first` that have no entry; twin: two rows are
 * alike. */
static Block *block_of(uint64_t seed, bool hole, bool twin)
{
    Fixture f = fixture();
    Block *b = arena_make(f.mem, Block);
    b->f = f;
    b->source.next = next;
    b->only = ORDERS;
    for (uint32_t k = 0; k < N; k++) {
        b->var[k] = variable(&b->f, VAR_CONTINUOUS, name_printf(f.s->names, "u%u", k).s);
        equation(&b->f, expr_int(f.p, 0), expr_int(f.p, 0));
        b->eq[k] = (EqId){k};
    }
    for (uint32_t k = 0; k < N; k++) {
        LinearForm *form = &b->form[k];
        *form = (LinearForm){.is_linear = true,
                             .var = arena_array(f.mem, VarId, N),
                             .coeff = arena_array(f.mem, ExprId, N),
                             .rest = unknown(&b->f, name_printf(f.s->names, "b%u", k).s)};
        for (uint32_t i = 0; i < N; i++) {
            uint64_t h = hash_word(seed * 1000 + k * N + i);
            if ((i != k && h % 3) || (hole && i == k && k == 0))
                continue;
            VarId a = variable(&b->f, VAR_CONTINUOUS, name_printf(f.s->names, "a%u_%u", k, i).s);
            b->f.s->var.at[a.i].attr.start = expr_ratio(f.p, i == k ? 9 : 1 + (long)(h / 3 % 5), 3);
            b->f.s->var.at[a.i].attr.min = expr_ratio(f.p, 1, 3);
            form->var[form->n] = b->var[i];
            form->coeff[form->n++] = system_var_expr(f.s, a);
        }
    }
    if (twin)
        b->form[1] = b->form[0];
    for (uint32_t which = 0; which < ORDERS; which++) {
        b->order[which] = order_as_given(N, f.mem);
        for (uint32_t k = 0; k < N && which; k++) {
            uint32_t at = which == 1 ? N - 1 - k : (3 * k + (uint32_t)seed) % N;
            b->order[which].eq[k] = b->order[which].var[k] = at;
        }
    }
    uint32_t n = f.s->var.n;
    bool *is_needed = arena_array(f.mem, bool, n);
    memset(is_needed, true, n);
    b->value = arena_array(f.mem, ExprId, n);
    b->sample = sample_new(f.s, f.mem);
    b->counter = op_counter_new(f.p, f.mem);
    b->b = (LinearBlock){.s = f.s,
                         .mem = f.mem,
                         .n = N,
                         .eq = b->eq,
                         .var = b->var,
                         .form = b->form,
                         .is_needed = is_needed,
                         .sample = &b->sample,
                         .counter = &b->counter,
                         .orders = &b->source,
                         .consequences = &nothing};
    return b;
}

static void done(Block *b)
{
    Fixture f = b->f;
    fixture_done(&f);
}

static void check_solution(const Block *b, uint64_t seed)
{
    ExprPool *p = b->f.p;
    for (uint32_t k = 0; k < N; k++) {
        ExprId x = b->form[k].rest;
        for (uint32_t i = 0; i < b->form[k].n; i++)
            x = expr_add(p, x, expr_mul(p, b->form[k].coeff[i], b->value[b->form[k].var[i].i]));
        cr_assert_eq(expr_is_zero(p, x), YES, "seed %lu, row %u", seed, k);
    }
}

static uint64_t operations(const Block *b)
{
    ExprId x[N];
    for (uint32_t k = 0; k < N; k++)
        x[k] = b->value[b->var[k].i];
    OpCount c = program_count(b->f.p, N, x);
    return c.add + c.mul + c.div;
}

Test(candidate, the_cheapest_that_is_not_rejected_is_taken)
{
    uint32_t n_first = 0, n_rejected = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t ops[ORDERS], vanishing[ORDERS];
        Block *b = block_of(seed, false, false);
        cr_assert(linear_block_solve(&b->b, b->value, &b->r), "seed %lu", seed);
        check_solution(b, seed);
        cr_assert_eq(b->b.n_steps, N);
        cr_assert_eq(b->r.n_candidates, ORDERS);
        cr_assert_str_eq(b->r.order, b->r.candidate[0].order);
        uint64_t taken = operations(b);
        for (uint32_t k = 0; k < ORDERS; k++) { /* each by itself, in a pool of its own */
            Block *own = block_of(seed, false, false);
            own->only = b->r.candidate[k].order[0] == 'f'   ? 0
                        : b->r.candidate[k].order[0] == 's' ? 1
                                                            : 2;
            cr_assert(linear_block_solve(&own->b, own->value, &own->r));
            check_solution(own, seed);
            ops[k] = operations(own);
            vanishing[k] = b->r.candidate[k].reason.n;
            if (k == 0)
                cr_assert_eq(ops[0], taken, "seed %lu", seed);
            n_first += k == 0 && own->only == 0;
            done(own);
        }
        for (uint32_t k = 0; k < ORDERS; k++) {
            const CandidateReport *c = &b->r.candidate[k];
            cr_assert_neq(c->status, CANDIDATE_ESTIMATED);
            cr_assert_eq(c->status == CANDIDATE_REJECTED, c->reason.kind != REASON_NONE);
            if (c->reason.kind == REASON_VANISHING)
                cr_assert_gt(vanishing[k], c->reason.fewest);
            n_rejected += c->status == CANDIDATE_REJECTED;
            if (c->status == CANDIDATE_COUNTED)
                cr_assert(ops[0] <= ops[k] && b->r.candidate[0].status == CANDIDATE_COUNTED,
                          "seed %lu: %s", seed, c->order);
        }
        done(b);
    }
    cr_assert(n_first > 0 && n_first < 40, "%u", n_first);
    cr_assert_gt(n_rejected, 0);
}

Test(candidate, where_a_pivot_is_zero_another_column_is_taken)
{
    uint32_t n_swapped = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Block *b = block_of(seed, true, false);
        b->only = 0;
        if (linear_block_solve(&b->b, b->value, &b->r) && !b->b.is_numeric) {
            n_swapped += b->r.swaps > 0;
            cr_assert_eq(b->r.failure.reason.kind, REASON_ZERO_PIVOT);
            cr_assert_str_eq(b->r.failure.reason.text, "u0");
            cr_assert(b->r.failure.reason.step == 1 && b->r.failure.reason.of == N);
            cr_assert_str_eq(b->r.failure.order, "first");
            check_solution(b, seed);
        }
        done(b);
    }
    cr_assert_gt(n_swapped, 10);
}

Test(candidate, singular_or_left_to_the_runtime)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Block *b = block_of(seed, false, true);
        cr_assert(!linear_block_solve(&b->b, b->value, &b->r), "seed %lu", seed);
        cr_assert_eq(b->r.failure.reason.kind, REASON_ZERO_PIVOT);
        done(b);
        b = block_of(seed, false, false);
        b->only = 2;
        b->is_numeric = true;
        cr_assert(linear_block_solve(&b->b, b->value, &b->r));
        cr_assert(b->b.is_numeric && b->r.is_numeric && b->b.n_steps == 0);
        cr_assert_eq(b->b.left_order.eq[1], b->order[2].eq[1]);
        done(b);
    }
}
