/* side.c -- structures side by side, as the branches of a tree are, one behind the other.
 *
 * Statements are of one class if they compute the same from operands of the same classes: in a tree
 * the bodies of one level have their classes in common, each as many members as the level has
 * bodies. Connected statements of equally large classes are the statements of one body; bodies
 * whose statements are of the same classes follow each other, so that they become a loop.
 */
#include "base/hash.h"
#include "base/map.h"
#include "emit/code/coder.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 4 }; // members, from which on a loop is shorter

typedef struct LayoutNode {
    uint32_t level, size; // times the size of classes changes on the way here; members of its class
    uint64_t kind;        // of a connected component: the sum of its classes
    uint32_t whole;       // its first statement
    uint32_t class, index;
    Item item;
} LayoutNode;

typedef struct Sides {
    Section *section;
    uint32_t begin, n;    // the stretch of statements
    LayoutNode *standing; // per statement
    uint64_t *hash;       // per statement: its class
    uint32_t *up;         // per statement: towards the first of its connected component
} Sides;

static uint32_t first_of(const Sides *s, uint32_t k)
{
    while (s->up[k] != k)
        k = s->up[k] = s->up[s->up[k]];
    return k;
}

/* The statement of the stretch that computes x, or UINT32_MAX. */
static uint32_t maker(const Sides *s, ExprId x)
{
    uint32_t at = code_section_node(s->section, x.i)->position - 1; // UINT32_MAX where it has none
    return at >= s->begin && at < s->begin + s->n ? at - s->begin : UINT32_MAX;
}

static void find_classes(Sides *s, Arena *scratch)
{
    const Section *section = s->section;
    Map known = map_new(scratch);
    VEC(uint32_t) members = {0};
    for (uint32_t k = 0; k < s->n; k++) {
        LayoutNode *p = &s->standing[k];
        uint32_t n;
        p->item = section->item.at[s->begin + k];
        const ExprId *operand = code_operands(section, p->item, &n);
        s->hash[k] = code_token(section, p->item);
        for (uint32_t q = 0; q < n; q++) {
            uint32_t from = maker(s, operand[q]);
            s->hash[k] = hash_pair(s->hash[k], from == UINT32_MAX ? 0 : s->hash[from]);
        }
        p->class = map_get(&known, s->hash[k]);
        if (p->class == MAP_NONE) {
            p->class = members.n;
            map_put(&known, s->hash[k], p->class);
            vec_push(scratch, members, 0);
        }
        members.at[p->class]++;
        p->index = k;
    }
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t size = members.at[s->standing[k].class];
        s->standing[k].size = size < FEW ? 1 : size;
    }
}

static void find_wholes(Sides *s)
{
    for (uint32_t k = 0; k < s->n; k++) {
        LayoutNode *p = &s->standing[k];
        uint32_t n;
        const ExprId *operand = code_operands(s->section, p->item, &n);
        s->up[k] = k;
        for (uint32_t q = 0; q < n; q++) {
            uint32_t from = maker(s, operand[q]);
            if (from == UINT32_MAX)
                continue;
            uint32_t level = s->standing[from].level + (s->standing[from].size != p->size);
            p->level = level > p->level ? level : p->level;
        }
        for (uint32_t q = 0; q < n && p->size > 1; q++) {
            uint32_t from = maker(s, operand[q]);
            if (from == UINT32_MAX || s->standing[from].size != p->size ||
                s->standing[from].level != p->level)
                continue;
            uint32_t a = first_of(s, from), b = first_of(s, k);
            s->up[a > b ? a : b] = a < b ? a : b;
        }
    }
    for (uint32_t k = 0; k < s->n; k++) {
        uint32_t whole = s->standing[k].size > 1 ? first_of(s, k) : 0;
        s->standing[k].whole = whole;
        if (s->standing[k].size > 1)
            s->standing[whole].kind += s->hash[k];
    }
    for (uint32_t k = 0; k < s->n; k++)
        s->standing[k].kind = s->standing[k].size > 1 ? s->standing[s->standing[k].whole].kind : 0;
}

static int by_standing(const void *a, const void *b)
{
    const LayoutNode *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->whole != y->whole)
        return x->whole < y->whole ? -1 : 1;
    // classes are numbered operands before users
    if (x->size > 1 && x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void line_up(Section *section, uint32_t begin, uint32_t end)
{
    Arena *scratch = arena_new();
    Sides s = {.section = section, .begin = begin, .n = end - begin};
    s.standing = arena_array(scratch, LayoutNode, s.n);
    s.hash = arena_array(scratch, uint64_t, s.n);
    s.up = arena_array(scratch, uint32_t, s.n);
    find_classes(&s, scratch);
    find_wholes(&s);
    qsort(s.standing, s.n, sizeof *s.standing, by_standing);
    uint32_t *rank = arena_array(scratch, uint32_t, s.n);
    memcpy(rank, section->rank.at + begin, s.n * sizeof *rank);
    for (uint32_t k = 0; k < s.n; k++) {
        Item it = section->item.at[begin + k] = s.standing[k].item;
        section->rank.at[begin + k] = rank[s.standing[k].index];
        if (it.kind == ITEM_EVAL)
            code_own_section_node(section, it.i)->position = begin + k + 1;
    }
    arena_free(scratch);
}

static bool is_barrier(ItemKind kind)
{
    return kind != ITEM_EVAL && kind != ITEM_ROOT && kind != ITEM_ANGLE;
}

void code_line_up(Section *section)
{
    uint32_t begin = 0;
    for (uint32_t k = 0; k <= section->item.n; k++) {
        bool barrier = k == section->item.n || is_barrier(section->item.at[k].kind);
        if (!barrier && (k == begin || section->after.at[k] == section->after.at[k - 1]))
            continue;
        if (k > begin)
            line_up(section, begin, k);
        begin = barrier ? k + 1 : k;
    }
}
