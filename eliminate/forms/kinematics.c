#include "eliminate/forms/kinematics.h"

#include "eliminate/block/linear_form.h"
#include "eliminate/prepare/differentiate.h"

#include <string.h>

/* The contents of an equation. */
typedef struct Content {
    uint32_t n;
    VarId *var;     /* unknowns of the System, derivatives among them */
    bool is_chosen; /* holds parameters or time */
    bool is_alias;  /* states that two variables are equal, or opposite */
} Content;

typedef struct Search {
    Kinematics *k;
    System *s;
    Arena *mem;
    ExprId *residual;  /* per equation */
    Content *content;  /* likewise */
    bool *is_flow;     /* per root: it or its like is a flow variable */
    bool *has_der;     /* per root: it or its like is differentiated */
    bool *is_velocity; /* per root */
    bool *is_rate;     /* per root: v in v = der(x), where x may be a coordinate */
    bool *unknown;     /* per variable, for linear forms; all false in between */
} Search;

/* ---- variables that are equal or opposite ---- */

static uint32_t root_of(const Kinematics *k, uint32_t v, bool *negated)
{
    while (k->root[v] != v) {
        *negated ^= k->is_negated[v];
        v = k->root[v];
    }
    return v;
}

/* The variable that x is, or is the negative of; VAR_NONE if it is neither. */
static VarId variable_in(const System *s, ExprId x, bool *negated)
{
    if (expr_op(s->pool, x) == OP_NEG) {
        *negated ^= true;
        x = expr_arg(s->pool, x, 0);
    }
    if (expr_op(s->pool, x) != OP_VAR)
        return VAR_NONE;
    VarId v = expr_var_of(s->pool, x);
    const Var *var = &s->var.at[v.i];
    return var->kind == VAR_CONTINUOUS && !var_exists(var->der_of) ? v : VAR_NONE;
}

/* Joins the classes of an equation a = +-b; false if it has another form. */
static bool join(Kinematics *k, const Eq *e)
{
    bool negated = false;
    VarId a = variable_in(k->s, e->lhs, &negated), b = variable_in(k->s, e->rhs, &negated);
    if (!var_exists(a) || !var_exists(b))
        return false;
    uint32_t p = root_of(k, a.i, &negated), q = root_of(k, b.i, &negated);
    if (p == q)
        return !negated;
    // the one declared first stands for both
    uint32_t root = p < q ? p : q, other = p < q ? q : p;
    k->root[other] = root;
    k->is_negated[other] = negated;
    return true;
}

static void flatten_roots(Kinematics *k)
{
    for (uint32_t v = 0; v < k->n_vars; v++) {
        bool negated = false;
        uint32_t root = root_of(k, v, &negated);
        k->root[v] = root;
        k->is_negated[v] = negated;
    }
}

/* ---- contents of equations ---- */

static bool is_free_parameter(const System *s, ExprId x, const bool *parameter, Arena *mem)
{
    VarId *found;
    ArenaMark m = arena_mark(mem);
    uint32_t n = unknowns_of(s, parameter, x, 0, mem, &found);
    arena_rollback(mem, m);
    return n > 0;
}

static void read_equations(Search *w, Arena *scratch)
{
    System *s = w->s;
    bool *parameter = arena_array(w->mem, bool, s->var.n + 1);
    bool *unknown = arena_array(w->mem, bool, s->var.n + 1);
    for (uint32_t v = 0; v < s->var.n; v++) {
        VarKind kind = s->var.at[v].kind;
        parameter[v] = kind == VAR_PARAMETER || kind == VAR_INPUT;
        unknown[v] = kind == VAR_CONTINUOUS && s->var.at[v].type == TYPE_REAL;
    }
    bool *closes = arena_array(scratch, bool, s->eq.n + 1); /* a loop: a constraint, no name */
    for (uint32_t k = 0; k < s->cut.n; k++)
        for (uint32_t i = 0; i < s->cut.at[k].eq.n; i++)
            closes[s->cut.at[k].eq.at[i].i] = true;
    for (uint32_t e = 0; e < s->eq.n; e++) {
        Content *c = &w->content[e];
        c->is_alias = !closes[e] && join(w->k, &s->eq.at[e]);
        if (c->is_alias)
            continue;
        ExprId l = expand_calls(s, NULL, s->eq.at[e].lhs);
        ExprId r = expand_calls(s, NULL, s->eq.at[e].rhs);
        w->residual[e] = expr_sub(s->pool, l, r);
        VarId *found;
        ArenaMark m = arena_mark(scratch);
        uint32_t n = unknowns_of(s, unknown, w->residual[e], UINT32_MAX - 1, scratch, &found);
        c->var = arena_array(w->mem, VarId, n + 1);
        c->n = n;
        if (n)
            memcpy(c->var, found, n * sizeof *found);
        arena_rollback(scratch, m);
        bool has_der = false;
        for (uint32_t k = 0; k < n; k++)
            has_der = has_der || var_exists(s->var.at[c->var[k].i].der_of);
        if (has_der)
            c->is_chosen = is_free_parameter(s, w->residual[e], parameter, scratch);
    }
    flatten_roots(w->k);
    for (uint32_t v = 0; v < w->k->n_vars; v++) {
        w->is_flow[w->k->root[v]] |= s->var.at[v].is_flow;
        w->has_der[w->k->root[v]] |= var_exists(s->var.at[v].der);
    }
}

/* ---- coordinates and velocities ---- */

/* Lengths, angles, pure numbers; a variable without unit may be any of these. */
static bool may_be_coordinate(const Var *v)
{
    static const char *const unit[] = {"m", "rad", "1", "deg", "mm", "cm", "km", ""};
    if (!v->attr.unit.s)
        return true;
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++)
        if (strcmp(v->attr.unit.s, unit[k]) == 0)
            return true;
    return false;
}

/* The two sides of equation e if it is w = der(x): roots; false if not. */
static bool is_rate_equation(const Search *w, uint32_t e, uint32_t *x, uint32_t *velocity)
{
    const Eq *q = &w->s->eq.at[e];
    VarId of[2];
    for (int side = 0; side < 2; side++) {
        ExprId y = side ? q->rhs : q->lhs;
        if (expr_op(w->s->pool, y) == OP_NEG)
            y = expr_arg(w->s->pool, y, 0);
        if (expr_op(w->s->pool, y) != OP_VAR)
            return false;
        of[side] = expr_var_of(w->s->pool, y);
    }
    for (int side = 0; side < 2; side++) {
        VarId d = w->s->var.at[of[side].i].der_of;
        const Var *other = &w->s->var.at[of[1 - side].i];
        if (!var_exists(d) || other->kind != VAR_CONTINUOUS || var_exists(other->der_of))
            continue;
        *x = w->k->root[d.i];
        *velocity = w->k->root[of[1 - side].i];
        return may_be_coordinate(&w->s->var.at[d.i]);
    }
    return false;
}

/* The derivative of which something that is not marked as unknown is; linear without a rest. */
static bool is_homogeneous(const Search *w, uint32_t e, Arena *scratch)
{
    ArenaMark m = arena_mark(scratch);
    Substitution none = {0};
    LinearForm f = linear_form(w->s, w->unknown, &none, w->residual[e], scratch);
    bool ok = f.is_linear && f.n > 0 && expr_is_zero(w->s->pool, f.rest) == YES;
    arena_rollback(scratch, m);
    return ok;
}

/* w = der(x): where w is differentiated and no coordinate itself, or der(der(x)) is there. */
static void find_plain_coordinates(Search *w)
{
    Kinematics *k = w->k;
    System *s = w->s;
    /* of chains der(z) = x, der(x) = v the end: x is a coordinate, z is integrated from it */
    bool *is_integrated = arena_array(w->mem, bool, k->n_vars + 1);
    uint32_t x, v;
    for (uint32_t e = 0; e < s->eq.n; e++)
        if (!w->content[e].is_alias && is_rate_equation(w, e, &x, &v) && w->has_der[v])
            is_integrated[x] = true;
    for (uint32_t e = 0; e < s->eq.n; e++) {
        if (w->content[e].is_alias || !is_rate_equation(w, e, &x, &v) || !w->has_der[v] ||
            is_integrated[v] || w->is_velocity[x])
            continue;
        k->is_coordinate[x] = true;
        w->is_velocity[v] = true;
    }
    for (uint32_t q = 0; q < k->n_vars; q++) {
        VarId d = s->var.at[q].der;
        if (var_exists(d) && var_exists(s->var.at[d.i].der) && may_be_coordinate(&s->var.at[q]))
            k->is_coordinate[k->root[q]] = true;
    }
}

/* Whether equation e gives derivatives of possible coordinates, linear in velocities: of
 * coordinates found so far with any factors, else (Euler parameters) with numbers and coordinates
 * as factors. */
static bool gives_rates(Search *w, uint32_t e, Arena *scratch)
{
    const Content *c = &w->content[e];
    const System *s = w->s;
    const Kinematics *k = w->k;
    bool known = true, any = false, ok = true, rates = false;
    for (uint32_t i = 0; i < c->n; i++) {
        VarId of = s->var.at[c->var[i].i].der_of;
        w->unknown[c->var[i].i] = var_exists(of);
        rates = rates || var_exists(of);
        ok = ok && !(var_exists(of) &&
                     (var_exists(s->var.at[of.i].der_of) || !may_be_coordinate(&s->var.at[of.i]) ||
                      w->is_velocity[k->root[of.i]]));
    }
    for (uint32_t i = 0; i < c->n && ok; i++) {
        uint32_t v = c->var[i].i, root = v < k->n_vars ? k->root[v] : v;
        if (w->unknown[v])
            continue;
        ok = !w->is_flow[root];
        bool own = false; // its derivative, or its array's, stands in the equation, too
        for (uint32_t j = 0; j < c->n; j++) {
            VarId of = s->var.at[c->var[j].i].der_of;
            uint32_t group = s->var.at[v].group;
            own = own ||
                  (var_exists(of) && (k->root[of.i] == root ||
                                      (group != GROUP_NONE && s->var.at[of.i].group == group)));
        }
        bool is_place = s->var.at[v].attr.unit.s && may_be_coordinate(&s->var.at[v]);
        if (own || is_place || k->is_coordinate[root] ||
            !(w->is_velocity[root] || w->has_der[root]))
            continue;
        w->unknown[v] = any = true;
        known = known && w->is_velocity[root];
    }
    ok = ok && rates && any && (known || !c->is_chosen) && is_homogeneous(w, e, scratch);
    for (uint32_t i = 0; ok && i < c->n; i++) {
        uint32_t v = c->var[i].i;
        VarId of = s->var.at[v].der_of;
        if (var_exists(of))
            w->k->is_coordinate[k->root[of.i]] = true;
        else if (w->unknown[v])
            w->is_velocity[k->root[v]] = true;
    }
    for (uint32_t i = 0; i < c->n; i++)
        w->unknown[c->var[i].i] = false;
    return ok;
}

/* Whether equation e, without derivatives, is linear in velocities and in possible velocities, such
 * as the v of v = der(x) or a differentiated variable: R.w = J(angles) v. Then all of these are. */
static bool gives_velocity(Search *w, uint32_t e, Arena *scratch)
{
    const Content *c = &w->content[e];
    const Kinematics *k = w->k;
    bool known = false, open = false, ok = true;
    ExprId l = w->s->eq.at[e].lhs;
    /* v = r w cos(psi) gives the v on its left whatever that is */
    uint32_t left = expr_op(w->s->pool, l) == OP_VAR ? expr_var_of(w->s->pool, l).i : UINT32_MAX;
    for (uint32_t i = 0; i < c->n && ok; i++) {
        uint32_t v = c->var[i].i, root = k->root[v];
        const Var *var = &w->s->var.at[v];
        bool may_be = !k->is_coordinate[root] && !(var->attr.unit.s && may_be_coordinate(var));
        ok = !w->is_flow[root];
        w->unknown[v] =
            w->is_velocity[root] || (may_be && (w->has_der[root] || w->is_rate[root] || v == left));
        known = known || w->is_velocity[root] || (w->unknown[v] && w->has_der[root]);
        open = open || (w->unknown[v] && !w->is_velocity[root] && (w->is_rate[root] || v == left));
    }
    ok = ok && known && open && is_homogeneous(w, e, scratch);
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t v = c->var[i].i;
        if (ok && w->unknown[v])
            w->is_velocity[k->root[v]] = true;
        w->unknown[v] = false;
    }
    return ok;
}

/* The other coordinates and velocities, from those known, until none is found any more. */
static void find_other_coordinates(Search *w, Arena *scratch)
{
    const System *s = w->s;
    VEC(uint32_t) with_rate = {0}, plain = {0};
    VarId *algebraic = arena_array(w->mem, VarId, s->eq.n + 1); /* v in v = der(x) */
    bool any_open = false;
    for (uint32_t e = 0; e < s->eq.n; e++) {
        const Content *c = &w->content[e];
        uint32_t x, v;
        algebraic[e] = VAR_NONE;
        if (c->is_alias)
            continue;
        bool rate = false, open = false;
        for (uint32_t i = 0; i < c->n; i++) {
            VarId of = s->var.at[c->var[i].i].der_of;
            rate = rate || var_exists(of);
            open = open || (var_exists(of) && !w->k->is_coordinate[w->k->root[of.i]] &&
                            !w->is_velocity[w->k->root[of.i]]);
        }
        if (open)
            vec_push(w->mem, with_rate, e);
        else if (!rate)
            vec_push(w->mem, plain, e);
        if (open && is_rate_equation(w, e, &x, &v) && !w->has_der[v]) {
            algebraic[e] = (VarId){v};
            w->is_rate[v] = true;
            any_open = true;
        }
    }
    for (bool found = true; found;) {
        found = false;
        for (uint32_t i = 0; i < with_rate.n; i++) {
            uint32_t e = with_rate.at[i], x, v;
            if (e == UINT32_MAX)
                continue;
            bool now = gives_rates(w, e, scratch);
            if (!now && var_exists(algebraic[e]) && w->is_velocity[algebraic[e].i] &&
                is_rate_equation(w, e, &x, &v) && !w->is_velocity[x])
                now = w->k->is_coordinate[x] = true;
            if (now)
                with_rate.at[i] = UINT32_MAX;
            found = found || now;
        }
        for (uint32_t i = 0; any_open && i < plain.n; i++) {
            if (plain.at[i] == UINT32_MAX || !gives_velocity(w, plain.at[i], scratch))
                continue;
            plain.at[i] = UINT32_MAX;
            found = true;
        }
    }
}

static void list_coordinates(Search *w)
{
    Kinematics *k = w->k;
    uint32_t *place = arena_array(w->mem, uint32_t, k->n_vars + 1);
    k->coordinate = arena_array(w->mem, VarId, k->n_vars + 1);
    k->priority = arena_array(w->mem, StateSelect, k->n_vars + 1);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t v = 0; v < k->n_vars; v++) {
            const Var *var = &w->s->var.at[v];
            uint32_t root = k->root[v];
            if (!k->is_coordinate[root] || (pass == 0 && !var_exists(var->der)))
                continue;
            /* named after the differentiated variable, unless another of its class is preferred as
             * a state */
            if (!place[root]) {
                k->coordinate[k->n_coordinates] = (VarId){v};
                k->priority[k->n_coordinates] = var->attr.select;
                place[root] = ++k->n_coordinates;
            } else if (var->attr.select > k->priority[place[root] - 1] &&
                       (pass == 0 || var->attr.select > STATE_DEFAULT)) {
                k->coordinate[place[root] - 1] = (VarId){v};
                k->priority[place[root] - 1] = var->attr.select;
            }
        }
}

/* ---- rows ---- */

/* Whether equation e restricts motions. */
static bool is_kinematic(const Search *w, uint32_t e, bool *is_velocity)
{
    const Content *c = &w->content[e];
    *is_velocity = false;
    for (uint32_t i = 0; i < c->n; i++) {
        VarId of = w->s->var.at[c->var[i].i].der_of;
        uint32_t v = var_exists(of) ? of.i : c->var[i].i;
        if (v >= w->k->n_vars || w->is_flow[w->k->root[v]])
            return false;
        if (var_exists(of) && !w->k->is_coordinate[w->k->root[v]])
            return false;
        *is_velocity = *is_velocity || var_exists(of);
    }
    return c->n > 0;
}

static void find_rows(Search *w, Arena *scratch)
{
    System *s = w->s;
    Kinematics *k = w->k;
    uint32_t n_eqs = s->eq.n;
    Differentiator d = differentiator_time(s, w->mem);
    ExprId *differential = arena_array(w->mem, ExprId, n_eqs + 1);
    for (uint32_t e = 0; e < n_eqs; e++) {
        bool is_velocity;
        differential[e] = EXPR_NONE;
        if (w->content[e].is_alias || !is_kinematic(w, e, &is_velocity))
            continue;
        differential[e] = differentiate(&d, w->residual[e]);
        if (!expr_exists(differential[e]) && k->n_open++ == 0)
            k->open = (EqId){e};
    }
    bool *unknown = arena_array(w->mem, bool, s->var.n + 1);
    for (uint32_t v = 0; v < s->var.n; v++)
        unknown[v] = var_exists(s->var.at[v].der_of);
    /* derivatives that the equations hold themselves are factors here, unless they are of
     * coordinates, whose own derivative is of second order */
    for (uint32_t e = 0; e < n_eqs; e++) {
        bool is_velocity;
        if (!expr_exists(differential[e]))
            continue;
        is_kinematic(w, e, &is_velocity);
        for (uint32_t i = 0; is_velocity && i < w->content[e].n; i++)
            if (var_exists(s->var.at[w->content[e].var[i].i].der_of))
                unknown[w->content[e].var[i].i] = false;
        ArenaMark m = arena_mark(scratch);
        Substitution none = {0};
        LinearForm f = linear_form(s, unknown, &none, differential[e], scratch);
        KinematicRow row = {
            .eq = {e}, .first = k->entry.n, .is_velocity = is_velocity, .residual = w->residual[e]};
        for (uint32_t i = 0; i < f.n; i++) {
            VarId of = s->var.at[f.var[i].i].der_of, below = s->var.at[of.i].der_of;
            bool is_rate = var_exists(below);
            VarId v = is_rate ? below : of;
            uint32_t root = k->root[v.i];
            ExprId coeff = f.coeff[i];
            if (k->is_negated[v.i])
                coeff = expr_neg(s->pool, coeff);
            KinematicEntry entry = {{root}, is_rate, coeff};
            vec_push(w->mem, k->entry, entry);
        }
        row.n = k->entry.n - row.first;
        vec_push(w->mem, k->row, row);
        arena_rollback(scratch, m);
        for (uint32_t i = 0; i < w->content[e].n; i++) {
            uint32_t v = w->content[e].var[i].i;
            unknown[v] = var_exists(s->var.at[v].der_of);
        }
    }
}

void kinematics_find(System *s, Kinematics *out, Arena *mem)
{
    uint32_t n = s->var.n;
    *out = (Kinematics){.s = s,
                        .n_vars = n,
                        .root = arena_array(mem, uint32_t, n + 1),
                        .is_negated = arena_array(mem, bool, n + 1),
                        .is_coordinate = arena_array(mem, bool, n + 1)};
    for (uint32_t v = 0; v < n; v++)
        out->root[v] = v;
    Search w = {.k = out,
                .s = s,
                .mem = mem,
                .residual = arena_array(mem, ExprId, s->eq.n + 1),
                .content = arena_array(mem, Content, s->eq.n + 1),
                .is_flow = arena_array(mem, bool, n + 1),
                .has_der = arena_array(mem, bool, n + 1),
                .is_velocity = arena_array(mem, bool, n + 1),
                .is_rate = arena_array(mem, bool, n + 1),
                .unknown = arena_array(mem, bool, n + 1)};
    Arena *scratch = arena_new();
    read_equations(&w, scratch);
    find_plain_coordinates(&w);
    find_other_coordinates(&w, scratch);
    list_coordinates(&w);
    if (out->n_coordinates)
        find_rows(&w, scratch);
    arena_free(scratch);
}
