/* schedule.c -- which nodes a section computes, in which order, and which of them are nested into
 * their only user. Depth-first from the roots, operands before users. */
#include "emit/coder.h"

#include <string.h>

static void push(Coder *c, FrameKind kind, uint32_t i)
{
    vec_push(c->mem, c->stack, ((Frame){kind, i, 0}));
}

static void enter_variable(Coder *c, ExprId x)
{
    VarId v = expr_var_of(c->pool, x);
    const char *name = c->g->sys->var.at[v.i].name.s;
    uint32_t place = c->leaf_index[v.i];
    switch ((LeafKind)c->leaf[v.i]) {
    case LEAF_UNKNOWN: {
        uint32_t b = c->block_of[place];
        bool own = c->kind >= SECTION_RESIDUAL;
        if (c->kind == SECTION_START || c->kind == SECTION_UPDATE) {
            code_unsupported(c,
                             arena_printf(c->mem, "the unknown '%s' of nonlinear equations", name));
        } else if (!own && c->needs[b].colour == WHITE) {
            c->needs[b].colour = GREY;
            push(c, FRAME_BLOCK, b);
        }
        return;
    }
    case LEAF_PARAMETER:
        if (c->kind != SECTION_UPDATE || !expr_exists(c->binding[v.i]))
            return;
        if (c->parameter_colour[v.i] == GREY) {
            diag_error(c->g->sys->diags, c->g->sys->var.at[v.i].span, "G02",
                       "the value of parameter '%s' depends on itself", name);
            c->failed = true;
        } else if (c->parameter_colour[v.i] == WHITE) {
            c->parameter_colour[v.i] = GREY;
            push(c, FRAME_PARAMETER, v.i);
        }
        return;
    case LEAF_STATE:
        if (c->kind == SECTION_START || c->kind == SECTION_UPDATE)
            code_unsupported(c, arena_printf(c->mem, "the state '%s'", name));
        return;
    case LEAF_INPUT:
        return;
    case LEAF_NONE:
        code_unsupported(
            c, arena_printf(c->mem, "the variable '%s', which no equation determines,", name));
        return;
    }
}

static void enter(Coder *c, ExprId x)
{
    x = code_bare(c, x);
    Op op = expr_op(c->pool, x);
    if (op == OP_VAR) {
        enter_variable(c, x);
        return;
    }
    if (code_is_leaf(c, x))
        return;
    if (code_is_hoisted(c, x)) {
        coder_constant(c, x);
        return;
    }
    if (!code_is_computed(c, x))
        return;
    c->uses[x.i]++;
    if (c->colour[x.i] != WHITE)
        return;
    switch (op) {
    case OP_STRING:
        code_unsupported(c, "a String");
        return;
    case OP_CALL:
    case OP_PROJ:
        code_unsupported(c, "a call of a function that cannot be expanded");
        return;
    case OP_DER:
        code_unsupported(c, "der()");
        return;
    case OP_PRE:
        code_unsupported(c, "pre()");
        return;
    default:
        break;
    }
    c->colour[x.i] = GREY;
    vec_push(c->mem, c->computed, x.i);
    push(c, FRAME_NODE, x.i);
}

static uint32_t frame_size(const Coder *c, const Frame *f)
{
    return f->kind == FRAME_NODE    ? expr_n_args(c->pool, (ExprId){f->i})
           : f->kind == FRAME_BLOCK ? c->needs[f->i].value.n
                                    : 1;
}

static ExprId frame_child(const Coder *c, const Frame *f)
{
    return f->kind == FRAME_NODE    ? expr_arg(c->pool, (ExprId){f->i}, f->next)
           : f->kind == FRAME_BLOCK ? c->needs[f->i].value.at[f->next]
                                    : c->binding[f->i];
}

static void finish(Coder *c, Frame f)
{
    long n;
    switch (f.kind) {
    case FRAME_NODE: {
        ExprId x = {f.i};
        c->colour[x.i] = BLACK;
        // the base of a power is written more than once
        if (code_small_power(c, x, &n)) {
            ExprId base = code_bare(c, expr_arg(c->pool, x, 0));
            if (code_is_computed(c, base))
                c->uses[base.i]++;
        }
        vec_push(c->mem, c->item, ((Item){ITEM_EVAL, x.i}));
        break;
    }
    case FRAME_BLOCK:
        c->needs[f.i].colour = BLACK;
        vec_push(c->mem, c->solved, f.i);
        vec_push(c->mem, c->item, ((Item){ITEM_SOLVE, f.i}));
        break;
    case FRAME_PARAMETER:
        c->parameter_colour[f.i] = BLACK;
        vec_push(c->mem, c->item, ((Item){ITEM_ROOT, c->parameter_root[f.i]}));
        break;
    }
}

static void search(Coder *c)
{
    while (c->stack.n && !c->failed) {
        Frame *f = &vec_last(c->stack);
        if (f->next < frame_size(c, f)) {
            ExprId child = frame_child(c, f);
            if (f->kind == FRAME_BLOCK)
                c->keep[code_bare(c, child).i] = 1;
            f->next++;
            enter(c, child);
        } else {
            Frame done = *f;
            c->stack.n--;
            finish(c, done);
        }
    }
    c->stack.n = 0;
}

/* Sine and cosine of one angle side by side: compilers make one call of the two. */
static void pair_angles(Coder *c)
{
    for (uint32_t k = 0; k < c->item.n; k++) {
        ExprId x = {c->item.at[k].i};
        if (c->item.at[k].kind != ITEM_EVAL || expr_op(c->pool, x) != OP_FN ||
            expr_fn_of(c->pool, x) > FN_COS)
            continue;
        c->partner[expr_fn_of(c->pool, x) == FN_COS][expr_arg(c->pool, x, 0).i] = x.i + 1;
    }
    VEC(Item) paired = {0};
    vec_reserve(c->mem, paired, c->item.n + 1);
    for (uint32_t k = 0; k < c->item.n; k++) {
        ExprId x = {c->item.at[k].i};
        if (c->item.at[k].kind != ITEM_EVAL || expr_op(c->pool, x) != OP_FN ||
            expr_fn_of(c->pool, x) > FN_COS) {
            vec_push(c->mem, paired, c->item.at[k]);
            continue;
        }
        uint32_t angle = expr_arg(c->pool, x, 0).i;
        for (int which = 0; which < 2; which++) {
            if (c->partner[which][angle])
                vec_push(c->mem, paired, ((Item){ITEM_EVAL, c->partner[which][angle] - 1}));
            c->partner[which][angle] = 0;
        }
    }
    if (paired.n)
        memcpy(c->item.at, paired.at, paired.n * sizeof *paired.at);
    c->item.n = paired.n;
}

void code_schedule(Coder *c, uint32_t n, const Root *root)
{
    for (uint32_t k = 0; k < n; k++)
        if (root[k].kind == ROOT_PARAMETER)
            c->parameter_root[root[k].var.i] = k;
    for (uint32_t k = 0; k < n && !c->failed; k++) {
        c->what = root[k].name.s ? root[k].name.s : "the model";
        if (root[k].kind != ROOT_PARAMETER) {
            enter(c, root[k].x);
            search(c);
            vec_push(c->mem, c->item, ((Item){ITEM_ROOT, k}));
        } else if (c->parameter_colour[root[k].var.i] == WHITE) {
            c->parameter_colour[root[k].var.i] = GREY;
            push(c, FRAME_PARAMETER, root[k].var.i);
            search(c);
        }
    }
    if (!c->failed)
        pair_angles(c);
}

/* ------------------------------------------------------------------ statements */

void code_choose_nested(Coder *c)
{
    for (uint32_t k = 0; k < c->item.n; k++) {
        if (c->item.at[k].kind != ITEM_EVAL)
            continue;
        ExprId x = {c->item.at[k].i};
        uint32_t weight = 1;
        for (uint32_t j = 0; j < expr_n_args(c->pool, x); j++) {
            ExprId a = code_bare(c, expr_arg(c->pool, x, j));
            if (c->nested[a.i])
                weight += c->weight[a.i];
        }
        Op op = expr_op(c->pool, x);
        bool angle = op == OP_FN && expr_fn_of(c->pool, x) <= FN_COS;
        c->weight[x.i] = (uint8_t)(weight < 255 ? weight : 255);
        c->nested[x.i] = c->uses[x.i] == 1 && weight <= c->o.nesting && !angle && !c->keep[x.i] &&
                         !c->pivot[x.i];
    }
}

static void walk_atoms(Coder *c, ExprId x, OnAtom on);

static void walk_atom(Coder *c, ExprId x, OnAtom on)
{
    double value;
    x = code_bare(c, x);
    if (c->nested[x.i])
        walk_atoms(c, x, on);
    else if (!code_literal(c, x, &value) && expr_op(c->pool, x) != OP_TIME)
        on(c, x);
}

/* The operands of the statement that computes x: what is not nested in it. */
static void walk_atoms(Coder *c, ExprId x, OnAtom on)
{
    long n;
    walk_atom(c, expr_arg(c->pool, x, 0), on);
    if (code_small_power(c, x, &n)) {
        // once more, since it is written more than once: worth a local variable
        if (n > 1 || n < -1)
            walk_atom(c, expr_arg(c->pool, x, 0), on);
        return;
    }
    for (uint32_t k = 1; k < expr_n_args(c->pool, x); k++)
        walk_atom(c, expr_arg(c->pool, x, k), on);
}

void code_walk(Coder *c, Item it, OnAtom on)
{
    if (it.kind == ITEM_EVAL)
        walk_atoms(c, (ExprId){it.i}, on);
    else if (it.kind == ITEM_ROOT)
        walk_atom(c, c->root[it.i].x, on);
}

/* Already written where it belongs, by the statement that computes it. */
static bool is_home(const Coder *c, Item it)
{
    bool negated = false;
    return it.kind == ITEM_ROOT && c->kind == SECTION_OUTPUTS &&
           c->home[code_strip(c->pool, c->root[it.i].x, &negated).i] == c->root[it.i].index + 1 &&
           !negated;
}

bool code_is_statement(const Coder *c, Item it)
{
    return (it.kind == ITEM_ROOT && !is_home(c, it)) || (it.kind == ITEM_EVAL && !c->nested[it.i]);
}
