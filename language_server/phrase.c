#include "language_server/phrase.h"

#include <string.h>

typedef struct Open {
    TokenKind kind; /* of a bracket, or TOK_FOR */
    uint8_t flags;  /* of the tokens inside */
    uint32_t begin; /* its token */
    uint32_t first; /* iterators from here on end with it */
} Open;

typedef struct Reader {
    const char *text;
    const TokenList *list;
    Arena *mem;
    Phrases out;
    VEC(Open) open;
} Reader;

static TokenKind kind_at(const TokenList *list, uint32_t k)
{
    return k < list->token.n ? list->token.at[k].kind : TOK_EOF;
}

static bool is_word(const char *text, const TokenList *list, uint32_t k, const char *word)
{
    const SourceToken *t = &list->token.at[k];
    size_t n = strlen(word);
    return t->kind == TOK_IDENT && t->end - t->begin == n && memcmp(text + t->begin, word, n) == 0;
}

static uint8_t flags_now(const Reader *r)
{
    return r->open.n ? vec_last(r->open).flags : 0;
}

static void close_last(Reader *r, uint32_t k)
{
    Open o = vec_last(r->open);
    r->open.n--;
    for (uint32_t i = o.first; i < r->out.iterator.n; i++)
        if (r->out.iterator.at[i].end > k)
            r->out.iterator.at[i].end = k;
}

static void close_until(Reader *r, TokenKind kind, uint32_t k)
{
    uint32_t n = r->open.n;
    while (n > 0 && r->open.at[n - 1].kind != kind)
        n--;
    while (n > 0 && r->open.n >= n)
        close_last(r, k);
}

static void open_bracket(Reader *r, uint32_t k)
{
    TokenKind kind = kind_at(r->list, k);
    uint8_t flags = flags_now(r);
    if (kind == TOK_LPAREN && k > 0 && kind_at(r->list, k - 1) == TOK_ANNOTATION)
        flags |= PHRASE_ANNOTATION;
    if (kind == TOK_LBRACE && k > 1 && (flags & PHRASE_ANNOTATION) &&
        kind_at(r->list, k - 1) == TOK_EQUALS && is_word(r->text, r->list, k - 2, "graphics"))
        flags |= PHRASE_GRAPHICS;
    vec_push(r->mem, r->open, ((Open){kind, flags, k, r->out.iterator.n}));
}

/* The token behind the range of the iterator whose name is token k. */
static uint32_t range_end(const TokenList *list, uint32_t k)
{
    uint32_t depth = 0;
    for (; k < list->token.n; k++) {
        TokenKind kind = kind_at(list, k);
        bool closes = kind == TOK_RPAREN || kind == TOK_RBRACE || kind == TOK_RBRACKET;
        if (kind == TOK_LOOP || kind == TOK_SEMICOLON || kind == TOK_EOF ||
            (depth == 0 && (closes || kind == TOK_COMMA)))
            break;
        depth += kind == TOK_LPAREN || kind == TOK_LBRACE || kind == TOK_LBRACKET;
        depth -= closes;
    }
    return k;
}

/* Of loops each range may use the iterators before it (MLS 11.2.2.3); of expressions none. */
static void begin_for(Reader *r, uint32_t k)
{
    bool is_loop = r->open.n == 0 || vec_last(r->open).kind == TOK_FOR;
    uint32_t bracket = is_loop ? 0 : vec_last(r->open).begin, at = k;
    if (is_loop)
        vec_push(r->mem, r->open, ((Open){TOK_FOR, flags_now(r), k, r->out.iterator.n}));
    do {
        uint32_t name = at + 1;
        if (kind_at(r->list, name) != TOK_IDENT)
            return;
        at = range_end(r->list, name);
        PhraseIterator i = {name, at, is_loop ? at : bracket, is_loop ? r->list->token.n : k};
        vec_push(r->mem, r->out.iterator, i);
    } while (kind_at(r->list, at) == TOK_COMMA);
}

static void close_all(Reader *r, uint32_t k)
{
    while (r->open.n > 0)
        close_last(r, k);
}

static void read_token(Reader *r, uint32_t k)
{
    TokenKind before = k > 0 ? kind_at(r->list, k - 1) : TOK_NONE;
    switch (kind_at(r->list, k)) {
    case TOK_LPAREN:
    case TOK_LBRACE:
    case TOK_LBRACKET:
        open_bracket(r, k);
        break;
    case TOK_RPAREN:
        close_until(r, TOK_LPAREN, k);
        break;
    case TOK_RBRACE:
        close_until(r, TOK_LBRACE, k);
        break;
    case TOK_RBRACKET:
        close_until(r, TOK_LBRACKET, k);
        break;
    case TOK_FOR:
        if (before == TOK_END)
            close_until(r, TOK_FOR, k);
        else
            begin_for(r, k);
        break;
    case TOK_SEMICOLON:
        while (r->open.n > 0 &&
               (vec_last(r->open).kind == TOK_LPAREN || vec_last(r->open).kind == TOK_LBRACE))
            close_last(r, k);
        break;
    case TOK_EQUATION:
    case TOK_ALGORITHM:
        close_all(r, k);
        break;
    case TOK_IDENT:
        if (before == TOK_END)
            close_all(r, k);
        break;
    default:
        break;
    }
}

Phrases phrases_of(const char *text, const TokenList *list, Arena *mem)
{
    Reader r = {text, list, mem, {0}, {0}};
    r.out.flags = arena_array(mem, uint8_t, list->token.n + 1);
    bool is_external = false;
    for (uint32_t k = 0; k < list->token.n; k++) {
        TokenKind kind = kind_at(list, k);
        if (kind == TOK_EXTERNAL)
            is_external = true;
        else if (kind == TOK_SEMICOLON || kind == TOK_ANNOTATION)
            is_external = false;
        r.out.flags[k] = flags_now(&r) | (is_external ? PHRASE_EXTERNAL : 0);
        read_token(&r, k);
    }
    return r.out;
}

const PhraseIterator *phrase_iterator(const Phrases *p, const char *text, const TokenList *list,
                                      uint32_t k, const char *word)
{
    const PhraseIterator *found = NULL;
    for (uint32_t i = 0; i < p->iterator.n; i++) {
        const PhraseIterator *x = &p->iterator.at[i];
        if (x->name == k)
            return x;
        if (x->begin <= k && k < x->end && (!found || x->begin >= found->begin) &&
            is_word(text, list, x->name, word))
            found = x;
    }
    return found;
}
