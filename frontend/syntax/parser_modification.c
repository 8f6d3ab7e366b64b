/* Modifications and annotations: MLS 3.6 appendix A.2.3 and A.2.5. */
#include "frontend/syntax/parser_core.h"

/* `break x` and `break connect(a, b)` in the modification of an extends clause (MLS 7.4) */
static void deselection(Parser *p, SynArg *a)
{
    parser_advance(p);
    if (accept(p, TOK_CONNECT)) {
        a->kind = SYN_ARG_BREAK_CONNECT;
        expect(p, TOK_LPAREN);
        a->a = parse_cref(p);
        expect(p, TOK_COMMA);
        a->b = parse_cref(p);
        expect(p, TOK_RPAREN);
        return;
    }
    a->kind = SYN_ARG_BREAK_NAME;
    uint32_t begin = p->tok.begin;
    Name *name = arena_make(p->mem, Name);
    *name = parse_name(p, "a name or 'connect' after 'break'");
    a->path = (SynPath){.n = 1, .name = name, .span = span_from(p, begin)};
}

/* component-clause1 with the rest of a declaration: one name */
static void redeclared_component(Parser *p, SynElement *e)
{
    e->kind = SYN_COMPONENT;
    SynComponent *c = e->component = arena_make(p->mem, SynComponent);
    c->prefix = parse_type_prefix(p);
    c->type = parse_type_specifier(p, "a type or a class");
    /* Dimensions of the type are not in the grammar of component-clause1; they mean the same
     * as in a declaration. */
    c->type_dims = parse_subscripts(p);
    c->name_span = span_here(p);
    c->name = parse_name(p, "the name of the redeclared component");
    c->own_dims = parse_subscripts(p);
    c->mod = parse_modification(p);
    if (at(p, TOK_IF)) {
        parser_error(p, span_here(p), "P03",
                     "a redeclaration in a modification has no condition (MLS 7.3)");
        accept(p, TOK_IF);
        parse_expression(p); /* left out of the tree */
    }
    c->comment = parse_comment(p);
    c->annotation = parse_annotation(p);
}

/* Behind redeclare, each, final and replaceable */
static void redeclared_element(Parser *p, SynArg *a, bool redeclare, bool replaceable)
{
    SynElement *e = a->element = arena_make(p->mem, SynElement);
    a->kind = SYN_ARG_ELEMENT;
    e->redeclare = redeclare;
    e->replaceable = replaceable;
    e->each = a->each;
    e->final = a->final;
    e->in = p->in;
    uint32_t begin = p->tok.begin;
    if (at_class_prefix(p))
        parse_class(p, e, true);
    else
        redeclared_component(p, e);
    if (replaceable && at(p, TOK_CONSTRAINEDBY)) {
        const SynConstrained *by = parse_constrained(p, true);
        if (e->kind == SYN_CLASS)
            e->class_->constrained = by;
        else
            e->component->constrained = by;
    }
    e->span = span_from(p, begin);
}

SynArg parse_modification_argument(Parser *p, bool extends)
{
    uint32_t begin = p->tok.begin;
    SynArg a = {0};
    if (extends && at(p, TOK_BREAK)) {
        deselection(p, &a);
        a.span = span_from(p, begin);
        return a;
    }
    bool redeclare = accept(p, TOK_REDECLARE);
    a.each = accept(p, TOK_EACH);
    a.final = accept(p, TOK_FINAL);
    bool replaceable = accept(p, TOK_REPLACEABLE);
    if (redeclare || replaceable) {
        redeclared_element(p, &a, redeclare, replaceable);
    } else {
        a.path = parse_path(p, "the name of a modified element");
        a.mod = parse_modification(p);
        a.comment = parse_comment(p);
    }
    a.span = span_from(p, begin);
    return a;
}

/* "(" [ argument-list ] ")" */
static void arguments(Parser *p, SynMod *m, bool extends)
{
    expect(p, TOK_LPAREN);
    m->has_args = true;
    if (accept(p, TOK_RPAREN))
        return;
    if (!parser_enter(p))
        return;
    uint32_t mark = list_begin(p);
    do {
        SynArg a = parse_modification_argument(p, extends);
        list_push(p, &a, sizeof a);
    } while (accept(p, TOK_COMMA));
    m->arg = list_end(p, mark, sizeof(SynArg), &m->n);
    if (!accept(p, TOK_RPAREN))
        expected(p, "',' or ')' in a modification");
    parser_leave(p);
}

static const SynMod *class_modification(Parser *p, bool extends)
{
    if (!at(p, TOK_LPAREN))
        return NULL;
    uint32_t begin = p->tok.begin;
    SynMod *m = arena_make(p->mem, SynMod);
    arguments(p, m, extends);
    m->span = span_from(p, begin);
    return m;
}

const SynMod *parse_class_modification(Parser *p)
{
    return class_modification(p, false);
}

const SynMod *parse_extends_modification(Parser *p)
{
    return class_modification(p, true);
}

const SynMod *parse_modification(Parser *p)
{
    if (!at(p, TOK_LPAREN) && !at(p, TOK_EQUALS) && !at(p, TOK_ASSIGN))
        return NULL;
    uint32_t begin = p->tok.begin;
    SynMod *m = arena_make(p->mem, SynMod);
    if (at(p, TOK_LPAREN))
        arguments(p, m, false);
    m->assign = !m->has_args && at(p, TOK_ASSIGN);
    if (at(p, TOK_EQUALS) || m->assign) {
        parser_advance(p);
        m->is_break = accept(p, TOK_BREAK);
        if (!m->is_break)
            m->value = parse_expression(p);
    }
    m->span = span_from(p, begin);
    return m;
}

const SynMod *parse_annotation(Parser *p)
{
    if (!accept(p, TOK_ANNOTATION))
        return NULL;
    if (!at(p, TOK_LPAREN))
        expect(p, TOK_LPAREN);
    return parse_class_modification(p);
}
