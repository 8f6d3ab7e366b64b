/* rung graph: equations and unknowns as a picture, or as a graph for other programs. */
#include "cli/command.h"
#include "cli/requests.h"
#include "eliminate/block/ordering.h"
#include "emit/picture/diagram.h"
#include "emit/picture/spy.h"
#include "graph/by_igraph.h"
#include "graph/ladder.h"
#include "graph/ladder_layout.h"
#include "study/output.h"
#include "translate/driver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum What { WHAT_INCIDENCE, WHAT_BLT, WHAT_BLOCKS, WHAT_LADDER, WHATS } What;
typedef enum Format { FORMAT_DOT, FORMAT_GRAPHML, FORMAT_JSON, FORMAT_SVG } Format;

static const char *const what_names[] = {"incidence", "blt", "blocks", "ladder"};
static const char *const format_names[] = {"dot", "graphml", "json", "svg"};
static const char *const label_names[] = {"one", "constant", "parameter", "other", "nonlinear"};

static int find_name(const char *name, const char *const *names, int n)
{
    for (int k = 0; k < n; k++) {
        if (strcmp(name, names[k]) == 0)
            return k;
    }
    return -1;
}

/* Who wrote equation e: its instance and where it stands. */
static const char *origin_of(const Compilation *c, EqId e)
{
    const Eq *q = &c->sys->eq.at[e.i];
    const Source *s = q->span.file ? diags_source(c->diags, q->span.file) : NULL;
    const char *instance = q->origin && *q->origin ? q->origin : c->sys->class_name.s;
    if (!s)
        return instance;
    const char *file = strrchr(s->path, '/');
    Place at = diags_place(c->diags, q->span.file, q->span.begin);
    return arena_printf(c->mem, "%s (%s:%u:%u)", instance, file ? file + 1 : s->path, at.line,
                        at.column);
}

/* Nodes of rows and columns, edges of an incidence. Equations first. */
static Diagram diagram_of(Compilation *c, const Incidence *g, const EqId *eq, const VarId *var,
                          const uint32_t *eq_of, DiagramNode **nodes)
{
    DiagramNode *node = arena_array(c->mem, DiagramNode, g->n_rows + g->n_cols);
    DiagramEdge *edge = arena_array(c->mem, DiagramEdge, g->n_edges);
    for (uint32_t e = 0; e < g->n_rows; e++)
        node[e] = (DiagramNode){.kind = "equation",
                                .id = arena_printf(c->mem, "e%u", eq[e].i + 1),
                                .name = origin_of(c, eq[e]),
                                .group = DIAGRAM_NONE};
    for (uint32_t v = 0; v < g->n_cols; v++)
        node[g->n_rows + v] = (DiagramNode){.kind = "unknown",
                                            .id = arena_printf(c->mem, "v%u", var[v].i + 1),
                                            .name = c->sys->var.at[var[v].i].name.s,
                                            .group = DIAGRAM_NONE};
    for (uint32_t e = 0; e < g->n_rows; e++) {
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            edge[k] = (DiagramEdge){.from = e,
                                    .to = g->n_rows + g->col[k],
                                    .label = label_names[g->label[k]],
                                    .matched = eq_of[g->col[k]] == e};
    }
    *nodes = node;
    return (Diagram){.title = c->request.model,
                     .group_name = "block",
                     .n_nodes = g->n_rows + g->n_cols,
                     .node = node,
                     .n_edges = g->n_edges,
                     .edge = edge};
}

static void write_diagram(const Diagram *d, Format format, Text *t)
{
    static void (*const write[])(const Diagram *, Text *) = {diagram_dot, diagram_graphml,
                                                             diagram_json, diagram_svg};
    write[format](d, t);
}

/* ---- incidence, block lower triangular form ---- */

/* Writes the graph of the whole model after index reduction; in blt order rows and columns are
 * permuted. */
static void write_whole(Compilation *c, What what, Format format, Text *t)
{
    const Incidence *g = &c->dae.blt.columns.g;
    const Blocks *b = &c->dae.blt.blocks;
    uint32_t n = g->n_rows;
    uint32_t *row_at = arena_array(c->mem, uint32_t, n);
    uint32_t *column_at = arena_array(c->mem, uint32_t, n);
    uint32_t *row_of = arena_array(c->mem, uint32_t, n);
    uint32_t *column_of = arena_array(c->mem, uint32_t, n);
    for (uint32_t k = 0; k < n; k++) {
        row_at[k] = what == WHAT_BLT ? b->eq[k] : k;
        column_at[k] = what == WHAT_BLT ? b->var[k] : k;
        row_of[row_at[k]] = k;
        column_of[column_at[k]] = k;
    }
    const char *title =
        arena_printf(c->mem, "%s: %s", c->request.model,
                     what == WHAT_BLT ? "block lower triangular form" : "incidence");
    if (format == FORMAT_SVG) {
        SpyEntry *entry = arena_array(c->mem, SpyEntry, g->n_edges);
        for (uint32_t e = 0; e < n; e++) {
            for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
                entry[k] = (SpyEntry){row_of[e], column_of[g->col[k]],
                                      c->dae.blt.matching.eq_of[g->col[k]] == e};
        }
        Spy s = {.title = title,
                 .n_rows = n,
                 .n_columns = n,
                 .n_entries = g->n_edges,
                 .entry = entry,
                 .n_blocks = b->n,
                 .block = what == WHAT_BLT ? b->begin : NULL};
        spy_svg(&s, t);
        return;
    }
    Incidence part = incidence_part(g, row_at, n, column_at, n, c->mem);
    EqId *eq = arena_array(c->mem, EqId, n);
    VarId *var = arena_array(c->mem, VarId, n);
    uint32_t *eq_of = arena_array(c->mem, uint32_t, n);
    for (uint32_t k = 0; k < n; k++) {
        eq[k] = (EqId){row_at[k]};
        var[k] = c->dae.blt.columns.var[column_at[k]];
        eq_of[k] = row_of[c->dae.blt.matching.eq_of[column_at[k]]];
    }
    DiagramNode *node;
    Diagram d = diagram_of(c, &part, eq, var, eq_of, &node);
    d.title = title;
    for (uint32_t k = 0; what == WHAT_BLT && k < b->n; k++) {
        for (uint32_t i = b->begin[k]; i < b->begin[k + 1]; i++)
            node[i].group = node[n + i].group = k;
    }
    write_diagram(&d, format, t);
}

/* ---- blocks ---- */

/* An edge for each block whose unknowns another one needs. */
static Diagram diagram_of_blocks(Compilation *c, DiagramNode **nodes)
{
    const Incidence *g = &c->dae.blt.columns.g;
    const Blocks *b = &c->dae.blt.blocks;
    DiagramNode *node = arena_array(c->mem, DiagramNode, b->n + 1);
    VEC(DiagramEdge) edge = {0};
    uint32_t *seen = arena_array(c->scratch, uint32_t, b->n + 1);
    for (uint32_t k = 0; k < b->n; k++) {
        uint32_t n = b->begin[k + 1] - b->begin[k];
        const char *name = c->sys->var.at[c->dae.blt.columns.var[b->var[b->begin[k]]].i].name.s;
        node[k] = (DiagramNode){
            .kind = "block",
            .id = arena_printf(c->mem, "b%u", k + 1),
            .name = n > 1 ? arena_printf(c->mem, "%s and %u more", name, n - 1) : name,
            .group = n > 1 ? k : DIAGRAM_NONE,
        };
        for (uint32_t i = b->begin[k]; i < b->begin[k + 1]; i++) {
            uint32_t e = b->eq[i];
            for (uint32_t j = g->row_begin[e]; j < g->row_begin[e + 1]; j++) {
                uint32_t from = b->block_of[c->dae.blt.matching.eq_of[g->col[j]]];
                if (from == k || seen[from] == k + 1)
                    continue;
                seen[from] = k + 1;
                DiagramEdge needs = {.from = from, .to = k};
                vec_push(c->mem, edge, needs);
            }
        }
    }
    *nodes = node;
    return (Diagram){.title = arena_printf(c->mem, "%s: blocks", c->request.model),
                     .group_name = "block",
                     .directed = true,
                     .n_nodes = b->n,
                     .node = node,
                     .n_edges = edge.n,
                     .edge = edge.at};
}

/* Blocks that are evaluated first stand on top. */
static bool place_blocks(Compilation *c, Diagram *d, DiagramNode *node)
{
    enum { BLOCKS_DRAWN = 3000, LAYERS_CROSSED = 100 * 1000 };
    uint32_t *from = arena_array(c->scratch, uint32_t, d->n_edges + 1);
    uint32_t *to = arena_array(c->scratch, uint32_t, d->n_edges + 1);
    double *x = arena_array(c->scratch, double, d->n_nodes + 1);
    double *y = arena_array(c->scratch, double, d->n_nodes + 1);
    for (uint32_t k = 0; k < d->n_edges; k++) {
        from[k] = d->edge[k].from;
        to[k] = d->edge[k].to;
    }
    Digraph g = {.n = d->n_nodes, .n_edges = d->n_edges, .from = from, .to = to};
    if (g.n > BLOCKS_DRAWN || !igraph_layers(&g, LAYERS_CROSSED, x, y)) {
        fprintf(stderr,
                "rung: the %u blocks of %s with %u edges are too many for a picture; dot, graphml "
                "and json have them all\n",
                d->n_nodes, c->request.model, d->n_edges);
        return false;
    }
    for (uint32_t k = 0; k < d->n_nodes; k++) {
        node[k].x = 1.5 * x[k];
        node[k].y = 3 * y[k];
        node[k].placed = true;
        d->width = fmax(d->width, node[k].x + 1);
        d->height = fmax(d->height, node[k].y + 1);
    }
    return true;
}

static bool write_blocks(Compilation *c, Format format, Text *t)
{
    DiagramNode *node;
    Diagram d = diagram_of_blocks(c, &node);
    if (format == FORMAT_SVG && !place_blocks(c, &d, node))
        return false;
    d.note = arena_printf(c->mem, "%u blocks; coloured: algebraic loops", d.n_nodes);
    write_diagram(&d, format, t);
    return true;
}

/* ---- ladder ---- */

/* Keeps the structure of the largest linear block that comes by. */
typedef struct Watch {
    OrderSource source;
    OrderPolicy candidates;
    Arena *mem;
    Incidence g;
    uint32_t at, n_blocks; /* which of the linear blocks, of how many */
} Watch;

static bool watched_order(OrderSource *self, const Incidence *g, uint32_t k, Arena *mem,
                          Candidate *out)
{
    Watch *w = (Watch *)self;
    if (k == 0) {
        if (w->n_blocks == 0 || g->n_rows > w->g.n_rows) {
            uint32_t *all = arena_array(w->mem, uint32_t, g->n_rows);
            for (uint32_t i = 0; i < g->n_rows; i++)
                all[i] = i;
            w->g = incidence_part(g, all, g->n_rows, all, g->n_cols, w->mem);
            w->at = w->n_blocks;
        }
        w->n_blocks++;
    }
    return ordering_next(&w->candidates, g, k, mem, out);
}

static const BlockReport *linear_report(const Solution *s, uint32_t at)
{
    for (uint32_t k = 0; k < s->n_reports; k++) {
        if (s->report[k].kind == BLOCK_LINEAR && at-- == 0)
            return &s->report[k];
    }
    return NULL;
}

/* Structures are numbered from the ground, not in the order of their elimination. */
static void dress(Compilation *c, Diagram *d, DiagramNode *node, const Ladder *l,
                  const LadderLayout *p, uint32_t n_rows)
{
    static const char *const roles[] = {"tearing variable", "kinematic leg",     "step",
                                        "kinetic leg",      "residual equation", "closes a loop",
                                        "of no structure"};
    for (uint32_t k = 0; k < d->n_nodes; k++) {
        const LayoutNode *s = k < n_rows ? &p->eq[k] : &p->var[k - n_rows];
        node[k].role = roles[s->lane];
        node[k].group = s->structure == INC_NONE ? DIAGRAM_NONE : l->n - 1 - s->structure;
        node[k].x = s->x;
        node[k].y = s->y;
        node[k].placed = s->shown;
    }
    DiagramFrame *frame = arena_array(c->mem, DiagramFrame, l->n + LANES);
    for (uint32_t s = 0; s < l->n; s++) {
        const Band *b = &p->band[s];
        if (b->shown)
            frame[d->n_frames++] = (DiagramFrame){
                b->x,      b->y,         b->width,
                b->height, l->n - 1 - s, arena_printf(c->mem, "body structure %u", l->n - s)};
    }
    /* titles of the lanes, below the first structure on the ground */
    static const char *const titles[] = {"tearing", "kinematic leg", "steps", "kinetic leg",
                                         "residual"};
    uint32_t first = l->n;
    for (uint32_t s = l->n; s-- > 0;)
        if (p->band[s].shown && l->handle[s].parent == INC_NONE)
            first = s;
    for (uint32_t k = 0; first < l->n && k <= LANE_RESIDUAL; k++)
        frame[d->n_frames++] =
            (DiagramFrame){p->band[first].x + p->lane_x[k] - (k == LANE_RESIDUAL),
                           p->band[first].y + p->band[first].height + 0.95,
                           0,
                           0,
                           DIAGRAM_NONE,
                           titles[k]};
    for (uint32_t k = 0; k < d->n_nodes; k++) {
        if (node[k].placed && strcmp(node[k].role, roles[LANE_LOOP]) == 0) {
            frame[d->n_frames++] = (DiagramFrame){0, 0, 0, 0, DIAGRAM_NONE, "loop equations"};
            break;
        }
    }
    d->frame = frame;
    d->width = p->width;
    d->height = p->height;
}

enum { NODES_DRAWN = 3000 };

static bool write_ladder(Compilation *c, const Watch *w, Format format, Text *t)
{
    const BlockReport *r = linear_report(&c->dae.solution, w->at);
    const char *model = c->request.model;
    if (!r || r->n != w->g.n_rows) {
        fprintf(stderr, "rung: %s has no linear algebraic loop, so it has no ladder\n", model);
        return false;
    }
    Ladder l = ladder_find(&w->g, c->mem);
    if (l.why) {
        fprintf(stderr, "rung: the loop of %u equations for %s, ... is no ladder: %s\n", r->n,
                c->sys->var.at[r->var[0].i].name.s, l.why);
        return false;
    }
    uint32_t most = l.n;
    if (format == FORMAT_SVG && 2 * r->n > NODES_DRAWN)
        most = (uint32_t)((uint64_t)NODES_DRAWN * l.n / (2 * r->n));
    LadderLayout p = ladder_layout(&l, &w->g, most ? most : 1, c->mem);
    DiagramNode *node;
    Diagram d = diagram_of(c, &w->g, r->eq, r->var, l.natural.eq_of, &node);
    d.group_name = "structure";
    d.title = arena_printf(c->mem, "%s: ladder", model);
    dress(c, &d, node, &l, &p, w->g.n_rows);
    const char *loops =
        w->n_blocks > 1 ? arena_printf(c->mem, ", the largest of %u loops", w->n_blocks) : "";
    d.note = arena_printf(c->mem, "%u equations, %u body structures%s", r->n, l.n, loops);
    if (p.n_hidden)
        d.note =
            arena_printf(c->mem, "%s; %u structures farther out are not drawn", d.note, p.n_hidden);
    write_diagram(&d, format, t);
    return true;
}

/* ---- the command ---- */

static bool read_options(const Options *o, What *what, Format *format)
{
    int w = o->what ? find_name(o->what, what_names, WHATS) : WHAT_INCIDENCE;
    const char *dot = o->output ? strrchr(o->output, '.') : NULL;
    int f = dot ? find_name(dot + 1, format_names, 4) : FORMAT_DOT;
    if (o->format)
        f = find_name(o->format, format_names, 4);
    else if (f < 0)
        f = FORMAT_DOT;
    if (w < 0)
        fputs("rung: --what takes incidence, blt, blocks, ladder\n", stderr);
    if (f < 0)
        fputs("rung: --format takes dot, graphml, json, svg\n", stderr);
    *what = (What)w;
    *format = (Format)f;
    return w >= 0 && f >= 0;
}

Exit command_graph(const Options *o)
{
    What what;
    Format format;
    if (!read_options(o, &what, &format))
        return EXIT_USAGE;
    Arena *mem = arena_new();
    Watch w = {.source = {watched_order}, .mem = mem};
    Request r = request_of(o);
    Compilation *c = compilation_open(&r, mem);
    if (c) {
        c->orders = (Orders){.source = &w.source};
    }
    bool ok = c && driver_run(c, what == WHAT_LADDER ? NULL : driver_find("blocks"));
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD) {
        Text t = text_new(mem);
        if (what == WHAT_INCIDENCE || what == WHAT_BLT)
            write_whole(c, what, format, &t);
        else if (what == WHAT_BLOCKS ? !write_blocks(c, format, &t)
                                     : !write_ladder(c, &w, format, &t))
            status = EXIT_MODEL;
        Output out;
        if (status == EXIT_GOOD) {
            ok = output_open(&out, o->output);
            if (ok && t.n)
                fwrite(t.at, 1, t.n, out.file);
            if (!ok || !output_close(&out))
                status = EXIT_FILE;
        }
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}
