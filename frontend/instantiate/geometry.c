/* geometry.c -- shapes and frames of the instance tree, for drawings (ir/geometry.h). */
#include "frontend/evaluate/resource.h"
#include "frontend/instantiate/instance.h"

#include "ir/geometry.h"

#include <stdlib.h>

static bool has_real(const Instance *i)
{
    return i->kind == INST_LEAF && i->cls->base_type == TYPE_REAL && i->var.i != VAR_NONE.i;
}

static bool is_real(const Instance *i)
{
    return has_real(i) && !i->is_flow && !i->is_stream;
}

/* Position and orientation variables of a connector. A frame has exactly one of each. */
typedef struct Places {
    uint32_t n_positions, n_rotations, n_forces;
    bool has_flow; /* three of them */
    VarId r, T, f;
} Places;

static void find_places(Front *f, const Instance *i, Places *p)
{
    if (is_real(i) && i->n_dims == 1 && i->dims[0] == 3) {
        Name unit = var_at(f->sys, i->var)->attr.unit;
        bool is_length = unit.s && strcmp(unit.s, "m") == 0;
        p->n_positions += is_length;
        p->r = is_length ? i->var : p->r;
    }
    if (is_real(i) && i->n_dims == 2 && i->dims[0] == 3 && i->dims[1] == 3) {
        p->n_rotations++;
        p->T = i->var;
    }
    if (has_real(i) && i->is_flow && i->n_dims == 1 && i->dims[0] == 3) {
        Name unit = var_at(f->sys, i->var)->attr.unit;
        bool is_force = unit.s && strcmp(unit.s, "N") == 0;
        p->has_flow = true;
        p->n_forces += is_force;
        p->f = is_force ? i->var : p->f;
    }
    for (uint32_t k = 0; i->kind == INST_CLASS && k < instance_n_parts(i); k++) {
        const Instance *c = instance_part(i, k);
        if (c && c->parent == i) /* an outer component may be an enclosing one */
            find_places(f, c, p);
    }
}

/* Drawings read it from results. */
static void keep_in_results(Front *f, VarId first, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        var_at(f->sys, (VarId){first.i + k})->hides_result = false;
}

static uint32_t add_frame(Front *f, const Instance *i)
{
    Places p = {.T = VAR_NONE, .f = VAR_NONE};
    if (i->kind != INST_CLASS || !class_is_connector(i->cls))
        return 0;
    find_places(f, i, &p);
    bool is_point = p.n_rotations == 0 && p.has_flow;
    if (p.n_positions != 1 || (p.n_rotations != 1 && !is_point))
        return 0;
    map_put(&f->lookup->frame, i->id, f->sys->geometry.frame.n);
    keep_in_results(f, p.r, 3);
    keep_in_results(f, p.T, var_exists(p.T) ? 9 : 0);
    vec_push(f->sys->mem, f->sys->geometry.frame,
             ((GeometryFrame){.name = name_of(f->names, i->path),
                              .r = p.r,
                              .T = p.T,
                              .f = p.n_forces == 1 ? p.f : VAR_NONE,
                              .pull = VAR_NONE}));
    return 1;
}

/* The part that instance i is; NULL if it is none. */
static GeometryPart *part_of(Front *f, const Instance *i)
{
    uint32_t at = map_get(&f->lookup->part, i->id);
    return at == MAP_NONE ? NULL : &f->sys->geometry.part.at[at];
}

static void add_part(Front *f, const Instance *i)
{
    Geometry *g = &f->sys->geometry;
    uint32_t first = g->frame.n, n = 0;
    for (uint32_t k = 0; k < instance_n_parts(i); k++) {
        const Instance *c = instance_part(i, k);
        if (!c || c->parent != i)
            continue;
        for (uint32_t j = 0; j < (c->kind == INST_ARRAY ? c->n : 1); j++)
            n += add_frame(f, c->kind == INST_ARRAY ? c->elem[j] : c);
    }
    if (n == 0)
        return;
    for (const Instance *a = i->parent; a; a = a->parent) {
        GeometryPart *outer = part_of(f, a);
        if (outer)
            outer->n_frames = 0;
    }
    map_put(&f->lookup->part, i->id, g->part.n);
    vec_push(f->sys->mem, g->part, ((GeometryPart){name_of(f->names, i->path), first, n}));
}

/* Members in the order of GeometrySolid. */
static const struct {
    const char *name;
    uint32_t n;
} wanted[SOLID_MEMBERS] = {{"form", 1}, {"x", 3},        {"y", 3},    {"r", 3},
                           {"size", 3}, {"material", 1}, {"extra", 1}};

static bool solid_members(const Instance *i, VarId *member)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < instance_n_parts(i); k++) {
        const Instance *c = instance_part(i, k);
        for (uint32_t m = 0; c && is_real(c) && m < SOLID_MEMBERS; m++) {
            if (strcmp(c->el->name.s, wanted[m].name) != 0 || c->n != wanted[m].n)
                continue;
            member[m] = c->var;
            found++;
        }
    }
    return found == SOLID_MEMBERS;
}

/* The path in String member `file`, if i has a value there. A name that is no URI of a library's
 * file is kept; if the file does not exist, the drawing reports it. */
static Name solid_file(Front *f, const Instance *i)
{
    for (uint32_t k = 0; k < instance_n_parts(i); k++) {
        Instance *c = instance_part(i, k);
        const Value *v = NULL;
        if (!c || c->kind != INST_LEAF || c->cls->base_type != TYPE_STRING || c->n != 1 ||
            strcmp(c->el->name.s, "file") != 0 || !instance_binding(f, c, false, &v) || !v ||
            v->kind != VALUE_PLAIN || expr_op(f->sys->pool, v->elem[0]) != OP_STRING)
            continue;
        const char *uri = expr_text_of(f->sys->pool, v->elem[0]).s;
        const char *path = *uri ? resource_path(f, class_syntax(f->lookup->root->cls), uri) : NULL;
        return *uri ? name_of(f->names, path ? path : uri) : (Name){0};
    }
    return (Name){0};
}

static void add_solid(Front *f, const Instance *i)
{
    GeometrySolid s = {.name = name_of(f->names, i->path)};
    if (!i->cls->syn || !rung_annotation(i->cls->syn->annotation, "solid") ||
        !solid_members(i, s.member))
        return;
    for (uint32_t m = 0; m < SOLID_MEMBERS; m++)
        keep_in_results(f, s.member[m], wanted[m].n);
    s.file = solid_file(f, i);
    vec_push(f->sys->mem, f->sys->geometry.solid, s);
}

/* ---- looks: forms that a class gives its components ---- */

/* The component of i that a reference without subscripts names, or NULL. */
static const Instance *part_named(const Instance *i, const SynCref *c)
{
    for (uint32_t p = 0; i && p < c->n; p++) {
        const Instance *found = NULL;
        for (uint32_t k = 0; i->kind == INST_CLASS && k < instance_n_parts(i); k++) {
            const Instance *part = instance_part(i, k);
            if (part && part->el && strcmp(part->el->name.s, c->part[p].name.s) == 0)
                found = part;
        }
        i = c->part[p].sub.n ? NULL : found;
    }
    return i;
}

static bool literal(const SynExpr *x, double *to)
{
    bool is_negative = x && x->kind == SYN_UNARY && x->op == SYN_SUB;
    x = is_negative ? x->arg.at[0] : x;
    if (!x || (x->kind != SYN_REAL && x->kind != SYN_INTEGER))
        return false;
    *to = (is_negative ? -1 : 1) * strtod(x->text, NULL);
    return true;
}

static bool literals(const SynExpr *x, LookArgument *to)
{
    if (x && x->kind == SYN_ARRAY && x->n_iter == 0 && x->arg.n <= LOOK_NUMBERS) {
        to->n_dims = 1;
        to->dims[0] = x->arg.n;
        for (uint32_t k = 0; k < x->arg.n; k++)
            if (!literal(x->arg.at[k], &to->number[k]))
                return false;
        return true;
    }
    return literal(x, &to->number[0]);
}

/* Other components of the same class have the same fault. */
static bool is_reported(Front *f, Span span)
{
    for (uint32_t k = 0; k < diags_count(f->diags); k++) {
        Span s = diags_at(f->diags, k)->span;
        if (s.file == span.file && s.begin == span.begin && s.end == span.end)
            return true;
    }
    return false;
}

/* False after a warning, or if a component is absent: such arguments are left out. */
static bool look_argument(Front *f, const Instance *i, const SynArg *a, LookArgument *to)
{
    const SynExpr *x = a->mod ? a->mod->value : NULL;
    *to = (LookArgument){.name = a->path.name[0], .frame = FRAME_NONE, .var = VAR_NONE};
    if (literals(x, to))
        return true;
    const Instance *at = x && x->kind == SYN_CREF ? part_named(i, x->cref) : NULL;
    if (at && at->kind == INST_ABSENT)
        return false;
    if (at && at->kind == INST_CLASS) {
        to->frame = map_get(&f->lookup->frame, at->id);
        if (to->frame != MAP_NONE)
            return true;
    }
    if (at && has_real(at) && at->n_dims <= 2) {
        to->var = at->var;
        to->n_dims = at->n_dims;
        for (uint32_t k = 0; k < at->n_dims; k++)
            to->dims[k] = at->dims[k];
        keep_in_results(f, at->var, at->n);
        return at->n > 0;
    }
    if (!is_reported(f, a->span))
        diag_warning(
            f->diags, a->span, "N51",
            "argument '%s' of a look is a number, up to three of them in braces, or names a "
            "frame or a Real variable of the component; it is left out",
            a->path.name[0].s);
    return false;
}

/* MLS 18 has annotations stay with their class; a look is that of components of derived classes,
 * too, unless these have one of their own. */
static void add_looks(Front *f, const Instance *i)
{
    const SynMod *looks = NULL;
    for (uint32_t k = i->cls->linear.n; k-- > 0 && !looks;) {
        const SynClass *syn = i->cls->linear.at[k]->syn;
        looks = syn ? rung_annotation(syn->annotation, "look") : NULL;
    }
    Geometry *g = &f->sys->geometry;
    for (uint32_t k = 0; looks && k < looks->n; k++) {
        const SynArg *form = &looks->arg[k];
        if (form->kind != SYN_ARG_MODIFY || form->path.n != 1)
            continue;
        GeometryLook look = {.name = name_of(f->names, i->path),
                             .form = form->path.name[0],
                             .first_argument = g->argument.n};
        for (uint32_t n = 0; form->mod && n < form->mod->n; n++) {
            const SynArg *a = &form->mod->arg[n];
            LookArgument argument;
            if (a->kind != SYN_ARG_MODIFY || a->path.n != 1 || !look_argument(f, i, a, &argument))
                continue;
            vec_push(f->sys->mem, g->argument, argument);
        }
        look.n_arguments = g->argument.n - look.first_argument;
        vec_push(f->sys->mem, g->look, look);
    }
}

void geometry_collect_in(Front *f, Instance *i)
{
    if (class_is_connector(i->cls))
        return;
    add_part(f, i);
    add_solid(f, i);
    add_looks(f, i);
}
