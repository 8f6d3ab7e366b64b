/* names.c -- the declaration that the name at a place means: hover and definition. */
#include "format/token_list.h"
#include "frontend/instantiate/declaration.h"
#include "frontend/syntax/syntax_print.h"
#include "language_server/analysis.h"

#include <string.h>

/* A name with dots around the token at a place, and the name whose arguments it stands in:
 * `start` of `x` in `Real x(start = 1)`, `u` of `f` in `f(u = 2)`. */
typedef struct NamePlace {
    VEC(Name) part; /* up to the token */
    VEC(Name) head; /* without names: the token is no argument's name */
    uint32_t begin, end;
} NamePlace;

typedef struct Search {
    const Analysis *a;
    Compilation *c;
    const SynFile *tree;
    const char *text;
    TokenList list;
    NamePlace at;
} Search;

static const SourceToken *token(const Search *s, uint32_t k)
{
    return &s->list.token.at[k];
}

static Name name_at(const Search *s, uint32_t k)
{
    const SourceToken *t = token(s, k);
    return name_of_n(s->c->names, s->text + t->begin, t->end - t->begin);
}

/* The bracket that the one at token k closes; k if there is none. */
static uint32_t opening(const Search *s, uint32_t k)
{
    uint32_t depth = 0;
    for (uint32_t i = k + 1; i-- > 0;) {
        TokenKind kind = token(s, i)->kind;
        depth += kind == TOK_RBRACKET || kind == TOK_RPAREN || kind == TOK_RBRACE;
        depth -= kind == TOK_LBRACKET || kind == TOK_LPAREN || kind == TOK_LBRACE;
        if (depth == 0)
            return i;
    }
    return k;
}

typedef VEC(Name) NameList;

/* a.b[1].c that ends with the name at token k: its names, the first one first. */
static NameList names_up_to(const Search *s, uint32_t k)
{
    NameList back = {0}, names = {0};
    Arena *mem = s->a->mem;
    for (;;) {
        vec_push(mem, back, name_at(s, k));
        if (k < 2 || token(s, k - 1)->kind != TOK_DOT)
            break;
        uint32_t before = k - 2;
        if (token(s, before)->kind == TOK_RBRACKET) {
            before = opening(s, before);
            before -= before > 0;
        }
        if (token(s, before)->kind != TOK_IDENT)
            break;
        k = before;
    }
    for (uint32_t i = back.n; i-- > 0;)
        vec_push(mem, names, back.at[i]);
    return names;
}

/* The parenthesis around token k that is open there; UINT32_MAX if there is none in its phrase. */
static uint32_t parenthesis_around(const Search *s, uint32_t k)
{
    while (k-- > 0) {
        switch (token(s, k)->kind) {
        case TOK_RPAREN:
        case TOK_RBRACKET:
        case TOK_RBRACE:
            k = opening(s, k);
            break;
        case TOK_LPAREN:
            return k;
        case TOK_SEMICOLON:
        case TOK_LBRACE:
        case TOK_LBRACKET:
            return UINT32_MAX;
        default:
            break;
        }
    }
    return UINT32_MAX;
}

/* The names of arguments around token k, the outermost first: x, phi of start in x(phi(start = 1))
 */
static NameList heads_of(const Search *s, uint32_t k)
{
    NameList inner = {0}, all = {0};
    Arena *mem = s->a->mem;
    uint32_t open = parenthesis_around(s, k);
    if (open == UINT32_MAX || open == 0)
        return all;
    uint32_t last = open - 1;
    if (token(s, last)->kind == TOK_RBRACKET) {
        last = opening(s, last);
        last -= last > 0;
    }
    if (token(s, last)->kind != TOK_IDENT)
        return all;
    inner = names_up_to(s, last);
    if (last > 0 &&
        (token(s, last - 1)->kind == TOK_LPAREN || token(s, last - 1)->kind == TOK_COMMA ||
         token(s, last - 1)->kind == TOK_EACH || token(s, last - 1)->kind == TOK_FINAL))
        all = heads_of(s, last);
    for (uint32_t i = 0; i < inner.n; i++)
        vec_push(mem, all, inner.at[i]);
    return all;
}

static bool find_name(Search *s)
{
    const Document *d = s->a->document;
    uint32_t at = position_offset(d->text, d->size, s->a->position, s->a->documents->utf8);
    for (uint32_t k = 0; k < s->list.token.n && token(s, k)->begin <= at; k++) {
        const SourceToken *t = token(s, k);
        if (t->kind != TOK_IDENT || at > t->end)
            continue;
        NameList part = names_up_to(s, k), head = {0};
        TokenKind next = token(s, k + 1)->kind;
        if (part.n == 1 && (next == TOK_EQUALS || next == TOK_LPAREN))
            head = heads_of(s, k);
        s->at.begin = t->begin;
        s->at.end = t->end;
        for (uint32_t i = 0; i < part.n; i++)
            vec_push(s->a->mem, s->at.part, part.at[i]);
        for (uint32_t i = 0; i < head.n; i++)
            vec_push(s->a->mem, s->at.head, head.at[i]);
        return true;
    }
    return false;
}

/* ---- Classes around ----------------------------------------------------------------------- */

static const SynClass *class_around(const SynClass *c, uint32_t at)
{
    for (uint32_t k = 0; k < c->n_elements; k++) {
        const SynElement *e = c->elements[k];
        if (e->kind != SYN_CLASS || at < e->class_->span.begin || at > e->class_->span.end)
            continue;
        return class_around(e->class_, at);
    }
    return c;
}

static void push_class(NameList *path, const SynClass *c, Arena *mem)
{
    if (c->parent)
        push_class(path, c->parent, mem);
    vec_push(mem, *path, c->name);
}

/* The class around the place, by its full name; empty outside of all. A name in the head of a
 * class, as the class's own, is looked up around it. */
static SynPath path_around(const Search *s)
{
    NameList path = {0};
    const SynFile *f = s->tree;
    bool has_parent = false;
    for (uint32_t k = 0; k < f->n_classes; k++) {
        const SynClass *c = f->class_[k];
        if (s->at.begin < c->span.begin || s->at.begin > c->span.end)
            continue;
        const SynClass *in = class_around(c, s->at.begin);
        has_parent = c->parent != NULL;
        if (!has_parent)
            for (uint32_t i = 0; i < f->within.n; i++)
                vec_push(s->a->mem, path, f->within.name[i]);
        push_class(&path, in, s->a->mem);
        if (s->at.begin == in->name_span.begin)
            path.n--;
    }
    return (SynPath){.global = true, .n = path.n, .name = path.at};
}

static bool find_declaration(Search *s, Declaration *out)
{
    SynPath within = path_around(s);
    NameList all = {0};
    for (uint32_t k = 0; k < s->at.head.n; k++)
        vec_push(s->a->mem, all, s->at.head.at[k]);
    for (uint32_t k = 0; k < s->at.part.n; k++)
        vec_push(s->a->mem, all, s->at.part.at[k]);
    bool is_argument = s->at.head.n > 0;
    if (is_argument && front_declaration(s->c->front, &within, all.at, all.n, out))
        return true;
    return front_declaration(s->c->front, &within, s->at.part.at, s->at.part.n, out);
}

/* Looks up the name at the place. */
static bool search(Search *s, const Analysis *a, Declaration *out)
{
    *s = (Search){.a = a};
    s->c = analysis_open(a, &s->tree);
    s->text = diags_source(s->c->diags, s->tree->file)->text;
    Diags *own = diags_new(a->mem);
    uint32_t file = diags_add_source(own, a->document->path, a->document->text, a->document->size);
    s->list = token_list(a->mem, s->c->names, own, file);
    return find_name(s) && find_declaration(s, out);
}

/* ---- Answers ------------------------------------------------------------------------------ */

static bool is_readable(const Diags *d, Span s)
{
    const Source *source = diags_source(d, s.file);
    return source && source->path[0] != '<';
}

void analysis_definition(const Analysis *a, Text *answer)
{
    Search s;
    Declaration d;
    bool found = search(&s, a, &d) && is_readable(s.c->diags, d.name);
    if (!found) {
        text_put(answer, "null");
        return;
    }
    const Source *source = diags_source(s.c->diags, d.name.file);
    Text uri = text_new(a->mem);
    put_uri(&uri, source->path);
    for (const Document *x = a->documents->first; x; x = x->next)
        if (strcmp(x->path, source->path) == 0) {
            text_clear(&uri);
            text_put(&uri, x->uri);
        }
    Json j = json_new(answer);
    json_object(&j, NULL);
    json_text(&j, "uri", uri.at);
    put_range(&j, "range", source->text, source->size, d.name, a->documents->utf8);
    json_close(&j);
}

/* The text of a declaration, blanks and line ends as one blank. */
static void put_source(Text *out, const Diags *d, Span s)
{
    enum { MOST = 400 };
    const Source *source = diags_source(d, s.file);
    bool blank = false;
    for (uint32_t k = s.begin; source && k < s.end && k < source->size; k++) {
        char c = source->text[k];
        bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        bool is_inside = ((unsigned char)c & 0xC0) == 0x80;
        if (k - s.begin > MOST && !is_inside) {
            text_put(out, " ...");
            return;
        }
        if (is_blank && !blank)
            text_put_n(out, " ", 1);
        else if (!is_blank)
            text_put_n(out, &c, 1);
        blank = is_blank;
    }
}

/* The definition of a short class up to its description. */
static Span short_class_span(const SynClass *c)
{
    Span s = c->span;
    uint32_t n = c->n_literals;
    s.end = c->mod ? c->mod->span.end : n > 0 ? c->literal[n - 1].span.end : c->base.span.end;
    if (s.end < s.begin)
        s.end = c->span.end;
    return s;
}

static void put_class_head(Text *out, const Diags *d, const SynClass *c, const char *name)
{
    if (c->kind == SYN_LONG || c->kind == SYN_CLASS_EXTENDS)
        text_printf(out, "%s%s %s", c->partial ? "partial " : "",
                    syn_restriction_text(c->restriction), name);
    else
        put_source(out, d, short_class_span(c));
}

static void put_description(Text *out, const char *text)
{
    if (text && *text)
        text_printf(out, "\n\n%s", text);
}

static void put_hover(Text *out, const Diags *d, const Declaration *x)
{
    text_put(out, "```modelica\n");
    if (!x->element) {
        text_printf(out, "%s\n```\n\npredefined", x->type_name ? x->type_name : "");
        return;
    }
    const SynClass *c = x->element->kind == SYN_CLASS ? x->element->class_ : NULL;
    if (c)
        put_class_head(out, d, c, x->type_name ? x->type_name : c->name.s);
    else
        put_source(out, d, x->element->span);
    if (!c && x->type && x->type->kind != SYN_LONG) {
        text_put(out, "\n");
        put_class_head(out, d, x->type, x->type_name);
    }
    text_put(out, "\n```");
    put_description(out, c ? c->comment : x->element->component->comment);
    if (!c && x->type && x->type->comment)
        text_printf(out, "\n\n`%s`: %s", x->type_name, x->type->comment);
}

void analysis_hover(const Analysis *a, Text *answer)
{
    Search s;
    Declaration d;
    if (!search(&s, a, &d)) {
        text_put(answer, "null");
        return;
    }
    Text text = text_new(a->mem);
    put_hover(&text, s.c->diags, &d);
    Json j = json_new(answer);
    json_object(&j, NULL);
    json_object(&j, "contents");
    json_text(&j, "kind", "markdown");
    json_text(&j, "value", text.at);
    json_close(&j);
    put_range(&j, "range", a->document->text, a->document->size, (Span){0, s.at.begin, s.at.end},
              a->documents->utf8);
    json_close(&j);
}
