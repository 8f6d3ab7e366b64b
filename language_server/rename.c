/* rename.c -- another name for a declaration, in all files, or the reason why not. */
#include "language_server/references.h"

#include <string.h>

/* ---- What can have another name ---------------------------------------------------------- */

static const SynElement *element_of(const Search *s)
{
    const Declaration *d = &s->target.declaration;
    return d->original ? d->original : d->element;
}

/* Is the class the one that its file is named after. */
static bool names_file(const Search *s, const SearchedFile *f)
{
    const char *slash = strrchr(f->path, '/'), *base = slash ? slash + 1 : f->path;
    const char *own = arena_printf(s->a->mem, "%s.mo", s->target.word.s);
    const SynFile *tree = f->cursor.tree;
    for (uint32_t k = 0; k < tree->n_classes; k++)
        if (tree->class_[k]->name_span.begin == s->target.name.begin)
            return strcmp(base, own) == 0 || strcmp(base, "package.mo") == 0;
    return false;
}

/* Why the target keeps its name, or NULL. */
static const char *kept_name(const Search *s)
{
    Arena *mem = s->a->mem;
    const char *name = s->target.word.s;
    const SynElement *e = element_of(s);
    const SearchedFile *home = search_home(s);
    if (strcmp(s->word, name) != 0)
        return arena_printf(mem, "'%s' is the name by import of '%s'", s->word, name);
    if (!home)
        return arena_printf(mem, "'%s' is declared in another library, in '%s'", name,
                            s->target.path);
    if (s->target.is_iterator)
        return NULL;
    if (e && (e->inner || e->outer))
        return arena_printf(mem, "'%s' is joined by its name with others: it is inner or outer",
                            name);
    const SynClass *c = e && e->kind == SYN_CLASS ? e->class_ : NULL;
    if (c && c->external && !c->external->function.s)
        return arena_printf(mem, "'%s' is also the name of the external function", name);
    if (c && names_file(s, home))
        return arena_printf(mem, "'%s' is the name of its file, too: '%s'", name, home->path);
    return NULL;
}

/* ---- New names --------------------------------------------------------------------------- */

static bool is_identifier(const Analysis *a, const char *name)
{
    Diags *d = diags_new(a->mem);
    uint32_t file = diags_add_source(d, "<name>", name, (uint32_t)strlen(name));
    TokenList list = token_list(a->mem, names_new(a->mem), d, file);
    return diags_errors(d) == 0 && list.token.n == 2 && list.comment.n == 0 &&
           list.token.at[0].kind == TOK_IDENT && list.token.at[0].begin == 0 &&
           list.token.at[0].end == strlen(name);
}

static bool is_predefined(const Search *s, Name name)
{
    NamedDeclarations all = {0};
    front_members(s->c->front, NULL, NULL, 0, &all);
    for (uint32_t k = 0; k < all.n; k++)
        if (name_same(all.at[k].name, name))
            return true;
    return false;
}

/* "line 3 of 'a.mo'" */
static const char *place(const Search *s, const SearchedFile *f, uint32_t token)
{
    Lines lines = search_lines(s, f);
    Position at = lines_position(&lines, cursor_token(&f->cursor, token)->begin);
    return arena_printf(s->a->mem, "line %u of '%s'", at.line + 1, f->path);
}

/* ---- The texts with the new name ---------------------------------------------------------- */

static Document *edited_document(const Search *s, uint32_t file, const bool *edited,
                                 const char *name)
{
    const SearchedFile *f = &s->file.at[file];
    Text text = text_new(s->a->mem);
    uint32_t from = 0;
    for (uint32_t k = 0; k < f->cursor.list.token.n; k++) {
        const SourceToken *t = cursor_token(&f->cursor, k);
        if (!edited[k])
            continue;
        text_put_n(&text, f->cursor.text + from, t->begin - from);
        text_put(&text, name);
        from = t->end;
    }
    text_put(&text, f->cursor.text + from);
    Document *d = arena_make(s->a->mem, Document);
    char *path = arena_copy(s->a->mem, f->path, strlen(f->path));
    *d = (Document){.uri = path, .path = path, .text = text.at, .size = (uint32_t)text.n};
    return d;
}

static Span name_after(const Search *s, const SearchedFile *home, const Cursor *after)
{
    for (uint32_t k = 0; k < home->cursor.list.token.n; k++)
        if (cursor_token(&home->cursor, k)->begin == s->target.name.begin) {
            const SourceToken *t = cursor_token(after, k);
            return (Span){0, t->begin, t->end};
        }
    return SPAN_NONE;
}

/* Where the new name would mean another declaration, or another name this one; or NULL. The names
 * are looked up in the texts as they would be; their tokens have the same numbers. */
static const char *clash(const Search *s, Name name)
{
    Arena *mem = s->a->mem;
    uint32_t n = s->file.n;
    bool **edited = arena_array(mem, bool *, n);
    for (uint32_t i = 0; i < n; i++)
        edited[i] = arena_array(mem, bool, s->file.at[i].cursor.list.token.n);
    for (uint32_t k = 0; k < s->found.n; k++)
        edited[s->found.at[k].file][s->found.at[k].token] = true;
    Documents all = {.utf8 = s->a->documents->utf8};
    for (uint32_t i = n; i-- > 0;) {
        Document *d = edited_document(s, i, edited[i], name.s);
        d->next = all.first;
        all.first = d;
    }
    Analysis a = {
        .documents = &all, .document = all.first, .libraries = s->a->libraries, .mem = mem};
    const SynFile *tree;
    Search after = {.a = &a, .c = analysis_open(&a, &tree), .target = {.path = s->target.path}};
    uint32_t first = library_n_files(after.c->library) - n;
    SearchedFile *file = arena_array(mem, SearchedFile, n);
    for (uint32_t i = 0; i < n; i++) {
        const SearchedFile *f = &s->file.at[i];
        tree = library_file(after.c->library, first + i);
        file[i] = (SearchedFile){cursor_in(&a, after.c, tree), f->path, f->hidden};
        if (f == search_home(s))
            after.target.name = name_after(s, f, &file[i].cursor);
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < file[i].cursor.list.token.n; k++) {
            Meaning m;
            if (!search_token_is(&file[i], k, name.s) || search_is_hidden(&file[i], k))
                continue;
            bool is_this = meaning_of(&file[i].cursor, k, &m) && search_is_target(&after, &m);
            if (is_this != edited[i][k])
                return arena_printf(mem,
                                    is_this ? "'%s' in %s would mean this declaration"
                                            : "'%s' in %s would mean another declaration",
                                    name.s, place(s, &s->file.at[i], k));
        }
    return NULL;
}

/* ---- Classes that inherit ------------------------------------------------------------------ */

typedef VEC(Name) Path;

/* A class that inherits both the target and an element of the new name, or NULL. */
static const SynClass *heir_of_both(const Search *s, const SynClass *c, Path *path, Name name)
{
    Arena *mem = s->a->mem;
    Declaration d;
    vec_push(mem, *path, c->name);
    vec_push(mem, *path, s->target.word);
    const SynPath top = {0};
    Meaning m = {0};
    bool both = front_declaration(s->c->front, &top, path->at, path->n, &m.declaration);
    m.name = m.declaration.name;
    vec_last(*path) = name;
    both = both && search_is_target(s, &m) &&
           front_declaration(s->c->front, &top, path->at, path->n, &d);
    path->n--;
    const SynClass *found = both ? c : NULL;
    for (uint32_t k = 0; k < c->n_elements && !found; k++)
        if (c->elements[k]->kind == SYN_CLASS)
            found = heir_of_both(s, c->elements[k]->class_, path, name);
    path->n--;
    return found;
}

static const char *heir_clash(const Search *s, Name name)
{
    for (uint32_t i = 0; i < s->file.n; i++) {
        const SynFile *tree = s->file.at[i].cursor.tree;
        for (uint32_t k = 0; k < tree->n_classes; k++) {
            Path path = {0};
            for (uint32_t j = 0; j < tree->within.n; j++)
                vec_push(s->a->mem, path, tree->within.name[j]);
            const SynClass *c =
                s->file.at[i].hidden[k] ? NULL : heir_of_both(s, tree->class_[k], &path, name);
            if (c)
                return arena_printf(s->a->mem, "'%s' has an element '%s' already", c->name.s,
                                    name.s);
        }
    }
    return NULL;
}

static bool is_connector(const SynClass *c)
{
    return c->restriction == SYN_R_CONNECTOR || c->restriction == SYN_R_EXPANDABLE_CONNECTOR;
}

/* The connector among the classes whose own component has its name at that byte; or NULL. */
static const SynClass *connector_in(const SynClass *c, uint32_t byte)
{
    for (uint32_t k = 0; k < c->n_elements; k++) {
        const SynElement *e = c->elements[k];
        if (e->kind == SYN_COMPONENT && e->component->name_span.begin == byte)
            return is_connector(c) ? c : NULL;
        const SynClass *found = e->kind == SYN_CLASS ? connector_in(e->class_, byte) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static const SynClass *connector_at(const SynFile *tree, uint32_t byte)
{
    const SynClass *found = NULL;
    for (uint32_t k = 0; k < tree->n_classes && !found; k++)
        found = connector_in(tree->class_[k], byte);
    return found;
}

/* Have both connectors the same names: they may be connected (MLS 9.3). */
static bool same_names(const SynClass *a, const SynClass *b)
{
    for (uint32_t k = 0; k < a->n_elements; k++)
        if (!syn_element_name(a->elements[k]).s || a->n_elements != b->n_elements ||
            !syn_class_find(b, syn_element_name(a->elements[k])))
            return false;
    return true;
}

/* Another connector whose elements go by the names of those of `c`; or NULL. */
static const SynClass *like_connector(const SynClass *in, const SynClass *c)
{
    const SynClass *found = in != c && is_connector(in) && same_names(c, in) ? in : NULL;
    for (uint32_t k = 0; k < in->n_elements && !found; k++)
        if (in->elements[k]->kind == SYN_CLASS)
            found = like_connector(in->elements[k]->class_, c);
    return found;
}

static const char *connector_clash(const Search *s)
{
    const SearchedFile *home = search_home(s);
    const SynClass *c = connector_at(home->cursor.tree, s->target.name.begin);
    for (uint32_t i = 0; c && i < s->file.n; i++) {
        const SynFile *tree = s->file.at[i].cursor.tree;
        for (uint32_t k = 0; k < tree->n_classes; k++) {
            const SynClass *other = like_connector(tree->class_[k], c);
            if (other)
                return arena_printf(s->a->mem,
                                    "'%s' and connector '%s' have elements of the same names, by "
                                    "which they can be connected",
                                    c->name.s, other->name.s);
        }
    }
    return NULL;
}

/* Enumerations with the same literals are compatible types. */
static const SynClass *like_enumeration(const SynClass *in, const SynClass *c)
{
    bool is_other = in->name_span.begin != c->name_span.begin || strcmp(in->name.s, c->name.s) != 0;
    bool same = is_other && in->kind == SYN_ENUM && in->n_literals == c->n_literals;
    for (uint32_t k = 0; same && k < c->n_literals; k++)
        same = strcmp(in->literal[k].name.s, c->literal[k].name.s) == 0;
    const SynClass *found = same ? in : NULL;
    for (uint32_t k = 0; k < in->n_elements && !found; k++)
        if (in->elements[k]->kind == SYN_CLASS)
            found = like_enumeration(in->elements[k]->class_, c);
    return found;
}

static const char *enumeration_clash(const Search *s)
{
    if (!s->target.declaration.literal)
        return NULL;
    const SynClass *c = s->target.declaration.element->class_;
    for (uint32_t i = 0; i < s->file.n; i++) {
        const SynFile *tree = s->file.at[i].cursor.tree;
        for (uint32_t k = 0; k < tree->n_classes; k++) {
            const SynClass *other = like_enumeration(tree->class_[k], c);
            if (other)
                return arena_printf(s->a->mem,
                                    "'%s' and enumeration '%s' have the same literals, by which "
                                    "they are compatible",
                                    c->name.s, other->name.s);
        }
    }
    return NULL;
}

/* Names that cannot be told: in phrases with errors, or behind values, f(x).a or i.a of an
 * iterator i. */
static const char *unknown_use(const Search *s)
{
    for (uint32_t i = 0; i < s->file.n; i++) {
        const SearchedFile *f = &s->file.at[i];
        for (uint32_t k = 0; k < f->cursor.list.token.n; k++) {
            const Cursor *p = &f->cursor;
            Meaning m;
            if (!search_token_is(f, k, s->target.word.s) || search_is_hidden(f, k))
                continue;
            if (p->tree->errors > 0)
                return arena_printf(s->a->mem, "'%s' has a syntax error", f->path);
            if (k > 0 && cursor_token(p, k - 1)->kind == TOK_DOT && !meaning_of(p, k, &m) &&
                meaning_is_of_value(p, k))
                return arena_printf(s->a->mem, "'%s' in %s is an element of a value",
                                    s->target.word.s, place(s, f, k));
        }
    }
    return NULL;
}

static const char *refused_name(Search *s)
{
    const char *text = s->a->new_name;
    if (!text || !is_identifier(s->a, text))
        return arena_printf(s->a->mem, "'%s' is no identifier", text ? text : "");
    Name name = name_of(s->c->names, text);
    if (name_same(name, s->target.word))
        return NULL;
    if (is_predefined(s, name))
        return arena_printf(s->a->mem, "'%s' is a predefined name, or that of a library", text);
    const char *reason = s->target.is_iterator ? NULL : unknown_use(s);
    if (!reason && !s->target.is_iterator)
        reason = connector_clash(s);
    if (!reason && !s->target.is_iterator)
        reason = enumeration_clash(s);
    search_run(s, false);
    reason = reason ? reason : clash(s, name);
    return reason || s->target.is_iterator ? reason : heir_clash(s, name);
}

/* ---- Answers ----------------------------------------------------------------------------- */

static bool open_or_refuse(Search *s, const Analysis *a)
{
    if (!search_open(s, a, a->new_name))
        *a->refusal = "there is no name here that a text declares";
    else
        *a->refusal = kept_name(s);
    return !*a->refusal;
}

void analysis_prepare_rename(const Analysis *a, Text *answer)
{
    Search s;
    if (!open_or_refuse(&s, a))
        return;
    Cursor p = cursor_open(a);
    const SourceToken *t = cursor_token(&p, cursor_name(&p));
    Json j = json_new(answer);
    Lines lines = analysis_lines(a);
    json_object(&j, NULL);
    put_range(&j, "range", &lines, (Span){0, t->begin, t->end});
    json_text(&j, "placeholder", s.target.word.s);
    json_close(&j);
}

void analysis_rename(const Analysis *a, Text *answer)
{
    Search s;
    if (!open_or_refuse(&s, a) || (*a->refusal = refused_name(&s)))
        return;
    Json j = json_new(answer);
    Lines lines = {0};
    json_object(&j, NULL);
    json_object(&j, "changes");
    for (uint32_t k = 0; k < s.found.n; k++) {
        Occurrence o = s.found.at[k];
        const SearchedFile *f = &s.file.at[o.file];
        const SourceToken *t = cursor_token(&f->cursor, o.token);
        bool begins = k == 0 || o.file != s.found.at[k - 1].file;
        if (begins && k > 0)
            json_close(&j);
        if (begins) {
            lines = search_lines(&s, f);
            json_array(&j, analysis_uri(a, f->path));
        }
        json_object(&j, NULL);
        put_range(&j, "range", &lines, (Span){0, t->begin, t->end});
        json_text(&j, "newText", a->new_name);
        json_close(&j);
    }
    if (s.found.n > 0)
        json_close(&j);
    json_close(&j);
    json_close(&j);
}
