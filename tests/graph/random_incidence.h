/* random_incidence.h -- incidences for tests, leaning to the ugly cases. */
#ifndef RUNG_TESTS_GRAPH_RANDOM_INCIDENCE_H
#define RUNG_TESTS_GRAPH_RANDOM_INCIDENCE_H

#include "graph/incidence.h"

#include <stdlib.h>

static inline uint32_t any(uint32_t n)
{
    return n ? (uint32_t)rand() % n : 0;
}

/* Up to 30 x 30, sparse or not, sometimes square with a full diagonal, one dense row, empty. */
static inline Incidence random_incidence(Arena *mem, unsigned seed)
{
    srand(seed);
    uint32_t n_rows = any(30), n_cols = seed % 2 ? n_rows : any(30);
    bool diagonal = seed % 4 == 1;
    uint32_t most = 1 + any(5);
    IncidenceBuilder b = incidence_begin(mem, n_cols);
    for (uint32_t e = 0; e < n_rows; e++) {
        incidence_row(&b);
        uint32_t n = seed % 5 == 0 && e == 0 ? n_cols : any(most + 1);
        for (uint32_t k = 0; n_cols && k < n; k++)
            incidence_edge(&b, any(n_cols), (Label)any(5), rand() % 2 ? 1 : -1);
        if (diagonal)
            incidence_edge(&b, (e * 7 + seed) % n_cols, (Label)any(5), 1);
    }
    return incidence_done(&b);
}

#endif
