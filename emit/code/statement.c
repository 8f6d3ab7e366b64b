/* statement.c -- a statement as a tree over its operands, in a normal form: equal computations have
 * equal shape. */
#include "base/hash.h"
#include "emit/code/coder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ shapes */

static uint64_t bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

bool code_is_wave(const Coder *c, ExprId x)
{
    return expr_op(c->pool, x) == OP_FN &&
           (expr_fn_of(c->pool, x) == FN_SIN || expr_fn_of(c->pool, x) == FN_COS);
}

ExprId code_size_of(const Coder *c, ExprId x)
{
    return x.i < c->n_sizes ? (ExprId){c->size[x.i] - 1} : EXPR_NONE;
}

/* The kind of an operand: in which array it is, or that some statement has computed it. */
static uint64_t operand_kind(const Coder *c, ExprId x)
{
    if (expr_op(c->pool, x) != OP_VAR)
        return code_is_hoisted(c, x) ? 101 : 102;
    VarId v = expr_var_of(c->pool, x);
    if (code_is_side(c, v))
        return 100;
    bool own = c->leaf[v.i] == LEAF_UNKNOWN && c->section.kind >= SECTION_RESIDUAL &&
               c->block_of[c->leaf_index[v.i]] == c->section.block;
    return own ? 103 : 104 + c->leaf[v.i];
}

static uint32_t push(Coder *c, Term t)
{
    t.shape = hash_pair(hash_pair(t.op, t.fn), bits(t.value));
    if (t.op == OP_VAR) {
        t.shape = hash_pair(t.shape, operand_kind(c, c->tree.operand.at[t.arg[0]]));
    } else {
        for (int k = 0; k < 3 && t.arg[k] != UINT32_MAX; k++) {
            const Term *a = &c->tree.term.at[t.arg[k]];
            t.shape = hash_pair(t.shape, hash_pair(a->shape, a->negated));
        }
    }
    vec_push(c->mem, c->tree.term, t);
    return c->tree.term.n - 1;
}

static uint32_t put_operand(Coder *c, ExprId x)
{
    vec_push(c->mem, c->tree.operand, x);
    return push(c, (Term){.op = OP_VAR, .arg = {c->tree.operand.n - 1, UINT32_MAX, UINT32_MAX}});
}

/* ------------------------------------------------------------------ reading */

static uint32_t read_piece(Coder *c, ExprId x);
static uint32_t read_operation(Coder *c, ExprId x);

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t keep = *a;
    *a = *b;
    *b = keep;
}

/* Terms whose order changes no value stand in the order of their shapes. */
static void sort_pair(const Tree *tree, uint32_t *a, uint32_t *b)
{
    if (tree->term.at[*b].shape < tree->term.at[*a].shape)
        swap(a, b);
}

static uint32_t read_sum(Coder *c, ExprId x)
{
    uint32_t a = read_piece(c, expr_arg(c->pool, x, 0)), b = read_piece(c, expr_arg(c->pool, x, 1));
    Term *term = c->tree.term.at;
    bool minus_a = term[a].negated;
    bool minus_b = term[b].negated != (expr_op(c->pool, x) == OP_SUB);
    term[a].negated = term[b].negated = false;
    bool negated = minus_a && minus_b;
    if (minus_a == minus_b)
        sort_pair(&c->tree, &a, &b);
    else if (minus_a)
        swap(&a, &b);
    Op op = minus_a == minus_b ? OP_ADD : OP_SUB;
    uint32_t k = push(c, (Term){.op = (uint8_t)op, .arg = {a, b, UINT32_MAX}});
    c->tree.term.at[k].negated = negated;
    return k;
}

static uint32_t read_product(Coder *c, ExprId x)
{
    uint32_t a = read_piece(c, expr_arg(c->pool, x, 0)), b = read_piece(c, expr_arg(c->pool, x, 1));
    Term *term = c->tree.term.at;
    bool negated = term[a].negated != term[b].negated;
    term[a].negated = term[b].negated = false;
    Op op = expr_op(c->pool, x);
    if (op == OP_MUL)
        sort_pair(&c->tree, &a, &b);
    uint32_t k = push(c, (Term){.op = (uint8_t)op, .arg = {a, b, UINT32_MAX}});
    c->tree.term.at[k].negated = negated;
    return k;
}

static uint32_t read_operation(Coder *c, ExprId x)
{
    Op op = expr_op(c->pool, x);
    long n;
    Term t = {.op = (uint8_t)op, .arg = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    if (op_is_sum(op))
        return read_sum(c, x);
    if (op_is_product(op))
        return read_product(c, x);
    switch (op) {
    case OP_POW:
        t.arg[0] = read_piece(c, expr_arg(c->pool, x, 0));
        if (code_small_power(c, x, &n))
            t.value = (double)n;
        else
            t.arg[1] = read_piece(c, expr_arg(c->pool, x, 1));
        return push(c, t);
    case OP_FN:
        t.fn = (uint8_t)expr_fn_of(c->pool, x);
        break;
    case OP_FN2:
        t.fn = (uint8_t)expr_fn2_of(c->pool, x);
        break;
    default:
        break;
    }
    for (uint32_t k = 0; k < expr_n_args(c->pool, x); k++)
        t.arg[k] = read_piece(c, expr_arg(c->pool, x, k));
    return push(c, t);
}

static uint32_t read_piece(Coder *c, ExprId x)
{
    bool negated = false;
    double value;
    x = code_strip(c->pool, x, &negated);
    uint32_t k;
    if (code_literal(c, x, &value)) {
        k = push(c, (Term){.op = OP_NUM,
                           .arg = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                           .value = fabs(value)});
        negated = negated != (value < 0);
    } else if (expr_op(c->pool, x) == OP_TIME) {
        k = push(c, (Term){.op = OP_TIME, .arg = {UINT32_MAX, UINT32_MAX, UINT32_MAX}});
    } else if (code_section_node(&c->section, x.i)->nested) {
        k = read_operation(c, x);
    } else {
        k = put_operand(c, x);
    }
    c->tree.term.at[k].negated = c->tree.term.at[k].negated != negated;
    return k;
}

/* Operands are numbered as they stand in the tree, not as they were read. */
static void number_operands(Coder *c, uint32_t k)
{
    Term *t = &c->tree.term.at[k];
    if (t->op == OP_VAR) {
        vec_push(c->mem, c->tree.operand, c->tree.operand.at[t->arg[0]]);
        t->arg[0] = c->tree.operand.n - 1;
        return;
    }
    for (int i = 0; i < 3 && c->tree.term.at[k].arg[i] != UINT32_MAX; i++)
        number_operands(c, c->tree.term.at[k].arg[i]);
}

/* Sizes of the operands of a pivot, in their order. */
static void read_sizes(Coder *c)
{
    for (uint32_t k = 0; k < c->tree.n_read; k++) {
        ExprId size = code_size_of(c, c->tree.operand.at[k]);
        double value;
        if (!expr_exists(size) || code_literal(c, size, &value))
            continue;
        size = code_bare(c, size);
        if (code_is_hoisted(c, size))
            coder_constant(c, size);
        vec_push(c->mem, c->tree.operand, size);
    }
}

void code_read(Coder *c, Item it)
{
    c->tree.term.n = c->tree.operand.n = c->tree.n_read = 0;
    switch (it.kind) {
    case ITEM_EVAL:
        read_operation(c, (ExprId){it.i});
        break;
    case ITEM_ROOT:
        read_piece(c, c->section.root[it.i].x);
        break;
    case ITEM_ANGLE:
        read_piece(c, c->section.angle.at[it.i].x);
        break;
    case ITEM_ARGUMENT: {
        const ArgumentPlace *a = &c->section.argument.at[it.i];
        read_piece(c, expr_arg(c->pool, c->section.call.at[a->call].x, a->k));
        break;
    }
    case ITEM_BATCH:
    case ITEM_SOLVE:
    case ITEM_CALL:
    case ITEM_RESULT:
        return;
    }
    uint32_t n = c->tree.operand.n;
    number_operands(c, c->tree.term.n - 1);
    if (n)
        memmove(c->tree.operand.at, c->tree.operand.at + n, n * sizeof *c->tree.operand.at);
    c->tree.operand.n = n;
    for (uint32_t k = 0; k < c->tree.term.n; k++)
        if (c->tree.term.at[k].op == OP_VAR)
            c->tree.term.at[k].arg[0] -= n;
    c->tree.n_read = n;
    if (it.kind == ITEM_EVAL && code_pivot(c, it.i) && c->section.kind != SECTION_UPDATE &&
        code_cancels(c))
        read_sizes(c);
}

/* How the size of an operand of a pivot is written. */
static uint64_t shape_of_size(const Coder *c, ExprId x)
{
    ExprId size = code_size_of(c, x);
    double value = 0;
    if (!expr_exists(size))
        return code_is_wave(c, x);
    return code_literal(c, size, &value) ? hash_pair(2, bits(value)) : 3;
}

static uint64_t token_of(const Coder *c, Item it)
{
    uint64_t what = hash_pair(it.kind, 7);
    switch (it.kind) {
    case ITEM_EVAL:
        what = hash_pair(what, code_pivot(c, it.i) != 0);
        for (uint32_t k = 0; code_pivot(c, it.i) && k < c->tree.operand.n; k++)
            what = hash_pair(what, shape_of_size(c, c->tree.operand.at[k]));
        what = hash_pair(what, code_section_node(&c->section, it.i)->home != 0);
        break;
    case ITEM_ROOT:
        what = hash_pair(what, c->section.root[it.i].kind);
        break;
    case ITEM_ANGLE:
    case ITEM_ARGUMENT:
        break;
    case ITEM_BATCH:
    case ITEM_SOLVE:
    case ITEM_CALL:
    case ITEM_RESULT:
        return hash_pair(what, it.i); // once only
    }
    const Term *whole = &vec_last(c->tree.term);
    return hash_pair(hash_pair(what, whole->shape), whole->negated);
}

void code_remember(Coder *c, Item *it)
{
    code_read(c, *it);
    it->reading = c->section.reading.n;
    vec_push_own(c->mem, c->section.reading,
                 ((Reading){c->section.operands.n, c->tree.operand.n, token_of(c, *it)}));
    for (uint32_t k = 0; k < c->tree.operand.n; k++)
        vec_push_own(c->mem, c->section.operands, c->tree.operand.at[k]);
}
