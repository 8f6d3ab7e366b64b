#include "cli/measure_file.h"

#include "cli/branch.h"

void measure_write(const Measure *m, FILE *f)
{
    fwrite(m, sizeof *m, 1, f);
    branch_put_text(m->order, f);
    branch_put_text(m->why, f);
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        const BlockMeasure *b = &m->block[k];
        fwrite(b, sizeof *b, 1, f);
        branch_put_text(b->first, f);
        branch_put_text(b->taken, f);
        branch_put_text(b->why, f);
        for (uint32_t i = 0; i < b->n_verdicts; i++) {
            fwrite(&b->verdict[i], sizeof *b->verdict, 1, f);
            branch_put_text(b->verdict[i].order, f);
            branch_put_text(b->verdict[i].why, f);
        }
    }
}

static bool read_block(BlockMeasure *b, FILE *f, Arena *mem)
{
    bool ok = fread(b, sizeof *b, 1, f) == 1 && branch_get_text(&b->first, f, mem) &&
              branch_get_text(&b->taken, f, mem) && branch_get_text(&b->why, f, mem);
    if (!ok)
        return false;
    Verdict *v = arena_array(mem, Verdict, b->n_verdicts);
    for (uint32_t i = 0; ok && i < b->n_verdicts; i++)
        ok = fread(&v[i], sizeof *v, 1, f) == 1 && branch_get_text(&v[i].order, f, mem) &&
             branch_get_text(&v[i].why, f, mem);
    b->verdict = v;
    return ok;
}

bool measure_read(Measure *m, FILE *f, Arena *mem)
{
    bool ok = fread(m, sizeof *m, 1, f) == 1 && branch_get_text(&m->order, f, mem) &&
              branch_get_text(&m->why, f, mem);
    if (!ok)
        return false;
    BlockMeasure *block = arena_array(mem, BlockMeasure, m->n_blocks);
    for (uint32_t k = 0; ok && k < m->n_blocks; k++)
        ok = read_block(&block[k], f, mem);
    m->block = block;
    return ok;
}
