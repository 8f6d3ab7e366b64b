#include "eliminate/forms/newton_blocks.h"

#include "eliminate/prepare/sensitivity.h"

/* ---- parts of the model ---- */

/* Marks all that the model's own variables are determined by. */
static bool *find_model(const Dae *d, Arena *mem)
{
    const Incidence *g = &d->blt.columns.g;
    bool *is_model = arena_array(mem, bool, g->n_cols + 1);
    uint32_t *stack = arena_array(mem, uint32_t, g->n_cols + 1);
    uint32_t n = 0;
    for (uint32_t c = 0; c < g->n_cols; c++) {
        is_model[c] = !sensitivities_have(d, d->blt.columns.var[c]);
        if (is_model[c])
            stack[n++] = c;
    }
    while (n > 0) {
        uint32_t e = d->blt.matching.eq_of[stack[--n]];
        for (uint32_t k = g->row_begin[e]; e != INC_NONE && k < g->row_begin[e + 1]; k++) {
            if (is_model[g->col[k]])
                continue;
            is_model[g->col[k]] = true;
            stack[n++] = g->col[k];
        }
    }
    return is_model;
}

static uint32_t root_of(uint32_t *of, uint32_t c)
{
    while (of[c] != c)
        c = of[c] = of[of[c]];
    return c;
}

/* c is of the part of `first`, if there is one yet. */
static void join(const bool *is_model, uint32_t *of, uint32_t c, uint32_t *first)
{
    if (is_model[c])
        return;
    if (*first == INC_NONE)
        *first = root_of(of, c);
    of[root_of(of, c)] = *first;
}

uint32_t newton_part_of(const VariableParts *parts, VarId v)
{
    return v.i < parts->n ? parts->of[v.i] : 0;
}

/* Multipliers tie what equations do not: a direction is one part. */
static void join_directions(const Dae *d, const bool *is_model, uint32_t *of, Arena *mem)
{
    const Sensitivities *it = d->sensitivities;
    uint32_t *column = arena_array(mem, uint32_t, d->sys->var.n + 1);
    for (uint32_t c = 0; c < d->blt.columns.n; c++)
        column[d->blt.columns.var[c].i] = c + 1;
    for (uint32_t j = 0; j < it->n_directions; j++) {
        uint32_t first = INC_NONE;
        for (uint32_t k = 0; k < it->n_vars; k++) {
            ExprId x = it->of[j][k];
            if (!expr_exists(x) || expr_op(d->sys->pool, x) != OP_VAR)
                continue;
            for (VarId v = expr_var_of(d->sys->pool, x); var_exists(v);
                 v = d->sys->var.at[v.i].der) {
                uint32_t c = column[v.i];
                if (c)
                    join(is_model, of, c - 1, &first);
            }
        }
    }
}

/* Multipliers and free accelerations of a direction are in its part. */
static void find_loop_parts(const Dae *d, uint32_t *part, Arena *mem)
{
    const Sensitivities *it = d->sensitivities;
    const LoopCut *cut = &d->loops;
    if (cut->n_parts < 2)
        return;
    uint32_t *number = arena_array(mem, uint32_t, cut->n_parts + 1);
    for (uint32_t j = 0; j < it->n_directions; j++)
        for (uint32_t k = 0; k < it->n_vars && !number[j + 1]; k++) {
            ExprId x = it->of[j][k];
            bool is_var = expr_exists(x) && expr_op(d->sys->pool, x) == OP_VAR;
            for (VarId v = is_var ? expr_var_of(d->sys->pool, x) : VAR_NONE;
                 var_exists(v) && !number[j + 1]; v = d->sys->var.at[v.i].der)
                number[j + 1] = part[v.i];
        }
    uint32_t m = cut->n_constraints / cut->n_parts, n = cut->n_massless / cut->n_parts;
    for (uint32_t k = m; k < cut->n_constraints; k++)
        part[cut->multiplier[k].i] = number[k / m];
    for (uint32_t k = n; k < cut->n_massless; k++)
        part[cut->massless[k].i] = number[k / n];
}

/* A state moves with its derivative: d x = gamma * d xdot + its defect. Each equation of
 * derivatives by parameters ties the columns it holds, and those of its states' derivatives. */
static void join_rows(const Dae *d, const bool *is_model, uint32_t *of, Arena *mem)
{
    const System *s = d->sys;
    const Program *program = &d->solution.program;
    const Incidence *g = &d->blt.columns.g;
    bool *is_state = arena_array(mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < program->n_states; k++)
        is_state[program->state[k].i] = true;
    uint32_t *column = arena_array(mem, uint32_t, s->var.n + 1);
    for (uint32_t c = 0; c < g->n_cols; c++)
        column[d->blt.columns.var[c].i] = c + 1;
    Arena *tmp = arena_new();
    for (uint32_t r = 0; r < g->n_rows; r++) {
        uint32_t first = INC_NONE;
        for (uint32_t k = g->row_begin[r]; k < g->row_begin[r + 1]; k++)
            join(is_model, of, g->col[k], &first);
        if (first == INC_NONE)
            continue; // of the model
        ArenaMark mark = arena_mark(tmp);
        const Eq *e = &s->eq.at[r];
        const ExprId side[] = {e->lhs, e->rhs};
        for (int i = 0; i < 2; i++) {
            VarId *var;
            uint32_t n = unknowns_of(s, is_state, side[i], UINT32_MAX - 1, tmp, &var);
            for (uint32_t k = 0; k < n; k++) {
                VarId der = s->var.at[var[k].i].der;
                if (var_exists(der) && column[der.i])
                    join(is_model, of, column[der.i] - 1, &first);
            }
        }
        arena_rollback(tmp, mark);
    }
    arena_free(tmp);
}

VariableParts newton_parts(const Dae *d, Arena *mem)
{
    const Incidence *g = &d->blt.columns.g;
    uint32_t *part = arena_array(mem, uint32_t, d->sys->var.n + 1);
    VariableParts out = {d->sys->var.n, part};
    if (!d->sensitivities)
        return out;
    const bool *is_model = find_model(d, mem);
    uint32_t *of = arena_array(mem, uint32_t, g->n_cols + 1);
    uint32_t *number = arena_array(mem, uint32_t, g->n_cols + 1);
    for (uint32_t c = 0; c < g->n_cols; c++)
        of[c] = c;
    join_rows(d, is_model, of, mem);
    if (d->loops.n_parts > 1)
        join_directions(d, is_model, of, mem);
    uint32_t n = 0;
    for (uint32_t c = 0; c < g->n_cols; c++) {
        if (is_model[c])
            continue;
        uint32_t root = root_of(of, c);
        if (!number[root])
            number[root] = ++n;
        part[d->blt.columns.var[c].i] = number[root];
    }
    find_loop_parts(d, part, mem);
    return out;
}

/* ---- blocks of the view ---- */

/* Rows and columns in the order of their parts; of both those are pairs that determine each other,
 * as far as they are in one part. begin: n_parts + 1. */
typedef struct Places {
    uint32_t n_parts;
    uint32_t *begin;
    uint32_t *row, *col;
} Places;

static Places one_part(const NewtonView *v, Arena *mem)
{
    uint32_t n = v->structure.n;
    Places p = {1, arena_array(mem, uint32_t, 2), arena_array(mem, uint32_t, n + 1),
                arena_array(mem, uint32_t, n + 1)};
    p.begin[1] = n;
    for (uint32_t r = 0; r < n; r++) {
        p.row[r] = r;
        p.col[r] = v->structure.column[v->determines[r].i];
    }
    return p;
}

uint32_t newton_part_of_row(const NewtonView *v, const Dae *d, const VariableParts *parts,
                            uint32_t r)
{
    if (r >= v->n_equations) {
        uint32_t k = r - v->n_equations, m = d->loops.n_constraints;
        return newton_part_of(parts, k < m ? d->loops.multiplier[k] : d->loops.massless[k - m]);
    }
    uint32_t c = d->blt.matching.var_of[v->equation[r].i];
    return c == INC_NONE ? 0 : newton_part_of(parts, d->blt.columns.var[c]);
}

/* Per column of the view its part; a multiplier or free acceleration has that of the model's. */
static uint32_t *parts_of_columns(const NewtonView *v, const Dae *d, const VariableParts *parts,
                                  Arena *mem)
{
    uint32_t *part = arena_array(mem, uint32_t, v->structure.n + 1);
    for (uint32_t c = 0; c < v->structure.n; c++)
        part[c] = newton_part_of(parts, v->structure.var[c]);
    for (uint32_t k = 0; k < d->loops.n_constraints; k++)
        part[v->structure.column[v->multiplier[k].i]] =
            newton_part_of(parts, d->loops.multiplier[k]);
    for (uint32_t k = 0; k < d->loops.n_massless; k++)
        part[v->structure.column[v->massless[k].i]] = newton_part_of(parts, d->loops.massless[k]);
    return part;
}

/* Whether what is of one part is found without those behind it: the increments of a derivative by
 * one parameter from themselves and the model's. */
static bool is_triangular(const NewtonView *v, const uint32_t *row_part, const uint32_t *col_part)
{
    const Incidence *g = &v->structure.g;
    for (uint32_t r = 0; r < g->n_rows; r++)
        for (uint32_t k = g->row_begin[r]; k < g->row_begin[r + 1]; k++)
            if (col_part[g->col[k]] > row_part[r])
                return false;
    return true;
}

/* False if a part has more rows than columns, or fewer, or holds unknowns of one behind it. */
static bool split(const NewtonView *v, const Dae *d, const VariableParts *parts, Places *out,
                  Arena *mem)
{
    uint32_t n = v->structure.n, most = d->blt.columns.n + 1, n_parts = 1;
    uint32_t *row_part = arena_array(mem, uint32_t, n + 1);
    uint32_t *col_part = parts_of_columns(v, d, parts, mem);
    uint32_t *number = arena_array(mem, uint32_t, most + 1); /* of parts that are there */
    for (uint32_t r = 0; r < n; r++) {
        uint32_t p = newton_part_of_row(v, d, parts, r);
        if (p && !number[p])
            number[p] = n_parts++;
        row_part[r] = number[p];
    }
    uint32_t *rows = arena_array(mem, uint32_t, n_parts + 1);
    uint32_t *cols = arena_array(mem, uint32_t, n_parts + 1);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t p = col_part[c];
        if (p && !number[p])
            return false;
        col_part[c] = number[p];
        cols[number[p]]++;
        rows[row_part[c]]++;
    }
    if (!is_triangular(v, row_part, col_part))
        return false;
    *out = (Places){n_parts, arena_array(mem, uint32_t, n_parts + 1),
                    arena_array(mem, uint32_t, n + 1), arena_array(mem, uint32_t, n + 1)};
    for (uint32_t p = 0; p < n_parts; p++) {
        if (rows[p] != cols[p])
            return false;
        out->begin[p + 1] = out->begin[p] + rows[p];
        rows[p] = out->begin[p];
    }
    // pairs that are in one part, then those left over
    bool *is_placed = arena_array(mem, bool, n + 1);
    for (uint32_t r = 0; r < n; r++) {
        uint32_t at = rows[row_part[r]]++, c = v->structure.column[v->determines[r].i];
        out->row[at] = r;
        out->col[at] = INC_NONE;
        if (col_part[c] == row_part[r] && !is_placed[c]) {
            out->col[at] = c;
            is_placed[c] = true;
        }
    }
    for (uint32_t p = 0; p < n_parts; p++)
        rows[p] = out->begin[p];
    for (uint32_t c = 0; c < n; c++) {
        if (is_placed[c])
            continue;
        uint32_t *at = &rows[col_part[c]];
        while (out->col[*at] != INC_NONE)
            ++*at;
        out->col[*at] = c;
    }
    return true;
}

bool newton_blocks(const NewtonView *v, const Dae *d, const VariableParts *parts, Blocks *out,
                   Arena *mem)
{
    Places p;
    if (v->structure.g.n_rows != v->structure.n)
        return false;
    if (!split(v, d, parts, &p, mem))
        p = one_part(v, mem);
    *out = (Blocks){.n = p.n_parts, .begin = p.begin, .eq = p.row, .var = p.col};
    return true;
}
