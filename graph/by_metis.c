/* by_metis.c -- the only file that knows METIS; declared in dissection.h. */
#include "graph/dissection.h"

#include "base/bug.h"

#include <metis.h>

void metis_dissect(uint32_t n, const uint32_t *begin, const uint32_t *next, uint32_t *perm)
{
    for (uint32_t k = 0; k < n; k++)
        perm[k] = k;
    /* METIS refuses a graph without edges, for which any order is good */
    if (n == 0 || begin[n] == 0)
        return;
    Arena *mem = arena_new();
    idx_t *xadj = arena_array(mem, idx_t, n + 1), *adjncy = arena_array(mem, idx_t, begin[n]);
    idx_t *order = arena_array(mem, idx_t, n), *inverse = arena_array(mem, idx_t, n);
    for (uint32_t k = 0; k <= n; k++)
        xadj[k] = (idx_t)begin[k];
    for (uint32_t k = 0; k < begin[n]; k++)
        adjncy[k] = (idx_t)next[k];
    idx_t nodes = (idx_t)n, options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    int status = METIS_NodeND(&nodes, xadj, adjncy, NULL, options, order, inverse);
    if (status != METIS_OK)
        bug("METIS_NodeND failed with status %d on %u nodes", status, n);
    for (uint32_t k = 0; k < n; k++)
        perm[k] = (uint32_t)order[k];
    arena_free(mem);
}
