/* place.c -- where values are between the statements: local to a chunk, carried by a loop, in the
 * work array w, in out or in the arrays of the interface. */
#include "base/bug.h"
#include "emit/code/coder.h"
#include "emit/code/repeat.h"

#include <stdlib.h>
#include <string.h>

static const char *const array_name[ARRAY_COUNT] = {
    [ARRAY_X] = "x", [ARRAY_P] = "p",     [ARRAY_C] = "c", [ARRAY_U] = "u", [ARRAY_Y] = "y",
    [ARRAY_Z] = "z", [ARRAY_OUT] = "out", [ARRAY_W] = "w", [ARRAY_V] = "v", [ARRAY_R] = "r",
};

const char *code_array_name(ArrayKind array)
{
    return array_name[array];
}

bool code_array_is_const(const Section *section, ArrayKind array)
{
    switch (array) {
    case ARRAY_X:
    case ARRAY_U:
    case ARRAY_Z:
    case ARRAY_R:
        return true;
    case ARRAY_P:
    case ARRAY_C:
        return section->kind != SECTION_UPDATE;
    case ARRAY_Y:
        return section->kind != SECTION_START;
    case ARRAY_OUT:
    case ARRAY_W:
    case ARRAY_V:
    case ARRAY_COUNT:
        break;
    }
    return false;
}

uint32_t code_argument_place(const Section *section, uint32_t argument)
{
    const ArgumentPlace *a = &section->argument.at[argument];
    return section->call.at[a->call].arguments + a->k;
}

ArrayKind code_root_array(const Root *r)
{
    switch (r->kind) {
    case ROOT_OUT:
        return ARRAY_OUT;
    case ROOT_CONSTANT:
        return ARRAY_C;
    case ROOT_UNKNOWN:
        return ARRAY_Y;
    case ROOT_PARAMETER:
        return ARRAY_P;
    }
    return ARRAY_OUT;
}

/* ------------------------------------------------------------------ places */

Spot code_place_of(const Coder *c, ExprId x, bool prefer_w)
{
    if (expr_op(c->pool, x) == OP_VAR) {
        VarId v = expr_var_of(c->pool, x);
        uint32_t k = c->leaf_index[v.i];
        switch ((LeafKind)c->leaf[v.i]) {
        case LEAF_STATE:
            return (Spot){ARRAY_X, k};
        case LEAF_PARAMETER:
            return (Spot){ARRAY_P, k};
        case LEAF_INPUT:
            if (code_is_side(c, v))
                return (Spot){ARRAY_R, k - c->section.first_side};
            return (Spot){ARRAY_U, k};
        case LEAF_UNKNOWN:
            if (c->section.kind >= SECTION_RESIDUAL && c->block_of[k] == c->section.block)
                return (Spot){ARRAY_Z, k - c->block_first[c->section.block]};
            return (Spot){ARRAY_Y, k};
        case LEAF_TORN:
            return (Spot){ARRAY_Z, k};
        case LEAF_NONE:
            break;
        }
        bug("emit: variable %u has no place", v.i);
    }
    if (code_is_hoisted(c, x))
        return (Spot){ARRAY_C, code_node(c, x.i)->constant - 1};
    if (code_section_node(&c->section, x.i)->home && !(prefer_w && code_node(c, x.i)->slot))
        return (Spot){ARRAY_OUT, code_section_node(&c->section, x.i)->home - 1};
    if (!code_node(c, x.i)->slot)
        bug("emit: node %u is used before it is computed", x.i);
    return (Spot){ARRAY_W, code_node(c, x.i)->slot - 1};
}

void code_put_place(Coder *c, Text *t, Spot p)
{
    c->chunk.has[p.array] = true;
    text_printf(t, "%s[%u]%s", array_name[p.array], p.index, code_part(c, p.array));
}

void code_put_ref(Coder *c, Text *t, Ref r)
{
    switch (r.kind) {
    case REF_LOCAL:
        text_printf(t, "t%u", r.n);
        return;
    case REF_CARRIED:
        text_printf(t, "v%u", r.n);
        return;
    case REF_INVARIANT:
        text_printf(t, "g%u", r.n);
        return;
    case REF_FIXED:
        code_put_place(c, t, (Spot){r.array, r.index});
        return;
    case REF_STRIDE:
        text_printf(t, "%s_%u[%u]%s", array_name[r.array], r.n, r.index, code_part(c, r.array));
        return;
    case REF_TABLE:
        c->chunk.has[r.array] = true;
        text_printf(t, "%s[i%u[k]]%s", array_name[r.array], r.n, code_part(c, r.array));
        return;
    }
}

/* ------------------------------------------------------------------ segments */

static void straight(Coder *c, uint32_t begin, uint32_t end)
{
    while (begin < end) {
        Segment s = {.kind = SEGMENT_STRAIGHT, .begin = begin};
        uint32_t n = 0, most = c->o.function_statements;
        for (; begin < end; begin++) {
            Item it = c->section.item.at[begin];
            if (it.kind == ITEM_BATCH || it.kind == ITEM_SOLVE || n == most)
                break;
            n++;
        }
        s.end = begin;
        if (n)
            vec_push_own(c->mem, c->section.segment, s);
        if (begin == end || n == most)
            continue;
        Item it = c->section.item.at[begin];
        s = (Segment){.kind = it.kind == ITEM_SOLVE ? SEGMENT_SOLVE : SEGMENT_BATCH,
                      .begin = begin,
                      .end = begin + 1,
                      .block = it.i};
        vec_push_own(c->mem, c->section.segment, s);
        begin++;
    }
}

typedef struct Ranked {
    uint32_t rank;
    Item item;
} Ranked;

static int by_rank(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Between loops, operands near their users: as the search found them. */
static void reorder(Coder *c, uint32_t begin, uint32_t end)
{
    ArenaMark mark = arena_mark(c->mem);
    Ranked *ranked = arena_array(c->mem, Ranked, end - begin);
    for (uint32_t k = begin; k < end; k++)
        ranked[k - begin] = (Ranked){c->section.rank.at[k], c->section.item.at[k]};
    qsort(ranked, end - begin, sizeof *ranked, by_rank);
    for (uint32_t k = begin; k < end; k++) {
        c->section.item.at[k] = ranked[k - begin].item;
        if (c->section.item.at[k].kind == ITEM_EVAL)
            code_own_section_node(&c->section, c->section.item.at[k].i)->position = k + 1;
    }
    arena_rollback(c->mem, mark);
}

/* Stretches without barriers, between loops. */
static void straighten(Coder *c, uint32_t begin, uint32_t end)
{
    uint32_t first = begin;
    for (uint32_t k = begin; k <= end && c->o.kernels; k++)
        if (k == end || c->section.item.at[k].kind == ITEM_BATCH ||
            c->section.item.at[k].kind == ITEM_SOLVE) {
            if (k > first)
                reorder(c, first, k);
            first = k + 1;
        }
    straight(c, begin, end);
}

/* The best first statement of a kernel in its period: few values are carried from one iteration to
 * the next, and few statements stay outside. */
static uint32_t find_phase(Section *section, Repeat r)
{
    enum { CARRIED = 16 }; // statements that may stay outside for one value less
    uint32_t p = r.period, first = r.begin + (r.end - r.begin) / p / 2 * p, best = 0;
    Arena *scratch = arena_new();
    int *begins = arena_array(scratch, int, 2 * p + 1); // lives that begin, less those that end
    uint32_t *last = arena_array(scratch, uint32_t, p);
    for (uint32_t k = first; k < first + p; k++)
        last[k - first] = k;
    for (uint32_t k = first; k < first + 2 * p && k < r.end; k++) {
        uint32_t n;
        const ExprId *operand = code_operands(section, section->item.at[k], &n);
        for (uint32_t q = 0; q < n; q++) {
            uint32_t at = code_section_node(section, operand[q].i)->position;
            if (at > first && at <= first + p)
                last[at - 1 - first] = k;
        }
    }
    // alive before statement j of the body: those of this iteration and of the one before
    for (uint32_t j = 0; j < p; j++) {
        begins[j + 1]++;
        begins[last[j] - first + 1]--;
    }
    int alive = 0, least = 0;
    for (uint32_t j = 0; j <= p; j++)
        alive += begins[j];
    for (uint32_t j = 0; j < p; j++) {
        // those that were alive a period later belong to the iteration before
        if (j)
            alive += begins[j] + begins[j + p];
        int score = CARRIED * alive + (int)j;
        bool fits = (r.end - r.begin - j) / p >= 3;
        if (j == 0 || (fits && score < least)) {
            best = j;
            least = score;
        }
    }
    arena_free(scratch);
    return best;
}

/* Recurring stretches; returns how many statements they make superfluous. */
static uint32_t find_repeats(Coder *c, uint32_t save, Repeats *out)
{
    uint64_t *token = arena_array(c->mem, uint64_t, c->section.item.n);
    for (uint32_t k = 0; k < c->section.item.n; k++)
        // parameters are read from where another statement writes them: only in a later level
        token[k] = code_token(&c->section, c->section.item.at[k]) +
                   (c->section.kind == SECTION_UPDATE ? c->section.after.at[k] : 0);
    repeat_find(c->section.item.n, token, save, 4 * c->o.function_statements, c->mem, out);
    uint32_t saved = 0;
    for (uint32_t k = 0; k < out->n; k++)
        saved += out->at[k].end - out->at[k].begin - out->at[k].period;
    return saved;
}

/* Tries another order, if stretches recur side by side and not one behind the other. */
static void try_sides(Coder *c, uint32_t save, uint32_t saved, Repeats *repeats)
{
    ArenaMark mark = arena_mark(c->mem);
    uint32_t n = c->section.item.n;
    Item *item = arena_array(c->mem, Item, n);
    uint32_t *rank = arena_array(c->mem, uint32_t, n);
    memcpy(item, c->section.item.at, n * sizeof *item);
    memcpy(rank, c->section.rank.at, n * sizeof *rank);
    code_line_up(&c->section);
    Repeats other = {0};
    if (find_repeats(c, save, &other) > saved + n / 8) {
        *repeats = other;
        return;
    }
    memcpy(c->section.item.at, item, n * sizeof *item);
    memcpy(c->section.rank.at, rank, n * sizeof *rank);
    for (uint32_t k = 0; k < n; k++)
        if (item[k].kind == ITEM_EVAL)
            code_own_section_node(&c->section, item[k].i)->position = k + 1;
    arena_rollback(c->mem, mark);
}

static void find_segments(Coder *c)
{
    enum { SAVE = 24 }; // statements: a loop has to make as many superfluous
    c->section.segment.n = 0;
    Repeats repeats = {0};
    if (c->o.kernels && c->section.item.n > SAVE) {
        uint32_t saved = find_repeats(c, SAVE, &repeats);
        if (c->section.item.n - saved > c->o.function_statements)
            try_sides(c, SAVE, saved, &repeats);
    }
    uint32_t begin = 0;
    for (uint32_t k = 0; k < repeats.n; k++) {
        Repeat r = repeats.at[k];
        r.begin += find_phase(&c->section, r);
        straighten(c, begin, r.begin);
        begin = r.end;
        Segment s = {.kind = SEGMENT_KERNEL, .begin = r.begin, .end = begin, .period = r.period};
        vec_push_own(c->mem, c->section.segment, s);
    }
    straighten(c, begin, c->section.item.n);
    c->section.segment_of = arena_array(c->mem, uint32_t, c->section.item.n + 1);
    for (uint32_t k = 0; k < c->section.segment.n; k++)
        for (uint32_t j = c->section.segment.at[k].begin; j < c->section.segment.at[k].end; j++)
            c->section.segment_of[j] = k;
}

/* Marks operands from other segments: they must be in w, unless they are in out. */
static void keep_crossing(Section *section, uint32_t segment)
{
    const Segment *s = &section->segment.at[segment];
    for (uint32_t k = s->begin; k < s->end; k++) {
        uint32_t n;
        const ExprId *operand = code_operands(section, section->item.at[k], &n);
        for (uint32_t j = 0; j < n; j++) {
            ExprId x = operand[j];
            uint32_t at = code_section_node(section, x.i)->position;
            if (at && section->segment_of[at - 1] != segment &&
                !code_section_node(section, x.i)->home)
                code_own_section_node(section, x.i)->keep = true;
        }
    }
}

void code_place(Coder *c)
{
    find_segments(c);
    for (uint32_t k = 0; k < c->section.segment.n; k++) {
        Segment *s = &c->section.segment.at[k];
        if (s->kind == SEGMENT_STRAIGHT)
            keep_crossing(&c->section, k);
        else if (s->kind == SEGMENT_KERNEL)
            s->kernel = code_kernel_new(c, s);
    }
    code_give_slots(c);
}
