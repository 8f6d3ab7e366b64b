/* connect_expandable.c -- elements that connections add to expandable connectors (MLS 3.6 §9.1.3).
 *
 * A connector of a bus that no class declares takes the type of the connector at the other end.
 * Connected buses have the same elements in the end: an element of one is added to the others. An
 * element that is declared but never used is never instantiated.
 *
 * An array that no class gives a size, undeclared or declared as x[:], is as large as the
 * subscripts ask in all buses that are connected: it is instantiated when no round adds anything
 * else.
 */
#include "frontend/instantiate/instance.h"

#include "base/vec.h"

typedef struct BusPair {
    Instance *a, *b;
} BusPair;

/* An array without a size. */
typedef struct Sizeless {
    Instance *bus;
    Name name;
    uint32_t n_dims;
    uint32_t *dims;       /* that subscripts ask for */
    const Instance *like; /* what it is connected to; NULL: not known, or it is declared */
    bool is_sized;        /* these are its dimensions */
    uint32_t next;        /* of the same bus, or MAP_NONE */
} Sizeless;

struct Expansion {
    VEC(BusPair) pair;
    Map known; /* pairs, by ids */
    VEC(Sizeless) sizeless;
    Map first_sizeless; /* Instance.id of a bus -> the first of its sizeless arrays */
    bool added;
};

void expandable_begin(Front *f)
{
    if (!f->lookup->expansion) {
        f->lookup->expansion = arena_make(f->mem, struct Expansion);
        f->lookup->expansion->known = map_new(f->mem);
        f->lookup->expansion->first_sizeless = map_new(f->mem);
    }
    f->lookup->expansion->added = false;
}

Instance *expandable_part(const Instance *connector, Name name)
{
    for (uint32_t k = 0; k < connector->undeclared.n; k++)
        if (name_same(connector->undeclared.at[k]->name, name))
            return connector->added[k];
    return NULL;
}

Instance *expandable_present(const Instance *connector, Name name)
{
    uint32_t n = instance_n_parts(connector);
    for (uint32_t k = 0; k < n; k++) {
        Instance *i = instance_part(connector, k);
        if (i && i->el && name_same(i->el->name, name))
            return i->kind == INST_ABSENT || i->kind == INST_FAILED ? NULL : i;
    }
    return NULL;
}

/* ---- arrays without a size ------------------------------------------------------------------- */

static Sizeless *sizeless_find(const struct Expansion *x, const Instance *bus, Name name)
{
    uint32_t k = x ? map_get(&x->first_sizeless, bus->id) : MAP_NONE;
    while (k != MAP_NONE && !name_same(x->sizeless.at[k].name, name))
        k = x->sizeless.at[k].next;
    return k == MAP_NONE ? NULL : &x->sizeless.at[k];
}

bool expandable_is_sizeless(Front *f, const Instance *bus, Element *e)
{
    const Sizeless *s = sizeless_find(f->lookup->expansion, bus, e->name);
    bool is_made = instance_part(bus, element_first(e)->index) != NULL;
    if (is_made || (s && s->is_sized) || !class_is_expandable(bus->cls) || !element_type(f, e) ||
        (e->component->mod && e->component->mod->value))
        return false;
    bool has_colon = false;
    for (uint32_t k = 0; k < e->member.n_dims; k++)
        has_colon = has_colon || e->member.dims[k]->kind == SYN_COLON;
    return has_colon;
}

const uint32_t *expandable_size(const Front *f, const Instance *bus, Name name, uint32_t n_dims)
{
    const Sizeless *s = sizeless_find(f->lookup->expansion, bus, name);
    return s && s->is_sized && s->n_dims == n_dims ? s->dims : NULL;
}

/* The array has at least these dimensions. */
static void sizeless_ask(Front *f, Instance *bus, Name name, uint32_t n_dims, const uint32_t *dims,
                         const Instance *like)
{
    struct Expansion *x = f->lookup->expansion;
    Sizeless *s = sizeless_find(x, bus, name);
    if (!s) {
        uint32_t first = map_get(&x->first_sizeless, bus->id);
        map_put(&x->first_sizeless, bus->id, x->sizeless.n);
        vec_push(f->mem, x->sizeless,
                 ((Sizeless){.bus = bus, .name = name, .n_dims = n_dims, .next = first}));
        s = &vec_last(x->sizeless);
        s->dims = arena_array(f->mem, uint32_t, n_dims + 1);
        x->added = true;
    }
    bool is_array = like && like->kind == INST_ARRAY;
    if (!s->like && like && !(is_array && like->n == 0)) {
        s->like = is_array ? like->elem[0] : like;
        x->added = true;
    }
    for (uint32_t k = 0; k < n_dims && n_dims == s->n_dims && !s->is_sized; k++)
        if (dims[k] > s->dims[k]) {
            s->dims[k] = dims[k];
            x->added = true;
        }
}

/* Connected buses ask for the same elements; one that declares the array with a size decides. */
static void sizeless_spread(Front *f, Instance *a, Instance *b)
{
    struct Expansion *x = f->lookup->expansion;
    uint32_t next = map_get(&x->first_sizeless, a->id);
    while (next != MAP_NONE) {
        Sizeless s = x->sizeless.at[next];
        next = s.next;
        Element *e = class_element(f, b->cls, s.name);
        if (s.is_sized || (e && e->is_class))
            continue;
        Instance *there = expandable_part(b, s.name);
        if (e && !expandable_is_sizeless(f, b, e))
            there = instance_child(f, b, element_first(e)->index);
        if (there)
            sizeless_ask(f, a, s.name, there->n_dims, there->dims, there);
        else
            sizeless_ask(f, b, s.name, s.n_dims, s.dims, s.like);
    }
}

/* Instantiates those that were asked for. */
static void sizeless_make(Front *f)
{
    struct Expansion *x = f->lookup->expansion;
    for (uint32_t k = 0; k < x->sizeless.n; k++) {
        Sizeless *s = &x->sizeless.at[k];
        Element *e = class_element(f, s->bus->cls, s->name);
        if (s->is_sized || (e ? e->is_class : !s->like))
            continue;
        s->is_sized = true;
        x->added = true;
        if (e)
            instance_child(f, s->bus, element_first(e)->index);
        else
            instance_add(f, s->bus, s->name, s->like, s->n_dims, s->dims);
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void pair_add(Front *f, Instance *a, Instance *b)
{
    struct Expansion *x = f->lookup->expansion;
    uint64_t key = map_key_pair(a->id, b->id);
    if (a == b || map_get(&x->known, key) != MAP_NONE)
        return;
    map_put(&x->known, key, x->pair.n);
    vec_push(f->mem, x->pair, ((BusPair){a, b}));
    x->added = true;
}

/* Adds the undeclared element with the type of the other one. */
static void declare(Front *f, const Selection *undeclared, const Selection *other)
{
    if (!other->n || other->shape->kind == INST_ARRAY)
        return;
    const Instance *like = other->shape;
    /* elements of an array of components have the dimensions of the whole selection */
    if (instance_add(f, undeclared->undeclared_in, undeclared->undeclared, like, other->n_dims,
                     other->dims))
        f->lookup->expansion->added = true;
}

/* Whether a reference that leads somewhere is to an element of an expandable connector. */
static bool is_in_bus(Front *f, Scope *s, const SynCref *x)
{
    Selection whole;
    SynCref prefix = *x;
    if (--prefix.n == 0)
        return false;
    return instance_select(f, s, &prefix, &whole) && whole.shape && whole.shape->cls &&
           class_is_expandable(whole.shape->cls);
}

bool expandable_sides(Front *f, Scope *s, const SynEquation *x, Selection *a, Selection *b)
{
    bool a_last = f->lookup->has_expandable && is_in_bus(f, s, x->a);
    Selection *first = a_last ? b : a, *last = a_last ? a : b;
    *last = (Selection){0};
    bool good = instance_select(f, s, a_last ? x->b : x->a, first);
    if (good && first->is_absent)
        return true;
    return instance_select(f, s, a_last ? x->a : x->b, last) && good;
}

static void visit(Front *f, Scope *s, Instance *i, const SynEquation *x)
{
    (void)i;
    Selection a;
    Selection b;
    if (!expandable_sides(f, s, x, &a, &b) || a.is_absent || b.is_absent)
        return;
    if (a.undeclared_in || b.undeclared_in) {
        const Instance *like_a = b.undeclared_in || !a.asks_last ? NULL : b.shape;
        const Instance *like_b = a.undeclared_in || !b.asks_last ? NULL : a.shape;
        if (a.n_asked)
            sizeless_ask(f, a.undeclared_in, a.undeclared, a.n_asked, a.asked, like_a);
        if (b.n_asked)
            sizeless_ask(f, b.undeclared_in, b.undeclared, b.n_asked, b.asked, like_b);
        /* with two undeclared elements, wait for the next round */
        if (a.can_be_declared && !b.undeclared_in)
            declare(f, &a, &b);
        else if (b.can_be_declared && !a.undeclared_in)
            declare(f, &b, &a);
    } else if (a.n == b.n) {
        for (uint32_t k = 0; k < a.n; k++)
            if (a.at[k]->kind == INST_CLASS && b.at[k]->kind == INST_CLASS &&
                class_is_expandable(a.at[k]->cls) && class_is_expandable(b.at[k]->cls))
                pair_add(f, a.at[k], b.at[k]);
    }
}

void expandable_collect_in(Front *f, Instance *i)
{
    connections_visit(f, i, visit);
}

/* Adds to b the elements of a. */
static void spread(Front *f, Instance *a, Instance *b)
{
    for (uint32_t k = 0; k < instance_n_parts(a); k++) {
        Instance *i = instance_part(a, k);
        if (!i || !i->el || i->kind == INST_ABSENT || i->kind == INST_FAILED)
            continue;
        Instance *other = expandable_present(b, i->el->name);
        if (!other) {
            Element *e = class_element(f, b->cls, i->el->name);
            bool is_sizeless = e ? !e->is_class && expandable_is_sizeless(f, b, e)
                                 : sizeless_find(f->lookup->expansion, b, i->el->name) != NULL;
            if (is_sizeless) {
                sizeless_ask(f, b, i->el->name, i->n_dims, i->dims, i);
                continue;
            }
            if (e && !e->is_class) {
                other = instance_child(f, b, element_first(e)->index);
            } else if (!e) {
                const Instance *like = i->kind == INST_ARRAY && i->n ? i->elem[0] : i;
                other = instance_add(f, b, i->el->name, like, i->n_dims, i->dims);
            }
            f->lookup->expansion->added = f->lookup->expansion->added || other;
        }
        bool are_buses = other && other->kind == i->kind && class_is_expandable(i->cls) &&
                         class_is_expandable(other->cls);
        if (are_buses && i->kind == INST_CLASS)
            pair_add(f, i, other);
        for (uint32_t j = 0; are_buses && i->kind == INST_ARRAY && i->n == other->n && j < i->n;
             j++)
            pair_add(f, i->elem[j], other->elem[j]);
    }
}

bool expandable_spread(Front *f)
{
    struct Expansion *x = f->lookup->expansion;
    for (uint32_t k = 0; k < x->pair.n && f->lookup->has_expandable; k++) {
        BusPair p = x->pair.at[k];
        spread(f, p.a, p.b);
        spread(f, p.b, p.a);
        sizeless_spread(f, p.a, p.b);
        sizeless_spread(f, p.b, p.a);
    }
    if (!x->added && f->lookup->has_expandable)
        sizeless_make(f);
    return x->added && f->lookup->has_expandable;
}
