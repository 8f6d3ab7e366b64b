#include "format/token_list.h"

typedef struct Reader {
    Arena *mem;
    const char *text;
    TokenList list;
    uint32_t at;     /* bytes that `column` counts */
    uint32_t column; /* of the byte `at` */
} Reader;

/* The column of byte `to`; calls come in the order of the text. */
static uint32_t column_of(Reader *r, uint32_t to)
{
    for (; r->at < to; r->at++) {
        unsigned char c = (unsigned char)r->text[r->at];
        if (c == '\n' || c == '\r')
            r->column = 0;
        else if (c == '\t')
            r->column = r->column / 8 * 8 + 8;
        else
            r->column += (c & 0xC0) != 0x80;
    }
    return r->column;
}

static bool is_line_end(const char *text, uint32_t k)
{
    return text[k] == '\n' || (text[k] == '\r' && text[k + 1] != '\n');
}

/* Where the comment that begins at byte k ends. */
static uint32_t comment_end(const char *text, uint32_t k, uint32_t limit)
{
    if (text[k + 1] == '*') {
        k += 3;
        while (k < limit && !(text[k - 1] == '*' && text[k] == '/'))
            k++;
        return k < limit ? k + 1 : limit;
    }
    while (k < limit && text[k] != '\n' && text[k] != '\r')
        k++;
    return k;
}

/* The blanks and comments from byte k up to byte `end`; the number of line ends behind them. */
static uint32_t read_comments(Reader *r, uint32_t k, uint32_t end)
{
    const char *text = r->text;
    uint32_t newlines = 0;
    while (k < end) {
        if (text[k] != '/') {
            newlines += is_line_end(text, k);
            k++;
            continue;
        }
        CommentToken c = {.begin = k, .newlines = newlines, .to_line_end = text[k + 1] == '/'};
        c.column = column_of(r, k);
        k = c.end = comment_end(text, k, end);
        while (c.to_line_end && (text[c.end - 1] == ' ' || text[c.end - 1] == '\t'))
            c.end--;
        vec_push(r->mem, r->list.comment, c);
        newlines = 0;
    }
    return newlines;
}

TokenList token_list(Arena *mem, Names *names, Diags *d, uint32_t file)
{
    uint32_t at;
    Lexer lexer = lexer_new(mem, names, d, file, &at);
    Reader r = {.mem = mem, .text = lexer.text, .at = at};
    for (;;) {
        Token t = lexer_token(&lexer, at);
        SourceToken x = {.kind = t.kind, .begin = t.begin, .end = t.end};
        x.first_comment = r.list.comment.n;
        x.newlines = read_comments(&r, at, t.begin);
        x.n_comments = r.list.comment.n - x.first_comment;
        x.column = column_of(&r, t.begin);
        vec_push(mem, r.list.token, x);
        if (t.kind == TOK_EOF)
            return r.list;
        at = t.end;
    }
}
