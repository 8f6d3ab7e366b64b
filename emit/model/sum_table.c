/* Variables that are sums of states, time and constants, y = c*(x1 - x2 - L), and the derivatives
 * of these that are sums as well: methods with one estimated error per state estimate theirs by it.
 */
#include "base/hash.h"
#include "emit/model/linear_terms.h"
#include "emit/model/model.h"

static void push(Model *m, const LinearTerm *t, bool begins, double nominal)
{
    const ExprPool *p = m->sys->pool;
    const bool is_time = expr_exists(t->leaf) && expr_op(p, t->leaf) == OP_TIME;
    const bool is_state = expr_exists(t->leaf) && !is_time;
    const Factor *f = &t->factor;
    SumTerm it = {.state = is_state ? m->leaf_index[expr_var_of(p, t->leaf).i] : RUNG_NONE,
                  .c = expr_exists(f->c) ? coder_constant(m->code, f->c) : RUNG_NONE,
                  .is_time = is_time,
                  .is_divisor = f->is_divisor,
                  .begins = begins,
                  .number = f->number,
                  .nominal = nominal};
    vec_push(m->mem, m->sum, it);
}

/* The state that the derivative of a state is; VAR_NONE: it is none. */
static VarId velocity_of(const Model *m, uint32_t state)
{
    ExprId rate = m->g->derivative[state];
    if (expr_op(m->sys->pool, rate) != OP_VAR)
        return VAR_NONE;
    VarId v = expr_var_of(m->sys->pool, rate);
    return m->leaf[v.i] == LEAF_STATE ? v : VAR_NONE;
}

/* Per state: a position, whose derivative is a state, or such a velocity. Not of derivatives by
 * parameters, whose errors are not controlled. */
static bool *find_motions(const Model *m)
{
    const Sensitivity *s = m->g->sensitivity;
    bool *is_motion = arena_array(m->mem, bool, m->g->n_states + 1);
    uint32_t n_own = m->g->n_states / (s ? s->n_directions + 1 : 1);
    for (uint32_t k = 0; k < n_own; k++) {
        VarId v = velocity_of(m, k);
        if (!var_exists(v))
            continue;
        is_motion[k] = is_motion[m->leaf_index[v.i]] = true;
    }
    return is_motion;
}

/* Whether y may be much smaller than its terms: at least two, of positions and velocities, which
 * grow without bounds, but for time and constants. is_motion NULL: its states are known as such. */
static bool is_sum(const Model *m, const bool *is_motion, const LinearTerms *y)
{
    uint32_t n_states = 0;
    for (uint32_t k = 0; k < y->n; k++) {
        ExprId x = y->term[k].leaf;
        if (!expr_exists(x) || expr_op(y->p, x) == OP_TIME)
            continue;
        uint32_t v = expr_var_of(y->p, x).i;
        if (m->leaf[v] != LEAF_STATE || (is_motion && !is_motion[m->leaf_index[v]]))
            return false;
        n_states++;
    }
    return y->is_whole && n_states > 0 && y->n > 1;
}

/* The derivative of y, a sum of positions. */
static void derivative_of(const Model *m, const LinearTerms *y, LinearTerms *to)
{
    linear_terms_begin(to, y->p);
    for (uint32_t k = 0; k < y->n && to->is_whole; k++) {
        const LinearTerm *t = &y->term[k];
        if (!expr_exists(t->leaf))
            continue;
        if (expr_op(y->p, t->leaf) == OP_TIME) {
            linear_terms_add(to, expr_int(m->sys->pool, 1), t->factor);
            continue;
        }
        VarId v = velocity_of(m, m->leaf_index[expr_var_of(y->p, t->leaf).i]);
        to->is_whole = to->is_whole && var_exists(v);
        if (var_exists(v))
            linear_terms_add(to, system_var_expr(m->sys, v), t->factor);
    }
}

static void push_sum(Model *m, const LinearTerms *y, double nominal)
{
    for (uint32_t k = 0; k < y->n; k++)
        push(m, &y->term[k], k == 0, nominal);
}

void model_find_sums(Model *m)
{
    bool *is_seen = arena_array(m->mem, bool, m->output.n + 1);
    const bool *is_motion = find_motions(m);
    LinearTerms y, rate;
    for (uint32_t k = 0; k < m->row.n && !m->is_shadow; k++) {
        const ModelRow *r = &m->row.at[k];
        const Var *v = &m->sys->var.at[r->var.i];
        if (r->place != RUNG_IN_VALUES || is_seen[r->index] || v->type != TYPE_REAL)
            continue;
        is_seen[r->index] = true;
        linear_terms_begin(&y, m->sys->pool);
        linear_terms_add(&y, m->g->value[r->var.i], (Factor){1, EXPR_NONE, false});
        if (!is_sum(m, v->is_error_sum ? NULL : is_motion, &y))
            continue;
        push_sum(m, &y, model_nominal(m, r->var));
        derivative_of(m, &y, &rate);
        if (is_sum(m, is_motion, &rate))
            push_sum(m, &rate, model_nominal(m, r->var));
    }
}

void model_sum_table(Model *m)
{
    enum { COLUMNS = 5 };
    static const char *const field[COLUMNS] = {"state", "constant", "is_time", "is_divisor",
                                               "begins"};
    uint32_t n = m->sum.n, *column[COLUMNS];
    if (!n)
        return;
    for (int c = 0; c < COLUMNS; c++)
        column[c] = arena_array(m->mem, uint32_t, n);
    uint64_t *token = arena_array(m->mem, uint64_t, n);
    double *number = arena_array(m->mem, double, n), *nominal = arena_array(m->mem, double, n);
    for (uint32_t k = 0; k < n; k++) {
        const SumTerm *it = &m->sum.at[k];
        const uint32_t of[COLUMNS] = {it->state, it->c, it->is_time, it->is_divisor, it->begins};
        for (int c = 0; c < COLUMNS; c++)
            column[c][k] = of[c];
        number[k] = it->number;
        nominal[k] = it->nominal;
        token[k] = hash_pair(hash_bytes(&it->number, sizeof it->number),
                             (uint64_t)(it->c == RUNG_NONE) << 3 | (uint64_t)it->is_time << 2 |
                                 (uint64_t)it->is_divisor << 1 | it->begins);
    }
    Repeats repeats = table_repeats(n, token, m->mem);
    text_printf(&m->tables, "\nstatic RungSumTerm sum_term[%u];\n", n);
    for (int c = 0; c < COLUMNS; c++)
        table_numbers(&m->filled,
                      (TableColumn){arena_printf(m->mem, "sum_term->%s", field[c]),
                                    "sizeof *sum_term", n, &repeats},
                      column[c]);
    table_values(&m->filled, (TableColumn){"sum_term->number", "sizeof *sum_term", n, &repeats},
                 number);
    table_values(&m->filled, (TableColumn){"sum_term->nominal", "sizeof *sum_term", n, &repeats},
                 nominal);
}
