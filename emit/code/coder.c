/* coder.c -- data that outlives a section: the tables over all nodes, and the classification of
 * nodes. */
#include "emit/code/coder.h"
#include "base/bug.h"

#include <stdlib.h>

ExprId code_strip(const ExprPool *p, ExprId x, bool *negated)
{
    for (;;) {
        Op op = expr_op(p, x);
        if (op == OP_NEG)
            *negated = !*negated;
        else if (op != OP_NOEVENT && op != OP_SMOOTH)
            return x;
        x = expr_arg(p, x, 0);
    }
}

bool code_is_side(const Coder *c, VarId v)
{
    return c->section.kind == SECTION_SIDES && c->leaf[v.i] == LEAF_INPUT &&
           c->leaf_index[v.i] - c->section.first_side < c->section.n_sides;
}

ExprId code_bare(const Coder *c, ExprId x)
{
    bool negated = false;
    return code_strip(c->pool, x, &negated);
}

/* ------------------------------------------------------------------ classes of nodes */

bool code_literal(const Coder *c, ExprId x, double *value)
{
    switch (expr_op(c->pool, x)) {
    case OP_NUM:
        *value = rational_double(expr_rational(c->pool, x));
        return true;
    case OP_INITIAL:
        // the code runs after initialization
        *value = 0;
        return true;
    default:
        return expr_variability(c->pool, x) == VARIES_NEVER && expr_constant(c->pool, x, value);
    }
}

bool code_is_leaf(const Coder *c, ExprId x)
{
    double value;
    Op op = expr_op(c->pool, x);
    return op == OP_VAR || op == OP_TIME || code_literal(c, x, &value);
}

/* Found in the constant block, instead of being computed here. */
bool code_is_hoisted(const Coder *c, ExprId x)
{
    return c->section.kind != SECTION_UPDATE && !code_is_leaf(c, x) && expr_is_fixed(c->pool, x);
}

/* Computed by this section. */
bool code_is_computed(const Coder *c, ExprId x)
{
    return !code_is_leaf(c, x) && !code_is_hoisted(c, x) &&
           !(code_node(c, x.i)->slot && code_section_node(&c->section, x.i)->colour == WHITE);
}

void code_unsupported(Coder *c, const char *construct)
{
    if (!c->failed)
        diag_error(c->g->sys->diags, SPAN_NONE, "G01",
                   "%s in the value of '%s' has no translation to C", construct, c->section.what);
    c->failed = true;
}

uint32_t coder_constant(Coder *c, ExprId x)
{
    x = code_bare(c, x);
    if (!code_node(c, x.i)->constant) {
        vec_push(c->mem, c->constants, x);
        code_own_node(c, x.i)->constant = c->constants.n;
    }
    return code_node(c, x.i)->constant - 1;
}

uint32_t code_pivot(const Coder *c, uint32_t node)
{
    return code_section_node(&c->section, node)->divides ? code_node(c, node)->pivot : 0;
}

/* Exponents that are computed by multiplication. */
bool code_small_power(const Coder *c, ExprId x, long *n)
{
    enum { LARGEST = 64 };
    return expr_op(c->pool, x) == OP_POW && expr_is_int(c->pool, expr_arg(c->pool, x, 1), n) &&
           labs(*n) <= LARGEST && *n != 0;
}

/* ------------------------------------------------------------------ places that stay */

void code_need_slot(Coder *c, ExprId x)
{
    if (code_node(c, x.i)->slot)
        return;
    code_own_node(c, x.i)->slot = ++c->n_work;
    vec_push_own(c->mem, c->slotted, x.i);
}

uint32_t coder_mark(const Coder *c)
{
    return c->slotted.n;
}

void coder_forget(Coder *c, uint32_t mark)
{
    for (uint32_t k = mark; k < c->slotted.n; k++)
        code_own_node(c, c->slotted.at[k])->slot = 0;
    c->slotted.n = mark;
}

uint32_t coder_work(Coder *c, uint32_t n)
{
    c->n_work += n;
    return c->n_work - n;
}

void coder_found_in_work(Coder *c, ExprId x, uint32_t slot)
{
    bool negated = false;
    x = code_strip(c->pool, x, &negated);
    if (negated || code_node(c, x.i)->slot || code_is_leaf(c, x))
        return;
    code_own_node(c, x.i)->slot = slot + 1;
    vec_push_own(c->mem, c->slotted, x.i);
}

/* ------------------------------------------------------------------ setting up */

/* Operands come before users in the pool, so one pass over the ids sees them first. */
static void find_stages(Coder *c)
{
    uint32_t n = pool_size(c->pool);
    for (uint32_t i = 0; i < n; i++) {
        ExprId x = {i};
        if (expr_op(c->pool, x) == OP_VAR) {
            uint32_t v = expr_var_of(c->pool, x).i;
            /* the pool may hold variables of other views of the System */
            if (v < c->g->sys->var.n && c->leaf[v] == LEAF_UNKNOWN)
                code_own_node(c, i)->stage = c->block_of[c->leaf_index[v]] + 1;
        }
        for (uint32_t k = 0; k < expr_n_args(c->pool, x); k++) {
            uint32_t a = expr_arg(c->pool, x, k).i;
            if (code_node(c, a)->stage > code_node(c, i)->stage)
                code_own_node(c, i)->stage = code_node(c, a)->stage;
        }
    }
}

static void find_needs(Coder *c, uint32_t b, uint8_t *seen)
{
    const NonlinearBlock *it = &c->g->block[b];
    VEC(ExprId) todo = {0};
    VEC(ExprId) visited = {0};
    for (uint32_t i = 0; i < it->n; i++)
        vec_push(c->mem, todo, it->residual[i]);
    for (uint32_t i = 0; i < it->col_start[it->n]; i++)
        vec_push(c->mem, todo, it->entry[i]);
    while (todo.n) {
        ExprId x = code_bare(c, todo.at[--todo.n]);
        if (seen[x.i])
            continue;
        seen[x.i] = 1;
        vec_push(c->mem, visited, x);
        if (code_node(c, x.i)->stage > b + 1)
            bug("emit: block %u depends on a later block", b);
        if (code_node(c, x.i)->stage <= b)
            vec_push(c->mem, c->block[b].needs, x);
        else
            for (uint32_t k = 0; k < expr_n_args(c->pool, x); k++)
                vec_push(c->mem, todo, expr_arg(c->pool, x, k));
    }
    for (uint32_t k = 0; k < visited.n; k++)
        seen[visited.at[k].i] = 0;
}

Coder *coder_new(const Program *g, EmitOptions o, Arena *mem, const char *id, const uint8_t *leaf,
                 const uint32_t *leaf_index, const ExprId *binding, const uint32_t *block_first,
                 FunctionUse *callees)
{
    Coder *c = arena_make(mem, Coder);
    c->n_sizes = pool_size(g->sys->pool);
    c->size = code_sizes(g, mem);
    uint32_t n = pool_size(g->sys->pool);
    c->g = g;
    c->pool = g->sys->pool;
    c->mem = mem;
    c->o = o;
    c->id = id;
    c->callees = callees;
    c->leaf = leaf;
    c->leaf_index = leaf_index;
    c->binding = binding;
    c->block_first = block_first;
    c->place = c->section.place = c->chunk.place = arena_make(mem, NodePlaces);
    c->place->of = arena_array(mem, uint32_t, n);
    c->node = arena_array(mem, Node, n + 1);
    c->section.node = arena_array(mem, SectionNode, n + 1);
    c->section.variable = arena_array(mem, SectionVariable, g->sys->var.n + 1);
    c->chunk.node = arena_array(mem, ChunkNode, n + 1);
    c->block = arena_array(mem, BlockCode, g->n_blocks + 1);
    c->index_known = map_new(mem);
    c->chunk.body = text_new(mem);
    c->files.prototypes = text_new(mem);
    c->files.entries = text_new(mem);

    for (uint32_t v = g->sys->var.n; v-- > 0;)
        if (expr_exists(g->value[v])) {
            bool negated = false;
            ExprId x = code_strip(c->pool, g->value[v], &negated);
            if (!negated)
                code_own_node(c, x.i)->name = v + 1;
        }
    for (uint32_t k = g->n_pivots; k-- > 0;)
        code_own_node(c, code_bare(c, g->pivot[k].value).i)->pivot = k + 1;

    uint32_t unknowns = g->n_blocks ? block_first[g->n_blocks] : 0;
    c->block_of = arena_array(mem, uint32_t, unknowns + 1);
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t i = 0; i < g->block[b].n; i++)
            c->block_of[block_first[b] + i] = b;
    if (g->n_blocks) {
        find_stages(c);
        uint8_t *seen = arena_array(mem, uint8_t, n);
        for (uint32_t b = 0; b < g->n_blocks; b++)
            find_needs(c, b, seen);
    }
    return c;
}

bool coder_solves(const Coder *c, uint32_t block)
{
    return c->block[block].emitted;
}

uint32_t coder_n_constants(const Coder *c)
{
    return c->constants.n;
}

ExprId coder_constant_at(const Coder *c, uint32_t k)
{
    return c->constants.at[k];
}

uint32_t coder_n_work(const Coder *c)
{
    return c->n_work;
}

bool coder_failed(const Coder *c)
{
    return c->failed;
}

uint64_t coder_statements(const Coder *c)
{
    return c->files.statements;
}

uint32_t coder_functions(const Coder *c)
{
    return c->files.functions;
}

uint32_t coder_n_indices(const Coder *c)
{
    return c->index.n;
}

/* An odd number of cache lines: tables of one loop lie behind each other, and those whose lengths
 * are a multiple of a cache's period would all want the same few places in it. */
uint32_t coder_index_room(uint32_t n)
{
    enum { LINE = 64 / sizeof(uint32_t) };
    return ((n + LINE - 1) / LINE | 1) * LINE;
}

const uint32_t *coder_indices(const Coder *c, uint32_t k, uint32_t *n)
{
    *n = c->index.at[k].n;
    return c->index.at[k].at;
}

Text *coder_prototypes(Coder *c)
{
    return &c->files.prototypes;
}

Text *coder_entries(Coder *c)
{
    return &c->files.entries;
}

uint32_t coder_n_files(const Coder *c)
{
    return c->files.file.n;
}

Text *coder_file(Coder *c, uint32_t k, bool *is_cold, uint32_t *repeats)
{
    const FileUse *use = &c->files.use.at[k];
    *is_cold = use->is_cold;
    *repeats = use->statements ? (uint32_t)(use->executed / use->statements) : 0;
    return &c->files.file.at[k];
}

bool coder_file_has_sides(const Coder *c, uint32_t k)
{
    return c->files.use.at[k].has_sides;
}
