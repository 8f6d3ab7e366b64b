/* balance.c -- each model or block component has as many equations as unknowns (MLS 3.6, 4.8).
 *
 * The unknowns of a component are the variables that its class declares; its equations are those of
 * its class and of its connections. Connectors must have as many flow as potential variables, which
 * is checked first; then the counts of MLS 4.8 reduce to these rules: a flow variable counts
 * nothing (its connection set, here or around, has an equation for it); a potential or stream
 * variable of an own connector is an unknown unless it is connected inside; an input is an unknown
 * of the component around; a set of n causal variables has n - 1 equations.
 *
 * Not checked: the model itself, since index reduction analyses its structure later; components
 * with expandable connectors or overdetermined connectors of their own, whose number of equations
 * depends on the connections around (9.4); components with elements that are both inner and outer.
 */
#include "frontend/instantiate/state_machine.h"

typedef struct Balance {
    uint32_t unknowns, equations;
    bool is_open; /* not to be judged */
} Balance;

typedef struct Counting {
    Front *f;
    Map by_path;   /* Instance.path -> instance id */
    Balance *of;   /* per instance id              */
    Instance **at; /* per instance id              */
    Map reported;  /* SynClass                     */
    bool is_whole; /* all together have as many equations as unknowns */
} Counting;

static bool is_component(const Instance *i)
{
    return i->kind == INST_CLASS && i->cls->kind == CLASS_OTHER && !class_is_connector(i->cls);
}

/* The component that an instance is a part of, through records and connectors; the model's is the
 * model. */
static const Instance *owner_of(const Instance *i)
{
    while (i && !is_component(i))
        i = i->parent;
    return i;
}

/* The connector that a leaf is or is in, outermost within its component; NULL if none. */
static const Instance *connector_of(const Instance *leaf)
{
    const Instance *found = NULL;
    for (const Instance *i = leaf; i && !is_component(i); i = i->parent)
        if (class_is_connector(i->cls))
            found = i;
    return found;
}

/* Is the leaf in an expandable connector, or in an overdetermined part of a connector. */
static bool is_of_bus(const Instance *leaf)
{
    for (const Instance *i = leaf; i && !is_component(i); i = i->parent)
        if (class_is_expandable(i->cls))
            return true;
    return false;
}

static bool is_protected(const Instance *leaf)
{
    for (const Instance *i = leaf; i && !is_component(i); i = i->parent)
        if (i->el && i->el->is_protected)
            return true;
    return false;
}

static bool is_overdetermined(Front *f, const Instance *leaf)
{
    for (const Instance *i = leaf; i && !is_component(i); i = i->parent)
        if (connections_constraint(f, i->cls))
            return true;
    return false;
}

static bool is_bound_from_around(const Instance *leaf)
{
    for (const Instance *i = leaf; i && !is_component(i); i = i->parent)
        for (uint32_t k = 0; k < i->env.n; k++)
            if (i->env.at[k].mod->value)
                return true;
    return false;
}

static void count_unknown(Counting *c, Instance *leaf, uint32_t k)
{
    const Instance *owner = owner_of(leaf);
    if (!owner || leaf->variability <= VARIES_PARAMETER)
        return;
    Balance *own = &c->of[owner->id];
    const Instance *connector = connector_of(leaf);
    const Instance *around = owner->parent ? owner_of(owner->parent) : NULL;
    if (is_of_bus(leaf)) {
        own->is_open = true;
        if (around)
            c->of[around->id].is_open = true;
        return;
    }
    if (is_overdetermined(c->f, leaf))
        own->is_open = true;
    if (leaf->is_input && !is_protected(leaf)) {
        /* A binding is an equation of the component; one that its own class gives to a connector is
         * in addition to the value that comes from around. */
        const Value *binding = NULL;
        bool is_bound = instance_binding(c->f, leaf, false, &binding) && binding;
        if (is_bound && (!connector || is_bound_from_around(leaf)))
            own->unknowns++;
        else if (around)
            c->of[around->id].unknowns++;
    } else if (!connector || leaf->is_input || leaf->is_output) {
        own->unknowns++;
    } else if (!leaf->is_flow) {
        const uint32_t *set;
        uint32_t n;
        uint32_t outside = 2 * (leaf->var.i + k) + 1;
        own->unknowns += !connections_set(c->f, outside, &set, &n) || n == 1;
    }
}

/* A set of causal variables, once, by its first element: an equation for each but the one that
 * gives the value, where it is connected; with `outer` a set can reach over several components. */
static void count_set(Counting *c, uint32_t element)
{
    const uint32_t *set;
    uint32_t n;
    if (!connections_set(c->f, element, &set, &n) || n < 2 || set[0] != element)
        return;
    bool has_giver = false;
    for (uint32_t k = n; k-- > 0;) {
        const Instance *leaf = c->f->lookup->leaf_of_var.at[set[k] / 2];
        if (!leaf->is_input && !leaf->is_output)
            return;
        bool is_inside = set[k] % 2 == 0;
        bool gives = is_inside ? leaf->is_output : leaf->is_input && !is_protected(leaf);
        const Instance *level = owner_of(leaf);
        if (is_inside)
            level = level && level->parent ? owner_of(level->parent) : NULL;
        if (level && !gives && (k > 0 || has_giver))
            c->of[level->id].equations++;
        has_giver = has_giver || gives;
    }
}

static bool is_first(Counting *c, const Instance *i)
{
    uint64_t key = map_key_ptr(i->cls->syn);
    if (map_get(&c->reported, key) != MAP_NONE)
        return false;
    map_put(&c->reported, key, 1);
    return true;
}

/* The equations of an outer connector are those of the component with the inner one (MLS 9.2). */
static bool has_outer_connector(const Class *c)
{
    for (uint32_t k = 0; k < c->component.n; k++) {
        const Element *e = c->component.at[k];
        if (e->is_outer && e->typed == TYPE_KNOWN && class_is_connector(e->type))
            return true;
    }
    return false;
}

static void judge(Counting *c, const Instance *i)
{
    const Balance *b = &c->of[i->id];
    if (!i->parent || b->is_open || b->unknowns == b->equations || class_is_partial(i->cls) ||
        class_is(i->cls, SYN_R_CLASS) || !is_first(c, i))
        return;
    /* libraries have components that are so on purpose: sources and sinks that go in pairs */
    bool is_error = !c->is_whole || (c->f->strict && !has_outer_connector(i->cls));
    (is_error ? diag_error : diag_warning)(
        c->f->diags, i->cls->syn->name_span, "F06",
        "%s %s is not balanced: it has %u unknown%s and %u equation%s (MLS 4.8)",
        syn_restriction_text(i->cls->syn->restriction), i->cls->name, b->unknowns,
        b->unknowns == 1 ? "" : "s", b->equations, b->equations == 1 ? "" : "s");
    diag_note(c->f->diags, instance_span(i), "'%s' is one", i->path);
}

/* Flow and potential variables of a connector; false if it is not to be judged. */
static bool count_connector(Front *f, const Instance *i, uint32_t *flows, uint32_t *potentials,
                            uint32_t *streams)
{
    if (i->kind == INST_ABSENT || i->kind == INST_FAILED || class_is_expandable(i->cls) ||
        connections_constraint(f, i->cls))
        return i->kind == INST_ABSENT;
    if (i->kind == INST_LEAF) {
        if (i->variability <= VARIES_PARAMETER || i->is_input || i->is_output)
            return true;
        *(i->is_flow ? flows : i->is_stream ? streams : potentials) += i->n;
        return true;
    }
    uint32_t n = i->kind == INST_ARRAY ? i->n : instance_n_parts(i);
    for (uint32_t k = 0; k < n; k++) {
        const Instance *part = i->kind == INST_ARRAY ? i->elem[k] : instance_part(i, k);
        if (part && part->parent == (i->kind == INST_ARRAY ? i->parent : i) &&
            !count_connector(f, part, flows, potentials, streams))
            return false;
    }
    return true;
}

static void judge_connector(Counting *c, const Instance *i)
{
    uint32_t flows = 0;
    uint32_t potentials = 0;
    uint32_t streams = 0;
    if (class_is_partial(i->cls) || !i->cls->syn ||
        !count_connector(c->f, i, &flows, &potentials, &streams) ||
        (flows == potentials && (streams == 0 || flows == 1)) || !is_first(c, i))
        return;
    if (flows != potentials)
        diag_error(
            c->f->diags, i->cls->syn->name_span, "F07",
            "connector %s is not balanced: it has %u flow variable%s and %u that %s neither flow, "
            "stream, input nor output (MLS 9.3)",
            i->cls->name, flows, flows == 1 ? "" : "s", potentials, potentials == 1 ? "is" : "are");
    else
        diag_error(
            c->f->diags, i->cls->syn->name_span, "F07",
            "connector %s has stream variables, so it needs one flow variable, not %u (MLS 15.1)",
            i->cls->name, flows);
    diag_note(c->f->diags, instance_span(i), "'%s' is one", i->path);
}

/* A connection to an element that is both inner and outer may belong to either side. */
static bool stands_between(const Instance *i)
{
    for (uint32_t k = 0; k < i->cls->component.n; k++)
        if (i->cls->component.at[k]->is_inner && i->cls->component.at[k]->is_outer)
            return true;
    return false;
}

static void list(Counting *c, Instance *i)
{
    c->of[i->id].is_open = stands_between(i) || state_machine_concerns(c->f, i);
    c->at[i->id] = i;
    map_put(&c->by_path, map_key_ptr(i->path), i->id);
}

void balance_check(Front *f, Instance *root)
{
    Arena *mem = arena_new();
    uint32_t n = f->lookup->n_instances;
    Counting c = {.f = f,
                  .by_path = map_new(mem),
                  .of = arena_array(mem, Balance, n + 1),
                  .at = arena_array(mem, Instance *, n + 1),
                  .reported = map_new(mem)};
    VEC(Instance *) todo = {0};
    vec_push(mem, todo, root);
    while (todo.n) {
        Instance *i = todo.at[--todo.n];
        list(&c, i);
        for (uint32_t k = instance_n_parts(i); k-- > 0;) {
            Instance *part = instance_part(i, k);
            if (!part || part->parent != i)
                continue;
            if (part->kind == INST_CLASS)
                vec_push(mem, todo, part);
            for (uint32_t j = part->kind == INST_ARRAY ? part->n : 0; j-- > 0;)
                vec_push(mem, todo, part->elem[j]);
        }
    }
    uint32_t n_vars = f->lookup->leaf_of_var.n; /* hidden variables of when-clauses follow */
    for (uint32_t v = 0; v < n_vars; v++) {
        Instance *leaf = f->lookup->leaf_of_var.at[v];
        if (leaf)
            count_unknown(&c, leaf, v - leaf->var.i);
    }
    for (uint32_t e = 0; e < 2 * n_vars; e++)
        if (f->lookup->leaf_of_var.at[e / 2])
            count_set(&c, e);
    for (uint32_t e = 0; e < f->sys->eq.n; e++) {
        uint32_t id = map_get(&c.by_path, map_key_ptr(f->sys->eq.at[e].origin));
        const Instance *owner = id == MAP_NONE ? NULL : owner_of(c.at[id]);
        if (owner)
            c.of[owner->id].equations++;
    }
    long surplus = 0;
    for (uint32_t k = 0; k < n; k++)
        surplus += (long)c.of[k].equations - (long)c.of[k].unknowns;
    c.is_whole = surplus == 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!c.at[k])
            continue;
        if (is_component(c.at[k]))
            judge(&c, c.at[k]);
        else if (class_is_connector(c.at[k]->cls) && owner_of(c.at[k]) == c.at[k]->parent &&
                 !class_is(c.at[k]->parent->cls, SYN_R_CLASS))
            judge_connector(&c, c.at[k]);
    }
    arena_free(mem);
}
