/* C libraries (emit/library/library.h) of programs built by hand, compiled and loaded, against a
 * direct evaluation: one file, the same without names, in single precision. */
#include "base/text.h"
#include "emit/library/library.h"
#include "tests/emit/fixture.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*Init)(void *m, double t, double *x);
typedef int (*Xdot)(void *m, double t, const double *x, double *xdot);
typedef int (*InitSingle)(void *m, float t, float *x);
typedef int (*XdotSingle)(void *m, float t, const float *x, float *xdot);

/* POSIX wants this detour: ISO C does not convert objects to functions. */
typedef union Symbol {
    void *object;
    void (*defaults)(void *m);
    Init init;
    Xdot xdot;
    InitSingle init_single;
    XdotSingle xdot_single;
} Symbol;

static Symbol symbol(void *library, const char *name)
{
    char text[80];
    snprintf(text, sizeof text, "A_Test_%s", name);
    Symbol s = {.object = dlsym(library, text)};
    cr_assert_not_null(s.object, "%s", text);
    return s;
}

static void *compiled(const EmitFiles *f, Arena *mem)
{
    const char *dir = scratch_directory(), *error = "";
    bool is_made = emit_write(f, dir, mem, &error) &&
                   shell("cd '%s' && cc -std=c11 -O1 -shared -fPIC -o m.so A_Test.c -lm", dir) == 0;
    void *library =
        is_made ? dlopen(arena_printf(mem, "%s/m.so", dir), RTLD_NOW | RTLD_LOCAL) : NULL;
    // the directory goes, whatever has failed
    cr_assert_eq(shell("rm -r '%s'", dir), 0);
    cr_assert(is_made, "%s", error);
    cr_assert_not_null(library, "%s", dlerror());
    return library;
}

/* Relative to the largest number that the program meets: differences cancel. */
static void compare(Bench *b, void *library, bool is_single)
{
    enum { ROOM = 1 << 16 };
    double *m = calloc(ROOM, sizeof *m);
    uint32_t n = b->g.n_states, size = pool_size(b->pool), n_var = b->sys->var.n;
    double x[8], xdot[8];
    float x_single[8], xdot_single[8];
    symbol(library, "defaults").defaults(m);
    cr_assert_eq(is_single ? symbol(library, "init").init_single(m, 0, x_single)
                           : symbol(library, "init").init(m, 0, x),
                 0);
    double *var = arena_array(b->mem, double, n_var), *memo = arena_array(b->mem, double, size);
    bool *known = arena_array(b->mem, bool, size);
    for (uint32_t k = 0; k < n_var; k++)
        if (b->sys->var.at[k].kind == VAR_PARAMETER)
            var[k] = value_at(b, b->sys->var.at[k].binding, 0, var, memo, known);
    for (int point = 0; point < 4; point++) {
        memset(known, 0, size);
        double t = (double)(float)unit(b);
        for (uint32_t k = 0; k < n; k++)
            var[b->g.state[k].i] = x[k] = x_single[k] = (float)unit(b);
        for (uint32_t k = 0; k < n_var; k++)
            if (b->sys->var.at[k].kind == VAR_INPUT) {
                float u = (float)unit(b);
                var[k] = u;
                if (is_single)
                    memcpy(m, &u, sizeof u);
                else
                    m[0] = u;
            }
        cr_assert_eq(is_single
                         ? symbol(library, "xdot").xdot_single(m, (float)t, x_single, xdot_single)
                         : symbol(library, "xdot").xdot(m, t, x, xdot),
                     0);
        for (uint32_t k = 0; k < n; k++) {
            double want = value_at(b, b->g.derivative[k], t, var, memo, known);
            double have = is_single ? (double)xdot_single[k] : xdot[k];
            double near = (is_single ? 1e-4 : 1e-10) * (1 + fabs(want));
            cr_assert_lt(fabs(have - want), near, "derivative %u is %.10g, not %.10g", k, have,
                         want);
        }
    }
    free(m);
}

Test(library, computes_the_derivatives)
{
    static const LibraryOptions how[] = {
        {.kind = LIBRARY_SINGLE},
        {.kind = LIBRARY_EMBEDDED},
        {.kind = LIBRARY_EMBEDDED, .single_precision = true},
    };
    for (uint32_t k = 0; k < sizeof how / sizeof *how; k++) {
        Bench b = body_bench(3, 6, 0);
        EmitFiles f;
        cr_assert_null(library_cannot(&b.g));
        cr_assert(library_emit(&b.g, how[k], emit_defaults(), b.mem, &f));
        void *library = compiled(&f, b.mem);
        compare(&b, library, how[k].single_precision);
        /* same program, same bytes */
        EmitFiles again;
        cr_assert(library_emit(&b.g, how[k], emit_defaults(), b.mem, &again));
        cr_assert_eq(f.file.n, again.file.n);
        for (uint32_t i = 0; i < f.file.n; i++)
            cr_assert_str_eq(f.file.at[i].text, again.file.at[i].text);
        dlclose(library);
        bench_free(&b);
    }
}
