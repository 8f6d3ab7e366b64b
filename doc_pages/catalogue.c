#include "doc_pages/catalogue.h"

#include "doc_pages/uses.h"

#include <ctype.h>
#include <string.h>

enum { FILE_NAME_MAX = 200 };

Catalogue *catalogue_new(Front *f, Arena *mem)
{
    Catalogue *c = arena_make(mem, Catalogue);
    *c = (Catalogue){.front = f,
                     .mem = mem,
                     .of_syn = map_new(mem),
                     .taken = map_new(mem),
                     .outline = map_new(mem)};
    return c;
}

DocClass *catalogue_find(const Catalogue *c, const SynClass *syn)
{
    uint32_t k = syn ? map_get(&c->of_syn, map_key_ptr(syn)) : MAP_NONE;
    return k == MAP_NONE ? NULL : c->all.at[k];
}

/* ---- names of files ------------------------------------------------------------------------- */

/* FNV-1a (Fowler, Noll, Vo) */
static uint64_t hash_of(const char *s)
{
    uint64_t h = 0xcbf29ce484222325;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3;
    return h;
}

static bool is_taken(Catalogue *c, const char *path)
{
    char *lower = arena_copy(c->mem, path, strlen(path));
    for (char *at = lower; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return !map_add(&c->taken, map_key_ptr(name_of(c->front->names, lower).s));
}

const char *catalogue_file(Catalogue *c, const char *folder, const char *text, const char *ending)
{
    Text t = text_new(c->mem);
    text_put(&t, "");
    for (const char *at = text; *at; at++)
        if (isalnum((unsigned char)*at) || *at == '_' || (*at == '.' && at != text))
            text_put_n(&t, at, 1);
        else
            text_printf(&t, "-%02x", (unsigned char)*at);
    if (t.n > FILE_NAME_MAX)
        t.at = arena_printf(c->mem, "%.*s-%016llx", FILE_NAME_MAX - 20, t.at,
                            (unsigned long long)hash_of(text));
    const char *path = arena_printf(c->mem, "%s/%s%s", folder, t.at, ending);
    for (uint32_t k = 2; is_taken(c, path); k++)
        path = arena_printf(c->mem, "%s/%s-%u%s", folder, t.at, k, ending);
    return path;
}

/* ---- classes -------------------------------------------------------------------------------- */

static void add_members(Catalogue *c, DocClass *in);

static void add_class(Catalogue *c, SynClass *syn, DocClass *parent)
{
    DocClass *x = arena_make(c->mem, DocClass);
    if (catalogue_find(c, syn))
        return;
    x->syn = syn;
    x->parent = parent;
    x->name = syn->name.s;
    for (const SynClass *p = syn->parent; p; p = p->parent)
        x->name = arena_printf(c->mem, "%s.%s", p->name.s, x->name);
    x->page = catalogue_file(c, "classes", x->name, ".html");
    bool in_examples =
        parent && (parent->is_example || strcmp(parent->syn->name.s, "Examples") == 0);
    x->is_example = syn->restriction != SYN_R_PACKAGE &&
                    (in_examples || syn_mod_find(syn->annotation, "experiment"));
    map_put(&c->of_syn, map_key_ptr(syn), c->all.n);
    vec_push(c->mem, c->all, x);
    if (parent)
        vec_push(c->mem, parent->inside, x);
    else
        vec_push(c->mem, c->top, x);
    add_members(c, x);
}

static void add_members(Catalogue *c, DocClass *in)
{
    uint32_t n = 0;
    const Name *entry = in->syn->dir ? library_entries(c->front->library, in->syn, &n) : NULL;
    for (uint32_t k = 0; k < n; k++) {
        SynElement *e = library_member(c->front->library, in->syn, entry[k]);
        if (e && e->kind == SYN_CLASS)
            add_class(c, e->class_, in);
    }
    for (uint32_t k = 0; k < in->syn->n_elements; k++)
        if (in->syn->elements[k]->kind == SYN_CLASS)
            add_class(c, in->syn->elements[k]->class_, in);
}

void catalogue_add(Catalogue *c, SynClass *syn)
{
    add_class(c, syn, catalogue_find(c, syn->parent));
}

/* ---- names in their text -------------------------------------------------------------------- */

/* Takes the messages over; later classes have a list of their own, which is short. */
static void take_messages(Catalogue *c, DocClass *x)
{
    Diags *d = c->front->diags;
    for (uint32_t k = 0; k < diags_count(d); k++) {
        const Diag *m = diags_at(d, k);
        if (m->severity == DIAG_ERROR)
            vec_push(c->mem, x->messages, arena_copy(c->mem, m->text, strlen(m->text)));
    }
    diags_clear(d);
}

static void add_use(void *self, const SynClass *target, Span span)
{
    void *const *both = self;
    const Catalogue *c = both[0];
    DocClass *x = both[1];
    vec_push(c->mem, x->use, ((DocUse){span, target}));
}

/* Classes are added one after the other, so x can only be the last one. */
static void add_once(const Catalogue *c, DocClasses *list, DocClass *x)
{
    if (list->n == 0 || vec_last(*list) != x)
        vec_push(c->mem, *list, x);
}

static void add_relations(const Catalogue *c, DocClass *x)
{
    const Outline *o = x->outline;
    for (uint32_t k = 0; k < o->n_bases; k++) {
        DocClass *base = catalogue_find(c, o->base[k].outline->syn);
        if (base && base != x)
            add_once(c, &base->extended_by, x);
    }
    for (uint32_t k = 0; k < x->use.n; k++) {
        DocClass *used = catalogue_find(c, x->use.at[k].target);
        if (used && used != x)
            add_once(c, &used->used_by, x);
    }
}

void catalogue_resolve(Catalogue *c)
{
    Front *f = c->front;
    diags_clear(f->diags);
    for (uint32_t k = 0; k < c->all.n; k++) {
        DocClass *x = c->all.at[k];
        x->outline = front_outline(f, x->syn);
        take_messages(c, x);
        void *both[2] = {c, x};
        uses_visit(f, x->outline, add_use, both);
        diags_clear(f->diags);
        map_put(&c->outline, map_key_ptr(x->syn), c->outlines.n);
        vec_push(c->mem, c->outlines, x->outline);
    }
    for (uint32_t k = 0; k < c->all.n; k++)
        add_relations(c, c->all.at[k]);
}

const Outline *catalogue_outline(Catalogue *c, const OutlineComponent *component)
{
    const SynClass *syn = component->type_syn;
    if (!component->type || !syn)
        return NULL;
    uint32_t k = map_get(&c->outline, map_key_ptr(syn));
    if (k != MAP_NONE)
        return c->outlines.at[k];
    const Outline *o = front_outline_of(c->front, component->type);
    diags_clear(c->front->diags);
    map_put(&c->outline, map_key_ptr(syn), c->outlines.n);
    vec_push(c->mem, c->outlines, o);
    return o;
}
