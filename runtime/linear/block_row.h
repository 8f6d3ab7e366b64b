/* SPDX-License-Identifier: BSD-3-Clause
 *
 * block_row.h -- rows of numbers, one of each right-hand side: their width is even, and compilers
 * make one instruction of two or four of them. Matrices are lists of products.
 */
#ifndef RUNG_RUNTIME_BLOCK_ROW_H
#define RUNG_RUNTIME_BLOCK_ROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Before a function of long loops over numbers: it is compiled for vectors of two numbers and for
 * those of four, of which the processor has the say when the program is loaded. No operation is
 * fused, so that both give the same digits. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BLOCK_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define BLOCK_VECTORS
#endif

/* to += f * from. */
static inline void block_add(size_t width, double f, const double *restrict from,
                             double *restrict to)
{
    size_t i = 0;
    for (; i + 4 <= width; i += 4) {
        to[i] += f * from[i];
        to[i + 1] += f * from[i + 1];
        to[i + 2] += f * from[i + 2];
        to[i + 3] += f * from[i + 3];
    }
    for (; i < width; i += 2) {
        to[i] += f * from[i];
        to[i + 1] += f * from[i + 1];
    }
}

/* row *= f. */
static inline void block_scale(size_t width, double f, double *row)
{
    for (size_t i = 0; i < width; i += 2) {
        row[i] *= f;
        row[i + 1] *= f;
    }
}

/* Row `to` gets a factor times row `from`. */
typedef struct BlockProduct {
    uint32_t factor, from, to;
} BlockProduct;

#define BLOCK_PRODUCTS(w)                                                                          \
    for (size_t e = 0; e < n; e++)                                                                 \
    block_add(w, sign *factor[p[e].factor], from + p[e].from * (size_t)(w),                        \
              to + p[e].to * (size_t)(w))

/* Each of n products; sign: of the factors. */
static inline void block_products(size_t width, size_t n, const BlockProduct *p, double sign,
                                  const double *restrict factor, const double *restrict from,
                                  double *restrict to)
{
    // a width that the compiler knows makes one instruction of a row
    if (width == 2)
        BLOCK_PRODUCTS(2);
    else if (width == 4)
        BLOCK_PRODUCTS(4);
    else if (width == 8)
        BLOCK_PRODUCTS(8);
    else if (width == 12)
        BLOCK_PRODUCTS(12);
    else if (width == 16)
        BLOCK_PRODUCTS(16);
    else if (width == 20)
        BLOCK_PRODUCTS(20);
    else
        BLOCK_PRODUCTS(width);
}

#undef BLOCK_PRODUCTS

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define BLOCK_SHUFFLES
#endif
#endif

#if defined(BLOCK_SHUFFLES)

typedef double BlockFour
    __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

/* Four rows of four numbers, `stride` apart, become columns: those of `to` are `width` apart. */
static inline void block_transpose(size_t stride, const double *restrict from, size_t width,
                                   double *restrict to)
{
    const BlockFour a = *(const BlockFour *)from, b = *(const BlockFour *)(from + stride);
    const BlockFour c = *(const BlockFour *)(from + 2 * stride);
    const BlockFour d = *(const BlockFour *)(from + 3 * stride);
    const BlockFour ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    const BlockFour ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const BlockFour cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const BlockFour cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    *(BlockFour *)to = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    *(BlockFour *)(to + width) = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    *(BlockFour *)(to + 2 * width) = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    *(BlockFour *)(to + 3 * width) = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

#else

static inline void block_transpose(size_t stride, const double *restrict from, size_t width,
                                   double *restrict to)
{
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            to[j * width + i] = from[i * stride + j];
}

#endif

/* Columns of numbers, n of them, `stride` apart, become rows: to[i * width + j]. */
static inline void block_put_columns(size_t width, size_t n_rows, size_t n, size_t stride,
                                     const double *restrict from, double *restrict to)
{
    for (size_t j = 0; j < n;) {
        const size_t by = j + 4 <= n ? 4 : 1;
        size_t i = 0;
        for (; by == 4 && i + 4 <= n_rows; i += 4)
            block_transpose(stride, from + j * stride + i, width, to + i * width + j);
        for (; i < n_rows; i++)
            for (size_t c = j; c < j + by; c++)
                to[i * width + c] = from[c * stride + i];
        j += by;
    }
}

/* And back. */
static inline void block_take_columns(size_t width, size_t n_rows, size_t n, size_t stride,
                                      const double *restrict from, double *restrict to)
{
    block_put_columns(stride, n, n_rows, width, from, to);
}

#endif
