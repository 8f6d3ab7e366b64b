#include "graph/ladder_layout.h"

/* ---- which leg a pair is on ---- */

typedef struct Legs {
    const Ladder *l;
    const Incidence *g;
    uint32_t *topo, n_topo;   /* matched equations, each after those whose unknowns it needs */
    bool *outward, *inward;   /* needed by structures farther out; needs such structures */
    uint32_t *rise, *descent; /* longest way from the start, to the end of its structure's pairs */
    bool *terminal;           /* per structure: carries no other */
} Legs;

/* The equation that determines v naturally, other than e; INC_NONE if there is none. */
static uint32_t source_of(const Legs *p, uint32_t e, uint32_t v)
{
    uint32_t f = p->l->natural.eq_of[v];
    return f == e ? INC_NONE : f;
}

static void find_natural_order(Legs *p, Arena *mem)
{
    const Incidence *g = p->g;
    const uint32_t *var_of = p->l->natural.var_of;
    uint32_t *missing = arena_array(mem, uint32_t, g->n_rows);
    p->topo = arena_array(mem, uint32_t, g->n_rows);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        if (var_of[e] == INC_NONE)
            continue;
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            missing[e] += source_of(p, e, g->col[k]) != INC_NONE;
        if (missing[e] == 0)
            p->topo[p->n_topo++] = e;
    }
    for (uint32_t i = 0; i < p->n_topo; i++) {
        uint32_t v = var_of[p->topo[i]];
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++) {
            uint32_t e = g->row[k];
            if (e != p->topo[i] && var_of[e] != INC_NONE && --missing[e] == 0)
                p->topo[p->n_topo++] = e;
        }
    }
}

/* Structure a is farther out than b: eliminated before it, and deeper. */
static bool farther(const Ladder *l, uint32_t a, uint32_t b)
{
    return a != INC_NONE && b != INC_NONE && l->handle[a].depth > l->handle[b].depth;
}

static void look_along_edges(Legs *p)
{
    const Incidence *g = p->g;
    const uint32_t *stage = p->l->stage_of;
    for (uint32_t e = 0; e < g->n_rows; e++) {
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t f = source_of(p, e, g->col[k]);
            if (f == INC_NONE)
                continue;
            if (farther(p->l, stage[f], stage[e]))
                p->inward[e] = true;
            if (farther(p->l, stage[e], stage[f]))
                p->outward[f] = true;
        }
    }
}

static void look_along_legs(Legs *p)
{
    const Incidence *g = p->g;
    const uint32_t *stage = p->l->stage_of;
    for (uint32_t i = 0; i < p->n_topo; i++) {
        uint32_t e = p->topo[i];
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t f = source_of(p, e, g->col[k]);
            if (f == INC_NONE || stage[f] != stage[e])
                continue;
            p->inward[e] |= p->inward[f];
            if (p->rise[f] + 1 > p->rise[e])
                p->rise[e] = p->rise[f] + 1;
        }
    }
    for (uint32_t i = p->n_topo; i-- > 0;) {
        uint32_t e = p->topo[i];
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t f = source_of(p, e, g->col[k]);
            if (f == INC_NONE || stage[f] != stage[e])
                continue;
            p->outward[f] |= p->outward[e];
            if (p->descent[e] + 1 > p->descent[f])
                p->descent[f] = p->descent[e] + 1;
        }
    }
}

static Lane lane_of(const Legs *p, uint32_t e)
{
    uint32_t s = p->l->stage_of[e];
    if (s == INC_NONE)
        return LANE_REST;
    if (p->outward[e] != p->inward[e])
        return p->outward[e] ? LANE_KINEMATIC : LANE_KINETIC;
    if (!p->terminal[s] || p->rise[e] == p->descent[e])
        return LANE_STEP;
    return p->rise[e] < p->descent[e] ? LANE_KINEMATIC : LANE_KINETIC;
}

static Legs legs_of(const Ladder *l, const Incidence *g, Arena *mem)
{
    Legs p = {.l = l,
              .g = g,
              .outward = arena_array(mem, bool, g->n_rows),
              .inward = arena_array(mem, bool, g->n_rows),
              .rise = arena_array(mem, uint32_t, g->n_rows),
              .descent = arena_array(mem, uint32_t, g->n_rows),
              .terminal = arena_array(mem, bool, l->n)};
    for (uint32_t s = 0; s < l->n; s++)
        p.terminal[s] = true;
    for (uint32_t s = 0; s < l->n; s++)
        if (l->handle[s].parent != INC_NONE)
            p.terminal[l->handle[s].parent] = false;
    find_natural_order(&p, mem);
    look_along_edges(&p);
    look_along_legs(&p);
    return p;
}

/* ---- rows of a lane ---- */

enum { INNER = LANE_KINETIC - LANE_KINEMATIC + 1 }; /* lanes with pairs: legs and steps */

/* A pair is two nodes and a gap wide. */
static const double PAIR = 2.6;

typedef struct Rows {
    uint32_t n_rows[INNER], longest[INNER];
} Rows;

/* The pairs of each structure, in a list per structure. */
typedef struct Members {
    uint32_t *begin, *eq;
} Members;

static Members members_of(const Ladder *l, uint32_t n_rows, Arena *mem)
{
    Members m = {arena_array(mem, uint32_t, l->n + 2), arena_array(mem, uint32_t, n_rows)};
    for (uint32_t e = 0; e < n_rows; e++)
        if (l->stage_of[e] != INC_NONE && l->natural.var_of[e] != INC_NONE)
            m.begin[l->stage_of[e] + 2]++;
    for (uint32_t s = 2; s <= l->n; s++)
        m.begin[s] += m.begin[s - 1];
    for (uint32_t e = 0; e < n_rows; e++)
        if (l->stage_of[e] != INC_NONE && l->natural.var_of[e] != INC_NONE)
            m.eq[m.begin[l->stage_of[e] + 1]++] = e;
    return m;
}

/* Gives each pair of a structure its row (y, upwards from 0) and its place there (x), in pairs. */
static Rows set_rows(const Legs *p, const Members *m, uint32_t s, LayoutNode *eq, Arena *mem)
{
    Rows rows = {{0}, {0}};
    uint32_t n = m->begin[s + 1] - m->begin[s];
    ArenaMark mark = arena_mark(mem);
    uint32_t *row_of_level = arena_array(mem, uint32_t, n + 1);
    uint32_t *in_row = arena_array(mem, uint32_t, n + 1);
    for (uint32_t lane = 0; lane < INNER; lane++) {
        /* levels that occur become rows without gaps */
        for (uint32_t k = 0; k <= n; k++)
            row_of_level[k] = in_row[k] = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (uint32_t k = m->begin[s]; k < m->begin[s + 1]; k++) {
                uint32_t e = m->eq[k];
                if (eq[e].lane != (Lane)(LANE_KINEMATIC + lane))
                    continue;
                bool kinetic = eq[e].lane == LANE_KINETIC;
                uint32_t level = kinetic ? p->descent[e] : p->rise[e];
                level = level > n ? n : level;
                if (pass == 0) {
                    row_of_level[level] = 1;
                    continue;
                }
                uint32_t row = row_of_level[level];
                eq[e].y = row;
                eq[e].x = in_row[row]++;
                if (in_row[row] > rows.longest[lane])
                    rows.longest[lane] = in_row[row];
            }
            for (uint32_t k = 0; pass == 0 && k <= n; k++)
                if (row_of_level[k])
                    row_of_level[k] = rows.n_rows[lane]++;
        }
    }
    arena_rollback(mem, mark);
    return rows;
}

/* ---- bands ---- */

/* Columns of bands: a terminal structure opens one, others stand below the middle of those that
 * they carry. */
static double *columns_of(const Ladder *l, const bool *shown, double *n_columns, Arena *mem)
{
    double *column = arena_array(mem, double, l->n);
    double *low = arena_array(mem, double, l->n);
    double *high = arena_array(mem, double, l->n);
    bool *carries = arena_array(mem, bool, l->n);
    /* parents are eliminated after their children, so their numbers are higher; branches of one
     * parent follow one another */
    *n_columns = 0;
    for (uint32_t s = 0; s < l->n; s++) {
        if (!shown[s])
            continue;
        column[s] = carries[s] ? (low[s] + high[s]) / 2 : (*n_columns)++;
        uint32_t up = l->handle[s].parent;
        if (up == INC_NONE)
            continue;
        low[up] = carries[up] && low[up] < column[s] ? low[up] : column[s];
        high[up] = carries[up] && high[up] > column[s] ? high[up] : column[s];
        carries[up] = true;
    }
    return column;
}

/* The structures next to the ground. */
static bool *choose_shown(const Ladder *l, uint32_t most, uint32_t *n_hidden, Arena *mem)
{
    bool *shown = arena_array(mem, bool, l->n);
    uint32_t *at_depth = arena_array(mem, uint32_t, l->n + 1);
    for (uint32_t s = 0; s < l->n; s++)
        at_depth[l->handle[s].depth < l->n ? l->handle[s].depth : l->n]++;
    uint32_t depth = 0;
    uint32_t n = 0;
    while (depth <= l->n && (depth == 0 || n + at_depth[depth] <= most))
        n += at_depth[depth++];
    *n_hidden = 0;
    for (uint32_t s = 0; s < l->n; s++) {
        shown[s] = l->handle[s].depth < depth;
        *n_hidden += !shown[s];
    }
    return shown;
}

/* Equations and unknowns of no structure, in rows of their own from y on; returns the next y. */
static double set_rest(LadderLayout *t, const Ladder *l, const Incidence *g, Lane lane, double y,
                       double width)
{
    double x = 0;
    bool any = false;
    for (uint32_t e = 0; e < g->n_rows; e++) {
        uint32_t v = l->natural.var_of[e];
        bool rest = t->eq[e].lane == lane;
        if (!rest)
            continue;
        if (any && x + PAIR > width) {
            x = 0;
            y++;
        }
        any = true;
        t->eq[e].x = x;
        t->eq[e].y = y;
        t->eq[e].shown = true;
        if (v != INC_NONE) {
            t->var[v].x = x + 1;
            t->var[v].y = y;
            t->var[v].shown = true;
        }
        x += PAIR;
    }
    for (uint32_t v = 0; v < g->n_cols; v++) {
        if (t->var[v].lane != lane || l->natural.eq_of[v] != INC_NONE)
            continue;
        if (any && x + PAIR > width) {
            x = 0;
            y++;
        }
        any = true;
        t->var[v].x = x + 1;
        t->var[v].y = y;
        t->var[v].shown = true;
        x += PAIR;
    }
    return any ? y + 2 : y;
}

/* Computes positions in the picture from rows and places in pairs. */
static void set_standings(LadderLayout *t, const Ladder *l, const Members *m, const Rows *rows,
                          uint32_t s)
{
    const Band *b = &t->band[s];
    for (uint32_t k = m->begin[s]; k < m->begin[s + 1]; k++) {
        LayoutNode *e = &t->eq[m->eq[k]];
        uint32_t lane = (uint32_t)e->lane - LANE_KINEMATIC;
        double room = b->height - 1 - (rows->n_rows[lane] - 1.0);
        /* legs from end to end of the band, steps in its middle */
        double stretch = rows->n_rows[lane] > 1 ? (b->height - 1) / (rows->n_rows[lane] - 1.0) : 0;
        double up = lane == LANE_STEP - LANE_KINEMATIC ? room / 2 + e->y : e->y * stretch;
        if (rows->n_rows[lane] == 1)
            up = room / 2;
        e->x = b->x + t->lane_x[e->lane] + e->x * PAIR;
        e->y = b->y + b->height - 1 - up;
        e->shown = b->shown;
        LayoutNode *v = &t->var[l->natural.var_of[m->eq[k]]];
        *v = *e;
        v->x += 1;
    }
    LayoutNode *tear = &t->var[l->handle[s].var];
    LayoutNode *residual = &t->eq[l->handle[s].eq];
    double middle = b->y + (b->height - 1) / 2;
    *tear = (LayoutNode){b->x + t->lane_x[LANE_TEARING], middle, LANE_TEARING, s, b->shown};
    *residual = (LayoutNode){b->x + t->lane_x[LANE_RESIDUAL], middle, LANE_RESIDUAL, s, b->shown};
}

LadderLayout ladder_layout(const Ladder *l, const Incidence *g, uint32_t most, Arena *mem)
{
    LadderLayout t = {.eq = arena_array(mem, LayoutNode, g->n_rows),
                      .var = arena_array(mem, LayoutNode, g->n_cols),
                      .band = arena_array(mem, Band, l->n)};
    Legs legs = legs_of(l, g, mem);
    Members m = members_of(l, g->n_rows, mem);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        bool matched = l->natural.var_of[e] != INC_NONE;
        t.eq[e] = (LayoutNode){.lane = matched ? lane_of(&legs, e) : LANE_LOOP,
                               .structure = l->stage_of[e]};
    }
    for (uint32_t v = 0; v < g->n_cols; v++) {
        uint32_t e = l->natural.eq_of[v];
        t.var[v] = e == INC_NONE ? (LayoutNode){.lane = LANE_LOOP, .structure = INC_NONE} : t.eq[e];
    }
    for (uint32_t s = 0; s < l->n; s++) {
        t.eq[l->handle[s].eq] = (LayoutNode){.lane = LANE_RESIDUAL, .structure = s};
        t.var[l->handle[s].var] = (LayoutNode){.lane = LANE_TEARING, .structure = s};
    }
    /* sizes */
    bool *shown = choose_shown(l, most, &t.n_hidden, mem);
    Rows *rows = arena_array(mem, Rows, l->n);
    uint32_t widest[INNER] = {1, 1, 1};
    uint32_t depths = 0;
    for (uint32_t s = 0; s < l->n; s++) {
        rows[s] = set_rows(&legs, &m, s, t.eq, mem);
        for (uint32_t k = 0; shown[s] && k < INNER; k++)
            widest[k] = rows[s].longest[k] > widest[k] ? rows[s].longest[k] : widest[k];
        if (shown[s] && l->handle[s].depth + 1 > depths)
            depths = l->handle[s].depth + 1;
    }
    double x = 2;
    for (uint32_t k = 0; k < INNER; k++) {
        t.lane_x[LANE_KINEMATIC + k] = x;
        x += widest[k] * PAIR + 1;
    }
    t.lane_x[LANE_RESIDUAL] = x;
    double band_width = x + 1;
    double *height = arena_array(mem, double, depths);
    for (uint32_t s = 0; s < l->n; s++) {
        for (uint32_t k = 0; shown[s] && k < INNER; k++) {
            double *h = &height[l->handle[s].depth];
            *h = rows[s].n_rows[k] > *h ? rows[s].n_rows[k] : *h;
            *h = *h < 1 ? 1 : *h;
        }
    }
    /* from the top: equations of loops, the farthest structures, the ground */
    double n_columns;
    double *column = columns_of(l, shown, &n_columns, mem);
    n_columns = n_columns < 1 ? 1 : n_columns;
    t.width = n_columns * (band_width + 2) - 2;
    double y = set_rest(&t, l, g, LANE_LOOP, 0, t.width);
    for (uint32_t d = depths; d-- > 0;) {
        double below = height[d];
        height[d] = y; /* from now on: where the bands of this depth begin */
        y += below + 2;
    }
    for (uint32_t s = 0; s < l->n; s++) {
        if (!shown[s])
            continue;
        uint32_t d = l->handle[s].depth;
        double end = d == 0 ? y : height[d - 1];
        t.band[s] =
            (Band){column[s] * (band_width + 2), height[d], band_width, end - height[d] - 2, true};
    }
    for (uint32_t s = 0; s < l->n; s++)
        set_standings(&t, l, &m, &rows[s], s);
    y = set_rest(&t, l, g, LANE_REST, y, t.width);
    t.height = y - 1;
    return t;
}
