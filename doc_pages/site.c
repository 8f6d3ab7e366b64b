#include "doc_pages/site.h"

#include "base/json.h"
#include "doc_pages/assets.h"
#include "doc_pages/class_page.h"
#include "doc_pages/folder.h"
#include "emit/code/quote.h"
#include "frontend/evaluate/resource.h"
#include "frontend/instantiate/graphics.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { BITMAP_MAX = 400000 }; /* bytes of a picture in an icon or a diagram */

typedef struct Site {
    Catalogue *catalogue;
    Arena *mem;  /* of the whole */
    Arena *page; /* of one page */
    Folder folder;
    LayerContext layers;
    InfoLinks links;
    PageWriter writer;
    const DocClass *in; /* the class whose page is written */
    Map copied;         /* path of a file (Name) -> index in copies */
    Texts copies;
    Map anchors; /* "page#id" (Name) */
    Map written; /* those that have been written */
    bool failed;
} Site;

/* ---- links of documentation ----------------------------------------------------------------- */

static int hex(char c)
{
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower(c) - 'a' + 10
                                        : -1;
}

/* %20 as a blank */
static char *decoded(const char *uri, Arena *mem)
{
    char *out = arena_copy(mem, uri, strlen(uri)), *to = out;
    for (const char *at = uri; *at; at++) {
        bool is_code = *at == '%' && hex(at[1]) >= 0 && hex(at[2]) >= 0;
        *to++ = is_code ? (char)(hex(at[1]) * 16 + hex(at[2])) : *at;
        at += is_code ? 2 : 0;
    }
    *to = 0;
    return out;
}

/* A.B.'c.d': the class with a page, or NULL. */
static const DocClass *class_of_path(Site *s, const char *path)
{
    DocClass *at = NULL;
    for (bool is_first = true;; is_first = false) {
        size_t n = 0;
        bool in_quotes = path[0] == '\'';
        for (n = in_quotes; path[n] && (in_quotes || path[n] != '.'); n++)
            if (in_quotes && n > 0 && path[n] == '\'' && path[n - 1] != '\\')
                in_quotes = false;
        const char *name = name_of_n(s->catalogue->front->names, path, n).s;
        const DocClasses *list = is_first ? &s->catalogue->top : &at->inside;
        at = NULL;
        for (uint32_t k = 0; k < list->n && !at; k++)
            if (list->at[k]->syn->name.s == name)
                at = list->at[k];
        if (!at || !path[n])
            return at;
        path += n + 1;
    }
}

static bool may_be_copied(const char *path, bool is_picture)
{
    static const char *const pictures[] = {".png", ".jpg", ".jpeg", ".gif",
                                           ".svg", ".bmp", ".webp"};
    static const char *const papers[] = {".pdf", ".txt", ".csv",  ".mat", ".md", ".mo",
                                         ".png", ".jpg", ".jpeg", ".gif", ".c",  ".h"};
    const char *const *list = is_picture ? pictures : papers;
    size_t n = is_picture ? sizeof pictures / sizeof *pictures : sizeof papers / sizeof *papers;
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot && k < n; k++)
        if (strcasecmp(dot, list[k]) == 0)
            return true;
    return false;
}

/* The file that a URI in the text of `in` means, inside of a library; NULL: none. */
static const char *file_of(Site *s, const SynClass *in, const char *uri)
{
    struct stat st;
    bool is_modelica = strncmp(uri, "modelica://", 11) == 0;
    const char *name = is_modelica ? uri + 11 : uri;
    bool is_inside = *name != '/' && !strstr(uri, "..") && (is_modelica || !strchr(uri, ':'));
    const char *path = is_inside ? resource_path(s->catalogue->front, in, uri) : NULL;
    return path && stat(path, &st) == 0 && S_ISREG(st.st_mode) ? path : NULL;
}

/* Copies the file, once; from the folder to it. */
static const char *copy_of(Site *s, const char *path, const char *name)
{
    Name key = name_of(s->catalogue->front->names, path);
    uint32_t k = map_get(&s->copied, map_key_ptr(key.s));
    if (k != MAP_NONE)
        return s->copies.at[k];
    const char *dot = strrchr(name, '.');
    const char *stem = arena_copy(s->mem, name, (size_t)(dot - name));
    for (char *at = (char *)stem; (at = strchr(at, '/'));)
        *at = '.';
    char *ending = arena_copy(s->mem, dot, strlen(dot));
    for (char *at = ending; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    const char *copy = catalogue_file(s->catalogue, "files", stem, ending);
    s->failed |= !folder_copy(&s->folder, copy, path);
    map_put(&s->copied, map_key_ptr(key.s), s->copies.n);
    vec_push(s->mem, s->copies, copy);
    return copy;
}

static Name anchor_name(Site *s, const DocClass *x, const char *id)
{
    return name_printf(s->catalogue->front->names, "%s#%s", x->page, id);
}

/* modelica://A.B#place, or #place on the page itself. */
static const char *page_url(Site *s, const DocClass *x, const char *id)
{
    bool is_there =
        id && *id && map_get(&s->anchors, map_key_ptr(anchor_name(s, x, id).s)) != MAP_NONE;
    if (!is_there)
        return x == s->in && id ? NULL : arena_printf(s->page, "%s%s", s->writer.root, x->page);
    Text t = text_new(s->page);
    text_printf(&t, "%s%s#doc-", s->writer.root, x->page);
    for (const char *at = id; *at; at++)
        if (isalnum((unsigned char)*at) || strchr("-_.:", *at))
            text_put_n(&t, at, 1);
        else
            text_printf(&t, "%%%02X", (unsigned char)*at);
    return t.at;
}

static const char *url_of(void *self, const char *written, bool is_picture)
{
    static const char scheme[] = "modelica://";
    Site *s = self;
    char *uri = decoded(written, s->page);
    bool is_modelica = strncasecmp(uri, scheme, strlen(scheme)) == 0;
    if (is_modelica)
        memcpy(uri, scheme, strlen(scheme));
    char *id = strchr(uri, '#');
    if (id)
        *id++ = 0;
    if (!*uri)
        return id ? page_url(s, s->in, id) : NULL;
    char *name = is_modelica ? uri + strlen(scheme) : uri;
    const DocClass *x = is_modelica && !is_picture ? class_of_path(s, name) : NULL;
    if (x)
        return page_url(s, x, id);
    const char *file = may_be_copied(uri, is_picture) ? file_of(s, s->in->syn, uri) : NULL;
    return file ? arena_printf(s->page, "%s%s", s->writer.root, copy_of(s, file, name)) : NULL;
}

static bool add_anchor(void *self, const char *id)
{
    Site *s = self;
    return map_add(&s->anchors, map_key_ptr(anchor_name(s, s->in, id).s));
}

/* The first of several places with one id has it. */
static bool write_anchor(void *self, const char *id)
{
    Site *s = self;
    return map_add(&s->written, map_key_ptr(anchor_name(s, s->in, id).s));
}

static const char *info_of(const DocClass *x, const char *name)
{
    const SynArg *a = syn_mod_find(x->syn->annotation, "Documentation");
    const SynExpr *info = a ? graphics_argument(a->mod, name) : NULL;
    return info && info->kind == SYN_STRING ? info->text : "";
}

static void collect_anchors(Site *s)
{
    InfoLinks links = {s, url_of, add_anchor};
    for (uint32_t k = 0; k < s->catalogue->all.n; k++) {
        ArenaMark mark = arena_mark(s->page);
        s->in = s->catalogue->all.at[k];
        info_anchors(info_of(s->in, "info"), &links, s->page);
        info_anchors(info_of(s->in, "revisions"), &links, s->page);
        arena_rollback(s->page, mark);
    }
}

/* ---- pictures ------------------------------------------------------------------------------- */

static const Outline *outline_of(void *self, const OutlineComponent *c)
{
    const Site *s = self;
    return catalogue_outline(s->catalogue, c);
}

static const char *link_of(void *self, const SynClass *c)
{
    const Site *s = self;
    const DocClass *x = catalogue_find(s->catalogue, c);
    return x ? arena_printf(s->page, "%s%s", s->writer.root, x->page) : NULL;
}

/* By their first bytes. */
static const char *media_type(const unsigned char *b, size_t n)
{
    return n > 4 && memcmp(b, "\x89PNG", 4) == 0                               ? "image/png"
           : n > 3 && memcmp(b, "\xff\xd8\xff", 3) == 0                        ? "image/jpeg"
           : n > 3 && memcmp(b, "GIF", 3) == 0                                 ? "image/gif"
           : n > 2 && memcmp(b, "BM", 2) == 0                                  ? "image/bmp"
           : n > 4 && (memcmp(b, "<svg", 4) == 0 || memcmp(b, "<?xm", 4) == 0) ? "image/svg+xml"
                                                                               : NULL;
}

/* Of a picture in base64, by its first letters. */
static const char *coded_type(const char *text)
{
    return strncmp(text, "iVBOR", 5) == 0                                       ? "image/png"
           : strncmp(text, "/9j/", 4) == 0                                      ? "image/jpeg"
           : strncmp(text, "R0lGOD", 6) == 0                                    ? "image/gif"
           : strncmp(text, "Qk", 2) == 0                                        ? "image/bmp"
           : strncmp(text, "PHN2Zy", 6) == 0 || strncmp(text, "PD94bW", 6) == 0 ? "image/svg+xml"
                                                                                : NULL;
}

static const char *data_url(const char *type, const char *coded, Arena *mem)
{
    for (const char *at = coded; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("+/=", *at) && !isspace((unsigned char)*at))
            return NULL;
    return type ? arena_printf(mem, "data:%s;base64,%s", type, coded) : NULL;
}

static const char *bitmap_of(void *self, const SynClass *in, const IconShape *shape)
{
    Site *s = self;
    if (shape->is_coded)
        return data_url(coded_type(shape->text), shape->text, s->page);
    const char *path = file_of(s, in, shape->text);
    FILE *f = path ? fopen(path, "rb") : NULL;
    unsigned char *bytes = f ? arena_alloc(s->page, BITMAP_MAX) : NULL;
    size_t n = f ? fread(bytes, 1, BITMAP_MAX, f) : 0;
    if (f)
        fclose(f);
    const char *type = n < BITMAP_MAX ? media_type(bytes, n) : NULL;
    if (!type)
        return NULL;
    Text t = text_new(s->page);
    text_printf(&t, "data:%s;base64,", type);
    text_put_base64(&t, bytes, n);
    return t.at;
}

static void write_icons(Site *s, SiteReport *report)
{
    for (uint32_t k = 0; k < s->catalogue->all.n && !s->failed; k++) {
        DocClass *x = s->catalogue->all.at[k];
        ArenaMark mark = arena_mark(s->page);
        Text svg = text_new(s->page);
        if (layer_icon(&s->layers, x->outline, &svg)) {
            const char *dot = strrchr(x->page, '.'), *slash = strrchr(x->page, '/');
            x->icon = arena_printf(s->mem, "icons%.*s.svg", (int)(dot - slash), slash);
            s->failed = !folder_put(&s->folder, x->icon, svg.at, svg.n);
            report->n_icons++;
        }
        arena_rollback(s->page, mark);
    }
}

/* ---- pages ---------------------------------------------------------------------------------- */

static void write_class_pages(Site *s, SiteReport *report)
{
    for (uint32_t k = 0; k < s->catalogue->all.n && !s->failed; k++) {
        DocClass *x = s->catalogue->all.at[k];
        ArenaMark mark = arena_mark(s->page);
        Text out = text_new(s->page);
        bool has_diagram;
        s->in = x;
        class_page(&s->writer, x, &has_diagram, &out);
        report->n_diagrams += has_diagram;
        if (x->messages.n)
            vec_push(s->mem, report->unresolved, x);
        s->failed |= !folder_put(&s->folder, x->page, out.at, out.n);
        arena_rollback(s->page, mark);
    }
}

static void put_packages(const PageWriter *w, const DocClasses *list, Text *out)
{
    bool has_some = false;
    for (uint32_t k = 0; k < list->n; k++) {
        const DocClass *x = list->at[k];
        if (x->syn->restriction != SYN_R_PACKAGE)
            continue;
        text_put(out, has_some ? "<li>" : "<ul class=\"tree\">\n<li>");
        has_some = true;
        page_link(w, x, x->syn->name.s, out);
        if (x->syn->comment) {
            text_put(out, " <small>");
            text_xml(out, x->syn->comment);
            text_put(out, "</small>");
        }
        put_packages(w, &x->inside, out);
        text_put(out, "</li>\n");
    }
    if (has_some)
        text_put(out, "</ul>\n");
}

static void write_index(Site *s, const SiteReport *report)
{
    Text out = text_new(s->page);
    PageWriter w = s->writer;
    w.root = "";
    page_begin(&w, w.title, &out);
    page_body(&out);
    text_put(&out, "<h1>");
    text_xml(&out, w.title);
    text_put(&out, "</h1>\n");
    const DocClasses *top = &s->catalogue->top;
    page_classes(&w, top, true, &out);
    if (top->n == 1 && top->at[0]->inside.n) {
        text_put(&out, "<h2>Contents</h2>\n");
        page_classes(&w, &top->at[0]->inside, false, &out);
    }
    Text packages = text_new(s->page);
    put_packages(&w, top, &packages);
    if (packages.n) {
        text_put(&out, "<h2>All packages</h2>\n");
        text_put_n(&out, packages.at, packages.n);
    }
    if (report->unresolved.n) {
        text_put(&out, "<h2>Classes that are not resolved completely</h2>\n");
        page_classes(&w, &report->unresolved, true, &out);
    }
    page_end(&out);
    s->failed |= !folder_put(&s->folder, "index.html", out.at, out.n);
}

static void write_search_index(Site *s)
{
    Text out = text_new(s->page);
    text_put(&out, "rung_search_index(");
    Json j = json_new(&out);
    json_array(&j, NULL);
    for (uint32_t k = 0; k < s->catalogue->all.n; k++) {
        const DocClass *x = s->catalogue->all.at[k];
        Text members = text_new(s->page);
        text_put(&members, "");
        for (uint32_t i = 0; i < x->outline->n_components; i++)
            if (!x->outline->component[i].element->is_protected)
                text_printf(&members, "%s%s", members.n ? " " : "",
                            x->outline->component[i].syn->name.s);
        json_line(&j, 0);
        json_array(&j, NULL);
        json_text(&j, NULL, x->name);
        json_text(&j, NULL, x->syn->comment ? x->syn->comment : "");
        json_text(&j, NULL, syn_restriction_text(x->syn->restriction));
        json_text(&j, NULL, x->page);
        json_text(&j, NULL, x->icon ? x->icon : "");
        json_text(&j, NULL, members.at);
        json_close(&j);
    }
    json_close(&j);
    text_put(&out, ");\n");
    s->failed |= !folder_put(&s->folder, "search_index.js", out.at, out.n);
}

bool site_write(Catalogue *c, const char *title, const char *path, SiteReport *report)
{
    Site s = {.catalogue = c, .mem = c->mem, .page = arena_new()};
    *report = (SiteReport){.n_classes = c->all.n};
    s.copied = map_new(c->mem);
    s.anchors = map_new(c->mem);
    s.written = map_new(c->mem);
    s.links = (InfoLinks){&s, url_of, write_anchor};
    s.layers = (LayerContext){c->front, s.page, &s, outline_of, link_of, bitmap_of};
    if (!title)
        title = c->top.n == 1 ? c->top.at[0]->name : "Classes";
    s.writer = (PageWriter){c, s.page, title, "../", &s.layers, &s.links};
    if (!folder_open(&s.folder, path, c->mem)) {
        arena_free(s.page);
        return false;
    }
    collect_anchors(&s);
    write_icons(&s, report);
    write_class_pages(&s, report);
    if (!s.failed)
        write_index(&s, report);
    if (!s.failed)
        write_search_index(&s);
    for (const BundleFile *f = doc_assets; f->name && !s.failed; f++)
        s.failed = !folder_put(&s.folder, f->name, f->text, f->size);
    arena_free(s.page);
    if (s.failed)
        folder_discard(&s.folder);
    return !s.failed && folder_close(&s.folder);
}
