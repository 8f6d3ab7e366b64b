#include "eliminate/forms/residues.h"

Residues residues_new(uint32_t n_rows, uint32_t n_cols, Arena *mem)
{
    return (Residues){n_rows, n_cols, arena_array(mem, Fp, (size_t)n_rows * n_cols + 1)};
}

uint32_t residues_echelon(Residues *m, uint32_t n_cols, uint32_t *pivot)
{
    uint32_t rank = 0;
    Arena *tmp = arena_new();
    uint32_t *filled = arena_array(tmp, uint32_t, m->n_cols + 1); /* columns of the pivot's row */
    for (uint32_t c = 0; c < n_cols && rank < m->n_rows; c++) {
        uint32_t row = rank;
        Fp inverse;
        while (row < m->n_rows && !fp_inverse(*residues_at(m, row, c), &inverse))
            row++;
        if (row == m->n_rows)
            continue;
        uint32_t n_filled = 0;
        for (uint32_t k = c; k < m->n_cols; k++) {
            Fp x = *residues_at(m, row, k);
            *residues_at(m, row, k) = *residues_at(m, rank, k);
            *residues_at(m, rank, k) = fp_mul(x, inverse);
            if (!fp_is_zero(x))
                filled[n_filled++] = k;
        }
        // rows are zero left of their pivots
        for (uint32_t i = 0; i < m->n_rows; i++) {
            Fp x = *residues_at(m, i, c);
            if (i == rank || fp_is_zero(x))
                continue;
            Fp *to = residues_at(m, i, 0);
            const Fp *from = residues_at(m, rank, 0);
            for (uint32_t k = 0; k < n_filled; k++)
                to[filled[k]] = fp_sub(to[filled[k]], fp_mul(x, from[filled[k]]));
        }
        pivot[rank++] = c;
    }
    arena_free(tmp);
    return rank;
}

bool residues_fraction(Fp x, int64_t *num, int64_t *den)
{
    typedef ModularProduct Wide;
    static const Wide BOUND = (Wide)1 << 45;
    uint64_t p0 = MODULAR_TOP - FP_FOLD_0, p1 = MODULAR_TOP - FP_FOLD_1;
    uint64_t less = modular_add(x.r[1], modular_negated(x.r[0] % p1, FP_FOLD_1), FP_FOLD_1);
    uint64_t times = modular_mul(less, modular_inverse(p0 % p1, FP_FOLD_1), FP_FOLD_1);
    Wide all = (Wide)p0 * p1, a = all, b = x.r[0] + (Wide)p0 * times;
    Wide s = 0, t = 1; /* regardless of sign, which alternates */
    bool negative = false;
    while (b > BOUND) {
        Wide quotient = a / b, rest = a % b, next = s + quotient * t;
        a = b;
        b = rest;
        s = t;
        t = next;
        negative = !negative;
        if (t > BOUND)
            return false;
    }
    *num = negative ? -(int64_t)b : (int64_t)b;
    *den = (int64_t)t;
    return true;
}
