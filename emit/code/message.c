#include "emit/code/message.h"

static const Function *called(const System *s, ExprId x, ExprId *call)
{
    if (expr_op(s->pool, x) != OP_PROJ)
        return NULL;
    *call = expr_arg(s->pool, x, 0);
    return &s->function->at[expr_func_of(s->pool, *call).i];
}

Pieces message_pieces(const System *s, ExprId text, Arena *mem)
{
    const ExprPool *p = s->pool;
    Pieces out = {0};
    VEC(ExprId) stack = {0};
    vec_push(mem, stack, text);
    while (stack.n) {
        ExprId x = stack.at[--stack.n];
        ExprId call = EXPR_NONE;
        const Function *f = called(s, x, &call);
        if (expr_op(p, x) == OP_STRING) {
            vec_push(mem, out, ((Piece){expr_text_of(p, x).s, EXPR_NONE}));
        } else if (f && f->intrinsic == INTRINSIC_JOIN) {
            vec_push(mem, stack, expr_arg(p, call, 1));
            vec_push(mem, stack, expr_arg(p, call, 0));
        } else if (f && f->intrinsic == INTRINSIC_TEXT) {
            vec_push(mem, out,
                     ((Piece){expr_text_of(p, expr_arg(p, call, 1)).s, expr_arg(p, call, 0)}));
        } else {
            vec_push(mem, out, ((Piece){NULL, x}));
        }
    }
    return out;
}

bool message_varies(const System *s, ExprId text)
{
    return expr_exists(text) && expr_op(s->pool, text) != OP_STRING;
}

static ExprId text_of(const Program *g, uint32_t k)
{
    if (k < g->n_assertions)
        return g->assertion[k].message;
    const Action *a = &g->action[k - g->n_assertions];
    return a->kind == ACTION_TERMINATE ? a->value : EXPR_NONE;
}

bool message_section(const Program *g, Coder *c, Arena *mem, const char *id, const char *first)
{
    const System *s = g->sys;
    VEC(Root) root = {0};
    Text body = text_new(mem);
    uint32_t n = g->n_assertions + g->n_actions;
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        ExprId text = text_of(g, k);
        if (!message_varies(s, text))
            continue;
        any = true;
        text_printf(&body, "    case %u:\n", k);
        Pieces piece = message_pieces(s, text, mem);
        for (uint32_t i = 0; i < piece.n; i++) {
            if (!expr_exists(piece.at[i].value)) {
                text_put(&body, "        rung_text_put(ctx, ");
                text_string(&body, piece.at[i].text);
                text_put(&body, ");\n");
                continue;
            }
            if (piece.at[i].text) {
                text_put(&body, "        rung_text_number(ctx, ");
                text_string(&body, piece.at[i].text);
                text_printf(&body, ", v[%u]);\n", root.n);
            } else {
                text_printf(&body, "        rung_text_put(ctx, rung_text_of(ctx, v[%u]));\n",
                            root.n);
            }
            Root r = {.x = piece.at[i].value, .kind = ROOT_OUT, .index = root.n};
            r.name = name_of(s->names, "message");
            vec_push(mem, root, r);
        }
        text_put(&body, "        break;\n");
    }
    if (!any)
        return false;
    uint32_t mark = coder_mark(c);
    coder_section(c, SECTION_XDOT, "message_values", UINT32_MAX, root.n, root.at, first);
    coder_forget(c, mark);
    uint32_t values = coder_work(c, root.n);
    Text *t = coder_entries(c);
    text_printf(t,
                "\nstatic int %s_message(RungContext *ctx, double t, const double *x, uint32_t k)\n"
                "{\n    double *v = ctx->w + %u;\n"
                "    int status = %s_message_values(ctx, t, x, v);\n    rung_text_begin(ctx);\n"
                "    if (status)\n        return status;\n    switch (k) {\n",
                id, values, id);
    text_put_n(t, body.at, body.n);
    text_put(t, "    default:\n        break;\n    }\n    return 0;\n}\n");
    return true;
}
