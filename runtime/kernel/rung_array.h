/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_array.h -- arrays of functions whose sizes are known in a run only, by rows, on the heap.
 *
 * A function owns those that it makes and frees them when it returns; results go to the caller.
 * Elements outside of an array are NaN, and are not written: the function asserts the bounds of
 * subscripts before it uses them.
 */
#ifndef RUNG_ARRAY_H
#define RUNG_ARRAY_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RUNG_MOST_RANK = 8 };

typedef struct RungArray {
    double *x;
    size_t room; /* elements for which there is memory */
    size_t size[RUNG_MOST_RANK];
} RungArray;

/* The place of the element with n subscripts, each from 1 on; SIZE_MAX if it is outside. */
static inline size_t rung_array_place(const RungArray *a, uint32_t n, const double *index)
{
    size_t place = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!(index[k] >= 1 && index[k] <= (double)a->size[k]))
            return SIZE_MAX;
        place = place * a->size[k] + (size_t)index[k] - 1;
    }
    return place;
}

static inline double rung_array_at(const RungArray *a, uint32_t n, const double *index)
{
    size_t place = rung_array_place(a, n, index);
    return place == SIZE_MAX ? NAN : a->x[place];
}

static inline void rung_array_put(RungArray *a, uint32_t n, const double *index, double x)
{
    size_t place = rung_array_place(a, n, index);
    if (place != SIZE_MAX)
        a->x[place] = x;
}

static inline double rung_array_size(const RungArray *a, double dimension)
{
    return (double)a->size[(size_t)dimension - 1];
}

/* All elements become 0. Nonzero for a negative size, too many elements or too little memory. */
static inline int rung_array_resize(RungArray *a, uint32_t n, const double *size)
{
    static const double MOST = 1e9;
    double total = 1;
    for (uint32_t k = 0; k < n; k++) {
        if (!(size[k] >= 0 && size[k] <= MOST))
            return 1;
        total *= size[k];
        a->size[k] = (size_t)size[k];
    }
    for (uint32_t k = n; k < RUNG_MOST_RANK; k++)
        a->size[k] = 0;
    if (total > MOST) {
        a->size[0] = 0;
        return 1;
    }
    size_t room = (size_t)total;
    if (room > a->room) {
        free(a->x);
        a->x = (double *)malloc(room * sizeof *a->x);
        a->room = a->x ? room : 0;
        if (!a->x) {
            a->size[0] = 0;
            return 1;
        }
    }
    if (room > 0)
        memset(a->x, 0, room * sizeof *a->x);
    return 0;
}

/* `from` is empty afterwards. */
static inline void rung_array_move(RungArray *to, RungArray *from)
{
    static const RungArray none;
    if (to == from)
        return;
    free(to->x);
    *to = *from;
    *from = none;
}

static inline void rung_arrays_free(uint32_t n, RungArray *a)
{
    for (uint32_t k = 0; k < n; k++)
        free(a[k].x);
}

#endif
