/* symbols.c -- the classes of a document and their elements, as an outline. */
#include "frontend/syntax/parser.h"
#include "frontend/syntax/syntax_print.h"
#include "language_server/analysis.h"

/* Kinds of symbols of the protocol. */
enum {
    KIND_MODULE = 2,
    KIND_PACKAGE = 4,
    KIND_CLASS = 5,
    KIND_FIELD = 8,
    KIND_ENUM = 10,
    KIND_INTERFACE = 11,
    KIND_FUNCTION = 12,
    KIND_VARIABLE = 13,
    KIND_CONSTANT = 14,
    KIND_STRUCT = 23,
    KIND_OPERATOR = 25,
    KIND_TYPE = 26
};

static int kind_of_class(const SynClass *c)
{
    switch (c->restriction) {
    case SYN_R_PACKAGE:
        return KIND_PACKAGE;
    case SYN_R_FUNCTION:
    case SYN_R_OPERATOR_FUNCTION:
        return KIND_FUNCTION;
    case SYN_R_RECORD:
    case SYN_R_OPERATOR_RECORD:
        return KIND_STRUCT;
    case SYN_R_CONNECTOR:
    case SYN_R_EXPANDABLE_CONNECTOR:
        return KIND_INTERFACE;
    case SYN_R_OPERATOR:
        return KIND_OPERATOR;
    case SYN_R_TYPE:
        return c->kind == SYN_ENUM ? KIND_ENUM : KIND_TYPE;
    default:
        return KIND_CLASS;
    }
}

typedef struct Symbols {
    Json j;
    Lines lines;
    Arena *mem;
    uint32_t depth;
} Symbols;

static void begin_symbol(Symbols *s, const char *name, const char *detail, int kind, Span all,
                         Span of_name)
{
    json_object(&s->j, NULL);
    json_text(&s->j, "name", name);
    if (detail)
        json_text(&s->j, "detail", detail);
    json_count(&s->j, "kind", (uint64_t)kind);
    put_range(&s->j, "range", &s->lines, all);
    put_range(&s->j, "selectionRange", &s->lines, of_name);
}

static Span around(Span all, Span name)
{
    all.begin = name.begin < all.begin ? name.begin : all.begin;
    all.end = name.end > all.end ? name.end : all.end;
    return all;
}

static void put_class(Symbols *s, const SynClass *c);

static void put_element(Symbols *s, const SynElement *e)
{
    if (e->kind == SYN_CLASS) {
        put_class(s, e->class_);
    } else if (e->kind == SYN_COMPONENT && e->component->name.s) {
        const SynComponent *x = e->component;
        int kind = x->prefix.variability == SYN_CONSTANT ? KIND_CONSTANT : KIND_FIELD;
        begin_symbol(s, x->name.s, syn_path_text(s->mem, &x->type), kind,
                     around(e->span, x->name_span), x->name_span);
        json_close(&s->j);
    }
}

/* Deeper ones are left out. */
enum { SYMBOLS_DEPTH = 12 };

static void put_class(Symbols *s, const SynClass *c)
{
    if (!c->name.s || s->depth >= SYMBOLS_DEPTH)
        return;
    begin_symbol(s, c->name.s, c->comment, kind_of_class(c), around(c->span, c->name_span),
                 c->name_span);
    if (c->n_elements > 0 && s->depth + 1 < SYMBOLS_DEPTH) {
        json_array(&s->j, "children");
        s->depth++;
        for (uint32_t k = 0; k < c->n_elements; k++)
            put_element(s, c->elements[k]);
        s->depth--;
        json_close(&s->j);
    }
    json_close(&s->j);
}

void analysis_symbols(const Analysis *a, Text *answer)
{
    const Document *d = a->document;
    Diags *diags = diags_new(a->mem);
    uint32_t file = diags_add_source(diags, d->path, d->text, d->size);
    const SynFile *tree = parse_file(a->mem, names_new(a->mem), diags, file);
    Symbols s = {json_new(answer), analysis_lines(a), a->mem, 0};
    json_array(&s.j, NULL);
    for (uint32_t k = 0; k < tree->n_classes; k++)
        put_class(&s, tree->class_[k]);
    json_close(&s.j);
}
