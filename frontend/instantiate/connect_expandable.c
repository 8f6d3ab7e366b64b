/* connect_expandable.c -- elements that connections add to expandable connectors (MLS 3.6 §9.1.3).
 *
 * A connector of a bus that no class declares takes the type of the connector at the other end.
 * Connected buses have the same elements in the end: an element of one is added to the others. An
 * element that is declared but never used is never instantiated.
 */
#include "frontend/instantiate/instance.h"

#include "base/vec.h"

typedef struct BusPair {
    Instance *a, *b;
} BusPair;

struct Expansion {
    VEC(BusPair) pair;
    Map known; /* pairs, by ids */
    bool added;
};

void expandable_begin(Front *f)
{
    if (!f->lookup->expansion) {
        f->lookup->expansion = arena_make(f->mem, struct Expansion);
        f->lookup->expansion->known = map_new(f->mem);
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
            if (e && !e->is_class) {
                other = instance_child(f, b, element_first(e)->index);
            } else if (!e) {
                const Instance *like = i->kind == INST_ARRAY && i->n ? i->elem[0] : i;
                other = instance_add(f, b, i->el->name, like, i->n_dims, i->dims);
            }
            f->lookup->expansion->added = f->lookup->expansion->added || other;
        }
        if (other && class_is_expandable(i->cls) && class_is_expandable(other->cls) &&
            i->kind == INST_CLASS && other->kind == INST_CLASS)
            pair_add(f, i, other);
    }
}

bool expandable_spread(Front *f)
{
    struct Expansion *x = f->lookup->expansion;
    for (uint32_t k = 0; k < x->pair.n && f->lookup->has_expandable; k++) {
        BusPair p = x->pair.at[k];
        spread(f, p.a, p.b);
        spread(f, p.b, p.a);
    }
    return x->added && f->lookup->has_expandable;
}
