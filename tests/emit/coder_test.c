/* The stages of a section one by one: what each leaves behind is checked against what the Program
 * says, on random expressions and on bodies of chains and trees. */
#include "emit/code/coder.h"
#include "tests/emit/fixture.h"

#include <stdlib.h>
#include <string.h>

/* A coder whose section at hand has the derivatives of the states as roots. */
static Coder *coder_of(Bench *b, EmitOptions o)
{
    const System *s = b->sys;
    uint32_t n = s->var.n, states = 0, parameters = 0;
    uint8_t *leaf = arena_array(b->mem, uint8_t, n + 1);
    uint32_t *index = arena_array(b->mem, uint32_t, n + 1);
    ExprId *binding = arena_array(b->mem, ExprId, n + 1);
    for (uint32_t v = 0; v < n; v++) {
        VarKind kind = s->var.at[v].kind;
        binding[v] = EXPR_NONE;
        leaf[v] = kind == VAR_PARAMETER ? LEAF_PARAMETER
                  : kind == VAR_INPUT   ? LEAF_INPUT
                                        : LEAF_NONE;
        index[v] = kind == VAR_PARAMETER ? parameters++ : 0;
    }
    for (uint32_t k = 0; k < b->g.n_states; k++) {
        leaf[b->g.state[k].i] = LEAF_STATE;
        index[b->g.state[k].i] = states++;
    }
    Coder *c = coder_new(&b->g, o, b->mem, "M", leaf, index, binding, NULL,
                         function_use_new(s, b->mem, "M"));
    Root *root = arena_array(b->mem, Root, b->g.n_states + 1);
    for (uint32_t k = 0; k < b->g.n_states; k++)
        root[k] = (Root){.x = b->g.derivative[k], .kind = ROOT_OUT, .index = k};
    c->section.kind = SECTION_XDOT;
    c->section.name = "xdot";
    c->section.root = root;
    return c;
}

static Bench bench_of(unsigned seed)
{
    static const uint32_t branches[] = {0, 2, 6, 20};
    return seed % 2 ? random_bench(seed, 150) : body_bench(seed, 40, branches[seed / 2 % 4]);
}

/* Operands come before their users, and every one is a leaf, hoisted or a statement. */
static void check_order(const Coder *c, unsigned seed)
{
    for (uint32_t k = 0; k < c->section.item.n; k++) {
        uint32_t n;
        const ExprId *x = code_operands(&c->section, c->section.item.at[k], &n);
        for (uint32_t q = 0; q < n; q++) {
            uint32_t at = code_section_node(&c->section, x[q].i)->position;
            if (!at) // known from elsewhere, or made by the batch
                cr_assert(!code_is_computed(c, x[q]) || code_node(c, x[q].i)->slot,
                          "seed %u: operand %u has no statement", seed, x[q].i);
            else
                cr_assert_leq(at, k, "seed %u: statement %u needs %u", seed, k, at - 1);
        }
    }
}

/* Nodes below x, by a walk of its own. */
static void reach(const Coder *c, ExprId x, bool *seen)
{
    x = code_bare(c, x);
    if (seen[x.i] || code_is_leaf(c, x) || code_is_hoisted(c, x))
        return;
    seen[x.i] = true;
    for (uint32_t k = 0; k < expr_n_args(c->pool, x); k++)
        reach(c, expr_arg(c->pool, x, k), seen);
}

Test(schedule, computes_each_node_once_and_operands_first)
{
    for (unsigned seed = 1; seed <= 40; seed++) {
        Bench b = bench_of(seed);
        EmitOptions o = emit_defaults();
        o.kernels = seed % 3 > 0;
        o.nesting = seed % 5;
        Coder *c = coder_of(&b, o);
        code_schedule(c, b.g.n_states, c->section.root);
        cr_assert(!c->failed);
        check_order(c, seed);

        uint32_t size = pool_size(c->pool), roots = 0;
        bool *seen = arena_array(b.mem, bool, size), *done = arena_array(b.mem, bool, size);
        for (uint32_t k = 0; k < b.g.n_states; k++)
            reach(c, b.g.derivative[k], seen);
        for (uint32_t k = 0; k < c->section.item.n; k++) {
            Item it = c->section.item.at[k];
            roots += it.kind == ITEM_ROOT;
            if (it.kind != ITEM_EVAL)
                continue;
            cr_assert(seen[it.i], "seed %u: nobody needs node %u", seed, it.i);
            cr_assert(!done[it.i], "seed %u: node %u is computed twice", seed, it.i);
            done[it.i] = true;
        }
        cr_assert_eq(roots, b.g.n_states);
        for (uint32_t i = 0; i < size; i++) {
            const SectionNode *x = code_section_node(&c->section, i);
            bool in_batch = code_node(c, i)->slot != 0;
            cr_assert(!seen[i] || done[i] || x->nested || in_batch, "seed %u: node %u is lost",
                      seed, i);
            cr_assert(!x->nested || (seen[i] && !done[i] && x->uses == 1 && x->weight <= o.nesting),
                      "seed %u: node %u is nested", seed, i);
        }
        bench_free(&b);
    }
}

Test(place, cuts_the_statements_into_pieces)
{
    uint32_t kernels = 0;
    for (unsigned seed = 1; seed <= 40; seed++) {
        Bench b = bench_of(seed);
        EmitOptions o = emit_defaults();
        o.function_statements = 1 + seed * seed;
        Coder *c = coder_of(&b, o);
        code_schedule(c, b.g.n_states, c->section.root);
        code_place(c);
        check_order(c, seed);
        uint32_t at = 0;
        for (uint32_t k = 0; k < c->section.segment.n; k++) {
            const Segment *s = &c->section.segment.at[k];
            cr_assert_eq(s->begin, at, "seed %u: a gap before statement %u", seed, s->begin);
            cr_assert_gt(s->end, at);
            at = s->end;
            for (uint32_t j = s->begin; j < s->end; j++)
                cr_assert_eq(c->section.segment_of[j], k);
            if (s->kind == SEGMENT_STRAIGHT)
                cr_assert_leq(s->end - s->begin, o.function_statements, "seed %u", seed);
            if (s->kind != SEGMENT_KERNEL)
                continue;
            kernels++;
            cr_assert_geq(s->end - s->begin, 3 * s->period);
            for (uint32_t j = s->begin + s->period; j < s->end; j++)
                cr_assert_eq(code_token(&c->section, c->section.item.at[j]),
                             code_token(&c->section, c->section.item.at[j - s->period]),
                             "seed %u: statement %u is unlike the one a period before", seed, j);
        }
        cr_assert_eq(at, c->section.item.n);
        bench_free(&b);
    }
    cr_assert_gt(kernels, 20u, "loops over bodies are found");
}

/* What one piece computes and another reads has a place in w that is its own. */
Test(slot, what_crosses_pieces_has_a_place_of_its_own)
{
    uint32_t crossing = 0;
    for (unsigned seed = 1; seed <= 40; seed++) {
        Bench b = bench_of(seed);
        EmitOptions o = emit_defaults();
        o.function_statements = 1 + 2 * seed;
        Coder *c = coder_of(&b, o);
        code_schedule(c, b.g.n_states, c->section.root);
        code_place(c);
        for (uint32_t k = 0; k < c->section.item.n; k++) {
            uint32_t n;
            const ExprId *x = code_operands(&c->section, c->section.item.at[k], &n);
            for (uint32_t q = 0; q < n; q++) {
                uint32_t at = code_section_node(&c->section, x[q].i)->position;
                if (!at || c->section.segment_of[at - 1] == c->section.segment_of[k])
                    continue;
                crossing++;
                cr_assert_neq(code_node(c, x[q].i)->slot, 0, "seed %u: node %u has no place", seed,
                              x[q].i);
            }
        }
        uint32_t *owner = arena_array(b.mem, uint32_t, c->n_work + 1);
        for (uint32_t i = 0; i < pool_size(c->pool); i++) {
            uint32_t slot = code_node(c, i)->slot;
            if (!slot)
                continue;
            cr_assert_leq(slot, c->n_work);
            cr_assert_eq(owner[slot], 0, "seed %u: nodes %u and %u share w[%u]", seed,
                         owner[slot] - 1, i, slot - 1);
            owner[slot] = i + 1;
        }
        bench_free(&b);
    }
    cr_assert_gt(crossing, 100u);
}

/* In loops values are read at constant distances: tables of indices are no more for more bodies. */
Test(slot, kernels_of_a_chain_need_few_tables)
{
    uint32_t tables[2];
    uint64_t statements[2];
    for (int k = 0; k < 2; k++) {
        Bench b = body_bench(3, k ? 800 : 100, 0);
        Coder *c = coder_of(&b, emit_defaults());
        coder_section(c, SECTION_XDOT, "xdot", UINT32_MAX, b.g.n_states, c->section.root, NULL);
        tables[k] = coder_n_indices(c);
        statements[k] = coder_statements(c);
        bench_free(&b);
    }
    cr_assert_eq(tables[1], tables[0], "%u, %u", tables[0], tables[1]);
    cr_assert_lt(statements[1], statements[0] + 20);
}

Test(side, only_the_order_changes)
{
    for (unsigned seed = 2; seed <= 40; seed += 2) {
        Bench b = bench_of(seed);
        Coder *c = coder_of(&b, emit_defaults());
        code_schedule(c, b.g.n_states, c->section.root);
        uint32_t n = c->section.item.n;
        uint64_t *before = arena_array(b.mem, uint64_t, n), sum[2] = {0};
        for (uint32_t k = 0; k < n; k++)
            sum[0] += before[k] = code_token(&c->section, c->section.item.at[k]);
        code_line_up(&c->section);
        check_order(c, seed);
        cr_assert_eq(c->section.item.n, n);
        for (uint32_t k = 0; k < n; k++) {
            Item it = c->section.item.at[k];
            sum[1] += code_token(&c->section, it);
            if (it.kind == ITEM_EVAL)
                cr_assert_eq(code_section_node(&c->section, it.i)->position, k + 1, "seed %u",
                             seed);
        }
        cr_assert_eq(sum[0], sum[1]);
        bench_free(&b);
    }
}

/* ---- statements ---- */

static uint64_t token_of_root(Coder *c, ExprId x)
{
    Root *root = arena_make(c->mem, Root);
    root->x = x;
    c->section.root = root;
    Item it = {.kind = ITEM_ROOT};
    for (uint32_t i = 0; i < pool_size(c->pool); i++)
        code_own_section_node(&c->section, i)->nested = !code_is_leaf(c, (ExprId){i});
    code_remember(c, &it);
    return code_token(&c->section, it);
}

Test(statement, tokens_tell_what_is_computed_but_not_of_what)
{
    Bench b = bench_new(1);
    ExprPool *p = b.pool;
    VarId *state = arena_array(b.mem, VarId, 4);
    ExprId x[4], m, k, *derivative = arena_array(b.mem, ExprId, 4);
    for (uint32_t i = 0; i < 4; i++) {
        state[i] = add(&b, arena_printf(b.mem, "x%u", i), VAR_CONTINUOUS, EXPR_NONE);
        derivative[i] = x[i] = leaf(&b, state[i]);
    }
    m = leaf(&b, add(&b, "m", VAR_PARAMETER, expr_int(p, 2)));
    k = leaf(&b, add(&b, "k", VAR_PARAMETER, expr_int(p, 3)));
    finish(&b);
    b.g.n_states = 4;
    b.g.state = state;
    b.g.derivative = b.g.start = derivative;
    const ExprId alike[][2] = {
        {expr_add(p, x[0], x[1]), expr_add(p, x[3], x[2])},
        {expr_mul(p, x[0], m), expr_mul(p, k, x[1])}, // the order of factors changes no value
        {expr_sub(p, x[0], expr_mul(p, m, x[1])), expr_sub(p, x[2], expr_mul(p, x[3], k))},
        {expr_sub(p, expr_neg(p, x[0]), x[1]), expr_neg(p, expr_add(p, x[2], x[3]))},
        {expr_fn(p, FN_SIN, x[0]), expr_fn(p, FN_SIN, x[2])},
    };
    const ExprId unlike[] = {
        expr_add(p, x[0], x[1]),
        expr_sub(p, x[0], x[1]),
        expr_mul(p, x[0], x[1]),
        expr_div(p, x[0], x[1]),
        expr_mul(p, x[0], m),
        expr_div(p, m, x[0]),
        expr_mul(p, x[0], expr_int(p, 2)),
        expr_mul(p, x[0], expr_int(p, 3)),
        expr_mul(p, x[0], expr_time(p)),
        expr_fn(p, FN_SIN, x[0]),
        expr_fn(p, FN_COS, x[0]),
        expr_pow(p, x[0], expr_int(p, 5)),
        expr_pow(p, x[0], expr_int(p, 3)),
        expr_neg(p, x[0]),
        x[0],
        m,
    };
    Coder *c = coder_of(&b, emit_defaults());
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        cr_assert_eq(token_of_root(c, alike[i][0]), token_of_root(c, alike[i][1]), "pair %zu", i);
    for (size_t i = 0; i < sizeof unlike / sizeof *unlike; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert_neq(token_of_root(c, unlike[i]), token_of_root(c, unlike[j]), "%zu and %zu",
                          i, j);
    bench_free(&b);
}
