/* names.c -- the declaration that the name at a place means: hover and definition. */
#include "frontend/syntax/syntax_print.h"
#include "language_server/meaning.h"
#include "language_server/model_size.h"

#include <string.h>

/* ---- Answers ------------------------------------------------------------------------------ */

static bool is_readable(const Diags *d, Span s)
{
    const Source *source = diags_source(d, s.file);
    return source && source->path[0] != '<';
}

void analysis_definition(const Analysis *a, Text *answer)
{
    Cursor p = cursor_open(a);
    Meaning m;
    uint32_t k = cursor_name(&p);
    if (k == UINT32_MAX || !meaning_of(&p, k, &m) || !is_readable(p.c->diags, m.name)) {
        text_put(answer, "null");
        return;
    }
    const Source *source = diags_source(p.c->diags, m.name.file);
    Json j = json_new(answer);
    json_object(&j, NULL);
    json_text(&j, "uri", analysis_uri(a, source->path));
    Lines lines = lines_of(source->text, source->size, a->documents->utf8, a->mem);
    put_range(&j, "range", &lines, m.name);
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
    if (x->literal) {
        text_printf(out, "%s.%s\n```", x->type_name, x->literal->name.s);
        put_description(out, x->literal->comment);
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

static bool is_model(const Declaration *x)
{
    const SynClass *c = x->element && x->element->kind == SYN_CLASS ? x->element->class_ : NULL;
    return c && !x->literal && !c->partial &&
           (c->restriction == SYN_R_MODEL || c->restriction == SYN_R_BLOCK ||
            c->restriction == SYN_R_CLASS);
}

void analysis_hover(const Analysis *a, Text *answer)
{
    Cursor p = cursor_open(a);
    Meaning m;
    uint32_t k = cursor_name(&p);
    if (k == UINT32_MAX || !meaning_of(&p, k, &m)) {
        text_put(answer, "null");
        return;
    }
    const SourceToken *t = cursor_token(&p, k);
    Text text = text_new(a->mem);
    if (m.iterator.end > 0) {
        text_put(&text, "```modelica\nfor ");
        put_source(&text, p.c->diags, m.iterator);
        text_put(&text, "\n```");
    } else {
        put_hover(&text, p.c->diags, &m.declaration);
        if (is_model(&m.declaration))
            put_model_size(a, m.declaration.type_name, &text);
    }
    Json j = json_new(answer);
    json_object(&j, NULL);
    json_object(&j, "contents");
    json_text(&j, "kind", "markdown");
    json_text(&j, "value", text.at);
    json_close(&j);
    Lines lines = analysis_lines(a);
    put_range(&j, "range", &lines, (Span){0, t->begin, t->end});
    json_close(&j);
}
