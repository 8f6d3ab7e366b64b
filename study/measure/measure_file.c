#include "study/measure/measure_file.h"

#include "base/branch.h"

/* Writes the texts of a failure; its numbers are part of the enclosing struct. */
static void put_failure(const Failure *x, FILE *f)
{
    branch_put_text(x->order, f);
    branch_put_text(x->reason.text, f);
}

static bool get_failure(Failure *x, FILE *f, Arena *mem)
{
    return branch_get_text(&x->order, f, mem) && branch_get_text(&x->reason.text, f, mem);
}

void measure_write(const Measure *m, FILE *f)
{
    fwrite(m, sizeof *m, 1, f);
    branch_put_text(m->order, f);
    put_failure(&m->failure, f);
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        const BlockMeasure *b = &m->block[k];
        fwrite(b, sizeof *b, 1, f);
        branch_put_text(b->first, f);
        branch_put_text(b->taken, f);
        put_failure(&b->failure, f);
        for (uint32_t i = 0; i < b->n_candidates; i++) {
            fwrite(&b->candidate[i], sizeof *b->candidate, 1, f);
            branch_put_text(b->candidate[i].order, f);
            branch_put_text(b->candidate[i].reason.text, f);
        }
    }
}

static bool read_block(BlockMeasure *b, FILE *f, Arena *mem)
{
    bool ok = fread(b, sizeof *b, 1, f) == 1 && branch_get_text(&b->first, f, mem) &&
              branch_get_text(&b->taken, f, mem) && get_failure(&b->failure, f, mem);
    if (!ok)
        return false;
    CandidateReport *c = arena_array(mem, CandidateReport, b->n_candidates);
    for (uint32_t i = 0; ok && i < b->n_candidates; i++)
        ok = fread(&c[i], sizeof *c, 1, f) == 1 && branch_get_text(&c[i].order, f, mem) &&
             branch_get_text(&c[i].reason.text, f, mem);
    b->candidate = c;
    return ok;
}

bool measure_read(Measure *m, FILE *f, Arena *mem)
{
    bool ok = fread(m, sizeof *m, 1, f) == 1 && branch_get_text(&m->order, f, mem) &&
              get_failure(&m->failure, f, mem);
    if (!ok)
        return false;
    BlockMeasure *block = arena_array(mem, BlockMeasure, m->n_blocks);
    for (uint32_t k = 0; ok && k < m->n_blocks; k++)
        ok = read_block(&block[k], f, mem);
    m->block = block;
    return ok;
}
