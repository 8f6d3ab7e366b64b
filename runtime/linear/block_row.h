/* SPDX-License-Identifier: BSD-3-Clause
 *
 * block_row.h -- rows of numbers, one of each right-hand side: their width is even, and compilers
 * make one instruction of two or four of them. Matrices are lists of products.
 */
#ifndef RUNG_RUNTIME_BLOCK_ROW_H
#define RUNG_RUNTIME_BLOCK_ROW_H

#include <stddef.h>
#include <stdint.h>

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

/* Columns of numbers, n of them, `stride` apart, become rows: to[i * width + j]. */
static inline void block_put_columns(size_t width, size_t n_rows, size_t n, size_t stride,
                                     const double *restrict from, double *restrict to)
{
    size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        const double *a = from + j * stride, *b = a + stride, *c = b + stride, *d = c + stride;
        double *row = to + j;
        for (size_t i = 0; i < n_rows; i++, row += width) {
            row[0] = a[i];
            row[1] = b[i];
            row[2] = c[i];
            row[3] = d[i];
        }
    }
    for (; j < n; j++)
        for (size_t i = 0; i < n_rows; i++)
            to[i * width + j] = from[j * stride + i];
}

/* And back. */
static inline void block_take_columns(size_t width, size_t n_rows, size_t n, size_t stride,
                                      const double *restrict from, double *restrict to)
{
    size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        double *a = to + j * stride, *b = a + stride, *c = b + stride, *d = c + stride;
        const double *row = from + j;
        for (size_t i = 0; i < n_rows; i++, row += width) {
            a[i] = row[0];
            b[i] = row[1];
            c[i] = row[2];
            d[i] = row[3];
        }
    }
    for (; j < n; j++)
        for (size_t i = 0; i < n_rows; i++)
            to[j * stride + i] = from[i * width + j];
}

#endif
