/* Variables that are sums of states times factors that do not vary, y = x/C + R*i: the error of a
 * state that changes y by its nominal value. Likewise the angles of which sines are taken,
 * sin(p*phi
 * - psi): the change of a state by which they make half a turn. */
#include "base/hash.h"
#include "emit/model/linear_terms.h"
#include "emit/model/model.h"

#include <math.h>

static const double HALF_TURN = 3.141592653589793;

/* What moves by `unit`, and where to: *size per state, with parameters as they are given; NULL: to
 * m->scale. */
typedef struct Scaled {
    Model *m;
    double unit, *size;
    bool is_turn;
} Scaled;

/* The value of a number or an independent parameter; NAN for other expressions. */
static double given_value(const Model *m, ExprId x)
{
    const ExprPool *p = m->sys->pool;
    double value;
    if (expr_constant(p, x, &value))
        return value;
    if (expr_op(p, x) != OP_VAR)
        return NAN;
    uint32_t v = expr_var_of(p, x).i;
    return m->leaf[v] == LEAF_PARAMETER && !expr_exists(m->binding[v]) ? m->fallback[v] : NAN;
}

static void note(const Scaled *it, VarId v, const Factor *f)
{
    Model *m = it->m;
    if (m->leaf[v.i] != LEAF_STATE || (!it->is_turn && model_has_nominal(m, v)))
        return;
    double number = it->unit / fabs(f->number);
    if (!isfinite(number) || number <= 0 || (!it->is_turn && !expr_exists(f->c) && number >= 1))
        return;
    if (it->size) {
        double c = expr_exists(f->c) ? fabs(given_value(m, f->c)) : 1;
        double by = f->is_divisor ? number * c : number / c, *size = &it->size[m->leaf_index[v.i]];
        *size = by > 0 && isfinite(by) ? fmin(*size, by) : *size;
        return;
    }
    uint32_t c = expr_exists(f->c) ? coder_constant(m->code, f->c) : RUNG_NONE;
    StateScale scale = {m->leaf_index[v.i], c, f->is_divisor, it->is_turn, number};
    vec_push(m->mem, m->scale, scale);
}

static void note_all(const Scaled *it, ExprId x)
{
    LinearTerms sum;
    linear_terms_begin(&sum, it->m->sys->pool);
    linear_terms_add(&sum, x, (Factor){1, EXPR_NONE, false});
    for (uint32_t k = 0; k < sum.n; k++)
        if (expr_exists(sum.term[k].leaf) && expr_op(sum.p, sum.term[k].leaf) == OP_VAR)
            note(it, expr_var_of(sum.p, sum.term[k].leaf), &sum.term[k].factor);
}

/* The angles of all sines, cosines and tangents in the derivatives, the variables and the equations
 * that are solved at run time. */
static void find_turns(Model *m, double *turn)
{
    const Program *g = m->g;
    const ExprPool *p = m->sys->pool;
    Arena *scratch = arena_new();
    uint32_t n = pool_size(p);
    bool *reached = arena_array(scratch, bool, n + 1), *is_seen = arena_array(scratch, bool, n + 1);
    program_reach(p, g->n_states, g->derivative, reached);
    for (uint32_t k = 0; k < g->n_blocks; k++)
        program_reach(p, g->block[k].n, g->block[k].residual, reached);
    for (uint32_t k = 0; k < m->row.n; k++) {
        ExprId x = g->value[m->row.at[k].var.i];
        if (m->row.at[k].place == RUNG_IN_VALUES && expr_exists(x))
            reached[x.i] = true;
    }
    pool_mark_below(p, reached);
    for (uint32_t k = 0; k < n; k++) {
        ExprId x = {k};
        if (!reached[k] || expr_op(p, x) != OP_FN)
            continue;
        Fn f = expr_fn_of(p, x);
        ExprId angle = expr_arg(p, x, 0);
        if ((f != FN_SIN && f != FN_COS && f != FN_TAN) || is_seen[angle.i])
            continue;
        is_seen[angle.i] = true;
        note_all(&(Scaled){m, HALF_TURN, turn, true}, angle);
    }
    arena_free(scratch);
}

void model_find_scales(Model *m)
{
    bool *is_seen = arena_array(m->mem, bool, m->output.n + 1);
    for (uint32_t k = 0; k < m->row.n && !m->is_shadow; k++) {
        const ModelRow *r = &m->row.at[k];
        const Var *v = &m->sys->var.at[r->var.i];
        if (r->place != RUNG_IN_VALUES || is_seen[r->index] || v->type != TYPE_REAL ||
            var_exists(v->der_of))
            continue;
        is_seen[r->index] = true;
        note_all(&(Scaled){m, model_nominal(m, r->var), NULL, false}, m->g->value[r->var.i]);
    }
    if (!m->is_shadow)
        find_turns(m, NULL);
}

/* The largest start value in v's array; 0 for a scalar. */
static double largest_start(const Model *m, VarId v)
{
    const System *s = m->sys;
    const uint32_t group = s->var.at[v.i].group;
    double most = 0, start;
    if (group == GROUP_NONE || s->var.at[v.i].index > v.i)
        return 0;
    for (uint32_t k = v.i - s->var.at[v.i].index; k < s->var.n && s->var.at[k].group == group; k++)
        if (model_attribute(m, s->var.at[k].attr.start, &start))
            most = fmax(most, fabs(start));
    return most;
}

double model_state_size(Model *m, VarId v)
{
    // sin(pi) is a start at zero, 1e-30 is not, but beside 1: Euler parameters as a program writes
    // them
    static const double ROUNDING = 4e-15;
    const ExprId given = m->sys->var.at[v.i].attr.start;
    const bool is_exact = expr_exists(given) && expr_op(m->sys->pool, given) == OP_NUM;
    double start, size = model_nominal(m, v);
    bool counts = !model_has_nominal(m, v) && model_attribute(m, given, &start) &&
                  fabs(start) > ROUNDING * (is_exact ? largest_start(m, v) : 1);
    return counts ? fmin(size, fabs(start)) : size;
}

void model_state_scales(Model *m, double *size)
{
    for (uint32_t k = 0; k < m->g->n_states; k++)
        size[k] = model_state_size(m, m->g->state[k]);
    for (uint32_t k = 0; k < m->sys->var.n; k++) {
        const Var *v = &m->sys->var.at[k];
        if (v->kind != VAR_CONTINUOUS || v->type != TYPE_REAL || var_exists(v->der_of) ||
            v->is_hidden || !expr_exists(m->g->value[k]))
            continue;
        note_all(&(Scaled){m, model_nominal(m, (VarId){k}), size, false}, m->g->value[k]);
    }
}

bool model_state_turns(Model *m, double *turn)
{
    bool any = false;
    for (uint32_t k = 0; k < m->g->n_states; k++)
        turn[k] = INFINITY;
    find_turns(m, turn);
    for (uint32_t k = 0; k < m->g->n_states; k++)
        any = any || isfinite(turn[k]);
    return any;
}

void model_scale_table(Model *m)
{
    uint32_t n = m->scale.n;
    if (!n)
        return;
    uint64_t *token = arena_array(m->mem, uint64_t, n);
    uint32_t *column[4];
    for (int c = 0; c < 4; c++)
        column[c] = arena_array(m->mem, uint32_t, n);
    double *number = arena_array(m->mem, double, n);
    for (uint32_t k = 0; k < n; k++) {
        const StateScale *it = &m->scale.at[k];
        column[0][k] = it->state;
        column[1][k] = it->c;
        column[2][k] = it->is_divisor;
        column[3][k] = it->is_turn;
        number[k] = it->number;
        token[k] = hash_pair(hash_bytes(&it->number, sizeof it->number),
                             (uint64_t)(it->c == RUNG_NONE) << 2 | (uint64_t)it->is_turn << 1 |
                                 it->is_divisor);
    }
    Repeats repeats = table_repeats(n, token, m->mem);
    static const char *const field[] = {"state", "constant", "is_divisor", "is_turn"};
    text_printf(&m->tables, "\nstatic RungStateScale state_scale[%u];\n", n);
    for (int c = 0; c < 4; c++)
        table_numbers(&m->filled,
                      (TableColumn){arena_printf(m->mem, "state_scale->%s", field[c]),
                                    "sizeof *state_scale", n, &repeats},
                      column[c]);
    table_values(&m->filled,
                 (TableColumn){"state_scale->number", "sizeof *state_scale", n, &repeats}, number);
}
