#include "base/diag.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "base/proposal.h"
#include "base/vec.h"

#include <string.h>

typedef struct Context {
    Span span;
    const char *instance;
} Context;

struct Diags {
    Arena *mem;
    VEC(Source) source;
    VEC(Diag) diag;
    VEC(Context) context;
    uint32_t errors;
    Map seen;   /* fingerprints of the errors so far          */
    bool muted; /* the last error was a repetition: no notes  */
    bool hidden;
};

Diags *diags_new(Arena *mem)
{
    Diags *d = arena_make(mem, Diags);
    d->mem = mem;
    d->seen = map_new(mem);
    return d;
}

uint32_t diags_add_source(Diags *d, const char *path, const char *text, uint32_t size)
{
    Source s = {path, text, size};
    vec_push(d->mem, d->source, s);
    return d->source.n;
}

const Source *diags_source(const Diags *d, uint32_t file)
{
    return file >= 1 && file <= d->source.n ? &d->source.at[file - 1] : NULL;
}

void diags_set_text(Diags *d, uint32_t file, const char *text, uint32_t size)
{
    d->source.at[file - 1].text = text;
    d->source.at[file - 1].size = size;
}

Place diags_place(const Diags *d, uint32_t file, uint32_t byte)
{
    Place p = {1, 1};
    const Source *s = diags_source(d, file);
    if (!s)
        return p;
    for (uint32_t i = 0; i < byte && i < s->size; i++) {
        if (s->text[i] == '\n') {
            p.line++;
            p.column = 1;
        } else if (((unsigned char)s->text[i] & 0xC0) != 0x80) {
            p.column++;
        }
    }
    return p;
}

const char *diags_where(Diags *d, Span s)
{
    const Source *src = diags_source(d, s.file);
    if (!src)
        return "";
    Place p = diags_place(d, s.file, s.begin);
    return arena_printf(d->mem, "%s:%u:%u", src->path, p.line, p.column);
}

static void add(Diags *d, Severity sev, Span s, const char *code, const char *fmt, va_list args)
{
    Diag x = {.severity = sev, .span = s, .text = arena_vprintf(d->mem, fmt, args)};
    snprintf(x.code, sizeof x.code, "%s", code);
    vec_push(d->mem, d->diag, x);
}

/* Notes about the instances around an error, innermost first. */
static void add_context(Diags *d)
{
    if (d->context.n == 0)
        return;
    const Context *c = &vec_last(d->context);
    diag_note(d, c->span, "in component %s", c->instance);
}

/* Is the message a repetition of an earlier one at the same place: a class with several instances
 * reports an error once. */
static bool is_repetition(Diags *d, Span s, const char *text)
{
    uint64_t key[3] = {hash_bytes(text, strlen(text)), map_key_pair(s.file, s.begin), s.end};
    uint64_t hash = hash_bytes(key, sizeof key);
    if (map_get(&d->seen, hash) != MAP_NONE)
        return true;
    map_put(&d->seen, hash, 1);
    return false;
}

void diag_error(Diags *d, Span s, const char *code, const char *fmt, ...)
{
    if (d->hidden)
        return;
    d->muted = d->errors >= DIAG_MAX_ERRORS;
    if (d->muted) {
        d->errors++;
        return;
    }
    va_list args;
    va_start(args, fmt);
    Diag x = {.severity = DIAG_ERROR, .span = s, .text = arena_vprintf(d->mem, fmt, args)};
    va_end(args);
    d->muted = s.file && is_repetition(d, s, x.text);
    if (d->muted)
        return;
    d->errors++;
    snprintf(x.code, sizeof x.code, "%s", code);
    vec_push(d->mem, d->diag, x);
    add_context(d);
}

void diag_warning(Diags *d, Span s, const char *code, const char *fmt, ...)
{
    if (d->hidden)
        return;
    d->muted = false;
    va_list args;
    va_start(args, fmt);
    add(d, DIAG_WARNING, s, code, fmt, args);
    va_end(args);
}

void diag_note(Diags *d, Span s, const char *fmt, ...)
{
    if (d->muted || d->hidden)
        return;
    va_list args;
    va_start(args, fmt);
    add(d, DIAG_NOTE, s, "", fmt, args);
    va_end(args);
}

void diag_push(Diags *d, Span declared, const char *instance)
{
    Context c = {declared, instance};
    vec_push(d->mem, d->context, c);
}

void diag_pop(Diags *d)
{
    d->context.n--;
}

Span diags_outermost(const Diags *d)
{
    return d->context.n ? d->context.at[0].span : SPAN_NONE;
}

bool diags_hide(Diags *d, bool hidden)
{
    bool before = d->hidden;
    d->hidden = hidden;
    return before;
}

uint32_t diags_errors(const Diags *d)
{
    return d->errors;
}

void diags_clear(Diags *d)
{
    d->diag.n = 0;
    d->context.n = 0;
    d->errors = 0;
    d->seen = map_new(d->mem);
    d->muted = false;
}

uint32_t diags_count(const Diags *d)
{
    return d->diag.n;
}

const Diag *diags_at(const Diags *d, uint32_t k)
{
    return &d->diag.at[k];
}

static const char *severity_text(Severity s)
{
    return s == DIAG_ERROR ? "error" : s == DIAG_WARNING ? "warning" : "note";
}

/* The line of the span and a caret line below it; long lines are cut around the place. */
static void quote(const Diags *d, FILE *f, Span s, const char *on, const char *off)
{
    enum { WIDTH = 160 };
    const Source *src = diags_source(d, s.file);
    Place p = diags_place(d, s.file, s.begin);
    uint32_t at = s.begin < src->size ? s.begin : src->size;
    uint32_t lo = at;
    uint32_t hi = at;
    while (lo > 0 && src->text[lo - 1] != '\n')
        lo--;
    while (hi < src->size && src->text[hi] != '\n')
        hi++;
    if (at - lo > WIDTH / 2 && hi - lo > WIDTH)
        lo = at - WIDTH / 2;
    if (hi - lo > WIDTH)
        hi = lo + WIDTH;
    fprintf(f, "%5u | ", p.line);
    for (uint32_t i = lo; i < hi; i++) {
        unsigned char c = (unsigned char)src->text[i];
        fputc(c == '\t' ? ' ' : c < 32 || c == 127 ? '?' : c, f);
    }
    fprintf(f, "\n      | ");
    for (uint32_t i = lo; i < at; i++) {
        if (((unsigned char)src->text[i] & 0xC0) != 0x80)
            fputc(' ', f);
    }
    fprintf(f, "%s^", on);
    for (uint32_t i = at + 1; i < s.end && i < hi; i++) {
        if (((unsigned char)src->text[i] & 0xC0) != 0x80)
            fputc('~', f);
    }
    fprintf(f, "%s\n", off);
}

static void print(const Diags *d, const Diag *x, FILE *f, bool colour)
{
    const char *off = colour ? "\033[0m" : "";
    const char *bold = colour ? "\033[1m" : "";
    const char *tint = !colour                       ? ""
                       : x->severity == DIAG_ERROR   ? "\033[1;31m"
                       : x->severity == DIAG_WARNING ? "\033[1;35m"
                                                     : "\033[1;36m";
    const Source *src = diags_source(d, x->span.file);
    if (src) {
        Place p = diags_place(d, x->span.file, x->span.begin);
        fprintf(f, "%s%s:%u:%u: %s", bold, src->path, p.line, p.column, off);
    } else {
        fprintf(f, "%srung: %s", bold, off);
    }
    fprintf(f, "%s%s%s%s:%s %s\n", tint, severity_text(x->severity), x->code[0] ? " " : "", x->code,
            off, x->text);
    if (src)
        quote(d, f, x->span, tint, off);
}

/* Errors, then warnings, each with its notes: a warning is often of the same cause as an error
 * behind it. */
void diags_print_some(const Diags *d, uint32_t from, uint32_t n, FILE *f, bool colour)
{
    for (int errors = 1; errors >= 0; errors--) {
        bool is_of_error = false;
        for (uint32_t k = from; k < from + n; k++) {
            const Diag *x = &d->diag.at[k];
            if (x->severity != DIAG_NOTE)
                is_of_error = x->severity == DIAG_ERROR;
            if (is_of_error == (errors == 1))
                print(d, x, f, colour);
        }
    }
}

void diags_print(const Diags *d, FILE *f, bool colour)
{
    diags_print_some(d, 0, d->diag.n, f, colour);
    if (d->errors > DIAG_MAX_ERRORS)
        fprintf(f, "rung: %u more errors\n", d->errors - DIAG_MAX_ERRORS);
}

void diags_print_json(const Diags *d, FILE *f)
{
    diags_print_json_some(d, 0, d->diag.n, f);
}

static void put_range(Json *j, const Diags *d, Span s)
{
    bool is_there = diags_source(d, s.file) != NULL;
    Place b = diags_place(d, s.file, s.begin), e = diags_place(d, s.file, s.end);
    json_count(j, "line", is_there ? b.line : 0);
    json_count(j, "column", is_there ? b.column : 0);
    json_count(j, "endLine", is_there ? e.line : 0);
    json_count(j, "endColumn", is_there ? e.column : 0);
}

/* "edit": the change that the message proposes, if it does. */
static void put_edit(Json *j, const Diags *d, const Diag *x, Arena *mem)
{
    const Source *src = diags_source(d, x->span.file);
    Proposal p;
    if (!src || !proposal_find(&p, x->text, src->text, x->span.begin, x->span.end, mem))
        return;
    json_object(j, "edit");
    put_range(j, d, (Span){x->span.file, p.begin, p.end});
    json_text(j, "newText", p.text);
    json_close(j);
}

void diags_print_json_some(const Diags *d, uint32_t from, uint32_t n, FILE *f)
{
    Arena *mem = arena_new();
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_array(&j, NULL);
    for (uint32_t k = from; k < from + n; k++) {
        const Diag *x = &d->diag.at[k];
        const Source *src = diags_source(d, x->span.file);
        json_line(&j, 2);
        json_object(&j, NULL);
        json_text(&j, "severity", severity_text(x->severity));
        json_text(&j, "code", x->code);
        json_text(&j, "file", src ? src->path : "");
        put_range(&j, d, x->span);
        json_text(&j, "message", x->text);
        put_edit(&j, d, x, mem);
        json_close(&j);
    }
    if (n)
        json_line(&j, 0);
    json_close(&j);
    fprintf(f, "%s\n", t.at);
    arena_free(mem);
}
