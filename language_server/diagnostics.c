/* diagnostics.c -- errors and warnings of a document: those of its syntax, or of its classes. */
#include "language_server/analysis.h"
#include "study/package_check.h"
#include "translate/driver.h"

#include "frontend/syntax/parser.h"
#include "frontend/syntax/syntax_print.h"

#include <string.h>

typedef struct Report {
    const Analysis *a;
    const Diags *diags;
    CheckDepth depth;
    uint32_t file; /* the document */
    Lines lines;   /* its own      */
    Json j;
    Map seen; /* of messages: an error in a base is found with each class that uses it */
    Names *names;
} Report;

static bool is_here(const Report *r, uint32_t k)
{
    return diags_at(r->diags, k)->span.file == r->file;
}

/* Where a note leads to. */
static void put_related(Report *r, uint32_t k)
{
    const Diag *x = diags_at(r->diags, k);
    const Source *s = diags_source(r->diags, x->span.file);
    if (!s || s->path[0] == '<')
        return;
    Text uri = text_new(r->a->mem);
    put_uri(&uri, s->path);
    json_object(&r->j, NULL);
    json_object(&r->j, "location");
    json_text(&r->j, "uri", is_here(r, k) ? r->a->document->uri : uri.at);
    Lines lines = lines_of(s->text, s->size, r->a->documents->utf8, r->a->mem);
    put_range(&r->j, "range", &lines, x->span);
    json_close(&r->j);
    json_text(&r->j, "message", x->text);
    json_close(&r->j);
}

/* Message `first` and its notes up to `end`, shown at `place` of the document. */
static void put_message(Report *r, uint32_t first, uint32_t end, Span place)
{
    const Diag *x = diags_at(r->diags, first);
    Text text = text_new(r->a->mem);
    text_put(&text, x->text);
    for (uint32_t k = first + 1; k < end; k++)
        text_printf(&text, "\n%s", diags_at(r->diags, k)->text);
    const char *key = arena_printf(r->a->mem, "%u %u %s", place.begin, place.end, text.at);
    if (!map_add(&r->seen, map_key_ptr(name_of(r->names, key).s)))
        return;
    json_object(&r->j, NULL);
    put_range(&r->j, "range", &r->lines, place);
    json_count(&r->j, "severity", x->severity == DIAG_ERROR ? 1 : 2);
    json_text(&r->j, "code", x->code);
    json_text(&r->j, "source", "rung");
    json_text(&r->j, "message", text.at);
    json_array(&r->j, "relatedInformation");
    for (uint32_t k = first; k < end; k++)
        if (k > first || !is_here(r, first))
            put_related(r, k);
    json_close(&r->j);
    json_close(&r->j);
}

/* All messages so far; one about another file stands at the first of its notes that is about this
 * document, or else, if it is an error, at `otherwise`. */
static void put_messages(Report *r, Span otherwise)
{
    uint32_t n = diags_count(r->diags);
    for (uint32_t k = 0, end; k < n; k = end) {
        for (end = k + 1; end < n && diags_at(r->diags, end)->severity == DIAG_NOTE;)
            end++;
        uint32_t at = k;
        while (at < end && !is_here(r, at))
            at++;
        if (at < end)
            put_message(r, k, end, diags_at(r->diags, at)->span);
        else if (diags_at(r->diags, k)->severity == DIAG_ERROR && otherwise.file)
            put_message(r, k, end, otherwise);
    }
}

/* As a model by itself: can it be solved? */
static void check_structure(Report *r, const char *name)
{
    Report own = *r;
    const SynFile *tree;
    Compilation *c = analysis_open(r->a, &tree);
    diags_clear(c->diags);
    compilation_name(c, name);
    driver_run(c, driver_find("blocks"));
    own.diags = c->diags;
    own.file = tree->file;
    put_messages(&own, SPAN_NONE);
    r->j = own.j;
    r->seen = own.seen;
}

static void check_class(Report *r, Compilation *c, const SynClass *syn, const char *name)
{
    ClassCheck as = class_check(c, name);
    put_messages(r, syn->name_span);
    if (r->depth == CHECK_STRUCTURE && as == CHECKED_AS_MODEL && !syn->parent &&
        diags_errors(c->diags) == 0)
        check_structure(r, name);
    diags_clear(c->diags);
    for (uint32_t k = 0; syn->restriction == SYN_R_PACKAGE && k < syn->n_elements; k++) {
        const SynElement *e = syn->elements[k];
        if (e->kind == SYN_CLASS && !e->is_protected && !e->redeclare &&
            e->class_->kind != SYN_CLASS_EXTENDS)
            check_class(r, c, e->class_, arena_printf(r->a->mem, "%s.%s", name, e->class_->name.s));
    }
}

static void check_classes(Report *r, Compilation *c, const SynFile *tree)
{
    Arena *mem = r->a->mem;
    bool is_inside = tree->has_within && tree->within.n > 0;
    const char *within = is_inside ? syn_path_text(mem, &tree->within) : NULL;
    for (uint32_t k = 0; k < tree->n_classes; k++) {
        const char *name = tree->class_[k]->name.s;
        check_class(r, c, tree->class_[k],
                    within ? arena_printf(mem, "%s.%s", within, name) : name);
    }
}

void analysis_diagnostics(const Analysis *a, CheckDepth depth, Text *answer)
{
    const Document *d = a->document;
    Report r = {.a = a, .j = json_new(answer), .seen = map_new(a->mem), .names = names_new(a->mem)};
    Diags *diags = diags_new(a->mem);
    r.diags = diags;
    r.depth = depth;
    r.lines = analysis_lines(a);
    r.file = diags_add_source(diags, d->path, d->text, d->size);
    const SynFile *tree = parse_file(a->mem, r.names, diags, r.file);
    json_object(&r.j, NULL);
    json_text(&r.j, "uri", d->uri);
    json_count(&r.j, "version", (uint64_t)d->version);
    json_array(&r.j, "diagnostics");
    put_messages(&r, SPAN_NONE);
    if (depth != CHECK_SYNTAX && tree->errors == 0) {
        Compilation *c = analysis_open(a, &tree);
        r.diags = c->diags;
        r.file = tree->file;
        diags_clear(c->diags); /* errors of other documents */
        check_classes(&r, c, tree);
    }
    json_close(&r.j);
    json_close(&r.j);
}
