#include "eliminate/prepare/zero_factors.h"

#include "base/map.h"
#include "eliminate/block/sample_points.h"
#include "eliminate/prepare/occurrence.h"

/* ---- factors of zero ---- */

/* Of unknowns: any; the derivative of another one; one that has a derivative. */
typedef enum Mark { IS_ANY, IS_RATE, HAS_RATE, N_MARKS } Mark;

typedef struct Finder {
    System *s;
    Sample sample;
    SamplePoints points;
    bool *mark[N_MARKS];
    Series marked[N_MARKS]; /* of the marks */
    EqId *solved;           /* per variable: its own equation, v = ... */
    bool wants_rates;       /* the equation has derivatives: of its products those count alone */
    bool is_of_all;         /* factors that are not zero, too */
    VEC(ZeroFactor) factor;
    Arena *mem, *tmp;
    Arena *walk; /* of one question, rolled back */
} Finder;

/* Whether x reads a variable that is marked. */
static bool reads(const System *s, ExprId x, const bool *mark, Arena *tmp)
{
    ArenaMark m = arena_mark(tmp);
    VarId *v;
    bool any = unknowns_of(s, mark, x, 0, tmp, &v) > 0;
    arena_rollback(tmp, m);
    return any;
}

/* Whether x reads a variable with the mark. */
static bool holds(Finder *w, ExprId x, Mark mark)
{
    ArenaMark m = arena_mark(w->walk);
    const bool any = series_holds(&w->marked[mark], x, w->walk);
    arena_rollback(w->walk, m);
    return any;
}

/* Whether x reads the unknown v. */
static bool holds_it(Finder *w, ExprId root, VarId v)
{
    const ExprPool *p = w->s->pool;
    ArenaMark m = arena_mark(w->walk);
    Map seen = map_new(w->walk);
    VEC(ExprId) stack = {0};
    bool found = false;
    vec_push(w->walk, stack, root);
    while (stack.n && !found) {
        const ExprId x = stack.at[--stack.n];
        if (!series_holds(&w->marked[IS_ANY], x, w->walk) || !map_add(&seen, x.i))
            continue;
        found = expr_op(p, x) == OP_VAR && expr_var_of(p, x).i == v.i;
        for (uint32_t k = 0; k < expr_n_args(p, x); k++)
            vec_push(w->walk, stack, expr_arg(p, x, k));
    }
    arena_rollback(w->walk, m);
    return found;
}

/* Parameters that these read, those among them that their bindings read, and so on. */
static uint32_t parameters_of(const System *s, uint32_t n, const ExprId *x, Arena *mem, VarId **out)
{
    const ExprPool *p = s->pool;
    Map seen = map_new(mem);
    VEC(ExprId) todo = {0};
    VEC(VarId) found = {0};
    for (uint32_t k = 0; k < n; k++)
        vec_push(mem, todo, x[k]);
    while (todo.n) {
        ExprId y = todo.at[--todo.n];
        if (!map_add(&seen, y.i))
            continue;
        for (uint32_t k = 0; k < expr_n_args(p, y); k++)
            vec_push(mem, todo, expr_arg(p, y, k));
        if (expr_op(p, y) != OP_VAR)
            continue;
        VarId v = expr_var_of(p, y);
        vec_push(mem, found, v);
        if (expr_exists(s->var.at[v.i].binding))
            vec_push(mem, todo, s->var.at[v.i].binding);
    }
    *out = found.at;
    return found.n;
}

/* Of a variable with an equation of its own what that says, else x. */
static ExprId value_of(const Finder *w, ExprId x)
{
    const System *s = w->s;
    const ExprPool *p = s->pool;
    ExprId v = expr_op(p, x) == OP_NEG ? expr_arg(p, x, 0) : x;
    if (expr_op(p, v) != OP_VAR || expr_var_of(p, v).i >= s->var.n ||
        w->solved[expr_var_of(p, v).i].i == EQ_NONE.i)
        return x;
    const Eq *e = &s->eq.at[w->solved[expr_var_of(p, v).i].i];
    return e->lhs.i == v.i ? e->rhs : e->lhs;
}

/* At the start, and at all sample points. */
static bool is_zero(Finder *w, ExprId x)
{
    const System *s = w->s;
    if (sample_value(&w->sample, x) != 0 || sample_start(&w->sample, x) != 0)
        return false;
    bool varies = !expr_is_fixed(s->pool, x);
    Samples at = varies ? sample_points_value(&w->points, x) : (Samples){{0}};
    for (uint32_t k = 0; k < SAMPLE_POINTS; k++)
        if (at.at[k] != 0)
            return false;
    ArenaMark m = arena_mark(w->tmp);
    VarId *v;
    uint32_t n = parameters_of(s, 1, &x, w->tmp, &v);
    bool known = true;
    for (uint32_t k = 0; k < n; k++)
        known = known && s->var.at[v[k].i].attr.fixed != NO;
    arena_rollback(w->tmp, m);
    return known;
}

/* Of a condition that is a matter of parameters: the branch with derivatives has a factor of 1 or
 * 0,
 *
 *     if eddy then k*der(B) else 0    with eddy = false is that without them.
 */
static ExprId look_at_branches(Finder *w, ExprId x)
{
    ExprPool *p = w->s->pool;
    ExprId cond = expr_arg(p, x, 0);
    if (!w->wants_rates || expr_is_num(p, cond) || !expr_is_fixed(p, cond))
        return x;
    for (uint32_t k = 1; k < 3; k++) {
        ExprId factor = expr_select(p, cond, expr_int(p, k == 1), expr_int(p, k == 2));
        if (!holds(w, expr_arg(p, x, k), IS_RATE) || !(w->is_of_all || is_zero(w, factor)))
            continue;
        vec_push(w->mem, w->factor, ((ZeroFactor){factor, factor}));
        if (!w->is_of_all)
            return expr_arg(p, x, 3 - k);
    }
    return x;
}

/* For expr_map: notes the factors, or takes the products of zero out. */
static ExprId look_at_product(void *finder, ExprId x)
{
    Finder *w = finder;
    ExprPool *p = w->s->pool;
    if (expr_op(p, x) == OP_SELECT)
        return look_at_branches(w, x);
    if (expr_op(p, x) != OP_MUL)
        return x;
    for (uint32_t k = 0; k < 2; k++) {
        ExprId factor = expr_arg(p, x, k), of = expr_arg(p, x, 1 - k);
        ExprId value = value_of(w, factor);
        bool varies = !expr_is_fixed(p, value);
        if (expr_is_num(p, factor) || (varies && (w->is_of_all || !w->wants_rates)) ||
            !(w->is_of_all || is_zero(w, value)) ||
            !holds(w, of, w->wants_rates ? IS_RATE : IS_ANY))
            continue;
        vec_push(w->mem, w->factor, ((ZeroFactor){factor, value}));
        return w->is_of_all ? x : expr_int(p, 0);
    }
    return x;
}

/* Notes equation e if it is v = value. */
static void solves(Finder *w, uint32_t e, ExprId v, ExprId value)
{
    const ExprPool *p = w->s->pool;
    if (expr_op(p, v) != OP_VAR || expr_op(p, value) == OP_VAR)
        return;
    VarId id = expr_var_of(p, v);
    if (id.i >= w->s->var.n || !w->mark[IS_ANY][id.i])
        return;
    if (!holds_it(w, value, id))
        w->solved[id.i] = (EqId){e};
}

static Finder *finder_new(System *s, Arena *mem)
{
    Arena *tmp = arena_new();
    Finder *w = arena_make(tmp, Finder);
    *w = (Finder){.s = s, .mem = mem, .tmp = tmp, .walk = arena_new()};
    w->sample = sample_new(s, tmp);
    w->points = sample_points_new(s->pool, &w->sample, w->tmp);
    w->solved = arena_array(w->tmp, EqId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        w->solved[k] = EQ_NONE;
    for (int k = 0; k < N_MARKS; k++) {
        w->mark[k] = arena_array(w->tmp, bool, s->var.n + 1);
        w->marked[k] = series_new(s, w->mark[k], w->tmp);
    }
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        w->mark[IS_ANY][k] = var_is_unknown(v);
        w->mark[IS_RATE][k] = var_is_unknown(v) && var_exists(v->der_of);
        w->mark[HAS_RATE][k] = var_is_unknown(v) && var_exists(v->der);
    }
    for (uint32_t e = 0; e < s->eq.n; e++) {
        solves(w, e, s->eq.at[e].lhs, s->eq.at[e].rhs);
        solves(w, e, s->eq.at[e].rhs, s->eq.at[e].lhs);
    }
    return w;
}

static void finder_free(Finder *w)
{
    arena_free(w->walk);
    arena_free(w->tmp);
}

static bool side_reads(Finder *w, const Eq *e, Mark mark)
{
    return holds(w, e->lhs, mark) || holds(w, e->rhs, mark);
}

/* Of equation e; false where it has no derivatives, nor variables that have one elsewhere. */
static bool look_at_equation(Finder *w, uint32_t e, ZeroFactors *out)
{
    const Eq *eq = &w->s->eq.at[e];
    w->wants_rates = side_reads(w, eq, IS_RATE);
    if (!w->wants_rates && !side_reads(w, eq, HAS_RATE))
        return false;
    Arena *map = arena_new();
    *out = (ZeroFactors){.eq = {e}};
    out->lhs = expr_map(w->s->pool, map, eq->lhs, look_at_product, w);
    out->rhs = expr_map(w->s->pool, map, w->s->eq.at[e].rhs, look_at_product, w);
    arena_free(map);
    return true;
}

void zero_factors_mark(System *s, Arena *tmp)
{
    Finder *w = finder_new(s, tmp);
    w->is_of_all = true;
    ZeroFactors of;
    for (uint32_t e = 0; e < s->eq.n; e++)
        look_at_equation(w, e, &of);
    VarId *v;
    ExprId *x = arena_array(w->tmp, ExprId, w->factor.n + 1);
    for (uint32_t k = 0; k < w->factor.n; k++)
        x[k] = w->factor.at[k].value;
    uint32_t n = parameters_of(s, w->factor.n, x, w->tmp, &v);
    for (uint32_t k = 0; k < n; k++)
        s->var.at[v[k].i].scales_rates = true;
    finder_free(w);
}

ZeroFactorsList zero_factors_find(System *s, uint32_t n, Arena *mem)
{
    Finder *w = finder_new(s, mem);
    VEC(ZeroFactors) found = {0};
    for (uint32_t e = 0; e < n; e++) {
        ZeroFactors it;
        memset(&w->factor, 0, sizeof w->factor);
        if (!look_at_equation(w, e, &it) || w->factor.n == 0)
            continue;
        it.factor = w->factor.at;
        it.n = w->factor.n;
        vec_push(mem, found, it);
    }
    finder_free(w);
    return (ZeroFactorsList){found.n, found.at};
}

/* ---- equations that lose their unknown ---- */

/* The unknown of equation e that the last derivative of e determines some derivative of. */
static VarId determined_by(const Dae *d, EqId e)
{
    const Pantelides *p = &d->pantelides;
    uint32_t last = e.i, order = 0;
    for (; p->eq_der[last] != INC_NONE; order++)
        last = p->eq_der[last];
    uint32_t column = p->var_of[last];
    for (; column != INC_NONE && order > 0; order--)
        column = p->der_of[column];
    return column == INC_NONE ? VAR_NONE : d->structure.var[column];
}

ZeroFactorsList zero_factors_that_determine(const Dae *d, const ZeroFactorsList *all, Arena *mem)
{
    const System *s = d->sys;
    Arena *tmp = arena_new();
    bool *is_it = arena_array(tmp, bool, s->var.n + 1);
    VEC(ZeroFactors) found = {0};
    for (uint32_t k = 0; k < all->n; k++) {
        const ZeroFactors *it = &all->at[k];
        VarId v = determined_by(d, it->eq);
        if (!var_exists(v))
            continue;
        is_it[v.i] = true;
        if (!reads(s, it->lhs, is_it, tmp) && !reads(s, it->rhs, is_it, tmp))
            vec_push(mem, found, *it);
        is_it[v.i] = false;
    }
    arena_free(tmp);
    return (ZeroFactorsList){found.n, found.at};
}

/* ---- a System without its products of zero ---- */

/* Removes an unused derivative of v; index reduction may add one again. The VarId stays, as that of
 * a constant. */
static void drop_rate(System *s, VarId rate)
{
    Var *v = &s->var.at[rate.i];
    s->var.at[v->der_of.i].der = VAR_NONE;
    Var unused = var_plain(name_printf(s->names, "unused %u", rate.i));
    unused.kind = VAR_CONSTANT;
    unused.binding = expr_int(s->pool, 0);
    unused.is_hidden = true;
    unused.span = v->span;
    *v = unused;
}

/* The factor is another number where the parameter is. */
static bool moves(const System *s, ExprId factor, VarId parameter, Arena *tmp)
{
    ArenaMark m = arena_mark(tmp);
    Sample but = sample_but(s, parameter, tmp);
    bool other = sample_value(&but, factor) != 0;
    arena_rollback(tmp, m);
    return other;
}

static bool is_parameter(const System *s, VarId v)
{
    return s->var.at[v.i].kind == VAR_PARAMETER && s->var.at[v.i].type != TYPE_STRING;
}

static bool is_number(const System *s, VarId v)
{
    ExprId x = s->var.at[v.i].binding;
    return expr_exists(x) && expr_is_num(s->pool, x);
}

/* Parameters that make the factors zero: of each those that do so alone, else all that are zero. */
static void mark_causes(const System *s, const ZeroFactorsList *list, bool *is_cause, Arena *tmp)
{
    Map seen = map_new(tmp);
    Sample here = sample_new(s, tmp);
    for (uint32_t k = 0; k < list->n; k++)
        for (uint32_t i = 0; i < list->at[k].n; i++) {
            ZeroFactor factor = list->at[k].factor[i];
            if (!map_add(&seen, factor.x.i))
                continue;
            VarId *v;
            uint32_t n = parameters_of(s, 1, &factor.value, tmp, &v), n_alone = 0;
            for (uint32_t j = 0; j < n; j++) {
                bool is_it = is_parameter(s, v[j]) && moves(s, factor.value, v[j], tmp);
                is_cause[v[j].i] = is_cause[v[j].i] || is_it;
                n_alone += is_it;
            }
            for (uint32_t j = 0; j < n && n_alone == 0; j++)
                if (is_parameter(s, v[j]))
                    is_cause[v[j].i] =
                        sample_value(&here, expr_of_var(s->pool, v[j])) == 0 || is_cause[v[j].i];
        }
}

/* The numbers that these parameters are bound to. */
static Substitution values_of(const System *s, const bool *is_cause, Arena *mem)
{
    ExprId *value = arena_array(mem, ExprId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        value[k] = is_cause[k] && is_number(s, (VarId){k}) ? s->var.at[k].binding : EXPR_NONE;
    return (Substitution){.value = value, .n = s->var.n, .mem = mem};
}

void zero_factors_drop_rates(Dae *d)
{
    System *s = d->sys;
    if (d->loops.n_loops > 0 || d->sensitivities)
        return;
    Arena *tmp = arena_new();
    const bool *occurs = occurrence_find(d, NULL, tmp);
    bool *goes = arena_array(tmp, bool, s->var.n + 1);
    for (uint32_t k = s->var.n; k-- > 0;) {
        const Var *v = &s->var.at[k];
        bool is_alias = k < d->aliases.n && expr_exists(d->aliases.value[k]);
        goes[k] = v->kind == VAR_CONTINUOUS && var_exists(v->der_of) &&
                  (!var_exists(v->der) || goes[v->der.i]) && !occurs[k] && !is_alias;
    }
    for (uint32_t k = 0; k < d->aliases.n && k < s->var.n; k++)
        if (var_exists(s->var.at[k].der_of) && expr_exists(d->aliases.value[k]) &&
            reads(s, d->aliases.value[k], goes, tmp)) {
            d->aliases.value[k] = EXPR_NONE;
            goes[k] = true;
        }
    for (uint32_t k = s->var.n; k-- > 0;)
        if (goes[k])
            drop_rate(s, (VarId){k});
    arena_free(tmp);
}

void zero_factors_put_in(Dae *d, const ZeroFactorsList *list)
{
    System *s = d->sys;
    Arena *tmp = arena_new();
    for (uint32_t k = 0; k < list->n; k++) {
        Eq *e = &s->eq.at[list->at[k].eq.i];
        e->lhs = list->at[k].lhs;
        e->rhs = list->at[k].rhs;
    }
    bool *is_cause = arena_array(tmp, bool, s->var.n + 1);
    mark_causes(s, list, is_cause, tmp);
    Substitution values = values_of(s, is_cause, tmp);
    for (uint32_t k = 0; k < s->eq.n; k++) {
        Eq *e = &s->eq.at[k];
        e->lhs = expr_substitute(s->pool, &values, e->lhs);
        e->rhs = expr_substitute(s->pool, &values, e->rhs);
    }
    arena_free(tmp);
    zero_factors_drop_rates(d);
}

/* What is no number stays, and a run ends where it is not zero. */
static void take_for_zero(System *s, ExprId x, Span span, Arena *tmp)
{
    ExprPool *p = s->pool;
    Sample here = sample_new(s, tmp);
    VarId *v;
    const char *name = NULL;
    bool *all = arena_array(tmp, bool, s->var.n + 1);
    memset(all, true, s->var.n * sizeof *all);
    uint32_t n = unknowns_of(s, all, x, UINT32_MAX - 1, tmp, &v);
    for (uint32_t k = 0; k < n; k++) {
        Var *it = &s->var.at[v[k].i];
        if (n > 1 && sample_value(&here, expr_of_var(p, v[k])) != 0)
            continue;
        it->is_taken_for_zero = true;
        name = name ? name : it->name.s;
    }
    Assertion a = {.cond = expr_compare(p, OP_EQ, x, expr_int(p, 0)), .span = span};
    a.message = expr_string(
        p, name_printf(s->names,
                       "a factor of derivatives%s%s%s was taken for zero when the model was "
                       "translated, and is another number now",
                       name ? ", '" : "", name ? name : "", name ? "'," : ""));
    vec_push(s->mem, s->assertion, a);
}

void zero_factors_settle(Dae *d, const ZeroFactorsList *list, Arena *tmp)
{
    System *s = d->sys;
    ExprPool *p = s->pool;
    bool *is_cause = arena_array(tmp, bool, s->var.n + 1);
    mark_causes(s, list, is_cause, tmp);
    Substitution values = values_of(s, is_cause, tmp);
    for (uint32_t k = 0; k < s->var.n; k++) {
        s->var.at[k].is_final = s->var.at[k].is_final || is_cause[k];
        s->var.at[k].is_settled = s->var.at[k].is_settled || expr_exists(values.value[k]);
    }
    dae_substitute(d, &values);
    Map seen = map_new(tmp);
    for (uint32_t k = 0; k < list->n; k++)
        for (uint32_t i = 0; i < list->at[k].n; i++) {
            ExprId x = expr_substitute(p, &values, list->at[k].factor[i].x);
            if (map_add(&seen, x.i) && expr_is_zero(p, x) != YES)
                take_for_zero(s, x, s->eq.at[list->at[k].eq.i].span, tmp);
        }
}
