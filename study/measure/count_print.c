/* The reports of rung count. */
#include "study/measure/count.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t sum(const OpCount *c)
{
    return c->add + c->mul + c->div;
}

/* ---- csv, for scripts ---- */

/* RFC 4180 */
static void csv_field(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

void study_print_csv(const Study *s)
{
    fputs("model", stdout);
    for (uint32_t k = 0; k < s->grid.n_axes; k++)
        printf(",%s", s->grid.axis[k].name);
    puts(",order,add,mul,div,call,total_add,total_mul,total_div,total_call,taken");
    for (uint32_t k = 0; k < s->grid.n_points; k++) {
        for (uint32_t i = 0; i < s->point[k].n; i++) {
            const Measure *m = &s->point[k].measure[i];
            if (!m->ok)
                continue;
            const OpCount *a = &m->accelerations;
            const OpCount *t = &m->total;
            csv_field(s->model);
            for (uint32_t x = 0; x < s->grid.n_axes; x++)
                printf(",%s", grid_value(&s->grid, k, x));
            printf(",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                   ",%" PRIu64 ",%" PRIu64 ",%d\n",
                   m->order, a->add, a->mul, a->div, a->call, t->add, t->mul, t->div, t->call,
                   i == s->point[k].taken);
        }
    }
}

/* The compiler's estimate of the order from its choice; NULL if it had no choice. */
static const CandidateReport *report_of(const BlockMeasure *choice, const char *order)
{
    for (uint32_t k = 0; k < choice->n_candidates; k++) {
        if (strcmp(choice->candidate[k].order, order) == 0)
            return &choice->candidate[k];
    }
    return NULL;
}

static void print_reason(const char *before, const Reason *r)
{
    Arena *mem = arena_new();
    printf("%s%s\n", before, reason_text(r, mem));
    arena_free(mem);
}

static void print_failure(const Failure *f)
{
    Arena *mem = arena_new();
    puts(failure_text(f, mem));
    arena_free(mem);
}
/* ---- json, for programs ---- */

/* Members of the object that is open; each name begins with the prefix. */
static void put_ops(Json *j, const char *prefix, const OpCount *c)
{
    const struct {
        const char *name;
        uint64_t n;
    } ops[] = {{"add", c->add}, {"mul", c->mul}, {"div", c->div}, {"call", c->call}};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        char name[16];
        snprintf(name, sizeof name, "%s%s", prefix, ops[k].name);
        json_count(j, name, ops[k].n);
    }
}

static void put_growth(Json *j, double growth)
{
    if (isfinite(growth))
        json_number(j, "error_growth", growth, 3);
}

static void put_failure(Json *j, const Failure *f)
{
    Arena *mem = arena_new();
    json_text(j, "failed", failure_text(f, mem));
    arena_free(mem);
}

static void put_reason(Json *j, const Reason *r)
{
    Arena *mem = arena_new();
    json_text(j, "reason", reason_text(r, mem));
    arena_free(mem);
}

/* Of an order that the choice eliminated in: at the points the choice was made at, so that the
 * number is that of its reason. */
static uint32_t vanishing_of(const BlockMeasure *b, const CandidateReport *v)
{
    return v && v->is_eliminated ? v->n_vanishing : b->n_vanishing;
}

static void put_block(Json *j, const BlockMeasure *b, const CandidateReport *v)
{
    json_object(j, NULL);
    json_text(j, "first", b->first);
    json_text(j, "kind", b->kind == BLOCK_LINEAR ? "linear" : "nonlinear");
    json_count(j, "equations", b->n);
    json_count(j, "torn", b->n_torn);
    json_count(j, "nonzeros", b->nonzeros);
    json_count(j, "fill", b->fill);
    json_text(j, "order", b->taken);
    put_ops(j, "", &b->ops);
    json_count(j, "swaps", b->swaps);
    json_count(j, "vanishing_pivots", vanishing_of(b, v));
    put_growth(j, b->growth);
    if (b->failure.reason.kind)
        put_failure(j, &b->failure);
    if (v) {
        static const char *const status[] = {"estimated", "counted", "rejected"};
        json_text(j, "status", status[v->status]);
        if (v->status == CANDIDATE_REJECTED)
            put_reason(j, &v->reason);
    }
    if (b->numeric.ok) {
        json_object(j, "sparse_lu");
        json_count(j, "fill", b->numeric.fill);
        json_count(j, "add", b->numeric.add);
        json_count(j, "mul", b->numeric.mul);
        json_count(j, "div", b->numeric.div);
        put_growth(j, b->numeric_growth);
        json_close(j);
    }
    json_close(j);
}

/* choice: the compiler's estimates of the orders. */
static void put_measure(Json *j, const Measure *m, const Measure *choice, bool taken)
{
    json_line(j, 2);
    json_object(j, NULL);
    json_text(j, "order", m->order);
    json_bool(j, "taken", taken);
    if (!m->ok) {
        put_failure(j, &m->failure);
        json_close(j);
        return;
    }
    put_ops(j, "", &m->accelerations);
    put_ops(j, "total_", &m->total);
    json_count(j, "vectors_moved", m->n_moved);
    json_count(j, "equations_turned", m->n_turned);
    json_count(j, "vectors_shifted", m->n_shifted);
    json_count(j, "equations_by_angular_rates", m->n_rates);
    json_count(j, "torques_about_joints", m->n_points);
    json_count(j, "levers_moved_along_axes", m->n_axes);
    json_array(j, "blocks");
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        json_line(j, 4);
        put_block(j, &m->block[k], report_of(&choice->block[k], m->block[k].taken));
    }
    json_close(j);
    json_close(j);
}

static void put_point(Json *j, const Counted *c)
{
    json_array(j, "orders");
    for (uint32_t k = 0; k < c->n; k++)
        put_measure(j, &c->measure[k], &c->choice, k == c->taken);
    json_line(j, 0);
    json_close(j);
    json_object(j, "residual");
    json_count(j, "torn", c->residual.n);
    put_ops(j, "", &c->residual.ops);
    json_close(j);
    json_object(j, "base");
    json_bool(j, "taken", c->base.is_taken);
    json_count(j, "parameters", c->base.n_parameters);
    json_count(j, "not_zero", c->base.n_base);
    put_ops(j, "", &c->base.ops);
    put_ops(j, "residual_", &c->base.residual.ops);
    json_close(j);
    json_array(j, "choice");
    put_measure(j, &c->choice, &c->choice, true);
    json_line(j, 0);
    json_close(j);
}

void study_print_json(const Study *s)
{
    Text t = text_new(s->mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", s->model);
    if (s->grid.n_axes == 0) {
        put_point(&j, &s->point[0]);
    } else {
        json_array(&j, "points");
        for (uint32_t k = 0; k < s->grid.n_points; k++) {
            json_line(&j, 0);
            json_object(&j, NULL);
            for (uint32_t x = 0; x < s->grid.n_axes; x++)
                json_text(&j, s->grid.axis[x].name, grid_value(&s->grid, k, x));
            put_point(&j, &s->point[k]);
            json_close(&j);
        }
        json_line(&j, 0);
        json_close(&j);
    }
    json_close(&j);
    puts(t.at);
}

/* ---- table, for people ---- */

static void print_growth(double growth)
{
    if (isfinite(growth))
        printf(" %8.2g", growth);
    else
        printf(" %8s", "-");
}

/* Why the compiler chose this order for the block. */
static void print_taken(const BlockMeasure *b)
{
    printf("  taken: %s", *b->taken ? b->taken : "none");
    const CandidateReport *v = report_of(b, b->taken);
    bool others = false;
    for (uint32_t k = 0; k < b->n_candidates; k++)
        others = others || b->candidate[k].status == CANDIDATE_REJECTED;
    if (b->is_numeric && v) {
        puts(
            ": compiling the straight code of an order takes longer than all its evaluations gain");
        return;
    }
    if (b->swaps)
        printf(", with %u columns exchanged", b->swaps);
    if (v && v->status == CANDIDATE_REJECTED)
        printf(", though it is rejected: all are");
    else if (v && v->status == CANDIDATE_COUNTED)
        printf(", the cheapest%s", others ? " that is not rejected" : "");
    else
        printf(", by its estimate");
    putchar('\n');
}

static void print_block_row(const char *order, const BlockMeasure *b, const CandidateReport *v,
                            bool taken)
{
    printf("  %-10s %6u %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %6" PRIu64 " %9" PRIu64 " %8u %6u",
           order, b->n_torn, b->ops.add, b->ops.mul, b->ops.div, b->ops.call, sum(&b->ops), b->fill,
           vanishing_of(b, v));
    print_growth(b->growth);
    if (taken)
        puts("  <- taken");
    else if (v && v->status == CANDIDATE_REJECTED)
        print_reason("  rejected: ", &v->reason);
    else if (v && v->status == CANDIDATE_ESTIMATED)
        puts("  not counted: too dear by its estimate");
    else
        putchar('\n');
}

static bool same_block(const Counted *c, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < c->n; k++) {
        const Measure *m = &c->measure[k];
        if (!m->ok)
            continue;
        const BlockMeasure *x = &m->block[a];
        const BlockMeasure *y = &m->block[b];
        if (x->kind != y->kind || x->n != y->n || x->n_torn != y->n_torn || x->fill != y->fill ||
            strcmp(x->taken, y->taken) != 0 || x->nonzeros != y->nonzeros ||
            sum(&x->ops) != sum(&y->ops) || x->swaps || y->swaps)
            return false;
    }
    return true;
}

/* Prints blocks first .. last - 1, which have equal results. */
static void print_block(const Counted *c, uint32_t first, uint32_t last)
{
    const BlockMeasure *b = &c->choice.block[first];
    if (last > first + 1)
        printf("blocks %u to %u, each %u equations", first + 1, last, b->n);
    else
        printf("block %u, %u equations", first + 1, b->n);
    printf(" for %s%s, %u non-zeros", b->first, b->n > 1 ? ", ..." : "", b->nonzeros);
    if (b->kind != BLOCK_LINEAR) {
        printf(", nonlinear: %u unknowns for Newton's method, %" PRIu64 " operations and %" PRIu64
               " functions an iteration\n",
               b->n_torn, sum(&b->ops), b->ops.call);
        return;
    }
    printf("\n  %-10s %6s %9s %9s %7s %6s %9s %8s %6s %8s\n", "order", "torn", "add", "mul", "div",
           "call", "sum", "fill", "vanish", "growth");
    for (uint32_t k = 0; k < c->n; k++) {
        const Measure *m = &c->measure[k];
        if (!m->ok) {
            printf("  %-10s fails: ", m->order);
            print_failure(&m->failure);
            continue;
        }
        const BlockMeasure *x = &m->block[first];
        if (!measure_used(m, first)) {
            printf("  %-10s fails: ", m->order);
            print_reason("", &x->failure.reason);
            continue;
        }
        print_block_row(m->order, x, report_of(b, m->order),
                        strcmp(m->order, "auto") != 0 && strcmp(m->order, b->taken) == 0 &&
                            sum(&x->ops) == sum(&b->ops));
        if (x->swaps) {
            printf("  %-10s with %u columns exchanged: ", "", x->swaps);
            print_failure(&x->failure);
        }
    }
    if (b->numeric.ok)
        printf("  %-10s %6s %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %6d %9" PRIu64 " %8" PRIu64
               " %6s",
               "sparse LU", "-", b->numeric.add, b->numeric.mul, b->numeric.div, 0,
               b->numeric.add + b->numeric.mul + b->numeric.div, b->numeric.fill, "-");
    if (b->numeric.ok) {
        print_growth(b->numeric_growth);
        putchar('\n');
    }
    print_taken(b);
}

/* A row of the table for a form without all variables. */
static void print_form(const char *name, const OpCount *r, const char *of)
{
    printf("%-13s %9" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %10" PRIu64 " %10s  %s\n",
           name, r->add, r->mul, r->div, r->call, sum(r), "-", of);
}

static void print_totals(const Counted *c)
{
    printf("%-12s %10s %10s %8s %8s %10s %10s\n", "totals", "add", "mul", "div", "call", "sum",
           "all");
    for (uint32_t k = 0; k < c->n; k++) {
        const Measure *m = &c->measure[k];
        if (!m->ok) {
            printf("%-12s fails: ", m->order);
            print_failure(&m->failure);
            continue;
        }
        const OpCount *a = &m->accelerations;
        printf("%-12s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %10" PRIu64
               " %10" PRIu64 "%s\n",
               m->order, a->add, a->mul, a->div, a->call, sum(a), sum(&m->total),
               k == c->taken ? "  <- taken" : "");
    }
    char torn[40], of[64];
    snprintf(torn, sizeof torn, "of %u torn", c->residual.n);
    snprintf(of, sizeof of, "%u of %u parameters", c->base.n_base, c->base.n_parameters);
    if (c->residual.n > 0)
        print_form("residual", &c->residual.ops, torn);
    if (c->base.is_taken)
        print_form("base", &c->base.ops, of);
    if (c->base.residual.n > 0)
        print_form("base residual", &c->base.residual.ops, torn);
}

/* Rewritings of the equations before the search for an order. */
static void print_frames(const Measure *m)
{
    if (m->n_moved + m->n_turned > 0)
        printf("frames: %u vectors in frames that cost less, %u vector equations turned\n",
               m->n_moved, m->n_turned);
    if (m->n_shifted > 0)
        printf("frames: %u vectors measured from where equations need them\n", m->n_shifted);
    if (m->n_rates > 0)
        printf("frames: %u equations by angular velocities instead of derivatives of rotations\n",
               m->n_rates);
    if (m->n_points > 0)
        printf("frames: %u torques about their joints\n", m->n_points);
    if (m->n_axes > 0)
        printf("frames: %u levers with one element less, about points along the axes of hinges\n",
               m->n_axes);
}

enum { BLOCKS_SHOWN = 12 };

static void print_point(const Counted *c)
{
    puts(c->model);
    print_frames(&c->choice);
    uint32_t shown = 0;
    for (uint32_t k = 0; k < c->choice.n_blocks;) {
        uint32_t last = k + 1;
        while (last < c->choice.n_blocks && same_block(c, k, last))
            last++;
        if (shown++ < BLOCKS_SHOWN)
            print_block(c, k, last);
        k = last;
    }
    if (shown > BLOCKS_SHOWN)
        printf("%u kinds of blocks more, see --format json\n", shown - BLOCKS_SHOWN);
    print_totals(c);
}

static void print_sweep(const Study *s)
{
    puts(s->model);
    for (uint32_t x = 0; x < s->grid.n_axes; x++)
        printf("%-8s ", s->grid.axis[x].name);
    printf("%-12s %10s %10s %8s %8s %10s %10s\n", "order", "add", "mul", "div", "call", "sum",
           "all");
    for (uint32_t k = 0; k < s->grid.n_points; k++) {
        for (uint32_t i = 0; i < s->point[k].n; i++) {
            const Measure *m = &s->point[k].measure[i];
            const OpCount *a = &m->accelerations;
            for (uint32_t x = 0; x < s->grid.n_axes; x++)
                printf("%-8s ", grid_value(&s->grid, k, x));
            if (!m->ok) {
                printf("%-12s fails: ", m->order);
                print_failure(&m->failure);
                continue;
            }
            printf("%-12s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %10" PRIu64
                   " %10" PRIu64 "%s\n",
                   m->order, a->add, a->mul, a->div, a->call, sum(a), sum(&m->total),
                   i == s->point[k].taken ? "  <- taken" : "");
        }
    }
}

void study_print_table(const Study *s)
{
    if (s->grid.n_axes == 0) {
        print_point(&s->point[0]);
        puts("Of a block: torn, unknowns left after tearing; vanish, pivots that vanish at"
             " sample points;\ngrowth, of rounding errors in units of the rounding; sparse LU:"
             " decomposition and\nsolution by numbers, without the entries. residual: the residual"
             " form, the torn\nunknowns (accelerations) given; base: the same in base parameters,"
             " where that is cheaper:\nso C libraries and inverse dynamics are made.");
    } else {
        print_sweep(s);
    }
    puts("add, mul, div, call, sum: for the derivatives of the states; all: all variables.\n"
         "Expressions of parameters alone are evaluated once and not counted.");
}
