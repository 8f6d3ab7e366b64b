/* Classes and their elements: MLS 3.6 appendix A.2.1 to A.2.4. */
#include "frontend/syntax/parser_core.h"

#include "base/vec.h"

static void long_class_body(Parser *p, SynClass *c);

/* ---- Prefixes ------------------------------------------------------------------------- */

bool at_class_prefix(const Parser *p)
{
    return token_begins_class(p->tok.kind);
}

static SynRestriction restriction(Parser *p, SynPurity *purity)
{
    *purity = accept(p, TOK_PURE) ? SYN_PURE : accept(p, TOK_IMPURE) ? SYN_IMPURE : SYN_NO_PURITY;
    if (*purity != SYN_NO_PURITY || at(p, TOK_OPERATOR)) {
        bool op = accept(p, TOK_OPERATOR);
        if (accept(p, TOK_FUNCTION))
            return op ? SYN_R_OPERATOR_FUNCTION : SYN_R_FUNCTION;
        if (*purity != SYN_NO_PURITY)
            expected(p, "'function' after 'pure' or 'impure'");
        return accept(p, TOK_RECORD) ? SYN_R_OPERATOR_RECORD : SYN_R_OPERATOR;
    }
    if (accept(p, TOK_EXPANDABLE)) {
        expect(p, TOK_CONNECTOR);
        return SYN_R_EXPANDABLE_CONNECTOR;
    }
    switch (p->tok.kind) {
    case TOK_CLASS:
        parser_advance(p);
        return SYN_R_CLASS;
    case TOK_MODEL:
        parser_advance(p);
        return SYN_R_MODEL;
    case TOK_RECORD:
        parser_advance(p);
        return SYN_R_RECORD;
    case TOK_BLOCK:
        parser_advance(p);
        return SYN_R_BLOCK;
    case TOK_CONNECTOR:
        parser_advance(p);
        return SYN_R_CONNECTOR;
    case TOK_TYPE:
        parser_advance(p);
        return SYN_R_TYPE;
    case TOK_PACKAGE:
        parser_advance(p);
        return SYN_R_PACKAGE;
    case TOK_FUNCTION:
        parser_advance(p);
        return SYN_R_FUNCTION;
    default:
        expected(p, "the kind of a class (model, record, block, connector, type, package, "
                    "function, operator or class)");
        return SYN_R_CLASS;
    }
}

SynTypePrefix parse_type_prefix(Parser *p)
{
    SynTypePrefix x = {0};
    x.connector = accept(p, TOK_FLOW)     ? SYN_FLOW
                  : accept(p, TOK_STREAM) ? SYN_STREAM
                                          : SYN_NOT_FLOW;
    x.variability = accept(p, TOK_DISCRETE)    ? SYN_DISCRETE
                    : accept(p, TOK_PARAMETER) ? SYN_PARAMETER
                    : accept(p, TOK_CONSTANT)  ? SYN_CONSTANT
                                               : SYN_NO_VARIABILITY;
    x.causality = accept(p, TOK_INPUT)    ? SYN_INPUT
                  : accept(p, TOK_OUTPUT) ? SYN_OUTPUT
                                          : SYN_NO_CAUSALITY;
    return x;
}

const SynConstrained *parse_constrained(Parser *p, bool description)
{
    uint32_t begin = p->tok.begin;
    SynConstrained *c = arena_make(p->mem, SynConstrained);
    expect(p, TOK_CONSTRAINEDBY);
    c->by = parse_type_specifier(p, "the constraining class");
    c->mod = parse_class_modification(p);
    c->span = span_from(p, begin);
    if (description) {
        c->comment = parse_comment(p);
        c->annotation = parse_annotation(p);
    }
    return c;
}

/* ---- Class specifiers ----------------------------------------------------------------- */

static void enumeration(Parser *p, SynClass *c)
{
    expect(p, TOK_LPAREN);
    c->kind = SYN_ENUM;
    if (accept(p, TOK_COLON)) {
        c->kind = SYN_ENUM_OPEN;
    } else if (!at(p, TOK_RPAREN)) {
        uint32_t mark = list_begin(p);
        do {
            uint32_t begin = p->tok.begin;
            SynLiteral l = {.name = parse_name(p, "an enumeration literal")};
            l.span = span_from(p, begin);
            l.comment = parse_comment(p);
            l.annotation = parse_annotation(p);
            list_push(p, &l, sizeof l);
        } while (accept(p, TOK_COMMA));
        c->literal = list_end(p, mark, sizeof(SynLiteral), &c->n_literals);
    }
    if (!accept(p, TOK_RPAREN))
        expected(p, "',' or ')' in an enumeration");
}

static void derivative_class(Parser *p, SynClass *c)
{
    c->kind = SYN_DER;
    expect(p, TOK_LPAREN);
    c->base = parse_type_specifier(p, "the name of a function");
    uint32_t mark = list_begin(p);
    if (!at(p, TOK_COMMA))
        expect(p, TOK_COMMA);
    while (accept(p, TOK_COMMA)) {
        Name n = parse_name(p, "the name of an input");
        list_push(p, &n, sizeof n);
    }
    c->der_of = list_end(p, mark, sizeof(Name), &c->n_der_of);
    expect(p, TOK_RPAREN);
}

/* Behind `name =` */
static void short_class(Parser *p, SynClass *c)
{
    if (accept(p, TOK_ENUMERATION)) {
        enumeration(p, c);
    } else if (accept(p, TOK_DER)) {
        derivative_class(p, c);
    } else {
        c->kind = SYN_SHORT;
        c->prefix = parse_type_prefix(p);
        c->base = parse_type_specifier(p, "a class");
        c->dims = parse_subscripts(p);
        c->mod = parse_class_modification(p);
    }
    c->comment = parse_comment(p);
    c->annotation = parse_annotation(p);
}

static bool is_open(const Parser *p, Name name)
{
    for (const SynClass *c = p->in; c; c = c->parent) {
        if (name_same(c->name, name))
            return true;
    }
    return false;
}

/* end name: p->in is the class around c again */
static void class_end(Parser *p, SynClass *c)
{
    uint32_t before = p->errors;
    Token name = at_class_end(p) ? parser_peek(p) : p->tok;
    if (name.kind == TOK_IDENT && (name_same(name.name, c->name) || !is_open(p, name.name))) {
        parser_advance(p);
        if (!name_same(name.name, c->name))
            parser_error(p, span_here(p), "P03", "expected 'end %s' here, found 'end %s'",
                         c->name.s, name.name.s);
        parser_advance(p);
    } else if (at(p, TOK_EOF)) {
        parser_fail(p, span_here(p), "P03", "expected 'end %s' before the end of the file",
                    c->name.s);
    } else if (!p->panic) {
        parser_fail(p, span_here(p), "P03", "expected 'end %s' here", c->name.s);
    }
    if (p->errors > before)
        diag_note(p->diags, c->name_span, "to close '%s'", c->name.s);
}

static bool is_predefined_type(Name name)
{
    static const char *const type[] = {"Real", "Integer", "Boolean", "String"};
    for (size_t k = 0; name.s && k < sizeof type / sizeof *type; k++)
        if (strcmp(name.s, type[k]) == 0)
            return true;
    return false;
}

void parse_class(Parser *p, SynElement *e, bool short_only)
{
    SynClass *c = arena_make(p->mem, SynClass);
    uint32_t begin = p->tok.begin;
    e->kind = SYN_CLASS;
    e->class_ = c;
    c->element = e;
    c->file = p->file;
    c->parent = short_only ? NULL : p->in;
    c->encapsulated = !short_only && accept(p, TOK_ENCAPSULATED);
    c->partial = accept(p, TOK_PARTIAL);
    c->restriction = restriction(p, &c->purity);
    bool extends = !short_only && accept(p, TOK_EXTENDS);
    c->name_span = span_here(p);
    c->name = parse_name(p, "the name of the class");
    c->span = span_from(p, begin);
    if (!p->panic && !p->in && !extends && is_predefined_type(c->name))
        parser_error(p, c->name_span, "N44",
                     "'%s' is a predefined type, so no class has this name (MLS 4.9)", c->name.s);
    if (!p->panic && !parser_enter(p))
        return;
    if (p->panic)
        return;
    if (!extends && accept(p, TOK_EQUALS)) {
        short_class(p, c);
    } else if (short_only) {
        expected(p, "'=': only a short class fits in a modification");
    } else {
        c->kind = extends ? SYN_CLASS_EXTENDS : SYN_LONG;
        if (extends)
            c->base_mod = parse_class_modification(p);
        c->comment = parse_comment(p);
        SynClass *outer = p->in;
        p->in = c;
        long_class_body(p, c);
        p->in = outer;
        class_end(p, c);
    }
    c->span = span_from(p, begin);
    parser_leave(p);
}

/* ---- Elements ------------------------------------------------------------------------- */

/* The elements of a class while they are collected: classes nest, so not on the list stack. */
typedef struct Body {
    VEC(SynElement *) element, extends, import;
    VEC(SynSection) section;
    bool is_protected, is_public;
} Body;

static void add_element(Parser *p, Body *b, SynElement *e)
{
    e->in = p->in;
    e->is_protected = b->is_protected;
    e->is_public = b->is_public;
    vec_push(p->scratch, b->element, e);
    if (e->kind == SYN_EXTENDS)
        vec_push(p->scratch, b->extends, e);
    if (e->kind == SYN_IMPORT)
        vec_push(p->scratch, b->import, e);
}

/* A.B, A.*, A.{B, C} or C = A.B */
static void import_clause(Parser *p, SynElement *e)
{
    uint32_t begin = p->tok.begin;
    parser_advance(p);
    SynImport *i = arena_make(p->mem, SynImport);
    e->kind = SYN_IMPORT;
    e->import = i;
    uint32_t from = p->tok.begin;
    Name first = parse_name(p, "a name to import");
    if (accept(p, TOK_EQUALS)) {
        i->kind = SYN_IMPORT_AS;
        i->path = parse_path(p, "a name to import");
        i->name = first;
    } else {
        uint32_t mark = list_begin(p);
        list_push(p, &first, sizeof first);
        i->kind = SYN_IMPORT_NAME;
        i->name = first;
        while (i->kind == SYN_IMPORT_NAME && (at(p, TOK_DOT) || at(p, TOK_EL_MUL))) {
            bool all = at(p, TOK_EL_MUL);
            i->path.span = span_from(p, from);
            parser_advance(p);
            if (all || accept(p, TOK_MUL)) {
                i->kind = SYN_IMPORT_ALL;
            } else if (at(p, TOK_LBRACE)) {
                i->kind = SYN_IMPORT_LIST;
            } else {
                i->name = parse_name(p, "a name, '*' or '{'");
                list_push(p, &i->name, sizeof i->name);
            }
        }
        i->path.name = list_end(p, mark, sizeof(Name), &i->path.n);
        if (i->kind == SYN_IMPORT_NAME)
            i->path.span = span_from(p, from);
        else
            i->name.s = NULL;
        if (i->kind == SYN_IMPORT_LIST) {
            parser_advance(p);
            mark = list_begin(p);
            do {
                Name n = parse_name(p, "a name to import");
                list_push(p, &n, sizeof n);
            } while (accept(p, TOK_COMMA));
            i->list = list_end(p, mark, sizeof(Name), &i->n_list);
            expect(p, TOK_RBRACE);
        }
    }
    e->span = span_from(p, begin);
    i->comment = parse_comment(p);
    i->annotation = parse_annotation(p);
}

static void extends_clause(Parser *p, SynElement *e)
{
    uint32_t begin = p->tok.begin;
    parser_advance(p);
    SynExtends *x = arena_make(p->mem, SynExtends);
    e->kind = SYN_EXTENDS;
    e->extends = x;
    x->base = parse_type_specifier(p, "the base class");
    x->mod = parse_extends_modification(p);
    e->span = span_from(p, begin);
    x->annotation = parse_annotation(p);
}

/* type-prefix type x(...) = ..., y ...: one element per name, all with the prefixes of `e`. */
static void component_clause(Parser *p, Body *b, const SynElement *e, uint32_t begin)
{
    SynComponent shared = {0};
    uint32_t first = b->element.n;
    shared.prefix = parse_type_prefix(p);
    shared.type = parse_type_specifier(p, "a type, a class or an element of a class");
    shared.type_dims = parse_subscripts(p);
    do {
        SynComponent *c = arena_make(p->mem, SynComponent);
        *c = shared;
        uint32_t own = b->element.n == first ? begin : p->tok.begin;
        c->name_span = span_here(p);
        c->name = parse_name(p, "the name of a component");
        c->own_dims = parse_subscripts(p);
        c->mod = parse_modification(p);
        if (accept(p, TOK_IF))
            c->condition = parse_expression(p);
        SynElement *x = arena_make(p->mem, SynElement);
        *x = *e;
        x->kind = SYN_COMPONENT;
        x->component = c;
        x->span = span_from(p, own);
        c->comment = parse_comment(p);
        c->annotation = parse_annotation(p);
        if (!p->panic)
            add_element(p, b, x);
    } while (accept(p, TOK_COMMA));
    if (e->replaceable && at(p, TOK_CONSTRAINEDBY)) {
        const SynConstrained *by = parse_constrained(p, true);
        for (uint32_t k = first; !p->panic && k < b->element.n; k++)
            b->element.at[k]->component->constrained = by;
    }
}

static void element(Parser *p, Body *b)
{
    uint32_t begin = p->tok.begin;
    SynElement *e = arena_make(p->mem, SynElement);
    if (at(p, TOK_IMPORT) || at(p, TOK_EXTENDS)) {
        if (at(p, TOK_IMPORT))
            import_clause(p, e);
        else
            extends_clause(p, e);
        if (!p->panic)
            add_element(p, b, e);
        return;
    }
    e->redeclare = accept(p, TOK_REDECLARE);
    e->final = accept(p, TOK_FINAL);
    e->inner = accept(p, TOK_INNER);
    e->outer = accept(p, TOK_OUTER);
    e->replaceable = accept(p, TOK_REPLACEABLE);
    if (at_class_prefix(p)) {
        parse_class(p, e, false);
        if (e->replaceable && at(p, TOK_CONSTRAINEDBY))
            e->class_->constrained = parse_constrained(p, true);
        e->span = span_from(p, begin);
        if (!p->panic)
            add_element(p, b, e);
    } else {
        component_clause(p, b, e, begin);
    }
}

/* external ["C"] [[y =] f(a, b)] [annotation]; */
static void external_clause(Parser *p, SynClass *c)
{
    uint32_t begin = p->tok.begin;
    parser_advance(p);
    SynExternal *x = arena_make(p->mem, SynExternal);
    if (at(p, TOK_STRING)) {
        x->language = p->tok.text;
        parser_advance(p);
    }
    if (at(p, TOK_IDENT) || at(p, TOK_DOT)) {
        SynCref *first = parse_cref(p);
        if (accept(p, TOK_EQUALS)) {
            x->result = first;
            x->function = parse_name(p, "the name of the external function");
        } else if (!p->panic) {
            if (first->n != 1 || first->global || first->part[0].sub.n > 0) {
                parser_fail(p, first->span, "P01",
                            "expected the plain name of the external function");
                return;
            }
            x->function = first->part[0].name;
        }
        expect(p, TOK_LPAREN);
        if (!at(p, TOK_RPAREN))
            x->arg = parse_expression_list(p);
        expect(p, TOK_RPAREN);
    }
    x->span = span_from(p, begin);
    x->annotation = parse_annotation(p);
    if (!p->panic)
        c->external = x;
}

static bool at_section(Parser *p)
{
    if (at(p, TOK_INITIAL)) {
        TokenKind next = parser_peek(p).kind;
        return next == TOK_EQUATION || next == TOK_ALGORITHM;
    }
    return at(p, TOK_EQUATION) || at(p, TOK_ALGORITHM);
}

/* One element, section or clause of the body. */
static void body_item(Parser *p, SynClass *c, Body *b)
{
    uint32_t from = p->tok.begin;
    if (at_section(p)) {
        SynSection s = {0};
        parse_section(p, &s);
        vec_push(p->scratch, b->section, s);
        return;
    }
    if (at(p, TOK_PUBLIC) || at(p, TOK_PROTECTED)) {
        b->is_protected = at(p, TOK_PROTECTED);
        b->is_public = !b->is_protected;
        parser_advance(p);
        return;
    }
    const char *what = "an element";
    if (at(p, TOK_EXTERNAL)) {
        what = "an external clause";
        external_clause(p, c);
    } else if (at(p, TOK_ANNOTATION)) {
        what = "an annotation";
        if (c->annotation)
            parser_fail(p, span_here(p), "P01", "a class has one annotation; this is another");
        const SynMod *annotation = parse_annotation(p);
        if (!p->panic)
            c->annotation = annotation;
    } else {
        element(p, b);
    }
    if (!p->panic)
        expect_semicolon(p, what);
    if (p->panic)
        parser_recover(p, from);
}

static void *copy_list(Parser *p, const void *list, uint32_t n, size_t size)
{
    if (n == 0)
        return NULL;
    void *out = arena_alloc(p->mem, size * n);
    memcpy(out, list, size * n);
    return out;
}

/* True at an `end` that does not close this body: its beginning was lost to a syntax error, or it
 * is one `end` too many, which is reported. */
static bool step_over_end(Parser *p, bool after_error)
{
    bool stray = after_error && at_class_end(p) && !is_open(p, parser_peek(p).name);
    if (stray) {
        parser_advance(p);
        parser_skip(p);
    } else if (at_block_close(p)) {
        uint32_t from = p->tok.begin;
        parser_fail(p, span_here(p), "P03", "this 'end' closes nothing that is open here");
        parser_recover(p, from);
        stray = true;
    }
    return stray;
}

static void long_class_body(Parser *p, SynClass *c)
{
    Body b = {0};
    uint32_t before = p->errors;
    do {
        while (!at(p, TOK_END) && !at(p, TOK_EOF) && !p->panic)
            body_item(p, c, &b);
    } while (step_over_end(p, p->errors > before));
    c->elements = copy_list(p, b.element.at, b.element.n, sizeof *b.element.at);
    c->n_elements = b.element.n;
    c->extends = copy_list(p, b.extends.at, b.extends.n, sizeof *b.extends.at);
    c->n_extends = b.extends.n;
    c->imports = copy_list(p, b.import.at, b.import.n, sizeof *b.import.at);
    c->n_imports = b.import.n;
    c->section = copy_list(p, b.section.at, b.section.n, sizeof *b.section.at);
    c->n_sections = b.section.n;
    syn_class_index(c, p->mem);
}

SynClass *parse_stored_class(Parser *p)
{
    SynElement *e = arena_make(p->mem, SynElement);
    uint32_t begin = p->tok.begin;
    e->final = accept(p, TOK_FINAL);
    if (at_class_prefix(p))
        parse_class(p, e, false);
    else
        expected(p, "a class");
    e->span = span_from(p, begin);
    return p->panic ? NULL : e->class_;
}
