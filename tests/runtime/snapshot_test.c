/* What an instance remembers, as bytes: taken over whole, or refused. */
#include "runtime/problem/snapshot.h"
#include "tests/runtime/fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void save(RungContext *ctx, double t, const double *x, Snapshot *s)
{
    snapshot_begin(s, ctx->model);
    context_save(ctx, t, x, s);
    snapshot_end(s);
    cr_assert(!s->failed);
}

/* A used instance, another that takes it over, and both go on alike. */
Test(snapshot, an_instance_goes_on_alike_elsewhere)
{
    RungModel m = fixture_model();
    RungContext *one = context_new(&m), *other = context_new(&m);
    double x[2] = {3, 4}, y[2] = {0}, v[1], w[1], t;
    cr_assert_eq(context_set(one, "a", "7"), SET_OK);
    cr_assert(!context_update(one) && !m.outputs(one, 1.5, x, v));
    Snapshot s = {0};
    save(one, 1.5, x, &s);
    cr_assert(snapshot_is_whole(&s));
    cr_assert_null(snapshot_check(&s, &m));
    cr_assert(context_restore(other, &t, y, &s));
    cr_assert_eq(t, 1.5);
    cr_assert(!memcmp(x, y, sizeof x));
    cr_assert(!memcmp(one->p, other->p, m.n_parameters * sizeof *one->p));
    cr_assert(!memcmp(one->z, other->z, m.n_unknowns * sizeof *one->z));
    x[0] = y[0] = 3.25;
    context_forget(one);
    cr_assert(!m.outputs(one, 2, x, v) && !m.outputs(other, 2, y, w));
    cr_assert_eq(v[0], w[0]);
    // saved again, the same bytes
    Snapshot again = {0};
    x[0] = 3.25;
    save(one, 2, x, &s);
    save(other, 2, y, &again);
    cr_assert_eq(s.n, again.n);
    cr_assert(!memcmp(s.at, again.at, s.n));
    snapshot_free(&s);
    snapshot_free(&again);
    context_free(one);
    context_free(other);
}

Test(snapshot, iterations_are_counted_on)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    double x[2] = {3, 4}, v[1];
    cr_assert(!m.outputs(ctx, 0, x, v));
    uint64_t before = context_iterations(ctx);
    cr_assert(before > 0 && context_forget(ctx));
    cr_assert_eq(context_iterations(ctx), before);
    context_free(ctx);
}

/* Cut off at every byte, and with every byte changed: refused, never taken. */
Test(snapshot, what_is_damaged_is_refused)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    double x[2] = {3, 4}, t;
    Snapshot s = {0}, cut = {0};
    save(ctx, 1, x, &s);
    for (size_t n = 0; n < s.n; n++) {
        snapshot_read(&cut, s.at, n);
        cr_assert(!snapshot_is_whole(&cut), "%zu bytes", n);
        // without the look at the sum: not beyond the end either
        snapshot_read(&cut, s.at, n);
        if (n < s.n - 8)
            cr_assert(snapshot_check(&cut, &m) || !context_restore(ctx, &t, x, &cut), "%zu", n);
    }
    for (size_t k = 0; k < s.n; k++) {
        snapshot_read(&cut, s.at, s.n);
        cut.at[k] ^= 1;
        cr_assert(!snapshot_is_whole(&cut), "byte %zu", k);
    }
    snapshot_free(&s);
    snapshot_free(&cut);
    context_free(ctx);
}

Test(snapshot, another_model_is_told_apart)
{
    RungModel m = fixture_model(), other = fixture_model();
    RungContext *ctx = context_new(&m);
    double x[2] = {3, 4};
    Snapshot s = {0};
    save(ctx, 1, x, &s);
    other.names = "a\0b\0x0\0x1\0z0\0z1\0z2\0w";
    cr_assert_null(snapshot_check(&s, &m));
    cr_assert_not_null(snapshot_check(&s, &other));
    s.at[0] = 'R';
    cr_assert_not_null(snapshot_check(&s, &m));
    snapshot_free(&s);
    context_free(ctx);
}
