/* Marching along a boundary value problem loses digits, elimination in its order does not. */
#include "eliminate/block/growth.h"

#include "tests/eliminate/fixture.h"

#include <math.h>

static Order in_place(uint32_t n, Arena *mem)
{
    Order o = {.n = n, .eq = arena_array(mem, uint32_t, n), .var = arena_array(mem, uint32_t, n)};
    for (uint32_t k = 0; k < n; k++)
        o.eq[k] = o.var[k] = k;
    return o;
}

/* x[k-1] - 2.5 x[k] + x[k+1] = ..., column k of row k being x[k + shift] cyclically. */
static Matrix march(const Fixture *f, uint32_t n, uint32_t shift)
{
    Matrix m = matrix_new(f->p, n, n, f->mem);
    for (uint32_t k = 0; k < n; k++) {
        matrix_set(&m, k, (k + n - shift) % n, expr_ratio(f->p, -5, 2));
        if (k > 0)
            matrix_set(&m, k, (k - 1 + n - shift) % n, expr_int(f->p, 1));
        if (k + 1 < n)
            matrix_set(&m, k, (k + 1 - shift + n) % n, expr_int(f->p, 1));
    }
    return m;
}

static double growth_of(uint32_t n, uint32_t shift)
{
    Fixture f = fixture();
    Matrix m = march(&f, n, shift);
    Sample sample = sample_new(f.s, f.mem);
    Order o = in_place(n, f.mem);
    double loss = growth_of_order(&m, &o, &sample);
    fixture_done(&f);
    return loss;
}

Test(loss, a_march_is_found_out)
{
    for (uint32_t n = 20; n <= 40; n += 10) {
        double good = growth_of(n, 0);
        double bad = growth_of(n, 1);
        cr_assert(good < 10, "%g", good);
        /* the solution of x' = 2 grows as 2^k */
        cr_assert(bad > pow(2, n - 4) || bad > 1e6, "n = %u: %g", n, bad);
        cr_assert_eq(growth_is_too_much(bad, good), n > 20 || bad > 1e6);
        cr_assert(!growth_is_too_much(good, good));
        cr_assert(!growth_is_too_much(bad, bad));
    }
}

Test(loss, a_zero_pivot_is_infinite)
{
    Fixture f = fixture();
    Matrix m = matrix_new(f.p, 2, 2, f.mem);
    matrix_set(&m, 0, 1, expr_int(f.p, 1));
    matrix_set(&m, 1, 0, expr_int(f.p, 1));
    Sample sample = sample_new(f.s, f.mem);
    Order o = in_place(2, f.mem);
    cr_assert_eq(growth_of_order(&m, &o, &sample), (double)INFINITY);
    fixture_done(&f);
}

/* Partial pivoting undoes a march: rows are taken by size, whatever the order of the columns. */
Test(loss, an_lu_by_numbers_keeps_its_digits)
{
    for (uint32_t shift = 0; shift < 2; shift++) {
        Fixture f = fixture();
        uint32_t n = 40;
        Matrix m = march(&f, n, shift);
        Sample sample = sample_new(f.s, f.mem);
        Order o = in_place(n, f.mem);
        double loss = growth_of_lu(&m, o.var, &sample);
        cr_assert(loss > 0 && loss < 100, "shift %u: %g", shift, loss);
        fixture_done(&f);
    }
}

Test(loss, an_lu_by_numbers_finds_singular_matrices)
{
    Fixture f = fixture();
    Matrix m = matrix_new(f.p, 2, 2, f.mem);
    for (uint32_t k = 0; k < 4; k++)
        matrix_set(&m, k / 2, k % 2, expr_int(f.p, 1 + (k / 2)));
    Sample sample = sample_new(f.s, f.mem);
    Order o = in_place(2, f.mem);
    cr_assert_eq(growth_of_lu(&m, o.var, &sample), (double)INFINITY);
    fixture_done(&f);
}
