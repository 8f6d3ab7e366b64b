/* connect.c -- connection sets and overconstrained connections (MLS 3.6 ch. 9).
 *
 * Every scalar variable has two elements: as part of an inside and of an outside connector
 * (9.1.2). Connects join elements (union-find); afterwards each set of flow variables sums to
 * zero, and in each other set all are equal (9.2). Connections of overdetermined records are
 * edges of a graph; the spanning tree decides which stay equalities and which become calls of
 * equalityConstraint (9.4).
 */
#include "frontend/evaluate/function.h"
#include "frontend/instantiate/instance.h"
#include "frontend/instantiate/state_machine.h"
#include "frontend/instantiate/stream.h"

#include "base/disjoint.h"
#include "base/vec.h"
#include "ir/program.h"

#include <string.h>

/* The place of one connect: for spans and origins of the equations made from it. */
typedef struct ConnectPlace {
    Span span;
    const char *origin;
} ConnectPlace;

typedef struct Edge {
    Instance *a, *b;
    bool a_inside, b_inside;
    uint32_t place;
} Edge;

typedef struct Branch {
    uint32_t node[2];
    Instance *owner; /* the component it is written in */
} Branch;

struct Connections {
    uint32_t n; /* elements: 2 * variables */
    uint32_t *parent;
    uint32_t *place_of; /* per element: of a connect it takes part in, + 1 */
    VEC(ConnectPlace) place;
    Map cardinality; /* Instance.id -> connects */
    bool done;       /* roots are known */

    VEC(Instance *) node;
    Map node_of; /* Instance.id -> node */
    VEC(Edge) edge;
    VEC(Branch) branch;
    VEC(uint32_t) root;
    VEC(uint32_t) potential;
    VEC(uint32_t) priority;
    VEC(Span) branch_span;
    uint32_t *set_start, *set_element; /* once they are known: of a set, by its representative */
    bool *broken;
    uint32_t *root_of, *above; /* per node, of its tree */
    bool *rooted;
    Map branch_of; /* node -> 2 * branch + end */

    /* The parts of the model that broken connections separate, if there are any. */
    uint32_t *part;           /* per 2 * node + inside: union-find over the connections that stay */
    uint32_t *cut;            /* per edge: its cut joint, UINT32_MAX if it stays                  */
    Map broken_at;            /* part -> a broken edge there, whose next is in next_broken        */
    uint32_t *next_broken[2]; /* per edge, for its end a and b                              */
};

static uint32_t find(struct Connections *c, uint32_t e)
{
    return disjoint_leader(c->parent, e);
}

/* The smaller element represents a set, so sets come out in the order of declarations. */
static void join(struct Connections *c, uint32_t a, uint32_t b, uint32_t place)
{
    if (a >= c->n || b >= c->n)
        return; /* made after the sets were begun: a bus that could not be expanded */
    c->place_of[a] = c->place_of[b] = place + 1;
    disjoint_join(c->parent, a, b);
}

static uint32_t element_of(const Instance *leaf, uint32_t k, bool inside)
{
    return 2 * (leaf->var.i + k) + (inside ? 0 : 1);
}

/* ---- pairs of connectors -------------------------------------------------------------------- */

typedef struct Pair {
    Instance *a, *b;
    bool a_inside, b_inside;
    Span span;
    uint32_t place;
} Pair;

static void mismatch(Front *f, const Pair *p, const char *why)
{
    diag_error(f->diags, p->span, "F02", "%s and %s cannot be connected: %s", p->a->path,
               p->b->path, why);
}

/* MLS 9.3: connected elements have the same type, size and prefixes. */
static bool leaves_match(Front *f, const Pair *p)
{
    const Instance *a = p->a;
    const Instance *b = p->b;
    if (a->cls->base_type != b->cls->base_type ||
        (a->cls->kind == CLASS_ENUMERATION && !class_same_type(a->cls, b->cls))) {
        mismatch(f, p,
                 arena_printf(f->mem, "one is a %s, the other a %s", a->cls->terminal->name,
                              b->cls->terminal->name));
        return false;
    }
    if (a->is_flow != b->is_flow) {
        mismatch(f, p, "only one is a flow variable");
        return false;
    }
    if (a->is_stream != b->is_stream) {
        mismatch(f, p, "only one is a stream variable");
        return false;
    }
    bool a_fixed = a->variability <= VARIES_PARAMETER;
    bool b_fixed = b->variability <= VARIES_PARAMETER;
    if (a_fixed != b_fixed) {
        mismatch(f, p, "only one is a parameter");
        return false;
    }
    if (a_fixed && (a->variability == VARIES_NEVER) != (b->variability == VARIES_NEVER)) {
        mismatch(f, p, "one is a parameter, the other a constant");
        return false;
    }
    return true;
}

/* MLS 9.2: parameters and constants of connected connectors are asserted to be equal. */
static void assert_equal(Front *f, const Pair *p)
{
    ExprPool *pool = f->sys->pool;
    Value a;
    Value b;
    if (!instance_value(f, p->a, p->span, &a) || !instance_value(f, p->b, p->span, &b))
        return;
    for (uint32_t k = 0; k < p->a->n; k++) {
        ExprId same = expr_compare(pool, OP_EQ, a.elem[k], b.elem[k]);
        if (expr_is(pool, same, 1))
            continue;
        if (expr_is(pool, same, 0)) {
            mismatch(f, p, "they are parameters of different values");
            return;
        }
        const char *text =
            arena_printf(f->mem, "connected parameters %s and %s differ", p->a->path, p->b->path);
        Assertion x = {
            .cond = same, .message = expr_string(pool, name_of(f->names, text)), .span = p->span};
        vec_push(f->sys->mem, f->sys->assertion, x);
    }
}

static bool same_dims(const Instance *a, const Instance *b)
{
    return a->n_dims == b->n_dims &&
           (!a->n_dims || memcmp(a->dims, b->dims, a->n_dims * sizeof *a->dims) == 0);
}

static void connect_leaves(Front *f, const Pair *p)
{
    struct Connections *c = f->lookup->connections;
    if (!leaves_match(f, p))
        return;
    if (!same_dims(p->a, p->b)) {
        mismatch(f, p,
                 arena_printf(f->mem, "one is %s, the other %s",
                              dims_text(f, p->a->n_dims, p->a->dims),
                              dims_text(f, p->b->n_dims, p->b->dims)));
        return;
    }
    if (p->a->variability <= VARIES_PARAMETER) {
        assert_equal(f, p);
        return;
    }
    for (uint32_t k = 0; k < p->a->n; k++)
        join(c, element_of(p->a, k, p->a_inside), element_of(p->b, k, p->b_inside), p->place);
}

const Class *connections_constraint(Front *f, const Class *c)
{
    if (!c->syn || class_is_connector(c))
        return NULL;
    return class_find(f, c, f->lookup->equality_constraint);
}

static void connect_pair(Front *f, const Pair *p, bool as_equality);

/* MLS 9.1.3: both have the same parts by now. */
static void connect_buses(Front *f, const Pair *p)
{
    for (uint32_t k = 0; k < instance_n_parts(p->a); k++) {
        Pair part = *p;
        part.a = instance_part(p->a, k);
        if (!part.a || part.a->kind == INST_ABSENT || part.a->kind == INST_FAILED)
            continue;
        part.b = expandable_present(p->b, part.a->el->name);
        if (part.b)
            connect_pair(f, &part, false);
    }
}

static void connect_parts(Front *f, const Pair *p)
{
    Class *a = p->a->cls;
    Class *b = p->b->cls;
    if (class_is_expandable(a) != class_is_expandable(b)) {
        mismatch(f, p, "only one is expandable");
        return;
    }
    if (class_is_expandable(a)) {
        connect_buses(f, p);
        return;
    }
    if (a->component.n != b->component.n) {
        mismatch(f, p,
                 arena_printf(f->mem, "%s and %s have different components", a->name, b->name));
        return;
    }
    for (uint32_t k = 0; k < a->component.n; k++) {
        Element *e = a->component.at[k];
        uint32_t j = k;
        if (!name_same(b->component.at[k]->name, e->name)) {
            Element *other = class_element(f, b, e->name);
            if (!other || other->is_class) {
                mismatch(f, p, arena_printf(f->mem, "%s has no '%s'", b->name, e->name.s));
                return;
            }
            j = element_first(other)->index;
        }
        Pair part = *p;
        part.a = instance_child(f, p->a, k);
        part.b = instance_child(f, p->b, j);
        if (!part.a || !part.b)
            return;
        if (part.a->kind == INST_ABSENT || part.b->kind == INST_ABSENT) {
            if (part.a->kind != part.b->kind)
                mismatch(f, &part, "only one is present");
            continue;
        }
        connect_pair(f, &part, false);
    }
}

static uint32_t place_add(Front *f, Span span, const Instance *around)
{
    ConnectPlace place = {span, around->path};
    vec_push(f->mem, f->lookup->connections->place, place);
    return f->lookup->connections->place.n - 1;
}

static uint32_t node_of(Front *f, Instance *i)
{
    struct Connections *c = f->lookup->connections;
    uint32_t k = map_number(&c->node_of, i->id, c->node.n);
    if (k == c->node.n)
        vec_push(f->mem, c->node, i);
    return k;
}

static void connect_pair(Front *f, const Pair *p, bool as_equality)
{
    struct Connections *c = f->lookup->connections;
    if (p->a->kind != p->b->kind) {
        mismatch(f, p, "one has parts, or is an array, and the other is not");
        return;
    }
    bool is_empty = p->a->kind == INST_LEAF && p->a->n == 0;
    if (!as_equality && p->a->kind != INST_ARRAY && !is_empty &&
        connections_constraint(f, p->a->cls)) {
        if (!class_same(p->a->cls, p->b->cls)) {
            mismatch(f, p, "they are different overdetermined types");
            return;
        }
        node_of(f, p->a);
        node_of(f, p->b);
        Edge e = {p->a, p->b, p->a_inside, p->b_inside, p->place};
        vec_push(f->mem, c->edge, e);
        return;
    }
    if (p->a->kind == INST_LEAF) {
        connect_leaves(f, p);
    } else if (p->a->kind == INST_ARRAY) {
        if (!same_dims(p->a, p->b)) {
            mismatch(f, p, "they are arrays of different sizes");
            return;
        }
        for (uint32_t k = 0; k < p->a->n; k++) {
            Pair part = *p;
            part.a = p->a->elem[k];
            part.b = p->b->elem[k];
            connect_pair(f, &part, as_equality);
        }
    } else {
        connect_parts(f, p);
    }
}

static void count(struct Connections *c, const Instance *i)
{
    uint32_t n = map_get(&c->cardinality, i->id);
    map_put(&c->cardinality, i->id, n == MAP_NONE ? 1 : n + 1);
}

void class_note_connectors(Front *f, const Class *c, Name of, Span span)
{
    const char *connectors = "";
    for (uint32_t k = 0; k < c->component.n; k++) {
        const Element *e = c->component.at[k];
        if (e->typed == TYPE_KNOWN && class_is_connector(e->type))
            connectors = arena_printf(f->scratch, "%s%s%s.%s", connectors, *connectors ? ", " : "",
                                      of.s, e->name.s);
    }
    if (*connectors)
        diag_note(f->diags, span, "its connectors are %s", connectors);
}

static bool is_connector(Front *f, const Selection *s, Span span, const SynCref *cref)
{
    for (const Instance *i = s->shape; i; i = i->parent)
        if (class_is_connector(i->cls))
            return true;
    diag_error(f->diags, span, "F02", "'%s' is not a connector, so it cannot be connected",
               cref->part[cref->n - 1].name.s);
    if (s->shape->kind == INST_CLASS)
        class_note_connectors(f, s->shape->cls, cref->part[cref->n - 1].name, span);
    return false;
}

/* MLS 9.1: a connector of the class, or one of a component of it: none of a component's component.
 * *is_outer: the component is an outer one. */
static bool reference_is_near(Front *f, Instance *around, const SynCref *cref, bool *is_outer)
{
    Class *c = around->cls;
    for (uint32_t k = 0; k < cref->n && k < 2; k++) {
        Element *e = cref->global ? NULL : class_element(f, c, cref->part[k].name);
        if (!e || e->is_class || !element_type(f, e) || e->typed != TYPE_KNOWN)
            return true; /* of an iterator, an undeclared part of a bus, ... */
        if (k == 0)
            *is_outer = e->is_outer && !e->is_inner;
        if (class_is_connector(e->type))
            return true;
        c = e->type;
    }
    if (cref->n < 3)
        return true;
    diag_error(f->diags, cref->span, "F02",
               "'%s' is no connector, so connections do not reach into it (MLS 9.1)",
               cref->part[1].name.s);
    return false;
}

static void collect_connect(Front *f, Scope *s, Instance *around, const SynEquation *x)
{
    struct Connections *c = f->lookup->connections;
    Selection a;
    Selection b;
    if (!expandable_sides(f, s, x, &a, &b))
        return;
    /* MLS 4.4.5: connections to absent components vanish */
    if (a.is_absent || b.is_absent)
        return;
    if (a.undeclared_in || b.undeclared_in) {
        const Selection *u = a.undeclared_in ? &a : &b;
        if (class_element(f, u->undeclared_in->cls, u->undeclared))
            diag_error(f->diags, x->span, "F02",
                       "'%s' has no size, so that it is connected by its elements, %s[1] "
                       "(MLS 9.1.3)",
                       u->undeclared.s, u->undeclared.s);
        else
            diag_error(
                f->diags, x->span, "F02",
                "'%s' is not declared in the expandable connector %s, and its connections do "
                "not determine its type",
                u->undeclared.s, u->undeclared_in->path);
        return;
    }
    if (!is_connector(f, &a, x->a->span, x->a) || !is_connector(f, &b, x->b->span, x->b))
        return;
    bool outer[2] = {false, false};
    if (!reference_is_near(f, around, x->a, &outer[0]) ||
        !reference_is_near(f, around, x->b, &outer[1]))
        return;
    if (outer[0] && outer[1]) {
        diag_error(f->diags, x->span, "F02",
                   "both connectors are of outer elements: they are connected where the inner ones "
                   "are (MLS 9.3)");
        return;
    }
    bool same = a.n_dims == b.n_dims;
    for (uint32_t k = 0; same && k < a.n_dims; k++)
        same = a.dims[k] == b.dims[k];
    if (!same) {
        diag_error(f->diags, x->span, "F02", "connected arrays differ in size: %s and %s",
                   dims_text(f, a.n_dims, a.dims), dims_text(f, b.n_dims, b.dims));
        return;
    }
    uint32_t place = place_add(f, x->span, around);
    for (uint32_t k = 0; k < a.n; k++) {
        if (a.at[k]->kind == INST_ABSENT || b.at[k]->kind == INST_ABSENT)
            continue;
        Pair p = {a.at[k], b.at[k], a.is_inside, b.is_inside, x->span, place};
        count(c, p.a);
        count(c, p.b);
        if (a.place && b.place) {
            if (!leaves_match(f, &p))
                return;
            if (p.a->variability > VARIES_PARAMETER)
                join(c, element_of(p.a, a.place[k], p.a_inside),
                     element_of(p.b, b.place[k], p.b_inside), place);
        } else {
            connect_pair(f, &p, false);
        }
    }
}

/* ---- Connections.branch, root, potentialRoot ------------------------------------------------- */

static bool is_connections(const SynExpr *x)
{
    return x->kind == SYN_CALL && x->cref->n == 2 &&
           strcmp(x->cref->part[0].name.s, "Connections") == 0;
}

/* False if there is none: after an error, which is reported, or for an array without elements. */
static bool node_argument(Front *f, Scope *s, const SynExpr *x, uint32_t *out)
{
    Selection a;
    if (x->kind != SYN_CREF) {
        diag_error(f->diags, x->span, "F03", "expected the overdetermined part of a connector");
        return false;
    }
    if (!instance_select(f, s, x->cref, &a))
        return false;
    bool whole_leaf = a.shape && a.shape->kind == INST_LEAF && a.n == a.shape->n;
    if (a.is_absent || !(a.n == 1 || whole_leaf) || !connections_constraint(f, a.shape->cls)) {
        diag_error(f->diags, x->span, "F03",
                   "expected a record or type with a function equalityConstraint (MLS 9.4.1)");
        return false;
    }
    if (a.n == 0)
        return false;
    *out = node_of(f, a.at[0]);
    return true;
}

static void collect_graph(Front *f, Scope *s, const SynExpr *x)
{
    struct Connections *c = f->lookup->connections;
    const char *what = x->cref->part[1].name.s;
    bool is_branch = strcmp(what, "branch") == 0;
    bool is_root = strcmp(what, "root") == 0;
    bool is_potential = strcmp(what, "potentialRoot") == 0;
    uint32_t want = is_branch ? 2 : 1;
    if (!is_branch && !is_root && !is_potential) {
        diag_error(f->diags, x->span, "F03", "there is no equation Connections.%s", what);
        return;
    }
    if (x->arg.n < want || x->arg.n > (is_potential ? 2u : want) || (!is_potential && x->n_named)) {
        diag_error(f->diags, x->span, "F03", "Connections.%s has %u argument%s", what, want,
                   want == 1 ? "" : "s");
        return;
    }
    uint32_t a = 0;
    uint32_t b = 0;
    if (!node_argument(f, s, x->arg.at[0], &a))
        return;
    if (is_branch) {
        if (!node_argument(f, s, x->arg.at[1], &b))
            return;
        if (map_get(&c->branch_of, a) == MAP_NONE)
            map_put(&c->branch_of, a, 2 * c->branch.n);
        if (map_get(&c->branch_of, b) == MAP_NONE)
            map_put(&c->branch_of, b, 2 * c->branch.n + 1);
        Branch br = {{a, b}, s->inst};
        vec_push(f->mem, c->branch, br);
        vec_push(f->mem, c->branch_span, x->span);
    } else if (is_root) {
        vec_push(f->mem, c->root, a);
    } else {
        long priority = 0;
        const SynExpr *p = x->arg.n == 2 ? x->arg.at[1] : x->n_named ? x->named[0].value : NULL;
        if (p && !eval_integer(f, s, p, "the priority of a potential root", &priority))
            return;
        vec_push(f->mem, c->potential, a);
        vec_push(f->mem, c->priority, (uint32_t)priority);
    }
}

/* ---- collecting ------------------------------------------------------------------------------ */

static bool is_connection(const SynEquation *x)
{
    return x->kind == SYN_EQ_CONNECT;
}

static bool is_of_graph(const SynEquation *x)
{
    return is_connection(x) || (x->kind == SYN_EQ_CALL && is_connections(x->call));
}

static void refuse_in_when(Front *f, Scope *s, Instance *i, const SynEquation *x)
{
    (void)s;
    (void)i;
    diag_error(f->diags, x->span, "F02", "a when-equation cannot contain connections");
}

static void collect(Front *f, Scope *s, Instance *i, const SynEquation *x)
{
    if (is_connection(x))
        collect_connect(f, s, i, x);
    else
        collect_graph(f, s, x->call);
}

static const char with_connections[] = "the condition of an if-equation with connections";

void connections_visit(Front *f, Instance *i, EquationVisit visit)
{
    EquationWalk walk = {is_connection, visit, refuse_in_when, with_connections};
    equations_walk(f, i, &walk);
}

void connections_collect_in(Front *f, Instance *i)
{
    static const EquationWalk walk = {is_of_graph, collect, refuse_in_when, with_connections};
    equations_walk(f, i, &walk);
}

void connections_begin(Front *f)
{
    struct Connections *c = arena_make(f->mem, struct Connections);
    f->lookup->connections = c;
    c->n = 2 * f->sys->var.n;
    c->parent = disjoint_new(c->n, f->mem);
    c->place_of = arena_array(f->mem, uint32_t, c->n + 1);
    c->cardinality = map_new(f->mem);
    c->node_of = map_new(f->mem);
    c->branch_of = map_new(f->mem);
}

/* Lists the members of each set, in the order of declarations. */
static void list_sets(Front *f)
{
    struct Connections *c = f->lookup->connections;
    c->set_start = arena_array(f->mem, uint32_t, c->n + 2);
    c->set_element = arena_array(f->mem, uint32_t, c->n + 1);
    uint32_t *start = c->set_start;
    for (uint32_t e = 0; e < c->n; e++)
        start[find(c, e) + 1]++;
    for (uint32_t e = 0; e < c->n; e++)
        start[e + 1] += start[e];
    ArenaMark mark = arena_mark(f->scratch);
    uint32_t *fill = arena_array(f->scratch, uint32_t, c->n + 1);
    for (uint32_t e = 0; e < c->n; e++) {
        uint32_t r = find(c, e);
        c->set_element[start[r] + fill[r]++] = e;
    }
    arena_rollback(f->scratch, mark);
}

bool connections_set(Front *f, uint32_t element, const uint32_t **at, uint32_t *n)
{
    struct Connections *c = f->lookup->connections;
    if (!c || !c->set_start || element >= c->n)
        return false;
    uint32_t r = find(c, element);
    *at = c->set_element + c->set_start[r];
    *n = c->set_start[r + 1] - c->set_start[r];
    return true;
}

static void decide(Front *f);

void connections_decide(Front *f)
{
    f->lookup->connections->done = true;
    decide(f);
    list_sets(f);
}

/* Whether a component has variables of its own beside its connectors, as joints do. */
static bool has_variables(const Instance *i)
{
    for (uint32_t k = 0; i && k < instance_n_parts(i); k++) {
        const Instance *part = instance_part(i, k);
        if (part && part->kind == INST_LEAF && part->variability > VARIES_PARAMETER)
            return true;
    }
    return false;
}

/* The component whose connector a record belongs to: its id. */
static uint32_t component_of(const Instance *record)
{
    const Instance *i = record->parent;
    while (i->parent && i->el && class_is_connector(i->cls))
        i = i->parent;
    return i->id;
}

/* The scalars of flow variables in the connector that a record belongs to. */
static uint32_t flows_beside(const Instance *record)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < instance_n_parts(record->parent); k++) {
        const Instance *part = instance_part(record->parent, k);
        n += part && part->kind == INST_LEAF && part->is_flow ? part->n : 0;
    }
    return n;
}

/* Breaks the surplus connections of overdetermined records; the others are equalities. */
static void decide(Front *f)
{
    struct Connections *c = f->lookup->connections;
    if (c->node.n == 0)
        return;
    if (!f->spanning) {
        diag_error(f->diags, SPAN_NONE, "F03", "overconstrained connections are not supported");
        return;
    }
    uint32_t(*connect)[2] = (uint32_t(*)[2])arena_array(f->mem, uint32_t, 2 * c->edge.n + 1);
    bool(*inside)[2] = (bool(*)[2])arena_array(f->mem, bool, 2 * c->edge.n + 1);
    uint32_t *n_flows = arena_array(f->mem, uint32_t, c->edge.n + 1);
    for (uint32_t k = 0; k < c->edge.n; k++) {
        const Edge *e = &c->edge.at[k];
        connect[k][0] = node_of(f, e->a);
        connect[k][1] = node_of(f, e->b);
        inside[k][0] = e->a_inside;
        inside[k][1] = e->b_inside;
        n_flows[k] = flows_beside(e->a);
    }
    uint32_t(*branch)[2] = (uint32_t(*)[2])arena_array(f->mem, uint32_t, 2 * c->branch.n + 1);
    bool *moves = arena_array(f->mem, bool, c->branch.n + 1);
    for (uint32_t k = 0; k < c->branch.n; k++) {
        branch[k][0] = c->branch.at[k].node[0];
        branch[k][1] = c->branch.at[k].node[1];
        moves[k] = has_variables(c->branch.at[k].owner);
    }
    uint32_t *component = arena_array(f->mem, uint32_t, c->node.n + 1);
    for (uint32_t k = 0; k < c->node.n; k++)
        component[k] = component_of(c->node.at[k]);
    c->broken = arena_array(f->mem, bool, c->edge.n + 1);
    c->root_of = arena_array(f->mem, uint32_t, c->node.n + 1);
    c->above = arena_array(f->mem, uint32_t, c->node.n + 1);
    for (uint32_t k = 0; k < c->node.n; k++)
        c->above[k] = UINT32_MAX;
    c->rooted = arena_array(f->mem, bool, c->branch.n + 1);
    VirtualGraph g = {.n_nodes = c->node.n,
                      .n_branches = c->branch.n,
                      .n_connects = c->edge.n,
                      .n_roots = c->root.n,
                      .n_potential = c->potential.n,
                      .branch = (const uint32_t(*)[2])branch,
                      .moves = moves,
                      .connect = connect,
                      .inside = inside,
                      .component = component,
                      .n_flows = n_flows,
                      .root = c->root.at,
                      .potential = c->potential.at,
                      .priority = c->priority.at,
                      .broken = c->broken,
                      .root_of = c->root_of,
                      .above = c->above,
                      .rooted = c->rooted};
    uint32_t at = 0;
    const char *fault = f->spanning(&g, f->mem, &at);
    if (fault && diags_errors(f->diags) > 0)
        return; /* the fault may follow from an error already reported */
    if (fault && f->is_part && at >= c->branch.n)
        return; /* MLS 9.4.2: a root is required in a simulation model */
    if (fault) {
        bool is_branch = at < c->branch.n;
        const Instance *i = c->node.at[is_branch ? c->branch.at[at].node[0] : at - c->branch.n];
        const Instance *connector = i;
        while (connector->parent->el && class_is_connector(connector->parent->cls))
            connector = connector->parent;
        diag_error(f->diags, is_branch ? c->branch_span.at[at] : instance_span(connector), "F03",
                   "%s: %s", i->path, fault);
        return;
    }
    for (uint32_t k = 0; k < c->edge.n; k++) {
        Edge *e = &c->edge.at[k];
        e->a = c->node.at[connect[k][0]];
        e->b = c->node.at[connect[k][1]];
        e->a_inside = inside[k][0];
        e->b_inside = inside[k][1];
        if (c->broken[k] || e->a == e->b)
            continue;
        Pair p = {e->a, e->b, e->a_inside, e->b_inside, c->place.at[e->place].span, e->place};
        connect_pair(f, &p, true);
    }
}

/* ---- equations ------------------------------------------------------------------------------- */

typedef struct SetMember {
    Instance *leaf;
    uint32_t place;
    bool inside;
} SetMember;

static SetMember member_of(Front *f, uint32_t element)
{
    Instance *leaf = f->lookup->leaf_of_var.at[element / 2];
    return (SetMember){leaf, element / 2 - leaf->var.i, element % 2 == 0};
}

static uint32_t group_for(Front *f, Map *groups, const Instance *a, uint32_t b)
{
    if (a->n_dims == 0)
        return GROUP_NONE;
    uint64_t key = map_key_pair(a->id, b);
    uint32_t g = map_get(groups, key);
    if (g == MAP_NONE) {
        g = system_new_group(f->sys);
        map_put(groups, key, g);
    }
    return g;
}

/* A bus may hand a component a connector that nothing in the component is connected to. */
static bool is_idle_in_bus(const Instance *leaf)
{
    const Instance *bus = NULL;
    for (const Instance *i = leaf->parent; i->el && class_is_connector(i->cls); i = i->parent)
        if (class_is_expandable(i->cls))
            bus = i;
    return bus && bus->parent->parent;
}

/* ---- cut joints ------------------------------------------------------------------------------ */

static uint32_t part_root(const struct Connections *c, uint32_t k)
{
    return disjoint_leader(c->part, k);
}

static uint32_t part_of_edge(Front *f, uint32_t edge, bool b)
{
    struct Connections *c = f->lookup->connections;
    const Edge *e = &c->edge.at[edge];
    uint32_t node = node_of(f, b ? e->b : e->a);
    return part_root(c, 2 * node + (b ? e->b_inside : e->a_inside));
}

/* The part of a variable of a connector with an overdetermined record; UINT32_MAX for others. */
static uint32_t part_of_element(Front *f, const Map *connector, uint32_t element)
{
    struct Connections *c = f->lookup->connections;
    const Instance *leaf = f->lookup->leaf_of_var.at[element / 2];
    for (const Instance *i = leaf; i && i->el; i = i->parent) {
        uint32_t node = map_get(connector, i->id);
        if (node != MAP_NONE)
            return part_root(c, 2 * node + (element % 2 == 0));
    }
    return UINT32_MAX;
}

/* The node where the ways from both ends to the root meet; UINT32_MAX if they do not. stamp: per
 * node, the edges before this one have left theirs. */
static uint32_t meeting_node(Front *f, uint32_t edge, uint32_t *stamp)
{
    const struct Connections *c = f->lookup->connections;
    uint32_t at[2] = {node_of(f, c->edge.at[edge].a), node_of(f, c->edge.at[edge].b)};
    while (at[0] != UINT32_MAX || at[1] != UINT32_MAX) {
        for (int b = 0; b < 2; b++) {
            if (at[b] == UINT32_MAX)
                continue;
            if (stamp[at[b]] == edge + 1)
                return at[b];
            stamp[at[b]] = edge + 1;
            at[b] = c->above[at[b]];
        }
    }
    return UINT32_MAX;
}

/* The scalars of a record; returns how many. */
static uint32_t record_scalars(Front *f, Instance *record, Span span, ExprId **out)
{
    Value whole;
    *out = NULL;
    if (!instance_whole(f, record, span, &whole))
        return 0;
    uint32_t n = value_n_scalars(&whole);
    *out = arena_array(f->sys->mem, ExprId, n + 1);
    value_flatten(&whole, *out);
    return n;
}

/* Variables of a connector beside its overdetermined record that connections make equal. */
static bool is_other_potential(const Instance *leaf)
{
    return leaf && leaf->kind == INST_LEAF && leaf->n > 0 && var_exists(leaf->var) &&
           !leaf->is_flow && !leaf->is_stream && leaf->variability > VARIES_PARAMETER;
}

/* The scalars of the connector that a cut joint's sides hang from. */
static void find_common(Front *f, uint32_t node, CutJoint *cut)
{
    Instance *record = f->lookup->connections->node.at[node], *connector = record->parent;
    ExprId *x;
    uint32_t n = record_scalars(f, record, cut->span, &x), more = 0;
    for (uint32_t k = 0; k < instance_n_parts(connector); k++) {
        const Instance *leaf = instance_part(connector, k);
        more += is_other_potential(leaf) ? leaf->n : 0;
    }
    cut->common = arena_array(f->sys->mem, ExprId, n + more + 1);
    for (uint32_t k = 0; k < n; k++)
        cut->common[cut->n_common++] = x[k];
    for (uint32_t k = 0; k < instance_n_parts(connector); k++) {
        const Instance *leaf = instance_part(connector, k);
        for (uint32_t i = 0; is_other_potential(leaf) && i < leaf->n; i++)
            cut->common[cut->n_common++] = system_var_expr(f->sys, (VarId){leaf->var.i + i});
    }
}

/* The component whose protected parts are connected; NULL if a side can be named from outside. */
static const Instance *hides_connection(const Edge *e)
{
    const Instance *side[2] = {e->a->parent, e->b->parent};
    for (int k = 0; k < 2; k++) {
        const Instance *part = side[k]->parent;
        if (!part || !part->el || !part->el->is_protected || !part->parent || !part->parent->el)
            return NULL;
        side[k] = part->parent;
    }
    return side[0] == side[1] ? side[0] : NULL;
}

/* Names the cut joints that are the only one inside a component, hidden in it. */
static void name_hidden_cuts(Front *f)
{
    struct Connections *c = f->lookup->connections;
    Map n_inside = map_new(f->mem);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < c->edge.n; k++) {
            const Instance *by = c->broken[k] ? hides_connection(&c->edge.at[k]) : NULL;
            if (!by)
                continue;
            uint32_t n = map_get(&n_inside, by->id);
            if (pass == 0)
                map_put(&n_inside, by->id, n == MAP_NONE ? 1 : n + 1);
            else if (n == 1)
                f->sys->cut.at[c->cut[k]].inside = name_of(f->names, by->path);
        }
    }
}

/* Finds the parts that the broken connections leave, and makes a cut joint of each. */
static void part_connections(Front *f)
{
    struct Connections *c = f->lookup->connections;
    bool any = false;
    for (uint32_t k = 0; k < c->edge.n && c->broken; k++)
        any = any || c->broken[k];
    if (!any)
        return;
    c->part = disjoint_new(2 * c->node.n, f->mem);
    c->cut = arena_array(f->mem, uint32_t, c->edge.n);
    c->broken_at = map_new(f->mem);
    for (int b = 0; b < 2; b++)
        c->next_broken[b] = arena_array(f->mem, uint32_t, c->edge.n);
    uint32_t *stamp = arena_array(f->mem, uint32_t, c->node.n + 1);
    for (uint32_t k = 0; k < c->edge.n; k++) {
        if (!c->broken[k])
            c->part[part_of_edge(f, k, true)] = part_of_edge(f, k, false);
    }
    for (uint32_t k = 0; k < c->edge.n; k++) {
        c->cut[k] = UINT32_MAX;
        if (!c->broken[k])
            continue;
        const Edge *e = &c->edge.at[k];
        CutJoint cut = {.a = name_of(f->names, e->a->path),
                        .b = name_of(f->names, e->b->path),
                        .inside = name_of(f->names, ""),
                        .span = c->place.at[e->place].span};
        uint32_t common = meeting_node(f, k, stamp);
        if (common != UINT32_MAX)
            find_common(f, common, &cut);
        cut.n_record = record_scalars(f, e->a, cut.span, &cut.record);
        c->cut[k] = f->sys->cut.n;
        vec_push(f->sys->mem, f->sys->cut, cut);
        for (int b = 0; b < 2; b++) {
            uint32_t part = part_of_edge(f, k, b);
            c->next_broken[b][k] = map_get(&c->broken_at, part);
            map_put(&c->broken_at, part, 2 * k + (uint32_t)b);
        }
    }
    name_hidden_cuts(f);
}

/* Connectors with an overdetermined record -> its node. */
static Map cut_connectors(Front *f)
{
    struct Connections *c = f->lookup->connections;
    Map m = map_new(f->scratch);
    for (uint32_t k = 0; k < c->node.n; k++)
        map_put(&m, c->node.at[k]->parent->id, k);
    return m;
}

/* Adds to each cut joint the flow through it: the sums of the set's flow variables on its two
 * sides. */
static void cut_flows(Front *f, const Map *connector, const uint32_t *element, uint32_t n, EqId eq)
{
    struct Connections *c = f->lookup->connections;
    System *s = f->sys;
    ArenaMark mark = arena_mark(f->scratch);
    Map place = map_new(f->scratch); /* part -> its place in sum */
    ExprId *sum = arena_array(f->scratch, ExprId, n);
    uint32_t *part = arena_array(f->scratch, uint32_t, n);
    VarId *first = arena_array(f->scratch, VarId, n);
    uint32_t n_parts = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t p = part_of_element(f, connector, element[k]);
        ExprId x = system_var_expr(s, (VarId){element[k] / 2});
        if (element[k] % 2 == 1)
            x = expr_neg(s->pool, x);
        uint32_t at = map_get(&place, p);
        if (at == MAP_NONE) {
            at = n_parts++;
            map_put(&place, p, at);
            part[at] = p;
            first[at] = (VarId){element[k] / 2};
            sum[at] = x;
        } else {
            sum[at] = expr_add(s->pool, sum[at], x);
        }
    }
    for (uint32_t at = 0; at < n_parts && n_parts > 1; at++) {
        for (uint32_t h = map_get(&c->broken_at, part[at]); h != MAP_NONE;
             h = c->next_broken[h % 2][h / 2]) {
            uint32_t other = map_get(&place, part_of_edge(f, h / 2, true));
            if (h % 2 == 1 || other == MAP_NONE)
                continue;
            CutFlow flow = {eq, sum[at], sum[other], first[other]};
            vec_push(s->mem, s->cut.at[c->cut[h / 2]].flow, flow);
        }
    }
    arena_rollback(f->scratch, mark);
}

static void equal_members(Front *f, Map *groups, uint32_t a, uint32_t b, CutJoint *cut)
{
    System *s = f->sys;
    const struct Connections *c = f->lookup->connections;
    SetMember first = member_of(f, a), m = member_of(f, b);
    const ConnectPlace *at = &c->place.at[c->place_of[b] - 1];
    Eq e = {.lhs = system_var_expr(s, (VarId){a / 2}),
            .rhs = system_var_expr(s, (VarId){b / 2}),
            .group = group_for(f, groups, first.leaf, 4 + m.leaf->id),
            .index = first.place,
            .span = at->span,
            .origin = at->origin,
            .of_connection = true};
    EqId id = system_add_eq(s, e);
    if (cut)
        vec_push(s->mem, cut->eq, id);
}

/* Equal variables of a set that broken connections part: those of each part, by its first one, then
 * the first ones of both sides of each cut joint, whose constraint that is. False if nothing parts
 * them. */
static bool parted_equations(Front *f, Map *groups, const Map *connector, const uint32_t *element,
                             uint32_t n)
{
    struct Connections *c = f->lookup->connections;
    // of its own: the groups grow meanwhile
    Arena *mem = arena_new();
    Map place = map_new(mem); /* part -> its place in first */
    uint32_t *first = arena_array(mem, uint32_t, n);
    uint32_t *part = arena_array(mem, uint32_t, n);
    uint32_t *joined = arena_array(mem, uint32_t, n);
    uint32_t n_parts = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < n; k++) {
            uint32_t p = part_of_element(f, connector, element[k]);
            uint32_t at = map_get(&place, p);
            if (at == MAP_NONE) {
                at = joined[n_parts] = n_parts;
                n_parts++;
                map_put(&place, p, at);
                first[at] = element[k];
                part[at] = p;
            } else if (pass == 1 && first[at] / 2 != element[k] / 2) {
                equal_members(f, groups, first[at], element[k], NULL);
            }
        }
        if (n_parts == 1) {
            arena_free(mem);
            return false;
        }
    }
    for (uint32_t at = 0; at < n_parts; at++) {
        for (uint32_t h = map_get(&c->broken_at, part[at]); h != MAP_NONE;
             h = c->next_broken[h % 2][h / 2]) {
            uint32_t other = map_get(&place, part_of_edge(f, h / 2, true));
            if (h % 2 == 1 || other == MAP_NONE || joined[other] == joined[at])
                continue;
            CutJoint *cut = &f->sys->cut.at[c->cut[h / 2]];
            equal_members(f, groups, first[at], first[other], cut);
            for (uint32_t k = 0, from = joined[other]; k < n_parts; k++)
                joined[k] = joined[k] == from ? joined[at] : joined[k];
        }
    }
    for (uint32_t k = 1; k < n_parts; k++)
        if (joined[k] != joined[0] && first[0] / 2 != first[k] / 2) {
            equal_members(f, groups, first[0], first[k], NULL);
            for (uint32_t i = 0, from = joined[k]; i < n_parts; i++)
                joined[i] = joined[i] == from ? joined[0] : joined[i];
        }
    arena_free(mem);
    return true;
}

/* MLS 9.3: at most one member of a set gives the value: an output of a component, or a public input
 * of the class around. */
static void check_causality(Front *f, const uint32_t *element, uint32_t n)
{
    const struct Connections *c = f->lookup->connections;
    uint32_t giver = UINT32_MAX;
    for (uint32_t k = 0; k < n; k++) {
        SetMember m = member_of(f, element[k]);
        bool gives = m.inside ? m.leaf->is_output : m.leaf->is_input && !m.leaf->is_protected;
        if (!gives)
            continue;
        if (giver == UINT32_MAX) {
            giver = element[k];
            continue;
        }
        Var *other = var_at(f->sys, (VarId){giver / 2});
        diag_error(f->diags, c->place.at[c->place_of[element[k]] - 1].span, "F02",
                   "both '%s' and '%s' give the value of this connection (MLS 9.3)", other->name.s,
                   var_at(f->sys, (VarId){element[k] / 2})->name.s);
        return;
    }
}

/* MLS 9.3: all members of a connection set that have a quantity attribute have the same. */
static void check_quantity(Front *f, const uint32_t *element, uint32_t n)
{
    const struct Connections *c = f->lookup->connections;
    const Var *first = NULL;
    for (uint32_t k = 0; k < n; k++) {
        const Var *v = var_at(f->sys, (VarId){element[k] / 2});
        if (!v->attr.quantity.s || !v->attr.quantity.s[0])
            continue;
        if (!first)
            first = v;
        if (name_same(first->attr.quantity, v->attr.quantity))
            continue;
        diag_error(f->diags, c->place.at[c->place_of[element[k]] - 1].span, "F02",
                   "'%s' is a %s and '%s' a %s, so they cannot be connected (MLS 9.3)",
                   first->name.s, first->attr.quantity.s, v->name.s, v->attr.quantity.s);
        return;
    }
}

/* MLS 17.3.6: outputs of states of one machine are one source. */
static bool merged_equations(Front *f, const uint32_t *element, uint32_t n)
{
    const struct Connections *c = f->lookup->connections;
    ArenaMark mark = arena_mark(f->scratch);
    VarId *giver = arena_array(f->scratch, VarId, n);
    uint32_t n_givers = 0;
    uint32_t last = 0;
    for (uint32_t k = 0; k < n; k++) {
        SetMember m = member_of(f, element[k]);
        if (!(m.inside ? m.leaf->is_output : m.leaf->is_input && !m.leaf->is_protected))
            continue;
        giver[n_givers++] = (VarId){element[k] / 2};
        last = c->place_of[element[k]];
    }
    VarId all;
    bool is =
        n_givers > 1 && state_machine_merge(f, giver, n_givers, c->place.at[last - 1].span, &all);
    for (uint32_t k = 0, g = 0; is && k < n; k++) {
        VarId v = {element[k] / 2};
        if (g < n_givers && giver[g].i == v.i) {
            g++;
            continue;
        }
        uint32_t at = c->place_of[element[k]];
        system_add_eq(f->sys, (Eq){.lhs = system_var_expr(f->sys, v),
                                   .rhs = system_var_expr(f->sys, all),
                                   .group = GROUP_NONE,
                                   .span = c->place.at[at - 1].span,
                                   .origin = c->place.at[at - 1].origin,
                                   .of_connection = true});
    }
    arena_rollback(f->scratch, mark);
    return is;
}

/* The operator record with the prefix flow that a variable is part of, the outermost one; or NULL.
 */
static Instance *operator_record_of(const Instance *leaf)
{
    Instance *record = NULL;
    for (Instance *p = leaf->parent; p && p->kind == INST_CLASS && p->cls->kind == CLASS_RECORD;
         p = p->parent)
        if (class_operators(p->cls) && p->is_flow)
            record = p;
    return record;
}

/* MLS 9.2: flow variables of an operator record are added by its '+', negative by its '-', and
 * their sum is its '0'. Of the scalar of element[0]: the sum and what it is; both stay as they are
 * where the operators add the fields. False after an error. */
static bool add_by_operators(Front *f, const uint32_t *element, uint32_t n, Span span, ExprId *sum,
                             ExprId *zero)
{
    SetMember first = member_of(f, element[0]);
    if (!operator_record_of(first.leaf))
        return true;
    Value all = {0}, none, next;
    uint32_t n_scalars = 0, at = 0;
    for (uint32_t k = 0; k < n; k++) {
        SetMember m = member_of(f, element[k]);
        Instance *record = operator_record_of(m.leaf);
        Value before = all;
        if (!record || !instance_whole(f, record, span, &next))
            return true; /* said elsewhere */
        if (k == 0) {
            n_scalars = value_n_scalars(&next);
            ExprId *own = arena_array(f->scratch, ExprId, n_scalars);
            value_flatten(&next, own);
            ExprId x = system_var_expr(f->sys, (VarId){element[0] / 2});
            while (at < n_scalars && !expr_same(own[at], x))
                at++;
        }
        if (!m.inside) {
            Value positive = next;
            if (!operator_unary(f, SYN_SUB, span, &positive, &next))
                return false;
        }
        all = next;
        if (k > 0 && !operator_binary(f, SYN_ADD, span, &before, &next, &all))
            return false;
    }
    if (!operator_zero(f, span, &all, &none))
        return false;
    if (at == n_scalars || value_n_scalars(&all) != n_scalars ||
        value_n_scalars(&none) != n_scalars)
        return true;
    ExprId *added = arena_array(f->scratch, ExprId, n_scalars);
    ExprId *nothing = arena_array(f->scratch, ExprId, n_scalars);
    value_flatten(&all, added);
    value_flatten(&none, nothing);
    if (!expr_same(added[at], *sum))
        *sum = added[at];
    *zero = nothing[at];
    return true;
}

static void set_equations(Front *f, Map *groups, const Map *connector, const uint32_t *element,
                          uint32_t n)
{
    System *s = f->sys;
    struct Connections *c = f->lookup->connections;
    SetMember first = member_of(f, element[0]);
    if (n > 1)
        check_quantity(f, element, n);
    ExprId zero = expr_int(s->pool, 0);
    if (first.leaf->is_flow) {
        /* MLS 9.2: the flow variables of a set sum to zero, those of outside connectors negative */
        bool any_inside = false;
        ExprId sum = zero;
        for (uint32_t k = 0; k < n; k++) {
            SetMember m = member_of(f, element[k]);
            ExprId x = system_var_expr(s, (VarId){element[k] / 2});
            any_inside = any_inside || m.inside;
            sum = m.inside ? expr_add(s->pool, sum, x) : expr_sub(s->pool, sum, x);
        }
        if (n == 1 && !any_inside && !is_idle_in_bus(first.leaf))
            return;
        uint32_t at = c->place_of[element[0]];
        Span span = at ? c->place.at[at - 1].span : first.leaf->el->component->name_span;
        if (!add_by_operators(f, element, n, span, &sum, &zero))
            return;
        Eq e = {.lhs = sum,
                .rhs = zero,
                .group = group_for(f, groups, first.leaf, 2 * (n > 1 ? 1u : 0u) + first.inside),
                .index = first.place,
                .span = span,
                .origin = at ? c->place.at[at - 1].origin : first.leaf->parent->path,
                .of_connection = true};
        EqId id = system_add_eq(s, e);
        if (c->part && n > 1)
            cut_flows(f, connector, element, n, id);
        return;
    }
    if (merged_equations(f, element, n))
        return;
    check_causality(f, element, n);
    if (first.leaf->is_stream) {
        /* MLS 15.2: an outside connector carries the mixture of the others */
        for (uint32_t k = 0; k < n; k++) {
            SetMember m = member_of(f, element[k]);
            uint32_t at = c->place_of[element[k]];
            Span span = c->place.at[at - 1].span;
            ExprId mixed;
            if (m.inside || !stream_mixture(f, element, n, element[k], span, &mixed))
                continue;
            Eq e = {.lhs = system_var_expr(s, (VarId){element[k] / 2}),
                    .rhs = mixed,
                    .group = group_for(f, groups, m.leaf, 4),
                    .index = m.place,
                    .span = span,
                    .origin = c->place.at[at - 1].origin,
                    .of_connection = true};
            system_add_eq(s, e);
        }
        return;
    }
    if (c->part && parted_equations(f, groups, connector, element, n))
        return;
    for (uint32_t k = 1; k < n; k++)
        if (element[k] / 2 != element[0] / 2)
            equal_members(f, groups, element[0], element[k], NULL);
}

/* Is the record the first among the potentials of its connector. */
static bool record_comes_first(const Instance *record)
{
    const Instance *connector = record->parent;
    for (uint32_t k = 0; k < instance_n_parts(connector); k++) {
        const Instance *part = instance_part(connector, k);
        if (part == record || is_other_potential(part))
            return part == record;
    }
    return true;
}

/* MLS 9.4.3: the equations of a broken connection: zeros(n) = equalityConstraint(a, b). */
static void broken_equations(Front *f, uint32_t edge)
{
    struct Connections *c = f->lookup->connections;
    System *s = f->sys;
    const Edge *e = &c->edge.at[edge];
    Span span = c->place.at[e->place].span;
    const Class *constraint = connections_constraint(f, e->a->cls);
    Value arg[2];
    Value out;
    if (!instance_whole(f, e->a, span, &arg[0]) || !instance_whole(f, e->b, span, &arg[1]) ||
        !call_function(f, constraint, arg, 2, span, &out))
        return;
    uint32_t n = value_n_scalars(&out);
    ExprId *x = arena_array(f->scratch, ExprId, n + 1);
    value_flatten(&out, x);
    CutJoint *cut = &s->cut.at[c->cut[edge]];
    uint32_t group = n ? system_new_group(s) : GROUP_NONE;
    uint32_t n_ties = record_comes_first(e->a) ? cut->eq.n : 0;
    EqId *tie = arena_array(f->scratch, EqId, n_ties + 1);
    for (uint32_t k = 0; k < n_ties; k++)
        tie[k] = cut->eq.at[k];
    cut->eq.n -= n_ties;
    for (uint32_t k = 0; k < n; k++) {
        Eq eq = {.lhs = expr_int(s->pool, 0),
                 .rhs = x[k],
                 .group = group,
                 .index = k,
                 .span = span,
                 .origin = c->place.at[e->place].origin,
                 .of_connection = true};
        EqId id = system_add_eq(s, eq);
        vec_push(s->mem, cut->eq, id);
    }
    for (uint32_t k = 0; k < n_ties; k++)
        vec_push(s->mem, cut->eq, tie[k]);
    // a record that nothing is left of, as a reference angle of phasors, closes no kinematic loop
    if (!n)
        cut->eq.n = 0;
}

/* ---- elements of arrays in buses that nothing is connected to -------------------------------- */

static bool is_in_bus_array(const Instance *leaf)
{
    if (leaf->variability <= VARIES_PARAMETER)
        return false;
    bool is = leaf->n_dims && class_is_expandable(leaf->parent->cls);
    for (const Instance *i = leaf; i && !is; i = i->parent)
        is = i->array && i->array->parent && class_is_expandable(i->array->parent->cls);
    return is;
}

/* The variables that equations other than those of connections use. */
static bool *used_by_equations(Front *f)
{
    System *s = f->sys;
    for (uint32_t v = 0; v < s->var.n; v++)
        system_var_expr(s, (VarId){v});
    bool *used = arena_array(f->scratch, bool, pool_size(s->pool));
    for (uint32_t k = 0; k < s->eq.n; k++)
        if (!s->eq.at[k].of_connection)
            program_reach(s->pool, 2, (ExprId[]){s->eq.at[k].lhs, s->eq.at[k].rhs}, used);
    for (uint32_t k = 0; k < s->initial_eq.n; k++)
        program_reach(s->pool, 2, (ExprId[]){s->initial_eq.at[k].lhs, s->initial_eq.at[k].rhs},
                      used);
    for (uint32_t k = 0; k < s->assertion.n; k++)
        program_reach(s->pool, 2, (ExprId[]){s->assertion.at[k].cond, s->assertion.at[k].message},
                      used);
    for (uint32_t k = 0; k < s->action.n; k++)
        program_reach(s->pool, 2, (ExprId[]){s->action.at[k].fires, s->action.at[k].value}, used);
    return used;
}

static uint32_t first_of(uint32_t *leader, uint32_t v)
{
    while (leader[v] != v)
        v = leader[v] = leader[leader[v]];
    return v;
}

/* MLS 9.1.3: elements of an array in an expandable connector that nothing is connected to are not
 * present, be it here or in the buses that this one is connected to. The array has them: their
 * variables, true in the result, are zero instead of what the connections say. NULL: there are
 * none.
 */
static const bool *idle_variables(Front *f)
{
    struct Connections *c = f->lookup->connections;
    System *s = f->sys;
    uint32_t n = c->n / 2;
    bool any = false;
    bool *is_idle = arena_array(f->scratch, bool, n + 1);
    uint32_t *leader = arena_array(f->scratch, uint32_t, n + 1);
    for (uint32_t v = 0; v < n && f->lookup->has_expandable; v++) {
        const Instance *leaf = f->lookup->leaf_of_var.at[v];
        leader[v] = v;
        is_idle[v] = leaf && is_in_bus_array(leaf);
        any = any || is_idle[v];
    }
    if (!any)
        return NULL;
    const bool *used = used_by_equations(f);
    for (uint32_t v = 0; v < n; v++)
        is_idle[v] = is_idle[v] && !used[system_var_expr(s, (VarId){v}).i];
    for (uint32_t e = 0; e < c->n; e++)
        for (uint32_t k = c->set_start[e]; k < c->set_start[e + 1]; k++) {
            uint32_t a = first_of(leader, c->set_element[c->set_start[e]] / 2);
            uint32_t b = first_of(leader, c->set_element[k] / 2);
            is_idle[a] = is_idle[a] && is_idle[b];
            leader[b] = a;
        }
    for (uint32_t v = 0; v < n; v++)
        is_idle[v] = is_idle[first_of(leader, v)];
    return is_idle;
}

static void idle_equations(Front *f, const bool *is_idle)
{
    System *s = f->sys;
    for (uint32_t v = 0; v < f->lookup->connections->n / 2; v++) {
        const Instance *leaf = f->lookup->leaf_of_var.at[v];
        if (is_idle[v])
            system_add_eq(s, (Eq){.lhs = system_var_expr(s, (VarId){v}),
                                  .rhs = expr_int(s->pool, 0),
                                  .group = GROUP_NONE,
                                  .span = leaf->el->component->name_span,
                                  .origin = leaf->parent->path,
                                  .of_connection = true});
    }
}

void connections_equations(Front *f)
{
    struct Connections *c = f->lookup->connections;
    ArenaMark mark = arena_mark(f->scratch);
    /* sets in the order of their first elements */
    const uint32_t *start = c->set_start;
    const uint32_t *element = c->set_element;
    Map groups = map_new(f->scratch);
    part_connections(f);
    Map connector = cut_connectors(f);
    const bool *is_idle = idle_variables(f);
    for (uint32_t e = 0; e < c->n; e++) {
        uint32_t n = start[e + 1] - start[e];
        if (n == 0 || (is_idle && is_idle[element[start[e]] / 2]))
            continue;
        const Instance *leaf = f->lookup->leaf_of_var.at[element[start[e]] / 2];
        if (leaf && (n > 1 || leaf->is_flow))
            set_equations(f, &groups, &connector, element + start[e], n);
    }
    for (uint32_t k = 0; k < c->edge.n; k++)
        if (c->broken && c->broken[k])
            broken_equations(f, k);
    if (is_idle)
        idle_equations(f, is_idle);
    arena_rollback(f->scratch, mark);
}

/* ---- connectors without connection ---------------------------------------------------------- */

/* Is no variable of the connector in a connection or, for an input, bound. */
static bool is_loose(Front *f, Instance *i)
{
    if (i->kind == INST_ABSENT || i->kind == INST_FAILED)
        return true;
    if (i->kind == INST_LEAF) {
        if (i->variability <= VARIES_PARAMETER || i->n == 0 || !var_exists(i->var))
            return true;
        const uint32_t *at;
        uint32_t n;
        bool alone = connections_set(f, element_of(i, 0, true), &at, &n) && n == 1;
        return alone && !i->is_output && !instance_has_binding(f, i);
    }
    for (uint32_t k = 0; k < i->n && i->kind == INST_ARRAY; k++)
        if (!is_loose(f, i->elem[k]))
            return false;
    for (uint32_t k = 0; i->kind == INST_CLASS && k < instance_n_parts(i); k++) {
        Instance *part = instance_part(i, k);
        if (part && part->parent == i && !is_loose(f, part))
            return false;
    }
    return i->kind == INST_ARRAY || i->kind == INST_CLASS;
}

/* Does a connector hold an input. */
static bool is_input(const Instance *i)
{
    if (i->kind == INST_LEAF)
        return i->is_input;
    for (uint32_t k = 0; i->kind == INST_CLASS && k < instance_n_parts(i); k++) {
        const Instance *part = instance_part(i, k);
        if (part && part->parent == i && is_input(part))
            return true;
    }
    return false;
}

static void loose_in(Front *f, Instance *i, Span span)
{
    for (uint32_t k = 0; k < i->n && i->kind == INST_ARRAY; k++)
        loose_in(f, i->elem[k], span);
    for (uint32_t k = 0; i->kind == INST_CLASS && k < instance_n_parts(i); k++) {
        Instance *part = instance_part(i, k);
        if (!part || part->kind == INST_ABSENT || part->kind == INST_FAILED ||
            !class_is_connector(part->cls) || class_is_expandable(part->cls))
            continue;
        for (uint32_t j = 0; j < (part->kind == INST_ARRAY ? part->n : 1); j++) {
            Instance *one = part->kind == INST_ARRAY ? part->elem[j] : part;
            if (is_loose(f, one))
                vec_push(f->sys->mem, f->sys->loose, ((LooseEnd){one->path, span, is_input(one)}));
        }
    }
}

static const Instance *first_leaf(const Instance *i, bool of_streams)
{
    if (i->kind == INST_LEAF)
        return i->n == 0 || !var_exists(i->var) || i->variability <= VARIES_PARAMETER ? NULL
               : of_streams ? (i->is_flow ? i : NULL)
                            : (i->is_stream ? NULL : i);
    for (uint32_t k = 0; i->kind == INST_CLASS && k < instance_n_parts(i); k++) {
        const Instance *part = instance_part(i, k);
        const Instance *leaf = part && part->parent == i ? first_leaf(part, of_streams) : NULL;
        if (leaf)
            return leaf;
    }
    return NULL;
}

static bool has_stream(const Instance *i)
{
    if (i->kind == INST_LEAF)
        return i->is_stream;
    for (uint32_t k = 0; i->kind == INST_CLASS && k < instance_n_parts(i); k++) {
        const Instance *part = instance_part(i, k);
        if (part && part->parent == i && has_stream(part))
            return true;
    }
    return false;
}

/* MLS 18.5.2: of a connection set with two others; of streams those count that can flow out. */
static void check_once(Front *f, Instance *connector, const char *message)
{
    bool of_streams = has_stream(connector);
    const Instance *leaf = first_leaf(connector, of_streams);
    const uint32_t *at;
    uint32_t n;
    if (!leaf || !connections_set(f, element_of(leaf, 0, true), &at, &n) || n <= 2)
        return;
    uint32_t others = n;
    for (uint32_t k = 0; of_streams && k < n; k++) {
        ExprId min = var_at(f->sys, (VarId){at[k] / 2})->attr.min;
        double least;
        others -= expr_exists(min) && expr_constant(f->sys->pool, min, &least) && least >= 0;
    }
    if (others <= 2)
        return;
    context_push(f, connector->parent);
    diag_error(f->diags, connector->el->component->name_span, "F02",
               "'%s' is connected to more than one connector: %s (MLS 18.5.2)", connector->path,
               message);
    context_pop(f, connector->parent);
}

/* MLS 18.5.2: a connector with mustBeConnected is connected from outside of its component, one with
 * mayOnlyConnectOnce at most once. */
static void check_connected(Front *f, Instance *connector)
{
    const SynArg *once = syn_mod_find(connector->el->component->annotation, "mayOnlyConnectOnce");
    if (once && once->mod && once->mod->value && once->mod->value->kind == SYN_STRING)
        check_once(f, connector, once->mod->value->text);
    const SynArg *a = syn_mod_find(connector->el->component->annotation, "mustBeConnected");
    const SynExpr *text = a && a->mod ? a->mod->value : NULL;
    if (!text || text->kind != SYN_STRING || !is_loose(f, connector))
        return;
    context_push(f, connector->parent);
    diag_error(f->diags, connector->el->component->name_span, "F02",
               "nothing is connected to '%s': %s (MLS 18.5.2)", connector->path, text->text);
    context_pop(f, connector->parent);
}

/* Checks the components in i, at any depth. */
static void check_components(Front *f, Instance *i)
{
    if (i->kind == INST_ARRAY)
        for (uint32_t k = 0; k < i->n; k++)
            check_components(f, i->elem[k]);
    for (uint32_t k = 0; i->kind == INST_CLASS && k < instance_n_parts(i); k++) {
        Instance *part = instance_part(i, k);
        if (!part || part->parent != i || (part->kind != INST_CLASS && part->kind != INST_ARRAY))
            continue;
        if (!class_is_connector(part->cls)) {
            check_components(f, part);
            continue;
        }
        for (uint32_t j = 0; i->parent && j < (part->kind == INST_ARRAY ? part->n : 1); j++)
            check_connected(f, part->kind == INST_ARRAY ? part->elem[j] : part);
    }
}

void connections_loose(Front *f, Instance *root)
{
    f->sys->file = root->cls->syn->name_span.file;
    check_components(f, root);
    for (uint32_t k = 0; k < instance_n_parts(root); k++) {
        Instance *i = instance_part(root, k);
        bool is_there = i && i->el && i->kind != INST_ABSENT && i->kind != INST_FAILED;
        if (is_there)
            vec_push(f->sys->mem, f->sys->component,
                     ((ModelComponent){i->path, i->el->component->name_span}));
        if (is_there && !class_is_connector(i->cls))
            loose_in(f, i, i->el->component->name_span);
    }
}

/* ---- questions ------------------------------------------------------------------------------- */

static bool too_early(Front *f, Span span)
{
    if (f->lookup->connections && f->lookup->connections->done)
        return false;
    diag_error(f->diags, span, "F03",
               "connections are not known yet where this decides about components");
    return true;
}

bool scope_cardinality(Front *f, Scope *s, const SynCref *cref, long *out)
{
    Selection a;
    if (too_early(f, cref->span) || !instance_select(f, s, cref, &a))
        return false;
    *out = 0;
    if (a.is_absent)
        return true;
    if (a.n != 1) {
        diag_error(f->diags, cref->span, "T32", "cardinality needs one connector, not an array");
        return false;
    }
    for (const Instance *i = a.at[0]; i; i = i->parent)
        if (class_is_expandable(i->cls)) {
            diag_error(f->diags, cref->span, "T08",
                       "cardinality is not of expandable connectors, nor of their elements "
                       "(MLS 3.7.4.3)");
            return false;
        }
    if (!class_is_connector(a.at[0]->cls)) {
        diag_error(f->diags, cref->span, "T08", "cardinality is of a connector (MLS 3.7.4)");
        return false;
    }
    uint32_t n = map_get(&f->lookup->connections->cardinality, a.at[0]->id);
    *out = n == MAP_NONE ? 0 : (long)n;
    return true;
}

static bool node_asked(Front *f, Scope *s, const SynCref *cref, uint32_t *out)
{
    if (too_early(f, cref->span))
        return false;
    SynExpr x = {.kind = SYN_CREF, .span = cref->span, .cref = cref};
    uint32_t known = f->lookup->connections->node.n;
    if (!node_argument(f, s, &x, out))
        return false;
    if (*out < known && f->lookup->connections->root_of)
        return true;
    diag_error(f->diags, cref->span, "F03", "this takes no part in any connection");
    return false;
}

bool scope_is_root(Front *f, Scope *s, const SynCref *cref, bool *out)
{
    uint32_t node;
    if (!node_asked(f, s, cref, &node))
        return false;
    *out = f->lookup->connections->root_of[node] == node;
    return true;
}

bool scope_is_rooted(Front *f, Scope *s, const SynCref *cref, bool *out)
{
    uint32_t node;
    if (!node_asked(f, s, cref, &node))
        return false;
    const struct Connections *c = f->lookup->connections;
    uint32_t k = map_get(&c->branch_of, node);
    if (k == MAP_NONE) {
        /* MLS 9.4.1: rooted needs a branch; without one only a root is rooted */
        *out = c->root_of[node] == node;
        return true;
    }
    *out = c->rooted[k / 2] == (k % 2 == 0);
    return true;
}
