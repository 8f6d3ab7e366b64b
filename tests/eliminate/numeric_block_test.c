/* A block left to the runtime: residuals and matrix against the linear forms. */
#include "eliminate/block/numeric_block.h"

#include "base/hash.h"
#include "tests/eliminate/fixture.h"

enum { N = 6 };

Test(numeric_block, residuals_are_matrix_times_unknowns_and_rest)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        Fixture f = fixture();
        VarId var[N];
        EqId eq[N];
        LinearForm form[N];
        Order o = {
            .n = N, .eq = arena_array(f.mem, uint32_t, N), .var = arena_array(f.mem, uint32_t, N)};
        for (uint32_t k = 0; k < N; k++) {
            var[k] = variable(&f, VAR_CONTINUOUS, name_printf(f.s->names, "u%u", k).s);
            eq[k] = (EqId){k};
            o.eq[k] = (k * 5 + (uint32_t)seed) % N; /* 5 and N have no common divisor */
            o.var[k] = (k + 2 * (uint32_t)seed) % N;
        }
        uint32_t n_entries = 0;
        for (uint32_t k = 0; k < N; k++) {
            form[k] = (LinearForm){.is_linear = true,
                                   .var = arena_array(f.mem, VarId, N),
                                   .coeff = arena_array(f.mem, ExprId, N),
                                   .rest = unknown(&f, name_printf(f.s->names, "b%u", k).s)};
            for (uint32_t i = 0; i < N; i++) {
                if (i != k && hash_word(seed * 100 + k * N + i) % 3)
                    continue;
                form[k].var[form[k].n] = var[i];
                form[k].coeff[form[k].n++] = unknown(&f, name_printf(f.s->names, "a%u_%u", k, i).s);
                n_entries++;
            }
        }
        NonlinearBlock b = numeric_block(f.s, N, eq, var, form, &o, f.mem);
        cr_assert(b.is_linear && b.n == N && b.col_start[0] == 0);
        cr_assert_eq(b.col_start[N], n_entries);
        ExprId product[N];
        for (uint32_t k = 0; k < N; k++) { /* pair k of the order is row and column k */
            cr_assert_eq(b.eq[k].i, eq[o.eq[k]].i);
            cr_assert_eq(b.unknown[k].i, var[o.var[k]].i);
            product[k] = form[o.eq[k]].rest;
        }
        for (uint32_t c = 0; c < N; c++)
            for (uint32_t i = b.col_start[c]; i < b.col_start[c + 1]; i++) {
                cr_assert(i == b.col_start[c] || b.row[i] > b.row[i - 1], "rows ascend");
                ExprId term = expr_mul(f.p, b.entry[i], system_var_expr(f.s, b.unknown[c]));
                product[b.row[i]] = expr_add(f.p, product[b.row[i]], term);
            }
        for (uint32_t k = 0; k < N; k++)
            cr_assert(expr_same(product[k], b.residual[k]), "seed %lu, row %u", seed, k);
        fixture_done(&f);
    }
}
