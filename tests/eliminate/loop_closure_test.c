/* Constraints with the frame that both sides hang from at rest. */
#include "eliminate/forms/loop_closure.h"

#include "ir/program.h"
#include "tests/eliminate/fixture.h"

static bool reads(Fixture *f, ExprId root, ExprId x)
{
    Arena *mem = arena_new();
    bool *mark = arena_array(mem, bool, pool_size(f->p));
    program_reach(f->p, 1, &root, mark);
    bool found = mark[x.i];
    arena_free(mem);
    return found;
}

/* A side a at the common position q, a side b at q + x: 0 = (b - a)^2, or b^2 - a^2. In a pool of
 * its own each, since equal values are one node. */
Test(loop_closure, what_does_not_depend_on_the_common_frame_drops_it)
{
    for (uint32_t n_common = 0; n_common < 2; n_common++) {
        Fixture f = fixture();
        ExprPool *p = f.p;
        ExprId q = unknown(&f, "q"), x = unknown(&f, "x");
        ExprId a = unknown(&f, "a"), b = unknown(&f, "b");
        ExprId value[] = {q, x, q, expr_add(p, q, x)};
        LoopClosure c = loop_closure_new(f.s, value, f.mem);
        Common common = {n_common, &a};
        ExprId twice = expr_mul(p, expr_int(p, 2), expr_mul(p, a, b));
        ExprId square = expr_add(p, expr_sub(p, expr_mul(p, b, b), twice), expr_mul(p, a, a));
        ExprId phi = loop_closure_of(&c, &common, square);
        cr_assert_eq(reads(&f, phi, q), n_common == 0);
        cr_assert(fp_same(expr_fingerprint(p, phi), expr_fingerprint(p, expr_mul(p, x, x))));
        /* 2 q x + x^2 depends on where the two are */
        phi = loop_closure_of(&c, &common, expr_sub(p, expr_mul(p, b, b), expr_mul(p, a, a)));
        cr_assert(reads(&f, phi, q));
        ExprId want = expr_mul(p, x, expr_add(p, x, expr_mul(p, expr_int(p, 2), q)));
        cr_assert(fp_same(expr_fingerprint(p, phi), expr_fingerprint(p, want)));
        fixture_done(&f);
    }
}

/* A rod of x times [1; 2] in a frame that turns: its length does not. */
Test(loop_closure, a_common_rotation_is_put_along_the_axes)
{
    for (uint32_t n_common = 0; n_common <= 4; n_common += 4) {
        Fixture f = fixture();
        ExprPool *p = f.p;
        ExprId q = unknown(&f, "q"), x = unknown(&f, "x"), R[4];
        uint32_t group = system_new_group(f.s);
        for (uint32_t k = 0; k < 4; k++) {
            VarId v = variable(&f, VAR_CONTINUOUS, name_printf(f.s->names, "R%u", k).s);
            f.s->var.at[v.i].group = group;
            f.s->var.at[v.i].index = k;
            R[k] = system_var_expr(f.s, v);
        }
        ExprId r[] = {unknown(&f, "r1"), unknown(&f, "r2")};
        ExprId c = expr_fn(p, FN_COS, q), s = expr_fn(p, FN_SIN, q);
        ExprId y = expr_mul(p, expr_int(p, 2), x);
        ExprId value[] = {q, x, c, s, expr_neg(p, s), c, EXPR_NONE, EXPR_NONE};
        value[6] = expr_sub(p, expr_mul(p, c, x), expr_mul(p, s, y));
        value[7] = expr_add(p, expr_mul(p, s, x), expr_mul(p, c, y));
        LoopClosure closure = loop_closure_new(f.s, value, f.mem);
        Common common = {n_common, R};
        ExprId square = expr_add(p, expr_mul(p, r[0], r[0]), expr_mul(p, r[1], r[1]));
        ExprId phi = loop_closure_of(&closure, &common, square);
        cr_assert_eq(reads(&f, phi, q), n_common == 0);
        ExprId want = expr_mul(p, expr_int(p, 5), expr_mul(p, x, x));
        cr_assert(fp_same(expr_fingerprint(p, phi), expr_fingerprint(p, want)));
        phi = loop_closure_of(&closure, &common, r[0]); /* its direction does turn */
        cr_assert(expr_same(phi, value[6]));
        fixture_done(&f);
    }
}
