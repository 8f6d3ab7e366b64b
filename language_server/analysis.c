#include "language_server/analysis.h"

#include "format/format.h"
#include "format/token_list.h"

#include <string.h>
#include <unistd.h>

static bool begins_class(TokenKind k)
{
    return k == TOK_MODEL || k == TOK_PACKAGE || k == TOK_BLOCK || k == TOK_FUNCTION ||
           k == TOK_RECORD || k == TOK_CONNECTOR || k == TOK_CLASS || k == TOK_TYPE ||
           k == TOK_OPERATOR;
}

const char *analysis_closed_text(Arena *mem, const Document *d)
{
    Diags *diags = diags_new(mem);
    Names *names = names_new(mem);
    TokenList list =
        token_list(mem, names, diags, diags_add_source(diags, d->path, d->text, d->size));
    Texts open = {0};
    Text text = text_new(mem);
    text_put_n(&text, d->text, d->size);
    for (uint32_t k = 0; k + 2 < list.token.n; k++) {
        const SourceToken *t = &list.token.at[k];
        bool extends = begins_class(t->kind) && t[1].kind == TOK_EXTENDS && k + 3 < list.token.n;
        const SourceToken *name = t + 1 + extends;
        if (name->kind != TOK_IDENT)
            continue;
        const char *word = name_of_n(names, d->text + name->begin, name->end - name->begin).s;
        TokenKind next = name[1].kind;
        if (t->kind == TOK_END && open.n > 0 && strcmp(vec_last(open), word) == 0)
            open.n--;
        else if (begins_class(t->kind) && next != TOK_EQUALS && (extends || next != TOK_LPAREN))
            vec_push(mem, open, word);
    }
    while (open.n > 0)
        text_printf(&text, "\n;end %s;", open.at[--open.n]);
    return text.at;
}

static void add_document(Compilation *c, Arena *mem, const Document *d)
{
    library_add_text(c->library, d->path, analysis_closed_text(mem, d));
}

/* The folder of a file, if it is no package: classes of a package are found by its name. */
static const char *library_of(Arena *mem, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return NULL;
    const char *folder = arena_copy(mem, path, (size_t)(slash - path));
    bool is_package = access(arena_printf(mem, "%s/package.mo", folder), F_OK) == 0;
    return is_package || strchr(folder, ':') ? NULL : folder;
}

Texts analysis_libraries(const Analysis *a)
{
    const char *folder = library_of(a->mem, a->document->path);
    Texts libraries = {0};
    for (uint32_t k = 0; k < a->libraries.n; k++)
        vec_push(a->mem, libraries, a->libraries.at[k]);
    if (folder)
        vec_push(a->mem, libraries, folder);
    return libraries;
}

Compilation *analysis_open(const Analysis *a, const SynFile **tree)
{
    Request r = {.libraries = analysis_libraries(a), .units = RULE_WARN};
    Compilation *c = compilation_new(&r, a->mem);
    /* this one first: of two classes of one name the other is the error */
    add_document(c, a->mem, a->document);
    *tree = library_file(c->library, library_n_files(c->library) - 1);
    for (const Document *d = a->documents->first; d; d = d->next)
        if (d != a->document)
            add_document(c, a->mem, d);
    return c;
}

static void put_position(Json *j, const char *name, Position p)
{
    json_object(j, name);
    json_count(j, "line", p.line);
    json_count(j, "character", p.column);
    json_close(j);
}

void put_range(Json *j, const char *name, const Lines *lines, Span s)
{
    json_object(j, name);
    put_position(j, "start", lines_position(lines, s.begin));
    put_position(j, "end", lines_position(lines, s.end));
    json_close(j);
}

const char *analysis_uri(const Analysis *a, const char *path)
{
    for (const Document *d = a->documents->first; d; d = d->next)
        if (strcmp(d->path, path) == 0)
            return d->uri;
    Text uri = text_new(a->mem);
    put_uri(&uri, path);
    return uri.at;
}

Lines analysis_lines(const Analysis *a)
{
    return lines_of(a->document->text, a->document->size, a->documents->utf8, a->mem);
}

/* One edit, of the lines between those that stay at both ends. */
void analysis_formatting(const Analysis *a, Text *answer)
{
    const Document *d = a->document;
    Diags *diags = diags_new(a->mem);
    uint32_t file = diags_add_source(diags, d->path, d->text, d->size);
    Text text = text_new(a->mem);
    if (!format_source(a->mem, diags, file, &text)) {
        text_put(answer, "null");
        return;
    }
    uint32_t begin = 0, size = (uint32_t)text.n, most = size < d->size ? size : d->size, end = 0;
    for (uint32_t k = 0; k < most && text.at[k] == d->text[k]; k++)
        begin = text.at[k] == '\n' ? k + 1 : begin;
    for (uint32_t k = 0; k < most - begin && text.at[size - 1 - k] == d->text[d->size - 1 - k]; k++)
        end = text.at[size - 1 - k] == '\n' ? k : end;
    Json j = json_new(answer);
    Lines lines = analysis_lines(a);
    json_array(&j, NULL);
    if (size != d->size || memcmp(text.at, d->text, size) != 0) {
        json_object(&j, NULL);
        put_range(&j, "range", &lines, (Span){0, begin, d->size - end});
        json_text(&j, "newText", arena_copy(a->mem, text.at + begin, size - end - begin));
        json_close(&j);
    }
    json_close(&j);
}
