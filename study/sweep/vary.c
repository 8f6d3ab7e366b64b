#include "study/sweep/vary.h"

#include "base/csv_reader.h"
#include "base/hash.h"
#include "base/sort.h"
#include "runtime/result/csv.h"
#include "study/measure/grid.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 1000000 };

const char *sampling_name(Sampling s)
{
    static const char *const name[] = {"", "grid", "list", "lhs", "random"};
    return name[s];
}

/* ---- reading ---- */

static bool number_at(const char **at, double *out)
{
    char *end;
    *out = strtod(*at, &end);
    bool ok = end != *at && isfinite(*out);
    *at = end + strspn(end, " ");
    return ok;
}

/* "uniform(a,b)"; NULL, or an error text. *is: whether the text is a distribution at all. */
static const char *read_distribution(VaryAxis *a, const char *text, bool *is)
{
    const char *open = strchr(text, '(');
    *is = open != NULL;
    if (!open)
        return NULL;
    size_t n = (size_t)(open - text);
    if (n == 7 && !strncmp(text, "uniform", n))
        a->kind = VARY_UNIFORM;
    else if (n == 6 && !strncmp(text, "normal", n))
        a->kind = VARY_NORMAL;
    else
        return "distributions are uniform(a,b) and normal(mean,deviation)";
    const char *at = open + 1;
    bool ok =
        number_at(&at, &a->a) && *at++ == ',' && number_at(&at, &a->b) && *at++ == ')' && !*at;
    if (!ok)
        return "a distribution needs two numbers, like uniform(1,2)";
    if (a->kind == VARY_UNIFORM && !(a->a < a->b))
        return "the range is empty: the second bound is not above the first one";
    if (a->kind == VARY_NORMAL && !(a->b > 0))
        return "the deviation must be above zero";
    return NULL;
}

static const char *read_axis(VaryAxis *a, const char *text, Arena *mem)
{
    const char *name, *values = grid_read_name(text, &name, mem);
    bool is_distribution = false;
    const char *why = values ? read_distribution(a, values, &is_distribution) : NULL;
    if (why)
        return why;
    if (!is_distribution) {
        GridAxis list = {0};
        why = grid_read_axis(&list, text, mem);
        if (why)
            return why;
        for (uint32_t k = 0; k < list.value.n; k++)
            vec_push(mem, a->row, list.value.at[k]);
        a->n_rows = list.value.n;
        name = list.name;
    }
    vec_push(mem, a->name, name);
    return NULL;
}

static const char *trimmed(const char *text, Arena *mem)
{
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    return arena_copy(mem, text, n);
}

static Exit read_file(VaryAxis *a, const char *path, Arena *mem)
{
    CsvReader csv;
    if (!csv_reader_open(&csv, path, mem)) {
        fprintf(stderr, "rung: cannot read '%s': %s\n", path, strerror(errno));
        return EXIT_FILE;
    }
    const char *why = NULL;
    while (!why && csv_reader_next(&csv)) {
        bool head = a->name.n == 0;
        if (!head && csv.n != a->name.n)
            why = arena_printf(mem, "%u values where the first row has %u names", csv.n, a->name.n);
        for (uint32_t k = 0; k < csv.n && !why; k++) {
            const char *field = trimmed(csv.field[k], mem);
            if (!*field)
                why = arena_printf(mem, "the %s of column %u is empty", head ? "name" : "value",
                                   k + 1);
            else if (head)
                vec_push(mem, a->name, field);
            else
                vec_push(mem, a->row, field);
        }
        a->n_rows += !head && !why;
        if (!why && a->n_rows > MOST_RUNS)
            why = "too many rows";
    }
    uint32_t line = csv.line;
    csv_reader_close(&csv);
    if (!why && a->n_rows == 0)
        why = "there is no row of values";
    if (!why)
        return EXIT_GOOD;
    fprintf(stderr, "rung: %s:%u: %s\n", path, line, why);
    return EXIT_USAGE;
}

static bool all_differ(const Vary *v, const VaryRequest *r)
{
    for (uint32_t k = 0; k < v->name.n; k++) {
        const char *name = v->name.at[k];
        for (uint32_t i = 0; i < k; i++)
            if (!strcmp(name, v->name.at[i])) {
                fprintf(stderr, "rung: '%s' varies twice\n", name);
                return false;
            }
        for (uint32_t i = 0; i < r->set.n; i++) {
            size_t n = strlen(name);
            if (!strncmp(r->set.at[i], name, n) && r->set.at[i][n] == '=') {
                fprintf(stderr, "rung: '%s' varies, and --set gives it one value\n", name);
                return false;
            }
        }
    }
    return true;
}

static bool is_whole(double x, double least, double most)
{
    return x >= least && x <= most && x == floor(x);
}

/* ---- the runs ---- */

static bool no_distribution(const Vary *v)
{
    for (uint32_t k = 0; k < v->axis.n; k++)
        if (v->axis.at[k].kind != VARY_LIST) {
            fprintf(stderr,
                    "rung: --sampling %s takes lists, and '%s' has a distribution: lhs and random "
                    "draw from it\n",
                    sampling_name(v->sampling), v->axis.at[k].name.at[0]);
            return false;
        }
    return true;
}

static bool count_listed(Vary *v)
{
    uint64_t n = v->sampling == SAMPLING_GRID ? 1 : v->axis.at[0].n_rows;
    for (uint32_t k = 0; k < v->axis.n; k++) {
        uint32_t rows = v->axis.at[k].n_rows;
        if (v->sampling == SAMPLING_GRID) {
            n *= rows;
        } else if (rows != n) {
            fprintf(
                stderr,
                "rung: --sampling list needs lists of one length: %u values of '%s', %u of '%s'\n",
                v->axis.at[0].n_rows, v->axis.at[0].name.at[0], rows, v->axis.at[k].name.at[0]);
            return false;
        }
        if (n > MOST_RUNS) {
            fprintf(stderr, "rung: more than %d runs\n", MOST_RUNS);
            return false;
        }
    }
    v->n_runs = (uint32_t)n;
    return true;
}

static bool count_runs(Vary *v, const VaryRequest *r)
{
    bool draws = v->sampling == SAMPLING_LHS || v->sampling == SAMPLING_RANDOM;
    if (!isnan(r->runs) && !is_whole(r->runs, 1, MOST_RUNS)) {
        fprintf(stderr, "rung: --runs needs a whole number from 1 to %d\n", MOST_RUNS);
        return false;
    }
    if (draws && isnan(r->runs)) {
        fprintf(stderr, "rung: --runs is missing: the number of random runs\n");
        return false;
    }
    if (draws) {
        v->n_runs = (uint32_t)r->runs;
        return true;
    }
    if (!no_distribution(v) || !count_listed(v))
        return false;
    if (isnan(r->runs) || r->runs == v->n_runs)
        return true;
    fprintf(stderr,
            "rung: --sampling %s makes %u runs of these values; --runs is for lhs and random\n",
            sampling_name(v->sampling), v->n_runs);
    return false;
}

/* The random stream of an axis, from its names, so that the order of options does not matter. */
static uint64_t stream(const Vary *v, const VaryAxis *a)
{
    uint64_t h = hash_word(v->seed);
    for (uint32_t k = 0; k < a->name.n; k++)
        h = hash_pair(h, hash_bytes(a->name.at[k], strlen(a->name.at[k])));
    return h;
}

static void permute(const Vary *v, VaryAxis *a, Arena *mem)
{
    uint64_t *key = arena_array(mem, uint64_t, v->n_runs);
    for (uint32_t k = 0; k < v->n_runs; k++)
        key[k] = hash_word(hash_pair(stream(v, a), ~(uint64_t)k));
    a->place = sort_by_key(v->n_runs, key, mem);
}

Exit vary_read(Vary *v, const VaryRequest *r, Arena *mem)
{
    *v = (Vary){0};
    for (uint32_t k = 0; k < r->axes.n; k++) {
        VaryAxis a = {0};
        const char *why = read_axis(&a, r->axes.at[k], mem);
        if (why) {
            fprintf(stderr, "rung: --vary '%s': %s\n", r->axes.at[k], why);
            return EXIT_USAGE;
        }
        vec_push(mem, v->axis, a);
    }
    if (r->file) {
        VaryAxis a = {0};
        Exit status = read_file(&a, r->file, mem);
        if (status != EXIT_GOOD)
            return status;
        vec_push(mem, v->axis, a);
    }
    if (v->axis.n == 0) {
        fputs("rung: sweep needs values of parameters: --vary p=1,2,4 or --vary-from F.csv\n",
              stderr);
        return EXIT_USAGE;
    }
    bool has_distribution = false;
    for (uint32_t k = 0; k < v->axis.n; k++) {
        const VaryAxis *a = &v->axis.at[k];
        has_distribution = has_distribution || a->kind != VARY_LIST;
        for (uint32_t i = 0; i < a->name.n; i++)
            vec_push(mem, v->name, a->name.at[i]);
    }
    v->sampling = r->sampling;
    if (v->sampling == SAMPLING_DEFAULT)
        v->sampling = has_distribution ? SAMPLING_RANDOM : SAMPLING_GRID;
    if (!isnan(r->seed) && !is_whole(r->seed, 0, 9007199254740992.0)) {
        fputs("rung: --seed needs a whole number, not below 0\n", stderr);
        return EXIT_USAGE;
    }
    v->seed = isnan(r->seed) ? 0 : (uint64_t)r->seed;
    if (!all_differ(v, r) || !count_runs(v, r))
        return EXIT_USAGE;
    for (uint32_t k = 0; k < v->axis.n && v->sampling == SAMPLING_LHS; k++)
        permute(v, &v->axis.at[k], mem);
    return EXIT_GOOD;
}

/* ---- values ---- */

/* Halving, until no number is left between: erfc is exact to the last digits far out too. */
double vary_normal(double p)
{
    double q = p < 0.5 ? p : 1 - p;
    double below = -40, above = 0;
    for (double x = -20; x > below && x < above; x = 0.5 * (below + above)) {
        if (0.5 * erfc(-x / sqrt(2)) < q)
            below = x;
        else
            above = x;
    }
    return p < 0.5 ? above : -above;
}

/* The random number of a run and an axis: above 0, below 1. */
static double draw(const Vary *v, const VaryAxis *a, uint32_t run)
{
    double u = hash_unit(hash_word(hash_pair(stream(v, a), run)));
    if (v->sampling == SAMPLING_LHS)
        u = (a->place[run] + u) / v->n_runs;
    return fmin(fmax(u, 0x1p-60), 1 - 0x1p-53);
}

static uint32_t row_of(const Vary *v, uint32_t axis, uint32_t run)
{
    const VaryAxis *a = &v->axis.at[axis];
    if (v->sampling == SAMPLING_GRID) {
        for (uint32_t k = v->axis.n; k-- > axis + 1;)
            run /= v->axis.at[k].n_rows;
        return run % a->n_rows;
    }
    if (v->sampling == SAMPLING_LIST)
        return run;
    return (uint32_t)(draw(v, a, run) * a->n_rows);
}

/* The axis of the k-th name, and its place in the rows of that. */
static uint32_t axis_of(const Vary *v, uint32_t *k)
{
    uint32_t axis = 0;
    while (*k >= v->axis.at[axis].name.n)
        *k -= v->axis.at[axis++].name.n;
    return axis;
}

const char *vary_value(const Vary *v, uint32_t run, uint32_t k, Arena *mem)
{
    uint32_t axis = axis_of(v, &k);
    const VaryAxis *a = &v->axis.at[axis];
    if (a->kind == VARY_LIST)
        return a->row.at[row_of(v, axis, run) * a->name.n + k];
    double u = draw(v, a, run);
    char text[32];
    size_t n = csv_number(
        a->kind == VARY_UNIFORM ? a->a + u * (a->b - a->a) : a->a + a->b * vary_normal(u), text);
    return arena_copy(mem, text, n);
}

const char *vary_possible(const Vary *v, uint32_t k, uint32_t i, Arena *mem)
{
    uint32_t place = k;
    const VaryAxis *a = &v->axis.at[axis_of(v, &place)];
    if (a->kind != VARY_LIST)
        return i == 0 ? vary_value(v, 0, k, mem) : NULL;
    return i < a->n_rows ? a->row.at[i * a->name.n + place] : NULL;
}
