/* Rotations among arrays of values, and in expressions. */
#include "eliminate/frames/rotations.h"

#include "tests/eliminate/fixture.h"

static bool is_none(const void *data, ExprId x)
{
    (void)data;
    (void)x;
    return false;
}

/* About z by the angle. */
static void about_z(Fixture *f, ExprId angle, ExprId x[9])
{
    ExprId c = expr_fn(f->p, FN_COS, angle), s = expr_fn(f->p, FN_SIN, angle);
    for (int k = 0; k < 9; k++)
        x[k] = expr_int(f->p, k == 8);
    x[0] = x[4] = c;
    x[1] = s;
    x[3] = expr_neg(f->p, s);
}

Test(rotations, are_told_by_their_values)
{
    Fixture f = fixture();
    Rotations r = rotations_new(f.s, f.mem);
    ExprId x[9], y[9], product[9];
    about_z(&f, unknown(&f, "p"), x);
    about_z(&f, unknown(&f, "q"), y);
    /* a product of rotations, with other axes meanwhile */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            product[3 * i + j] = expr_int(f.p, 0);
            for (int k = 0; k < 3; k++)
                product[3 * i + j] =
                    expr_add(f.p, product[3 * i + j],
                             expr_mul(f.p, x[3 * i + k], y[3 * ((j + 1) % 3) + (k + 2) % 3]));
        }
    VarId any = {0};
    rotations_offer(&r, 3, x, any);
    cr_assert_eq(r.at.n, 2, "with its transpose");
    cr_assert_eq(r.at.at[0].transposed, 1);
    cr_assert_eq(r.at.at[1].transposed, 0);
    rotations_offer(&r, 3, x, any);
    cr_assert_eq(r.at.n, 2, "the same again");
    rotations_offer(&r, 3, product, any);
    cr_assert_eq(r.at.n, 4);
    ExprId plane[] = {y[0], y[1], y[3], y[4]};
    rotations_offer(&r, 2, plane, any);
    cr_assert_eq(r.at.n, 6, "one of the plane");

    ExprId scaled = x[1];
    x[1] = unknown(&f, "other");
    rotations_offer(&r, 3, x, any);
    x[1] = expr_mul(f.p, scaled, expr_int(f.p, 2));
    rotations_offer(&r, 3, x, any);
    ExprId identity[] = {expr_int(f.p, 1), expr_int(f.p, 0), expr_int(f.p, 0), expr_int(f.p, 1)};
    rotations_offer(&r, 2, identity, any);
    cr_assert_eq(r.at.n, 6, "no rotations, or I");
    fixture_done(&f);
}

Test(rotations, are_found_in_expressions)
{
    Fixture f = fixture();
    Rotations r = rotations_new(f.s, f.mem);
    ExprId x[9], y[9];
    about_z(&f, unknown(&f, "p"), x);
    about_z(&f, unknown(&f, "q"), y);
    rotations_offer(&r, 3, x, (VarId){0});
    rotations_offer(&r, 3, y, (VarId){0});
    ExprId l = unknown(&f, "l"), m = unknown(&f, "m");
    ExprId in[] = {expr_mul(f.p, l, expr_neg(f.p, y[1])), EXPR_NONE,
                   expr_add(f.p, expr_mul(f.p, m, y[0]), expr_mul(f.p, l, x[0]))};
    RotationHits hits = rotations_in(&r, 3, in, is_none, NULL);
    cr_assert_eq(hits.n, 2);
    cr_assert_eq(hits.number[0], 2, "that of y comes first");
    cr_assert_eq(hits.hits[0], 2);
    cr_assert_eq(hits.hits[1], 1);
    hits = rotations_in(&r, 1, &m, is_none, NULL);
    cr_assert_eq(hits.n, 0);
    fixture_done(&f);
}
