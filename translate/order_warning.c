#include "translate/order_warning.h"

#include "eliminate/block/ordering.h"
#include "eliminate/frames/frame_policy.h"
#include "eliminate/prepare/sorting.h"

/* WIDE: body structures that the elimination of one changes besides its parent, on average; in
 * chains and trees less than 1. JOINED: body structures that meet in one equation; there at most
 * 4. */
enum { WIDE = 2, JOINED = 5 };

/* Equations of a full matrix. */
enum { LEAST = 8 };

/* Operations per unknown of linear blocks. Chains of bodies, in the plane and in space, take 7 to
 * 13, those of an order that is lost 15 with 8 bodies and 103 with 32. */
enum { DEAR = 14 };

static bool is_dear(const System *s, const Solution *of)
{
    uint64_t n_unknowns = 0;
    for (uint32_t k = 0; k < of->n_reports; k++)
        if (of->report[k].kind == BLOCK_LINEAR)
            n_unknowns += of->report[k].n;
    const Program *g = &of->program;
    return n_unknowns > 0 &&
           program_operations(s->pool, g->n_states, g->derivative) > DEAR * n_unknowns;
}

/* The variable of the model that v is a derivative of, of any order; NULL: coordinates of a vector
 * in another frame. */
static const Var *base_of(const System *s, VarId v)
{
    while (var_exists(s->var.at[v.i].der_of))
        v = s->var.at[v.i].der_of;
    return s->var.at[v.i].is_hidden ? NULL : &s->var.at[v.i];
}

static void warn_of_wide(Compilation *c, const BlockReport *r)
{
    const LadderSpread *w = &r->spread;
    const Var *v = base_of(c->sys, r->var[w->var]);
    diag_warning(
        c->diags, c->sys->eq.at[r->eq[w->eq].i].span, "E07",
        "this equation%s%s%s joins %u of %u body structures that are no neighbours, so that "
        "operations grow with the square of their number, or faster; write it with unknowns "
        "of one neighbour, as in x[k] = x[k - 1] + ...",
        v ? " for '" : "", v ? v->name.s : "", v ? "'" : "", w->joins, w->n);
    if (v)
        diag_note(c->diags, v->span, "'%s' is declared here", v->name.s);
}

/* Lagrange's equations, for one. */
static void warn_of_dense(Compilation *c, const BlockReport *r)
{
    const Var *v = base_of(c->sys, r->var[0]);
    diag_warning(c->diags, c->sys->eq.at[r->eq[0].i].span, "E07",
                 "each of %u equations, for '%s' and others, contains nearly all of their "
                 "accelerations, so that operations grow with the cube of their number; write "
                 "positions and forces of the bodies as unknowns, each by those of one neighbour",
                 r->n, v ? v->name.s : c->sys->var.at[r->var[0].i].name.s);
    if (v)
        diag_note(c->diags, v->span, "'%s' is declared here", v->name.s);
}

static bool is_wide(const LadderSpread *w)
{
    return w->extra > (uint64_t)WIDE * w->n && w->joins >= JOINED;
}

/* The variable that x is, up to its sign; VAR_NONE: something else. */
static VarId var_in(const ExprPool *p, ExprId x)
{
    if (expr_op(p, x) == OP_NEG)
        x = expr_arg(p, x, 0);
    return expr_op(p, x) == OP_VAR ? expr_var_of(p, x) : VAR_NONE;
}

static bool is_derivative(const System *s, VarId v)
{
    return var_exists(v) && var_exists(s->var.at[v.i].der_of);
}

/* Per variable: whether it is a derivative of one that is, as an equation says, a derivative
 * itself: der(w) with der(phi) = w, or der(der(x)). */
static bool *find_accelerations(const System *s, Arena *mem)
{
    bool *is = arena_array(mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++) {
        VarId v = s->var.at[k].der_of;
        is[k] = is_derivative(s, v);
    }
    for (uint32_t k = 0; k < s->eq.n; k++) {
        VarId a = var_in(s->pool, s->eq.at[k].lhs), b = var_in(s->pool, s->eq.at[k].rhs);
        VarId speed = is_derivative(s, a) ? b : is_derivative(s, b) ? a : VAR_NONE;
        if (var_exists(speed) && var_exists(s->var.at[speed.i].der))
            is[s->var.at[speed.i].der.i] = true;
    }
    return is;
}

/* Without body structures, and full. */
static bool is_dense(const BlockReport *r, const bool *is_acceleration)
{
    if (r->kind != BLOCK_LINEAR || r->spread.n > 0 || r->n < LEAST ||
        2 * (uint64_t)r->nonzeros < (uint64_t)r->n * r->n)
        return false;
    for (uint32_t k = 0; k < r->n; k++)
        if (!is_acceleration[r->var[k].i])
            return false;
    return true;
}

void order_warning(Compilation *c, const Solution *s)
{
    if (!is_dear(c->sys, s))
        return;
    Arena *tmp = arena_new();
    const bool *is_acceleration = find_accelerations(c->sys, tmp);
    for (uint32_t k = 0; k < s->n_reports; k++) {
        if (is_wide(&s->report[k].spread))
            warn_of_wide(c, &s->report[k]);
        if (is_dense(&s->report[k], is_acceleration))
            warn_of_dense(c, &s->report[k]);
    }
    arena_free(tmp);
}

static bool has_dense(const Compilation *c, const Solution *of)
{
    Arena *tmp = arena_new();
    const bool *is_acceleration = find_accelerations(c->sys, tmp);
    bool found = false;
    for (uint32_t k = 0; k < of->n_reports && !found; k++)
        found = is_dense(&of->report[k], is_acceleration);
    arena_free(tmp);
    return found;
}

static bool is_lost(const Compilation *c, const Solution *along_ladder)
{
    for (uint32_t k = 0; k < along_ladder->n_reports; k++)
        if (is_wide(&along_ladder->report[k].spread))
            return is_dear(c->sys, along_ladder);
    return has_dense(c, along_ladder);
}

void order_warning_ahead(Compilation *c, const Orders *ladder, const Solution *s)
{
    if (!is_dear(c->sys, s) && !has_dense(c, s))
        return;
    System *given = c->sys;
    Dae kept = c->dae;
    Arena *tmp = arena_new();
    System *view = system_view(given);
    view->memory = given->memory;
    for (uint32_t k = 0; k < given->eq.n; k++)
        system_add_eq(view, given->eq.at[k]);
    view->diags = diags_new(tmp);
    c->sys = c->dae.sys = c->dae.blt.sys = view;
    OrderPolicy policy = {.too_long = TOO_LONG_NUMERIC, .budget = 1};
    Orders all = ordering_of(&policy);
    Solution moved;
    bool is_sorted = !frames_apply_believed(&c->dae, tmp) || equations_sort_again(&c->dae, tmp);
    if (is_sorted && solve(&c->dae.blt, ladder, &moved, tmp) && is_lost(c, &moved) &&
        solve(&c->dae.blt, &all, &moved, tmp))
        order_warning(c, &moved);
    c->sys = given;
    c->dae = kept;
    system_view_free(view);
    arena_free(tmp);
}
