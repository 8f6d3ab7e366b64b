/* Equations and statements: MLS 3.6 appendix A.2.6. */
#include "frontend/syntax/parser_core.h"

#include <string.h>

static SynEquation *equation(Parser *p);
static SynStatement *statement(Parser *p);

/* A token that ends a block of equations or statements: of a section or of if, for, ... */
static bool at_block_end(const Parser *p)
{
    switch (p->tok.kind) {
    case TOK_END:
    case TOK_ELSE:
    case TOK_ELSEIF:
    case TOK_ELSEWHEN:
    case TOK_EOF:
    case TOK_NONE:
    case TOK_EQUATION:
    case TOK_ALGORITHM:
    case TOK_PUBLIC:
    case TOK_PROTECTED:
    case TOK_EXTERNAL:
    case TOK_ANNOTATION:
        return true;
    default:
        return false;
    }
}

/* `initial equation` begins a section, `initial()` does not. */
static bool at_initial_section(Parser *p)
{
    if (!at(p, TOK_INITIAL))
        return false;
    TokenKind next = parser_peek(p).kind;
    return next == TOK_EQUATION || next == TOK_ALGORITHM;
}

/* { equation ";" } */
static SynEquations equations(Parser *p)
{
    uint32_t mark = list_begin(p);
    while (!at_block_end(p) && !at_initial_section(p)) {
        uint32_t from = p->tok.begin;
        SynEquation *e = equation(p);
        if (!p->panic)
            expect_semicolon(p, "an equation");
        if (p->panic)
            parser_recover(p, from);
        else
            list_push(p, &e, sizeof e);
    }
    SynEquations l;
    l.at = list_end(p, mark, sizeof(SynEquation *), &l.n);
    return l;
}

static SynStatements statements(Parser *p)
{
    uint32_t mark = list_begin(p);
    while (!at_block_end(p) && !at_initial_section(p)) {
        uint32_t from = p->tok.begin;
        SynStatement *s = statement(p);
        if (!p->panic)
            expect_semicolon(p, "a statement");
        if (p->panic)
            parser_recover(p, from);
        else
            list_push(p, &s, sizeof s);
    }
    SynStatements l;
    l.at = list_end(p, mark, sizeof(SynStatement *), &l.n);
    return l;
}

/* end if, end for, ... of a block whose first keyword is at `begin` */
static void block_end(Parser *p, TokenKind keyword, uint32_t begin)
{
    p->open[keyword]--;
    TokenKind found = at_block_close(p) ? parser_peek(p).kind : TOK_NONE;
    if (p->panic)
        return;
    if (found == keyword) {
        parser_advance(p);
        parser_advance(p);
        return;
    }
    const char *name = token_kind_text(keyword); /* 'if' */
    uint32_t n = (uint32_t)strlen(name) - 2;
    Span open = {p->lexer.file, begin, begin + n};
    uint32_t before = p->errors;
    parser_error(p, span_here(p), "P03", "expected 'end %.*s' here", (int)n, name + 1);
    if (p->errors > before)
        diag_note(p->diags, open, "to close this");
    if (p->errors > before && keyword == TOK_IF && p->else_if.begin > begin)
        diag_note(p->diags, p->else_if,
                  "'else if' begins another 'if' with an 'end if' of its own; 'elseif' does not");
    /* The end of a block around this one stays; any other was meant for this one. */
    if (found != TOK_NONE && p->open[found] == 0) {
        parser_advance(p);
        parser_advance(p);
    } else {
        parser_panic(p);
    }
}

static void describe_equation(Parser *p, SynEquation *e)
{
    e->comment = parse_comment(p);
    e->annotation = parse_annotation(p);
}

/* ---- Equations ------------------------------------------------------------------------ */

/* if or when: { keyword condition then equations } */
static void equation_branches(Parser *p, SynEquation *e, TokenKind keyword, TokenKind again)
{
    uint32_t begin = p->tok.begin;
    p->open[keyword]++;
    uint32_t mark = list_begin(p);
    do {
        parser_advance(p);
        SynEqBranch b = {.condition = parse_expression(p)};
        expect_word(p, TOK_THEN);
        b.body = equations(p);
        list_push(p, &b, sizeof b);
    } while (at(p, again));
    if (keyword == TOK_IF && accept(p, TOK_ELSE)) {
        if (at(p, TOK_IF))
            p->else_if = span_here(p);
        SynEqBranch b = {.body = equations(p)};
        list_push(p, &b, sizeof b);
    }
    e->branch = list_end(p, mark, sizeof(SynEqBranch), &e->n_branches);
    block_end(p, keyword, begin);
}

static void for_equation(Parser *p, SynEquation *e)
{
    uint32_t begin = p->tok.begin;
    p->open[TOK_FOR]++;
    parser_advance(p);
    e->iter = parse_for_indices(p, &e->n_iter);
    expect_word(p, TOK_LOOP);
    e->body = equations(p);
    block_end(p, TOK_FOR, begin);
}

static void connect_equation(Parser *p, SynEquation *e)
{
    parser_advance(p);
    expect(p, TOK_LPAREN);
    e->a = parse_cref(p);
    expect(p, TOK_COMMA);
    e->b = parse_cref(p);
    expect(p, TOK_RPAREN);
}

/* a = b, or a call alone */
static void plain_equation(Parser *p, SynEquation *e)
{
    SynExpr *lhs = parse_simple_expression(p);
    if (accept(p, TOK_EQUALS)) {
        e->kind = SYN_EQ_EQUAL;
        e->lhs = lhs;
        e->rhs = parse_expression(p);
    } else if (at(p, TOK_ASSIGN)) {
        parser_fail(p, span_here(p), "P01",
                    "expected '=': ':=' assigns, and only in an algorithm section");
    } else if (!p->panic && lhs->kind == SYN_CALL) {
        e->kind = SYN_EQ_CALL;
        e->call = lhs;
    } else if (!p->panic && lhs->kind == SYN_BINARY && lhs->op == SYN_EQ) {
        parser_error(p, lhs->span, "P01", "an equation has '=': '==' compares");
        e->kind = SYN_EQ_EQUAL;
        e->lhs = lhs->arg.at[0];
        e->rhs = lhs->arg.at[1];
    } else {
        expected(p, "'=' in an equation");
    }
}

static SynEquation *equation(Parser *p)
{
    SynEquation *e = arena_make(p->mem, SynEquation);
    if (!parser_enter(p))
        return e;
    uint32_t begin = p->tok.begin;
    switch (p->tok.kind) {
    case TOK_IF:
        e->kind = SYN_EQ_IF;
        equation_branches(p, e, TOK_IF, TOK_ELSEIF);
        break;
    case TOK_WHEN:
        e->kind = SYN_EQ_WHEN;
        equation_branches(p, e, TOK_WHEN, TOK_ELSEWHEN);
        break;
    case TOK_FOR:
        e->kind = SYN_EQ_FOR;
        for_equation(p, e);
        break;
    case TOK_CONNECT:
        e->kind = SYN_EQ_CONNECT;
        connect_equation(p, e);
        break;
    default:
        plain_equation(p, e);
    }
    e->span = span_from(p, begin);
    describe_equation(p, e);
    parser_leave(p);
    return e;
}

/* ---- Statements ----------------------------------------------------------------------- */

static void statement_branches(Parser *p, SynStatement *s, TokenKind keyword, TokenKind again)
{
    uint32_t begin = p->tok.begin;
    p->open[keyword]++;
    uint32_t mark = list_begin(p);
    do {
        parser_advance(p);
        SynStBranch b = {.condition = parse_expression(p)};
        expect_word(p, TOK_THEN);
        b.body = statements(p);
        list_push(p, &b, sizeof b);
    } while (at(p, again));
    if (keyword == TOK_IF && accept(p, TOK_ELSE)) {
        if (at(p, TOK_IF))
            p->else_if = span_here(p);
        SynStBranch b = {.body = statements(p)};
        list_push(p, &b, sizeof b);
    }
    s->branch = list_end(p, mark, sizeof(SynStBranch), &s->n_branches);
    block_end(p, keyword, begin);
}

static void loop_statement(Parser *p, SynStatement *s, TokenKind keyword)
{
    uint32_t begin = p->tok.begin;
    p->open[keyword]++;
    parser_advance(p);
    if (keyword == TOK_FOR)
        s->iter = parse_for_indices(p, &s->n_iter);
    else
        s->value = parse_expression(p);
    expect_word(p, TOK_LOOP);
    s->body = statements(p);
    block_end(p, keyword, begin);
}

/* (a, , b) := f(x) */
static void tuple_assignment(Parser *p, SynStatement *s)
{
    s->kind = SYN_ST_TUPLE;
    s->tuple = parse_output_list(p);
    if (p->panic)
        return;
    for (uint32_t k = 0; k < s->tuple.n; k++) {
        const SynExpr *x = s->tuple.at[k];
        if (x && x->kind != SYN_CREF) {
            parser_fail(p, x->span, "P01", "expected a variable to assign to");
            return;
        }
    }
    expect(p, TOK_ASSIGN);
    if (p->panic)
        return;
    s->value = parse_simple_expression(p);
    if (!p->panic && s->value->kind != SYN_CALL)
        parser_fail(p, s->value->span, "P01",
                    "expected the call of a function: only a function has several results");
}

static void assignment_or_call(Parser *p, SynStatement *s)
{
    uint32_t begin = p->tok.begin;
    SynCref *target = parse_cref(p);
    if (accept(p, TOK_ASSIGN)) {
        s->kind = SYN_ST_ASSIGN;
        s->target = target;
        s->value = parse_expression(p);
    } else if (at(p, TOK_LPAREN)) {
        s->kind = SYN_ST_CALL;
        SynExpr *x = arena_make(p->mem, SynExpr);
        x->kind = SYN_CALL;
        x->cref = target;
        parse_call_args(p, x);
        x->span = span_from(p, begin);
        s->value = x;
    } else if (at(p, TOK_EQUALS)) {
        parser_fail(p, span_here(p), "P01",
                    "expected ':=': '=' is an equation, and this is an algorithm section");
    } else {
        expected(p, "':=' or '(' in a statement");
    }
}

static SynStatement *statement(Parser *p)
{
    SynStatement *s = arena_make(p->mem, SynStatement);
    if (!parser_enter(p))
        return s;
    uint32_t begin = p->tok.begin;
    switch (p->tok.kind) {
    case TOK_IF:
        s->kind = SYN_ST_IF;
        statement_branches(p, s, TOK_IF, TOK_ELSEIF);
        break;
    case TOK_WHEN:
        s->kind = SYN_ST_WHEN;
        statement_branches(p, s, TOK_WHEN, TOK_ELSEWHEN);
        break;
    case TOK_FOR:
        s->kind = SYN_ST_FOR;
        loop_statement(p, s, TOK_FOR);
        break;
    case TOK_WHILE:
        s->kind = SYN_ST_WHILE;
        loop_statement(p, s, TOK_WHILE);
        break;
    case TOK_BREAK:
        s->kind = SYN_ST_BREAK;
        parser_advance(p);
        break;
    case TOK_RETURN:
        s->kind = SYN_ST_RETURN;
        parser_advance(p);
        break;
    case TOK_LPAREN:
        tuple_assignment(p, s);
        break;
    case TOK_IDENT:
    case TOK_DOT:
        assignment_or_call(p, s);
        break;
    default:
        expected(p, "a statement");
    }
    s->span = span_from(p, begin);
    s->comment = parse_comment(p);
    s->annotation = parse_annotation(p);
    parser_leave(p);
    return s;
}

/* ---- Sections ------------------------------------------------------------------------- */

/* Blocks end at whatever may follow one; in a section an `end if` without `if`, or an else,
 * is an error to step over. */
static bool step_over_stray(Parser *p)
{
    TokenKind k = p->tok.kind;
    if (k != TOK_ELSE && k != TOK_ELSEIF && k != TOK_ELSEWHEN && !at_block_close(p))
        return false;
    uint32_t from = p->tok.begin;
    if (k == TOK_END)
        parser_fail(p, span_here(p), "P03", "this 'end' closes nothing that is open here");
    else
        parser_fail(p, span_here(p), "P03", "%s without its %s", token_kind_text(k),
                    k == TOK_ELSEWHEN ? "'when'" : "'if'");
    parser_recover(p, from);
    return true;
}

void parse_section(Parser *p, SynSection *s)
{
    uint32_t begin = p->tok.begin;
    s->initial = accept(p, TOK_INITIAL);
    s->algorithm = at(p, TOK_ALGORITHM);
    parser_advance(p);
    s->span = span_from(p, begin);
    if (s->algorithm)
        s->statements = statements(p);
    else
        s->equations = equations(p);
    /* After such an error the rest is read for its messages only. */
    while (step_over_stray(p)) {
        if (s->algorithm)
            statements(p);
        else
            equations(p);
    }
}
