/* schedule.c -- which nodes a section computes, in which order, and which of them are nested into
 * their only user.
 *
 * A search depth-first from the roots finds them. Where statements go into loops, they then stand
 * in the order in which they were built (that of their ids): elimination treats similar parts of
 * the model one after the other in the same way, so that this order is periodic where the model is.
 * Barriers (a block is solved, the batch of angles) stand between levels: operands of a barrier
 * come before it, all other statements as late as their users allow.
 */
#include "base/map.h"
#include "base/sort.h"
#include "emit/code/coder.h"

#include <stdlib.h>
#include <string.h>

static void push(Coder *c, FrameKind kind, uint32_t i)
{
    vec_push_own(c->mem, c->section.stack, ((Frame){kind, i, 0}));
}

static void enter_variable(Coder *c, ExprId x)
{
    VarId v = expr_var_of(c->pool, x);
    const char *name = c->g->sys->var.at[v.i].name.s;
    uint32_t place = c->leaf_index[v.i];
    switch ((LeafKind)c->leaf[v.i]) {
    case LEAF_UNKNOWN: {
        uint32_t b = c->block_of[place];
        bool own = c->section.kind >= SECTION_RESIDUAL;
        if (c->section.kind == SECTION_START || c->section.kind == SECTION_UPDATE) {
            code_unsupported(c,
                             arena_printf(c->mem, "the unknown '%s' of nonlinear equations", name));
        } else if (!own && c->block[b].colour == WHITE) {
            c->block[b].colour = GREY;
            push(c, FRAME_BLOCK, b);
        }
        return;
    }
    case LEAF_PARAMETER:
        if (c->section.kind != SECTION_UPDATE || !expr_exists(c->binding[v.i]))
            return;
        if (c->section.variable[v.i].colour == GREY) {
            diag_error(c->g->sys->diags, c->g->sys->var.at[v.i].span, "G02",
                       "the value of parameter '%s' depends on itself", name);
            c->failed = true;
        } else if (c->section.variable[v.i].colour == WHITE) {
            c->section.variable[v.i].colour = GREY;
            push(c, FRAME_PARAMETER, v.i);
        }
        return;
    case LEAF_STATE:
        if (c->section.kind == SECTION_START || c->section.kind == SECTION_UPDATE)
            code_unsupported(c, arena_printf(c->mem, "the state '%s'", name));
        return;
    case LEAF_INPUT:
    case LEAF_TORN:
        return;
    case LEAF_NONE:
        code_unsupported(
            c, arena_printf(c->mem, "the variable '%s', which no equation determines,", name));
        return;
    }
}

/* A literal that the function which is called knows. */
static bool is_known_text(const Coder *c, ExprId x, uint32_t k)
{
    if (expr_op(c->pool, x) != OP_CALL || expr_op(c->pool, expr_arg(c->pool, x, k)) != OP_STRING)
        return false;
    FuncId f = expr_func_of(c->pool, x);
    Intrinsic what = c->g->sys->function->at[f.i].intrinsic;
    return what == INTRINSIC_TEXT ||
           (what == INTRINSIC_NONE && !function_takes_text(c->callees, f, k));
}

static bool is_text_argument(const Coder *c)
{
    const Frame *f = c->section.stack.n ? &vec_last(c->section.stack) : NULL;
    /* next is the one behind */
    return f && f->kind == FRAME_NODE && f->next > 0 &&
           expr_n_args(c->pool, (ExprId){f->i}) >= f->next &&
           is_known_text(c, (ExprId){f->i}, f->next - 1);
}

static void enter(Coder *c, ExprId x)
{
    x = code_bare(c, x);
    Op op = expr_op(c->pool, x);
    if (op == OP_VAR) {
        enter_variable(c, x);
        return;
    }
    if (code_is_leaf(c, x) || (op == OP_STRING && is_text_argument(c)))
        return;
    if (code_is_hoisted(c, x)) {
        coder_constant(c, x);
        return;
    }
    if (!code_is_computed(c, x))
        return;
    SectionNode *own = code_own_section_node(&c->section, x.i);
    own->uses++;
    if (own->colour != WHITE)
        return;
    switch (op) {
    case OP_DER:
        code_unsupported(c, "der()");
        return;
    case OP_PRE:
        code_unsupported(c, "pre()");
        return;
    default:
        break;
    }
    own->colour = GREY;
    vec_push_own(c->mem, c->section.computed, x.i);
    push(c, FRAME_NODE, x.i);
}

static uint32_t frame_size(const Coder *c, const Frame *f)
{
    return f->kind == FRAME_NODE    ? expr_n_args(c->pool, (ExprId){f->i})
           : f->kind == FRAME_BLOCK ? c->block[f->i].needs.n
                                    : 1;
}

static ExprId frame_child(const Coder *c, const Frame *f)
{
    return f->kind == FRAME_NODE    ? expr_arg(c->pool, (ExprId){f->i}, f->next)
           : f->kind == FRAME_BLOCK ? c->block[f->i].needs.at[f->next]
                                    : c->binding[f->i];
}

/* Arguments and results of a call have places in w, side by side. */
static void finish_call(Coder *c, ExprId x)
{
    const Function *f = &c->g->sys->function->at[expr_func_of(c->pool, x).i];
    uint32_t n = expr_n_args(c->pool, x);
    if (!intrinsic_is_text(f->intrinsic) && !function_use(c->callees, expr_func_of(c->pool, x))) {
        code_unsupported(c, arena_printf(c->mem, "a call of '%s'", f->name.s));
        return;
    }
    code_own_node(c, x.i)->slot = c->section.call.n + 1; /* until the section ends */
    for (uint32_t k = 0; k < n; k++) {
        if (is_known_text(c, x, k))
            continue;
        vec_push_own(c->mem, c->section.item,
                     ((Item){.kind = ITEM_ARGUMENT, .i = c->section.argument.n}));
        vec_push(c->mem, c->section.argument, ((ArgumentPlace){c->section.call.n, k}));
    }
    vec_push_own(c->mem, c->section.item, ((Item){.kind = ITEM_CALL, .i = c->section.call.n}));
    uint32_t arguments = coder_work(c, n);
    vec_push(c->mem, c->section.call, ((CallPlace){x, arguments, coder_work(c, f->n_out)}));
}

/* A literal is a call without arguments, and its result. */
static void finish_literal(Coder *c, ExprId x)
{
    uint32_t at = coder_work(c, 1);
    vec_push_own(c->mem, c->section.item, ((Item){.kind = ITEM_CALL, .i = c->section.call.n}));
    vec_push(c->mem, c->section.call, ((CallPlace){x, at, at}));
    code_own_node(c, x.i)->slot = at + 1;
    vec_push_own(c->mem, c->slotted, x.i);
    vec_push_own(c->mem, c->section.item, ((Item){.kind = ITEM_RESULT, .i = x.i}));
}

static void finish_result(Coder *c, ExprId x)
{
    const CallPlace *at = &c->section.call.at[code_node(c, expr_arg(c->pool, x, 0).i)->slot - 1];
    code_own_node(c, x.i)->slot = at->results + expr_proj_of(c->pool, x) + 1;
    vec_push_own(c->mem, c->slotted, x.i);
    vec_push_own(c->mem, c->section.item, ((Item){.kind = ITEM_RESULT, .i = x.i}));
}

static void finish(Coder *c, Frame f)
{
    long n;
    switch (f.kind) {
    case FRAME_NODE: {
        ExprId x = {f.i};
        code_own_section_node(&c->section, x.i)->colour = BLACK;
        if (expr_op(c->pool, x) == OP_CALL) {
            finish_call(c, x);
            break;
        }
        if (expr_op(c->pool, x) == OP_PROJ) {
            finish_result(c, x);
            break;
        }
        if (expr_op(c->pool, x) == OP_STRING) {
            finish_literal(c, x);
            break;
        }
        // the base of a power is written more than once
        if (code_small_power(c, x, &n)) {
            ExprId base = code_bare(c, expr_arg(c->pool, x, 0));
            if (code_is_computed(c, base))
                code_own_section_node(&c->section, base.i)->uses++;
        }
        vec_push_own(c->mem, c->section.item, ((Item){.kind = ITEM_EVAL, .i = x.i}));
        break;
    }
    case FRAME_BLOCK:
        c->block[f.i].colour = BLACK;
        vec_push(c->mem, c->section.solved, f.i);
        vec_push_own(c->mem, c->section.item, ((Item){.kind = ITEM_SOLVE, .i = f.i}));
        break;
    case FRAME_PARAMETER:
        c->section.variable[f.i].colour = BLACK;
        vec_push_own(c->mem, c->section.item,
                     ((Item){.kind = ITEM_ROOT, .i = c->section.variable[f.i].root}));
        break;
    }
}

static void search(Coder *c)
{
    while (c->section.stack.n && !c->failed) {
        Frame *f = &vec_last(c->section.stack);
        if (f->next < frame_size(c, f)) {
            ExprId child = frame_child(c, f);
            if (f->kind == FRAME_BLOCK)
                code_own_section_node(&c->section, code_bare(c, child).i)->keep = true;
            f->next++;
            enter(c, child);
        } else {
            Frame done = *f;
            c->section.stack.n--;
            finish(c, done);
        }
    }
    c->section.stack.n = 0;
}

static void mark_divisor(Coder *c, ExprId x)
{
    x = code_bare(c, x);
    if (code_section_node(&c->section, x.i)->colour == BLACK)
        code_own_section_node(&c->section, x.i)->divides = true;
}

/* Goes against the order of the search: users before operands. Every value of sections start and
 * update counts as divisor, since other sections may divide by it. */
static void find_divisors(Coder *c)
{
    bool all = c->section.kind == SECTION_START || c->section.kind == SECTION_UPDATE;
    for (uint32_t k = c->section.item.n; k-- > 0;) {
        Item it = c->section.item.at[k];
        if (it.kind == ITEM_SOLVE) {
            for (uint32_t j = 0; j < c->block[it.i].needs.n; j++)
                mark_divisor(c, c->block[it.i].needs.at[j]);
            continue;
        }
        if (it.kind != ITEM_EVAL && it.kind != ITEM_RESULT && it.kind != ITEM_CALL)
            continue;
        ExprId x = it.kind == ITEM_CALL ? c->section.call.at[it.i].x : (ExprId){it.i};
        bool *own = &code_own_section_node(&c->section, x.i)->divides;
        *own = *own || all;
        // a sum that is divided by is a pivot of its own, not its terms
        Op op = expr_op(c->pool, x);
        bool passes = *own && (all || !op_is_sum(op));
        for (uint32_t j = 0; j < expr_n_args(c->pool, x); j++)
            if (passes || (op == OP_DIV && j == 1) || op == OP_POW || op == OP_CALL)
                mark_divisor(c, expr_arg(c->pool, x, j));
    }
}

/* ------------------------------------------------------------------ levels */

static bool is_angle(const Coder *c, Item it)
{
    ExprId x = {it.i};
    return it.kind == ITEM_EVAL && expr_op(c->pool, x) == OP_FN && expr_fn_of(c->pool, x) <= FN_COS;
}

/* Its value is found where the batch puts it. */
static bool in_batch(const Coder *c, Item it)
{
    return c->section.angle.n && it.kind == ITEM_EVAL && code_node(c, it.i)->slot &&
           is_angle(c, it);
}

/* Whether x depends on this section's barriers; of nodes it computes, the level is known. */
static uint32_t level_of(const Coder *c, ExprId x)
{
    x = code_bare(c, x);
    if (expr_op(c->pool, x) == OP_VAR)
        return c->section.variable[expr_var_of(c->pool, x).i].level;
    return code_section_node(&c->section, x.i)->colour == BLACK
               ? code_section_node(&c->section, x.i)->level
               : 0;
}

/* Whose result the item is. */
static ExprId call_of(const Coder *c, Item it)
{
    ExprId x = {it.i};
    return expr_op(c->pool, x) == OP_PROJ ? expr_arg(c->pool, x, 0) : x;
}

static void set_block_level(Coder *c, uint32_t b, uint32_t level)
{
    for (uint32_t i = 0; i < c->g->block[b].n; i++)
        c->section.variable[c->g->block[b].unknown[i].i].level = level;
}

/* Earliest levels, in the order of the search. Returns the last one. */
static uint32_t find_levels(Coder *c)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < c->section.item.n; k++) {
        Item it = c->section.item.at[k];
        uint32_t level = 0;
        if (it.kind == ITEM_EVAL) {
            ExprId x = {it.i};
            Op op = expr_op(c->pool, x);
            bool hard = !op_is_sum(op) && op != OP_MUL;
            for (uint32_t j = 0; j < expr_n_args(c->pool, x); j++) {
                ExprId a = code_bare(c, expr_arg(c->pool, x, j));
                uint32_t below = level_of(c, a);
                level = below > level ? below : level;
                hard = hard || (code_section_node(&c->section, a.i)->colour == BLACK &&
                                code_section_node(&c->section, a.i)->hard);
            }
            code_own_section_node(&c->section, x.i)->hard = hard;
            code_own_section_node(&c->section, x.i)->level = in_batch(c, it) ? 1 : level;
        } else if (it.kind == ITEM_CALL) {
            ExprId x = c->section.call.at[it.i].x;
            for (uint32_t j = 0; j < expr_n_args(c->pool, x); j++) {
                uint32_t below = level_of(c, expr_arg(c->pool, x, j));
                level = below > level ? below : level;
            }
            code_own_section_node(&c->section, x.i)->hard = true;
            code_own_section_node(&c->section, x.i)->level = level;
        } else if (it.kind == ITEM_RESULT) {
            level = level_of(c, call_of(c, it));
            code_own_section_node(&c->section, it.i)->hard = true;
            code_own_section_node(&c->section, it.i)->level = level;
        } else if (it.kind == ITEM_ROOT) {
            const Root *r = &c->section.root[it.i];
            level = level_of(c, r->x);
            if (r->kind == ROOT_PARAMETER)
                c->section.variable[r->var.i].level = ++level;
        } else if (it.kind == ITEM_SOLVE) {
            const BlockCode *block = &c->block[it.i];
            for (uint32_t j = 0; j < block->needs.n; j++) {
                uint32_t below = level_of(c, block->needs.at[j]);
                level = below > level ? below : level;
            }
            set_block_level(c, it.i, ++level);
        }
        most = level > most ? level : most;
    }
    return most;
}

static void lower(Coder *c, ExprId x, uint32_t level)
{
    x = code_bare(c, x);
    uint32_t *at = NULL;
    if (expr_op(c->pool, x) == OP_VAR)
        at = &c->section.variable[expr_var_of(c->pool, x).i].level;
    else if (code_section_node(&c->section, x.i)->colour == BLACK)
        at = &code_own_section_node(&c->section, x.i)->level;
    if (at && level < *at)
        *at = level;
}

/* Collects the angles that are sums and products of leaves: one call computes all their sines and
 * cosines into w. */
static void find_batch(Coder *c)
{
    enum { FEW = 4 }; // fewer are called one by one
    c->section.angle.n = 0;
    for (uint32_t k = 0; k < c->section.item.n; k++) {
        Item it = c->section.item.at[k];
        // a pivot is checked where it is computed
        if (!is_angle(c, it) || code_section_node(&c->section, it.i)->level || code_pivot(c, it.i))
            continue;
        ExprId x = {it.i}, angle = expr_arg(c->pool, x, 0), bare = code_bare(c, angle);
        if (code_section_node(&c->section, bare.i)->colour == BLACK &&
            code_section_node(&c->section, bare.i)->hard)
            continue;
        int which = expr_fn_of(c->pool, x) == FN_COS;
        // a second node of the same function is called by itself
        if (code_section_node(&c->section, angle.i)->partner[which])
            continue;
        uint32_t *partner = code_own_section_node(&c->section, angle.i)->partner;
        if (!partner[!which]) {
            vec_push(c->mem, c->section.angle, ((Angle){.x = angle}));
            partner[which] = c->section.angle.n;
        } else {
            partner[which] = partner[!which];
            if (code_section_node(&c->section, bare.i)->colour == BLACK)
                code_own_section_node(&c->section, bare.i)->uses--; // one statement for both
        }
        c->section.angle.at[partner[which] - 1].function[which] = x.i + 1;
    }
    for (uint32_t k = 0; k < c->section.angle.n; k++)
        for (int which = 0; which < 2; which++)
            code_own_section_node(&c->section, c->section.angle.at[k].x.i)->partner[which] = 0;
    if (c->section.angle.n >= FEW && c->o.batch)
        return;
    for (uint32_t k = 0; k < c->section.angle.n; k++) {
        ExprId bare = code_bare(c, c->section.angle.at[k].x);
        if (c->section.angle.at[k].function[0] && c->section.angle.at[k].function[1] &&
            code_section_node(&c->section, bare.i)->colour == BLACK)
            code_own_section_node(&c->section, bare.i)->uses++;
    }
    c->section.angle.n = 0;
}

static int by_angle(const void *a, const void *b)
{
    const Angle *x = a, *y = b;
    return (x->x.i > y->x.i) - (x->x.i < y->x.i);
}

static void place_batch(Coder *c)
{
    uint32_t n = c->section.angle.n;
    if (!n)
        return;
    qsort(c->section.angle.at, n, sizeof *c->section.angle.at, by_angle);
    c->section.angles_at = coder_work(c, 3 * n);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t which = 0; which < 2; which++)
            if (c->section.angle.at[k].function[which]) {
                uint32_t x = c->section.angle.at[k].function[which] - 1;
                code_own_node(c, x)->slot = c->section.angles_at + (1 + which) * n + k + 1;
                vec_push_own(c->mem, c->slotted, x);
            }
}

/* ------------------------------------------------------------------ order */

/* Sine and cosine of one angle side by side: compilers make one call of the two. */
static void pair_angles(Coder *c)
{
    for (uint32_t k = 0; k < c->section.item.n; k++) {
        ExprId x = {c->section.item.at[k].i};
        if (!is_angle(c, c->section.item.at[k]))
            continue;
        SectionNode *angle = code_own_section_node(&c->section, expr_arg(c->pool, x, 0).i);
        uint32_t *partner = &angle->partner[expr_fn_of(c->pool, x) == FN_COS];
        code_own_section_node(&c->section, x.i)->repeated = *partner != 0;
        *partner = *partner ? *partner : x.i + 1;
    }
    Arena *scratch = arena_new();
    VEC(Item) paired = {0};
    vec_reserve(scratch, paired, c->section.item.n + 1);
    for (uint32_t k = 0; k < c->section.item.n; k++) {
        ExprId x = {c->section.item.at[k].i};
        if (!is_angle(c, c->section.item.at[k]) || code_section_node(&c->section, x.i)->repeated) {
            vec_push(scratch, paired, c->section.item.at[k]);
            continue;
        }
        uint32_t angle = expr_arg(c->pool, x, 0).i;
        for (int which = 0; which < 2; which++) {
            if (code_section_node(&c->section, angle)->partner[which])
                vec_push(scratch, paired,
                         ((Item){.kind = ITEM_EVAL,
                                 .i = code_section_node(&c->section, angle)->partner[which] - 1}));
            code_own_section_node(&c->section, angle)->partner[which] = 0;
        }
    }
    if (paired.n)
        memcpy(c->section.item.at, paired.at, paired.n * sizeof *paired.at);
    c->section.item.n = paired.n;
    arena_free(scratch);
}

static void choose_nested(Coder *c)
{
    for (uint32_t k = 0; k < c->section.item.n; k++) {
        if (c->section.item.at[k].kind != ITEM_EVAL)
            continue;
        ExprId x = {c->section.item.at[k].i};
        uint32_t weight = 1;
        for (uint32_t j = 0; j < expr_n_args(c->pool, x); j++) {
            ExprId a = code_bare(c, expr_arg(c->pool, x, j));
            if (code_section_node(&c->section, a.i)->nested)
                weight += code_section_node(&c->section, a.i)->weight;
        }
        SectionNode *own = code_own_section_node(&c->section, x.i);
        own->weight = (uint8_t)(weight < 255 ? weight : 255);
        own->nested = own->uses == 1 && weight <= c->o.nesting && !own->keep &&
                      !is_angle(c, c->section.item.at[k]) && !code_pivot(c, x.i);
    }
}

/* Results that others in the section need are read from there instead of from w. */
static void find_homes(Coder *c, uint32_t n)
{
    for (uint32_t k = 0; k < n && c->section.kind == SECTION_OUTPUTS; k++) {
        bool negated = false;
        ExprId x = code_strip(c->pool, c->section.root[k].x, &negated);
        if (!negated && code_section_node(&c->section, x.i)->colour == BLACK &&
            !code_section_node(&c->section, x.i)->nested && !code_node(c, x.i)->slot)
            code_own_section_node(&c->section, x.i)->home = c->section.root[k].index + 1;
    }
}

/* Already written where it belongs, by the statement that computes it. */
static bool is_home(const Coder *c, Item it)
{
    bool negated = false;
    return it.kind == ITEM_ROOT && c->section.kind == SECTION_OUTPUTS &&
           code_section_node(&c->section, code_strip(c->pool, c->section.root[it.i].x, &negated).i)
                   ->home == c->section.root[it.i].index + 1 &&
           !negated;
}

typedef struct Key {
    uint32_t level, id, own, kind, rank; /* id: that of the node before which it stands; own: its */
    Item item;
} Key;

static int by_key(const void *a, const void *b)
{
    const Key *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->own != y->own)
        return x->own < y->own ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Latest levels, against the order of the search, and with them the keys to sort by. */
static uint32_t find_keys(Coder *c, uint32_t most, Key *key)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < c->section.item.n; k++) {
        Item it = c->section.item.at[k];
        if (it.kind == ITEM_EVAL || it.kind == ITEM_RESULT)
            code_own_section_node(&c->section, it.i)->level = most;
        else if (it.kind == ITEM_CALL)
            code_own_section_node(&c->section, c->section.call.at[it.i].x.i)->level = most;
        else if (it.kind == ITEM_ROOT && c->section.root[it.i].kind == ROOT_PARAMETER)
            c->section.variable[c->section.root[it.i].var.i].level = most + 1;
    }
    for (uint32_t k = 0; k < c->section.angle.n; k++) {
        key[n++] = (Key){.id = c->section.angle.at[k].x.i,
                         .kind = 1,
                         .rank = c->section.item.n + k,
                         .item = {.kind = ITEM_ANGLE, .i = k}};
        lower(c, c->section.angle.at[k].x, 0);
    }
    if (c->section.angle.n)
        key[n++] = (Key){.id = UINT32_MAX, .kind = 1, .item = {.kind = ITEM_BATCH}};
    for (uint32_t k = c->section.item.n; k-- > 0;) {
        Item it = c->section.item.at[k];
        Key *at = &key[n];
        *at = (Key){.rank = k, .item = it};
        if (it.kind == ITEM_EVAL) {
            ExprId x = {it.i};
            // nested and batched ones are where their users are
            if (in_batch(c, it))
                continue;
            for (uint32_t j = 0; j < expr_n_args(c->pool, x); j++)
                lower(c, expr_arg(c->pool, x, j), code_section_node(&c->section, x.i)->level);
            if (code_section_node(&c->section, x.i)->nested)
                continue;
            at->level = code_section_node(&c->section, x.i)->level;
            at->id = x.i;
            if (is_angle(c, it)) {
                // beside the other function of the angle
                const Item *next = k + 1 < c->section.item.n ? &c->section.item.at[k + 1] : NULL;
                const Item *last = k ? &c->section.item.at[k - 1] : NULL;
                uint32_t angle = expr_arg(c->pool, x, 0).i;
                if (next && is_angle(c, *next) && !in_batch(c, *next) &&
                    expr_arg(c->pool, (ExprId){next->i}, 0).i == angle && next->i < at->id)
                    at->id = next->i;
                if (last && is_angle(c, *last) && !in_batch(c, *last) &&
                    expr_arg(c->pool, (ExprId){last->i}, 0).i == angle && last->i < at->id)
                    at->id = last->i;
            }
        } else if (it.kind == ITEM_RESULT) {
            lower(c, call_of(c, it), code_section_node(&c->section, it.i)->level);
            if (!code_pivot(c, it.i))
                continue;
            at->level = code_section_node(&c->section, it.i)->level;
            at->id = it.i;
        } else if (it.kind == ITEM_CALL || it.kind == ITEM_ARGUMENT) {
            /* arguments stand right before the call */
            bool whole = it.kind == ITEM_CALL;
            ExprId x = c->section.call.at[whole ? it.i : c->section.argument.at[it.i].call].x;
            at->level = code_section_node(&c->section, x.i)->level;
            at->id = x.i;
            at->kind = whole ? 1 : 0;
            if (!whole)
                lower(c, expr_arg(c->pool, x, c->section.argument.at[it.i].k), at->level);
        } else if (it.kind == ITEM_ROOT) {
            const Root *r = &c->section.root[it.i];
            at->level = r->kind == ROOT_PARAMETER ? c->section.variable[r->var.i].level - 1 : most;
            at->id = code_bare(c, r->x).i;
            at->kind = 1;
            lower(c, r->x, at->level);
            if (is_home(c, it))
                continue;
        } else {
            const BlockCode *block = &c->block[it.i];
            at->level = c->section.variable[c->g->block[it.i].unknown[0].i].level - 1;
            at->id = UINT32_MAX;
            at->kind = 2;
            for (uint32_t j = 0; j < block->needs.n; j++)
                lower(c, block->needs.at[j], at->level);
        }
        n++;
    }
    return n;
}

/* By level and id first, then the few that stand before the same node. */
static void sort_keys(uint32_t n, Key *key)
{
    Arena *scratch = arena_new();
    Key *as_was = arena_array(scratch, Key, n);
    uint64_t *first = arena_array(scratch, uint64_t, n);
    for (uint32_t k = 0; k < n; k++) {
        as_was[k] = key[k];
        first[k] = map_key_pair(key[k].level, key[k].id);
    }
    const uint32_t *order = sort_by_key(n, first, scratch);
    for (uint32_t k = 0, begin = 0; k < n; k++) {
        key[k] = as_was[order[k]];
        if (k + 1 < n && first[order[k]] == first[order[k + 1]])
            continue;
        if (k > begin)
            qsort(&key[begin], k + 1 - begin, sizeof *key, by_key);
        begin = k + 1;
    }
    arena_free(scratch);
}

static void put_items(Coder *c, uint32_t n, Key *key)
{
    sort_keys(n, key);
    c->section.item.n = c->section.rank.n = c->section.after.n = 0;
    for (uint32_t k = 0; k < n; k++) {
        vec_push_own(c->mem, c->section.item, key[k].item);
        vec_push_own(c->mem, c->section.rank, key[k].rank);
        vec_push_own(c->mem, c->section.after, key[k].level);
        if (key[k].item.kind == ITEM_EVAL)
            code_own_section_node(&c->section, key[k].item.i)->position = k + 1;
    }
}

/* Moves a statement down to its first user where that makes at most one other value live longer: it
 * need not be stored. So a product of available values is computed in the kernel that uses it. */
static void sink(Section *section, uint32_t n, Key *key, Arena *scratch)
{
    uint64_t *first = arena_array(scratch, uint64_t, n + 1); /* of its users, the key */
    uint64_t *last = arena_array(scratch, uint64_t, n + 1);
    for (uint32_t k = n; k-- > 0;) {
        uint32_t operands, longer = 0;
        const ExprId *operand = code_operands(section, section->item.at[k], &operands);
        for (uint32_t q = 0; q < operands; q++) {
            uint32_t at = code_section_node(section, operand[q].i)->position;
            longer += at && last[at - 1] < first[k];
        }
        if (section->item.at[k].kind == ITEM_EVAL && first[k] >> 32 == key[k].level + 1u &&
            longer < 2)
            key[k].id = (uint32_t)first[k];
        uint64_t own = (key[k].level + UINT64_C(1)) << 32 | key[k].id;
        for (uint32_t q = 0; q < operands; q++) {
            uint32_t at = code_section_node(section, operand[q].i)->position;
            if (!at)
                continue;
            if (!first[at - 1] || own < first[at - 1])
                first[at - 1] = own;
            if (own > last[at - 1])
                last[at - 1] = own;
        }
    }
}

static void sort(Coder *c, uint32_t most)
{
    Arena *scratch = arena_new();
    Key *key = arena_array(scratch, Key, c->section.item.n + c->section.angle.n + 1);
    uint32_t n = find_keys(c, most, key);
    c->section.reading.n = c->section.operands.n = 0;
    for (uint32_t k = n; k-- > 0;)
        code_remember(c, &key[k].item);
    // without loops, as the search found them: operands near their users
    for (uint32_t k = 0; k < n; k++) {
        if (!c->o.kernels && key[k].id != UINT32_MAX)
            key[k].id = key[k].kind = 0;
        key[k].own = key[k].id;
    }
    put_items(c, n, key);
    if (c->o.kernels) {
        sink(&c->section, n, key, scratch);
        put_items(c, n, key);
    }
    arena_free(scratch);
}

void code_schedule(Coder *c, uint32_t n, const Root *root)
{
    for (uint32_t k = 0; k < n; k++)
        if (root[k].kind == ROOT_PARAMETER)
            c->section.variable[root[k].var.i].root = k;
    for (uint32_t k = 0; k < n && !c->failed; k++) {
        c->section.what = root[k].name.s ? root[k].name.s : "the model";
        if (root[k].kind != ROOT_PARAMETER) {
            enter(c, root[k].x);
            search(c);
            vec_push_own(c->mem, c->section.item, ((Item){.kind = ITEM_ROOT, .i = k}));
        } else if (c->section.variable[root[k].var.i].colour == WHITE) {
            c->section.variable[root[k].var.i].colour = GREY;
            push(c, FRAME_PARAMETER, root[k].var.i);
            search(c);
        }
    }
    c->section.angle.n = 0;
    if (c->failed)
        return;
    find_divisors(c);
    uint32_t most = find_levels(c);
    find_batch(c);
    place_batch(c);
    if (c->section.angle.n)
        most = find_levels(c);
    pair_angles(c);
    choose_nested(c);
    find_homes(c, n);
    sort(c, most);

    for (uint32_t k = 0; k < n; k++)
        if (root[k].kind == ROOT_PARAMETER)
            c->section.variable[root[k].var.i].level = 0;
    for (uint32_t k = 0; k < c->section.item.n; k++)
        if (c->section.item.at[k].kind == ITEM_SOLVE)
            set_block_level(c, c->section.item.at[k].i, 0);
}
