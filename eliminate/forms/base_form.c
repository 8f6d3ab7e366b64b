#include "eliminate/forms/base_form.h"

#include "eliminate/forms/base_parameters.h"
#include "eliminate/forms/parameter_rows.h"
#include "eliminate/frames/rewriting.h"

#include <stdlib.h>

/* Parameters up to which dependencies among all of them are looked for. */
enum { PARAMETERS_MOST = 400, COLUMNS_MOST = 160 };

enum {
    BUDGET = 20000,  /* of searching orders, for a comparison of forms */
    FEW_BODIES = 12, /* up to which each is changed by itself          */
};

/* The tearing variables and residuals of the residual form, which stay the caller's. */
typedef struct Torn {
    uint32_t n;
    VarId *unknown;
    EqId *eq;
} Torn;

typedef struct Form {
    Dae *d;
    System *s;
    Arena *scratch;
    ParameterQuestion question;
    Torn torn;
    VEC(VarId) variable; /* per new parameter a variable, during the search for groups */
    /* of the form at work */
    ParameterRows rows;
    Rewriting rewriting;
    uint32_t *rank; /* new parameters, those that are kept first */
    ExprId *value;  /* per new parameter                         */
    Blt blt;        /* of the equations in them                  */
} Form;

/* ---- requested outputs ---- */

typedef VEC(VarId) Vars;

/* The derivatives of states, and efforts. */
static Vars asked_for(const Dae *d, Arena *mem)
{
    Vars out = {0};
    const Structure *t = &d->blt.columns;
    const bool *effort = dae_efforts(d, mem);
    for (uint32_t c = 0; c < t->n; c++) {
        VarId of = d->sys->var.at[t->var[c].i].der_of;
        if ((var_exists(of) && d->is_state[of.i]) || (effort && effort[t->var[c].i]))
            vec_push(mem, out, t->var[c]);
    }
    return out;
}

/* The equations that the requested outputs depend on, by reachability. */
static bool *needed_equations(const Dae *d, Arena *mem)
{
    const Structure *t = &d->blt.columns;
    bool *needed = arena_array(mem, bool, d->sys->eq.n + 1);
    VEC(uint32_t) todo = {0};
    Vars asked = asked_for(d, mem);
    for (uint32_t k = 0; k < asked.n; k++)
        vec_push(mem, todo, t->column[asked.at[k].i]);
    while (todo.n) {
        uint32_t e = d->blt.matching.eq_of[todo.at[--todo.n]];
        if (e == INC_NONE || needed[e])
            continue;
        needed[e] = true;
        for (uint32_t k = t->g.row_begin[e]; k < t->g.row_begin[e + 1]; k++)
            vec_push(mem, todo, t->g.col[k]);
    }
    return needed;
}

/* ---- the parameters of bodies ---- */

/* Which parameters are put together. False if there are none, or too many. */
static bool find_question(Form *f)
{
    Dae *d = f->d;
    Regressor r = regressor_make(d, f->scratch, f->scratch);
    if (r.n_parameters == 0 || r.n_parameters > PARAMETERS_MOST)
        return false;
    const ParameterRole *role = base_parameters_roles(&r, f->scratch);
    bool *is_linear = arena_array(f->scratch, bool, f->s->var.n + COLUMNS_MOST);
    bool *is_factor = arena_array(f->scratch, bool, f->s->var.n + COLUMNS_MOST);
    uint32_t n_linear = 0;
    for (uint32_t k = 0; role && k < r.n_parameters; k++) {
        n_linear += role[k] == ROLE_LINEAR;
        is_linear[r.parameter[k].var.i] = role[k] == ROLE_LINEAR;
        is_factor[r.parameter[k].var.i] = role[k] == ROLE_FACTOR;
    }
    f->question = (ParameterQuestion){.is_needed = needed_equations(d, f->scratch),
                                      .is_linear = is_linear,
                                      .is_factor = is_factor};
    return role && n_linear <= COLUMNS_MOST;
}

typedef struct Depth {
    uint32_t of, body, parameter;
} Depth;

static int by_depth(const void *x, const void *y)
{
    const Depth *a = x, *b = y;
    if (a->of != b->of)
        return a->of < b->of ? -1 : 1;
    if (a->body != b->body)
        return a->body < b->body ? -1 : 1;
    return a->parameter < b->parameter ? -1 : a->parameter > b->parameter;
}

/* Per new parameter the number of states that velocities in the columns of its body depend on,
 * small near the ground: the parameters of a body are grouped into those of the body that carries
 * it. */
static uint32_t *depths(Form *f)
{
    System *s = f->s;
    const Blt *b = &f->d->blt;
    uint32_t n = f->rows.n_parameters;
    uint32_t *out = arena_array(f->scratch, uint32_t, n + 1);
    bool *is_known = arena_array(f->scratch, bool, s->var.n + 1);
    uint32_t *n_states = arena_array(f->scratch, uint32_t, s->var.n + 1);
    Map *states = arena_array(f->scratch, Map, s->var.n + 1); /* per variable */
    /* in the order of evaluation, single equations only: algebraic loops hold accelerations */
    const Incidence *g = &b->columns.g;
    bool *is_source = arena_array(f->scratch, bool, s->var.n + 1);
    for (uint32_t v = 0; v < s->var.n; v++)
        is_source[v] = f->d->is_state[v] || s->var.at[v].kind == VAR_INPUT;
    for (uint32_t k = 0; k < b->blocks.n; k++) {
        if (b->blocks.begin[k + 1] != b->blocks.begin[k] + 1)
            continue;
        uint32_t e = b->blocks.eq[b->blocks.begin[k]], col = b->blocks.var[b->blocks.begin[k]];
        VarId v = b->columns.var[col], *found;
        bool known = true;
        for (uint32_t i = g->row_begin[e]; i < g->row_begin[e + 1]; i++)
            known = known && (g->col[i] == col || is_known[b->columns.var[g->col[i]].i]);
        if (!known)
            continue;
        is_known[v.i] = true;
        states[v.i] = map_new(f->scratch);
        const Eq *q = &s->eq.at[e];
        uint32_t n_found = unknowns_of(s, is_source, expr_sub(s->pool, q->lhs, q->rhs),
                                       UINT32_MAX - 1, f->scratch, &found);
        for (uint32_t i = 0; i < n_found; i++)
            map_add(&states[v.i], found[i].i);
        for (uint32_t i = g->row_begin[e]; i < g->row_begin[e + 1]; i++) {
            const Map *from = &states[b->columns.var[g->col[i]].i];
            for (uint32_t j = 0; g->col[i] != col && j < from->cap; j++)
                if (from->slot[j].val)
                    map_add(&states[v.i], from->slot[j].key);
        }
        n_states[v.i] = states[v.i].n;
    }
    Map of_body = map_new(f->scratch);
    bool *looks = arena_array(f->scratch, bool, s->var.n + 1);
    for (uint32_t v = 0; v < s->var.n; v++) {
        looks[v] = is_known[v] || is_source[v];
        if (is_source[v])
            n_states[v] = 1;
    }
    for (uint32_t k = 0; k < f->rows.n_rows; k++) {
        const ParameterRow *row = &f->rows.row[k];
        for (uint32_t i = 0; i < row->n; i++) {
            VarId *v;
            uint32_t most = 0, body = f->rows.body[row->parameter[i]];
            uint32_t n_v = unknowns_of(s, looks, row->column[i], UINT32_MAX - 1, f->scratch, &v);
            for (uint32_t j = 0; j < n_v; j++)
                most = n_states[v[j].i] > most ? n_states[v[j].i] : most;
            uint32_t before = map_get(&of_body, body);
            if (before == MAP_NONE || before < most)
                map_put(&of_body, body, most);
        }
    }
    for (uint32_t k = 0; k < n; k++)
        out[k] = map_get(&of_body, f->rows.body[k]);
    return out;
}

/* ---- equations ---- */

/* The equations with these values of the new parameters; a parameter of value zero is left out,
 * columns that are equal up to their signs are one. */
static void write_rows(Form *f, const ExprId *value)
{
    ExprPool *p = f->s->pool;
    for (uint32_t k = 0; k < f->rows.n_rows; k++) {
        const ParameterRow *row = &f->rows.row[k];
        ExprId *column = arena_array(f->scratch, ExprId, row->n + 1);
        ExprId *times = arena_array(f->scratch, ExprId, row->n + 1);
        uint32_t n = 0;
        for (uint32_t i = 0; i < row->n; i++) {
            ExprId x = row->column[i], minus = expr_neg(p, x), v = value[row->parameter[i]];
            uint32_t at = 0;
            while (at < n && !expr_same(column[at], x) && !expr_same(column[at], minus))
                at++;
            if (at == n) {
                column[n] = x;
                times[n++] = v;
            } else {
                times[at] = expr_same(column[at], x) ? expr_add(p, times[at], v)
                                                     : expr_sub(p, times[at], v);
            }
        }
        ExprId sum = row->rest;
        for (uint32_t i = 0; i < n; i++)
            sum = expr_add(p, sum, expr_mul(p, times[i], column[i]));
        rewriting_set(&f->rewriting, row->eq, sum, expr_int(p, 0), f->s->eq.at[row->eq.i].index);
    }
}

/* The Blt of the equations as they are now, for the same unknowns. */
static Blt sort_again(const Dae *d, Arena *scratch)
{
    System *s = d->sys;
    bool *unknown = arena_array(scratch, bool, s->var.n + 1);
    for (uint32_t k = 0; k < d->blt.columns.n; k++)
        unknown[d->blt.columns.var[k].i] = true;
    return blt_find(s, unknown, d->is_state, &d->aliases, s->mem);
}

/* ---- groups ---- */

static ExprId polynomial(Form *f, const Regressor *r, const Polynomial *p)
{
    ExprPool *pool = f->s->pool;
    ExprId sum = expr_int(pool, 0);
    for (uint32_t k = 0; k < p->n; k++) {
        const Monomial *m = &p->term[k];
        ExprId x = expr_div(pool, expr_int(pool, m->num), expr_int(pool, m->den));
        for (uint32_t i = 0; i < m->n; i++) {
            ExprId v = system_var_expr(f->s, r->parameter[m->factor[i].parameter].var);
            if (m->factor[i].form != FACTOR_PLAIN)
                v = expr_fn(pool, m->factor[i].form == FACTOR_COS ? FN_COS : FN_SIN, v);
            for (uint32_t j = 0; j < m->factor[i].power; j++)
                x = expr_mul(pool, x, v);
        }
        sum = expr_add(pool, sum, x);
    }
    return sum;
}

static void find_ranks(Form *f)
{
    uint32_t n = f->rows.n_parameters;
    const uint32_t *depth = depths(f);
    Depth *place = arena_array(f->scratch, Depth, n + 1);
    for (uint32_t k = 0; k < n; k++)
        place[k] = (Depth){depth[k], f->rows.body[k], k};
    qsort(place, n, sizeof *place, by_depth);
    f->rank = arena_array(f->scratch, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        f->rank[k] = place[k].parameter;
}

/* Variables that stand for new parameters, in the order in which these are kept. */
static void need_variables(Form *f, uint32_t n)
{
    System *s = f->s;
    uint32_t n_before = s->var.n;
    while (f->variable.n < n) {
        const char *name = arena_printf(s->mem, "base parameter %u", f->variable.n + 1);
        while (var_exists(system_find_var(s, name_of(s->names, name))))
            name = arena_printf(s->mem, "%s'", name);
        VarId v = system_add_hidden(s, name);
        var_at(s, v)->kind = VAR_CONSTANT;
        var_at(s, v)->binding = expr_int(s->pool, 0);
        vec_push(f->scratch, f->variable, v);
    }
    if (s->var.n > n_before)
        dae_extend(f->d, n_before);
}

/* Makes the new variables parameters for the regressor, or hides them again. */
static void show_variables(Form *f, bool shown)
{
    for (uint32_t k = 0; k < f->variable.n; k++) {
        Var *v = var_at(f->s, f->variable.at[k]);
        v->kind = shown ? VAR_PARAMETER : VAR_CONSTANT;
        v->is_hidden = !shown;
        v->binding = shown ? EXPR_NONE : expr_int(f->s->pool, 0);
    }
}

/* f->value: a group of parameters, or zero for a parameter that is part of one. */
static void find_groups(Form *f)
{
    System *s = f->s;
    uint32_t n = f->rows.n_parameters;
    ExprId *stands = arena_array(f->scratch, ExprId, n + 1);
    for (uint32_t k = 0; k < n; k++)
        stands[f->rank[k]] = system_var_expr(s, f->variable.at[k]);
    write_rows(f, stands);
    Dae d = *f->d;
    d.blt = sort_again(f->d, f->scratch);
    if (!blt_is_complete(&d.blt))
        return;
    show_variables(f, true);
    Regressor r = regressor_make(&d, f->scratch, f->scratch);
    show_variables(f, false);
    Map new_of = map_new(f->scratch);
    for (uint32_t k = 0; k < n; k++)
        map_put(&new_of, f->variable.at[k].i, f->rank[k]);
    bool *is_known = arena_array(f->scratch, bool, r.n_parameters + 1);
    for (uint32_t k = 0; k < r.n_parameters; k++)
        is_known[k] = map_get(&new_of, r.parameter[k].var.i) == MAP_NONE;
    BaseQuestion q = {.is_known = is_known};
    BaseParameters b = base_parameters_find(&r, &q, f->scratch);
    if (b.has_no_point || b.too_many || b.is_as_given)
        return;
    /* a parameter is zero if its contributions to others are all known, as polynomials */
    bool *is_determined = arena_array(f->scratch, bool, b.n_products + 1);
    for (uint32_t k = 0; k < b.n_products; k++)
        is_determined[k] = b.product[k].n == 0 && b.product[k].lead == UINT32_MAX;
    for (uint32_t k = 0; k < b.n; k++)
        for (uint32_t i = 0; i < b.base[k].n; i++) {
            const Share *x = &b.base[k].share[i];
            is_determined[x->product] = is_determined[x->product] && x->is_known && !x->over.n &&
                                        b.product[b.base[k].lead].n == 0;
        }
    ExprId *grouped = arena_array(f->scratch, ExprId, n + 1);
    memcpy(grouped, f->value, n * sizeof *grouped);
    for (uint32_t k = 0; k < b.n; k++) {
        uint32_t lead = map_get(&new_of, r.parameter[b.product[b.base[k].lead].linear].var.i);
        for (uint32_t i = 0; i < b.base[k].n; i++) {
            const Share *x = &b.base[k].share[i];
            uint32_t from = map_get(&new_of, r.parameter[b.product[x->product].linear].var.i);
            if (is_determined[x->product])
                grouped[lead] =
                    expr_add(s->pool, grouped[lead],
                             expr_mul(s->pool, polynomial(f, &r, &x->factor), f->value[from]));
        }
    }
    for (uint32_t k = 0; k < b.n_products; k++)
        if (is_determined[k])
            grouped[map_get(&new_of, r.parameter[b.product[k].linear].var.i)] =
                expr_int(s->pool, 0);
    f->value = grouped;
}

/* ---- the choice ---- */

typedef struct Roots {
    uint32_t n;
    ExprId *root;
    uint32_t n_pivots;
    const Pivot *pivot;
} Roots;

static Torn torn_of(const Program *g, Arena *mem)
{
    Torn t = {0};
    for (uint32_t k = 0; k < g->n_blocks; k++)
        t.n += g->block[k].n;
    t.unknown = arena_array(mem, VarId, t.n + 1);
    t.eq = arena_array(mem, EqId, t.n + 1);
    for (uint32_t k = 0, at = 0; k < g->n_blocks; k++)
        for (uint32_t i = 0; i < g->block[k].n; i++, at++) {
            t.unknown[at] = g->block[k].unknown[i];
            t.eq[at] = g->block[k].eq[i];
        }
    return t;
}

/* Operations for the requested outputs and for residuals of iterations or of the caller;
 * UINT64_MAX: there is no solution. */
static uint64_t solve_once(const Dae *d, const Blt *b, const OrderPolicy *policy, Program *g,
                           Roots *out, Arena *scratch)
{
    System *s = d->sys;
    OrderPolicy own = *policy;
    Orders orders = ordering_of(&own);
    Diags *diags = s->diags;
    s->diags = diags_new(scratch);
    Solution solution;
    uint64_t n = UINT64_MAX;
    if (solve(b, &orders, &solution, scratch) && program_check(&solution.program)) {
        VEC(ExprId) root = {0};
        Vars asked = asked_for(d, scratch);
        *g = solution.program;
        for (uint32_t k = 0; k < asked.n; k++)
            vec_push(scratch, root, g->value[asked.at[k].i]);
        for (uint32_t k = 0; k < g->n_blocks; k++)
            for (uint32_t i = 0; i < g->block[k].n; i++)
                vec_push(scratch, root, g->block[k].residual[i]);
        n = program_operations(s->pool, root.n, root.at);
        *out = (Roots){root.n, arena_array(s->mem, ExprId, root.n + 1), g->n_pivots, g->pivot};
        memcpy(out->root, root.at, root.n * sizeof *root.at);
    }
    s->diags = diags;
    return n;
}

/* The same with unknowns and equations left to the caller: residuals of these equations. */
static uint64_t solve_torn(Form *f, const OrderPolicy *policy, Roots *out)
{
    System *s = f->s;
    const Torn *t = &f->torn;
    Eq *kept = arena_array(f->scratch, Eq, t->n + 1);
    bool *unknown = arena_array(f->scratch, bool, s->var.n + 1);
    for (uint32_t k = 0; k < f->blt.columns.n; k++)
        unknown[f->blt.columns.var[k].i] = true;
    for (uint32_t k = 0; k < t->n; k++) {
        Eq *q = &s->eq.at[t->eq[k].i];
        kept[k] = *q;
        q->lhs = q->rhs = expr_int(s->pool, 0);
        unknown[t->unknown[k].i] = false;
    }
    Blt blt = blt_find(s, unknown, f->d->is_state, &f->d->aliases, s->mem);
    OrderPolicy plain = *policy;
    plain.is_torn = false;
    Orders orders = ordering_of(&plain);
    Diags *diags = s->diags;
    s->diags = diags_new(f->scratch);
    Solution solution;
    bool ok = blt.matching.size == blt.columns.n && solve(&blt, &orders, &solution, f->scratch) &&
              solution.program.n_blocks == 0;
    s->diags = diags;
    for (uint32_t k = 0; k < t->n; k++)
        s->eq.at[t->eq[k].i] = kept[k];
    if (!ok)
        return UINT64_MAX;
    const Program *g = &solution.program;
    Vars asked = asked_for(f->d, f->scratch);
    *out = (Roots){0, arena_array(s->mem, ExprId, asked.n + t->n + 1), g->n_pivots, g->pivot};
    for (uint32_t k = 0; k < asked.n; k++)
        out->root[out->n++] = g->value[asked.at[k].i];
    Substitution values = {.value = g->value, .n = s->var.n, .mem = f->scratch};
    for (uint32_t k = 0; k < t->n; k++)
        out->root[out->n++] =
            expr_substitute(s->pool, &values, expr_sub(s->pool, kept[k].lhs, kept[k].rhs));
    return program_operations(s->pool, out->n, out->root);
}

/* The equations with the parameters of the question, grouped; they are in the System then. False if
 * there is nothing to group. */
static bool form_make(Form *f)
{
    uint32_t before = pool_size(f->s->pool);
    f->rewriting = rewriting_new(f->s);
    f->rows = parameter_rows_find(&f->d->blt, &f->question, f->scratch);
    if (f->rows.n_parameters == 0 || f->rows.n_parameters > COLUMNS_MOST)
        return false;
    need_variables(f, f->rows.n_parameters);
    find_ranks(f);
    f->value = f->rows.value;
    find_groups(f);
    // (I3 - I2)*(y*z) is wanted, not what the model has for it: I3*z*y - I2*y*z
    pool_set_apart(f->s->pool, 0);
    write_rows(f, f->value);
    pool_put_back(f->s->pool, 0);
    f->blt = sort_again(f->d, f->scratch);
    // new nodes are not shared with the expressions of the columns, in which unknowns cancel
    pool_set_apart(f->s->pool, before);
    return true;
}

/* Operations of the equations of each body by themselves. */
static uint64_t *count_bodies(Form *f)
{
    uint32_t n = f->rows.n_bodies;
    uint64_t *out = arena_array(f->scratch, uint64_t, n + 1);
    for (uint32_t body = 0; body < n; body++) {
        VEC(ExprId) root = {0};
        for (uint32_t k = 0; k < f->rows.n_rows; k++)
            if (f->rows.row[k].n && f->rows.body[f->rows.row[k].parameter[0]] == body)
                vec_push(f->scratch, root, f->s->eq.at[f->rows.row[k].eq.i].lhs);
        out[body] = program_operations(f->s->pool, root.n, root.at);
    }
    return out;
}

static uint64_t form_operations(Form *f, const OrderPolicy *policy, Roots *out)
{
    Program g;
    if (!blt_is_complete(&f->blt))
        return UINT64_MAX;
    return f->torn.n ? solve_torn(f, policy, out)
                     : solve_once(f->d, &f->blt, policy, &g, out, f->scratch);
}

/* Operations of the form with these bases; UINT64_MAX if it cannot be made. The equations and the
 * pool are as before. */
static uint64_t count_form(Form *f, const uint8_t *basis, const OrderPolicy *policy,
                           uint64_t **of_body)
{
    PoolMark mark = pool_mark(f->s->pool);
    uint64_t n = UINT64_MAX;
    f->question.basis = basis;
    if (form_make(f)) {
        if (of_body)
            *of_body = count_bodies(f);
        Roots roots;
        n = form_operations(f, policy, &roots);
        rewriting_exchange(&f->rewriting);
    }
    pool_rollback(f->s->pool, mark);
    return n;
}

/* Sparse columns, the model's own, for each body those with the fewer operations; then body after
 * body is changed if that helps, where there are few. */
static const uint8_t *choose_bases(Form *f, const OrderPolicy *policy, uint64_t *best)
{
    uint64_t *sparse, *own;
    *best = count_form(f, NULL, policy, &sparse);
    if (*best == UINT64_MAX)
        return NULL;
    uint32_t n = f->rows.n_bodies;
    uint8_t *basis = arena_array(f->scratch, uint8_t, n + 1);
    uint8_t *other = arena_array(f->scratch, uint8_t, n + 1);
    memset(other, BASIS_OWN, n);
    for (int k = 0; k < 2; k++) {
        uint64_t ops = count_form(f, other, policy, k ? NULL : &own);
        if (ops < *best) {
            *best = ops;
            memcpy(basis, other, n);
        }
        for (uint32_t i = 0; i < n; i++)
            other[i] = own[i] < sparse[i] ? BASIS_OWN : BASIS_SPARSE;
    }
    for (uint32_t i = 0; i < n && n <= FEW_BODIES; i++) {
        basis[i] = basis[i] == BASIS_OWN ? BASIS_SPARSE : BASIS_OWN;
        uint64_t ops = count_form(f, basis, policy, NULL);
        if (ops < *best)
            *best = ops;
        else
            basis[i] = basis[i] == BASIS_OWN ? BASIS_SPARSE : BASIS_OWN;
    }
    return basis;
}

/* Whether there are groups, and not too many, before anything is solved. */
static bool can_be_made(Form *f)
{
    PoolMark mark = pool_mark(f->s->pool);
    bool can = form_make(f);
    if (can)
        rewriting_exchange(&f->rewriting);
    pool_rollback(f->s->pool, mark);
    return can;
}

/* Whether a loop is closed by more constraints than one and fewer than a rigid joint has, as inside
 * a ball joint: it then holds bodies that turn in space, and to find their base parameters by
 * samples takes minutes. */
static bool turns_where_cut(const LoopCut *c)
{
    enum { RIGID = 6 };
    for (uint32_t l = 0; l < c->n_loops; l++) {
        uint32_t n = c->first[l + 1] - c->first[l];
        if (n > 1 && n < RIGID)
            return true;
    }
    return false;
}

static void find(Dae *d, const OrderPolicy *policy, BaseForm *out, Arena *scratch)
{
    System *s = d->sys;
    Form f = {.d = d, .s = s, .scratch = scratch};
    expr_int(s->pool, 0); // final binding of the variables
    PoolMark mark = pool_mark(s->pool);
    bool any = find_question(&f);
    pool_rollback(s->pool, mark);
    if (!any || !can_be_made(&f))
        return;
    Program g;
    Roots roots = {0};
    out->as_is = solve_once(d, &d->blt, policy, &g, &roots, scratch);
    pool_rollback(s->pool, mark);
    if (out->as_is == UINT64_MAX)
        return;
    if (policy->is_torn)
        f.torn = torn_of(&g, scratch);
    OrderPolicy quick = *policy;
    quick.budget = BUDGET;
    f.question.basis = choose_bases(&f, &quick, &out->grouped);
    if (out->grouped == UINT64_MAX)
        return;
    form_make(&f);
    out->grouped = form_operations(&f, policy, &roots);
    rewriting_exchange(&f.rewriting);
    out->is_taken = out->grouped < out->as_is;
    out->n = roots.n;
    out->root = roots.root;
    out->n_pivots = roots.n_pivots;
    out->pivot = roots.pivot;
    out->n_parameters = f.rows.n_parameters;
    for (uint32_t k = 0; k < f.rows.n_parameters; k++)
        out->n_base += expr_is_zero(s->pool, f.value[k]) != YES;
    if (!out->is_taken)
        pool_rollback(s->pool, mark);
}

void base_form_find(Dae *d, const OrderPolicy *policy, BaseForm *out, Arena *scratch)
{
    uint32_t n_vars = d->sys->var.n;
    *out = (BaseForm){0};
    if (!pool_by_value(d->sys->pool) || d->loops.n_massless || turns_where_cut(&d->loops) ||
        d->sensitivities)
        return;
    find(d, policy, out, scratch);
    if (d->solution.program.value && d->sys->var.n > n_vars)
        program_extend(&d->solution.program, n_vars);
}

/* The root of the base form that has this value up to sign; x itself if there is none. */
static ExprId in_base(const System *s, const BaseForm *b, const Map *root_of, ExprId x)
{
    ExprPool *p = s->pool;
    Fp f = expr_fingerprint(p, x), minus = fp_neg(f);
    uint32_t k = map_get(root_of, f.r[0]);
    if (k != MAP_NONE && fp_same(expr_fingerprint(p, b->root[k]), f))
        return b->root[k];
    k = map_get(root_of, minus.r[0]);
    if (k != MAP_NONE && fp_same(expr_fingerprint(p, b->root[k]), minus))
        return expr_neg(p, b->root[k]);
    return x;
}

void base_form_put_in(const Dae *d, const BaseForm *b, Program *g)
{
    System *s = d->sys;
    if (!b->is_taken)
        return;
    Arena *mem = arena_new();
    Map root_of = map_new(mem);
    for (uint32_t k = 0; k < b->n; k++)
        map_put(&root_of, expr_fingerprint(s->pool, b->root[k]).r[0], k);
    ExprId *derivative = arena_array(s->mem, ExprId, g->n_states + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        derivative[k] = in_base(s, b, &root_of, g->derivative[k]);
    g->derivative = derivative;
    ExprId *value = arena_array(s->mem, ExprId, s->var.n + 1);
    memcpy(value, g->value, s->var.n * sizeof *value);
    for (uint32_t k = 0; k < d->n_efforts; k++)
        value[d->effort[k].i] = in_base(s, b, &root_of, value[d->effort[k].i]);
    g->value = value;
    NonlinearBlock *block = arena_array(s->mem, NonlinearBlock, g->n_blocks + 1);
    for (uint32_t k = 0; k < g->n_blocks; k++) {
        block[k] = g->block[k];
        ExprId *residual = arena_array(s->mem, ExprId, block[k].n + 1);
        for (uint32_t i = 0; i < block[k].n; i++)
            residual[i] = in_base(s, b, &root_of, block[k].residual[i]);
        block[k].residual = residual;
    }
    g->block = block;
    Pivot *pivot = arena_array(s->mem, Pivot, g->n_pivots + b->n_pivots + 1);
    if (g->n_pivots)
        memcpy(pivot, g->pivot, g->n_pivots * sizeof *pivot);
    if (b->n_pivots)
        memcpy(pivot + g->n_pivots, b->pivot, b->n_pivots * sizeof *pivot);
    g->pivot = pivot;
    g->n_pivots += b->n_pivots;
    arena_free(mem);
}
