#include "eliminate/prepare/dependent_equations.h"

#include "eliminate/prepare/state_choice.h"
#include "graph/blocks.h"
#include "graph/dependent_rows.h"
#include "graph/matching.h"

/* A sum over numbers: of columns, or of equations. */
typedef struct Term {
    uint32_t at;
    ExprId value;
} Term;

typedef VEC(Term) Terms;

/* An equation of a loop, or a combination of several: entries in the loop's columns, and the
 * factors of the loop's equations in it. */
typedef struct Combination {
    Terms entry, share;
    uint32_t pivot; /* column */
} Combination;

/* Terms that are being added to: per column the value, EXPR_NONE for zero. */
typedef struct Collected {
    ExprId *value;
    bool *is_listed;
    VEC(uint32_t) listed;
} Collected;

typedef struct Search {
    Dae *d;
    System *s;
    bool *is_unknown;    /* per variable: of the loop at hand */
    uint32_t *column_of; /* per variable: in the loop         */
    Arena *mem, *tmp;    /* the result; one loop */
    VEC(Replacement) found;
} Search;

/* ---- loops ---- */

static Incidence open_part(const Pantelides *p, const States *states, Arena *mem)
{
    bool *is_state = arena_array(mem, bool, p->n_vars + 1);
    for (uint32_t k = 0; k < states->n; k++)
        is_state[states->state[k]] = true;
    IncidenceBuilder b = incidence_begin(mem, p->n_vars);
    for (uint32_t e = 0; e < p->n_eqs; e++) {
        incidence_row(&b);
        for (uint32_t k = p->g.row_begin[e]; k < p->g.row_begin[e + 1]; k++)
            if (!is_state[p->g.col[k]])
                incidence_edge(&b, p->g.col[k], (Label)p->g.label[k], p->g.sign[k]);
    }
    return incidence_done(&b);
}

/* ---- the constant part of a loop ---- */

static bool is_constant(const System *s, const LinearForm *f)
{
    bool constant = f->is_linear;
    for (uint32_t k = 0; constant && k < f->n; k++)
        constant = expr_is_fixed(s->pool, f->coeff[k]);
    return constant;
}

static ExprId residual_of(const System *s, uint32_t e)
{
    return expr_sub(s->pool, s->eq.at[e].lhs, s->eq.at[e].rhs);
}

/* Rows that hold an unknown of their own cannot take part in a dependence; without them others
 * cannot, too. Returns how many are left, marked in `stays`. */
static uint32_t peel(uint32_t n_rows, const Combination *row, uint32_t n_cols, bool *stays,
                     Arena *tmp)
{
    uint32_t *count = arena_array(tmp, uint32_t, n_cols + 1), left = 0;
    uint32_t *first = arena_array(tmp, uint32_t, n_cols + 2);
    for (uint32_t r = 0; r < n_rows; r++) {
        stays[r] = row[r].entry.n > 0;
        left += stays[r];
        for (uint32_t k = 0; k < row[r].entry.n; k++)
            first[row[r].entry.at[k].at + 1]++;
    }
    for (uint32_t c = 0; c < n_cols; c++)
        first[c + 1] += first[c];
    uint32_t *holder = arena_array(tmp, uint32_t, first[n_cols] + 1);
    for (uint32_t r = 0; r < n_rows; r++)
        for (uint32_t k = 0; k < row[r].entry.n; k++) {
            uint32_t c = row[r].entry.at[k].at;
            holder[first[c] + count[c]++] = r;
        }
    VEC(uint32_t) alone = {0};
    for (uint32_t c = 0; c < n_cols; c++)
        if (count[c] == 1)
            vec_push(tmp, alone, c);
    while (alone.n) {
        uint32_t c = alone.at[--alone.n];
        for (uint32_t i = first[c]; i < first[c + 1]; i++) {
            uint32_t r = holder[i];
            if (!stays[r])
                continue;
            stays[r] = false;
            left--;
            for (uint32_t k = 0; k < row[r].entry.n; k++)
                if (--count[row[r].entry.at[k].at] == 1)
                    vec_push(tmp, alone, row[r].entry.at[k].at);
        }
    }
    return left;
}

/* Of the rows that stay those that depend on each other: expressions are made for these alone.
 * Returns how many are left. */
static uint32_t keep_dependent(const ExprPool *p, uint32_t n, const Combination *row, bool *stays,
                               Arena *tmp)
{
    VEC(uint32_t) kept = {0};
    for (uint32_t r = 0; r < n; r++)
        if (stays[r])
            vec_push(tmp, kept, r);
    if (!pool_by_value(p))
        return kept.n;
    IncidenceBuilder b = incidence_begin(tmp, n);
    for (uint32_t i = 0; i < kept.n; i++) {
        const Terms *entry = &row[kept.at[i]].entry;
        incidence_row(&b);
        for (uint32_t k = 0; k < entry->n; k++) {
            bool is_number = expr_variability(p, entry->at[k].value) < VARIES_PARAMETER;
            incidence_edge(&b, entry->at[k].at, is_number ? LABEL_CONST : LABEL_PARAM, 0);
        }
    }
    Incidence g = incidence_done(&b);
    g.residue = arena_array(tmp, uint64_t, g.n_edges + 1);
    for (uint32_t i = 0; i < kept.n; i++) {
        const Terms *entry = &row[kept.at[i]].entry;
        for (uint32_t k = 0; k < entry->n; k++)
            g.residue[incidence_find(&g, i, entry->at[k].at)] = expr_residue(p, entry->at[k].value);
    }
    bool *takes_part = arena_array(tmp, bool, kept.n + 1);
    dependent_rows_mark(&g, takes_part, tmp);
    uint32_t left = 0;
    for (uint32_t i = 0; i < kept.n; i++)
        left += stays[kept.at[i]] = takes_part[i];
    return left;
}

/* ---- elimination ---- */

static Collected sum_new(uint32_t n, Arena *mem)
{
    Collected sum = {.value = arena_array(mem, ExprId, n + 1),
                     .is_listed = arena_array(mem, bool, n + 1)};
    for (uint32_t k = 0; k < n; k++)
        sum.value[k] = EXPR_NONE;
    return sum;
}

static void sum_add(ExprPool *p, Collected *sum, const Terms *of, ExprId factor, Arena *mem)
{
    for (uint32_t k = 0; k < of->n; k++) {
        uint32_t c = of->at[k].at;
        ExprId x = expr_mul(p, factor, of->at[k].value);
        if (expr_exists(sum->value[c]))
            x = expr_add(p, sum->value[c], x);
        sum->value[c] = expr_is_zero(p, x) == YES ? EXPR_NONE : x;
        if (!sum->is_listed[c])
            vec_push(mem, sum->listed, c);
        sum->is_listed[c] = true;
    }
}

/* Takes the nonzero terms of the sum, and clears it. */
static Terms sum_take(Collected *sum, Arena *mem)
{
    Terms out = {0};
    for (uint32_t k = 0; k < sum->listed.n; k++) {
        uint32_t c = sum->listed.at[k];
        if (expr_exists(sum->value[c]))
            vec_push(mem, out, ((Term){c, sum->value[c]}));
        sum->value[c] = EXPR_NONE;
        sum->is_listed[c] = false;
    }
    sum->listed.n = 0;
    return out;
}

/* Numbers rather than parameters, so that shares are numbers. */
static uint32_t pivot_of(const ExprPool *p, const Terms *row)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < row->n; k++)
        if (expr_variability(p, row->at[k].value) < expr_variability(p, row->at[best].value))
            best = k;
    return row->at[best].at;
}

/* Combination r less the rows before it, by its columns that are pivots of these, the oldest first:
 * a pivot's row holds none of an older one. */
static void eliminate(Search *w, Combination *row, uint32_t r, const uint32_t *row_of,
                      Collected *entry, Collected *share)
{
    ExprPool *p = w->s->pool;
    sum_add(p, entry, &row[r].entry, expr_int(p, 1), w->tmp);
    sum_add(p, share, &(Terms){.at = &(Term){r, expr_int(p, 1)}, .n = 1}, expr_int(p, 1), w->tmp);
    for (;;) {
        uint32_t oldest = INC_NONE;
        for (uint32_t k = 0; k < entry->listed.n; k++) {
            uint32_t c = entry->listed.at[k];
            if (expr_exists(entry->value[c]) && row_of[c] < oldest)
                oldest = row_of[c];
        }
        if (oldest == INC_NONE)
            break;
        const Combination *by = &row[oldest];
        ExprId at_pivot = EXPR_NONE;
        for (uint32_t k = 0; k < by->entry.n; k++)
            if (by->entry.at[k].at == by->pivot)
                at_pivot = by->entry.at[k].value;
        ExprId factor = expr_neg(p, expr_div(p, entry->value[by->pivot], at_pivot));
        sum_add(p, entry, &by->entry, factor, w->tmp);
        sum_add(p, share, &by->share, factor, w->tmp);
        entry->value[by->pivot] = EXPR_NONE;
    }
    row[r].entry = sum_take(entry, w->tmp);
    row[r].share = sum_take(share, w->tmp);
}

/* ---- replacements of equations ---- */

/* The model's equation that e is a derivative of, and how often. */
static uint32_t root_of(const Pantelides *p, uint32_t e, uint32_t *order)
{
    for (*order = 0; p->eq_der_of[e] != INC_NONE; ++*order)
        e = p->eq_der_of[e];
    return e;
}

/* The loop at hand: its columns, and its equations. */
typedef struct Loop {
    uint32_t n;
    const uint32_t *var, *eq;
} Loop;

/* Marks the unknowns that a sum of equations is linear in, where these have been differentiated
 * `order` times: all of the model, or those whose derivatives are the loop's. */
static bool *linear_in(const Search *w, const Loop *loop, uint32_t order, bool all)
{
    const Structure *t = &w->d->structure;
    const Pantelides *p = &w->d->pantelides;
    bool *is_unknown = arena_array(w->tmp, bool, w->s->var.n + 1);
    for (uint32_t k = 0; all && k < t->n; k++)
        is_unknown[t->var[k].i] = true;
    for (uint32_t k = 0; !all && k < loop->n; k++) {
        uint32_t column = loop->var[k];
        for (uint32_t i = 0; i < order && column != INC_NONE; i++)
            column = p->der_of[column];
        if (column != INC_NONE)
            is_unknown[t->var[column].i] = true;
    }
    return is_unknown;
}

/* The sum of the equations: the combination of a loop's equations, or of those that they are all
 * derivatives of, to the same order. False where it is of different orders, where it is not linear
 * in `all` unknowns, or in the loop's, or is trivial: 0 = 0. */
static bool combine(Search *w, const Loop *loop, const Terms *share, uint32_t last, bool all,
                    Replacement *out)
{
    System *s = w->s;
    ExprPool *p = s->pool;
    uint32_t order, first_order;
    root_of(&w->d->pantelides, loop->eq[last], &first_order);
    const bool *is_unknown = linear_in(w, loop, first_order, all);
    Collected sum = sum_new(s->var.n, w->tmp);
    ExprId rest = expr_int(p, 0);
    for (uint32_t k = 0; k < share->n; k++) {
        uint32_t root = root_of(&w->d->pantelides, loop->eq[share->at[k].at], &order);
        Substitution none = {0};
        LinearForm f = linear_form(s, is_unknown, &none, residual_of(s, root), w->tmp);
        if (order != first_order || !f.is_linear)
            return false;
        Terms terms = {0};
        for (uint32_t i = 0; i < f.n; i++)
            vec_push(w->tmp, terms, ((Term){f.var[i].i, f.coeff[i]}));
        sum_add(p, &sum, &terms, share->at[k].value, w->tmp);
        rest = expr_add(p, rest, expr_mul(p, share->at[k].value, f.rest));
    }
    Terms left = sum_take(&sum, w->tmp);
    ExprId lhs = expr_int(p, 0);
    for (uint32_t k = 0; k < left.n; k++)
        lhs = expr_add(p, lhs,
                       expr_mul(p, left.at[k].value, system_var_expr(s, (VarId){left.at[k].at})));
    *out = (Replacement){.eq = {root_of(&w->d->pantelides, loop->eq[last], &order)},
                         .lhs = lhs,
                         .rhs = expr_neg(p, rest)};
    return all ? left.n > 0 : left.n == 0 && !expr_is_fixed(p, rest);
}

/* ---- one loop ---- */

static void search_loop(Search *w, const Blocks *blocks, uint32_t b)
{
    System *s = w->s;
    const Structure *t = &w->d->structure;
    uint32_t begin = blocks->begin[b], n = blocks->begin[b + 1] - begin, n_rows = 0;
    const uint32_t *eq = blocks->eq + begin;
    const Loop loop = {n, blocks->var + begin, eq};
    for (uint32_t k = 0; k < n; k++) {
        VarId v = t->var[blocks->var[begin + k]];
        w->is_unknown[v.i] = true;
        w->column_of[v.i] = k;
    }
    Combination *row = arena_array(w->tmp, Combination, n);
    for (uint32_t r = 0; r < n; r++) {
        Substitution none = {0};
        LinearForm f = linear_form(s, w->is_unknown, &none, residual_of(s, eq[r]), w->tmp);
        for (uint32_t k = 0; is_constant(s, &f) && k < f.n; k++)
            vec_push(w->tmp, row[r].entry, ((Term){w->column_of[f.var[k].i], f.coeff[k]}));
        n_rows += row[r].entry.n > 0;
    }
    for (uint32_t k = 0; k < n; k++)
        w->is_unknown[t->var[blocks->var[begin + k]].i] = false;
    bool *stays = arena_array(w->tmp, bool, n);
    if (n_rows < 2 || peel(n, row, n, stays, w->tmp) < 2 ||
        keep_dependent(s->pool, n, row, stays, w->tmp) < 2)
        return;
    uint32_t *row_of = arena_array(w->tmp, uint32_t, n);
    for (uint32_t c = 0; c < n; c++)
        row_of[c] = INC_NONE;
    Collected entry = sum_new(n, w->tmp), share = sum_new(n, w->tmp);
    for (uint32_t r = 0; r < n; r++) {
        if (!stays[r])
            continue;
        eliminate(w, row, r, row_of, &entry, &share);
        if (row[r].entry.n > 0) {
            row[r].pivot = pivot_of(s->pool, &row[r].entry);
            row_of[row[r].pivot] = r;
            continue;
        }
        Replacement it;
        if (combine(w, &loop, &row[r].share, r, true, &it) ||
            combine(w, &loop, &row[r].share, r, false, &it))
            vec_push(w->mem, w->found, it);
    }
}

Replacements dependent_find(Dae *d, Arena *mem)
{
    const Pantelides *p = &d->pantelides;
    System *s = d->sys;
    Arena *tmp = arena_new();
    Search w = {.d = d,
                .s = s,
                .mem = mem,
                .tmp = arena_new(),
                .is_unknown = arena_array(tmp, bool, s->var.n + 1),
                .column_of = arena_array(tmp, uint32_t, s->var.n + 1)};
    States states = states_find(p, state_priorities(d, tmp), tmp);
    if (states.ok) {
        Incidence g = open_part(p, &states, tmp);
        Matching m = matching_find(&g, tmp);
        Blocks blocks = blocks_find(&g, &m, tmp);
        for (uint32_t b = 0; m.size == p->n_eqs && b < blocks.n; b++) {
            ArenaMark mark = arena_mark(w.tmp);
            if (blocks.begin[b + 1] - blocks.begin[b] > 1)
                search_loop(&w, &blocks, b);
            arena_rollback(w.tmp, mark);
        }
    }
    arena_free(w.tmp);
    arena_free(tmp);
    return (Replacements){w.found.n, w.found.at};
}
