/* What sections are made of: which values are true during an event alone, which blocks have kinks,
 * the pieces of a text, the runtime's sources that are emitted with them. */
#include "emit/code/message.h"
#include "emit/model/bundle.h"
#include "emit/model/event_parts.h"
#include "emit/model/kinks.h"
#include "tests/emit/fixture.h"

#include <string.h>

/* ---- event_parts.h ---- */

/* The memory of pre(of). */
static ExprId before(Bench *b, Memory *m, uint32_t index, const char *name, ExprId of)
{
    VarId v = add(b, name, VAR_MEMORY, EXPR_NONE);
    b->sys->var.at[v.i].index = index;
    m[index] = (Memory){.kind = MEMORY_PRE, .of = of};
    return leaf(b, v);
}

Test(event_parts, an_edge_is_over_with_its_event)
{
    Bench b = bench_new(1);
    ExprPool *p = b.pool;
    Memory memory[2];
    ExprId c = leaf(&b, add(&b, "c", VAR_DISCRETE, EXPR_NONE)),
           v = leaf(&b, add(&b, "v", VAR_DISCRETE, EXPR_NONE));
    ExprId pre_c = before(&b, memory, 0, "pre(c)", c), pre_v = before(&b, memory, 1, "pre(v)", v);
    ExprId rises = expr_and(p, c, expr_not(p, pre_c));
    finish(&b);
    b.g.n_memory = 2;
    b.g.memory = memory;
    cr_assert(event_is_edge(&b.g, rises));
    cr_assert(event_is_edge(&b.g, expr_compare(p, OP_NE, v, pre_v)));
    cr_assert_not(event_is_edge(&b.g, expr_compare(p, OP_NE, v, pre_c)));
    cr_assert_not(event_is_edge(&b.g, c));
    cr_assert_not(event_is_edge(&b.g, expr_not(p, pre_c)));
    cr_assert(event_is_edge(&b.g, expr_and(p, rises, v)));
    cr_assert_not(event_is_edge(&b.g, expr_or(p, rises, v)));
    bench_free(&b);
}

/* ---- kinks.h ---- */

Test(kinks, are_choices_by_own_unknowns)
{
    Bench b = bench_new(1);
    ExprPool *p = b.pool;
    VarId z = add(&b, "z", VAR_CONTINUOUS, EXPR_NONE), s = add(&b, "s", VAR_CONTINUOUS, EXPR_NONE);
    ExprId u = leaf(&b, z), x = leaf(&b, s);
    const ExprId residual[] = {
        expr_add(p, expr_mul(p, u, u), x),                          /* smooth */
        expr_sub(p, expr_fn(p, FN_ABS, u), x),                      /* at u = 0 */
        expr_sub(p, u, expr_fn(p, FN_ABS, x)),                      /* not by u */
        expr_sub(p, expr_mul(p, u, u), expr_fn2(p, FN2_MAX, u, x)), /* at u = x */
        expr_sub(p, expr_mul(p, u, u), expr_select(p, expr_compare(p, OP_LT, x, u), u, x)),
        expr_sub(p, u, expr_select(p, expr_compare(p, OP_LT, x, expr_int(p, 1)), u, x)),
    };
    static const bool want[] = {false, true, false, true, true, false};
    enum { BLOCKS = sizeof residual / sizeof *residual };
    NonlinearBlock block[BLOCKS];
    for (uint32_t k = 0; k < BLOCKS; k++)
        block[k] = (NonlinearBlock){.n = 1, .unknown = &z, .residual = residual + k};
    finish(&b);
    b.g.n_blocks = BLOCKS;
    b.g.block = block;
    const bool *has = kinks_find(&b.g, p, b.mem);
    for (uint32_t k = 0; k < BLOCKS; k++)
        cr_assert_eq(has[k], want[k], "block %u", k);
    bench_free(&b);
}

/* ---- message.h ---- */

Test(message, a_literal_is_one_piece_and_does_not_vary)
{
    Bench b = bench_new(1);
    ExprId text = expr_string(b.pool, name_of(b.sys->names, "x is \"small\""));
    Pieces pieces = message_pieces(b.sys, text, b.mem);
    cr_assert_eq(pieces.n, 1);
    cr_assert_str_eq(pieces.at[0].text, "x is \"small\"");
    cr_assert_not(expr_exists(pieces.at[0].value));
    cr_assert_not(message_varies(b.sys, text));
    cr_assert(message_varies(b.sys, leaf(&b, add(&b, "s", VAR_DISCRETE, EXPR_NONE))));
    cr_assert_not(message_varies(b.sys, EXPR_NONE));
    bench_free(&b);
}

/* ---- bundle.h ---- */

static bool has_file(const char *name, size_t n)
{
    for (const BundleFile *b = bundle; b->name; b++)
        if (strncmp(b->name, name, n) == 0 && !b->name[n])
            return true;
    return false;
}

/* An emitted folder is complete: sorted names, and each file that one includes by "...". */
Test(bundle, includes_what_it_includes)
{
    for (const BundleFile *b = bundle; b->name; b++) {
        cr_assert_eq(strlen(b->text), b->size, "%s", b->name);
        cr_assert(b == bundle || strcmp(b[-1].name, b->name) < 0, "%s", b->name);
        static const char word[] = "#include \"";
        for (const char *at = b->text; (at = strstr(at, word));) {
            bool begins_line = at == b->text || at[-1] == '\n';
            at += sizeof word - 1;
            size_t n = strcspn(at, "\"");
            if (begins_line)
                cr_assert(has_file(at, n), "%s includes %.*s", b->name, (int)n, at);
        }
    }
}
