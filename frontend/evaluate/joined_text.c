#include "frontend/evaluate/joined_text.h"

#include "base/text.h"
#include "frontend/front.h"
#include "ir/body.h"

#include <string.h>

enum { SHORT = 500 }; /* bytes; shorter texts are joined at once */

static bool is_in_pieces(const Front *f, ExprId x)
{
    return f->in_pieces.n > 0 && expr_exists(x) && map_get(&f->in_pieces, x.i) != MAP_NONE;
}

bool joined_text_is(const Front *f, ExprId x)
{
    return expr_exists(x) && (expr_op(f->sys->pool, x) == OP_STRING || is_in_pieces(f, x));
}

bool joined_text_is_long(const Front *f, ExprId x)
{
    return is_in_pieces(f, x) || strlen(expr_text_of(f->sys->pool, x).s) >= SHORT;
}

ExprId joined_text_append(Front *f, ExprId a, ExprId b)
{
    ExprPool *p = f->sys->pool;
    bool is_long = joined_text_is_long(f, a) || joined_text_is_long(f, b);
    if (is_long && f->eval.in_function && !f->eval.emission) {
        ExprId x = expr_join(f->sys, a, b);
        if (!f->in_pieces.mem)
            f->in_pieces = map_new(f->mem);
        map_add(&f->in_pieces, x.i);
        return x;
    }
    Text t = text_new(f->scratch);
    text_put(&t, expr_text_of(p, joined_text_whole(f, a)).s);
    text_put(&t, expr_text_of(p, joined_text_whole(f, b)).s);
    return expr_string(p, name_of(f->names, t.at));
}

ExprId joined_text_whole(Front *f, ExprId x)
{
    ExprPool *p = f->sys->pool;
    if (!is_in_pieces(f, x))
        return x;
    Arena *tmp = arena_new();
    Text t = text_new(tmp);
    VEC(ExprId) piece = {0}; /* the last one is the next of the text */
    vec_push(tmp, piece, x);
    while (piece.n > 0) {
        ExprId a = piece.at[--piece.n];
        if (expr_op(p, a) == OP_STRING) {
            text_put(&t, expr_text_of(p, a).s);
            continue;
        }
        ExprId call = expr_arg(p, a, 0);
        vec_push(tmp, piece, expr_arg(p, call, 1));
        vec_push(tmp, piece, expr_arg(p, call, 0));
    }
    ExprId whole = expr_string(p, name_of(f->names, t.at));
    arena_free(tmp);
    return whole;
}

void joined_text_make_whole(Front *f, Value *v)
{
    if (f->in_pieces.n == 0 || (v->kind == VALUE_PLAIN && v->type != TYPE_STRING))
        return;
    Value *field = v->n_fields ? arena_array(f->scratch, Value, v->n_fields) : NULL;
    for (uint32_t k = 0; k < v->n_fields; k++) {
        field[k] = v->field[k];
        joined_text_make_whole(f, &field[k]);
    }
    if (field)
        v->field = field;
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    bool is_own = false;
    for (uint32_t k = 0; k < n; k++) {
        if (!is_in_pieces(f, v->elem[k]))
            continue;
        if (!is_own) {
            ExprId *elem = arena_array(f->scratch, ExprId, n);
            memcpy(elem, v->elem, n * sizeof *elem);
            v->elem = elem;
            is_own = true;
        }
        v->elem[k] = joined_text_whole(f, v->elem[k]);
    }
}
