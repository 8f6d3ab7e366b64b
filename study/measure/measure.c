#include "study/measure/measure.h"

#include "base/branch.h"
#include "eliminate/block/growth.h"
#include "eliminate/block/linear_form.h"
#include "eliminate/block/ordering.h"
#include "eliminate/block/program_growth.h"
#include "eliminate/block/sample_points.h"
#include "graph/order.h"
#include "study/measure/measure_file.h"
#include "translate/driver.h"
#include "translate/inversion.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Filters the candidates of the solver for each block: stops an order that would take too long, and
 * offers the other orders if the wanted one is impossible. */
typedef struct Watch {
    OrderSource source;
    OrderPolicy wanted, others;
    Arena *mem;
    VEC(LuCost) numeric; /* per linear block                   */
    bool impossible;     /* the wanted order, for the current block */
    bool is_beyond;      /* it would take too long */
} Watch;

/* A block of more equations that the wanted order cannot solve is left to the LU. */
enum { LARGE = 5000 };

static bool watched_order(OrderSource *self, const Incidence *g, uint32_t k, Arena *mem,
                          Candidate *out)
{
    Watch *w = (Watch *)self;
    if (!w->wanted.only || strcmp(w->wanted.only, ordering_name(NUMERIC)) == 0) {
        if (k == 0)
            vec_push(w->mem, w->numeric, lu_cost(g, w->mem));
        return ordering_next(&w->wanted, g, k, mem, out);
    }
    if (k > 0 && (w->is_beyond || (w->impossible && g->n_rows > LARGE))) {
        *out = (Candidate){.name = ordering_name(NUMERIC),
                           .order = order_as_given(g->n_rows, mem),
                           .is_numeric = true};
        return true;
    }
    if (k > 0)
        return w->impossible && ordering_next(&w->others, g, k - 1, mem, out);
    if (!ordering_next(&w->wanted, g, k, mem, out))
        return false;
    w->impossible = candidate_reason(out).kind != REASON_NONE;
    w->is_beyond = candidate_reason(out).kind == REASON_LIMIT;
    return true;
}

/* ---- per block ---- */

/* Adds the operations of the roots that were not counted before. */
static void count_more(OpCount *sum, OpCounter *counter, uint32_t n, const ExprId *root)
{
    OpCount c = op_counter_more(counter, n, root);
    sum->add += c.add;
    sum->mul += c.mul;
    sum->div += c.div;
    sum->call += c.call;
}

/* Per block, the number of pivots that vanish at a sample point. */
static uint32_t *vanishing_pivots(const Compilation *c, const uint32_t *block_of, Arena *mem)
{
    const Program *g = &c->dae.solution.program;
    uint32_t *n = arena_array(mem, uint32_t, c->dae.blt.blocks.n);
    Sample sample = sample_new(c->sys, mem);
    SamplePoints w = sample_points_new(c->sys->pool, &sample, mem);
    for (uint32_t k = 0; k < g->n_pivots; k++) {
        uint32_t b = block_of[g->pivot[k].var.i];
        if (b != INC_NONE && expr_variability(c->sys->pool, g->pivot[k].value) > VARIES_NEVER)
            n[b] += sample_points_vanishes(&w, g->pivot[k].value);
    }
    return n;
}

static const char *copy(const char *text, Arena *mem)
{
    return text ? arena_copy(mem, text, strlen(text)) : NULL;
}

static Failure copy_failure(Failure f, Arena *mem)
{
    f.order = copy(f.order, mem);
    f.reason.text = copy(f.reason.text, mem);
    return f;
}

static const CandidateReport *copy_candidates(const BlockReport *r, Arena *mem)
{
    CandidateReport *c = arena_array(mem, CandidateReport, r->n_candidates);
    for (uint32_t k = 0; k < r->n_candidates; k++) {
        c[k] = r->candidate[k];
        c[k].order = copy(c[k].order, mem);
        c[k].reason.text = copy(c[k].reason.text, mem);
    }
    return c;
}

/* Nodes of the derivatives of the states and of the blocks that Newton's method solves; blocks that
 * serve neither are counted separately. */
static bool *needed_nodes(const Compilation *c, Arena *mem)
{
    const Program *g = &c->dae.solution.program;
    bool *needed = arena_array(mem, bool, pool_size(c->sys->pool));
    program_reach(c->sys->pool, g->n_states, g->derivative, needed);
    for (uint32_t k = 0; k < g->n_blocks; k++) {
        const NonlinearBlock *b = &g->block[k];
        program_reach(c->sys->pool, b->n, b->residual, needed);
        program_reach(c->sys->pool, b->col_start[b->n], b->entry, needed);
    }
    for (uint32_t k = 0; k < c->dae.solution.n_reports; k++) {
        const BlockReport *r = &c->dae.solution.report[k];
        bool serves = r->kind == BLOCK_NONLINEAR || r->is_numeric;
        for (uint32_t i = 0; i < r->n && !serves; i++)
            serves = needed[g->value[r->var[i].i].i];
        for (uint32_t i = 0; i < r->n && !serves; i++)
            program_reach(c->sys->pool, 1, &g->value[r->var[i].i], needed);
    }
    return needed;
}

/* The worst of a few points, over all unknowns of a block. */
enum { GROWTH_POINTS = 3 };

static ExprId *values_of(const Compilation *c, const BlockReport *b, Arena *mem)
{
    ExprId *x = arena_array(mem, ExprId, b->n);
    for (uint32_t k = 0; k < b->n; k++)
        x[k] = c->dae.solution.program.value[b->var[k].i];
    return x;
}

static void measure_growth(const Compilation *c, uint32_t n, BlockMeasure *block)
{
    const BlockReport *report = c->dae.solution.report;
    Arena *mem = arena_new();
    Sample sample = sample_new(c->sys, mem);
    bool *mark = arena_array(mem, bool, pool_size(c->sys->pool));
    ExprId **x = arena_array(mem, ExprId *, n);
    for (uint32_t k = 0; k < n; k++) {
        x[k] = values_of(c, &report[k], mem);
        program_reach(c->sys->pool, report[k].n, x[k], mark);
    }
    for (uint32_t point = 1; point <= GROWTH_POINTS; point++) {
        Arena *one = arena_new();
        ProgramGrowth r = program_growth_new(c->sys, &sample, mark, point, one);
        for (uint32_t k = 0; k < n; k++) {
            if (block[k].kind == BLOCK_LINEAR)
                block[k].growth = fmax(block[k].growth, program_growth_of(&r, report[k].n, x[k]));
        }
        arena_free(one);
    }
    arena_free(mem);
}

/* Growth of errors in an LU of the block by numbers. */
static double lu_growth(const Compilation *c, const BlockReport *b, const uint32_t *column_order,
                        Sample *sample)
{
    System *s = c->sys;
    Arena *mem = arena_new();
    bool *is_unknown = arena_array(mem, bool, s->var.n);
    ExprId *value = arena_array(mem, ExprId, s->var.n);
    Map column = map_new(mem);
    memcpy(value, c->dae.solution.program.value, s->var.n * sizeof *value);
    for (uint32_t k = 0; k < b->n; k++) {
        is_unknown[b->var[k].i] = true;
        value[b->var[k].i] = EXPR_NONE;
        map_put(&column, b->var[k].i, k);
    }
    Substitution values = {.value = value, .n = s->var.n, .mem = mem};
    Matrix m = matrix_new(s->pool, b->n, b->n, mem);
    for (uint32_t k = 0; k < b->n; k++) {
        const Eq *e = &s->eq.at[b->eq[k].i];
        LinearForm f = linear_form(s, is_unknown, &values, expr_sub(s->pool, e->lhs, e->rhs), mem);
        for (uint32_t i = 0; f.is_linear && i < f.n; i++)
            matrix_set(&m, k, map_get(&column, f.var[i].i), f.coeff[i]);
    }
    double growth = growth_of_lu(&m, column_order, sample);
    arena_free(mem);
    return isfinite(growth) ? growth : NAN;
}

static bool varies(const ExprPool *p, uint32_t n, const ExprId *x)
{
    for (uint32_t k = 0; k < n; k++)
        if (!expr_is_fixed(p, x[k]))
            return true;
    return false;
}

/* Operations of the LU at run time count as those of the program. A matrix of parameters alone is
 * factored once, so only its solutions count. */
static void add_lu(const Compilation *c, const NonlinearBlock *nb, BlockMeasure *b, Measure *out)
{
    const LuCost *p = &b->numeric;
    uint64_t entries = b->nonzeros + p->fill;
    OpCount ops = {.add = entries - b->n, .mul = entries - b->n, .div = b->n};
    if (varies(c->sys->pool, nb->col_start[nb->n], nb->entry))
        ops = (OpCount){.add = p->add, .mul = p->mul, .div = p->div};
    OpCount *sums[] = {&b->ops, &out->accelerations, &out->total};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
        sums[k]->add += ops.add;
        sums[k]->mul += ops.mul;
        sums[k]->div += ops.div;
    }
}

/* Above this many additions the errors of an LU are not computed. */
enum { LU_LIMIT = 20 * 1000 * 1000 };

/* After all that is counted: it builds nodes. */
static void measure_numeric(const Compilation *c, const Watch *w, BlockMeasure *block, Measure *out)
{
    uint32_t n = out->n_blocks, n_left = 0;
    Arena *mem = arena_new();
    Sample sample = sample_new(c->sys, mem);
    for (uint32_t k = 0, linear = 0; k < n; k++) {
        BlockMeasure *b = &block[k];
        const NonlinearBlock *nb = &c->dae.solution.program.block[n_left];
        n_left += b->kind == BLOCK_NONLINEAR || b->is_numeric;
        b->numeric_growth = NAN;
        if (b->kind != BLOCK_LINEAR || linear == w->numeric.n)
            continue;
        b->numeric = w->numeric.at[linear];
        if (b->numeric.ok && b->numeric.add < LU_LIMIT)
            b->numeric_growth =
                lu_growth(c, &c->dae.solution.report[k], b->numeric.column, &sample);
        if (b->is_numeric) {
            add_lu(c, nb, b, out);
            b->fill = (uint32_t)b->numeric.fill;
            b->growth = b->numeric_growth;
        }
        linear++;
    }
    arena_free(mem);
}

static void measure_blocks(const Compilation *c, const Watch *w, Measure *out, Arena *mem)
{
    const System *s = c->sys;
    const Program *g = &c->dae.solution.program;
    Arena *tmp = arena_new();
    uint32_t *block_of = arena_array(tmp, uint32_t, s->var.n);
    memset(block_of, 0xff, sizeof *block_of * s->var.n);
    for (uint32_t b = 0; b < c->dae.blt.blocks.n; b++) {
        for (uint32_t k = c->dae.blt.blocks.begin[b]; k < c->dae.blt.blocks.begin[b + 1]; k++)
            block_of[blt_var(&c->dae.blt, k).i] = b;
    }
    uint32_t *n_vanishing = vanishing_pivots(c, block_of, tmp);
    bool *needed = needed_nodes(c, tmp);
    OpCounter counter = op_counter_new(s->pool, tmp);
    counter.only = needed;
    op_counter_begin(&counter);
    BlockMeasure *block = arena_array(mem, BlockMeasure, c->dae.solution.n_reports);
    uint32_t n_left = 0;
    for (uint32_t b = 0; b < c->dae.blt.blocks.n; b++) {
        OpCount ops = {0};
        for (uint32_t k = c->dae.blt.blocks.begin[b]; k < c->dae.blt.blocks.begin[b + 1]; k++)
            count_more(&ops, &counter, 1, &g->value[blt_var(&c->dae.blt, k).i]);
        const BlockReport *r = &c->dae.solution.report[out->n_blocks];
        if (out->n_blocks == c->dae.solution.n_reports || block_of[r->var[0].i] != b) {
            continue; /* solved on the spot */
        }
        BlockMeasure *m = &block[out->n_blocks++];
        *m = (BlockMeasure){.kind = r->kind,
                            .first = copy(s->var.at[r->var[0].i].name.s, mem),
                            .n = r->n,
                            .n_torn = r->n_torn,
                            .nonzeros = r->nonzeros,
                            .fill = r->fill,
                            .swaps = r->swaps,
                            .is_numeric = r->is_numeric,
                            .n_vanishing = n_vanishing[b],
                            .taken = copy(r->order, mem),
                            .failure = copy_failure(r->failure, mem),
                            .n_candidates = r->n_candidates,
                            .candidate = copy_candidates(r, mem),
                            .growth = NAN};
        if (r->kind == BLOCK_NONLINEAR || r->is_numeric) {
            const NonlinearBlock *nb = &g->block[n_left++];
            count_more(&ops, &counter, nb->n, nb->residual);
            count_more(&ops, &counter, nb->col_start[nb->n], nb->entry);
        }
        m->ops = ops;
    }
    measure_growth(c, out->n_blocks, block);
    measure_numeric(c, w, block, out);
    out->block = block;
    arena_free(tmp);
}

/* Removes the order's name from the failure if it is the requested one. */
static Failure failure_of(Failure f, const char *order)
{
    if (f.order && strcmp(f.order, order) == 0)
        f.order = NULL;
    return f;
}

/* An order that no block could be solved in has failed. */
static void check_used(Measure *m)
{
    const BlockMeasure *first = NULL;
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        const BlockMeasure *b = &m->block[k];
        if (b->kind == BLOCK_LINEAR && measure_used(m, k))
            return;
        if (b->kind == BLOCK_LINEAR && !first)
            first = b;
    }
    m->ok = !first;
    if (first)
        m->failure = failure_of(first->failure, m->order);
}

const char *measure_single_order(const Measure *m)
{
    const char *name = NULL;
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        const BlockMeasure *b = &m->block[k];
        if (b->kind != BLOCK_LINEAR)
            continue;
        if (name && strcmp(name, b->taken) != 0)
            return "";
        name = b->taken;
    }
    return name;
}

bool measure_used(const Measure *m, uint32_t block)
{
    return strcmp(m->order, "auto") == 0 || strcmp(m->block[block].taken, m->order) == 0;
}

/* Why an order failed: a singular block, else the first error. */
static Failure failure_found(const Compilation *c, Arena *mem)
{
    if (c->dae.solution.failure.reason.kind)
        return copy_failure(failure_of(c->dae.solution.failure, c->request.order), mem);
    for (uint32_t k = 0; k < diags_count(c->diags); k++) {
        const Diag *d = diags_at(c->diags, k);
        if (d->severity == DIAG_ERROR)
            return (Failure){.reason = {.kind = REASON_NO_ORDER, .text = copy(d->text, mem)}};
    }
    return (Failure){0};
}

/* ---- one order, in its own copy of the process ---- */

static Exit measure_residual(Compilation *c, ResidualMeasure *out, Arena *tmp)
{
    OrderPolicy torn = {.is_torn = true};
    c->orders = ordering_of(&torn);
    c->is_torn = true;
    if (!driver_run(c, NULL))
        return compilation_report(c, stderr);
    const Program *g = &c->dae.solution.program;
    VEC(ExprId) row = {0};
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        for (uint32_t k = 0; k < g->block[b].n; k++)
            vec_push(tmp, row, g->block[b].residual[k]);
        out->n += g->block[b].n;
    }
    for (uint32_t k = 0; k < g->n_states; k++)
        vec_push(tmp, row, g->derivative[k]);
    out->ops = program_count(c->sys->pool, row.n, row.at);
    return EXIT_GOOD;
}

/* Derivatives of the states, and efforts. */
static OpCount count_asked(const Compilation *c, Arena *mem)
{
    const Program *g = &c->dae.solution.program;
    ExprId *root = arena_array(mem, ExprId, g->n_states + c->dae.n_efforts + 1);
    for (uint32_t k = 0; k < g->n_states; k++)
        root[k] = g->derivative[k];
    for (uint32_t k = 0; k < c->dae.n_efforts; k++)
        root[g->n_states + k] = g->value[c->dae.effort[k].i];
    return program_count(c->sys->pool, g->n_states + c->dae.n_efforts, root);
}

/* order NULL: the compiler's choice. */
static Exit measure_order(Compilation *c, const char *order, Measure *out, Arena *mem)
{
    out->order = order ? order : "auto";
    Watch w = {.source = {watched_order},
               .wanted = {.only = order, .too_long = TOO_LONG_NUMERIC, .limit = MEASURE_LIMIT},
               .others = {.too_long = TOO_LONG_NUMERIC},
               .mem = mem};
    c->request.order = order;
    bool leaves = order && strcmp(order, ordering_name(NUMERIC)) == 0;
    c->orders = (Orders){.source = &w.source, .leaves = leaves};
    out->ok = driver_run(c, NULL);
    if (!order) {
        Exit status = compilation_report(c, stderr);
        if (!out->ok || status != EXIT_GOOD)
            return status;
    } else if (!out->ok) {
        out->failure = failure_found(c, mem);
        return EXIT_GOOD;
    }
    const Program *g = &c->dae.solution.program;
    out->n_moved = c->dae.frames.n_moved;
    out->n_turned = c->dae.frames.n_turned;
    out->n_shifted = c->dae.frames.n_shifted;
    out->n_rates = c->dae.frames.n_rates;
    out->n_points = c->dae.frames.n_points;
    out->n_axes = c->dae.frames.n_axes;
    out->accelerations = count_asked(c, mem);
    out->total = program_count(c->sys->pool, c->sys->var.n, g->value);
    measure_blocks(c, &w, out, mem);
    check_used(out);
    return EXIT_GOOD;
}

static Exit measure_base(Compilation *c, BaseMeasure *out, Arena *mem)
{
    c->request.base_parameters = true;
    if (!driver_run(c, NULL))
        return compilation_report(c, stderr);
    const BaseForm *b = &c->dae.base;
    *out = (BaseMeasure){.is_taken = b->is_taken,
                         .n_parameters = b->n_parameters,
                         .n_base = b->n_base,
                         .ops = count_asked(c, mem)};
    return EXIT_GOOD;
}

/* Tasks for forked processes: CHOICE, the requested orders by their numbers, RESIDUAL, and both in
 * base parameters. */
enum { CHOICE = ORDER_NAMES, RESIDUAL, BASE, BASE_RESIDUAL };

typedef struct Work {
    Compilation *c;
    const Measures *m;
    uint32_t n, what[ORDER_NAMES + 4];
} Work;

static void work(void *data, uint32_t k, FILE *f)
{
    const Work *w = data;
    uint32_t what = w->what[k];
    Arena *mem = arena_new();
    Measure m = {0};
    ResidualMeasure r = {0};
    BaseMeasure b = {0};
    if (what == BASE_RESIDUAL)
        w->c->request.base_parameters = true;
    Exit status = what == BASE ? measure_base(w->c, &b, mem)
                  : what == RESIDUAL || what == BASE_RESIDUAL
                      ? measure_residual(w->c, &r, mem)
                      : measure_order(w->c, what == CHOICE ? NULL : w->m->order[what], &m, mem);
    if (what == BASE_RESIDUAL && !w->c->dae.base.is_taken)
        r.n = 0;
    fwrite(&status, sizeof status, 1, f);
    if (what == BASE)
        fwrite(&b, sizeof b, 1, f);
    else if (what == RESIDUAL || what == BASE_RESIDUAL)
        fwrite(&r, sizeof r, 1, f);
    else
        measure_write(&m, f);
    arena_free(mem);
}

static Exit read_work(const Branch *b, uint32_t what, Measures *m, Arena *mem)
{
    Exit status = EXIT_RUN;
    FILE *f = b->ok && b->n ? fmemopen(b->at, b->n, "rb") : NULL;
    bool ok = f && fread(&status, sizeof status, 1, f) == 1;
    ResidualMeasure r;
    if (ok && what == RESIDUAL)
        ok = fread(&m->residual, sizeof m->residual, 1, f) == 1;
    else if (ok && what == BASE) {
        r = m->base.residual;
        ok = fread(&m->base, sizeof m->base, 1, f) == 1;
        m->base.residual = r;
    } else if (ok && what == BASE_RESIDUAL)
        ok = fread(&m->base.residual, sizeof m->base.residual, 1, f) == 1;
    else if (ok)
        ok = measure_read(what == CHOICE ? &m->choice : &m->forced[what], f, mem);
    if (f)
        fclose(f);
    if (!ok)
        fputs("rung: a process that counts operations did not come to its end\n", stderr);
    return ok ? status : EXIT_RUN;
}

static Exit run_work(Work *w, Measures *m, Arena *mem)
{
    Arena *tmp = arena_new();
    Branch *branch = arena_array(tmp, Branch, w->n);
    Exit status = EXIT_GOOD;
    branch_run(w->n, work, w, branch, tmp);
    for (uint32_t k = 0; k < w->n && status == EXIT_GOOD; k++)
        status = read_work(&branch[k], w->what[k], m, mem);
    arena_free(tmp);
    return status;
}

/* Does forcing the order give the same as the choice: the choice took it for all blocks,
 * unchanged. */
static bool is_choice(const Measure *choice, const char *order)
{
    const char *single = measure_single_order(choice);
    for (uint32_t k = 0; k < choice->n_blocks; k++) {
        if (choice->block[k].swaps)
            return false;
    }
    return single && strcmp(single, order) == 0;
}

/* The measure of a choice as that of the forced order, without data that only a choice has. */
static Measure as_forced(const Measure *choice, const char *order, Arena *mem)
{
    Measure m = *choice;
    BlockMeasure *block = arena_array(mem, BlockMeasure, m.n_blocks);
    for (uint32_t k = 0; k < m.n_blocks; k++) {
        block[k] = choice->block[k];
        block[k].failure = (Failure){0};
        block[k].n_candidates = 0;
        block[k].numeric = (LuCost){0};
        block[k].numeric_growth = NAN;
    }
    m.order = order;
    m.block = block;
    return m;
}

/* The first requested order waits for the choice, since it mostly equals the choice. */
static Exit find_all(Compilation *c, Measures *m, Arena *mem)
{
    Work w = {.c = c, .m = m};
    w.what[w.n++] = CHOICE;
    for (uint32_t k = 1; k < m->n; k++)
        w.what[w.n++] = k;
    if (m->ask_residual) {
        w.what[w.n++] = RESIDUAL;
        w.what[w.n++] = BASE;
        w.what[w.n++] = BASE_RESIDUAL;
    }
    Exit status = run_work(&w, m, mem);
    if (status != EXIT_GOOD || m->n == 0)
        return status;
    if (is_choice(&m->choice, m->order[0])) {
        m->forced[0] = as_forced(&m->choice, m->order[0], mem);
        return EXIT_GOOD;
    }
    w = (Work){.c = c, .m = m, .n = 1};
    return run_work(&w, m, mem);
}

Exit measures_find(const Request *r, const char *model, Measures *m, Arena *mem)
{
    Arena *tmp = arena_new();
    Request own = *r;
    own.model = model;
    own.order = NULL;
    Compilation *c = compilation_new(&own, tmp);
    InverseDynamics it = {0};
    bool ok = (!m->motion || inversion_run(c, m->motion, m->effort, &it)) &&
              driver_run(c, driver_find("frames"));
    Exit status = ok ? find_all(c, m, mem) : compilation_report(c, stderr);
    compilation_free(c);
    arena_free(tmp);
    return status;
}
