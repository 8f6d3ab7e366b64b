/* Expressions: MLS 3.6 appendix A.2.7. */
#include "frontend/syntax/parser_core.h"

#include <string.h>

static SynExpr *expr_new(Parser *p, SynExprKind kind)
{
    SynExpr *x = arena_make(p->mem, SynExpr);
    x->kind = kind;
    return x;
}

static SynExprs exprs_end(Parser *p, uint32_t mark)
{
    SynExprs l;
    l.at = list_end(p, mark, sizeof(SynExpr *), &l.n);
    return l;
}

static void push_expr(Parser *p, SynExpr *x)
{
    list_push(p, &x, sizeof x);
}

SynExprs parse_expression_list(Parser *p)
{
    uint32_t mark = list_begin(p);
    do
        push_expr(p, parse_expression(p));
    while (accept(p, TOK_COMMA));
    return exprs_end(p, mark);
}

SynExprs parse_subscripts(Parser *p)
{
    if (!accept(p, TOK_LBRACKET))
        return (SynExprs){0};
    uint32_t mark = list_begin(p);
    do {
        if (at(p, TOK_COLON)) {
            SynExpr *x = expr_new(p, SYN_COLON);
            x->span = span_here(p);
            parser_advance(p);
            push_expr(p, x);
        } else {
            push_expr(p, parse_expression(p));
        }
    } while (accept(p, TOK_COMMA));
    expect(p, TOK_RBRACKET);
    return exprs_end(p, mark);
}

SynCref *parse_cref(Parser *p)
{
    uint32_t begin = p->tok.begin;
    SynCref *c = arena_make(p->mem, SynCref);
    c->global = accept(p, TOK_DOT);
    uint32_t mark = list_begin(p);
    do {
        uint32_t from = p->tok.begin;
        SynPart part = {.name = parse_name(p, "a name")};
        if (at(p, TOK_LBRACKET))
            part.sub = parse_subscripts(p);
        part.span = span_from(p, from);
        list_push(p, &part, sizeof part);
    } while (accept(p, TOK_DOT));
    c->part = list_end(p, mark, sizeof(SynPart), &c->n);
    c->span = span_from(p, begin);
    return c;
}

const SynIter *parse_for_indices(Parser *p, uint32_t *n)
{
    uint32_t mark = list_begin(p);
    do {
        uint32_t begin = p->tok.begin;
        SynIter it = {0};
        if (!at(p, TOK_IDENT) && !p->panic && parser_peek(p).kind == TOK_IN) {
            /* the loop around goes on */
            expected_instead(p, "the name of an iterator");
            it.name = name_of(p->names, "_"); /* of nothing: a tree with errors is whole */
            parser_advance(p);
        } else {
            it.name = parse_name(p, "the name of an iterator");
        }
        if (accept(p, TOK_IN))
            it.range = parse_expression(p);
        it.span = span_from(p, begin);
        list_push(p, &it, sizeof it);
    } while (accept(p, TOK_COMMA));
    return list_end(p, mark, sizeof(SynIter), n);
}

/* ---- Calls ---------------------------------------------------------------------------- */

static void named_arguments(Parser *p, SynExpr *call);

/* function f(x = 1): some arguments bound, a function remains (MLS 12.4.2.1) */
static SynExpr *partial_application(Parser *p)
{
    uint32_t begin = p->tok.begin;
    expect(p, TOK_FUNCTION);
    SynExpr *x = expr_new(p, SYN_PARTIAL);
    x->cref = parse_cref(p);
    expect(p, TOK_LPAREN);
    if (!at(p, TOK_RPAREN))
        named_arguments(p, x);
    expect(p, TOK_RPAREN);
    x->span = span_from(p, begin);
    return x;
}

static SynExpr *function_argument(Parser *p)
{
    if (!at(p, TOK_FUNCTION))
        return parse_expression(p);
    if (!parser_enter(p))
        return NULL;
    SynExpr *x = partial_application(p);
    parser_leave(p);
    return x;
}

static void named_arguments(Parser *p, SynExpr *call)
{
    uint32_t mark = list_begin(p);
    do {
        uint32_t begin = p->tok.begin;
        SynNamed a = {.name = parse_name(p, "the name of an argument")};
        expect(p, TOK_EQUALS);
        a.value = function_argument(p);
        a.span = span_from(p, begin);
        list_push(p, &a, sizeof a);
    } while (accept(p, TOK_COMMA));
    call->named = list_end(p, mark, sizeof(SynNamed), &call->n_named);
}

/* Most names are followed by a character that decides without lexing the next token. */
static bool at_named_argument(Parser *p)
{
    if (!at(p, TOK_IDENT))
        return false;
    char c = p->lexer.text[p->tok.end];
    if (c != '=' && c != '/' && (unsigned char)c > ' ')
        return false;
    return parser_peek(p).kind == TOK_EQUALS;
}

void parse_call_args(Parser *p, SynExpr *call)
{
    expect(p, TOK_LPAREN);
    uint32_t mark = list_begin(p);
    bool named = false;
    if (!at(p, TOK_RPAREN)) {
        do {
            named = at_named_argument(p);
            if (named)
                break;
            push_expr(p, function_argument(p));
            /* f(e for i in r): one argument only */
            if (at(p, TOK_FOR) && p->used - mark == sizeof(SynExpr *)) {
                parser_advance(p);
                call->iter = parse_for_indices(p, &call->n_iter);
                break;
            }
        } while (accept(p, TOK_COMMA));
    }
    call->arg = exprs_end(p, mark);
    if (named)
        named_arguments(p, call);
    if (!accept(p, TOK_RPAREN))
        expected(p, "',' or ')' in the arguments of a call");
}

/* ---- Primaries ------------------------------------------------------------------------ */

static SynExpr *array(Parser *p)
{
    SynExpr *x = expr_new(p, SYN_ARRAY);
    expect(p, TOK_LBRACE);
    if (at(p, TOK_RBRACE)) {
        expected(p, "an expression (an array without elements is written zeros(0) or fill(x, 0))");
        return x;
    }
    x->arg = parse_expression_list(p);
    if (x->arg.n == 1 && accept(p, TOK_FOR))
        x->iter = parse_for_indices(p, &x->n_iter);
    if (!accept(p, TOK_RBRACE))
        expected(p, "',' or '}' in an array");
    return x;
}

static SynExpr *matrix(Parser *p)
{
    SynExpr *x = expr_new(p, SYN_MATRIX);
    expect(p, TOK_LBRACKET);
    uint32_t mark = list_begin(p);
    do {
        SynExprs row = parse_expression_list(p);
        list_push(p, &row, sizeof row);
    } while (accept(p, TOK_SEMICOLON));
    x->row = list_end(p, mark, sizeof(SynExprs), &x->n_rows);
    if (!accept(p, TOK_RBRACKET))
        expected(p, "',', ';' or ']' in a matrix");
    return x;
}

SynExprs parse_output_list(Parser *p)
{
    expect(p, TOK_LPAREN);
    uint32_t mark = list_begin(p);
    if (!at(p, TOK_RPAREN)) {
        do {
            bool omitted = at(p, TOK_COMMA) || at(p, TOK_RPAREN);
            push_expr(p, omitted ? NULL : parse_expression(p));
        } while (accept(p, TOK_COMMA));
    }
    SynExprs l = exprs_end(p, mark);
    if (!accept(p, TOK_RPAREN))
        expected(p, "',' or ')'");
    return l;
}

static SynExpr *parenthesis(Parser *p)
{
    uint32_t begin = p->tok.begin;
    SynExprs l = parse_output_list(p);
    SynExpr *x;
    if (l.n == 1 && l.at[0]) {
        x = l.at[0];
    } else {
        x = expr_new(p, SYN_TUPLE);
        x->arg = l;
        x->span = span_from(p, begin);
    }
    /* Not in the grammar of 3.6, but in the one that follows it: (f(x))[1] and (f(x)).a */
    while (at(p, TOK_LBRACKET) || at(p, TOK_DOT)) {
        SynExpr *y = expr_new(p, SYN_INDEX);
        y->base = x;
        if (accept(p, TOK_DOT))
            y->field = parse_name(p, "the name of a field");
        else
            y->arg = parse_subscripts(p);
        y->span = span_from(p, begin);
        x = y;
        if (!parser_enter(p))
            return x;
    }
    return x;
}

/* A component reference or a call; der, initial and pure are only called. */
static SynExpr *reference(Parser *p)
{
    SynExpr *x = expr_new(p, SYN_CREF);
    if (at(p, TOK_IDENT) || at(p, TOK_DOT)) {
        x->cref = parse_cref(p);
    } else {
        SynPart *part = arena_make(p->mem, SynPart);
        part->name = name_of_n(p->names, p->lexer.text + p->tok.begin, p->tok.end - p->tok.begin);
        part->span = span_here(p);
        SynCref *c = arena_make(p->mem, SynCref);
        *c = (SynCref){.n = 1, .part = part, .span = part->span};
        x->cref = c;
        parser_advance(p);
        if (!at(p, TOK_LPAREN))
            expect(p, TOK_LPAREN);
    }
    if (at(p, TOK_LPAREN)) {
        x->kind = SYN_CALL;
        parse_call_args(p, x);
    }
    return x;
}

static SynExpr *literal(Parser *p, SynExprKind kind)
{
    SynExpr *x = expr_new(p, kind);
    if (kind == SYN_BOOLEAN)
        x->truth = p->tok.kind == TOK_TRUE;
    else if (kind == SYN_STRING)
        x->text = p->tok.text;
    else if (kind != SYN_END)
        x->text = p->tok.name.s;
    parser_advance(p);
    return x;
}

static SynExpr *primary(Parser *p)
{
    uint32_t begin = p->tok.begin;
    SynExpr *x = NULL;
    switch (p->tok.kind) {
    case TOK_INTEGER:
        x = literal(p, SYN_INTEGER);
        break;
    case TOK_REAL:
        x = literal(p, SYN_REAL);
        break;
    case TOK_STRING:
        x = literal(p, SYN_STRING);
        break;
    case TOK_TRUE:
    case TOK_FALSE:
        x = literal(p, SYN_BOOLEAN);
        break;
    case TOK_END:
        x = literal(p, SYN_END);
        break;
    case TOK_IDENT:
    case TOK_DOT:
    case TOK_DER:
    case TOK_INITIAL:
    case TOK_PURE:
        x = reference(p);
        break;
    case TOK_LPAREN:
        return parenthesis(p);
    case TOK_LBRACKET:
        x = matrix(p);
        break;
    case TOK_LBRACE:
        x = array(p);
        break;
    default:
        expected(p, "an expression");
        x = expr_new(p, SYN_END);
    }
    x->span = span_from(p, begin);
    return x;
}

/* ---- Operators, tightest first -------------------------------------------------------- */

static SynExpr *binary(Parser *p, SynOp op, uint32_t begin, SynExpr *a, SynExpr *b)
{
    SynExpr *x = expr_new(p, SYN_BINARY);
    x->op = op;
    x->arg.n = 2;
    x->arg.at = arena_array(p->mem, SynExpr *, 2);
    x->arg.at[0] = a;
    x->arg.at[1] = b;
    x->span = span_from(p, begin);
    return x;
}

static SynExpr *unary(Parser *p, SynOp op, uint32_t begin, SynExpr *a)
{
    SynExpr *x = expr_new(p, SYN_UNARY);
    x->op = op;
    x->arg.n = 1;
    x->arg.at = arena_make(p->mem, SynExpr *);
    x->arg.at[0] = a;
    x->span = span_from(p, begin);
    return x;
}

/* The operators of a chain are collected between its operands: op, operand, op, operand. */
typedef struct Link {
    SynOp op;
    SynExpr *x;
} Link;

static SynExpr *chain_end(Parser *p, uint32_t mark, uint32_t begin)
{
    uint32_t n;
    Link *link = list_end(p, mark, sizeof(Link), &n);
    SynExpr *x = expr_new(p, SYN_CHAIN);
    SynOp *ops = arena_array(p->mem, SynOp, n);
    x->arg.n = n;
    x->arg.at = arena_array(p->mem, SynExpr *, n);
    for (uint32_t k = 0; k < n; k++) {
        ops[k] = link[k].op;
        x->arg.at[k] = link[k].x;
    }
    x->ops = ops;
    x->span = span_from(p, begin);
    return x;
}

static SynOp binary_op(TokenKind k)
{
    switch (k) {
    case TOK_OR:
        return SYN_OR;
    case TOK_AND:
        return SYN_AND;
    case TOK_LT:
        return SYN_LT;
    case TOK_LE:
        return SYN_LE;
    case TOK_GT:
        return SYN_GT;
    case TOK_GE:
        return SYN_GE;
    case TOK_EQ:
        return SYN_EQ;
    case TOK_NE:
        return SYN_NE;
    case TOK_ADD:
        return SYN_ADD;
    case TOK_SUB:
        return SYN_SUB;
    case TOK_EL_ADD:
        return SYN_EL_ADD;
    case TOK_EL_SUB:
        return SYN_EL_SUB;
    case TOK_MUL:
        return SYN_MUL;
    case TOK_DIV:
        return SYN_DIV;
    case TOK_EL_MUL:
        return SYN_EL_MUL;
    case TOK_EL_DIV:
        return SYN_EL_DIV;
    case TOK_POW:
        return SYN_POW;
    case TOK_EL_POW:
        return SYN_EL_POW;
    default:
        return SYN_NO_OP;
    }
}

/* The operator at the current token if it is one of lo .. hi. */
static SynOp op_within(const Parser *p, SynOp lo, SynOp hi)
{
    SynOp op = binary_op(p->tok.kind);
    return op >= lo && op <= hi ? op : SYN_NO_OP;
}

static SynExpr *factor(Parser *p)
{
    uint32_t begin = p->tok.begin;
    SynExpr *x = primary(p);
    SynOp op = op_within(p, SYN_POW, SYN_EL_POW);
    if (op == SYN_NO_OP)
        return x;
    parser_advance(p);
    x = binary(p, op, begin, x, primary(p));
    if (op_within(p, SYN_POW, SYN_EL_POW))
        parser_fail(p, span_here(p), "P01",
                    "a power of a power needs parentheses: '^' is not associative (MLS 3.2)");
    return x;
}

/* operand { op operand } with the operators lo .. hi; x is the first operand */
static SynExpr *chain(Parser *p, uint32_t begin, SynExpr *x, SynOp lo, SynOp hi,
                      SynExpr *(*operand)(Parser *))
{
    SynOp op = op_within(p, lo, hi);
    if (op == SYN_NO_OP)
        return x;
    uint32_t mark = list_begin(p);
    list_push(p, &(Link){SYN_NO_OP, x}, sizeof(Link));
    for (; op != SYN_NO_OP; op = op_within(p, lo, hi)) {
        parser_advance(p);
        list_push(p, &(Link){op, operand(p)}, sizeof(Link));
    }
    return chain_end(p, mark, begin);
}

static SynExpr *term(Parser *p)
{
    uint32_t begin = p->tok.begin;
    return chain(p, begin, factor(p), SYN_MUL, SYN_EL_DIV, factor);
}

static SynExpr *arithmetic(Parser *p)
{
    uint32_t begin = p->tok.begin;
    SynOp sign = op_within(p, SYN_ADD, SYN_EL_SUB);
    if (sign != SYN_NO_OP)
        parser_advance(p);
    SynExpr *x = term(p);
    if (sign != SYN_NO_OP)
        x = unary(p, sign, begin, x);
    return chain(p, begin, x, SYN_ADD, SYN_EL_SUB, term);
}

static SynExpr *logical_factor(Parser *p)
{
    uint32_t begin = p->tok.begin;
    bool negated = accept(p, TOK_NOT);
    uint32_t from = p->tok.begin;
    SynExpr *x = arithmetic(p);
    SynOp op = op_within(p, SYN_LT, SYN_NE);
    if (op != SYN_NO_OP) {
        parser_advance(p);
        x = binary(p, op, from, x, arithmetic(p));
    }
    return negated ? unary(p, SYN_NOT, begin, x) : x;
}

static SynExpr *logical_term(Parser *p)
{
    uint32_t begin = p->tok.begin;
    return chain(p, begin, logical_factor(p), SYN_AND, SYN_AND, logical_factor);
}

static SynExpr *logical(Parser *p)
{
    uint32_t begin = p->tok.begin;
    return chain(p, begin, logical_term(p), SYN_OR, SYN_OR, logical_term);
}

/* a, a:b or a:step:b */
static SynExpr *simple_expression(Parser *p)
{
    uint32_t begin = p->tok.begin;
    SynExpr *a = logical(p);
    if (!accept(p, TOK_COLON))
        return a;
    uint32_t mark = list_begin(p);
    push_expr(p, a);
    push_expr(p, logical(p));
    if (accept(p, TOK_COLON))
        push_expr(p, logical(p));
    SynExpr *x = expr_new(p, SYN_RANGE);
    x->arg = exprs_end(p, mark);
    x->span = span_from(p, begin);
    return x;
}

SynExpr *parse_simple_expression(Parser *p)
{
    /* A parenthesis with subscripts nests deeper as it goes on; see parenthesis(). */
    uint32_t depth = p->depth;
    SynExpr *x = parser_enter(p) ? simple_expression(p) : expr_new(p, SYN_END);
    p->depth = depth;
    return x;
}

static SynExpr *if_expression(Parser *p)
{
    uint32_t begin = p->tok.begin;
    uint32_t mark = list_begin(p);
    do {
        parser_advance(p);
        push_expr(p, parse_expression(p));
        expect(p, TOK_THEN);
        push_expr(p, parse_expression(p));
    } while (at(p, TOK_ELSEIF));
    if (!accept(p, TOK_ELSE))
        expected(p, "'else' or 'elseif' in an if-expression");
    push_expr(p, parse_expression(p));
    SynExpr *x = expr_new(p, SYN_IF);
    x->arg = exprs_end(p, mark);
    x->span = span_from(p, begin);
    return x;
}

SynExpr *parse_expression(Parser *p)
{
    uint32_t depth = p->depth;
    SynExpr *x = !parser_enter(p) ? expr_new(p, SYN_END)
                 : at(p, TOK_IF)  ? if_expression(p)
                                  : simple_expression(p);
    p->depth = depth;
    return x;
}
