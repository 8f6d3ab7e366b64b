/* Identifiers of a library's enumerations. */
#include "base/hash.h"
#include "base/map.h"
#include "emit/library/library_model.h"

#include <string.h>

/* Names that differ in their punctuation only get a number. */
static const char *unlike(const char *name, Map *taken, Arena *mem)
{
    const char *it = text_identifier(mem, name);
    for (uint32_t k = 2; map_get(taken, hash_bytes(it, strlen(it))) != MAP_NONE; k++)
        it = arena_printf(mem, "%s_%u", text_identifier(mem, name), k);
    map_put(taken, hash_bytes(it, strlen(it)), 1);
    return it;
}

/* Of the names that the adjoint has: p, or x.start. */
static EmitMembers gradient_members(const LibraryModel *l)
{
    const Adjoint *a = l->m.g->adjoint;
    Arena *mem = l->m.mem;
    Map taken = map_new(mem);
    EmitMembers out = {.sort = "BY", .what = "by", .n = a->n};
    out.name = arena_array(mem, const char *, a->n + 1);
    for (uint32_t k = 0; k < a->n; k++)
        out.name[k] = unlike(a->name[k], &taken, mem);
    return out;
}

static EmitMembers members(const LibraryModel *l, const char *sort, const char *what, uint32_t n,
                           const VarId *var, const uint32_t *place)
{
    Arena *mem = l->m.mem;
    Map taken = map_new(mem);
    EmitMembers out = {.sort = sort, .what = what, .n = n, .var = var, .place = place};
    out.name = arena_array(mem, const char *, n + 1);
    // N_... is how many there are
    for (uint32_t k = 0; k < n; k++)
        out.name[k] = unlike(model_name(&l->m, var[k]), &taken, mem);
    return out;
}

uint32_t library_own_states(const Program *g)
{
    return g->sensitivity ? g->n_states / (g->sensitivity->n_directions + 1) : g->n_states;
}

uint32_t library_column(const Program *g, VarId parameter)
{
    const Linearisation *l = g->linearisation;
    for (uint32_t k = 0; l && k < l->n_parameters; k++)
        if (l->parameter[k].i == parameter.i)
            return l->n_states + l->n_inputs + k;
    return UINT32_MAX;
}

/* Whether the linearisation has all derivatives by parameters, and one of it at each stage, with a
 * factorisation, takes fewer operations than evaluations of the derivatives' own equations until
 * they agree. */
static bool derives_at_once(const Program *g)
{
    enum { ROUNDS = 5 };
    const Sensitivity *s = g->sensitivity;
    const Linearisation *l = g->linearisation;
    if (!s || !l || s->n_held) // in its columns memory has no derivatives
        return false;
    for (uint32_t j = 0; j < s->n; j++)
        if (var_exists(s->parameter[j]) && library_column(g, s->parameter[j]) == UINT32_MAX)
            return false;
    const ExprColumns *a = &l->matrix.columns;
    const uint64_t n = l->n_states, k = l->n_implicit, sides = s->n * n * n;
    const uint64_t columns = n + l->n_inputs + l->n_parameters;
    // in loops over arrays an operation takes about twice as long
    const uint64_t dense =
        (n + l->n_outputs) * columns + k * k * k / 3 + columns * k * k + n * n * n / 3;
    const uint64_t matrix =
        program_operations(g->sys->pool, a->col_start[a->n_cols], a->entry) + 2 * dense;
    const uint64_t rates = program_operations(g->sys->pool, g->n_states, g->derivative);
    return matrix + sides < ROUNDS * (rates + sides);
}

/* The derivative of a parameter by another one, which it follows from: a parameter of the program.
 */
static bool is_derivative(const Var *v)
{
    return strncmp(v->name.s, "der(", 4) == 0;
}

void library_members(LibraryModel *l)
{
    const Program *g = l->m.g;
    const System *s = l->m.sys;
    Arena *mem = l->m.mem;
    VEC(VarId) output = {0}, parameter = {0};
    VEC(uint32_t) place = {0};
    uint32_t most = g->n_states + l->m.input.n + s->var.n;
    uint32_t *number = arena_array(mem, uint32_t, most + 1);
    for (uint32_t k = 0; k < most; k++)
        number[k] = k;
    for (uint32_t k = 0; k < s->var.n; k++)
        if (s->var.at[k].is_output && l->m.row_of[k] != UINT32_MAX)
            vec_push(mem, output, ((VarId){k}));
    for (uint32_t k = 0; k < l->m.parameter.n; k++) {
        const Var *v = &s->var.at[l->m.parameter.at[k].i];
        if (v->kind != VAR_PARAMETER || v->is_final || v->type == TYPE_OBJECT || is_derivative(v))
            continue;
        vec_push(mem, parameter, l->m.parameter.at[k]);
        vec_push(mem, place, k);
    }
    if (l->how.kind == LIBRARY_INVERSE) {
        const LibraryInverse *i = &l->how.inverse;
        bool *is_motion = arena_array(mem, bool, s->var.n + 1);
        for (uint32_t k = 0; k < i->n; k++)
            is_motion[i->position[k].i] = is_motion[i->velocity[k].i] =
                is_motion[i->acceleration[k].i] = true;
        VEC(VarId) input = {0};
        VEC(uint32_t) at = {0};
        for (uint32_t k = 0; k < l->m.input.n; k++)
            if (!is_motion[l->m.input.at[k].i]) {
                vec_push(mem, input, l->m.input.at[k]);
                vec_push(mem, at, k);
            }
        l->state = members(l, "MOTION", "motion", i->n, i->position, number);
        l->input = members(l, "INPUT", "input", input.n, input.at, at.at);
        l->output = members(l, "EFFORT", "effort", i->n, i->effort, number);
        l->parameter = members(l, "PARAMETER", "parameter", parameter.n, parameter.at, place.at);
        return;
    }
    l->state = members(l, "STATE", "state", g->n_states, g->state, number);
    l->input = members(l, "INPUT", "input", l->m.input.n, l->m.input.at, number);
    l->output = members(l, "OUTPUT", "output", output.n, output.at, number);
    l->parameter = members(l, "PARAMETER", "parameter", parameter.n, parameter.at, place.at);
    l->derives_at_once = derives_at_once(g);
    if (g->adjoint)
        l->gradient = gradient_members(l);
    const Linearisation *lin = g->linearisation;
    if (lin)
        l->by = members(l, "COLUMN", "column", lin->n_parameters, lin->parameter,
                        number + lin->n_states + lin->n_inputs);
}
