/* The reports of rung count. */
#include "cli/count.h"

#include "base/diag.h"

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

/* What the compiler found of the order when it chose; NULL if it had no choice. */
static const Verdict *verdict_of(const BlockMeasure *choice, const char *order)
{
    for (uint32_t k = 0; k < choice->n_verdicts; k++) {
        if (strcmp(choice->verdict[k].order, order) == 0)
            return &choice->verdict[k];
    }
    return NULL;
}

/* ---- json, for programs ---- */

static void json_ops(const char *prefix, const OpCount *c)
{
    printf("\"%sadd\": %" PRIu64 ", \"%smul\": %" PRIu64 ", \"%sdiv\": %" PRIu64
           ", \"%scall\": %" PRIu64,
           prefix, c->add, prefix, c->mul, prefix, c->div, prefix, c->call);
}

static void json_block(const BlockMeasure *b, const Verdict *v)
{
    printf("{\"first\": ");
    json_string(stdout, b->first);
    printf(", \"kind\": \"%s\", \"equations\": %u, \"torn\": %u, \"nonzeros\": %u, \"fill\": %u, "
           "\"order\": \"%s\", ",
           b->kind == BLOCK_LINEAR ? "linear" : "nonlinear", b->n, b->n_torn, b->nonzeros, b->fill,
           b->taken);
    json_ops("", &b->ops);
    printf(", \"swaps\": %u, \"vanishing_pivots\": %u", b->swaps, b->n_vanishing);
    if (isfinite(b->growth))
        printf(", \"error_growth\": %.3g", b->growth);
    if (b->why) {
        printf(", \"failed\": ");
        json_string(stdout, b->why);
    }
    if (v) {
        printf(", \"candidate\": %s, \"tried\": %s", v->why ? "false" : "true",
               v->is_tried ? "true" : "false");
        if (v->why) {
            printf(", \"reason\": ");
            json_string(stdout, v->why);
        }
    }
    if (b->numeric.ok)
        printf(", \"sparse_lu\": {\"fill\": %" PRIu64 ", \"add\": %" PRIu64 ", \"mul\": %" PRIu64
               ", \"div\": %" PRIu64,
               b->numeric.fill, b->numeric.add, b->numeric.mul, b->numeric.div);
    if (b->numeric.ok && isfinite(b->numeric_growth))
        printf(", \"error_growth\": %.3g", b->numeric_growth);
    printf("%s}", b->numeric.ok ? "}" : "");
}

/* choice: what the compiler found of the orders. */
static void json_measure(const Measure *m, const Measure *choice, bool taken)
{
    printf("\n  {\"order\": \"%s\", \"taken\": %s", m->order, taken ? "true" : "false");
    if (!m->ok) {
        printf(", \"failed\": ");
        json_string(stdout, m->why ? m->why : "");
        putchar('}');
        return;
    }
    printf(", ");
    json_ops("", &m->accelerations);
    printf(", ");
    json_ops("total_", &m->total);
    printf(", \"vectors_moved\": %u, \"equations_turned\": %u, \"vectors_shifted\": %u", m->n_moved,
           m->n_turned, m->n_shifted);
    printf(", \"blocks\": [");
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        printf("%s\n    ", k ? "," : "");
        json_block(&m->block[k], verdict_of(&choice->block[k], m->block[k].taken));
    }
    printf("]}");
}

static void json_point(const Counted *c)
{
    printf("\"orders\": [");
    for (uint32_t k = 0; k < c->n; k++) {
        fputs(k ? "," : "", stdout);
        json_measure(&c->measure[k], &c->choice, k == c->taken);
    }
    printf("\n], \"residual\": {\"torn\": %u, ", c->residual.n);
    json_ops("", &c->residual.ops);
    printf("}, \"choice\": [");
    json_measure(&c->choice, &c->choice, true);
    printf("\n]");
}

void study_print_json(const Study *s)
{
    printf("{\"model\": ");
    json_string(stdout, s->model);
    if (s->grid.n_axes == 0) {
        printf(", ");
        json_point(&s->point[0]);
    } else {
        printf(", \"points\": [");
        for (uint32_t k = 0; k < s->grid.n_points; k++) {
            printf("%s\n{", k ? "," : "");
            for (uint32_t x = 0; x < s->grid.n_axes; x++) {
                json_string(stdout, s->grid.axis[x].name);
                printf(": ");
                json_string(stdout, grid_value(&s->grid, k, x));
                printf(", ");
            }
            json_point(&s->point[k]);
            printf("}");
        }
        printf("\n]");
    }
    puts("}");
}

/* ---- table, for people ---- */

static void print_growth(double growth)
{
    if (isfinite(growth))
        printf(" %8.2g", growth);
    else
        printf(" %8s", "-");
}

/* Why the compiler took what it took for this block. */
static void print_reason(const BlockMeasure *b)
{
    printf("  taken: %s", *b->taken ? b->taken : "none");
    const Verdict *v = verdict_of(b, b->taken);
    bool others = false;
    for (uint32_t k = 0; k < b->n_verdicts; k++)
        others = others || b->verdict[k].why;
    if (b->is_numeric && v) {
        puts(
            ": compiling the straight code of an order takes longer than all its evaluations gain");
        return;
    }
    if (b->swaps)
        printf(", with %u columns exchanged", b->swaps);
    if (v && v->why)
        printf(", though it is no candidate: none is");
    else if (v && v->is_tried)
        printf(", the cheapest%s", others ? " candidate" : "");
    else
        printf(", by its estimate");
    putchar('\n');
}

static void print_block_row(const char *order, const BlockMeasure *b, const Verdict *v, bool taken)
{
    printf("  %-10s %6u %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %6" PRIu64 " %9" PRIu64 " %8u %6u",
           order, b->n_torn, b->ops.add, b->ops.mul, b->ops.div, b->ops.call, sum(&b->ops), b->fill,
           b->n_vanishing);
    print_growth(b->growth);
    if (taken)
        puts("  <- taken");
    else if (v && v->why)
        printf("  no candidate: %s\n", v->why);
    else if (v && !v->is_tried)
        puts("  not tried: too dear by its estimate");
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

/* Blocks first .. last - 1 are alike. */
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
            printf("  %-10s fails: %s\n", m->order, m->why);
            continue;
        }
        const BlockMeasure *x = &m->block[first];
        if (!measure_used(m, first)) {
            const char *why = x->why ? strstr(x->why, ": ") : NULL; /* after the name */
            printf("  %-10s fails: %s\n", m->order, why ? why + 2 : "");
            continue;
        }
        print_block_row(m->order, x, verdict_of(b, m->order),
                        strcmp(m->order, "auto") != 0 && strcmp(m->order, b->taken) == 0 &&
                            sum(&x->ops) == sum(&b->ops));
        if (x->swaps)
            printf("  %-10s with %u columns exchanged: %s\n", "", x->swaps, x->why ? x->why : "");
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
    print_reason(b);
}

static void print_totals(const Counted *c)
{
    printf("%-12s %10s %10s %8s %8s %10s %10s\n", "totals", "add", "mul", "div", "call", "sum",
           "all");
    for (uint32_t k = 0; k < c->n; k++) {
        const Measure *m = &c->measure[k];
        if (!m->ok) {
            printf("%-12s fails: %s\n", m->order, m->why);
            continue;
        }
        const OpCount *a = &m->accelerations;
        printf("%-12s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %10" PRIu64
               " %10" PRIu64 "%s\n",
               m->order, a->add, a->mul, a->div, a->call, sum(a), sum(&m->total),
               k == c->taken ? "  <- taken" : "");
    }
    const OpCount *r = &c->residual.ops;
    if (c->residual.n > 0)
        printf("%-12s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %10" PRIu64
               " %10s  of %u torn\n",
               "residual", r->add, r->mul, r->div, r->call, sum(r), "-", c->residual.n);
}

/* What was done to the equations before an order was looked for. */
static void print_frames(const Measure *m)
{
    if (m->n_turned > 0)
        printf("frames: %u vectors in frames that cost less, %u vector equations turned\n",
               m->n_moved, m->n_turned);
    if (m->n_shifted > 0)
        printf("frames: %u vectors measured from where equations need them\n", m->n_shifted);
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
                printf("%-12s fails: %s\n", m->order, m->why);
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
             " form, the torn\nunknowns (accelerations) given.");
    } else {
        print_sweep(s);
    }
    puts("add, mul, div, call, sum: for the derivatives of the states; all: all variables.\n"
         "Expressions of parameters alone are evaluated once and not counted.");
}
