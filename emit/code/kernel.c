/* kernel.c -- a recurring stretch of statements as the body of a C loop.
 *
 * An operand is found in the same way in all iterations: as local variable of the same iteration;
 * as one carried over from the iteration before; before the loop, if it is always the same and not
 * computed inside the loop; in an array at a place that is constant or advances by a constant with
 * each iteration; or in an array by a table of indices.
 */
#include "base/bug.h"
#include "base/hash.h"
#include "base/map.h"
#include "emit/code/coder.h"

#include <string.h>

/* The iteration and statement of the body that computes x. */
static bool find(const Section *section, const Segment *s, ExprId x, uint32_t *iteration,
                 uint32_t *from)
{
    uint32_t at = code_section_node(section, x.i)->position;
    if (!at || at - 1 < s->begin || at - 1 >= s->end)
        return false;
    *iteration = (at - 1 - s->begin) / s->period;
    *from = (at - 1 - s->begin) % s->period;
    return true;
}

/* ------------------------------------------------------------------ how operands are found */

static void classify(const Section *section, const Segment *s, Use *use, uint32_t i, ExprId x)
{
    uint32_t iteration = 0, from = 0;
    bool own = find(section, s, x, &iteration, &from);
    if (i == 0) {
        *use = (Use){.kind = own ? USE_LOCAL : USE_START, .from = from};
        return;
    }
    switch (use->kind) {
    case USE_START:
        use->kind = own && iteration == i - 1 ? USE_CARRIED : USE_MEMORY;
        use->from = from;
        return;
    case USE_LOCAL:
        if (!own || iteration != i || from != use->from)
            use->kind = USE_MEMORY;
        return;
    case USE_CARRIED:
        if (!own || iteration != i - 1 || from != use->from)
            use->kind = USE_MEMORY;
        return;
    case USE_MEMORY:
        return;
    }
}

/* Whether the operand comes from outside of the loop's own variables. */
static bool crosses(const Use *use, uint32_t i)
{
    return use->kind == USE_MEMORY || (use->kind == USE_CARRIED && i == 0);
}

Kernel *code_kernel_new(Coder *c, const Segment *s)
{
    Kernel *l = arena_make(c->mem, Kernel);
    l->count = (s->end - s->begin + s->period - 1) / s->period;
    l->rest = (s->end - s->begin) % s->period;
    l->first = arena_array(c->mem, uint32_t, s->period + 1);
    l->stored = arena_array(c->mem, uint8_t, s->period);
    for (uint32_t j = 0; j < s->period; j++) {
        uint32_t n;
        code_operands(&c->section, c->section.item.at[s->begin + j], &n);
        l->first[j + 1] = l->first[j] + n;
    }
    l->use = arena_array(c->mem, Use, l->first[s->period] + 1);

    uint32_t end = s->end - s->begin;
    for (uint32_t k = 0; k < end; k++) {
        uint32_t n;
        const ExprId *operand = code_operands(&c->section, c->section.item.at[s->begin + k], &n);
        Use *use = l->use + l->first[k % s->period];
        for (uint32_t q = 0; q < n; q++)
            classify(&c->section, s, &use[q], k / s->period, operand[q]);
    }
    // from out if all of them are there, else from w
    for (uint32_t k = 0; k < end; k++) {
        uint32_t n;
        const ExprId *operand = code_operands(&c->section, c->section.item.at[s->begin + k], &n);
        Use *use = l->use + l->first[k % s->period];
        for (uint32_t q = 0; q < n; q++)
            if (crosses(&use[q], k / s->period) &&
                !code_section_node(&c->section, operand[q].i)->home)
                use[q].from_w = true;
    }
    for (uint32_t k = 0; k < end; k++) {
        uint32_t n;
        const ExprId *operand = code_operands(&c->section, c->section.item.at[s->begin + k], &n);
        Use *use = l->use + l->first[k % s->period];
        for (uint32_t q = 0; q < n; q++) {
            ExprId x = operand[q];
            uint32_t iteration, from;
            if (!crosses(&use[q], k / s->period) || !code_section_node(&c->section, x.i)->position)
                continue;
            if (use[q].from_w)
                code_own_section_node(&c->section, x.i)->keep = true;
            if (!find(&c->section, s, x, &iteration, &from))
                continue;
            use[q].is_own = true;
            // read there while the loop runs: to be written there, not after it
            if (use[q].from_w)
                l->stored[from] = STORED_ALWAYS;
            if (iteration == k / s->period)
                vec_push(c->mem, l->edge, ((Edge){from, k % s->period}));
        }
    }
    return l;
}

/* ------------------------------------------------------------------ patterns of indices */

/* A number per iteration. */
typedef struct Pattern {
    uint32_t base, stride; /* base + stride * k, modulo 2^32 */
    uint32_t *table;       /* or NULL                        */
    uint32_t n;            /* iterations                     */
} Pattern;

typedef struct Access {
    ArrayKind array;
    Pattern at;
    bool is_target; /* written, not read   */
    bool is_own;    /* computed inside the loop: not loaded before it */
    uint32_t uses;
    bool is_loaded; /* ref is a local      */
    Ref ref;
} Access;

typedef struct Carried {
    uint32_t from; /* statement of the body */
    Spot first;    /* before the loop       */
} Carried;

typedef struct Group {
    ArrayKind array;
    uint32_t stride, base; /* the least base of its accesses */
} Group;

/* The text of a loop while it is made. */
typedef struct Writer {
    Coder *c;
    const Segment *s;
    Kernel *l;
    Arena *scratch;
    Pattern *operand;          /* per operand */
    ArrayKind *array;          /* per operand */
    Pattern *root, *w, *index; /* per statement: where it is stored; parameter or pivot */
    VEC(Access) access;
    Map known;
    uint32_t *access_of;              /* per operand */
    uint32_t *root_access, *w_access; /* per statement */
    VEC(Group) group;
    uint32_t tables, invariants;
    VEC(Carried) carried;
    uint32_t *carried_of;     /* per operand: number of the variable that carries it        */
    uint32_t *local;          /* per statement */
    uint32_t *order;          /* of the statements */
    int *late, *carried_late; /* per statement: when its value is there, in the next iteration */
} Writer;

static void pattern_add(const Writer *o, Pattern *p, uint32_t i, uint32_t value)
{
    if (i == 0)
        *p = (Pattern){.base = value};
    else if (i == 1)
        p->stride = value - p->base;
    else if (!p->table && value != p->base + i * p->stride) {
        p->table = arena_array(o->scratch, uint32_t, o->l->count);
        for (uint32_t k = 0; k < i; k++)
            p->table[k] = p->base + k * p->stride;
    }
    if (p->table)
        p->table[i] = value;
    p->n = i + 1;
}

static bool same_pattern(const Pattern *a, const Pattern *b)
{
    if (!a->table || !b->table)
        return !a->table && !b->table && a->base == b->base && a->stride == b->stride;
    return a->n == b->n && !memcmp(a->table, b->table, a->n * sizeof *a->table);
}

static uint64_t pattern_key(ArrayKind array, const Pattern *p)
{
    uint64_t key = map_key_pair(array, p->base);
    for (uint32_t k = 0; p->table && k < p->n; k++)
        key = hash_pair(key, p->table[k]);
    return hash_pair(key, p->table ? 1 : p->stride * UINT64_C(2));
}

static uint32_t find_access(Writer *o, ArrayKind array, const Pattern *p)
{
    uint64_t key = pattern_key(array, p);
    uint32_t k = map_get(&o->known, key);
    if (k == MAP_NONE || o->access.at[k].array != array || !same_pattern(&o->access.at[k].at, p)) {
        k = o->access.n;
        map_put(&o->known, key, k);
        vec_push(o->scratch, o->access, ((Access){.array = array, .at = *p}));
    }
    o->access.at[k].uses++;
    return k;
}

static uint32_t new_target(Writer *o, ArrayKind array, const Pattern *p)
{
    vec_push(o->scratch, o->access, ((Access){.array = array, .at = *p, .is_target = true}));
    return o->access.n - 1;
}

/* Indices of all operands and targets over the iterations. */
static void find_patterns(Writer *o)
{
    Coder *c = o->c;
    const Segment *s = o->s;
    Kernel *l = o->l;
    for (uint32_t k = 0; k < s->end - s->begin; k++) {
        uint32_t i = k / s->period, j = k % s->period;
        Item it = c->section.item.at[s->begin + k];
        uint32_t n;
        const ExprId *operand = code_operands(&c->section, it, &n);
        for (uint32_t q = 0; q < n; q++) {
            const Use *use = &l->use[l->first[j] + q];
            if (!crosses(use, i))
                continue;
            Spot at = code_place_of(c, operand[q], use->from_w);
            if (i && l->use[l->first[j] + q].kind == USE_MEMORY &&
                o->array[l->first[j] + q] != at.array)
                bug("emit: an operand of a kernel is in two arrays");
            o->array[l->first[j] + q] = at.array;
            pattern_add(o, &o->operand[l->first[j] + q], i, at.index);
        }
        switch (it.kind) {
        case ITEM_EVAL:
            if (code_section_node(&c->section, it.i)->home)
                pattern_add(o, &o->root[j], i, code_section_node(&c->section, it.i)->home - 1);
            if (l->stored[j] == STORED_ALWAYS)
                pattern_add(o, &o->w[j], i, code_node(c, it.i)->slot - 1);
            if (code_pivot(c, it.i))
                pattern_add(o, &o->index[j], i, code_pivot(c, it.i) - 1);
            break;
        case ITEM_ROOT:
            pattern_add(o, &o->root[j], i, c->section.root[it.i].index);
            pattern_add(o, &o->index[j], i, c->section.root[it.i].index);
            break;
        case ITEM_ANGLE:
            pattern_add(o, &o->root[j], i, c->section.angles_at + it.i);
            break;
        case ITEM_ARGUMENT:
            pattern_add(o, &o->root[j], i, code_argument_place(&c->section, it.i));
            break;
        case ITEM_BATCH:
        case ITEM_SOLVE:
        case ITEM_CALL:
        case ITEM_RESULT:
            break;
        }
    }
}

static ArrayKind root_array(const Section *section, Item it)
{
    return it.kind == ITEM_ANGLE || it.kind == ITEM_ARGUMENT ? ARRAY_W
           : it.kind == ITEM_EVAL                            ? ARRAY_OUT
                                  : code_root_array(&section->root[it.i]);
}

static bool has_root(const Section *section, Item it)
{
    return it.kind != ITEM_EVAL || code_section_node(section, it.i)->home;
}

static void find_accesses(Writer *o)
{
    Coder *c = o->c;
    const Segment *s = o->s;
    Kernel *l = o->l;
    for (uint32_t j = 0; j < s->period; j++) {
        Item it = c->section.item.at[s->begin + j];
        for (uint32_t q = l->first[j]; q < l->first[j + 1]; q++)
            if (l->use[q].kind == USE_MEMORY) {
                o->access_of[q] = find_access(o, o->array[q], &o->operand[q]);
                o->access.at[o->access_of[q]].is_own |= l->use[q].is_own;
            }
        if (has_root(&c->section, it))
            o->root_access[j] = new_target(o, root_array(&c->section, it), &o->root[j]);
        if (l->stored[j] == STORED_ALWAYS)
            o->w_access[j] = new_target(o, ARRAY_W, &o->w[j]);
    }
    // one pointer for all operands of an array with the same stride
    for (uint32_t k = 0; k < o->access.n; k++) {
        const Access *a = &o->access.at[k];
        if (a->at.table || !a->at.stride)
            continue;
        uint32_t g = 0;
        while (g < o->group.n &&
               (o->group.at[g].array != a->array || o->group.at[g].stride != a->at.stride))
            g++;
        if (g == o->group.n)
            vec_push(o->scratch, o->group, ((Group){a->array, a->at.stride, a->at.base}));
        else if (a->at.base < o->group.at[g].base)
            o->group.at[g].base = a->at.base;
    }
}

/* ------------------------------------------------------------------ order in the body */

/* State of a statement while the body is ordered from its end to its beginning. */
typedef struct Backlog {
    uint32_t users; /* that are not placed yet            */
    uint32_t ready; /* when the last of them was placed   */
    bool is_live;   /* its value is needed further down   */
    uint32_t below; /* first of its operands in `operand` */
} Backlog;

/* Statements of the body that j needs: local operands, and statements that must stay before it. */
static uint32_t *find_below(Writer *o, Backlog *log)
{
    const Segment *s = o->s;
    const Kernel *l = o->l;
    uint32_t n = s->period;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t q = l->first[j]; q < l->first[j + 1]; q++)
            log[j + 1].below += l->use[q].kind == USE_LOCAL;
    for (uint32_t k = 0; k < l->edge.n; k++)
        log[l->edge.at[k].to + 1].below++;
    for (uint32_t j = 0; j < n; j++)
        log[j + 1].below += log[j].below;
    uint32_t *below = arena_array(o->scratch, uint32_t, log[n].below + 1);
    uint32_t *next = arena_array(o->scratch, uint32_t, n + 1);
    for (uint32_t j = 0; j < n; j++) {
        next[j] = log[j].below;
        for (uint32_t q = l->first[j]; q < l->first[j + 1]; q++)
            if (l->use[q].kind == USE_LOCAL) {
                below[next[j]++] = l->use[q].from;
                log[l->use[q].from].users++;
            }
    }
    for (uint32_t k = 0; k < l->edge.n; k++) {
        below[next[l->edge.at[k].to]++] = l->edge.at[k].from;
        log[l->edge.at[k].from].users++;
    }
    return below;
}

/* Orders the body from its end to its beginning: always takes the statement that adds fewest live
 * values; of these the one whose last user was placed last. Statements that the last iteration
 * executes, too, stay in front. */
static void find_order(Writer *o)
{
    const Kernel *l = o->l;
    uint32_t n = o->s->period;
    Backlog *log = arena_array(o->scratch, Backlog, n + 1);
    uint32_t *ready = arena_array(o->scratch, uint32_t, n + 1), waiting = 0;
    const uint32_t *below = find_below(o, log);
    for (uint32_t q = 0; q < l->first[n]; q++)
        if (l->use[q].kind == USE_CARRIED)
            log[l->use[q].from].is_live = true;
    for (uint32_t j = 0; j < n; j++)
        if (!log[j].users)
            ready[waiting++] = j;
    for (uint32_t placed = 0; placed < n; placed++) {
        uint32_t best = UINT32_MAX;
        int least = 0;
        for (uint32_t k = 0; k < waiting; k++) {
            const Backlog *it = &log[ready[k]];
            if (placed < n - l->rest && ready[k] < l->rest)
                continue;
            int more = it->is_live ? -1 : 0;
            for (uint32_t b = it->below; b < log[ready[k] + 1].below; b++)
                more += !log[below[b]].is_live;
            const Backlog *other = best == UINT32_MAX ? NULL : &log[ready[best]];
            if (!other || more < least ||
                (more == least && (it->ready > other->ready ||
                                   (it->ready == other->ready && ready[k] > ready[best])))) {
                best = k;
                least = more;
            }
        }
        uint32_t j = ready[best];
        ready[best] = ready[--waiting];
        o->order[n - 1 - placed] = j;
        for (uint32_t b = log[j].below; b < log[j + 1].below; b++) {
            Backlog *it = &log[below[b]];
            it->is_live = true;
            it->ready = placed + 1;
            if (!--it->users)
                ready[waiting++] = below[b];
        }
    }
}

/* ------------------------------------------------------------------ length of the recurrence */

/* When a value is available, in cycles from the beginning of the iteration: values that depend on
 * the previous iteration are late, all others early. Latencies of a common processor. */
enum { EARLY = -1000000, LATENCY = 4, LATENCY_DIV = 14, LATENCY_FN = 40 };

static int later_of(int a, int b)
{
    return a > b ? a : b;
}

static int lateness(const Writer *o, uint32_t first, uint32_t k)
{
    const Coder *c = o->c;
    const Term *t = &c->tree.term.at[k];
    if (t->op == OP_VAR) {
        const Use *use = &o->l->use[first + t->arg[0]];
        return use->kind == USE_LOCAL     ? o->late[use->from]
               : use->kind == USE_CARRIED ? o->carried_late[use->from]
                                          : EARLY;
    }
    int late = EARLY;
    for (int i = 0; i < 3 && t->arg[i] != UINT32_MAX; i++)
        late = later_of(late, lateness(o, first, t->arg[i]));
    if (late == EARLY)
        return EARLY;
    return late + (t->op == OP_DIV ? LATENCY_DIV : t->op == OP_FN ? LATENCY_FN : LATENCY);
}

typedef struct Part {
    uint32_t term;
    bool negated;
    int late;
} Part;

enum { PARTS = 64 };

/* The parts of a sum or a product, in the order in which they stand. */
static uint32_t flatten(const Writer *o, uint32_t first, uint32_t k, bool is_sum, bool negated,
                        Part *part, uint32_t n)
{
    const Term *t = &o->c->tree.term.at[k];
    bool own = negated != t->negated;
    if (n < PARTS / 2 && (is_sum ? op_is_sum(t->op) : t->op == OP_MUL)) {
        n = flatten(o, first, t->arg[0], is_sum, own, part, n);
        return flatten(o, first, t->arg[1], is_sum,
                       is_sum && t->op == OP_SUB ? !own : own && is_sum, part, n);
    }
    part[n] = (Part){k, own, lateness(o, first, k)};
    return n + 1;
}

static uint32_t new_pair(Coder *c, Op op, uint32_t a, uint32_t b)
{
    c->tree.term.at[a].negated = c->tree.term.at[b].negated = false;
    vec_push(c->mem, c->tree.term, ((Term){.op = (uint8_t)op, .arg = {a, b, UINT32_MAX}}));
    return c->tree.term.n - 1;
}

/* The term anew with late parts of sums and products last, so that they wait for no other. */
static uint32_t hurry(const Writer *o, uint32_t first, uint32_t k)
{
    Coder *c = o->c;
    Op op = (Op)c->tree.term.at[k].op;
    for (int i = 0; i < 3 && op != OP_VAR && c->tree.term.at[k].arg[i] != UINT32_MAX; i++) {
        uint32_t a = hurry(o, first, c->tree.term.at[k].arg[i]);
        c->tree.term.at[k].arg[i] = a;
    }
    bool is_sum = op_is_sum(op);
    if (!is_sum && op != OP_MUL)
        return k;
    Part part[PARTS];
    uint32_t n = flatten(o, first, k, is_sum, false, part, 0);
    bool sorted = true;
    for (uint32_t i = 1; i < n; i++) {
        Part it = part[i];
        uint32_t j = i;
        for (; j && part[j - 1].late > it.late; j--, sorted = false)
            part[j] = part[j - 1];
        part[j] = it;
    }
    if (sorted || n < 3)
        return k;
    bool negated = part[0].negated;
    uint32_t sum = part[0].term;
    for (uint32_t i = 1; i < n; i++) {
        if (!is_sum) {
            negated = negated != part[i].negated;
            sum = new_pair(c, OP_MUL, sum, part[i].term);
        } else if (negated == part[i].negated) {
            sum = new_pair(c, OP_ADD, sum, part[i].term);
        } else if (negated) {
            sum = new_pair(c, OP_SUB, part[i].term, sum);
            negated = false;
        } else {
            sum = new_pair(c, OP_SUB, sum, part[i].term);
        }
    }
    c->tree.term.at[sum].negated = negated;
    return sum;
}

/* Orders the current statement such that the recurrence is short. Returns when its value is
 * available. */
static int hurry_statement(const Writer *o, uint32_t j)
{
    Coder *c = o->c;
    uint32_t whole = hurry(o, o->l->first[j], c->tree.term.n - 1);
    if (whole != c->tree.term.n - 1)
        vec_push(c->mem, c->tree.term, c->tree.term.at[whole]);
    return lateness(o, o->l->first[j], c->tree.term.n - 1);
}

/* How late the values of one iteration are in the next: relative to the latest of them. */
static void find_lateness(Writer *o)
{
    enum { ROUNDS = 3 };
    const Kernel *l = o->l;
    uint32_t n = o->s->period;
    for (uint32_t j = 0; j < n; j++)
        o->carried_late[j] = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int latest = EARLY;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t j = o->order[k];
            code_read(o->c, o->c->section.item.at[o->s->begin + j]);
            o->late[j] = hurry_statement(o, j);
        }
        for (uint32_t q = 0; q < l->first[n]; q++)
            if (l->use[q].kind == USE_CARRIED)
                latest = later_of(latest, o->late[l->use[q].from]);
        for (uint32_t j = 0; j < n; j++)
            o->carried_late[j] = o->late[j] == EARLY ? EARLY : o->late[j] - latest;
    }
}

/* ------------------------------------------------------------------ text */

uint32_t code_index_table(Coder *c, uint32_t n, const uint32_t *value)
{
    uint64_t key = n;
    for (uint32_t k = 0; k < n; k++)
        key = hash_pair(key, value[k]);
    uint32_t number = map_get(&c->index_known, key);
    if (number != MAP_NONE && c->index.at[number].n == n &&
        !memcmp(c->index.at[number].at, value, n * sizeof *value))
        return number;
    uint32_t *at = arena_array(c->mem, uint32_t, n);
    memcpy(at, value, n * sizeof *at);
    number = c->index.n;
    map_put(&c->index_known, key, number);
    vec_push(c->mem, c->index, ((IndexTable){at, n}));
    text_printf(&c->files.prototypes, "extern %suint32_t %s_index_%u[%u];\n",
                c->o.constant_tables ? "const " : "", c->id, number, coder_index_room(n));
    return number;
}

static uint32_t put_table(Writer *o, const Pattern *p)
{
    text_printf(&o->c->chunk.body, "    const uint32_t *i%u = %s_index_%u;\n", ++o->tables,
                o->c->id, code_index_table(o->c, p->n, p->table));
    return o->tables;
}

/* How an access is written; declares its table, or the invariant. */
static void name_access(Writer *o, Access *a)
{
    if (a->at.table) {
        a->ref = (Ref){REF_TABLE, a->array, put_table(o, &a->at), 0};
    } else if (a->at.stride) {
        uint32_t g = 0;
        while (o->group.at[g].array != a->array || o->group.at[g].stride != a->at.stride)
            g++;
        a->ref = (Ref){REF_STRIDE, a->array, g + 1, a->at.base - o->group.at[g].base};
    } else {
        a->ref = (Ref){REF_FIXED, a->array, 0, a->at.base};
        if (!a->is_target && !a->is_own) {
            text_printf(&o->c->chunk.body, "    const %s g%u = ", code_real_of(o->c, a->array),
                        ++o->invariants);
            code_put_ref(o->c, &o->c->chunk.body, a->ref);
            text_put(&o->c->chunk.body, ";\n");
            a->ref = (Ref){REF_INVARIANT, a->array, o->invariants, 0};
        }
    }
}

static void put_index(Writer *o, Text *t, const Pattern *p)
{
    if (p->table)
        text_printf(t, "i%u[k]", put_table(o, p));
    else if (!p->stride)
        text_printf(t, "%uu", p->base);
    else
        text_printf(t, "%uu + %uu * (uint32_t)k", p->base, p->stride);
}

/* The variable that has the value of statement `from` in the next iteration, and that of `first` in
 * the first one. */
static uint32_t carry(Writer *o, uint32_t from, Spot first)
{
    Text *t = &o->c->chunk.body;
    uint32_t k = 0;
    while (k < o->carried.n &&
           (o->carried.at[k].from != from || o->carried.at[k].first.array != first.array ||
            o->carried.at[k].first.index != first.index))
        k++;
    if (k < o->carried.n)
        return k + 1;
    vec_push(o->scratch, o->carried, ((Carried){from, first}));
    text_printf(t, "    %s v%u = ", code_real(o->c), o->carried.n);
    code_open_lane(o->c);
    code_put_place(o->c, t, first);
    code_close_lane(o->c);
    text_put(t, ";\n");
    return o->carried.n;
}

/* Declarations before the loop. index: per statement, the text of its number. */
static void put_before(Writer *o, const char **index)
{
    Coder *c = o->c;
    const Segment *s = o->s;
    const Kernel *l = o->l;
    for (uint32_t k = 0; k < o->access.n; k++)
        name_access(o, &o->access.at[k]);
    for (uint32_t j = 0; j < s->period; j++) {
        Item it = c->section.item.at[s->begin + j];
        bool parameter = it.kind == ITEM_ROOT && c->section.root[it.i].kind == ROOT_PARAMETER;
        if (!parameter && !(it.kind == ITEM_EVAL && code_pivot(c, it.i)))
            continue;
        Text t = text_new(o->scratch);
        put_index(o, &t, &o->index[j]);
        index[j] = t.at;
    }
    for (uint32_t q = 0; q < l->first[s->period]; q++)
        if (l->use[q].kind == USE_CARRIED)
            o->carried_of[q] = carry(o, l->use[q].from, (Spot){o->array[q], o->operand[q].base});
    for (uint32_t j = 0; j < s->period; j++)
        if (l->stored[j] == STORED_LAST)
            text_printf(&c->chunk.body, "    %s e%u = %s;\n", code_real(c), j,
                        code_in_lanes(c) ? "{0}" : "0.0");
}

static void put_pointers(Writer *o)
{
    Coder *c = o->c;
    bool as_condition = c->section.kind == SECTION_ASSERTIONS && !code_in_lanes(c);
    for (uint32_t g = 0; g < o->group.n; g++) {
        const Group *it = &o->group.at[g];
        bool back = it->stride > UINT32_MAX / 2;
        c->chunk.has[it->array] = true;
        text_printf(&c->chunk.body, "        %s%s *%s_%u = %s + (%u %c %u * k);\n",
                    code_array_is_const(&c->section, it->array) ? "const " : "",
                    as_condition && it->array == ARRAY_OUT ? "unsigned char"
                                                           : code_element(c, it->array),
                    code_array_name(it->array), g + 1, code_array_name(it->array), it->base,
                    back ? '-' : '+', back ? UINT32_MAX - it->stride + 1 : it->stride);
    }
}

/* Names the operands of the current statement; one that is read more than once becomes a local. */
static void put_loads(Writer *o, uint32_t j)
{
    Coder *c = o->c;
    const Kernel *l = o->l;
    c->tree.ref.n = 0;
    for (uint32_t q = l->first[j]; q < l->first[j + 1]; q++) {
        const Use *use = &l->use[q];
        Ref r = {.kind = REF_LOCAL};
        if (use->kind == USE_LOCAL) {
            r.n = o->local[use->from];
        } else if (use->kind == USE_CARRIED) {
            r = (Ref){.kind = REF_CARRIED, .n = o->carried_of[q]};
        } else {
            Access *a = &o->access.at[o->access_of[q]];
            if (a->uses > 1 && !a->is_loaded && a->ref.kind != REF_INVARIANT) {
                text_printf(&c->chunk.body, "        const %s t%u = ", code_real_of(c, a->array),
                            ++c->chunk.locals);
                code_put_ref(c, &c->chunk.body, a->ref);
                text_put(&c->chunk.body, ";\n");
                a->ref = (Ref){.kind = REF_LOCAL, .n = c->chunk.locals};
                a->is_loaded = true;
            }
            r = a->ref;
        }
        vec_push(c->mem, c->tree.ref, r);
    }
}

void code_put_kernel(Coder *c, const Segment *s)
{
    Kernel *l = s->kernel;
    uint32_t n = s->period, operands = l->first[n];
    Arena *scratch = arena_new();
    Writer o = {.c = c, .s = s, .l = l, .scratch = scratch, .known = map_new(scratch)};
    o.operand = arena_array(scratch, Pattern, operands + 1);
    o.array = arena_array(scratch, ArrayKind, operands + 1);
    o.access_of = arena_array(scratch, uint32_t, operands + 1);
    o.root = arena_array(scratch, Pattern, n);
    o.w = arena_array(scratch, Pattern, n);
    o.index = arena_array(scratch, Pattern, n);
    o.root_access = arena_array(scratch, uint32_t, n);
    o.w_access = arena_array(scratch, uint32_t, n);
    o.carried_of = arena_array(scratch, uint32_t, operands + 1);
    o.local = arena_array(scratch, uint32_t, n);
    o.order = arena_array(scratch, uint32_t, n);
    o.late = arena_array(scratch, int, n);
    o.carried_late = arena_array(scratch, int, n);
    const char **index = arena_array(scratch, const char *, n);
    find_patterns(&o);
    find_accesses(&o);
    find_order(&o);
    find_lateness(&o);

    put_before(&o, index);
    text_printf(&c->chunk.body, "    for (size_t k = 0; k < %u; k++) {\n", l->count);
    put_pointers(&o);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t j = o.order[k];
        // the last time, only the beginning
        if (l->rest && k == l->rest)
            text_printf(&c->chunk.body, "        if (k == %u)\n            break;\n", l->count - 1);
        Item it = c->section.item.at[s->begin + j];
        code_read(c, it);
        hurry_statement(&o, j);
        put_loads(&o, j);
        o.local[j] = ++c->chunk.locals;
        Target to = {.index = index[j], .indent = "        "};
        to.has_root = has_root(&c->section, it);
        to.has_w = l->stored[j] == STORED_ALWAYS;
        if (to.has_root)
            to.root = o.access.at[o.root_access[j]].ref;
        if (to.has_w)
            to.w = o.access.at[o.w_access[j]].ref;
        code_put_statement(c, it, o.local[j], to);
        if (l->stored[j] == STORED_LAST)
            text_printf(&c->chunk.body, "        e%u = t%u;\n", j, o.local[j]);
    }
    for (uint32_t k = 0; k < o.carried.n; k++)
        text_printf(&c->chunk.body, "        v%u = t%u;\n", k + 1, o.local[o.carried.at[k].from]);
    text_put(&c->chunk.body, "    }\n");
    for (uint32_t j = 0; j < n; j++)
        if (l->stored[j] == STORED_LAST) {
            ExprId x = {c->section.item.at[s->begin + (kernel_count(l, j) - 1) * n + j].i};
            text_put(&c->chunk.body, "    ");
            code_put_place(c, &c->chunk.body, (Spot){ARRAY_W, code_node(c, x.i)->slot - 1});
            text_printf(&c->chunk.body, " = e%u;\n", j);
        }
    arena_free(scratch);
}
