#include "study/mechanism/mobility.h"

#include "runtime/linear/rank.h"
#include "translate/driver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length of a row, relative to the longest of its part, below which it counts as dependent. */
static const double SMALL = 1e-8;

/* ---- the model ---- */

static void find_nodes(Mechanism *m)
{
    const ExprPool *p = m->s->pool;
    uint32_t n = pool_size(p);
    bool *needed = arena_array(m->mem, bool, n + 1);
    for (uint32_t r = 0; r < m->k.row.n; r++)
        needed[m->k.row.at[r].residual.i] = true;
    for (uint32_t e = 0; e < m->k.entry.n; e++)
        if (expr_exists(m->k.entry.at[e].coeff))
            needed[m->k.entry.at[e].coeff.i] = true;
    for (uint32_t v = 0; v < m->s->var.n; v++) {
        const Var *var = &m->s->var.at[v];
        if (expr_exists(var->binding))
            needed[var->binding.i] = true;
        if (expr_exists(var->attr.start))
            needed[var->attr.start.i] = true;
    }
    for (uint32_t x = n; x-- > 0;)
        for (uint32_t a = 0; needed[x] && a < expr_n_args(p, (ExprId){x}); a++)
            needed[expr_arg(p, (ExprId){x}, a).i] = true;
    for (uint32_t x = 0; x < n; x++)
        if (needed[x])
            vec_push(m->mem, m->node, x);
    m->at = arena_array(m->mem, double, n + 1);
    for (uint32_t i = 0; i < m->node.n; i++) {
        ExprId x = {m->node.at[i]};
        if (expr_op(p, x) == OP_NUM)
            m->at[x.i] = expr_apply(p, x, 0, 0, 0);
    }
}

bool mechanism_open(Mechanism *m, const Request *r, double tolerance, Arena *mem)
{
    static const double TOLERANCE = 1e-6; // a singular position is known to 1e-8
    *m = (Mechanism){.mem = arena_new(), .tolerance = isnan(tolerance) ? TOLERANCE : tolerance};
    m->flat = compilation_open(r, mem);
    if (!m->flat || !driver_run(m->flat, driver_find("der")))
        return false;
    m->s = m->flat->sys;
    kinematics_find(m->s, &m->k, m->mem);
    m->value = arena_array(m->mem, double, m->s->var.n + 1);
    m->coordinate_of = arena_array(m->mem, uint32_t, m->s->var.n + 1);
    memset(m->coordinate_of, 0xff, (m->s->var.n + (size_t)1) * sizeof *m->coordinate_of);
    for (uint32_t c = 0; c < m->k.n_coordinates; c++)
        m->coordinate_of[m->k.root[m->k.coordinate[c].i]] = c;
    m->cut_of = arena_array(m->mem, uint32_t, m->s->eq.n + 1);
    memset(m->cut_of, 0xff, (m->s->eq.n + (size_t)1) * sizeof *m->cut_of);
    for (uint32_t j = 0; j < m->s->cut.n; j++)
        for (uint32_t i = 0; i < m->s->cut.at[j].eq.n; i++)
            m->cut_of[m->s->cut.at[j].eq.at[i].i] = j;
    find_nodes(m);
    return true;
}

void mechanism_close(Mechanism *m)
{
    compilation_free(m->flat);
    arena_free(m->mem);
}

void mechanism_set_row(Mechanism *m, const ResultTable *t, uint32_t row)
{
    m->t = result_table_at(t, row, 0);
    for (uint32_t c = 1; c < t->n_cols; c++) {
        VarId v = system_find_var(m->s, name_of(m->s->names, t->column[c].name));
        if (var_exists(v))
            m->value[v.i] = result_table_at(t, row, c);
    }
}

static void evaluate(Mechanism *m)
{
    const ExprPool *p = m->s->pool;
    for (uint32_t i = 0; i < m->node.n; i++) {
        ExprId x = {m->node.at[i]};
        double v[3] = {0, 0, 0};
        Op op = expr_op(p, x);
        if (op == OP_NUM)
            continue;
        if (op == OP_VAR) {
            m->at[x.i] = m->value[expr_var_of(p, x).i];
            continue;
        }
        for (uint32_t a = 0; a < expr_n_args(p, x) && a < 3; a++)
            v[a] = m->at[expr_arg(p, x, a).i];
        m->at[x.i] = op == OP_TIME      ? m->t
                     : op == OP_INITIAL ? 1
                                        : expr_apply(p, x, v[0], v[1], v[2]);
    }
}

void mechanism_start(Mechanism *m)
{
    enum { ROUNDS = 50 }; /* parameters of parameters */
    bool again = true;
    for (int round = 0; again && round < ROUNDS; round++) {
        again = false;
        evaluate(m);
        for (uint32_t v = 0; v < m->s->var.n; v++) {
            const Var *var = &m->s->var.at[v];
            bool bound = var->kind == VAR_PARAMETER || var->kind == VAR_CONSTANT;
            ExprId x = bound && expr_exists(var->binding) ? var->binding : var->attr.start;
            double to = expr_exists(x) ? m->at[x.i] : 0;
            if (to == m->value[v] || isnan(to))
                continue;
            m->value[v] = to;
            again = true;
        }
    }
}

/* ---- rows as numbers ---- */

/* Columns: per variable (roots are used) its change in position; with_velocities also, behind
 * these, its change in velocity, except for coordinates. */
typedef struct Rows {
    SparseMatrix a;
    ColumnUse *use;
    bool *late;
    uint32_t *row; /* of the Kinematics, per row */
} Rows;

static Rows rows_of(Mechanism *m, bool with_velocities, bool with_right, Arena *mem)
{
    const Kinematics *k = &m->k;
    uint32_t most = k->row.n * 2;
    uint32_t *start = arena_array(mem, uint32_t, most + 1);
    uint32_t *col = arena_array(mem, uint32_t, 2 * (size_t)k->entry.n + 1);
    double *value = arena_array(mem, double, 2 * (size_t)k->entry.n + 1);
    double *right = arena_array(mem, double, most + 1);
    Rows r = {.use = arena_array(mem, ColumnUse, 2 * (size_t)k->n_vars + 1),
              .late = arena_array(mem, bool, most + 1),
              .row = arena_array(mem, uint32_t, most + 1)};
    uint32_t n = 0, at = 0;
    StateSelect asked = STATE_DEFAULT;
    for (uint32_t c = 0; c < k->n_coordinates; c++)
        asked = k->priority[c] > STATE_DEFAULT ? STATE_PREFER : asked;
    for (uint32_t c = 0; c < k->n_coordinates; c++)
        r.use[k->root[k->coordinate[c].i]] = k->priority[c] < asked ? COLUMN_SPARE : COLUMN_ASKED;
    for (int level = 0; level <= with_velocities; level++) {
        for (uint32_t i = 0; i < k->row.n; i++) {
            const KinematicRow *row = &k->row.at[i];
            uint32_t begin = at;
            if (row->is_velocity && level == 0)
                continue;
            bool open = false;
            for (uint32_t e = row->first; e < row->first + row->n; e++) {
                const KinematicEntry *entry = &k->entry.at[e];
                bool moves = k->is_coordinate[entry->var.i];
                double x = expr_exists(entry->coeff) ? m->at[entry->coeff.i] : NAN;
                if (level == 1 && moves && !entry->is_rate)
                    continue; // positions stand still
                open = open || !isfinite(x);
                col[at] = entry->var.i + (level == 1 && !moves ? k->n_vars : 0);
                value[at++] = x;
            }
            if (open || (level == 1 && at == begin)) {
                at = begin;
                continue;
            }
            right[n] = with_right ? -m->at[row->residual.i] : 0;
            r.row[n] = i;
            start[++n] = at;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        r.late[i] = r.late[i] || m->cut_of[k->row.at[r.row[i]].eq.i] != UINT32_MAX;
    r.a = (SparseMatrix){.n_rows = n,
                         .n_cols = k->n_vars * (with_velocities ? 2 : 1),
                         .start = start,
                         .col = col,
                         .value = value,
                         .right = right};
    return r;
}

static NullSpace null_space_of(Mechanism *m, const Rows *r, Arena *mem)
{
    return null_space_find(&r->a, r->use, r->late, m->tolerance, mem);
}

/* Copies the value of each alias set's root to its members. */
static void spread(Mechanism *m)
{
    for (uint32_t v = 0; v < m->k.n_vars; v++) {
        uint32_t root = m->k.root[v];
        if (root != v)
            m->value[v] = m->k.is_negated[v] ? -m->value[root] : m->value[root];
    }
}

bool mechanism_close_position(Mechanism *m)
{
    enum { ITERATIONS = 60 };
    static const double LONGEST = 0.5, CLOSE = 1e-11;
    bool ok = false;
    spread(m);
    for (int k = 0; k < ITERATIONS && !ok; k++) {
        Arena *mem = arena_new();
        evaluate(m);
        Rows r = rows_of(m, false, true, mem);
        NullSpace s = null_space_of(m, &r, mem);
        double *dx = arena_array(mem, double, s.n_cols + 1);
        bool finite = !s.too_large;
        if (finite)
            null_space_solve(&s, dx);
        double longest = 0, worst = 0;
        for (uint32_t v = 0; v < m->k.n_vars; v++)
            longest = fmax(longest, fabs(dx[v]));
        /* far away Newton's steps are no guide: the coordinates go a part of the way */
        double part = longest > LONGEST ? LONGEST / longest : 1;
        for (uint32_t v = 0; v < m->k.n_vars; v++)
            dx[v] *= part;
        if (finite)
            null_space_follow(&s, true, dx);
        for (uint32_t v = 0; v < m->k.n_vars && finite; v++) {
            finite = isfinite(dx[v]);
            m->value[v] += dx[v];
            if (m->k.is_coordinate[v])
                worst = fmax(worst, fabs(dx[v]) / (1 + fabs(m->value[v])));
        }
        spread(m);
        arena_free(mem);
        if (!finite)
            return false;
        ok = part == 1 && k > 0 && worst < CLOSE;
    }
    return ok;
}

/* ---- directions ---- */

/* Reduced echelon form of the null space of a part, n_null vectors of length n by rows in `null`;
 * pivots in columns of coordinates alone, the first one that is not small against the largest.
 * Returns how many there are. */
static uint32_t reduce(double *null, uint32_t n_null, uint32_t n, const bool *eligible)
{
    static const double LARGE = 0.3, ZERO = 1e-9;
    uint32_t done = 0;
    for (; done < n_null; done++) {
        double most = 0;
        uint32_t col = UINT32_MAX, row = done;
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t c = 0; c < n && col == UINT32_MAX; c++) {
                double size = 0;
                for (uint32_t r = done; eligible[c] && r < n_null; r++)
                    size = fmax(size, fabs(null[(size_t)r * n + c]));
                if (pass == 0)
                    most = fmax(most, size);
                else if (size > ZERO && size >= LARGE * most)
                    col = c;
            }
        if (col == UINT32_MAX)
            break;
        for (uint32_t r = done; r < n_null; r++)
            if (fabs(null[(size_t)r * n + col]) > fabs(null[(size_t)row * n + col]))
                row = r;
        double pivot = null[(size_t)row * n + col];
        for (uint32_t c = 0; c < n; c++) {
            double x = null[(size_t)row * n + c] / pivot;
            null[(size_t)row * n + c] = null[(size_t)done * n + c];
            null[(size_t)done * n + c] = x;
        }
        for (uint32_t r = 0; r < n_null; r++) {
            double factor = r == done ? 0 : null[(size_t)r * n + col];
            for (uint32_t c = 0; factor != 0 && c < n; c++)
                null[(size_t)r * n + c] -= factor * null[(size_t)done * n + c];
        }
    }
    return done;
}

typedef VEC(Direction) Directions;

static int by_first_coordinate(const void *a, const void *b)
{
    const Direction *p = a, *q = b;
    return (p->move[0].coordinate > q->move[0].coordinate) -
           (p->move[0].coordinate < q->move[0].coordinate);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The columns whose values a direction may have: those of a part, and chosen ones that follow from
 * them. Ascending. */
static uint32_t *columns_of(const NullSpace *s, uint32_t n, const uint32_t *col, uint32_t *n_all,
                            Arena *mem)
{
    *n_all = n + s->n_pivots - s->n_followed;
    uint32_t *all = arena_array(mem, uint32_t, *n_all + 1);
    if (n > 0)
        memcpy(all, col, n * sizeof *all);
    for (uint32_t k = s->n_followed; k < s->n_pivots; k++)
        all[n + k - s->n_followed] = s->pivot[k].col;
    if (*n_all > n)
        qsort(all, *n_all, sizeof *all, by_number);
    return all;
}

/* Adds the direction in which the columns move by x, and makes x zero again. */
static void add_direction(const Mechanism *m, const uint32_t *col, uint32_t n, double *x,
                          Directions *out, Arena *mem)
{
    static const double ZERO = 1e-9;
    Move *move = arena_array(mem, Move, n + 1);
    uint32_t n_moves = 0, pivot = 0;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t q = col[c] < m->k.n_vars ? m->coordinate_of[col[c]] : UINT32_MAX;
        double by = x[col[c]];
        x[col[c]] = 0;
        if (q == UINT32_MAX || fabs(by) < ZERO)
            continue;
        by = m->k.is_negated[m->k.coordinate[q].i] ? -by : by;
        move[n_moves++] = (Move){q, by};
        pivot = by == 1 && move[pivot].by != 1 ? n_moves - 1 : pivot;
    }
    /* the one that moves by 1 stands first */
    Move first = move[pivot];
    memmove(move + 1, move, pivot * sizeof *move);
    move[0] = first;
    Direction d = {n_moves, move};
    vec_push(mem, *out, d);
}

static Directions directions_of(const Mechanism *m, const NullSpace *s, Arena *mem)
{
    Directions out = {0};
    double *x = arena_array(mem, double, s->n_cols + 1);
    for (uint32_t i = 0; i < s->n_free; i++) {
        uint32_t n, *col = columns_of(s, 1, &s->free[i], &n, mem);
        bool negated = m->k.is_negated[m->k.coordinate[m->coordinate_of[s->free[i]]].i];
        x[s->free[i]] = negated ? -1 : 1;
        null_space_follow_chosen(s, x);
        add_direction(m, col, n, x, &out, mem);
    }
    for (uint32_t i = 0; i < s->n_parts; i++) {
        const NullPart *p = &s->part[i];
        uint32_t n_null = p->n - p->rank, n_cols;
        if (n_null == 0)
            continue;
        uint32_t *col = columns_of(s, p->n, p->col, &n_cols, mem);
        double *null = arena_array(mem, double, (size_t)n_null * p->n + 1);
        bool *eligible = arena_array(mem, bool, p->n + 1);
        double *sign = arena_array(mem, double, p->n + 1);
        for (uint32_t c = 0; c < p->n; c++) {
            eligible[c] = p->col[c] < m->k.n_vars && m->coordinate_of[p->col[c]] != UINT32_MAX;
            uint32_t q = eligible[c] ? m->coordinate_of[p->col[c]] : 0;
            sign[c] = eligible[c] && m->k.is_negated[m->k.coordinate[q].i] ? -1 : 1;
            for (uint32_t r = 0; r < n_null; r++)
                null[(size_t)r * p->n + c] = sign[c] * p->vt[(size_t)c * p->n + p->rank + r];
        }
        uint32_t n = reduce(null, n_null, p->n, eligible);
        for (uint32_t r = 0; r < n; r++) {
            for (uint32_t c = 0; c < p->n; c++)
                x[p->col[c]] = sign[c] * null[(size_t)r * p->n + c];
            null_space_follow_chosen(s, x);
            add_direction(m, col, n_cols, x, &out, mem);
        }
    }
    if (out.n > 1)
        qsort(out.at, out.n, sizeof *out.at, by_first_coordinate);
    return out;
}

/* ---- constraints ---- */

typedef VEC(uint32_t) Numbers;

/* The coordinate of an entry of a row, or UINT32_MAX. */
static uint32_t coordinate_at(const Mechanism *m, const NullRow *row, uint32_t k)
{
    return row->col[k] < m->k.n_vars ? m->coordinate_of[row->col[k]] : UINT32_MAX;
}

static Constraint constraint_of(const Mechanism *m, const Rows *r, const NullSpace *s, uint32_t row,
                                Arena *mem)
{
    const NullRow *at = &s->row[row];
    Numbers moved = {0};
    for (uint32_t k = 0; k < at->n; k++)
        if (fabs(at->value[k]) > SMALL && coordinate_at(m, at, k) != UINT32_MAX)
            vec_push(mem, moved, coordinate_at(m, at, k));
    return (Constraint){.row = r->row[row], .entries = at, .n_moved = moved.n, .moved = moved.at};
}

/* Constraints of a part, and which of them are redundant: first[] is where its rows are in all. */
static void judge_part(const NullPart *p, uint32_t first, Constraint *all, Arena *mem)
{
    double *a = arena_array(mem, double, (size_t)p->m * p->n + 1);
    double *b = arena_array(mem, double, (p->n > p->m ? p->n : p->m) + 1);
    uint32_t *order = arena_array(mem, uint32_t, p->m + 1);
    memcpy(a, p->a, (size_t)p->m * p->n * sizeof *a);
    rank_find(p->n, p->m, a, 0, order, NULL, NULL);
    /* the number is that of the singular values */
    for (uint32_t k = p->rank; k < p->m; k++)
        all[first + order[k]].is_redundant = true;
    if (p->rank == p->m)
        return;
    double *kept = arena_array(mem, double, (size_t)p->rank * p->n + 1);
    uint32_t *again = arena_array(mem, uint32_t, p->rank + 1);
    for (uint32_t k = p->rank; k < p->m; k++) {
        for (uint32_t i = 0; i < p->rank; i++)
            memcpy(kept + (size_t)i * p->n, p->a + (size_t)order[i] * p->n, p->n * sizeof *kept);
        memcpy(b, p->a + (size_t)order[k] * p->n, p->n * sizeof *b);
        uint32_t rank = rank_find(p->n, p->rank, kept, 0, again, b, NULL);
        rank_solve(p->n, kept, rank, again, b);
        Numbers follows = {0};
        for (uint32_t i = 0; i < rank; i++)
            if (fabs(b[i]) > 1e-6)
                vec_push(mem, follows, first + order[again[i]]);
        all[first + order[k]].n_follows = follows.n;
        all[first + order[k]].follows = follows.at;
    }
}

/* The joints of a loop and the rank of their motions at its cut; the rotational part shows whether
 * their axes are parallel. */
static void judge_loop(const Mechanism *m, Loop *l, const Constraint *all, Arena *mem)
{
    const CutJoint *cut = &m->s->cut.at[l->cut];
    uint32_t n_cols = m->k.n_coordinates;
    uint32_t *seen = arena_array(mem, uint32_t, n_cols + 1);
    Numbers joint = {0};
    for (uint32_t i = l->first; i < l->first + l->n; i++) {
        l->n_redundant += all[i].is_redundant;
        for (uint32_t k = 0; k < all[i].n_moved; k++)
            if (!seen[all[i].moved[k]]++)
                vec_push(mem, joint, all[i].moved[k]);
    }
    l->n_joints = joint.n;
    l->joint = joint.at;
    double *turn = arena_array(mem, double, (size_t)joint.n * 3 + 1);
    double *whole = arena_array(mem, double, (size_t)joint.n * l->n + 1);
    uint32_t *order = arena_array(mem, uint32_t, joint.n + 1);
    uint32_t n_turns = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t flow = cut_joint_find(cut, m->k.row.at[all[l->first + i].row].eq);
        const Var *of = flow < cut->flow.n ? &m->s->var.at[cut->flow.at[flow].of.i] : NULL;
        bool is_turn = of && of->attr.unit.s && strcmp(of->attr.unit.s, "N.m") == 0 && n_turns < 3;
        const NullRow *row = all[l->first + i].entries;
        for (uint32_t k = 0; k < row->n; k++) {
            uint32_t q = coordinate_at(m, row, k);
            for (uint32_t j = 0; q != UINT32_MAX && j < joint.n; j++) {
                if (joint.at[j] != q)
                    continue;
                whole[(size_t)j * l->n + i] = row->value[k];
                if (is_turn)
                    turn[(size_t)j * 3 + n_turns] = row->value[k];
            }
        }
        n_turns += is_turn;
    }
    for (uint32_t j = 0; j < joint.n; j++)
        l->n_axes += fabs(turn[3 * (size_t)j]) + fabs(turn[3 * (size_t)j + 1]) +
                         fabs(turn[3 * (size_t)j + 2]) >
                     SMALL;
    l->is_parallel =
        n_turns == 3 && l->n_axes > 1 && rank_find(3, joint.n, turn, SMALL, order, NULL, NULL) == 1;
    l->n_span = joint.n ? rank_find(l->n, joint.n, whole, SMALL, order, NULL, NULL) : 0;
}

typedef struct Placed {
    uint64_t key;
    uint32_t from;
} Placed;

static int by_key(const void *a, const void *b)
{
    const Placed *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->from > y->from) - (x->from < y->from);
}

static void find_constraints(Mechanism *m, const Rows *r, const NullSpace *s, Mobility *out,
                             Arena *mem)
{
    uint32_t n = s->n_empty + s->n_pivots - s->n_followed;
    for (uint32_t k = 0; k < s->n_parts; k++)
        n += s->part[k].m;
    Constraint *all = arena_array(mem, Constraint, n + 1);
    uint32_t at = 0;
    for (uint32_t k = 0; k < s->n_parts; k++) {
        const NullPart *p = &s->part[k];
        uint32_t first = at;
        for (uint32_t i = 0; i < p->m; i++)
            all[at++] = constraint_of(m, r, s, p->row[i], mem);
        judge_part(p, first, all, mem);
    }
    for (uint32_t k = s->n_followed; k < s->n_pivots; k++)
        all[at++] = constraint_of(m, r, s, s->pivot[k].row, mem);
    for (uint32_t k = 0; k < s->n_empty; k++) {
        /* rows that became zero by elimination: of loops all, of other equations those with a
         * nonzero coefficient */
        uint32_t i = s->empty[k];
        bool counts = m->cut_of[m->k.row.at[r->row[i]].eq.i] != UINT32_MAX;
        for (uint32_t e = r->a.start[i]; e < r->a.start[i + 1]; e++)
            counts = counts || r->a.value[e] != 0;
        if (counts) {
            all[at] = constraint_of(m, r, s, i, mem);
            all[at++].is_redundant = true;
        }
    }
    n = at;
    /* those of loops first, in their order; then as they are written */
    Placed *placed = arena_array(mem, Placed, n + 1);
    uint32_t *to = arena_array(mem, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        EqId e = m->k.row.at[all[i].row].eq;
        placed[i] = (Placed){(uint64_t)m->cut_of[e.i] << 32 | e.i, i};
    }
    qsort(placed, n, sizeof *placed, by_key);
    out->constraint = arena_array(mem, Constraint, n + 1);
    for (uint32_t i = 0; i < n; i++)
        to[placed[i].from] = i;
    for (uint32_t i = 0; i < n; i++) {
        Constraint *c = &out->constraint[i];
        *c = all[placed[i].from];
        uint32_t *follows = arena_array(mem, uint32_t, c->n_follows + 1);
        for (uint32_t k = 0; k < c->n_follows; k++)
            follows[k] = to[c->follows[k]];
        c->follows = follows;
        out->n_redundant += c->is_redundant;
    }
    out->n_constraints = n;
    out->loop = arena_array(mem, Loop, m->s->cut.n + 1);
    for (uint32_t i = 0; i < n;) {
        uint32_t cut = m->cut_of[m->k.row.at[out->constraint[i].row].eq.i];
        Loop l = {.cut = cut, .first = i};
        if (cut == UINT32_MAX)
            break;
        while (i < n && m->cut_of[m->k.row.at[out->constraint[i].row].eq.i] == cut)
            i++;
        l.n = i - l.first;
        judge_loop(m, &l, out->constraint, mem);
        out->loop[out->n_loops++] = l;
    }
}

/* ---- the whole ---- */

Mobility mobility_find(Mechanism *m, Arena *mem)
{
    Mobility out = {.above = 1};
    evaluate(m);
    Rows r = rows_of(m, false, false, mem);
    NullSpace s = null_space_of(m, &r, mem);
    for (uint32_t v = 0; v < m->k.n_vars; v++)
        out.n_coordinates += r.use[v] == COLUMN_ASKED;
    out.too_large = s.too_large;
    if (s.too_large)
        return out;
    for (uint32_t i = 0; i < s.n_free; i++)
        out.n_coordinates += r.use[s.free[i]] == COLUMN_SPARE;
    for (uint32_t k = 0; k < s.n_parts; k++)
        for (uint32_t i = 0; i < s.part[k].n; i++)
            out.n_coordinates += r.use[s.part[k].col[i]] == COLUMN_SPARE;
    out.above = s.above;
    out.below = s.below;
    out.n_positions = directions_of(m, &s, mem).n;
    find_constraints(m, &r, &s, &out, mem);
    Rows both = rows_of(m, true, false, mem);
    NullSpace v = null_space_of(m, &both, mem);
    Directions d = directions_of(m, &v, mem);
    out.too_large = v.too_large;
    out.n_free = d.n;
    out.direction = d.at;
    out.above = fmin(out.above, v.above);
    out.below = fmax(out.below, v.below);
    return out;
}

/* Only the number of degrees of freedom, and how clear it is; UINT32_MAX: too large. */
static uint32_t mobility_count(Mechanism *m, double *above)
{
    Arena *mem = arena_new();
    evaluate(m);
    Rows r = rows_of(m, true, false, mem);
    NullSpace s = null_space_of(m, &r, mem);
    uint32_t n = s.too_large ? UINT32_MAX : directions_of(m, &s, mem).n;
    *above = s.above;
    arena_free(mem);
    return n;
}

const double *const *mobility_motions(Mechanism *m, const Mobility *at, uint32_t n, Arena *mem)
{
    const double **out = arena_array(mem, const double *, n + 1);
    Arena *work = arena_new();
    evaluate(m);
    Rows r = rows_of(m, true, false, work);
    NullSpace s = null_space_of(m, &r, work);
    for (uint32_t d = 0; d < n; d++) {
        double *dx = arena_array(mem, double, s.n_cols + m->s->var.n + 1);
        for (uint32_t k = 0; k < at->direction[d].n; k++) {
            Move move = at->direction[d].move[k];
            VarId v = m->k.coordinate[move.coordinate];
            dx[m->k.root[v.i]] = m->k.is_negated[v.i] ? -move.by : move.by;
        }
        null_space_follow(&s, false, dx);
        for (uint32_t v = 0; v < m->k.n_vars; v++)
            if (m->k.root[v] != v)
                dx[v] = m->k.is_negated[v] ? -dx[m->k.root[v]] : dx[m->k.root[v]];
        out[d] = dx;
    }
    arena_free(work);
    return out;
}

/* ---- a step along the directions ---- */

Beyond mobility_beyond(Mechanism *m, const Mobility *at)
{
    static const double STEP = 0.03, MOVED = 0.2;
    Beyond out = {.n_free = UINT32_MAX};
    if (at->n_free == 0)
        return out;
    uint32_t n = m->k.n_coordinates;
    double *was = malloc(m->s->var.n * sizeof *was), *by = calloc(n + (size_t)1, sizeof *by);
    memcpy(was, m->value, m->s->var.n * sizeof *was);
    double most = 0;
    for (uint32_t d = 0; d < at->n_free; d++)
        for (uint32_t k = 0; k < at->direction[d].n; k++) {
            Move move = at->direction[d].move[k];
            by[move.coordinate] += move.by * (1 + 0.37 * sin(1.0 + d)); // no special combination
            most = fmax(most, fabs(by[move.coordinate]));
        }
    bool stays = true;
    for (int sign = 1; sign >= -1; sign -= 2) {
        memcpy(m->value, was, m->s->var.n * sizeof *was);
        for (uint32_t c = 0; c < n; c++)
            m->value[m->k.root[m->k.coordinate[c].i]] +=
                (m->k.is_negated[m->k.coordinate[c].i] ? -1 : 1) * sign * STEP * by[c] / most;
        if (!mechanism_close_position(m))
            continue;
        double moved = 0, above;
        for (uint32_t c = 0; c < n; c++) {
            uint32_t v = m->k.coordinate[c].i;
            moved = fmax(moved, fabs(m->value[v] - was[v]));
        }
        out.is_known = true;
        if (moved < MOVED * STEP)
            continue;
        stays = false;
        uint32_t there = mobility_count(m, &above);
        out.n_free = there < out.n_free ? there : out.n_free;
    }
    out.stays = out.is_known && stays;
    memcpy(m->value, was, m->s->var.n * sizeof *was);
    free(was);
    free(by);
    return out;
}

/* ---- reachable positions ---- */

/* The projection of vectors of coordinates onto the directions at a position, which is closed
 * first: an orthonormal basis of them. */
typedef struct Field {
    uint32_t n, d;
    double *basis; /* d vectors of n */
} Field;

static Field field_at(Mechanism *m, const double *base, const double *shift, Arena *mem)
{
    uint32_t n = m->k.n_coordinates;
    memcpy(m->value, base, m->s->var.n * sizeof *base);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t v = m->k.coordinate[c].i;
        m->value[m->k.root[v]] += m->k.is_negated[v] ? -shift[c] : shift[c];
    }
    mechanism_close_position(m);
    evaluate(m);
    Rows r = rows_of(m, true, false, mem);
    /* all coordinates, not only the chosen ones */
    for (uint32_t c = 0; c < n; c++)
        r.use[m->k.root[m->k.coordinate[c].i]] = COLUMN_ASKED;
    NullSpace s = null_space_of(m, &r, mem);
    Directions d = directions_of(m, &s, mem);
    Field f = {n, d.n, arena_array(mem, double, (size_t)n *d.n + 1)};
    for (uint32_t k = 0; k < d.n; k++) {
        double *v = f.basis + (size_t)k * n, size = 0;
        for (uint32_t i = 0; i < d.at[k].n; i++)
            v[d.at[k].move[i].coordinate] = d.at[k].move[i].by;
        for (uint32_t j = 0; j < k; j++) { // Gram and Schmidt
            double dot = 0;
            for (uint32_t c = 0; c < n; c++)
                dot += v[c] * f.basis[(size_t)j * n + c];
            for (uint32_t c = 0; c < n; c++)
                v[c] -= dot * f.basis[(size_t)j * n + c];
        }
        for (uint32_t c = 0; c < n; c++)
            size += v[c] * v[c];
        for (uint32_t c = 0; c < n; c++)
            v[c] /= sqrt(size);
    }
    return f;
}

static void project(const Field *f, const double *v, double *out)
{
    memset(out, 0, f->n * sizeof *out);
    for (uint32_t k = 0; k < f->d; k++) {
        const double *b = f->basis + (size_t)k * f->n;
        double dot = 0;
        for (uint32_t c = 0; c < f->n; c++)
            dot += b[c] * v[c];
        for (uint32_t c = 0; c < f->n; c++)
            out[c] += dot * b[c];
    }
}

/* The Lie brackets [V_i, V_j] of the fields P(q) v_j at base + shift, pair after pair. */
static double *brackets_at(Mechanism *m, const double *base, const double *shift,
                           const Field *vectors, Arena *mem)
{
    static const double STEP = 1e-3;
    uint32_t n = vectors->n, d = vectors->d;
    double *slope = arena_array(mem, double, (size_t)d *d *n + 1); // of V_j along V_i
    double *at = arena_array(mem, double, n + 1), *p = arena_array(mem, double, n + 1);
    double *own = arena_array(mem, double, (size_t)d *n + 1);
    Field here = field_at(m, base, shift, mem);
    for (uint32_t i = 0; i < d; i++)
        project(&here, vectors->basis + (size_t)i * n, own + (size_t)i * n);
    for (uint32_t i = 0; i < d; i++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            for (uint32_t c = 0; c < n; c++)
                at[c] = shift[c] + sign * STEP * own[(size_t)i * n + c];
            Field there = field_at(m, base, at, mem);
            for (uint32_t j = 0; j < d; j++) {
                project(&there, vectors->basis + (size_t)j * n, p);
                for (uint32_t c = 0; c < n; c++)
                    slope[((size_t)i * d + j) * n + c] += sign * p[c] / (2 * STEP);
            }
        }
    double *out = arena_array(mem, double, (size_t)d *d *n + 1);
    for (uint32_t i = 0; i < d; i++)
        for (uint32_t j = 0; j < d; j++)
            for (uint32_t c = 0; c < n; c++)
                out[((size_t)i * d + j) * n + c] =
                    slope[((size_t)i * d + j) * n + c] - slope[((size_t)j * d + i) * n + c];
    return out;
}

/* Rank of the directions and the brackets together. */
static uint32_t span_of(const Field *f, uint32_t n_more, const double *more, Arena *mem)
{
    static const double NEW = 1e-3; // differences of differences
    uint32_t n = f->n;
    double *all = arena_array(mem, double, ((size_t)f->d + n_more) * n + 1);
    uint32_t *order = arena_array(mem, uint32_t, f->d + n_more + 1);
    memcpy(all, f->basis, (size_t)f->d * n * sizeof *all);
    memcpy(all + (size_t)f->d * n, more, (size_t)n_more * n * sizeof *all);
    return rank_find(n, f->d + n_more, all, NEW, order, NULL, NULL);
}

uint32_t mobility_reach(Mechanism *m, const Mobility *at)
{
    enum { MOST = 40, DEEP = 8 };
    static const double STEP = 1e-2;
    if (at->n_free == at->n_positions || at->n_free == 0)
        return at->n_free;
    if (at->n_free > MOST)
        return UINT32_MAX;
    Arena *mem = arena_new();
    uint32_t n = m->k.n_coordinates, d = at->n_free;
    double *base = arena_array(mem, double, m->s->var.n + 1);
    double *shift = arena_array(mem, double, n + 1);
    memcpy(base, m->value, m->s->var.n * sizeof *base);
    Field f = field_at(m, base, shift, mem);
    double *first = brackets_at(m, base, shift, &f, mem);
    uint32_t reach = span_of(&f, d * d, first, mem);
    /* brackets of brackets, where the first ones are new but not all there is */
    if (reach > d && reach < at->n_positions && d <= DEEP) {
        double *more = arena_array(mem, double, ((size_t)d * d * d + (size_t)d * d) * n + 1);
        memcpy(more, first, (size_t)d * d * n * sizeof *more);
        double *to = more + (size_t)d * d * n;
        for (uint32_t i = 0; i < d; i++, to += (size_t)d * d * n)
            for (int sign = 1; sign >= -1; sign -= 2) {
                for (uint32_t c = 0; c < n; c++)
                    shift[c] = sign * STEP * f.basis[(size_t)i * n + c];
                const double *there = brackets_at(m, base, shift, &f, mem);
                for (size_t k = 0; k < (size_t)d * d * n; k++)
                    to[k] += sign * there[k] / (2 * STEP);
            }
        /* [V, W] = slope of W along V less slope of V along W */
        double *p = arena_array(mem, double, n + 1);
        for (uint32_t w = 0; w < d * d; w++)
            for (int sign = 1; sign >= -1; sign -= 2) {
                for (uint32_t c = 0; c < n; c++)
                    shift[c] = sign * STEP * first[(size_t)w * n + c];
                Field there = field_at(m, base, shift, mem);
                for (uint32_t i = 0; i < d; i++) {
                    project(&there, f.basis + (size_t)i * n, p);
                    to = more + ((size_t)(i + 1) * d * d + w) * n;
                    for (uint32_t c = 0; c < n; c++)
                        to[c] -= sign * p[c] / (2 * STEP);
                }
            }
        reach = span_of(&f, d * d * d + d * d, more, mem);
    }
    memcpy(m->value, base, m->s->var.n * sizeof *base);
    arena_free(mem);
    return reach;
}

/* ---- along a result ---- */

static AlongPoint point_here(Mechanism *m)
{
    AlongPoint p = {.t = m->t};
    mechanism_close_position(m);
    p.n_free = mobility_count(m, &p.above);
    return p;
}

/* Between rows `from` and `to`, s of the way. */
static AlongPoint point_between(Mechanism *m, const ResultTable *t, uint32_t from, uint32_t to,
                                double s, uint32_t n_free, Arena *mem)
{
    mechanism_set_row(m, t, from);
    double *was = arena_array(mem, double, m->s->var.n + 1), t0 = m->t;
    memcpy(was, m->value, m->s->var.n * sizeof *was);
    mechanism_set_row(m, t, to);
    for (uint32_t v = 0; v < m->s->var.n; v++)
        m->value[v] = (1 - s) * was[v] + s * m->value[v];
    m->t = (1 - s) * t0 + s * m->t;
    AlongPoint p = point_here(m);
    p.above = p.n_free > n_free ? 0 : p.above;
    return p;
}

/* The least clear position between three rows, by golden sections. */
static AlongPoint least_between(Mechanism *m, const ResultTable *t, uint32_t from, uint32_t to,
                                uint32_t n_free, Arena *mem)
{
    enum { SECTIONS = 32 };
    const double golden = (sqrt(5) - 1) / 2;
    double a = 0, b = 1;
    AlongPoint p = point_between(m, t, from, to, 1 - golden, n_free, mem);
    AlongPoint q = point_between(m, t, from, to, golden, n_free, mem);
    for (int k = 0; k < SECTIONS && p.above > 0 && q.above > 0; k++) {
        if (p.above < q.above) {
            b = a + golden * (b - a);
            q = p;
            p = point_between(m, t, from, to, b - golden * (b - a), n_free, mem);
        } else {
            a = b - golden * (b - a);
            p = q;
            q = point_between(m, t, from, to, a + golden * (b - a), n_free, mem);
        }
    }
    return p.above < q.above ? p : q;
}

Along mobility_along(Mechanism *m, const char *path, Arena *mem)
{
    Along out = {.n_free = UINT32_MAX, .nearest = {.above = INFINITY}};
    ResultTable t;
    if (!result_table_read(&t, path, mem)) {
        out.error = t.error;
        return out;
    }
    for (uint32_t c = 0; c < m->k.n_coordinates; c++)
        if (result_table_find(&t, mobility_name(m, c)) == t.n_cols) {
            out.error = arena_printf(mem, "%s: there is no '%s', a coordinate of the model", path,
                                     mobility_name(m, c));
            return out;
        }
    uint32_t stride = t.n_rows / ALONG_MOST + 1, n = (t.n_rows + stride - 1) / stride;
    AlongPoint *row = arena_array(mem, AlongPoint, n + 1);
    if (n == 0) {
        out.error = arena_printf(mem, "%s: there are no rows", path);
        return out;
    }
    for (uint32_t k = 0; k < n; k++) {
        mechanism_set_row(m, &t, k * stride);
        row[k] = point_here(m);
        if (row[k].n_free < out.n_free)
            out.n_free = row[k].n_free;
    }
    out.n_rows = n;
    out.first = row[0].t;
    out.last = row[n - 1].t;
    uint32_t before = out.n_free;
    for (uint32_t k = 0; k < n; k++) {
        AlongPoint p = row[k];
        p.above = p.n_free > out.n_free ? 0 : p.above;
        bool dips = k > 0 && k + 1 < n && p.above > 0 && p.above <= row[k - 1].above &&
                    p.above < row[k + 1].above && row[k - 1].n_free == row[k + 1].n_free;
        if (dips && p.above < 0.5 * fmax(row[k - 1].above, row[k + 1].above)) {
            AlongPoint q =
                least_between(m, &t, (k - 1) * stride, (k + 1) * stride, out.n_free, mem);
            p = q.above < p.above ? q : p;
        }
        if (p.above < out.nearest.above)
            out.nearest = p;
        if (p.n_free != before)
            vec_push(mem, out.change, p);
        before = row[k].n_free;
    }
    return out;
}

/* ---- names ---- */

const char *mobility_name(const Mechanism *m, uint32_t coordinate)
{
    return m->s->var.at[m->k.coordinate[coordinate].i].name.s;
}

const char *mobility_where(const Mechanism *m, const Constraint *c, Arena *mem)
{
    const Eq *e = &m->s->eq.at[m->k.row.at[c->row].eq.i];
    if (e->origin && *e->origin)
        return e->origin;
    return arena_copy(mem, diags_where(m->s->diags, e->span),
                      strlen(diags_where(m->s->diags, e->span)));
}
