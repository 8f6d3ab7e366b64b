#include "language_server/meaning.h"

#include <string.h>

uint32_t cursor_name(const Cursor *p)
{
    for (uint32_t k = 0; k < p->list.token.n && cursor_token(p, k)->begin <= p->at; k++) {
        const SourceToken *t = cursor_token(p, k);
        if (t->kind == TOK_IDENT && p->at <= t->end)
            return k;
    }
    return UINT32_MAX;
}

static TokenKind kind_before(const Cursor *p, uint32_t k, uint32_t n)
{
    return k >= n ? cursor_token(p, k - n)->kind : TOK_NONE;
}

static bool is_word(const Cursor *p, uint32_t k, const char *word)
{
    const SourceToken *t = cursor_token(p, k);
    size_t n = strlen(word);
    return t->end - t->begin == n && memcmp(p->text + t->begin, word, n) == 0;
}

/* ---- Arguments --------------------------------------------------------------------------- */

/* Is the name, whose first token is k, that of an argument: of a modification, with its name or
 * with the declaration that redeclares it, or of a call. */
static bool is_argument(const Cursor *p, uint32_t k, uint32_t bracket)
{
    TokenKind before = kind_before(p, k, 1), next = cursor_token(p, cursor_last(p, k) + 1)->kind;
    bool begins = before == TOK_LPAREN || before == TOK_COMMA;
    if (!cursor_is_modification(p, bracket))
        return begins && next == TOK_EQUALS;
    if (before == TOK_IDENT || before == TOK_RBRACKET)
        return true;
    if (token_begins_class(before))
        return next == TOK_EQUALS;
    bool ends = next == TOK_EQUALS || next == TOK_LPAREN || next == TOK_COMMA ||
                next == TOK_RPAREN || next == TOK_STRING;
    return ends && (begins || before == TOK_EACH || before == TOK_FINAL || before == TOK_BREAK);
}

/* An argument's name belongs to that whose argument it is. Types come first: the name in front of a
 * redeclaration's modification may mean another component here. */
static bool find_argument(const Cursor *p, uint32_t first, const NameList *part,
                          const SynPath *within, Declaration *out)
{
    for (int by_type = 1; by_type >= 0; by_type--) {
        NameList head = cursor_heads(p, first, by_type);
        if (head.n == 0)
            return false;
        for (uint32_t i = 0; i < part->n; i++)
            vec_push(p->a->mem, head, part->at[i]);
        if (front_declaration(p->c->front, within, head.at, head.n, out))
            return true;
    }
    return false;
}

/* Arguments of annotations that name elements of the class around (MLS 12.8, 7.3.4). */
static bool names_elements(const Cursor *p, uint32_t parenthesis)
{
    return parenthesis > 0 &&
           (is_word(p, parenthesis - 1, "inverse") || is_word(p, parenthesis - 1, "choice"));
}

/* ---- Names of classes -------------------------------------------------------------------- */

/* import A.B, import C = A.B: token k is A. */
static bool is_imported(const Cursor *p, uint32_t k)
{
    TokenKind before = kind_before(p, k, 1);
    return (before == TOK_IMPORT && cursor_token(p, k + 1)->kind != TOK_EQUALS) ||
           (before == TOK_EQUALS && kind_before(p, k, 2) == TOK_IDENT &&
            kind_before(p, k, 3) == TOK_IMPORT);
}

/* import A.{B, C}: the brace around token k opens behind A. */
static bool is_import_list(const Cursor *p, uint32_t brace)
{
    if (kind_before(p, brace, 1) != TOK_DOT || kind_before(p, brace, 2) != TOK_IDENT)
        return false;
    return kind_before(p, cursor_first(p, brace - 2), 1) == TOK_IMPORT;
}

/* ---- Meanings ---------------------------------------------------------------------------- */

static bool find_iterator(const Cursor *p, uint32_t k, Name name, Meaning *out)
{
    const PhraseIterator *i = phrase_iterator(&p->phrases, p->text, &p->list, k, name.s);
    if (!i)
        return false;
    const SourceToken *t = cursor_token(p, i->name);
    out->name = (Span){p->tree->file, t->begin, t->end};
    out->iterator = out->name;
    out->iterator.end = cursor_token(p, i->behind - 1)->end;
    return true;
}

/* Is the dot in front of token k, the first of a name, behind f(x) or (x)[1]. */
static bool follows_value(const Cursor *p, uint32_t k)
{
    TokenKind of = kind_before(p, k, 2);
    return kind_before(p, k, 1) == TOK_DOT &&
           (of == TOK_RPAREN || of == TOK_RBRACKET || of == TOK_RBRACE);
}

bool meaning_is_of_value(const Cursor *p, uint32_t k)
{
    uint32_t first = cursor_first(p, k);
    const SourceToken *t = cursor_token(p, first);
    Name head = name_of_n(p->c->names, p->text + t->begin, t->end - t->begin);
    return follows_value(p, first) ||
           (first < k && phrase_iterator(&p->phrases, p->text, &p->list, first, head.s));
}

static bool find_declaration(const Cursor *p, uint32_t k, NameList part, Declaration *out)
{
    Front *f = p->c->front;
    const SynPath top = {0};
    uint32_t first = cursor_first(p, k), bracket = cursor_bracket(p, first);
    uint8_t flags = p->phrases.flags[k];
    TokenKind before = kind_before(p, first, 1), next = cursor_token(p, k + 1)->kind;
    SynPath within = cursor_class(p, cursor_token(p, k)->begin);
    TokenKind opens = bracket != UINT32_MAX ? cursor_token(p, bracket)->kind : TOK_NONE;
    if ((flags & PHRASE_EXTERNAL) && next == TOK_LPAREN && first == k)
        return false;
    if (before == TOK_DOT) /* .A.B from the top */
        return !follows_value(p, first) && front_declaration(f, &top, part.at, part.n, out);
    if (before == TOK_END) {
        within.n -= within.n > 0;
        return front_declaration(f, &within, part.at, part.n, out);
    }
    if (is_imported(p, first))
        return front_declaration(f, &top, part.at, part.n, out);
    if (opens == TOK_LBRACE && is_import_list(p, bracket)) {
        NameList all = cursor_names(p, bracket - 2);
        vec_push(p->a->mem, all, part.at[0]);
        return front_declaration(f, &top, all.at, all.n, out);
    }
    if (opens == TOK_LPAREN && kind_before(p, bracket, 1) == TOK_ENUMERATION) {
        if (kind_before(p, bracket, 2) != TOK_EQUALS || kind_before(p, bracket, 3) != TOK_IDENT)
            return false;
        NameList all = cursor_names(p, bracket - 3); /* type Kind = enumeration(literal, */
        vec_push(p->a->mem, all, part.at[0]);
        return front_declaration(f, &within, all.at, all.n, out);
    }
    bool argument = opens == TOK_LPAREN && is_argument(p, first, bracket);
    if ((flags & PHRASE_GRAPHICS) && (argument || next == TOK_LPAREN))
        return false;
    if (argument && (flags & PHRASE_ANNOTATION) && cursor_is_modification(p, bracket))
        return names_elements(p, bracket) && front_declaration(f, &within, part.at, part.n, out);
    if (argument)
        return find_argument(p, first, &part, &within, out);
    return front_declaration(f, &within, part.at, part.n, out);
}

/* As if `name` stood at token k. */
static bool meaning_with(const Cursor *p, uint32_t k, Name name, Meaning *out)
{
    *out = (Meaning){0};
    NameList part = cursor_names(p, k);
    if (part.n == 0)
        return false;
    vec_last(part) = name;
    uint32_t first = cursor_first(p, k), bracket = cursor_bracket(p, first);
    bool is_parenthesis = bracket != UINT32_MAX && cursor_token(p, bracket)->kind == TOK_LPAREN;
    bool is_first =
        kind_before(p, first, 1) != TOK_DOT && !(is_parenthesis && is_argument(p, first, bracket));
    Name head = part.at[0];
    if (is_first && phrase_iterator(&p->phrases, p->text, &p->list, first, head.s))
        return first == k && find_iterator(p, k, name, out);
    if (!find_declaration(p, k, part, &out->declaration))
        return false;
    out->name = out->declaration.name;
    return true;
}

bool meaning_of(const Cursor *p, uint32_t k, Meaning *out)
{
    const SourceToken *t = cursor_token(p, k);
    return meaning_with(p, k, name_of_n(p->c->names, p->text + t->begin, t->end - t->begin), out);
}

Span meaning_origin(const Meaning *m)
{
    const SynElement *e = m->declaration.original;
    if (!e || m->declaration.literal)
        return m->name;
    return e->kind == SYN_CLASS ? e->class_->name_span : e->component->name_span;
}
