/* slot.c -- places in the work array w for values that one piece of a section computes and another
 * reads.
 *
 * The values of a kernel lie iteration by iteration, so that other kernels find them at a constant
 * distance. If these also read values of straight code (the first bodies, the last ones), those lie
 * where the kernel would have put them: the same distance everywhere.
 */
#include "base/map.h"
#include "emit/code/coder.h"

/* Offsets of one kernel's values; other values may lie before and behind. */
typedef struct Grid {
    int32_t first, last, slack;
} Grid;

typedef struct Layout {
    Coder *c;
    Arena *scratch;
    VEC(Grid) grid;
    uint32_t *grid_of; /* per statement, + 1 */
    int32_t *offset;   /* per statement      */
    Map taken;         /* grid and offset    */
} Layout;

static uint64_t key(uint32_t grid, int64_t offset)
{
    return map_key_pair(grid, (uint32_t)offset);
}

static void put(Layout *l, uint32_t statement, uint32_t grid, int32_t offset)
{
    Grid *g = &l->grid.at[grid];
    l->grid_of[statement] = grid + 1;
    l->offset[statement] = offset;
    g->first = offset < g->first ? offset : g->first;
    g->last = offset > g->last ? offset : g->last;
    map_put(&l->taken, key(grid, offset), 0);
}

/* Decides in which iterations a kernel's statements are stored in w, and puts these values side by
 * side. */
static void lay_kernel(Layout *l, const Segment *s)
{
    Coder *c = l->c;
    Kernel *k = s->kernel;
    int32_t always = 0;
    for (uint32_t j = 0; j < s->period; j++) {
        uint32_t count = kernel_count(k, j);
        for (uint32_t i = 0; i < count; i++) {
            Item it = c->section.item.at[s->begin + i * s->period + j];
            if (it.kind == ITEM_EVAL && code_section_node(&c->section, it.i)->keep)
                k->stored[j] = i + 1 < count  ? STORED_ALWAYS
                               : k->stored[j] ? k->stored[j]
                                              : STORED_LAST;
        }
        always += k->stored[j] == STORED_ALWAYS;
    }
    if (!always)
        return;
    int32_t end = always * (int32_t)k->count, offset = 0;
    vec_push(l->scratch, l->grid, ((Grid){0, end - 1, 64 * always}));
    for (uint32_t i = 0; i < k->count; i++)
        for (uint32_t j = 0; j < s->period; j++)
            if (k->stored[j] == STORED_ALWAYS && i < kernel_count(k, j))
                put(l, s->begin + i * s->period + j, l->grid.n - 1, offset++);
}

/* at: per iteration, the statement that computes the operand, + 1. */
static void align(Layout *l, uint32_t n, const uint32_t *at)
{
    // two neighbours that a kernel has placed, as near to the middle as there are
    uint32_t from = UINT32_MAX;
    for (uint32_t d = 0; d < n && from == UINT32_MAX; d++) {
        uint32_t i = d % 2 ? n / 2 + (d + 1) / 2 : n / 2 - d / 2;
        if (i + 1 < n && at[i] && at[i + 1] && l->grid_of[at[i] - 1] &&
            l->grid_of[at[i] - 1] == l->grid_of[at[i + 1] - 1])
            from = i;
    }
    if (from == UINT32_MAX)
        return;
    uint32_t grid = l->grid_of[at[from] - 1] - 1, fit = 0, open = 0;
    int64_t base = l->offset[at[from] - 1], stride = l->offset[at[from + 1] - 1] - base;
    base -= stride * from;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t own = at[i] ? l->grid_of[at[i] - 1] : 0;
        fit += own == grid + 1 && l->offset[at[i] - 1] == base + stride * i;
        open += at[i] && !own;
    }
    if (!open || 2 * (fit + open) < n)
        return;
    for (uint32_t i = 0; i < n; i++) {
        const Grid *g = &l->grid.at[grid];
        int64_t want = base + stride * i;
        if (at[i] && !l->grid_of[at[i] - 1] && want >= (int64_t)g->first - g->slack &&
            want <= (int64_t)g->last + g->slack && map_get(&l->taken, key(grid, want)) == MAP_NONE)
            put(l, at[i] - 1, grid, (int32_t)want);
    }
}

/* Operands that a kernel reads from w. */
static void align_operands(Layout *l, const Segment *s)
{
    Coder *c = l->c;
    const Kernel *k = s->kernel;
    uint32_t **at = arena_array(l->scratch, uint32_t *, k->first[s->period] + 1);
    for (uint32_t q = 0; q < k->first[s->period]; q++)
        if (k->use[q].kind == USE_MEMORY && k->use[q].from_w)
            at[q] = arena_array(l->scratch, uint32_t, k->count);
    for (uint32_t n = 0; n < s->end - s->begin; n++) {
        uint32_t operands, first = k->first[n % s->period];
        const ExprId *operand =
            code_operands(&c->section, c->section.item.at[s->begin + n], &operands);
        for (uint32_t q = 0; q < operands; q++)
            if (at[first + q])
                at[first + q][n / s->period] =
                    code_section_node(&c->section, operand[q].i)->position;
    }
    for (uint32_t j = 0; j < s->period; j++)
        for (uint32_t q = k->first[j]; q < k->first[j + 1]; q++)
            if (at[q])
                align(l, kernel_count(k, j), at[q]);
}

void code_give_slots(Coder *c)
{
    Layout l = {.c = c, .scratch = arena_new()};
    l.grid_of = arena_array(l.scratch, uint32_t, c->section.item.n + 1);
    l.offset = arena_array(l.scratch, int32_t, c->section.item.n + 1);
    l.taken = map_new(l.scratch);
    for (uint32_t k = 0; k < c->section.segment.n; k++)
        if (c->section.segment.at[k].kind == SEGMENT_KERNEL)
            lay_kernel(&l, &c->section.segment.at[k]);
    for (uint32_t k = 0; k < c->section.segment.n; k++)
        if (c->section.segment.at[k].kind == SEGMENT_KERNEL)
            align_operands(&l, &c->section.segment.at[k]);

    uint32_t *base = arena_array(l.scratch, uint32_t, l.grid.n + 1);
    for (uint32_t g = 0; g < l.grid.n; g++) {
        const Grid *it = &l.grid.at[g];
        base[g] = coder_work(c, (uint32_t)(it->last - it->first + 1)) - (uint32_t)it->first;
    }
    for (uint32_t k = 0; k < c->section.item.n; k++) {
        Item it = c->section.item.at[k];
        if (l.grid_of[k]) {
            code_own_node(c, it.i)->slot = base[l.grid_of[k] - 1] + (uint32_t)l.offset[k] + 1;
            vec_push_own(c->mem, c->slotted, it.i);
        } else if (it.kind == ITEM_EVAL && code_section_node(&c->section, it.i)->keep) {
            code_need_slot(c, (ExprId){it.i});
        }
    }
    arena_free(l.scratch);
}
