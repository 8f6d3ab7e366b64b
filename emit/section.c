/* section.c -- statements become chunks, chunks become C functions, and these a section. */
#include "emit/coder.h"

static void put_root(Coder *c, const Root *r)
{
    Text *t = &c->body;
    switch (r->kind) {
    case ROOT_OUT:
        c->has_out = true;
        text_printf(t, "    out[%u] = ", r->index);
        break;
    case ROOT_CONSTANT:
        c->has_c = true;
        text_printf(t, "    c[%u] = ", r->index);
        break;
    case ROOT_UNKNOWN:
        c->has_y = true;
        text_printf(t, "    y[%u] = ", r->index);
        break;
    case ROOT_PARAMETER:
        c->has_p = c->has_ctx = true;
        text_printf(t, "    if (!ctx->is_set[%u])\n        p[%u] = ", r->index, r->index);
        break;
    }
    if (c->kind == SECTION_ASSERTIONS)
        code_put_condition(c, r->x, PREC_ANY);
    else
        code_put(c, r->x, PREC_ANY);
    text_put(t, ";");
    if (r->name.s) {
        text_put(t, " ");
        text_comment(t, r->name.s);
    }
    text_put(t, "\n");
}

static void put_statement(Coder *c, ExprId x)
{
    Text *t = &c->body;
    code_new_local(c, x);
    text_printf(t, "    const double t%u = ", c->local[x.i]);
    code_put_value(c, x);
    text_put(t, ";");
    if (c->name[x.i]) {
        text_put(t, " ");
        text_comment(t, c->g->sys->var.at[c->name[x.i] - 1].name.s);
    }
    text_put(t, "\n");
    if (c->pivot[x.i]) {
        c->has_ctx = true;
        text_printf(t,
                    "    if (!rung_usable(t%u)) {\n        ctx->failed_pivot = %uu;\n"
                    "        return 1;\n    }\n",
                    c->local[x.i], c->pivot[x.i] - 1);
    }
    if (c->home[x.i]) {
        c->has_out = true;
        text_printf(t, "    out[%u] = t%u;\n", c->home[x.i] - 1, c->local[x.i]);
    }
    if (c->slot[x.i]) {
        c->has_w = true;
        text_printf(t, "    w[%u] = t%u;\n", c->slot[x.i] - 1, c->local[x.i]);
    }
}

typedef struct Signature {
    const char *chunk, *entry, *call;
    bool t, x, z, out;
} Signature;

static Signature signature(SectionKind kind)
{
    switch (kind) {
    case SECTION_UPDATE:
        return (Signature){"RungContext *ctx", "RungContext *ctx", "ctx", 0, 0, 0, 0};
    case SECTION_START:
        return (Signature){"RungContext *ctx, double t, double *restrict out",
                           "RungContext *ctx, double t, double *out",
                           "ctx, t, out",
                           1,
                           0,
                           0,
                           1};
    case SECTION_ASSERTIONS:
        return (Signature){
            "RungContext *ctx, double t, const double *restrict x, unsigned char *restrict out",
            "RungContext *ctx, double t, const double *x, unsigned char *out",
            "ctx, t, x, out",
            1,
            1,
            0,
            1};
    case SECTION_RESIDUAL:
    case SECTION_JACOBIAN:
        return (Signature){"RungContext *ctx, double t, const double *restrict x, const double "
                           "*restrict z, double *restrict out",
                           "RungContext *ctx, double t, const double *x, const double *z, "
                           "double *out",
                           "ctx, t, x, z, out",
                           1,
                           1,
                           1,
                           1};
    case SECTION_XDOT:
    case SECTION_OUTPUTS:
        break;
    }
    return (Signature){"RungContext *ctx, double t, const double *restrict x, double *restrict out",
                       "RungContext *ctx, double t, const double *x, double *out",
                       "ctx, t, x, out",
                       1,
                       1,
                       0,
                       1};
}

/* What runs in every step has files of its own. */
static Text *current_file(Coder *c, uint32_t statements)
{
    bool cold = c->kind == SECTION_OUTPUTS || c->kind == SECTION_START || c->kind == SECTION_UPDATE;
    if (!c->file.n || c->in_file >= c->o.file_statements || vec_last(c->cold) != cold) {
        Text t = text_new(c->mem);
        vec_push(c->mem, c->cold, cold);
        text_printf(&t, "#include \"%s.h\"\n", c->id);
        vec_push(c->mem, c->file, t);
        c->in_file = 0;
    }
    c->in_file += statements;
    return &vec_last(c->file);
}

/* Items [begin, end) as the C function <id>_<section>_<n>. */
static void put_chunk(Coder *c, uint32_t begin, uint32_t end, uint32_t number)
{
    text_clear(&c->body);
    c->locals = 0;
    c->has_t = c->has_x = c->has_z = c->has_out = c->has_w = c->has_p = c->has_c = c->has_u =
        c->has_y = c->has_ctx = false;
    uint32_t statements = 0;
    for (uint32_t k = begin; k < end; k++)
        if (code_is_statement(c, c->item.at[k])) {
            code_walk(c, c->item.at[k], code_on_count);
            statements++;
        }
    for (uint32_t k = begin; k < end; k++) {
        Item it = c->item.at[k];
        if (!code_is_statement(c, it))
            continue;
        code_walk(c, it, code_on_load);
        if (it.kind == ITEM_ROOT)
            put_root(c, &c->root[it.i]);
        else
            put_statement(c, (ExprId){it.i});
    }
    for (uint32_t k = 0; k < c->loaded.n; k++)
        c->loads[c->loaded.at[k]] = 0;
    c->loaded.n = 0;

    Signature s = signature(c->kind);
    Text *f = current_file(c, statements);
    text_printf(&c->prototypes, "int %s_%s_%u(%s);\n", c->id, c->section, number, s.chunk);
    text_printf(f, "\nint %s_%s_%u(%s)\n{\n", c->id, c->section, number, s.chunk);
    bool changes_c = c->kind == SECTION_UPDATE, changes_y = c->kind == SECTION_START;
    if (c->has_w)
        text_put(f, "    double *restrict w = ctx->w;\n");
    if (c->has_p)
        text_printf(f, "    %sdouble *restrict p = ctx->p;\n", changes_c ? "" : "const ");
    if (c->has_c)
        text_printf(f, "    %sdouble *restrict c = ctx->c;\n", changes_c ? "" : "const ");
    if (c->has_u)
        text_put(f, "    const double *restrict u = ctx->u;\n");
    if (c->has_y)
        text_printf(f, "    %sdouble *restrict y = ctx->z;\n", changes_y ? "" : "const ");
    if (!c->has_w && !c->has_p && !c->has_c && !c->has_u && !c->has_y && !c->has_ctx)
        text_put(f, "    (void)ctx;\n");
    if (s.t && !c->has_t)
        text_put(f, "    (void)t;\n");
    if (s.x && !c->has_x)
        text_put(f, "    (void)x;\n");
    if (s.z && !c->has_z)
        text_put(f, "    (void)z;\n");
    if (s.out && !c->has_out)
        text_put(f, "    (void)out;\n");
    text_put_n(f, c->body.at ? c->body.at : "", c->body.n);
    text_put(f, "    return 0;\n}\n");
    c->statements += statements;
    c->functions++;
}

/* ------------------------------------------------------------------ a section */

/* Cuts the items into chunks: a chunk ends when it is full, and before a block is solved.
 * Returns the ends; chunk_number counts on from `first`. */
typedef struct Cut {
    uint32_t begin, end;
    uint32_t solve; /* block to solve after it, or UINT32_MAX */
} Cut;
typedef VEC(Cut) Cuts;

static void cut(Coder *c, Cuts *cuts)
{
    Cut now = {0, 0, UINT32_MAX};
    uint32_t statements = 0;
    for (uint32_t k = 0; k < c->item.n; k++) {
        Item it = c->item.at[k];
        bool full = statements >= c->o.function_statements;
        // a cosine stays with its sine
        if (full && it.kind == ITEM_EVAL && expr_op(c->pool, (ExprId){it.i}) == OP_FN &&
            expr_fn_of(c->pool, (ExprId){it.i}) == FN_COS)
            full = false;
        if (full) {
            now.end = k;
            vec_push(c->mem, *cuts, now);
            now.begin = k;
            statements = 0;
        }
        if (it.kind == ITEM_SOLVE) {
            now.end = k;
            now.solve = it.i;
            vec_push(c->mem, *cuts, now);
            now = (Cut){k + 1, 0, UINT32_MAX};
            statements = 0;
        } else if (code_is_statement(c, it)) {
            statements++;
            if (it.kind == ITEM_EVAL)
                c->chunk[it.i] = c->chunk_number + cuts->n + 1;
        }
    }
    now.end = c->item.n;
    if (now.end > now.begin)
        vec_push(c->mem, *cuts, now);
}

static void put_entry(Coder *c, const Cuts *cuts, const char *first)
{
    Signature s = signature(c->kind);
    Text *t = &c->entries;
    text_printf(&c->prototypes, "int %s_%s(%s);\n", c->id, c->section, s.entry);
    text_printf(t, "\nint %s_%s(%s)\n{\n    int status = 0;\n", c->id, c->section, s.entry);
    text_put(t, "    (void)ctx;\n");
    if (s.t)
        text_put(t, "    (void)t;\n");
    if (s.x)
        text_put(t, "    (void)x;\n");
    if (s.z)
        text_put(t, "    (void)z;\n");
    if (s.out)
        text_put(t, "    (void)out;\n");
    if (first)
        text_printf(t, "    status = %s;\n", first);
    for (uint32_t k = 0; k < cuts->n; k++) {
        const Cut *it = &cuts->at[k];
        if (it->end > it->begin)
            text_printf(t, "    if (!status)\n        status = %s_%s_%u(%s);\n", c->id, c->section,
                        k, s.call);
        if (it->solve != UINT32_MAX)
            text_printf(t, "    if (!status)\n        status = ctx->solve(ctx, %uu, t, x);\n",
                        it->solve);
    }
    text_put(t, "    return status;\n}\n");
}

static void block_functions(Coder *c, uint32_t b);

void coder_section(Coder *c, SectionKind kind, const char *name, uint32_t block, uint32_t n,
                   const Root *root, const char *first)
{
    if (c->failed)
        return;
    c->kind = kind;
    c->section = name;
    c->block = block;
    c->root = root;
    c->item.n = c->computed.n = 0;
    if (kind < SECTION_RESIDUAL)
        c->solved.n = 0;
    if (kind < SECTION_RESIDUAL)
        for (uint32_t b = 0; b < c->g->n_blocks; b++)
            c->needs[b].colour = c->needs[b].emitted ? BLACK : WHITE;
    code_schedule(c, n, root);
    if (c->failed)
        return;
    code_choose_nested(c);
    code_find_homes(c, n);

    Cuts cuts = {0};
    cut(c, &cuts);
    uint32_t first_chunk = c->chunk_number;
    for (uint32_t k = 0; k < c->computed.n; k++)
        if (c->keep[c->computed.at[k]])
            code_need_slot(c, (ExprId){c->computed.at[k]});
    for (uint32_t j = 0; j < cuts.n; j++, c->chunk_number++)
        for (uint32_t k = cuts.at[j].begin; k < cuts.at[j].end; k++)
            if (code_is_statement(c, c->item.at[k]))
                code_walk(c, c->item.at[k], code_on_crossing);
    c->chunk_number = first_chunk;
    for (uint32_t j = 0; j < cuts.n; j++, c->chunk_number++)
        if (cuts.at[j].end > cuts.at[j].begin)
            put_chunk(c, cuts.at[j].begin, cuts.at[j].end, j);
    put_entry(c, &cuts, first);

    for (uint32_t k = 0; k < c->computed.n; k++) {
        uint32_t x = c->computed.at[k];
        c->uses[x] = c->colour[x] = c->nested[x] = c->keep[x] = 0;
        c->chunk[x] = c->home[x] = 0;
    }

    // their functions, while w is as this section leaves it
    if (kind < SECTION_START)
        for (uint32_t k = 0; k < c->solved.n; k++)
            block_functions(c, c->solved.at[k]);
}

static void block_functions(Coder *c, uint32_t b)
{
    const NonlinearBlock *it = &c->g->block[b];
    uint32_t entries = it->col_start[it->n], mark = coder_mark(c);
    Root *root = arena_array(c->mem, Root, it->n > entries ? it->n : entries);
    for (uint32_t i = 0; i < it->n; i++)
        root[i] = (Root){.x = it->residual[i],
                         .kind = ROOT_OUT,
                         .index = i,
                         .name = c->g->sys->var.at[it->unknown[i].i].name};
    coder_section(c, SECTION_RESIDUAL, arena_printf(c->mem, "residual_%u", b), b, it->n, root,
                  NULL);
    coder_forget(c, mark);
    for (uint32_t i = 0; i < entries; i++)
        root[i] = (Root){.x = it->entry[i], .kind = ROOT_OUT, .index = i};
    coder_section(c, SECTION_JACOBIAN, arena_printf(c->mem, "jacobian_%u", b), b, entries, root,
                  NULL);
    coder_forget(c, mark);
    c->needs[b].emitted = true;
}
