/* NLopt is loaded when something is optimised, as it brings the C++ library with it. */
#include "study/optimize/by_nlopt.h"

#include "base/loaded.h"

#include <string.h>

static const char *const names[] = {"slsqp", "lbfgs", "mma", "ccsaq", "tnewton", "var2"};
enum { NAMES = sizeof names / sizeof *names };

static int number_of(const char *algorithm)
{
    for (int k = 0; k < NAMES; k++)
        if (strcmp(names[k], algorithm) == 0)
            return k;
    return -1;
}

const char *nlopt_names_unless(const char *algorithm)
{
    return number_of(algorithm) >= 0 ? NULL : "slsqp lbfgs mma ccsaq tnewton var2";
}

#ifdef RUNG_NLOPT
#include <nlopt.h>

static const nlopt_algorithm algorithms[NAMES] = {
    NLOPT_LD_SLSQP, NLOPT_LD_LBFGS, NLOPT_LD_MMA, NLOPT_LD_CCSAQ, NLOPT_LD_TNEWTON_PRECOND_RESTART,
    NLOPT_LD_VAR2};

/* The functions of NLopt that are called. */
#define FUNCTIONS(F)                                                                               \
    F(nlopt_create)                                                                                \
    F(nlopt_destroy)                                                                               \
    F(nlopt_set_min_objective)                                                                     \
    F(nlopt_set_lower_bounds)                                                                      \
    F(nlopt_set_upper_bounds)                                                                      \
    F(nlopt_set_xtol_abs1)                                                                         \
    F(nlopt_set_ftol_abs)                                                                          \
    F(nlopt_set_maxeval)                                                                           \
    F(nlopt_optimize)                                                                              \
    F(nlopt_force_stop)

typedef struct Nlopt {
#define DECLARE(name) __typeof__(&name) name;
    FUNCTIONS(DECLARE)
} Nlopt;

/* False where one is missing. */
static bool load(Nlopt *n)
{
#define NAME(name) #name,
    static const char *const called[] = {FUNCTIONS(NAME)};
    return loaded_functions("libnlopt.so.0", called, sizeof called / sizeof *called, n);
}

bool nlopt_is_there(void)
{
    Nlopt n;
    return load(&n);
}

typedef struct Call {
    const Nlopt *nlopt;
    nlopt_opt opt;
    Minimum *m;
} Call;

static double value(unsigned n, const double *x, double *gradient, void *user)
{
    Call *c = user;
    bool stop = false;
    (void)n;
    double f = c->m->value(c->m->user, x, gradient, &stop);
    if (stop)
        c->nlopt->nlopt_force_stop(c->opt);
    return f;
}

MinimumStatus nlopt_minimum(const char *algorithm, Minimum *m)
{
    Nlopt lib;
    int k = number_of(algorithm);
    nlopt_opt opt = k >= 0 && load(&lib) ? lib.nlopt_create(algorithms[k], m->n) : NULL;
    if (!opt)
        return MINIMUM_FAILED;
    Call call = {&lib, opt, m};
    double f;
    bool ok = lib.nlopt_set_lower_bounds(opt, m->low) > 0 &&
              lib.nlopt_set_upper_bounds(opt, m->high) > 0 &&
              lib.nlopt_set_min_objective(opt, value, &call) > 0 &&
              lib.nlopt_set_xtol_abs1(opt, m->x_tolerance) > 0 &&
              lib.nlopt_set_ftol_abs(opt, m->f_tolerance) > 0 &&
              lib.nlopt_set_maxeval(opt, m->most) > 0;
    nlopt_result r = ok ? lib.nlopt_optimize(opt, m->x, &f) : NLOPT_FAILURE;
    lib.nlopt_destroy(opt);
    switch (r) {
    case NLOPT_MAXEVAL_REACHED:
    case NLOPT_MAXTIME_REACHED:
        return MINIMUM_MOST;
    case NLOPT_ROUNDOFF_LIMITED:
        return MINIMUM_ROUNDING;
    case NLOPT_FORCED_STOP:
        return MINIMUM_STOPPED;
    default:
        return r > 0 ? MINIMUM_FOUND : MINIMUM_FAILED;
    }
}

#else

bool nlopt_is_there(void)
{
    return false;
}

MinimumStatus nlopt_minimum(const char *algorithm, Minimum *m)
{
    (void)algorithm, (void)m;
    return MINIMUM_FAILED;
}
#endif
