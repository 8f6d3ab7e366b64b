#include "doc_pages/coloured_source.h"

#include "emit/code/quote.h"
#include "frontend/syntax/lexer.h"

#include <stdlib.h>
#include <string.h>

typedef struct Colouring {
    const PageWriter *writer;
    const char *text;  /* of the file */
    uint32_t line;     /* number of the line that is written */
    uint32_t indented; /* blanks that all lines of the class begin with */
    bool at_begin;     /* nothing of the line has been written */
    Text *out;
} Colouring;

static void begin_line(Colouring *c)
{
    if (c->at_begin)
        text_printf(c->out, "<span class=\"n\" id=\"L%u\">%u</span>", c->line, c->line);
    c->at_begin = false;
}

/* Bytes begin to end of the file, in lines; mark: the class of a span, or NULL. */
static void put_run(Colouring *c, uint32_t begin, uint32_t end, const char *mark)
{
    while (begin < end) {
        const char *from = c->text + begin;
        const char *stop = memchr(from, '\n', end - begin);
        uint32_t n = stop ? (uint32_t)(stop - from) : end - begin;
        uint32_t skip = 0;
        while (c->at_begin && skip < c->indented && skip < n && from[skip] == ' ')
            skip++;
        begin_line(c);
        uint32_t length = n > 0 && from[n - 1] == '\r' ? n - 1 : n;
        if (length > skip) {
            if (mark)
                text_printf(c->out, "<span class=\"%s\">", mark);
            text_xml(c->out, arena_copy(c->writer->mem, from + skip, length - skip));
            if (mark)
                text_put(c->out, "</span>");
        }
        if (stop) {
            text_put(c->out, "\n");
            c->line++;
            c->at_begin = true;
        }
        begin += n + (stop ? 1 : 0);
    }
}

/* Between two tokens. */
static void put_blanks(Colouring *c, uint32_t begin, uint32_t end)
{
    while (begin < end) {
        uint32_t at = begin;
        while (at < end && c->text[at] != '/')
            at++;
        put_run(c, begin, at, NULL);
        const char *from = c->text + at;
        const char *stop =
            at + 1 < end && from[1] == '*' ? strstr(from + 2, "*/") : strchr(from, '\n');
        uint32_t n = at >= end ? 0
                     : stop    ? (uint32_t)(stop - from) + (from[1] == '*' ? 2 : 0)
                               : end - at;
        n = n > end - at ? end - at : n;
        put_run(c, at, at + n, "c");
        begin = at + n;
    }
}

static const char *mark_of(TokenKind k)
{
    if (k == TOK_STRING)
        return "s";
    if (k == TOK_INTEGER || k == TOK_REAL)
        return "d";
    return k > TOK_STRING && k < TOK_LPAREN ? "k" : NULL;
}

static int by_begin(const void *a, const void *b)
{
    const DocUse *x = a, *y = b;
    return x->span.begin != y->span.begin ? (x->span.begin < y->span.begin ? -1 : 1) : 0;
}

static int by_class_begin(const void *a, const void *b)
{
    const SynClass *x = (*(DocClass *const *)a)->syn, *y = (*(DocClass *const *)b)->syn;
    return x->span.begin != y->span.begin ? (x->span.begin < y->span.begin ? -1 : 1) : 0;
}

/* Classes in the text of this one, by their places. */
static DocClasses classes_in(const DocClass *x, Arena *mem)
{
    DocClasses list = {0};
    for (uint32_t k = 0; k < x->inside.n; k++) {
        const Span s = x->inside.at[k]->syn->span;
        if (s.file == x->syn->span.file && s.begin > x->syn->span.begin &&
            s.end <= x->syn->span.end)
            vec_push(mem, list, x->inside.at[k]);
    }
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, by_class_begin);
    return list;
}

/* model Name: its place is the link to its page. */
static void put_class(Colouring *c, const DocClass *x)
{
    begin_line(c);
    text_printf(c->out, "<span class=\"k\">%s%s</span> ", x->syn->partial ? "partial " : "",
                syn_restriction_text(x->syn->restriction));
    page_link(c->writer, x, x->syn->name.s, c->out);
    text_put(c->out, " <span class=\"c\">…</span>");
    for (uint32_t at = x->syn->span.begin; at < x->syn->span.end; at++)
        c->line += c->text[at] == '\n';
}

void coloured_source(const PageWriter *w, const DocClass *x, Text *out)
{
    Diags *d = w->catalogue->front->diags;
    const Source *source = diags_source(d, x->syn->span.file);
    uint32_t at = x->syn->span.begin, end = x->syn->span.end, first = at, ignored;
    if (!source || end > source->size)
        return;
    while (first > 0 && source->text[first - 1] == ' ')
        first--;
    bool is_first = first == 0 || source->text[first - 1] == '\n';
    Colouring c = {
        w,    source->text, diags_place(d, x->syn->span.file, at).line, is_first ? at - first : 0,
        true, out};
    DocClasses inside = classes_in(x, w->mem);
    DocUse *use = x->use.at;
    uint32_t n_uses = x->use.n, next_use = 0, next_class = 0;
    if (n_uses)
        qsort(use, n_uses, sizeof *use, by_begin);
    Lexer l = lexer_new(w->mem, w->catalogue->front->names, d, x->syn->span.file, &ignored);
    text_put(out, "<pre class=\"source\">");
    while (at < end) {
        Token t = lexer_token(&l, at);
        if (t.kind == TOK_EOF || t.begin >= end)
            break;
        put_blanks(&c, at, t.begin);
        at = t.end;
        if (next_class < inside.n && inside.at[next_class]->syn->span.begin == t.begin) {
            put_class(&c, inside.at[next_class]);
            at = inside.at[next_class++]->syn->span.end;
            continue;
        }
        while (next_use < n_uses && use[next_use].span.begin < t.begin)
            next_use++;
        const DocUse *u =
            next_use < n_uses && use[next_use].span.begin == t.begin ? &use[next_use] : NULL;
        const DocClass *target = u ? catalogue_find(w->catalogue, u->target) : NULL;
        if (target && target != x) {
            begin_line(&c);
            const char *name = arena_copy(w->mem, c.text + t.begin, u->span.end - t.begin);
            page_link(w, target, name, out);
            for (const char *p = name; *p; p++)
                c.line += *p == '\n';
            at = u->span.end;
        } else {
            put_run(&c, t.begin, t.end, mark_of(t.kind));
        }
    }
    put_blanks(&c, at, end);
    text_put(out, ";\n</pre>\n");
}
