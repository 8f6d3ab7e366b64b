#include "cli/measure_file.h"

#include <string.h>

static void write_text(const char *text, FILE *f)
{
    uint32_t n = text ? (uint32_t)strlen(text) : UINT32_MAX;
    fwrite(&n, sizeof n, 1, f);
    if (text)
        fwrite(text, 1, n, f);
}

static bool read_text(const char **out, FILE *f, Arena *mem)
{
    uint32_t n;
    *out = NULL;
    if (fread(&n, sizeof n, 1, f) != 1)
        return false;
    if (n == UINT32_MAX)
        return true;
    char *text = arena_array(mem, char, (size_t)n + 1);
    *out = text;
    return fread(text, 1, n, f) == n;
}

void measure_write(const Measure *m, FILE *f)
{
    fwrite(m, sizeof *m, 1, f);
    write_text(m->order, f);
    write_text(m->why, f);
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        const BlockMeasure *b = &m->block[k];
        fwrite(b, sizeof *b, 1, f);
        write_text(b->first, f);
        write_text(b->taken, f);
        write_text(b->why, f);
        for (uint32_t i = 0; i < b->n_verdicts; i++) {
            fwrite(&b->verdict[i], sizeof *b->verdict, 1, f);
            write_text(b->verdict[i].order, f);
            write_text(b->verdict[i].why, f);
        }
    }
}

static bool read_block(BlockMeasure *b, FILE *f, Arena *mem)
{
    bool ok = fread(b, sizeof *b, 1, f) == 1 && read_text(&b->first, f, mem) &&
              read_text(&b->taken, f, mem) && read_text(&b->why, f, mem);
    if (!ok)
        return false;
    Verdict *v = arena_array(mem, Verdict, b->n_verdicts);
    for (uint32_t i = 0; ok && i < b->n_verdicts; i++)
        ok = fread(&v[i], sizeof *v, 1, f) == 1 && read_text(&v[i].order, f, mem) &&
             read_text(&v[i].why, f, mem);
    b->verdict = v;
    return ok;
}

bool measure_read(Measure *m, FILE *f, Arena *mem)
{
    bool ok = fread(m, sizeof *m, 1, f) == 1 && read_text(&m->order, f, mem) &&
              read_text(&m->why, f, mem);
    if (!ok)
        return false;
    BlockMeasure *block = arena_array(mem, BlockMeasure, m->n_blocks);
    for (uint32_t k = 0; ok && k < m->n_blocks; k++)
        ok = read_block(&block[k], f, mem);
    m->block = block;
    return ok;
}
