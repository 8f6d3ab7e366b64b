/* block_code.c -- the residual and Jacobian functions of nonlinear blocks. Blocks that differ only
 * in the places of their operands share one pair of functions, which gets the block's number among
 * them as argument `copy`.
 *
 * A function is kept as text until all blocks are known. Functions whose texts differ in subscripts
 * only become one; its subscripts advance by constants from copy to copy or come from tables.
 */
#include "base/hash.h"
#include "emit/code/coder.h"

#include <ctype.h>
#include <string.h>

/* A number between brackets. */
typedef struct Mark {
    uint32_t begin, end; /* in the text */
    uint32_t value;
    bool in_comment;
} Mark;

typedef VEC(Mark) Marks;

/* Ascending. */
static Marks marks_of(const Text *t, Arena *mem)
{
    Marks m = {0};
    bool in_brackets = false, in_comment = false;
    for (uint32_t k = 0; k < t->n; k++) {
        const char *s = t->at + k;
        if (!in_comment && s[0] == '/' && s[1] == '*')
            in_comment = true;
        else if (in_comment && s[0] == '*' && s[1] == '/')
            in_comment = false;
        else if (*s == '[')
            in_brackets = true;
        else if (*s == ']' || *s == '\n')
            in_brackets = false;
        bool starts = in_brackets && isdigit((unsigned char)*s) && !isalnum((unsigned char)s[-1]) &&
                      s[-1] != '_' && s[-1] != '.';
        if (!starts)
            continue;
        Mark it = {.begin = k, .end = k, .in_comment = in_comment};
        for (; isdigit((unsigned char)t->at[it.end]) && it.end < k + 9; it.end++)
            it.value = it.value * 10 + (uint32_t)(t->at[it.end] - '0');
        vec_push(mem, m, it);
        k = it.end - 1;
    }
    return m;
}

/* The text without its marks. */
static Text shape_of(const Text *t, const Marks *m, Arena *mem)
{
    Text out = text_new(mem);
    uint32_t at = 0;
    if (!t->n)
        return out;
    for (uint32_t k = 0; k < m->n; k++) {
        text_put_n(&out, t->at + at, m->at[k].begin - at);
        text_put(&out, "#");
        at = m->at[k].end;
    }
    text_put_n(&out, t->at + at, t->n - at);
    return out;
}

static Text *kept(Coder *c, uint32_t b, SectionKind kind)
{
    return &c->block[b].text[kind == SECTION_JACOBIAN];
}

void code_keep_block(Coder *c, Text body, uint32_t statements)
{
    *kept(c, c->section.block, c->section.kind) = body;
    c->block[c->section.block].statements[c->section.kind == SECTION_JACOBIAN] = statements;
}

static bool same_texts(const Text *shape, uint32_t a, uint32_t b)
{
    return shape[a].n == shape[b].n && !memcmp(shape[a].at, shape[b].at, shape[a].n);
}

static bool same_structure(const NonlinearBlock *a, const NonlinearBlock *b)
{
    return a->n == b->n && a->is_linear == b->is_linear &&
           !memcmp(a->col_start, b->col_start, (a->n + (size_t)1) * sizeof *a->col_start) &&
           !memcmp(a->row, b->row, a->col_start[a->n] * sizeof *a->row);
}

/* A subscript: one for all copies, moving on, or in a table. */
static bool put_subscript(Coder *c, Text *t, uint32_t n, const uint32_t *value)
{
    bool same = true, steady = true;
    for (uint32_t k = 1; k < n; k++) {
        same = same && value[k] == value[0];
        steady = steady && value[k] == value[0] + k * (value[1] - value[0]);
    }
    if (same)
        text_printf(t, "%u", value[0]);
    else if (steady && value[1] > value[0])
        text_printf(t, "%u + %u * copy", value[0], value[1] - value[0]);
    else
        text_printf(t, "%s_index_%u[copy]", c->id, code_index_table(c, n, value));
    return !same;
}

/* The function of all blocks of a kind. */
static void put_function(Coder *c, SectionKind kind, uint32_t n, const uint32_t *block,
                         const Marks *marks)
{
    const char *section = kind == SECTION_JACOBIAN ? "jacobian" : "residual";
    uint32_t half = kind == SECTION_JACOBIAN, head = 2 * block[0] + half;
    const BlockCode *code = &c->block[block[0]];
    const Text *text = &code->text[half];
    Text body = text_new(c->mem);
    uint32_t *value = arena_array(c->mem, uint32_t, n);
    bool has_copy = false;
    uint32_t at = 0;
    for (uint32_t k = 0; k < marks[head].n; k++) {
        Mark it = marks[head].at[k];
        text_put_n(&body, text->at + at, it.begin - at);
        for (uint32_t i = 0; i < n; i++)
            value[i] = marks[2 * block[i] + half].at[k].value;
        if (it.in_comment)
            text_printf(&body, "%u", it.value);
        else
            has_copy = put_subscript(c, &body, n, value) || has_copy;
        at = it.end;
    }
    text_put_n(&body, text->at + at, text->n - at);
    c->section.kind = kind;
    Text *f = code_current_file(c, code->statements[half], code->statements[half]);
    const char *arguments = "RungContext *ctx, uint32_t copy, double t, const double *restrict x, "
                            "const double *restrict z, double *restrict out";
    text_printf(&c->files.prototypes, "int %s_%s_%u(%s);\n", c->id, section, block[0], arguments);
    text_printf(f, "\nint %s_%s_%u(%s)\n{\n", c->id, section, block[0], arguments);
    if (!has_copy)
        text_put(f, "    (void)copy;\n");
    text_put_n(f, body.at ? body.at : "", body.n);
    c->files.statements += code->statements[half];
    c->files.functions++;
}

typedef VEC(uint32_t) Members;

void coder_blocks_done(Coder *c)
{
    uint32_t n = c->g->n_blocks;
    Map known = map_new(c->mem);
    Marks *marks = arena_array(c->mem, Marks, 2 * (size_t)n + 1);
    Text *shape = arena_array(c->mem, Text, 2 * (size_t)n + 1);
    Members *members = arena_array(c->mem, Members, n + 1); /* per head */
    for (uint32_t b = 0; b < n && !c->failed; b++) {
        const NonlinearBlock *it = &c->g->block[b];
        uint64_t key =
            hash_pair(it->n, hash_bytes(it->row, it->col_start[it->n] * sizeof *it->row));
        c->block[b].head = b;
        for (uint32_t k = 2 * b; k < 2 * b + 2; k++) {
            marks[k] = marks_of(&c->block[b].text[k & 1], c->mem);
            shape[k] = shape_of(&c->block[b].text[k & 1], &marks[k], c->mem);
            key = hash_pair(key, hash_bytes(shape[k].at, shape[k].n));
        }
        // a block without both functions shares none
        bool alone = !c->block[b].emitted || !c->block[b].text[0].n || !c->block[b].text[1].n;
        uint32_t head = alone ? MAP_NONE : map_get(&known, key);
        bool alike = head != MAP_NONE && same_structure(&c->g->block[head], it) &&
                     same_texts(shape, 2 * head, 2 * b) &&
                     same_texts(shape, 2 * head + 1, 2 * b + 1);
        if (alike)
            c->block[b].head = head;
        else if (!alone)
            map_put(&known, key, b);
        vec_push(c->mem, members[c->block[b].head], b);
    }
    for (uint32_t b = 0; b < n && !c->failed; b++)
        for (uint32_t k = 2 * b; k < 2 * b + 2; k++)
            if (members[b].n && c->block[b].text[k & 1].n)
                put_function(c, k & 1 ? SECTION_JACOBIAN : SECTION_RESIDUAL, members[b].n,
                             members[b].at, marks);
}

uint32_t coder_block_head(const Coder *c, uint32_t block)
{
    return c->block[block].head;
}
