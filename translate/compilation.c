/* A compilation's life: finding libraries, reading files, printing messages. */
#include "translate/compilation.h"

#include "base/bug.h"
#include "frontend/syntax/syntax_print.h"
#include "graph/cut_choice.h"
#include "graph/spanning.h"
#include "import/fmu_model.h"
#include "translate/data.h"

#include <stdlib.h>
#include <string.h>

/* Loops are cut where both sides carry mass: the connects are written anew. */
static Spanning cut_well(const VirtualGraph *v, SpanningGraph *g, Arena *mem)
{
    uint32_t n_roots = v->n_roots + v->n_potential;
    uint32_t *root = arena_array(mem, uint32_t, n_roots + 1);
    SpanningEdge *connect = arena_array(mem, SpanningEdge, v->n_connects);
    for (uint32_t k = 0; k < n_roots; k++)
        root[k] = k < v->n_roots ? v->root[k] : v->potential[k - v->n_roots];
    memcpy(connect, g->connect, v->n_connects * sizeof *connect);
    CutGraph c = {.n_nodes = v->n_nodes,
                  .n_branches = v->n_branches,
                  .n_connects = v->n_connects,
                  .n_roots = n_roots,
                  .branch = g->branch,
                  .moves = v->moves,
                  .root = root,
                  .component = v->component,
                  .n_flows = v->n_flows,
                  .connect = connect,
                  .inside = v->inside};
    g->rank = cut_choice(&c, mem);
    g->connect = connect;
    for (uint32_t k = 0; k < v->n_connects; k++) {
        v->connect[k][0] = connect[k].a;
        v->connect[k][1] = connect[k].b;
    }
    return spanning_find(g, mem);
}

/* Lent to the frontend, which does not know graph/. */
static const char *span_connections(const VirtualGraph *v, Arena *mem, uint32_t *at)
{
    SpanningGraph g = {.n_nodes = v->n_nodes,
                       .n_branches = v->n_branches,
                       .n_connects = v->n_connects,
                       .n_roots = v->n_roots,
                       .n_potential = v->n_potential,
                       .branch = (const SpanningEdge *)v->branch,
                       .connect = (const SpanningEdge *)v->connect,
                       .root = v->root,
                       .potential = v->potential,
                       .priority = v->priority};
    Spanning t = spanning_find(&g, mem);
#if RUNG_CHECKS
    if (t.fault == SPANNING_GOOD && !spanning_check(&t, &g)) {
        spanning_dump(&t, &g, stderr);
        bug("the trees of the connection graph contradict it");
    }
#endif
    bool any_broken = false;
    for (uint32_t k = 0; k < v->n_connects; k++)
        any_broken = any_broken || t.broken[k];
    if (any_broken && t.fault == SPANNING_GOOD)
        t = cut_well(v, &g, mem);
    memcpy(v->broken, t.broken, sizeof(bool) * v->n_connects);
    memcpy(v->root_of, t.root_of, sizeof(uint32_t) * v->n_nodes);
    memcpy(v->above, t.parent, sizeof(uint32_t) * v->n_nodes);
    memcpy(v->rooted, t.rooted, sizeof(bool) * v->n_branches);
    *at = t.fault_at;
    switch (t.fault) {
    case SPANNING_GOOD:
        return NULL;
    case SPANNING_BRANCH_LOOP:
        return "closes a loop of required branches";
    case SPANNING_TWO_ROOTS:
        return "ties two definite roots together";
    case SPANNING_NO_ROOT:
        *at += v->n_branches;
        return "has no root";
    }
    bug("spanning fault %d", (int)t.fault);
}

/* The class of an FMU. */
static void add_fmu(Compilation *c, const char *path, Dependencies *to)
{
    Text text = text_new(c->mem);
    const FmuModelOptions asked = {.interface = c->request.interface,
                                   .step = c->request.fmu_step,
                                   .tolerance = c->request.fmu_tolerance};
    dependencies_add(to, DEPENDS_ON_BYTES, path);
    if (fmu_model_of_file(path, &asked, c->mem, c->diags, &text))
        library_add_text(c->library, path, text.at);
}

static Compilation *compilation_begin(const Request *r, Arena *mem, Dependencies *to)
{
    Compilation *c = arena_make(mem, Compilation);
    c->request = *r;
    c->mem = mem;
    c->scratch = arena_new();
    c->names = names_new(mem);
    c->diags = diags_new(mem);
    c->sys = system_new(mem, c->names, c->diags, !r->plain_consing);
    c->sys->model = r->model;
    c->sys->cache = r->keeps_orders ? cache_open(mem) : NULL;
    c->library = library_new(mem, c->names, c->diags);
    library_record(c->library, to);
    for (uint32_t k = 0; k < r->libraries.n; k++)
        library_add_root(c->library, r->libraries.at[k]);
    /* rung's version of tool-specific packages comes before the library's default */
    const char *services = data_directory(mem, "library/tool");
    if (services)
        library_add_root(c->library, services);
    const char *path = getenv("MODELICAPATH");
    if (path && *path)
        library_add_root(c->library, arena_copy(mem, path, strlen(path)));
    const char *own = data_directory(mem, "library");
    if (own)
        library_add_root(c->library, own);
    for (uint32_t k = 0; k < r->files.n; k++)
        if (fmu_model_is_path(r->files.at[k]))
            add_fmu(c, r->files.at[k], to);
        else
            library_add_file(c->library, r->files.at[k]);
    c->front = front_new(c->sys, c->library);
    c->front->spanning = span_connections;
    c->front->units = r->units;
    c->front->strict = r->strict;
    c->front->ranges = r->ranges;
    return c;
}

Compilation *compilation_new(const Request *r, Arena *mem)
{
    return compilation_begin(r, mem, NULL);
}

void compilation_name(Compilation *c, const char *model)
{
    c->request.model = model;
    c->sys->model = model;
}

static bool mentions(const SynClass *c, Name name)
{
    if (c->kind == SYN_SHORT && c->base.n && name_same(c->base.name[0], name))
        return true;
    for (uint32_t k = 0; k < c->n_elements; k++) {
        const SynElement *e = c->elements[k];
        const SynPath *path = e->kind == SYN_COMPONENT ? &e->component->type
                              : e->kind == SYN_EXTENDS ? &e->extends->base
                              : e->kind == SYN_IMPORT  ? &e->import->path
                                                       : NULL;
        if ((path && path->n && name_same(path->name[0], name)) ||
            (e->kind == SYN_CLASS && mentions(e->class_, name)))
            return true;
    }
    return false;
}

uint32_t compilation_candidates(Compilation *c, const SynClass **out, uint32_t most)
{
    uint32_t n = library_n_files(c->library);
    const SynFile *f = n ? library_file(c->library, n - 1) : NULL;
    uint32_t found = 0;
    for (uint32_t k = 0; f && k < f->n_classes; k++) {
        const SynClass *x = f->class_[k];
        bool is_model = x->restriction == SYN_R_MODEL || x->restriction == SYN_R_BLOCK ||
                        x->restriction == SYN_R_CLASS;
        if (!is_model || x->partial)
            continue;
        bool is_used = false;
        for (uint32_t j = 0; j < f->n_classes && !is_used; j++)
            is_used = j != k && mentions(f->class_[j], x->name);
        if (!is_used && found++ < most)
            out[found - 1] = x;
    }
    return found;
}

/* The name of a class of the file from the top, `within` before it (MLS 13.2.2.3). */
static const char *full_name(const Compilation *c, const SynFile *f, const SynClass *x)
{
    return f->within.n ? arena_printf(c->mem, "%s.%s", syn_path_text(c->mem, &f->within), x->name.s)
                       : x->name.s;
}

/* Without --model the one model of the last file that no other class there uses is meant. */
static const char *default_model(Compilation *c, bool *is_open)
{
    enum { MOST = 20 };
    const SynClass *at[MOST];
    uint32_t n = compilation_candidates(c, at, MOST);
    uint32_t files = library_n_files(c->library);
    const SynFile *f = files ? library_file(c->library, files - 1) : NULL;
    *is_open = n > 1;
    if (n > 1) {
        fputs("rung: which model? name one with --model:", stderr);
        for (uint32_t k = 0; k < n && k < MOST; k++)
            fprintf(stderr, " %s", full_name(c, f, at[k]));
        fputs(n > MOST ? " ...\n" : "\n", stderr);
        return NULL;
    }
    if (n == 1)
        return full_name(c, f, at[0]);
    return f && f->n_classes ? full_name(c, f, f->class_[f->n_classes - 1]) : NULL;
}

Compilation *compilation_open(const Request *r, Arena *mem)
{
    return compilation_open_recording(r, mem, NULL);
}

Compilation *compilation_open_recording(const Request *r, Arena *mem, Dependencies *to)
{
    Compilation *c = compilation_begin(r, mem, to);
    if (r->model)
        return c;
    bool is_open = false;
    const char *model = diags_errors(c->diags) ? NULL : default_model(c, &is_open);
    if (!model) {
        if (diags_errors(c->diags))
            return c; /* an unreadable file is a better message than a missing option */
        if (!is_open)
            fputs("rung: no model: name one with --model\n", stderr);
        compilation_free(c);
        return NULL;
    }
    compilation_name(c, model);
    return c;
}

void compilation_free(Compilation *c)
{
    if (!c)
        return;
    system_free(c->sys);
    front_free(c->front);
    arena_free(c->scratch);
}

Exit compilation_report(Compilation *c, FILE *f)
{
    if (c->request.messages_as_json)
        diags_print_json(c->diags, f);
    else
        diags_print(c->diags, f, c->request.messages_in_colour);
    for (uint32_t k = 0; k < diags_count(c->diags); k++) {
        if (diags_at(c->diags, k)->severity == DIAG_ERROR &&
            strcmp(diags_at(c->diags, k)->code, "P10") == 0)
            return EXIT_FILE;
    }
    return diags_errors(c->diags) ? EXIT_MODEL : EXIT_GOOD;
}
