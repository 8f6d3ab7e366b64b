/* Words, and the comments between them. */
#include "format/phrases.h"

void put_space(Phrases *p)
{
    p->separator = (Separator){.kind = SEPARATE_SPACE};
}

void put_break(Phrases *p, BreakRule rule, uint8_t space)
{
    p->separator = (Separator){.kind = SEPARATE_BREAK, .rule = rule, .space = space};
}

void put_line(Phrases *p, uint32_t indent)
{
    p->separator = (Separator){.kind = SEPARATE_LINE, .indent = indent};
}

/* ---- Comments ------------------------------------------------------------------------- */

/* Begins a line, in front of a comment or token with an indent of its own. */
static void begin_line(Phrases *p, uint32_t newlines, uint32_t indent)
{
    if (!p->layout.has_words)
        return;
    if (p->separator.kind == SEPARATE_LINE)
        layout_line(&p->layout, indent, newlines > 1);
    else
        layout_newline(&p->layout, newlines > 1);
}

static void put_separator(Phrases *p, uint32_t newlines)
{
    switch (p->separator.kind) {
    case SEPARATE_NOT:
        break;
    case SEPARATE_SPACE:
        layout_space(&p->layout, true);
        break;
    case SEPARATE_BREAK:
        layout_break(&p->layout, p->separator.rule, p->separator.space, newlines > 1);
        break;
    case SEPARATE_LINE:
        begin_line(p, newlines, p->separator.indent);
        break;
    }
}

/* The last word begins something, so that a comment behind it is about the word to come. */
static bool leads(TokenKind k)
{
    switch (k) {
    case TOK_RPAREN:
    case TOK_RBRACKET:
    case TOK_RBRACE:
    case TOK_IDENT:
    case TOK_INTEGER:
    case TOK_REAL:
    case TOK_STRING:
    case TOK_SEMICOLON:
    case TOK_END:
    case TOK_TRUE:
    case TOK_FALSE:
        return false;
    default:
        return true;
    }
}

static bool opens(TokenKind k)
{
    return k == TOK_LPAREN || k == TOK_LBRACKET || k == TOK_LBRACE;
}

/* No blank stands in front of it. */
static bool closes(TokenKind k)
{
    return k == TOK_RPAREN || k == TOK_RBRACKET || k == TOK_RBRACE || k == TOK_COMMA ||
           k == TOK_SEMICOLON;
}

/* `end`, `else` and so on, which stand further left than the lines before. */
static bool is_outdented(TokenKind k)
{
    return k == TOK_END || k == TOK_ELSE || k == TOK_ELSEIF || k == TOK_ELSEWHEN ||
           k == TOK_PUBLIC || k == TOK_PROTECTED || k == TOK_EQUATION || k == TOK_ALGORITHM ||
           k == TOK_INITIAL;
}

/* The indent of a comment on lines of its own: that of the token behind it, or, in front of an
 * outdented one, that of the lines before if the author has it there. */
static uint32_t indent_of(const Phrases *p, const CommentToken *c, const SourceToken *t)
{
    bool is_inside = is_outdented(t->kind) && c->column > t->column;
    return p->separator.indent + (is_inside ? LAYOUT_INDENT : 0);
}

void put_gap(Phrases *p)
{
    if (p->has_gap)
        return;
    p->has_gap = true;
    const SourceToken *t = &p->list.token.at[p->at];
    TokenKind last = p->at > 0 ? p->list.token.at[p->at - 1].kind : TOK_NONE;
    bool ended = false; /* the line ends behind the last comment */
    bool put = false;   /* the separator is put */
    for (uint32_t k = 0; k < t->n_comments; k++) {
        const CommentToken *c = &p->list.comment.at[t->first_comment + k];
        uint32_t after = k + 1 < t->n_comments ? c[1].newlines : t->newlines;
        bool ends_line = c->to_line_end || after > 0 || t->kind == TOK_EOF;
        bool trails = c->to_line_end || p->separator.kind == SEPARATE_LINE;
        bool is_led = p->separator.kind == SEPARATE_LINE ? c->newlines > 0 : leads(last);
        bool leading = !ends_line && !put && is_led;
        if (ended || (c->newlines > 0 && ends_line)) {
            begin_line(p, c->newlines, indent_of(p, c, t));
            put = true;
        } else if (leading) {
            if (p->separator.kind == SEPARATE_NOT && !opens(last))
                put_space(p); /* a slash and a comment would be another comment */
            put_separator(p, c->newlines);
            put = true;
        } else if (p->layout.has_words) {
            layout_space(&p->layout, !trails);
        }
        layout_comment(&p->layout, p->text + c->begin, c->end - c->begin, c->column,
                       trails && c->newlines == 0 && !ended);
        ended = ends_line;
    }
    bool is_last = t->kind == TOK_EOF;
    if (ended && !is_last)
        begin_line(p, t->newlines, p->separator.indent);
    else if (put && !is_last && !closes(t->kind))
        layout_space(&p->layout, true);
    else if (!put && !is_last)
        put_separator(p, t->newlines);
    p->separator = (Separator){0};
}

/* ---- Tokens and groups ---------------------------------------------------------------- */

void put_token(Phrases *p)
{
    const SourceToken *t = &p->list.token.at[p->at];
    put_gap(p);
    layout_word(&p->layout, p->text + t->begin, t->end - t->begin);
    p->structures += vec_last(p->layout.item).has_lines;
    if (p->at + 1 < p->list.token.n) {
        p->at++;
        p->has_gap = false;
    }
}

bool put_token_if(Phrases *p, TokenKind k)
{
    if (!at(p, k))
        return false;
    put_token(p);
    return true;
}

uint32_t open_group(Phrases *p, GroupKind kind, bool nests)
{
    put_gap(p);
    return layout_open(&p->layout, kind, nests);
}

void close_group(Phrases *p)
{
    layout_close(&p->layout);
}

void drop_group(Phrases *p, uint32_t group)
{
    p->layout.item.at[group] = (LayoutItem){.kind = ITEM_WORD, .text = ""};
}

static bool ends_list(TokenKind k)
{
    return k == TOK_RPAREN || k == TOK_RBRACKET || k == TOK_RBRACE || k == TOK_SEMICOLON ||
           k == TOK_EOF;
}

uint32_t put_list(Phrases *p, GroupKind kind, void (*part)(Phrases *))
{
    put_token(p);
    uint32_t group = layout_open(&p->layout, kind, true);
    uint32_t n = 0, inner = 0;
    put_break(p, BREAK_FIRST, 0);
    if (ends_list(token_at(p, 0)))
        p->separator = (Separator){0};
    while (!ends_list(token_at(p, 0))) {
        p->n_parts = 0;
        if (!at(p, TOK_COMMA))
            part(p);
        inner = p->n_parts;
        n++;
        if (!at(p, TOK_COMMA))
            break;
        put_token(p);
        put_break(p, BREAK_ITEM, 1);
    }
    LayoutItem *g = &p->layout.item.at[group];
    if (n < 2 && kind == GROUP_FILL)
        g->nests = false;
    close_group(p);
    p->separator = (Separator){0};
    put_token(p);
    p->n_parts = n;
    p->n_inner = inner;
    return group;
}
