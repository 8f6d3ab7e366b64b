/* section.c -- statements become chunks, chunks become C functions, and these a section. */
#include "base/sort.h"
#include "emit/code/coder.h"

#include <string.h>

static void put_comment(Chunk *chunk, Name name)
{
    if (name.s) {
        text_put(&chunk->body, " ");
        text_comment(&chunk->body, name.s);
    }
    text_put(&chunk->body, "\n");
}

static void put_store(Coder *c, Ref to, uint32_t local, const char *indent)
{
    text_put(&c->chunk.body, indent);
    code_put_ref(c, &c->chunk.body, to);
    text_printf(&c->chunk.body, " = t%u;\n", local);
}

static void put_node(Coder *c, ExprId x, uint32_t local, Target to)
{
    Text *t = &c->chunk.body;
    text_printf(t, "%sconst %s t%u = ", to.indent, code_real(c), local);
    code_put_value(c, false);
    text_put(t, ";");
    put_comment(&c->chunk, code_node(c, x.i)->name
                               ? c->g->sys->var.at[code_node(c, x.i)->name - 1].name
                               : (Name){0});
    if (code_pivot(c, x.i) && code_in_lanes(c)) {
        c->chunk.has_ctx = c->chunk.has_bad = true;
        bool cancels = code_cancels(c);
        text_printf(t, "%sbad |= ~rung_lane_%s(t%u", to.indent, cancels ? "pivot_ok" : "usable",
                    local);
        if (cancels) {
            text_put(t, ", ");
            code_open_lane(c);
            text_put(t, "ctx->least * ");
            code_put_terms(c);
            code_close_lane(c);
        }
        text_put(t, ");\n");
    } else if (code_pivot(c, x.i)) {
        c->chunk.has_ctx = true;
        text_printf(t, "%sif (!", to.indent);
        if (c->section.kind != SECTION_UPDATE && code_cancels(c)) {
            text_printf(t, "rung_pivot_ok(t%u, ctx->least * ", local);
            code_put_terms(c);
            text_put(t, ")");
        } else {
            text_printf(t, "rung_usable(t%u)", local);
        }
        text_printf(t, ") {\n%s    ctx->failed_pivot = %s;\n", to.indent, to.index);
        text_printf(t, "%s    return 1;\n%s}\n", to.indent, to.indent);
    }
    if (to.has_root)
        put_store(c, to.root, local, to.indent);
    if (to.has_w)
        put_store(c, to.w, local, to.indent);
}

/* A String: a literal, or made of others. The model keeps it. */
static void put_text(Coder *c, const CallPlace *at, Intrinsic what)
{
    static const char *const name[] = {
        [INTRINSIC_TEXT] = "value", [INTRINSIC_JOIN] = "join", [INTRINSIC_COMPARE] = "compare"};
    Text *t = &c->chunk.body;
    text_printf(t, "    w[%u] = ", at->results);
    text_put(t, what == INTRINSIC_COMPARE ? "" : "rung_text_keep(ctx, ");
    if (what == INTRINSIC_NONE) {
        text_string(t, expr_text_of(c->pool, at->x).s);
    } else {
        text_put(t, what == INTRINSIC_COMPARE ? "" : "rung_text_of(ctx, ");
        text_printf(t, "rung_text_%s(ctx, ", name[what]);
        if (what == INTRINSIC_TEXT)
            text_string(t, expr_text_of(c->pool, expr_arg(c->pool, at->x, 1)).s);
        else
            text_printf(t, "w[%u]", at->arguments);
        text_printf(t, ", w[%u])", at->arguments + (what != INTRINSIC_TEXT));
        text_put(t, what == INTRINSIC_COMPARE ? "" : ")");
    }
    text_put(t, what == INTRINSIC_COMPARE ? ";\n" : ");\n");
    if (what != INTRINSIC_NONE && what != INTRINSIC_COMPARE)
        text_put(t, "    rung_texts_release(ctx, 0);\n");
    text_put(t, "    if (rung_texts_full(ctx))\n"
                "        return rung_fail(ctx, \"out of memory\", \"\");\n");
}

/* The external object that a call makes or is made with; NULL if there is none. */
static const char *object_of(const Coder *c, const Function *fn, ExprId call)
{
    const System *s = c->g->sys;
    if (fn->body && fn->body->external && fn->body->external->is_constructor)
        for (uint32_t k = 0; k < s->var.n; k++) {
            const Var *v = &s->var.at[k];
            if (v->type == TYPE_OBJECT && expr_exists(v->binding) &&
                expr_op(c->pool, v->binding) == OP_PROJ &&
                expr_same(expr_arg(c->pool, v->binding, 0), call))
                return v->name.s;
        }
    for (uint32_t k = 0; k < expr_n_args(c->pool, call); k++) {
        ExprId x = expr_arg(c->pool, call, k);
        if (expr_op(c->pool, x) == OP_VAR &&
            s->var.at[expr_var_of(c->pool, x).i].type == TYPE_OBJECT)
            return s->var.at[expr_var_of(c->pool, x).i].name.s;
    }
    return NULL;
}

/* A result by which something is divided is checked where it comes from. */
static void put_call(Coder *c, const CallPlace *at)
{
    Text *t = &c->chunk.body;
    c->chunk.has_ctx = c->chunk.has[ARRAY_W] = true;
    bool literal = expr_op(c->pool, at->x) == OP_STRING;
    FuncId f = literal ? FUNC_NONE : expr_func_of(c->pool, at->x);
    const Function *fn = literal ? NULL : &c->g->sys->function->at[f.i];
    uint32_t texts = literal ? 1 : function_n_texts(fn);
    if (texts > 0)
        c->callees->has_texts = c->callees->has_model_texts = true;
    if (literal || intrinsic_is_text(fn->intrinsic)) {
        put_text(c, at, literal ? INTRINSIC_NONE : fn->intrinsic);
        return;
    }
    if (code_in_lanes(c)) {
        uint32_t n_in = at->results - at->arguments;
        text_printf(t,
                    "    rung_lane_call(ctx, h, %s, %u, %u, w + %u, w + %u, (double *)(w + %u));",
                    function_use(c->callees, f), n_in, fn->n_out, at->arguments, at->results,
                    coder_work(c, n_in + fn->n_out));
        put_comment(&c->chunk, fn->name);
        return;
    }
    text_printf(t, "    {\n        const int status = %s(ctx, w + %u, w + %u);\n",
                function_use(c->callees, f), at->arguments, at->results);
    const char *object = object_of(c, fn, at->x);
    if (object) {
        text_put(t, "        if (status)\n            ctx->failed_of = ");
        text_string(t, object);
        text_put(t, ";\n");
    }
    text_put(t, "        if (status)\n            return status;\n");
    if (texts > 0) {
        text_put(t, "        static const uint32_t text[] = ");
        function_text_results(fn, t);
        text_printf(t,
                    ";\n        rung_texts_keep(ctx, %u, text, w + %u);\n"
                    "        rung_texts_release(ctx, 0);\n",
                    texts, at->results);
    }
    text_put(t, "    }");
    put_comment(&c->chunk, fn->name);
}

static void put_result_check(Coder *c, ExprId x)
{
    c->chunk.has_ctx = c->chunk.has[ARRAY_W] = true;
    if (code_in_lanes(c)) {
        c->chunk.has_bad = true;
        text_printf(&c->chunk.body, "    bad |= ~rung_lane_usable(w[%u]);\n",
                    code_node(c, x.i)->slot - 1);
        return;
    }
    text_printf(&c->chunk.body,
                "    if (!rung_usable(w[%u])) {\n        ctx->failed_pivot = %uu;\n"
                "        return 1;\n    }\n",
                code_node(c, x.i)->slot - 1, code_pivot(c, x.i) - 1);
}

void code_put_statement(Coder *c, Item it, uint32_t local, Target to)
{
    Text *t = &c->chunk.body;
    if (it.kind == ITEM_CALL) {
        put_call(c, &c->section.call.at[it.i]);
        return;
    }
    if (it.kind == ITEM_RESULT) {
        put_result_check(c, (ExprId){it.i});
        return;
    }
    if (it.kind == ITEM_EVAL) {
        put_node(c, (ExprId){it.i}, local, to);
        return;
    }
    text_put(t, to.indent);
    if (it.kind == ITEM_ROOT && c->section.root[it.i].kind == ROOT_PARAMETER) {
        c->chunk.has_ctx = true;
        text_printf(t, "if (!ctx->is_set[%s])\n%s    ", to.index, to.indent);
    }
    code_put_ref(c, t, to.root);
    text_put(t, " = ");
    code_put_value(c, c->section.kind == SECTION_ASSERTIONS && it.kind == ITEM_ROOT &&
                          !code_in_lanes(c));
    text_put(t, ";");
    put_comment(&c->chunk, it.kind == ITEM_ROOT ? c->section.root[it.i].name : (Name){0});
}

typedef struct Signature {
    const char *chunk, *entry, *call;
    bool t, x, z, out;
} Signature;

static Signature signature(const Coder *c)
{
    if (code_in_sides(&c->section))
        return (Signature){"RungContext *ctx, unsigned h, double t, const double *restrict x, "
                           "const double *restrict right, double *restrict work, double "
                           "*restrict delta",
                           "RungContext *ctx, double t, const double *x, uint32_t n, const double "
                           "*right, double *work, double *delta",
                           "ctx, h, t, x, right, work, delta",
                           1,
                           1,
                           0,
                           0};
    if (code_in_lanes(c))
        return (Signature){"RungLaneContext *ctx, unsigned h, RungLane t, const RungRow *restrict "
                           "x, RungRow *restrict out",
                           "RungLaneContext *ctx, const double *t, const double *x, double *out",
                           "ctx, h, ((const RungLane *)t)[h], (const RungRow *)x, (RungRow *)out",
                           1,
                           1,
                           0,
                           1};
    switch (c->section.kind) {
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
    case SECTION_PARAMETER:
        return (Signature){"RungContext *ctx, double *restrict out",
                           "RungContext *ctx, double *out",
                           "ctx, out",
                           0,
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
                           "RungContext *ctx, uint32_t copy, double t, const double *x, const "
                           "double *z, double *out",
                           "ctx, t, x, z, out",
                           1,
                           1,
                           1,
                           1};
    case SECTION_TORN:
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
    case SECTION_SIDES:
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

/* Code of every step and code that runs rarely are in different files. */
Text *code_current_file(Coder *c, uint32_t statements, uint64_t executed)
{
    bool cold = c->section.kind == SECTION_OUTPUTS || c->section.kind == SECTION_START ||
                c->section.kind == SECTION_UPDATE || c->section.kind == SECTION_PARAMETER;
    bool sides = code_in_sides(&c->section);
    if (!c->files.file.n || vec_last(c->files.use).statements >= c->o.file_statements ||
        vec_last(c->files.use).is_cold != cold || vec_last(c->files.use).has_sides != sides) {
        Text t = text_new(c->mem);
        vec_push(c->mem, c->files.use, ((FileUse){.is_cold = cold, .has_sides = sides}));
        text_printf(&t, "#include \"%s.h\"\n", c->id);
        if (sides)
            text_put(&t, "#include \"rung_sides.h\"\n");
        vec_push(c->mem, c->files.file, t);
    }
    vec_last(c->files.use).statements += statements;
    vec_last(c->files.use).executed += executed;
    return &vec_last(c->files.file);
}

/* ------------------------------------------------------------------ straight pieces */

static Ref fixed(ArrayKind array, uint32_t index)
{
    return (Ref){REF_FIXED, array, 0, index};
}

static Target target_of(Coder *c, Item it)
{
    Target to = {.indent = "    "};
    uint32_t index = 0;
    switch (it.kind) {
    case ITEM_EVAL:
        to.has_root = code_section_node(&c->section, it.i)->home;
        to.root = fixed(ARRAY_OUT, code_section_node(&c->section, it.i)->home - 1);
        to.has_w = code_node(c, it.i)->slot;
        to.w = fixed(ARRAY_W, code_node(c, it.i)->slot - 1);
        index = code_pivot(c, it.i) ? code_pivot(c, it.i) - 1 : 0;
        break;
    case ITEM_ROOT:
        index = c->section.root[it.i].index;
        to.root = fixed(code_root_array(&c->section.root[it.i]), index);
        break;
    case ITEM_ANGLE:
        to.root = fixed(ARRAY_W, c->section.angles_at + it.i);
        break;
    case ITEM_ARGUMENT:
        to.root = fixed(ARRAY_W, code_argument_place(&c->section, it.i));
        break;
    case ITEM_BATCH:
    case ITEM_SOLVE:
    case ITEM_CALL:
    case ITEM_RESULT:
        break;
    }
    to.index = arena_printf(c->mem, "%uu", index);
    return to;
}

static bool is_local(const Chunk *chunk, ExprId x)
{
    return code_chunk_node(chunk, x.i)->local_in == chunk->number + 1;
}

static uint32_t new_local(Chunk *chunk, ExprId x)
{
    code_own_chunk_node(chunk, x.i)->local = ++chunk->locals;
    code_own_chunk_node(chunk, x.i)->local_in = chunk->number + 1;
    return chunk->locals;
}

static bool is_from(const Section *section, ExprId x, const Segment *s)
{
    uint32_t at = code_section_node(section, x.i)->position;
    return at && at - 1 >= s->begin && at - 1 < s->end;
}

/* Counts uses in the chunk: a value that is read more than once is loaded once. */
static void count_loads(Coder *c, const Segment *s)
{
    for (uint32_t k = s->begin; k < s->end; k++) {
        uint32_t n;
        const ExprId *operand = code_operands(&c->section, c->section.item.at[k], &n);
        for (uint32_t q = 0; q < n; q++) {
            uint32_t x = operand[q].i;
            if (!is_from(&c->section, (ExprId){x}, s) &&
                !code_own_chunk_node(&c->chunk, x)->loads++)
                vec_push(c->mem, c->chunk.loaded, x);
        }
    }
}

static void put_straight(Coder *c, const Segment *s)
{
    count_loads(c, s);
    for (uint32_t k = s->begin; k < s->end; k++) {
        Item it = c->section.item.at[k];
        code_read(c, it);
        c->tree.ref.n = 0;
        for (uint32_t q = 0; q < c->tree.operand.n; q++) {
            ExprId x = c->tree.operand.at[q];
            if (!is_local(&c->chunk, x) && code_chunk_node(&c->chunk, x.i)->loads > 1) {
                Spot p = code_place_of(c, x, false);
                text_printf(&c->chunk.body, "    const %s t%u = ", code_real_of(c, p.array),
                            new_local(&c->chunk, x));
                code_put_place(c, &c->chunk.body, p);
                text_put(&c->chunk.body, ";\n");
            }
            Ref r = {.kind = REF_LOCAL, .n = code_chunk_node(&c->chunk, x.i)->local};
            if (!is_local(&c->chunk, x)) {
                Spot p = code_place_of(c, x, false);
                r = fixed(p.array, p.index);
            }
            vec_push(c->mem, c->tree.ref, r);
        }
        uint32_t local = it.kind == ITEM_EVAL ? new_local(&c->chunk, (ExprId){it.i}) : 0;
        code_put_statement(c, it, local, target_of(c, it));
    }
    for (uint32_t k = 0; k < c->chunk.loaded.n; k++)
        code_own_chunk_node(&c->chunk, c->chunk.loaded.at[k])->loads = 0;
    c->chunk.loaded.n = 0;
}

/* ------------------------------------------------------------------ functions */

static void put_batch(Coder *c)
{
    uint32_t n = c->section.angle.n;
    c->chunk.has[ARRAY_W] = true;
    const char *form =
        code_in_lanes(c)
            ? "    rung_sincos(%u * RUNG_SLICE, (const double *)(w + %u), (double *)(w + "
              "%u), (double *)(w + %u));\n"
            : "    rung_sincos(%u, w + %u, w + %u, w + %u);\n";
    text_printf(&c->chunk.body, form, n, c->section.angles_at, c->section.angles_at + n,
                c->section.angles_at + 2 * n);
}

/* The arrays of SECTION_SIDES, which are no members of the context. */
static void put_sides(const Coder *c, Text *f)
{
    static const struct {
        ArrayKind array;
        const char *from;
    } arrays[] = {{ARRAY_R, "right"}, {ARRAY_W, "work"}, {ARRAY_OUT, "delta"}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        const char *constant = code_array_is_const(&c->section, arrays[k].array) ? "const " : "";
        const char *element = code_element(c, arrays[k].array);
        if (c->chunk.has[arrays[k].array])
            text_printf(f, "    %s%s *restrict %s = (%s%s *)%s;\n", constant, element,
                        code_array_name(arrays[k].array), constant, element, arrays[k].from);
        else
            text_printf(f, "    (void)%s;\n", arrays[k].from);
    }
}

static void put_arrays(Coder *c, Text *f)
{
    static const struct {
        ArrayKind array;
        const char *field;
    } arrays[] = {
        {ARRAY_W, "w"}, {ARRAY_P, "p"}, {ARRAY_C, "c"}, {ARRAY_U, "u"}, {ARRAY_Y, "z"},
    };
    bool any = c->chunk.has_ctx;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        // w of the context holds numbers
        if (!c->chunk.has[arrays[k].array] ||
            (arrays[k].array == ARRAY_W && code_in_sides(&c->section)))
            continue;
        any = true;
        const char *constant = code_array_is_const(&c->section, arrays[k].array) ? "const " : "";
        const char *element = code_element(c, arrays[k].array);
        text_printf(f, "    %s%s *restrict %s = ", constant, element,
                    code_array_name(arrays[k].array));
        if (code_in_lanes(c))
            text_printf(f, "(%s%s *)", constant, element);
        text_printf(f, "ctx->%s;\n", arrays[k].field);
    }
    if (c->chunk.has_bad)
        text_put(f, "    RungMask bad = {0};\n");
    if (code_in_sides(&c->section))
        put_sides(c, f);
    if (!any)
        text_put(f, "    (void)ctx;\n");
}

/* Whether one function is all of a block's residuals or entries. */
static bool is_whole_block(const Section *section)
{
    bool of_block = section->kind == SECTION_RESIDUAL || section->kind == SECTION_JACOBIAN;
    return of_block && section->segment.n == 1 && section->segment.at[0].kind != SEGMENT_SOLVE;
}

/* A segment as the C function <id>_<section>_<n>. */
static void put_chunk(Coder *c, const Segment *seg, uint32_t number)
{
    text_clear(&c->chunk.body);
    c->chunk.locals = 0;
    c->chunk.has_t = c->chunk.has_ctx = c->chunk.has_bad = false;
    memset(c->chunk.has, 0, sizeof c->chunk.has);
    uint32_t statements = 1;
    if (seg->kind == SEGMENT_BATCH) {
        put_batch(c);
    } else if (seg->kind == SEGMENT_KERNEL) {
        code_put_kernel(c, seg);
        statements = seg->period;
    } else {
        put_straight(c, seg);
        statements = seg->end - seg->begin;
    }

    Signature s = signature(c);
    Text kept = text_new(c->mem), *f = &kept;
    if (!is_whole_block(&c->section)) {
        f = code_current_file(c, statements, seg->end - seg->begin);
        text_printf(&c->files.prototypes, "int %s_%s_%u(%s);\n", c->id, c->section.name, number,
                    s.chunk);
        text_printf(f, "\nint %s_%s_%u(%s)\n{\n", c->id, c->section.name, number, s.chunk);
    }
    put_arrays(c, f);
    if (code_in_lanes(c))
        text_put(f, "    (void)h;\n");
    if (s.t && !c->chunk.has_t)
        text_put(f, "    (void)t;\n");
    if (s.x && !c->chunk.has[ARRAY_X])
        text_put(f, "    (void)x;\n");
    if (s.z && !c->chunk.has[ARRAY_Z])
        text_put(f, "    (void)z;\n");
    if (s.out && !c->chunk.has[ARRAY_OUT])
        text_put(f, "    (void)out;\n");
    text_put_n(f, c->chunk.body.at ? c->chunk.body.at : "", c->chunk.body.n);
    if (c->chunk.has_bad)
        text_put(f, "    ctx->failed |= rung_lane_bits(bad) << (h * RUNG_SLICE);\n");
    text_put(f, "    return 0;\n}\n");
    if (is_whole_block(&c->section)) {
        code_keep_block(c, kept, statements);
        return;
    }
    c->files.statements += statements;
    c->files.functions++;
}

/* ------------------------------------------------------------------ a section */

/* How many blocks are solved here, one after the other. */
static uint32_t solves_from(const Section *section, uint32_t k)
{
    uint32_t n = 0;
    while (k + n < section->segment.n && section->segment.at[k + n].kind == SEGMENT_SOLVE &&
           section->segment.at[k + n].block == section->segment.at[k].block + n)
        n++;
    return n;
}

void coder_take_blocks(Coder *lanes, const Coder *of_one)
{
    lanes->of_one = of_one;
}

/* The block is solved for one lane after the other, by the functions of one instance: they find in
 * its w what the lanes have found so far. */
static void put_lane_solve(Coder *c, uint32_t block)
{
    Text *t = &c->files.entries, from = text_new(c->mem), to = text_new(c->mem);
    const BlockCode *own = &c->block[block], *one = &c->of_one->block[block];
    uint32_t n = 0;
    for (uint32_t k = 0; k < one->needs.n; k++) {
        if (!one->slots[k])
            continue;
        Spot p = code_place_of(c, own->needs.at[k], true);
        text_printf(&from, "%s%uu", n ? ", " : "", p.index);
        text_printf(&to, "%s%uu", n++ ? ", " : "", one->slots[k] - 1);
    }
    text_printf(t,
                "    {\n        static const uint32_t from[] = {%s}, to[] = {%s};\n"
                "        rung_lane_solve(ctx, h, t, x, %uu, %uu, from, to);\n    }\n",
                n ? from.at : "0", n ? to.at : "0", block, n);
}

/* The entry functions of lanes: one for a part of them, one for all parts. */
static void put_lane_entry(Coder *c, Signature s, const char *first)
{
    Text *t = &c->files.entries;
    const char *name = arena_printf(c->mem, "%s_%s", c->id, c->section.name);
    text_printf(&c->files.prototypes, "int %s_part(%s);\nint %s(%s);\n", name, s.chunk, name,
                s.entry);
    text_printf(t, "\nint %s_part(%s)\n{\n    int status = %s;\n", name, s.chunk,
                first ? first : "0");
    text_put(t, "    (void)ctx;\n    (void)h;\n    (void)t;\n    (void)x;\n    (void)out;\n");
    for (uint32_t k = 0; k < c->section.segment.n; k++)
        if (c->section.segment.at[k].kind == SEGMENT_SOLVE)
            put_lane_solve(c, c->section.segment.at[k].block);
        else
            text_printf(t, "    if (!status)\n        status = %s_%u(ctx, h, t, x, out);\n", name,
                        k);
    text_printf(t,
                "    return status;\n}\n\nint %s(%s)\n{\n    int status = 0;\n"
                "    for (unsigned h = 0; h < RUNG_SLICES; h++)\n"
                "        status |= %s_part(%s);\n    rung_lane_leave();\n    return status;\n}\n",
                name, s.entry, name, s.call);
}

/* The entry function for right-hand sides, with the vectors of its file. */
static void put_sides_entry(Coder *c, Signature s)
{
    Text *t = code_current_file(c, 0, 0);
    const char *name = arena_printf(c->mem, "%s_%s", c->id, c->section.name);
    text_printf(&c->files.prototypes, "int %s(%s);\n", name, s.entry);
    text_printf(t,
                "\nint %s(%s)\n{\n    int status = 0;\n    (void)ctx;\n    (void)t;\n"
                "    (void)x;\n    (void)right;\n    (void)work;\n    (void)delta;\n"
                "    for (unsigned h = 0; h * RUNG_SLICE < n && !status; h++) {\n",
                name, s.entry);
    for (uint32_t k = 0; k < c->section.segment.n; k++)
        text_printf(t, "        if (!status)\n            status = %s_%u(%s);\n", name, k, s.call);
    text_put(t, "    }\n    return status;\n}\n");
}

static void put_entry(Coder *c, const char *first)
{
    Signature s = signature(c);
    Text *t = &c->files.entries;
    if (code_in_sides(&c->section)) {
        put_sides_entry(c, s);
        return;
    }
    if (code_in_lanes(c)) {
        put_lane_entry(c, s, first);
        return;
    }
    text_printf(&c->files.prototypes, "int %s_%s(%s);\n", c->id, c->section.name, s.entry);
    text_printf(t, "\nint %s_%s(%s)\n{\n    int status = 0;\n", c->id, c->section.name, s.entry);
    text_put(t, "    (void)ctx;\n");
    if (s.t)
        text_put(t, "    (void)t;\n");
    if (s.x)
        text_put(t, "    (void)x;\n");
    if (s.z)
        text_put(t, "    (void)z;\n");
    if (c->section.kind == SECTION_RESIDUAL || c->section.kind == SECTION_JACOBIAN)
        text_put(t, "    (void)copy;\n");
    if (s.out)
        text_put(t, "    (void)out;\n");
    if (first)
        text_printf(t, "    status = %s;\n", first);
    for (uint32_t k = 0; k < c->section.segment.n; k++) {
        uint32_t solves = solves_from(&c->section, k), block = c->section.segment.at[k].block;
        if (solves > 1)
            text_printf(t,
                        "    for (uint32_t k = %uu; k < %uu && !status; k++)\n"
                        "        status = ctx->solve(ctx, k, t, x);\n",
                        block, block + solves);
        else if (solves == 1)
            text_printf(t, "    if (!status)\n        status = ctx->solve(ctx, %uu, t, x);\n",
                        block);
        else
            text_printf(t, "    if (!status)\n        status = %s_%s_%u(%s);\n", c->id,
                        c->section.name, k, s.call);
        k += solves > 1 ? solves - 1 : 0;
    }
    text_put(t, "    return status;\n}\n");
}

static void block_functions(Coder *c, uint32_t b);

/* Results go where the order of the statements puts them: in a loop, iteration by iteration. */
static void number_as_found(Section *section)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < section->item.n && section->as_found; k++) {
        if (section->item.at[k].kind != ITEM_ROOT)
            continue;
        Root *r = &section->as_found[section->item.at[k].i];
        r->was = r->index;
        r->index = n++;
    }
}

void coder_section(Coder *c, SectionKind kind, const char *name, uint32_t block, uint32_t n,
                   const Root *root, const char *first)
{
    if (c->failed)
        return;
    c->section.kind = kind;
    c->section.name = name;
    c->section.block = block;
    c->section.root = root;
    c->section.item.n = c->section.computed.n = c->section.call.n = c->section.argument.n = 0;
    if (kind < SECTION_RESIDUAL) {
        c->section.solved.n = 0;
        for (uint32_t b = 0; b < c->g->n_blocks; b++)
            c->block[b].colour = c->block[b].emitted ? BLACK : WHITE;
    }
    code_schedule(c, n, root);
    if (c->failed)
        return;
    code_place(c);
    number_as_found(&c->section);
    for (uint32_t k = 0; k < c->section.segment.n; k++, c->chunk.number++)
        if (c->section.segment.at[k].kind != SEGMENT_SOLVE)
            put_chunk(c, &c->section.segment.at[k], k);
    if (!is_whole_block(&c->section))
        put_entry(c, first);

    for (uint32_t k = 0; k < c->section.computed.n; k++) {
        uint32_t x = c->section.computed.at[k];
        *code_own_section_node(&c->section, x) = (SectionNode){0};
        if (expr_op(c->pool, (ExprId){x}) == OP_CALL)
            code_own_node(c, x)->slot = 0;
    }

    // their functions, while w is as this section leaves it
    if (kind < SECTION_START)
        for (uint32_t k = 0; k < c->section.solved.n; k++)
            block_functions(c, c->section.solved.at[k]);
}

void coder_section_of(Coder *c, SectionKind kind, const char *name, uint32_t n, const ExprId *x)
{
    Root *root = arena_array(c->mem, Root, n + 1);
    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){.x = x[k], .kind = ROOT_OUT, .index = k};
    coder_section(c, kind, name, UINT32_MAX, n, root, NULL);
    coder_forget(c, 0);
}

/* Numbers nodes in the order in which a search depth-first from the roots leaves them, from 1 on.
 */
static void number_nodes(const ExprPool *p, uint32_t n, const ExprId *root, uint32_t *number,
                         Arena *scratch)
{
    typedef struct Visit {
        ExprId x;
        uint32_t next;
    } Visit;
    VEC(Visit) stack = {0};
    bool *seen = arena_array(scratch, bool, pool_size(p) + 1);
    uint32_t found = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!seen[root[k].i])
            vec_push(scratch, stack, ((Visit){root[k], 0}));
        seen[root[k].i] = true;
        while (stack.n) {
            Visit *at = &stack.at[stack.n - 1];
            if (at->next == expr_n_args(p, at->x)) {
                number[at->x.i] = ++found;
                stack.n--;
                continue;
            }
            ExprId a = expr_arg(p, at->x, at->next++);
            if (!seen[a.i])
                vec_push(scratch, stack, ((Visit){a, 0}));
            seen[a.i] = true;
        }
    }
}

void coder_section_led(Coder *c, SectionKind kind, const char *name, uint32_t n_first, uint32_t n,
                       const ExprId *x)
{
    const ExprPool *p = c->pool;
    Arena *scratch = arena_new();
    uint32_t size = pool_size(p);
    uint32_t *number = arena_array(scratch, uint32_t, size + 1);
    bool *is_reached = arena_array(scratch, bool, size + 1);
    bool *is_first = arena_array(scratch, bool, size + 1);
    uint64_t *key = arena_array(scratch, uint64_t, n + 1);
    number_nodes(p, n_first, x, number, scratch);
    program_reach(p, n_first, x, is_first);
    // a node that these do not have is ready behind the last one below it; operands come before
    // users
    program_reach(p, n, x, is_reached);
    for (uint32_t k = 0; k < size; k++)
        for (uint32_t a = 0; is_reached[k] && !is_first[k] && a < expr_n_args(p, (ExprId){k});
             a++) {
            uint32_t below = number[expr_arg(p, (ExprId){k}, a).i];
            number[k] = below > number[k] ? below : number[k];
        }
    for (uint32_t k = 0; k < n; k++)
        key[k] = number[x[k].i];
    const uint32_t *order = sort_by_key(n, key, scratch);
    Root *root = arena_array(c->mem, Root, n + 1);
    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){.x = x[order[k]], .kind = ROOT_OUT, .index = order[k]};
    arena_free(scratch);
    coder_section(c, kind, name, UINT32_MAX, n, root, NULL);
    coder_forget(c, 0);
}

void coder_section_of_sides(Coder *c, const char *name, VarId first, uint32_t n_sides, uint32_t n,
                            const ExprId *x)
{
    Root *root = arena_array(c->mem, Root, n + 1);
    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){.x = x[k], .kind = ROOT_OUT, .index = k};
    c->section.first_side = c->leaf_index[first.i];
    c->section.n_sides = n_sides;
    coder_section(c, SECTION_SIDES, name, UINT32_MAX, n, root, NULL);
    coder_forget(c, 0);
}

/* Of n expressions those of parameters alone, or the others. */
static uint32_t roots_of_part(Coder *c, bool of_parameters, uint32_t n, const ExprId *x, Root **out)
{
    Root *root = *out = arena_array(c->mem, Root, n + 1);
    uint32_t n_roots = 0;
    for (uint32_t k = 0; k < n; k++)
        if ((expr_is_fixed(c->pool, x[k])) == of_parameters)
            root[n_roots++] = (Root){.x = x[k], .kind = ROOT_OUT, .index = k};
    return n_roots;
}

void coder_section_of_parameters(Coder *c, const char *name, uint32_t n, const ExprId *x)
{
    Root *root;
    n = roots_of_part(c, true, n, x, &root);
    coder_section(c, SECTION_PARAMETER, name, UINT32_MAX, n, root, NULL);
    coder_forget(c, 0);
}

uint32_t coder_section_varying(Coder *c, const char *name, uint32_t n, const ExprId *x,
                               uint32_t *place)
{
    Root *root;
    n = roots_of_part(c, false, n, x, &root);
    c->section.as_found = root;
    coder_section(c, SECTION_XDOT, name, UINT32_MAX, n, root, NULL);
    coder_forget(c, 0);
    c->section.as_found = NULL;
    for (uint32_t k = 0; k < n; k++)
        place[root[k].index] = root[k].was;
    return n;
}

static void block_functions(Coder *c, uint32_t b)
{
    if (c->of_one) {
        c->block[b].emitted = true;
        return;
    }
    BlockCode *own = &c->block[b];
    own->slots = arena_array(c->mem, uint32_t, own->needs.n + 1);
    for (uint32_t k = 0; k < own->needs.n; k++)
        own->slots[k] = code_is_leaf(c, own->needs.at[k]) || code_is_hoisted(c, own->needs.at[k])
                            ? 0
                            : code_node(c, own->needs.at[k].i)->slot;
    const NonlinearBlock *it = &c->g->block[b];
    uint32_t entries = it->col_start[it->n], mark = coder_mark(c);
    // values in w that depend on the block's unknowns are those of the last iterate: hide them
    typedef struct Hidden {
        uint32_t x, slot;
    } Hidden;
    VEC(Hidden) hidden = {0};
    for (uint32_t k = 0; k < mark; k++) {
        uint32_t x = c->slotted.at[k];
        if (code_node(c, x)->stage <= b || !code_node(c, x)->slot)
            continue;
        vec_push(c->mem, hidden, ((Hidden){x, code_node(c, x)->slot}));
        code_own_node(c, x)->slot = 0;
    }
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
    for (uint32_t k = 0; k < hidden.n; k++)
        code_own_node(c, hidden.at[k].x)->slot = hidden.at[k].slot;
    c->block[b].emitted = true;
}
