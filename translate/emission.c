#include "translate/emission.h"

#include "base/branch.h"
#include "eliminate/solution.h"
#include "translate/method.h"

#include <string.h>

enum { MODEL, FALLBACK, PARTS };

typedef struct Parts {
    Compilation *c;
    EmitOptions options;
} Parts;

static void write_files(const EmitFiles *e, FILE *f)
{
    fwrite(e, sizeof *e, 1, f);
    branch_put_text(e->id, f);
    for (uint32_t k = 0; k < e->file.n; k++) {
        fwrite(&e->file.at[k], sizeof e->file.at[k], 1, f);
        branch_put_text(e->file.at[k].name, f);
        branch_put_text(e->file.at[k].text, f);
    }
}

static bool read_files(EmitFiles *e, FILE *f, Arena *mem)
{
    bool ok = fread(e, sizeof *e, 1, f) == 1 && branch_get_text(&e->id, f, mem);
    uint32_t n = ok ? e->file.n : 0;
    e->mem = mem;
    e->file.at = NULL;
    e->file.n = e->file.cap = 0;
    for (uint32_t k = 0; k < n && ok; k++) {
        EmitFile file;
        ok = fread(&file, sizeof file, 1, f) == 1 && branch_get_text(&file.name, f, mem) &&
             branch_get_text(&file.text, f, mem);
        if (ok)
            vec_push(mem, e->file, file);
    }
    return ok;
}

/* With the initial system, where a divisor of that can vanish. */
static bool numeric_program(Compilation *c, Program *out)
{
    return solution_numeric(&c->dae, true, out, c->scratch) &&
           (!solution_has_initial_pivots(&c->dae) ||
            solution_numeric_initial(&c->dae, out, c->scratch));
}

static bool make_fallback(const Parts *p, Arena *mem, EmitFiles *files)
{
    Program numeric;
    ArenaMark mark = arena_mark(p->c->scratch);
    bool ok = numeric_program(p->c, &numeric);
    arena_rollback(p->c->scratch, mark);
    return ok && emit_fallback(&numeric, p->options, mem, files);
}

/* Writes nothing after an error. */
static void make_part(void *data, uint32_t k, FILE *f)
{
    Parts *p = data;
    Arena *mem = arena_new();
    EmitFiles files;
    bool ok = k == MODEL ? emit_program(&p->c->dae.solution.program, p->options, mem, &files)
                         : make_fallback(p, mem, &files);
    if (ok)
        write_files(&files, f);
    arena_free(mem);
}

static bool read_part(const Branch *b, EmitFiles *out, Arena *mem)
{
    FILE *f = b->ok && b->n ? fmemopen(b->at, b->n, "rb") : NULL;
    bool ok = f && read_files(out, f, mem);
    if (f)
        fclose(f);
    return ok;
}

/* False if one of them met an error, which the caller finds again in this process. */
static bool make_apart(Compilation *c, EmitOptions how, Arena *mem, EmitFiles *out)
{
    Parts p = {c, how};
    p.options.fallback_apart = true;
    Branch branch[PARTS];
    EmitFiles fallback;
    Arena *tmp = arena_new();
    branch_run(PARTS, make_part, &p, branch, tmp);
    bool ok = read_part(&branch[MODEL], out, mem) && read_part(&branch[FALLBACK], &fallback, mem);
    for (uint32_t k = 0; ok && k < fallback.file.n; k++)
        vec_push(mem, out->file, fallback.file.at[k]);
    arena_free(tmp);
    return ok;
}

static bool with_fallback(Compilation *c, EmitOptions how, Arena *mem, EmitFiles *out)
{
    if (c->sys->function->n == 0 && make_apart(c, how, mem, out))
        return true;
    Program numeric, whole = c->dae.solution.program;
    whole.numeric = &numeric;
    return numeric_program(c, &numeric) && emit_program(&whole, how, mem, out);
}

bool emission_with_fallback(Compilation *c, Arena *mem, EmitFiles *out)
{
    return with_fallback(c, request_emission(&c->request), mem, out);
}

bool emission_standalone(Compilation *c, bool has_no_fallback, Arena *mem, EmitFiles *files)
{
    EmitOptions how = request_emission(&c->request);
    how.method = c->request.method;
    method_prepare(c, c->request.method);
    /* there may be no compiler where it runs */
    bool ok =
        !has_no_fallback && (solution_has_pivots(&c->dae) || solution_has_initial_pivots(&c->dae))
            ? with_fallback(c, how, mem, files)
            : emit_program(&c->dae.solution.program, how, mem, files);
    if (ok)
        emit_standalone(files);
    return ok;
}
