#include "format/format.h"

#include "format/phrases.h"
#include "frontend/syntax/parser.h"

#include <string.h>

/* ---- The same but for white space ------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Comments may move: runs of blanks count as one. */
static bool same_comment(const char *a, const CommentToken *x, const char *b, const CommentToken *y)
{
    uint32_t i = x->begin, k = y->begin;
    if (x->to_line_end != y->to_line_end)
        return false;
    while (i < x->end && k < y->end) {
        bool blank = is_blank(a[i]);
        if (blank != is_blank(b[k]) || (!blank && a[i] != b[k]))
            return false;
        do
            i++;
        while (blank && i < x->end && is_blank(a[i]));
        do
            k++;
        while (blank && k < y->end && is_blank(b[k]));
    }
    return i == x->end && k == y->end;
}

static bool same_tokens(const char *a, const TokenList *x, const char *b, const TokenList *y)
{
    bool same = x->token.n == y->token.n && x->comment.n == y->comment.n;
    for (uint32_t k = 0; same && k < x->token.n; k++) {
        const SourceToken *s = &x->token.at[k], *t = &y->token.at[k];
        uint32_t n = s->end - s->begin;
        same = s->kind == t->kind && n == t->end - t->begin && s->n_comments == t->n_comments &&
               memcmp(a + s->begin, b + t->begin, n) == 0;
    }
    for (uint32_t k = 0; same && k < x->comment.n; k++)
        same = same_comment(a, &x->comment.at[k], b, &y->comment.at[k]);
    return same;
}

static bool is_same_text(Arena *mem, Names *names, const Source *source, const SynFile *tree,
                         const TokenList *list, const Text *text)
{
    Diags *d = diags_new(mem);
    uint32_t file = diags_add_source(d, source->path, text->at, (uint32_t)text->n);
    const SynFile *again = parse_file(mem, names, d, file);
    if (again->errors > 0 || !syntax_equal(tree, again))
        return false;
    TokenList tokens = token_list(mem, names, d, file);
    return same_tokens(source->text, list, text->at, &tokens);
}

/* ---- Text ------------------------------------------------------------------------------- */

static const char *line_end_of(const Source *s)
{
    const char *end = s->size ? memchr(s->text, '\n', s->size) : NULL;
    return end && end > s->text && end[-1] == '\r' ? "\r\n" : "\n";
}

/* UTF-8 text whose characters are all below 256, as ISO 8859-1. */
static void to_latin_1(Text *t)
{
    size_t n = 0;
    for (size_t k = 0; k < t->n; k++) {
        unsigned char c = (unsigned char)t->at[k];
        if (c >= 0x80) {
            k++;
            c = (unsigned char)((c & 3) << 6 | ((unsigned char)t->at[k] & 0x3F));
        }
        t->at[n++] = (char)c;
    }
    t->n = n;
    t->at[n] = 0;
}

bool format_source(Arena *mem, Diags *d, uint32_t file, Text *out)
{
    Names *names = names_new(mem);
    uint32_t size = diags_source(d, file)->size;
    const SynFile *tree = parse_file(mem, names, d, file);
    if (tree->errors > 0)
        return false;
    Source s = *diags_source(d, file);
    Text text = text_new(mem);
    if (s.size >= 3 && memcmp(s.text, "\xEF\xBB\xBF", 3) == 0)
        text_put(&text, "\xEF\xBB\xBF");
    Phrases p = {.layout = {.mem = mem, .out = &text, .end = line_end_of(&s)},
                 .text = s.text,
                 .list = token_list(mem, names, d, file)};
    p.layout.scratch = arena_new();
    put_file(&p);
    layout_write(&p.layout);
    text_put(&text, p.layout.has_words ? p.layout.end : "");
    arena_free(p.layout.scratch);
    if (!is_same_text(mem, names, &s, tree, &p.list, &text)) {
        diag_error(d, (Span){file, 0, 0}, "P16",
                   "not formatted: the result would have other tokens or comments");
        return false;
    }
    if (s.size != size)
        to_latin_1(&text);
    text_put_n(out, text.at, text.n);
    return true;
}
