#include "ir/system.h"

#include "base/bug.h"
#include "base/hash.h"
#include "base/text.h"

#ifdef RUNG_STRESS
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 16 };
#endif

System *system_new(Arena *mem, Names *names, Diags *diags, bool by_value)
{
    System *s = arena_make(mem, System);
    s->mem = s->own = mem;
    s->table = arena_part(mem);
    s->names = names;
    s->diags = diags;
    s->pool = pool_new(mem, by_value);
    s->der_group = map_new(mem);
    s->function = arena_make(mem, SystemFunctions);
    s->function->name_uses = map_new(mem);
    s->function->intrinsic = map_new(mem);
    return s;
}

void system_free(System *s)
{
    if (s)
        pool_free(s->pool);
}

Attributes attributes_none(void)
{
    return (Attributes){.start = EXPR_NONE,
                        .min = EXPR_NONE,
                        .max = EXPR_NONE,
                        .nominal = EXPR_NONE,
                        .fixed = UNKNOWN,
                        .select = STATE_DEFAULT};
}

System *system_view(System *s)
{
    Arena *own = arena_part(s->mem);
    System *v = arena_make(own, System);
    *v = *s;
    v->own = own;
    v->table = arena_part(own);
    memset(&v->var, 0, sizeof v->var);
    memset(&v->eq, 0, sizeof v->eq);
    memset(&v->initial_eq, 0, sizeof v->initial_eq);
    memset(&v->assertion, 0, sizeof v->assertion);
    memset(&v->memory, 0, sizeof v->memory);
    memset(&v->action, 0, sizeof v->action);
    vec_reserve_own(v->table, v->var, s->var.n);
    v->var.n = s->var.n;
    if (s->var.n > 0)
        memcpy(v->var.at, s->var.at, s->var.n * sizeof *s->var.at);
    if (s->by_name.cap > 0) {
        v->by_name.slot = arena_array(v->table, uint32_t, s->by_name.cap);
        memcpy(v->by_name.slot, s->by_name.slot, s->by_name.cap * sizeof *s->by_name.slot);
    }
    return v;
}

void system_view_free(System *view)
{
    arena_free(view->own);
}

const char *assertion_where(Diags *d, const Assertion *a)
{
    return a->where ? a->where : a->span.file ? diags_where(d, a->span) : "";
}

const char *enumeration_text(const Enumeration *e, Arena *mem)
{
    Text t = text_new(mem);
    text_put(&t, e->name.s);
    for (uint32_t k = 0; k < e->n; k++)
        text_printf(&t, "\n%s", e->literal[k].s);
    return t.at;
}

Var var_plain(Name name)
{
    return (Var){.name = name,
                 .kind = VAR_CONTINUOUS,
                 .type = TYPE_REAL,
                 .enumeration = ENUMERATION_NONE,
                 .attr = attributes_none(),
                 .binding = EXPR_NONE,
                 .der = VAR_NONE,
                 .der_of = VAR_NONE,
                 .group = GROUP_NONE,
                 .span = SPAN_NONE,
                 .guess = EXPR_NONE};
}

static uint32_t *name_slot(const System *s, Name name)
{
    const VarIndex *x = &s->by_name;
    uint32_t k = (uint32_t)(hash_pair(map_key_ptr(name.s), 0) >> 32) & (x->cap - 1);
    while (x->slot[k] && (x->slot[k] > s->var.n || s->var.at[x->slot[k] - 1].name.s != name.s))
        k = (k + 1) & (x->cap - 1);
    return &x->slot[k];
}

/* Variables k, ... get their entries. */
static void index_names(System *s, uint32_t k, uint32_t cap)
{
    VarIndex *x = &s->by_name;
    if (cap > 0) {
        arena_drop(s->table, x->slot, x->cap * sizeof *x->slot);
        *x = (VarIndex){arena_array(s->table, uint32_t, cap), cap, 0};
    }
    for (; k < s->var.n; k++) {
        uint32_t *slot = name_slot(s, s->var.at[k].name);
        x->n += *slot == 0;
        *slot = k + 1;
    }
}

void system_index_names(System *s)
{
    index_names(s, 0, s->by_name.cap);
}

VarId system_add_var(System *s, Var v)
{
    VarId id = {s->var.n};
    if (var_exists(system_find_var(s, v.name)))
        bug("system_add_var: '%s' is there already", v.name.s);
    vec_push_own(s->table, s->var, v);
    bool is_full = 4 * (uint64_t)(s->by_name.n + 1) > 3 * (uint64_t)s->by_name.cap;
    if (is_full)
        index_names(s, 0, s->by_name.cap ? 2 * s->by_name.cap : FIRST_SLOTS);
    else
        index_names(s, id.i, 0);
    return id;
}

VarId system_find_var(const System *s, Name name)
{
    uint32_t k = s->by_name.cap ? *name_slot(s, name) : 0;
    return k ? (VarId){k - 1} : VAR_NONE;
}

VarId system_der(System *s, VarId v)
{
    if (var_exists(s->var.at[v.i].der))
        return s->var.at[v.i].der;
    const Var *x = var_at(s, v);
    Var d = var_plain(name_printf(s->names, "der(%s)", x->name.s));
    d.der_of = v;
    d.span = x->span;
    d.is_protected = x->is_protected;
    d.hides_result = x->hides_result;
    if (x->attr.unit.s && x->attr.unit.s[0])
        d.attr.unit = name_printf(s->names, "(%s)/s", x->attr.unit.s);
    if (x->group != GROUP_NONE) {
        /* the derivatives of an array are an array */
        uint32_t g = map_get(&s->der_group, x->group);
        if (g == MAP_NONE) {
            g = system_new_group(s);
            map_put(&s->der_group, x->group, g);
        }
        d.group = g;
        d.index = x->index;
    }
    VarId id = system_add_var(s, d);
    s->var.at[v.i].der = id;
    return id;
}

ExprId system_var_expr(System *s, VarId v)
{
    static const Variability how[] = {
        [VAR_CONSTANT] = VARIES_PARAMETER, [VAR_PARAMETER] = VARIES_PARAMETER,
        [VAR_INPUT] = VARIES_ALWAYS,       [VAR_MEMORY] = VARIES_DISCRETE,
        [VAR_DISCRETE] = VARIES_DISCRETE,  [VAR_CONTINUOUS] = VARIES_ALWAYS,
    };
    ExprId known = expr_of_var(s->pool, v);
    if (expr_exists(known))
        return known;
    const Var *x = var_at(s, v);
    return expr_var(s->pool, v, x->is_initial ? VARIES_ALWAYS : how[x->kind]);
}

bool system_is_marked(const System *s, ExprId x, const bool *mark)
{
    return expr_op(s->pool, x) == OP_VAR && expr_var_of(s->pool, x).i < s->var.n &&
           mark[expr_var_of(s->pool, x).i];
}

VarId system_add_hidden(System *s, const char *name)
{
    Var v = var_plain(name_of(s->names, name));
    v.is_hidden = true;
    return system_add_var(s, v);
}

VarId system_add_memory(System *s, Memory m, BaseType type, const char *name)
{
    Var v = var_plain(name_printf(s->names, "%s %u", name, s->memory.n + 1));
    v.kind = VAR_MEMORY;
    v.type = type;
    v.index = s->memory.n;
    v.span = m.span;
    v.is_hidden = true;
    m.var = system_add_var(s, v);
    vec_push(s->mem, s->memory, m);
    return m.var;
}

EqId system_add_eq(System *s, Eq e)
{
    vec_push_own(s->table, s->eq, e);
    return (EqId){s->eq.n - 1};
}

void expr_places_add(ExprPlaces *out, uint32_t n, ExprId *x, Arena *mem)
{
    for (uint32_t k = 0; k < n; k++)
        if (expr_exists(x[k]))
            vec_push_own(mem, *out, &x[k]);
}

static void add_place(ExprPlaces *out, ExprId *x, Arena *mem)
{
    expr_places_add(out, 1, x, mem);
}

static void add_equations(ExprPlaces *out, uint32_t n, Eq *e, Arena *mem)
{
    for (uint32_t k = 0; k < n; k++) {
        add_place(out, &e[k].lhs, mem);
        add_place(out, &e[k].rhs, mem);
    }
}

static void add_cut(ExprPlaces *out, CutJoint *j, Arena *mem)
{
    expr_places_add(out, j->n_common, j->common, mem);
    expr_places_add(out, j->n_record, j->record, mem);
    for (uint32_t k = 0; k < j->flow.n; k++) {
        add_place(out, &j->flow.at[k].a, mem);
        add_place(out, &j->flow.at[k].b, mem);
    }
}

static void add_events(System *s, ExprPlaces *out, Arena *mem)
{
    for (uint32_t k = 0; k < s->assertion.n; k++) {
        add_place(out, &s->assertion.at[k].cond, mem);
        add_place(out, &s->assertion.at[k].message, mem);
    }
    for (uint32_t k = 0; k < s->memory.n; k++) {
        add_place(out, &s->memory.at[k].of, mem);
        add_place(out, &s->memory.at[k].start, mem);
        add_place(out, &s->memory.at[k].interval, mem);
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        add_place(out, &s->action.at[k].fires, mem);
        add_place(out, &s->action.at[k].value, mem);
    }
    for (uint32_t k = 0; k < s->clocked.n; k++)
        add_place(out, &s->clocked.at[k].clock, mem);
    for (uint32_t k = 0; k < s->lost.n; k++)
        add_place(out, &s->lost.at[k].x, mem);
    for (uint32_t k = 0; k < s->state.n; k++) {
        add_place(out, &s->state.at[k].active, mem);
        add_place(out, &s->state.at[k].reset, mem);
    }
}

void system_expressions(System *s, ExprPlaces *out, Arena *mem)
{
    for (uint32_t k = 0; k < s->var.n; k++) {
        Var *v = &s->var.at[k];
        add_place(out, &v->attr.start, mem);
        add_place(out, &v->attr.min, mem);
        add_place(out, &v->attr.max, mem);
        add_place(out, &v->attr.nominal, mem);
        add_place(out, &v->guess, mem);
        add_place(out, &v->binding, mem);
    }
    add_equations(out, s->eq.n, s->eq.at, mem);
    add_equations(out, s->initial_eq.n, s->initial_eq.at, mem);
    add_events(s, out, mem);
    for (uint32_t k = 0; k < s->homotopy.n; k++) {
        add_place(out, &s->homotopy.at[k].actual, mem);
        add_place(out, &s->homotopy.at[k].simplified, mem);
    }
    for (uint32_t k = 0; k < s->cut.n; k++)
        add_cut(out, &s->cut.at[k], mem);
}

void system_drop_eqs(System *s, uint32_t n, const bool *dropped)
{
    Arena *tmp = arena_new();
    uint32_t kept = 0;
    uint32_t *number = arena_array(tmp, uint32_t, s->eq.n + 1); /* 1 + the new one; 0: taken out */
    for (uint32_t k = 0; k < s->eq.n; k++)
        number[k] = k < n && dropped[k] ? 0 : ++kept;
    /* the derivative of an equation that is dropped is taken for a derivative of the equation
     * below that, which is kept */
    for (uint32_t k = 0; k < s->eq.n; k++) {
        uint32_t *of = &s->eq.at[k].der_of;
        while (*of > 0 && !number[*of - 1])
            *of = s->eq.at[*of - 1].der_of;
    }
    for (uint32_t k = 0; k < s->eq.n; k++) {
        if (!number[k])
            continue;
        Eq e = s->eq.at[k];
        e.der_of = e.der_of > 0 ? number[e.der_of - 1] : 0;
        s->eq.at[number[k] - 1] = e;
    }
    s->eq.n = kept;
    arena_free(tmp);
}

void system_shrink(System *s)
{
    uint32_t cap = vec_capacity(0, s->eq.n, sizeof *s->eq.at);
    if (cap >= s->eq.cap)
        return;
    Eq *at = arena_array(s->table, Eq, cap);
    memcpy(at, s->eq.at, s->eq.n * sizeof *at);
    arena_drop(s->table, s->eq.at, s->eq.cap * sizeof *at);
    s->eq.at = at;
    s->eq.cap = cap;
}

FuncId system_add_function(System *s, Function f)
{
    uint32_t used = map_get(&s->function->name_uses, map_key_ptr(f.name.s));
    uint32_t number = used == MAP_NONE ? 1 : used + 1;
    map_put(&s->function->name_uses, map_key_ptr(f.name.s), number);
    f.key = number == 1 ? f.name : name_printf(s->names, "%s:%u", f.name.s, number);
    vec_push(s->mem, *s->function, f);
    return (FuncId){s->function->n - 1};
}

uint32_t system_new_group(System *s)
{
    return s->n_groups++;
}

static void check_expr(const System *s, ExprId x, const char *where)
{
    if (x.i >= pool_size(s->pool))
        bug("%s: expression %u does not exist", where, x.i);
}

void system_check(const System *s)
{
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        if (!v->name.s)
            bug("system: variable %u has no name", k);
        if (var_exists(v->der) && s->var.at[v->der.i].der_of.i != k)
            bug("system: der of '%s' does not point back", v->name.s);
        if (var_exists(v->der_of) && s->var.at[v->der_of.i].der.i != k)
            bug("system: '%s' is not the derivative it says", v->name.s);
        if (expr_exists(v->binding))
            check_expr(s, v->binding, v->name.s);
        if (v->group != GROUP_NONE && v->group >= s->n_groups)
            bug("system: group of '%s' does not exist", v->name.s);
    }
    for (uint32_t k = 0; k < s->eq.n; k++) {
        check_expr(s, s->eq.at[k].lhs, "system: left side");
        check_expr(s, s->eq.at[k].rhs, "system: right side");
    }
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        check_expr(s, s->initial_eq.at[k].lhs, "system: initial left side");
        check_expr(s, s->initial_eq.at[k].rhs, "system: initial right side");
    }
}

bool system_supported(const System *s)
{
    for (uint32_t k = 0; k < s->unsupported.n; k++) {
        const Unsupported *u = &s->unsupported.at[k];
        diag_error(s->diags, u->span, u->code, "%s", u->what);
    }
    return s->unsupported.n == 0;
}
