#include "language_server/cursor.h"

#include <string.h>

static Cursor open_text(const Analysis *a, Compilation *c, const SynFile *tree, const char *path,
                        const char *text, uint32_t size)
{
    Cursor p = {.a = a, .c = c, .tree = tree, .text = text};
    Diags *own = diags_new(a->mem); /* errors of tokens have been reported */
    uint32_t file = diags_add_source(own, path, text, size);
    p.list = token_list(a->mem, c->names, own, file);
    p.phrases = phrases_of(text, &p.list, a->mem);
    return p;
}

Cursor cursor_open(const Analysis *a)
{
    const SynFile *tree;
    Compilation *c = analysis_open(a, &tree);
    const Document *d = a->document;
    Cursor p = open_text(a, c, tree, d->path, d->text, d->size);
    p.at = position_offset(d->text, d->size, a->position, a->documents->utf8);
    return p;
}

Cursor cursor_in(const Analysis *a, Compilation *c, const SynFile *tree)
{
    const Source *s = diags_source(c->diags, tree->file);
    for (const Document *d = a->documents->first; d; d = d->next)
        if (strcmp(d->path, s->path) == 0)
            return open_text(a, c, tree, d->path, d->text, d->size);
    return open_text(a, c, tree, s->path, s->text, s->size);
}

/* ---- Names ------------------------------------------------------------------------------- */

static Name name_at(const Cursor *p, uint32_t k)
{
    const SourceToken *t = cursor_token(p, k);
    return name_of_n(p->c->names, p->text + t->begin, t->end - t->begin);
}

/* The bracket that the one at token k closes; k if there is none. */
static uint32_t opening(const Cursor *p, uint32_t k)
{
    uint32_t depth = 0;
    for (uint32_t i = k + 1; i-- > 0;) {
        TokenKind kind = cursor_token(p, i)->kind;
        depth += kind == TOK_RBRACKET || kind == TOK_RPAREN || kind == TOK_RBRACE;
        depth -= kind == TOK_LBRACKET || kind == TOK_LPAREN || kind == TOK_LBRACE;
        if (depth == 0)
            return i;
    }
    return k;
}

/* Token k, or the one in front of the subscripts that end with it. */
static uint32_t name_before(const Cursor *p, uint32_t k)
{
    if (cursor_token(p, k)->kind == TOK_RBRACKET) {
        k = opening(p, k);
        k -= k > 0;
    }
    return k;
}

NameList cursor_names(const Cursor *p, uint32_t k)
{
    NameList back = {0}, names = {0};
    Arena *mem = p->a->mem;
    for (k = name_before(p, k); cursor_token(p, k)->kind == TOK_IDENT; k = name_before(p, k - 2)) {
        vec_push(mem, back, name_at(p, k));
        if (k < 2 || cursor_token(p, k - 1)->kind != TOK_DOT)
            break;
    }
    for (uint32_t i = back.n; i-- > 0;)
        vec_push(mem, names, back.at[i]);
    return names;
}

uint32_t cursor_first(const Cursor *p, uint32_t k)
{
    while (k >= 2 && cursor_token(p, k - 1)->kind == TOK_DOT) {
        uint32_t before = name_before(p, k - 2);
        if (cursor_token(p, before)->kind != TOK_IDENT)
            break;
        k = before;
    }
    return k;
}

uint32_t cursor_last(const Cursor *p, uint32_t k)
{
    while (cursor_token(p, k)->kind == TOK_IDENT && cursor_token(p, k + 1)->kind == TOK_DOT &&
           cursor_token(p, k + 2)->kind == TOK_IDENT)
        k += 2;
    return k;
}

uint32_t cursor_bracket(const Cursor *p, uint32_t k)
{
    while (k-- > 0) {
        switch (cursor_token(p, k)->kind) {
        case TOK_RPAREN:
        case TOK_RBRACKET:
        case TOK_RBRACE:
            k = opening(p, k);
            break;
        case TOK_LPAREN:
        case TOK_LBRACE:
        case TOK_LBRACKET:
            return k;
        case TOK_SEMICOLON:
            return UINT32_MAX;
        default:
            break;
        }
    }
    return UINT32_MAX;
}

static bool begins_argument(TokenKind before)
{
    return before == TOK_LPAREN || before == TOK_COMMA || before == TOK_EACH || before == TOK_FINAL;
}

/* type A = B(...), redeclare model A = B(...): token k is B. */
static bool is_short_class(const Cursor *p, uint32_t k)
{
    return k > 2 && cursor_token(p, k - 1)->kind == TOK_EQUALS &&
           cursor_token(p, k - 2)->kind == TOK_IDENT &&
           token_begins_class(cursor_token(p, k - 3)->kind);
}

bool cursor_is_modification(const Cursor *p, uint32_t parenthesis)
{
    while (parenthesis > 0 && parenthesis != UINT32_MAX) {
        uint32_t k = name_before(p, parenthesis - 1);
        if (cursor_token(p, k)->kind != TOK_IDENT)
            return cursor_token(p, parenthesis - 1)->kind == TOK_ANNOTATION;
        k = cursor_first(p, k);
        switch (k > 0 ? cursor_token(p, k - 1)->kind : TOK_NONE) {
        case TOK_IDENT:
        case TOK_RBRACKET:
        case TOK_EXTENDS:
        case TOK_CONSTRAINEDBY:
        case TOK_INPUT:
        case TOK_OUTPUT:
            return true;
        case TOK_EQUALS:
            return is_short_class(p, k);
        case TOK_COMMA:
        case TOK_LPAREN:
        case TOK_EACH:
        case TOK_FINAL:
            /* Real x(...), y(...); has no bracket around */
            parenthesis = cursor_bracket(p, k);
            if (parenthesis == UINT32_MAX)
                return true;
            if (cursor_token(p, parenthesis)->kind != TOK_LPAREN)
                return false;
            break;
        default:
            return false;
        }
    }
    return false;
}

/* The last token of the type in front of the declared name at token k: T x(...), y(...); UINT32_MAX
 * if it is no such name. */
static uint32_t type_in_front(const Cursor *p, uint32_t k)
{
    bool is_list =
        k > 0 && cursor_token(p, k - 1)->kind == TOK_COMMA && cursor_bracket(p, k) == UINT32_MAX;
    do {
        TokenKind before = k > 0 ? cursor_token(p, k - 1)->kind : TOK_SEMICOLON;
        TokenKind kind = cursor_token(p, k)->kind;
        if (kind == TOK_IDENT && (before == TOK_IDENT || before == TOK_RBRACKET))
            return k - 1;
        if (before == TOK_SEMICOLON)
            break;
        k = opening(p, k - 1);
    } while (is_list);
    return UINT32_MAX;
}

NameList cursor_heads(const Cursor *p, uint32_t k, bool by_type)
{
    NameList all = {0};
    Arena *mem = p->a->mem;
    uint32_t open = cursor_bracket(p, k);
    if (open == UINT32_MAX || open == 0 || cursor_token(p, open)->kind != TOK_LPAREN)
        return all;
    uint32_t last = name_before(p, open - 1);
    if (cursor_token(p, last)->kind != TOK_IDENT)
        return all;
    uint32_t first = cursor_first(p, last);
    TokenKind before = first > 0 ? cursor_token(p, first - 1)->kind : TOK_NONE;
    if (begins_argument(before) && cursor_is_modification(p, open))
        all = cursor_heads(p, first, by_type);
    uint32_t type = by_type && all.n == 0 ? type_in_front(p, first) : UINT32_MAX;
    NameList inner = cursor_names(p, type != UINT32_MAX ? type : last);
    for (uint32_t i = 0; i < inner.n; i++)
        vec_push(mem, all, inner.at[i]);
    return all;
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

SynPath cursor_class(const Cursor *p, uint32_t at)
{
    NameList path = {0};
    const SynFile *f = p->tree;
    bool has_parent = false;
    for (uint32_t k = 0; k < f->n_classes; k++) {
        const SynClass *c = f->class_[k];
        if (at < c->span.begin || at > c->span.end)
            continue;
        const SynClass *in = class_around(c, at);
        has_parent = c->parent != NULL;
        if (!has_parent)
            for (uint32_t i = 0; i < f->within.n; i++)
                vec_push(p->a->mem, path, f->within.name[i]);
        push_class(&path, in, p->a->mem);
        if (at == in->name_span.begin)
            path.n--;
    }
    return (SynPath){.global = true, .n = path.n, .name = path.at};
}
