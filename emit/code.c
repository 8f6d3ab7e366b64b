#include "emit/code.h"
#include "base/bug.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum ItemKind { ITEM_EVAL, ITEM_ROOT, ITEM_SOLVE } ItemKind;
typedef struct Item {
    ItemKind kind;
    uint32_t i; /* node, root, block */
} Item;

typedef enum FrameKind { FRAME_NODE, FRAME_BLOCK, FRAME_PARAMETER } FrameKind;
typedef struct Frame {
    FrameKind kind;
    uint32_t i, next;
} Frame;

enum { WHITE, GREY, BLACK };

/* What a nonlinear block needs from outside: nodes without its unknowns, as large as possible. */
typedef struct Needs {
    VEC(ExprId) value;
    uint8_t colour;
    bool emitted;
} Needs;

struct Coder {
    const Program *g;
    const ExprPool *pool;
    Arena *mem;
    EmitOptions o;
    const char *id;
    const uint8_t *leaf;
    const uint32_t *leaf_index;
    const ExprId *binding;
    const uint32_t *block_first;
    uint32_t *block_of; /* per unknown of a block, its block */

    /* Per node. */
    uint32_t *uses;     /* in this section                                        */
    uint8_t *colour;    /* of the search                                          */
    uint8_t *weight;    /* operations in its statement or nested piece            */
    uint8_t *nested;    /* printed inside its only user                           */
    uint8_t *keep;      /* a block's functions need it in w                       */
    uint32_t *chunk;    /* whose statement computes it, + 1                       */
    uint32_t *slot;     /* place in w, + 1                                        */
    uint32_t *home;     /* place in out of section outputs, + 1                   */
    uint32_t *constant; /* place in c, + 1                                        */
    uint32_t *loads;    /* uses in this chunk, of what was computed before it     */
    uint32_t *local;    /* number of its local variable in chunk local_in[]       */
    uint32_t *local_in;
    uint32_t *stage;      /* 1 + the last block whose unknowns it depends on; NULL without blocks */
    uint32_t *name;       /* variable with this value, + 1 */
    uint32_t *pivot;      /* pivot with this value, + 1    */
    uint32_t *partner[2]; /* of an angle: its sine and its cosine, + 1, in this section */

    uint8_t *parameter_colour; /* per variable */
    uint32_t *parameter_root;  /* per variable: its root in section update */
    Needs *needs;              /* per block    */
    VEC(ExprId) constants;
    VEC(uint32_t) slotted;
    uint32_t n_work;
    bool failed;

    /* The section at hand. */
    SectionKind kind;
    const char *section;
    uint32_t block;
    const Root *root;
    VEC(Item) item;
    VEC(uint32_t) computed;
    VEC(Frame) stack;
    VEC(uint32_t) loaded;
    const char *what;     /* whose value, for messages */
    VEC(uint32_t) solved; /* blocks, not by residual and Jacobian of another */

    /* The chunk at hand. */
    uint32_t chunk_number; /* over all sections */
    uint32_t locals;
    Text body;
    bool has_t, has_x, has_z, has_out, has_w, has_p, has_c, has_u, has_y, has_ctx;

    Text prototypes, entries;
    VEC(Text) file;
    VEC(bool) cold; /* per file */
    uint32_t in_file;
    uint64_t statements;
    uint32_t functions;
};

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

static ExprId strip(const Coder *c, ExprId x)
{
    bool negated = false;
    return code_strip(c->pool, x, &negated);
}

/* ------------------------------------------------------------------ what a node is */

static bool literal(const Coder *c, ExprId x, double *value)
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

static bool is_leaf(const Coder *c, ExprId x)
{
    double value;
    Op op = expr_op(c->pool, x);
    return op == OP_VAR || op == OP_TIME || literal(c, x, &value);
}

/* Found in the constant block, instead of being computed here. */
static bool hoisted(const Coder *c, ExprId x)
{
    return c->kind != SECTION_UPDATE && !is_leaf(c, x) &&
           expr_variability(c->pool, x) <= VARIES_PARAMETER;
}

/* Computed by this section. */
static bool is_computed(const Coder *c, ExprId x)
{
    return !is_leaf(c, x) && !hoisted(c, x) && !(c->slot[x.i] && c->colour[x.i] == WHITE);
}

static void unsupported(Coder *c, const char *construct)
{
    if (!c->failed)
        diag_error(c->g->sys->diags, SPAN_NONE, "G01",
                   "%s in the value of '%s' has no translation to C", construct, c->what);
    c->failed = true;
}

uint32_t coder_constant(Coder *c, ExprId x)
{
    x = strip(c, x);
    if (!c->constant[x.i]) {
        vec_push(c->mem, c->constants, x);
        c->constant[x.i] = c->constants.n;
    }
    return c->constant[x.i] - 1;
}

/* Exponents that are computed by multiplication. */
static bool small_power(const Coder *c, ExprId x, long *n)
{
    enum { LARGEST = 64 };
    return expr_op(c->pool, x) == OP_POW && expr_is_int(c->pool, expr_arg(c->pool, x, 1), n) &&
           labs(*n) <= LARGEST && *n != 0;
}

/* ------------------------------------------------------------------ order */

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
            unsupported(c, arena_printf(c->mem, "the unknown '%s' of nonlinear equations", name));
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
            unsupported(c, arena_printf(c->mem, "the state '%s'", name));
        return;
    case LEAF_INPUT:
        return;
    case LEAF_NONE:
        unsupported(c,
                    arena_printf(c->mem, "the variable '%s', which no equation determines,", name));
        return;
    }
}

static void enter(Coder *c, ExprId x)
{
    x = strip(c, x);
    Op op = expr_op(c->pool, x);
    if (op == OP_VAR) {
        enter_variable(c, x);
        return;
    }
    if (is_leaf(c, x))
        return;
    if (hoisted(c, x)) {
        coder_constant(c, x);
        return;
    }
    if (!is_computed(c, x))
        return;
    c->uses[x.i]++;
    if (c->colour[x.i] != WHITE)
        return;
    switch (op) {
    case OP_STRING:
        unsupported(c, "a String");
        return;
    case OP_CALL:
    case OP_PROJ:
        unsupported(c, "a call of a function that cannot be expanded");
        return;
    case OP_DER:
        unsupported(c, "der()");
        return;
    case OP_PRE:
        unsupported(c, "pre()");
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
        if (small_power(c, x, &n)) {
            ExprId base = strip(c, expr_arg(c->pool, x, 0));
            if (is_computed(c, base))
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
                c->keep[strip(c, child).i] = 1;
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

/* ------------------------------------------------------------------ statements and chunks */

/* Nested pieces hold few operations, so walks over a statement may recurse. */
static void choose_nested(Coder *c)
{
    for (uint32_t k = 0; k < c->item.n; k++) {
        if (c->item.at[k].kind != ITEM_EVAL)
            continue;
        ExprId x = {c->item.at[k].i};
        uint32_t weight = 1;
        for (uint32_t j = 0; j < expr_n_args(c->pool, x); j++) {
            ExprId a = strip(c, expr_arg(c->pool, x, j));
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

/* Results that others in the section need are read from there instead of from w. */
static void find_homes(Coder *c, uint32_t n)
{
    for (uint32_t k = 0; k < n && c->kind == SECTION_OUTPUTS; k++) {
        bool negated = false;
        ExprId x = code_strip(c->pool, c->root[k].x, &negated);
        if (!negated && c->colour[x.i] == BLACK && !c->nested[x.i])
            c->home[x.i] = c->root[k].index + 1;
    }
}

typedef void (*OnAtom)(Coder *c, ExprId x);

static void walk_atoms(Coder *c, ExprId x, OnAtom on);

static void walk_atom(Coder *c, ExprId x, OnAtom on)
{
    double value;
    x = strip(c, x);
    if (c->nested[x.i])
        walk_atoms(c, x, on);
    else if (!literal(c, x, &value) && expr_op(c->pool, x) != OP_TIME)
        on(c, x);
}

/* The operands of the statement that computes x: what is not nested in it. */
static void walk_atoms(Coder *c, ExprId x, OnAtom on)
{
    long n;
    walk_atom(c, expr_arg(c->pool, x, 0), on);
    if (small_power(c, x, &n)) {
        // once more, since it is written more than once: worth a local variable
        if (n > 1 || n < -1)
            walk_atom(c, expr_arg(c->pool, x, 0), on);
        return;
    }
    for (uint32_t k = 1; k < expr_n_args(c->pool, x); k++)
        walk_atom(c, expr_arg(c->pool, x, k), on);
}

static void walk_item(Coder *c, Item it, OnAtom on)
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

static bool is_statement(const Coder *c, Item it)
{
    return (it.kind == ITEM_ROOT && !is_home(c, it)) || (it.kind == ITEM_EVAL && !c->nested[it.i]);
}

static void need_slot(Coder *c, ExprId x)
{
    if (c->slot[x.i])
        return;
    c->slot[x.i] = ++c->n_work;
    vec_push(c->mem, c->slotted, x.i);
}

static void on_crossing(Coder *c, ExprId x)
{
    if (c->chunk[x.i] && c->chunk[x.i] != c->chunk_number + 1 && !c->home[x.i])
        need_slot(c, x);
}

/* Text of what was computed before the chunk, or is a leaf. */
static void put_place(Coder *c, Text *t, ExprId x)
{
    if (expr_op(c->pool, x) == OP_VAR) {
        VarId v = expr_var_of(c->pool, x);
        uint32_t k = c->leaf_index[v.i];
        switch ((LeafKind)c->leaf[v.i]) {
        case LEAF_STATE:
            c->has_x = true;
            text_printf(t, "x[%u]", k);
            return;
        case LEAF_PARAMETER:
            c->has_p = true;
            text_printf(t, "p[%u]", k);
            return;
        case LEAF_INPUT:
            c->has_u = true;
            text_printf(t, "u[%u]", k);
            return;
        case LEAF_UNKNOWN:
            if (c->kind >= SECTION_RESIDUAL && c->block_of[k] == c->block) {
                c->has_z = true;
                text_printf(t, "z[%u]", k - c->block_first[c->block]);
            } else {
                c->has_y = true;
                text_printf(t, "y[%u]", k);
            }
            return;
        case LEAF_NONE:
            break;
        }
        bug("emit: variable %u has no place", v.i);
    }
    if (hoisted(c, x)) {
        c->has_c = true;
        text_printf(t, "c[%u]", c->constant[x.i] - 1);
        return;
    }
    if (c->home[x.i]) {
        c->has_out = true;
        text_printf(t, "out[%u]", c->home[x.i] - 1);
        return;
    }
    if (!c->slot[x.i])
        bug("emit: node %u is used before it is computed", x.i);
    c->has_w = true;
    text_printf(t, "w[%u]", c->slot[x.i] - 1);
}

static bool is_local(const Coder *c, ExprId x)
{
    return c->local_in[x.i] == c->chunk_number + 1;
}

static void new_local(Coder *c, ExprId x)
{
    c->local[x.i] = ++c->locals;
    c->local_in[x.i] = c->chunk_number + 1;
}

static void on_count(Coder *c, ExprId x)
{
    if (c->chunk[x.i] == c->chunk_number + 1)
        return;
    if (!c->loads[x.i]++)
        vec_push(c->mem, c->loaded, x.i);
}

static void on_load(Coder *c, ExprId x)
{
    if (c->chunk[x.i] == c->chunk_number + 1 || c->loads[x.i] < 2 || is_local(c, x))
        return;
    new_local(c, x);
    text_printf(&c->body, "    const double t%u = ", c->local[x.i]);
    put_place(c, &c->body, x);
    text_put(&c->body, ";\n");
}

/* ------------------------------------------------------------------ expressions */

/* C's precedences, as far as used. */
enum {
    PREC_ANY,
    PREC_SELECT,
    PREC_OR,
    PREC_AND,
    PREC_EQUAL,
    PREC_ORDER,
    PREC_SUM,
    PREC_PRODUCT,
    PREC_UNARY,
    PREC_ATOM
};

static void put(Coder *c, ExprId x, int prec);
static void put_size(Coder *c, ExprId x, int prec);

static bool is_product(const Coder *c, ExprId x)
{
    Op op = expr_op(c->pool, x);
    return op == OP_MUL || op == OP_DIV;
}

/* A sign that can be written before x instead of inside: negation, of a number, of factors. */
static bool sign(const Coder *c, ExprId x);

static bool product_sign(const Coder *c, ExprId x)
{
    return sign(c, expr_arg(c->pool, x, 0)) != sign(c, expr_arg(c->pool, x, 1));
}

static bool sign(const Coder *c, ExprId x)
{
    bool negated = false;
    double value;
    x = code_strip(c->pool, x, &negated);
    if (literal(c, x, &value))
        return negated != (value < 0);
    return c->nested[x.i] && is_product(c, x) ? negated != product_sign(c, x) : negated;
}

static void open_if(Coder *c, bool paren)
{
    if (paren)
        text_put(&c->body, "(");
}

static void close_if(Coder *c, bool paren)
{
    if (paren)
        text_put(&c->body, ")");
}

static void put_binary(Coder *c, ExprId x, const char *op, int prec, int left, int right, int own)
{
    open_if(c, own < prec);
    put(c, expr_arg(c->pool, x, 0), left);
    text_put(&c->body, op);
    put(c, expr_arg(c->pool, x, 1), right);
    close_if(c, own < prec);
}

static void put_sum(Coder *c, ExprId x, int prec)
{
    ExprId a = expr_arg(c->pool, x, 0), b = expr_arg(c->pool, x, 1);
    bool minus_a = sign(c, a), minus_b = sign(c, b) != (expr_op(c->pool, x) == OP_SUB);
    if (minus_a && !minus_b) {
        ExprId keep = a;
        a = b;
        b = keep;
        minus_a = false;
        minus_b = true;
    }
    open_if(c, PREC_SUM < prec);
    if (minus_a)
        text_put(&c->body, "-");
    put_size(c, a, minus_a ? PREC_PRODUCT : PREC_SUM);
    text_put(&c->body, minus_b ? " - " : " + ");
    put_size(c, b, PREC_PRODUCT);
    close_if(c, PREC_SUM < prec);
}

/* |n| multiplications at most, by squaring. */
static void put_power(Coder *c, ExprId base, long n)
{
    if (n == 1) {
        put(c, base, PREC_UNARY);
    } else if (n % 2) {
        put_power(c, base, n - 1);
        text_put(&c->body, " * ");
        put(c, base, PREC_UNARY);
    } else {
        text_put(&c->body, "rung_square(");
        put_power(c, base, n / 2);
        text_put(&c->body, ")");
    }
}

static void put_pow(Coder *c, ExprId x, int prec)
{
    ExprId base = expr_arg(c->pool, x, 0), exponent = expr_arg(c->pool, x, 1);
    double value;
    long n;
    if (small_power(c, x, &n)) {
        open_if(c, PREC_PRODUCT < prec);
        if (n < 0)
            text_put(&c->body, n < -1 ? "1.0 / (" : "1.0 / ");
        put_power(c, base, labs(n));
        close_if(c, n < -1);
        close_if(c, PREC_PRODUCT < prec);
        return;
    }
    bool root = literal(c, strip(c, exponent), &value) && value == 0.5 && !sign(c, exponent);
    text_put(&c->body, root ? "sqrt(" : "pow(");
    put(c, base, PREC_ANY);
    if (!root) {
        text_put(&c->body, ", ");
        put(c, exponent, PREC_ANY);
    }
    text_put(&c->body, ")");
}

static bool is_claim(const Coder *c, ExprId x)
{
    switch (expr_op(c->pool, x)) {
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE:
    case OP_AND:
    case OP_OR:
    case OP_NOT:
        return c->nested[x.i];
    default:
        return false;
    }
}

/* A Boolean, as C's condition. */
static void put_condition(Coder *c, ExprId x, int prec)
{
    x = strip(c, x);
    if (is_claim(c, x)) {
        put(c, x, prec);
        return;
    }
    open_if(c, PREC_EQUAL < prec);
    put(c, x, PREC_ORDER);
    text_put(&c->body, " != 0.0");
    close_if(c, PREC_EQUAL < prec);
}

static void put_logic(Coder *c, ExprId x, const char *op, int own, int prec)
{
    open_if(c, own < prec);
    put_condition(c, expr_arg(c->pool, x, 0), PREC_EQUAL);
    text_put(&c->body, op);
    put_condition(c, expr_arg(c->pool, x, 1), PREC_EQUAL);
    close_if(c, own < prec);
}

static const char *const fn_c[FN_COUNT] = {
    [FN_SIN] = "sin",   [FN_COS] = "cos",   [FN_TAN] = "tan",        [FN_ASIN] = "asin",
    [FN_ACOS] = "acos", [FN_ATAN] = "atan", [FN_SINH] = "sinh",      [FN_COSH] = "cosh",
    [FN_TANH] = "tanh", [FN_EXP] = "exp",   [FN_LOG] = "log",        [FN_LOG10] = "log10",
    [FN_SQRT] = "sqrt", [FN_ABS] = "fabs",  [FN_SIGN] = "rung_sign", [FN_FLOOR] = "floor",
    [FN_CEIL] = "ceil",
};
static const char *const fn2_c[FN2_COUNT] = {
    [FN2_ATAN2] = "atan2",  [FN2_MIN] = "rung_min", [FN2_MAX] = "rung_max",
    [FN2_MOD] = "rung_mod", [FN2_REM] = "rung_rem", [FN2_DIV] = "rung_div",
};

/* The operation at x itself, without the sign that sign() or product_sign() has told of. */
static void put_operation(Coder *c, ExprId x, int prec)
{
    Text *t = &c->body;
    ExprId a = expr_arg(c->pool, x, 0);
    switch (expr_op(c->pool, x)) {
    case OP_ADD:
    case OP_SUB:
        put_sum(c, x, prec);
        return;
    case OP_MUL:
    case OP_DIV:
        open_if(c, PREC_PRODUCT < prec);
        put_size(c, a, PREC_PRODUCT);
        text_put(t, expr_op(c->pool, x) == OP_MUL ? " * " : " / ");
        put_size(c, expr_arg(c->pool, x, 1), PREC_UNARY);
        close_if(c, PREC_PRODUCT < prec);
        return;
    case OP_POW:
        put_pow(c, x, prec);
        return;
    case OP_FN:
        text_printf(t, "%s(", fn_c[expr_fn_of(c->pool, x)]);
        put(c, a, PREC_ANY);
        text_put(t, ")");
        return;
    case OP_FN2:
        text_printf(t, "%s(", fn2_c[expr_fn2_of(c->pool, x)]);
        put(c, a, PREC_ANY);
        text_put(t, ", ");
        put(c, expr_arg(c->pool, x, 1), PREC_ANY);
        text_put(t, ")");
        return;
    case OP_LT:
        put_binary(c, x, " < ", prec, PREC_SUM, PREC_SUM, PREC_ORDER);
        return;
    case OP_LE:
        put_binary(c, x, " <= ", prec, PREC_SUM, PREC_SUM, PREC_ORDER);
        return;
    case OP_EQ:
        put_binary(c, x, " == ", prec, PREC_SUM, PREC_SUM, PREC_EQUAL);
        return;
    case OP_NE:
        put_binary(c, x, " != ", prec, PREC_SUM, PREC_SUM, PREC_EQUAL);
        return;
    case OP_AND:
        put_logic(c, x, " && ", PREC_AND, prec);
        return;
    case OP_OR:
        put_logic(c, x, " || ", PREC_OR, prec);
        return;
    case OP_NOT:
        text_put(t, "!");
        put_condition(c, a, PREC_ATOM);
        return;
    case OP_SELECT:
        open_if(c, PREC_SELECT < prec);
        put_condition(c, a, PREC_OR);
        text_put(t, " ? ");
        put(c, expr_arg(c->pool, x, 1), PREC_OR);
        text_put(t, " : ");
        put(c, expr_arg(c->pool, x, 2), PREC_OR);
        close_if(c, PREC_SELECT < prec);
        return;
    default:
        bug("emit: operation %d", (int)expr_op(c->pool, x));
    }
}

/* x without its sign(). */
static void put_size(Coder *c, ExprId x, int prec)
{
    double value;
    x = strip(c, x);
    if (literal(c, x, &value)) {
        text_number(&c->body, fabs(value));
    } else if (expr_op(c->pool, x) == OP_TIME) {
        c->has_t = true;
        text_put(&c->body, "t");
    } else if (c->nested[x.i]) {
        put_operation(c, x, prec);
    } else if (is_local(c, x)) {
        text_printf(&c->body, "t%u", c->local[x.i]);
    } else {
        put_place(c, &c->body, x);
    }
}

static void put(Coder *c, ExprId x, int prec)
{
    if (!sign(c, x)) {
        put_size(c, x, prec);
        return;
    }
    ExprId n = strip(c, x);
    int own = c->nested[n.i] && is_product(c, n) ? PREC_PRODUCT : PREC_UNARY;
    open_if(c, own < prec);
    text_put(&c->body, "-");
    put_size(c, x, own);
    close_if(c, own < prec);
}

/* ------------------------------------------------------------------ printing a chunk */

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
        put_condition(c, r->x, PREC_ANY);
    else
        put(c, r->x, PREC_ANY);
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
    new_local(c, x);
    text_printf(t, "    const double t%u = ", c->local[x.i]);
    if (is_product(c, x) && product_sign(c, x))
        text_put(t, "-");
    put_operation(c, x, is_product(c, x) ? PREC_PRODUCT : PREC_ANY);
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
        if (is_statement(c, c->item.at[k])) {
            walk_item(c, c->item.at[k], on_count);
            statements++;
        }
    for (uint32_t k = begin; k < end; k++) {
        Item it = c->item.at[k];
        if (!is_statement(c, it))
            continue;
        walk_item(c, it, on_load);
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
        } else if (is_statement(c, it)) {
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
    if (c->failed)
        return;
    pair_angles(c);
    choose_nested(c);
    find_homes(c, n);

    Cuts cuts = {0};
    cut(c, &cuts);
    uint32_t first_chunk = c->chunk_number;
    for (uint32_t k = 0; k < c->computed.n; k++)
        if (c->keep[c->computed.at[k]])
            need_slot(c, (ExprId){c->computed.at[k]});
    for (uint32_t j = 0; j < cuts.n; j++, c->chunk_number++)
        for (uint32_t k = cuts.at[j].begin; k < cuts.at[j].end; k++)
            if (is_statement(c, c->item.at[k]))
                walk_item(c, c->item.at[k], on_crossing);
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

uint32_t coder_mark(const Coder *c)
{
    return c->slotted.n;
}

void coder_forget(Coder *c, uint32_t mark)
{
    for (uint32_t k = mark; k < c->slotted.n; k++)
        c->slot[c->slotted.at[k]] = 0;
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
    if (negated || c->slot[x.i] || is_leaf(c, x))
        return;
    c->slot[x.i] = slot + 1;
    vec_push(c->mem, c->slotted, x.i);
}

/* ------------------------------------------------------------------ setting up */

/* Operands come before users in the pool, so one pass over the ids sees them first. */
static void find_stages(Coder *c)
{
    uint32_t n = pool_size(c->pool);
    c->stage = arena_array(c->mem, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        ExprId x = {i};
        if (expr_op(c->pool, x) == OP_VAR) {
            uint32_t v = expr_var_of(c->pool, x).i;
            if (c->leaf[v] == LEAF_UNKNOWN)
                c->stage[i] = c->block_of[c->leaf_index[v]] + 1;
        }
        for (uint32_t k = 0; k < expr_n_args(c->pool, x); k++) {
            uint32_t a = expr_arg(c->pool, x, k).i;
            if (c->stage[a] > c->stage[i])
                c->stage[i] = c->stage[a];
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
        ExprId x = strip(c, todo.at[--todo.n]);
        if (seen[x.i])
            continue;
        seen[x.i] = 1;
        vec_push(c->mem, visited, x);
        if (c->stage[x.i] > b + 1)
            bug("emit: block %u depends on a later block", b);
        if (c->stage[x.i] <= b)
            vec_push(c->mem, c->needs[b].value, x);
        else
            for (uint32_t k = 0; k < expr_n_args(c->pool, x); k++)
                vec_push(c->mem, todo, expr_arg(c->pool, x, k));
    }
    for (uint32_t k = 0; k < visited.n; k++)
        seen[visited.at[k].i] = 0;
}

Coder *coder_new(const Program *g, EmitOptions o, Arena *mem, const char *id, const uint8_t *leaf,
                 const uint32_t *leaf_index, const ExprId *binding, const uint32_t *block_first)
{
    Coder *c = arena_make(mem, Coder);
    uint32_t n = pool_size(g->sys->pool);
    c->g = g;
    c->pool = g->sys->pool;
    c->mem = mem;
    c->o = o;
    c->id = id;
    c->leaf = leaf;
    c->leaf_index = leaf_index;
    c->binding = binding;
    c->block_first = block_first;
    c->uses = arena_array(mem, uint32_t, n);
    c->colour = arena_array(mem, uint8_t, n);
    c->weight = arena_array(mem, uint8_t, n);
    c->nested = arena_array(mem, uint8_t, n);
    c->keep = arena_array(mem, uint8_t, n);
    c->chunk = arena_array(mem, uint32_t, n);
    c->slot = arena_array(mem, uint32_t, n);
    c->home = arena_array(mem, uint32_t, n);
    c->constant = arena_array(mem, uint32_t, n);
    c->loads = arena_array(mem, uint32_t, n);
    c->local = arena_array(mem, uint32_t, n);
    c->local_in = arena_array(mem, uint32_t, n);
    c->name = arena_array(mem, uint32_t, n);
    c->pivot = arena_array(mem, uint32_t, n);
    c->partner[0] = arena_array(mem, uint32_t, n);
    c->partner[1] = arena_array(mem, uint32_t, n);
    c->parameter_colour = arena_array(mem, uint8_t, g->sys->var.n + 1);
    c->parameter_root = arena_array(mem, uint32_t, g->sys->var.n + 1);
    c->needs = arena_array(mem, Needs, g->n_blocks + 1);
    c->body = text_new(mem);
    c->prototypes = text_new(mem);
    c->entries = text_new(mem);

    for (uint32_t v = g->sys->var.n; v-- > 0;)
        if (expr_exists(g->value[v])) {
            bool negated = false;
            ExprId x = code_strip(c->pool, g->value[v], &negated);
            if (!negated)
                c->name[x.i] = v + 1;
        }
    for (uint32_t k = g->n_pivots; k-- > 0;)
        c->pivot[strip(c, g->pivot[k].value).i] = k + 1;

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
    return c->needs[block].emitted;
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
    return c->statements;
}

uint32_t coder_functions(const Coder *c)
{
    return c->functions;
}

Text *coder_prototypes(Coder *c)
{
    return &c->prototypes;
}

Text *coder_entries(Coder *c)
{
    return &c->entries;
}

uint32_t coder_n_files(const Coder *c)
{
    return c->file.n;
}

Text *coder_file(Coder *c, uint32_t k, bool *is_cold)
{
    *is_cold = c->cold.at[k];
    return &c->file.at[k];
}
