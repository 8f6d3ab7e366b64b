#include "eliminate/prepare/inverse.h"

#include "eliminate/block/linear_form.h"

/* Classes of variables equal up to sign, and the equations or inputs that fix them. */
typedef struct Fixed {
    System *s;
    uint32_t *parent;   /* per variable: of its class          */
    uint32_t *equation; /* per class: one that has no other unknown, or NONE */
    uint32_t *input;    /* per class: a top-level input, or NONE             */
} Fixed;

enum { NONE = UINT32_MAX };

static uint32_t class_of(Fixed *f, uint32_t v)
{
    while (f->parent[v] != v)
        v = f->parent[v] = f->parent[f->parent[v]];
    return v;
}

static void unite(Fixed *f, uint32_t a, uint32_t b)
{
    a = class_of(f, a);
    b = class_of(f, b);
    if (a == b)
        return;
    f->parent[b] = a;
    if (f->equation[a] == NONE)
        f->equation[a] = f->equation[b];
    if (f->input[a] == NONE)
        f->input[a] = f->input[b];
}

static bool is_unit(const ExprPool *p, ExprId x)
{
    double value;
    return expr_exists(x) && expr_constant(p, x, &value) && (value == 1 || value == -1);
}

static Fixed find_fixed(System *s, Arena *scratch)
{
    uint32_t n = s->var.n;
    Fixed f = {.s = s,
               .parent = arena_array(scratch, uint32_t, n + 1),
               .equation = arena_array(scratch, uint32_t, n + 1),
               .input = arena_array(scratch, uint32_t, n + 1)};
    bool *moves = arena_array(scratch, bool, n + 1);
    ExprId *none = arena_array(scratch, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        const Var *v = &s->var.at[k];
        f.parent[k] = k;
        f.equation[k] = NONE;
        f.input[k] = v->kind == VAR_INPUT ? k : NONE;
        moves[k] = v->kind == VAR_CONTINUOUS || v->kind == VAR_INPUT;
        none[k] = EXPR_NONE;
    }
    Series series = series_new(s, moves, scratch);
    for (uint32_t e = 0; e < s->eq.n; e++) {
        VarId *var;
        Arena *tmp = arena_new();
        ExprId residual = expr_sub(s->pool, s->eq.at[e].lhs, s->eq.at[e].rhs);
        uint32_t n_vars = series_unknowns(&series, residual, 2, tmp, &var);
        if (n_vars == 1 || n_vars == 2) {
            Substitution values = {.value = none, .n = n, .mem = tmp};
            LinearForm form = linear_form(s, moves, &values, residual, tmp);
            bool units = form.is_linear;
            for (uint32_t k = 0; k < form.n && units; k++)
                units = is_unit(s->pool, form.coeff[k]);
            bool still = units && expr_is_fixed(s->pool, form.rest);
            if (still && form.n == 2 && expr_is_zero(s->pool, form.rest) == YES)
                unite(&f, form.var[0].i, form.var[1].i);
            else if (still && form.n == 1)
                f.equation[class_of(&f, form.var[0].i)] = e;
        }
        arena_free(tmp);
    }
    return f;
}

/* Removes the equation or input that fixes the effort. */
static bool free_effort(Fixed *f, VarId effort)
{
    System *s = f->s;
    const char *name = s->var.at[effort.i].name.s;
    uint32_t c = class_of(f, effort.i);
    if (f->input[c] != NONE) {
        s->var.at[f->input[c]].kind = VAR_CONTINUOUS;
    } else if (f->equation[c] != NONE) {
        // the equation keeps its place, but no longer constrains the model
        Eq *e = &s->eq.at[f->equation[c]];
        e->lhs =
            system_var_expr(s, system_add_hidden(s, arena_printf(s->mem, "nothing of %s", name)));
        e->rhs = expr_int(s->pool, 0);
    } else {
        diag_error(s->diags, s->var.at[effort.i].span, "E06",
                   "the effort '%s' is not given by an input or a constant: it cannot be asked for",
                   name);
        return false;
    }
    f->input[c] = f->equation[c] = NONE; // once
    return true;
}

/* v and its derivative are known. */
static VarId make_known(System *s, VarId v)
{
    VarId der = system_der(s, v);
    s->var.at[v.i].kind = VAR_INPUT;
    s->var.at[der.i].kind = VAR_INPUT;
    return der;
}

bool inverse_make(System *s, InverseDynamics *it, Arena *scratch)
{
    Fixed fixed = find_fixed(s, scratch);
    it->velocity = arena_array(s->mem, VarId, it->n + 1);
    it->acceleration = arena_array(s->mem, VarId, it->n + 1);
    for (uint32_t k = 0; k < it->n; k++)
        if (!free_effort(&fixed, it->effort[k]))
            return false;
    for (uint32_t k = 0; k < it->n; k++) {
        if (s->var.at[it->position[k].i].kind != VAR_CONTINUOUS) {
            diag_error(s->diags, s->var.at[it->position[k].i].span, "E06",
                       "the motion '%s' is no unknown of the model",
                       s->var.at[it->position[k].i].name.s);
            return false;
        }
        it->velocity[k] = make_known(s, it->position[k]);
        it->acceleration[k] = make_known(s, it->velocity[k]);
    }
    return true;
}
