/* Rotating a matrix from both sides: the result is the matrix product, in few operations. */
#include "eliminate/block/congruence.h"

#include "ir/program.h"
#include "tests/eliminate/fixture.h"

typedef struct Two {
    ExprId at[2][2];
} Two;

/* Entry (i, j) of a*b, the last sum offered to congruence_sub if `both` is set. */
static Two product(ExprPool *p, Two a, Two b, bool both)
{
    Two r;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            ExprId x = expr_mul(p, a.at[i][0], b.at[0][j]);
            ExprId y = expr_neg(p, expr_mul(p, a.at[i][1], b.at[1][j]));
            r.at[i][j] = both ? congruence_sub(p, x, y) : expr_sub(p, x, y);
        }
    return r;
}

static Two rotation(Fixture *f, ExprId angle)
{
    ExprId c = expr_fn(f->p, FN_COS, angle), s = expr_fn(f->p, FN_SIN, angle);
    return (Two){{{c, s}, {expr_neg(f->p, s), c}}};
}

static Two transposed(Two a)
{
    return (Two){{{a.at[0][0], a.at[1][0]}, {a.at[0][1], a.at[1][1]}}};
}

/* R*A*R', and what it costs. */
static Two rotated(Fixture *f, Two a, bool both, OpCount *cost)
{
    ExprId angle = unknown(f, "phi");
    Two r = rotation(f, angle);
    Two x = product(f->p, product(f->p, r, a, false), transposed(r), both);
    *cost = program_count(f->p, 4, &x.at[0][0]);
    return x;
}

static Two matrix(Fixture *f, bool symmetric)
{
    ExprId b = unknown(f, "b");
    return (Two){{{unknown(f, "a"), b}, {symmetric ? b : unknown(f, "b2"), unknown(f, "d")}}};
}

Test(congruence, takes_fewer_operations)
{
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        OpCount plain, few;
        Fixture f = fixture();
        Two slow = rotated(&f, matrix(&f, symmetric), false, &plain);
        Fixture g = fixture();
        Two fast = rotated(&g, matrix(&g, symmetric), true, &few);
        /* the same variables in the same order: the same random point */
        for (int i = 0; i < 4; i++)
            cr_assert(fp_same(expr_fingerprint(f.p, slow.at[i / 2][i % 2]),
                              expr_fingerprint(g.p, fast.at[i / 2][i % 2])),
                      "entry %d", i);
        cr_assert_eq(plain.add + plain.mul, symmetric ? 19 : 24);
        cr_assert_eq(few.add + few.mul, symmetric ? 10 : 11);
        fixture_done(&f);
        fixture_done(&g);
    }
}

Test(congruence, other_sums_stay)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x"), y = unknown(&f, "y"), z = unknown(&f, "z");
    Two r = rotation(&f, unknown(&f, "phi"));
    ExprId c = r.at[0][0], s = r.at[0][1];
    ExprId a = expr_mul(f.p, c, x), b = expr_mul(f.p, s, y);
    ExprId plain = congruence_sub(f.p, a, b);
    cr_assert_eq(expr_op(f.p, plain), OP_SUB);
    /* c and x are not cosine and sine of one angle */
    ExprId u = expr_mul(f.p, c, expr_add(f.p, expr_mul(f.p, c, z), expr_mul(f.p, x, y)));
    ExprId v = expr_mul(f.p, x, expr_add(f.p, expr_mul(f.p, c, y), expr_mul(f.p, x, z)));
    cr_assert_eq(expr_op(f.p, congruence_sub(f.p, u, v)), OP_SUB);
    fixture_done(&f);
}
