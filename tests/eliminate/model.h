/* A model in Modelica on its way through passes, for tests of one of them. The class is named M. */
#ifndef RUNG_TESTS_ELIMINATE_MODEL_H
#define RUNG_TESTS_ELIMINATE_MODEL_H

#include "eliminate/block/ordering.h"
#include "eliminate/dae.h"
#include "eliminate/prepare/der.h"
#include "eliminate/prepare/reduce.h"
#include "eliminate/prepare/sorting.h"
#include "eliminate/prepare/state_choice.h"
#include "eliminate/solution.h"
#include "eliminate/verify/verify.h"
#include "tests/frontend/spanning_by_growing.h"

#include <criterion/criterion.h>

typedef struct Model {
    Arena *mem, *scratch;
    Library *library;
    Front *front;
    Diags *diags;
    Dae dae;
} Model;

/* by_value: as compiled; else a pool that merges nothing, which verify() wants. */
static inline Model model_flat(const char *text, bool by_value)
{
    Model m = {.mem = arena_new(), .scratch = arena_new()};
    Names *names = names_new(m.mem);
    m.diags = diags_new(m.mem);
    System *s = system_new(m.mem, names, m.diags, by_value);
    m.library = library_new(m.mem, names, m.diags);
    library_add_text(m.library, "M.mo", text);
    m.front = front_new(s, m.library);
    m.front->spanning = spanning_by_growing;
    bool ok = flatten(m.front, "M");
    cr_assert(ok, "does not flatten: %s",
              diags_count(m.diags) ? diags_at(m.diags, 0)->text : "no reason");
    m.dae = dae_new(s);
    return m;
}

static inline Model model_of(const char *text)
{
    return model_flat(text, true);
}

static inline void model_done(Model *m)
{
    system_free(m->dae.sys);
    front_free(m->front);
    arena_free(m->scratch);
    arena_free(m->mem);
}

/* Up to the states. */
static inline void model_reduce(Model *m)
{
    Dae *d = &m->dae;
    cr_assert(der_expand(d->sys, m->scratch));
    cr_assert(aliases_remove(d->sys, &d->aliases, m->scratch));
    cr_assert(reduce_index(d, m->scratch));
    cr_assert(states_choose(d, m->scratch));
}

static inline void model_sort(Model *m)
{
    model_reduce(m);
    cr_assert(equations_sort(&m->dae, m->scratch));
}

static inline void model_solve(Model *m)
{
    OrderPolicy policy = {0};
    Orders orders = ordering_of(&policy);
    cr_assert(solution_find(&m->dae, &orders, m->scratch));
    cr_assert(program_check(&m->dae.solution.program));
}

/* Whether the program, with all that was made of it, holds in the equations of the text. */
static inline bool model_holds(const Model *m, const char *text)
{
    Model flat = model_flat(text, false);
    VerifyReport r = verify(&m->dae.solution.program, flat.dae.sys, NULL, (VerifyPoints){3, 3});
    model_done(&flat);
    return r.ok && r.n_skipped == 0;
}

static inline uint64_t model_operations(const Model *m)
{
    const Program *g = &m->dae.solution.program;
    return program_operations(m->dae.sys->pool, g->n_states, g->derivative);
}

static inline VarId model_var(const Model *m, const char *name)
{
    VarId v = system_find_var(m->dae.sys, name_of(m->dae.sys->names, name));
    cr_assert(var_exists(v), "no variable %s", name);
    return v;
}

static inline ExprId model_expr(const Model *m, const char *name)
{
    return system_var_expr(m->dae.sys, model_var(m, name));
}

/* Whether an error or warning with this code was recorded. */
static inline bool model_says(const Model *m, const char *code)
{
    for (uint32_t k = 0; k < diags_count(m->diags); k++)
        if (strcmp(diags_at(m->diags, k)->code, code) == 0)
            return true;
    return false;
}

#endif
