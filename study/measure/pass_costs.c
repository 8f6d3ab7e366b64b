#define _DEFAULT_SOURCE /* getrusage */
#include "study/measure/pass_costs.h"

#include <sys/resource.h>
#include <time.h>

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static size_t peak_memory(void)
{
    struct rusage use;
    enum { UNIT = 1024 }; /* Linux; the BSDs as well */
    return getrusage(RUSAGE_SELF, &use) == 0 ? (size_t)use.ru_maxrss * UNIT : 0;
}

bool pass_costs_measure(Compilation *c, PassCost *out, uint32_t *n)
{
    for (*n = 0; *n < driver_n_passes(); ++*n) {
        const Pass *p = driver_pass(*n);
        double begin = processor_seconds();
        if (!driver_run(c, p))
            return false;
        out[*n] = (PassCost){.pass = p,
                             .seconds = processor_seconds() - begin,
                             .n_equations = c->sys->eq.n,
                             .n_nodes = pool_size(c->sys->pool),
                             .kept = arena_bytes(c->mem),
                             .peak = peak_memory()};
    }
    return true;
}
