#include "eliminate/forms/base_parameters.h"

#include "base/bug.h"
#include "eliminate/forms/residues.h"
#include "eliminate/prepare/loop_cut.h"

#include <stdlib.h>

/* Multiplications spent on finding the parameters that coefficients depend on, and the dependence:
 * some ten seconds each. */
static const uint64_t GEOMETRY_COST = 4000000000, SAMPLES_COST = 4000000000;

enum {
    NONE = UINT32_MAX,
    DEGREE_MOST = 4, /* of a product's factors together                       */
    TERMS_MOST = 60, /* monomials of one linear parameter                     */
    FIT_MOST = 140,  /* unknowns of a fit                                     */
    FIT_VARIABLES = 12,
    SPARE = 8, /* points more than columns, fits more than unknowns / 2 */
    CHOICE_POINTS = 128,
    POOR_MOST = 1000,   /* points in a row that divide by zero                   */
    SYMBOLS_MOST = 400, /* products up to which coefficients are found as functions of geometry */
};

typedef struct Finder {
    Regressor *r;
    BaseParameters *out;
    const BaseQuestion *q;
    Arena *mem, *scratch;
    uint32_t n;        /* parameters                                            */
    Fp *slope, *other; /* n each                                                */
    bool *meets;       /* n * n: the slope by i depends on j                    */
    bool *carries;     /* n * n: the slope by j is zero where i is              */
    bool *holds_out;   /* n * n: the slope by j is not always zero where i is   */
    bool *is_felt;     /* per parameter: rows change with it                    */
    uint32_t *owner;   /* per factor: the linear parameter it is of; else NONE  */
    uint32_t *degree;  /* per linear parameter: in its factors                  */
    uint32_t *n_own;   /* per linear parameter: factors                         */
    uint32_t **own;
    uint32_t n_linear, *linear; /* parameters                                   */
    uint32_t n_settings;        /* of factors, that columns come from           */
    uint32_t *first;            /* per linear one: its first column             */
    uint32_t *n_columns;        /* likewise                                     */
    uint32_t *order;            /* per column of the matrix: product            */
} Finder;

/* ---- roles ---- */

static Fp any(uint64_t seed, uint32_t parameter)
{
    return fp_random(seed ^ 0x706172616d, parameter);
}

static void set_any(Finder *f, uint64_t seed)
{
    for (uint32_t k = 0; k < f->n; k++)
        regressor_set(f->r, k, any(seed, k));
}

/* A point that divides by nothing that is zero. */
static uint64_t draw(Finder *f, uint64_t seed, Fp *slope)
{
    for (uint64_t k = 0; k < POOR_MOST; k++) {
        uint64_t s = seed + (k << 40);
        regressor_draw(f->r, s);
        regressor_slopes(f->r, s, slope);
        if (!f->r->is_poor)
            return s;
    }
    f->out->has_no_point = true;
    return seed;
}

/* Whether a parameter is taken as known. Parameters that close loops are: otherwise forces in the
 * loop could not be distinguished from them. */
static bool is_known(const Finder *f, uint32_t parameter)
{
    return f->r->parameter[parameter].closes_loop || (f->q->is_known && f->q->is_known[parameter]);
}

static void find_meetings_at(Finder *f, uint64_t point)
{
    uint32_t n = f->n;
    set_any(f, point);
    uint64_t seed = draw(f, point, f->slope);
    for (uint32_t i = 0; i < n; i++)
        f->is_felt[i] = f->is_felt[i] || !fp_is_zero(f->slope[i]);
    for (uint32_t j = 0; j < n; j++) {
        if (!f->r->parameter[j].is_polynomial)
            continue;
        regressor_set(f->r, j, (Fp){0});
        regressor_slopes(f->r, seed, f->other);
        regressor_set(f->r, j, any(point, j));
        for (uint32_t i = 0; i < n; i++) {
            bool meets = !fp_same(f->slope[i], f->other[i]);
            f->meets[i * n + j] = f->meets[i * n + j] || meets;
            f->holds_out[j * n + i] = f->holds_out[j * n + i] || !fp_is_zero(f->other[i]);
        }
    }
    // those without a slope: do rows change with them?
    ArenaMark mark = arena_mark(f->scratch);
    Fp *row = arena_array(f->scratch, Fp, f->r->n_rows + 1);
    Fp *moved = arena_array(f->scratch, Fp, f->r->n_rows + 1);
    regressor_rows(f->r, row);
    for (uint32_t j = 0; j < n; j++) {
        if (f->is_felt[j])
            continue;
        regressor_set(f->r, j, any(~point, j));
        regressor_rows(f->r, moved);
        regressor_set(f->r, j, any(point, j));
        for (uint32_t k = 0; k < f->r->n_rows; k++)
            f->is_felt[j] = f->is_felt[j] || !fp_same(row[k], moved[k]);
    }
    arena_rollback(f->scratch, mark);
}

/* At one point; where there are conditions at so many that each of a few is met in both ways. */
static void find_meetings(Finder *f)
{
    uint32_t n = f->n, n_points = f->r->has_choices ? CHOICE_POINTS : 1;
    for (uint32_t k = 0; k < n_points && !f->out->has_no_point; k++)
        find_meetings_at(f, 1 + 1000 * (uint64_t)k);
    for (uint32_t j = 0; j < n; j++) {
        f->out->role[j] = f->is_felt[j] ? ROLE_GEOMETRY : ROLE_IDLE;
        f->out->matters[j] = f->is_felt[j];
        for (uint32_t i = 0; i < n; i++)
            f->carries[j * n + i] = f->meets[i * n + j] && !f->holds_out[j * n + i];
    }
}

/* Whether, all other parameters being zero, they multiply accelerations: masses and inertias do. */
static bool *find_inertial(Finder *f)
{
    uint32_t n = f->n;
    bool *out = arena_array(f->scratch, bool, n + 1);
    set_any(f, 6);
    for (uint32_t k = 0; k < n; k++)
        if (f->r->parameter[k].is_polynomial)
            regressor_set(f->r, k, (Fp){0});
    Fp *still = arena_array(f->scratch, Fp, n + 1);
    uint64_t seed = draw(f, 6, still);
    regressor_move(f->r, 61);
    regressor_slopes(f->r, seed, f->other);
    for (uint32_t k = 0; k < n; k++)
        out[k] = !fp_same(still[k], f->other[k]);
    return out;
}

/* Of parameters that the rows are linear in by themselves, as many as rows are linear in together.
 * Not those that another one takes with it when it is zero, as a spring's stiffness does its
 * length; then those first that are inertial, and of these that stand with the fewest others. */
static void find_linear(Finder *f)
{
    uint32_t n = f->n;
    bool *left = arena_array(f->scratch, bool, n + 1);
    uint32_t *degree = arena_array(f->scratch, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        left[i] = f->r->parameter[i].is_polynomial && !f->meets[i * n + i] && f->is_felt[i] &&
                  !is_known(f, i);
    const bool *inertial = find_inertial(f);
    bool *can = arena_array(f->scratch, bool, n + 1);
    memcpy(can, left, n * sizeof *can);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n && left[i] && !f->q->any_owner; j++)
            left[i] = !can[j] || !f->carries[j * n + i] || f->carries[i * n + j];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            degree[i] += left[j] && f->meets[i * n + j];
        }
    f->linear = arena_array(f->mem, uint32_t, n + 1);
    for (;;) {
        uint32_t best = NONE;
        for (uint32_t i = 0; i < n; i++)
            if (left[i] && (best == NONE || inertial[i] > inertial[best] ||
                            (inertial[i] == inertial[best] && degree[i] < degree[best])))
                best = i;
        if (best == NONE)
            break;
        f->out->role[best] = ROLE_LINEAR;
        left[best] = false;
        for (uint32_t j = 0; j < n; j++) {
            if (!left[j] || !f->meets[best * n + j])
                continue;
            left[j] = false;
            for (uint32_t i = 0; i < n; i++)
                degree[i] -= f->meets[i * n + j];
        }
    }
    for (uint32_t i = 0; i < n; i++)
        if (f->out->role[i] == ROLE_LINEAR)
            f->linear[f->n_linear++] = i;
}

/* The component of a parameter; all that are declared at the top belong together. */
static const char *component_of(Finder *f, uint32_t parameter)
{
    Name name = f->r->s->var.at[f->r->parameter[parameter].var.i].name;
    const char *owner = loop_owner_of(name, f->scratch);
    return strcmp(owner, name.s) == 0 ? "" : owner;
}

/* Factors: parameters that rows contain only in products with one linear parameter of the same
 * component, as a centre of mass with the mass. */
static void find_factors(Finder *f)
{
    uint32_t n = f->n;
    for (uint32_t k = 0; k < n; k++)
        f->owner[k] = NONE;
    for (uint32_t k = 0; k < f->n_linear; k++)
        f->own[f->linear[k]] = arena_array(f->mem, uint32_t, DEGREE_MOST * TERMS_MOST);
    for (uint32_t g = 0; g < n; g++) {
        if (f->out->role[g] != ROLE_GEOMETRY || !f->r->parameter[g].is_polynomial || is_known(f, g))
            continue;
        uint32_t n_with = 0, with = NONE;
        for (uint32_t k = 0; k < f->n_linear; k++)
            if (f->meets[f->linear[k] * n + g]) {
                with = f->linear[k];
                n_with++;
            }
        if (n_with == 1 && f->carries[with * n + g] && f->n_own[with] < TERMS_MOST &&
            (f->q->any_owner || strcmp(component_of(f, with), component_of(f, g)) == 0)) {
            f->owner[g] = with;
            f->own[with][f->n_own[with]++] = g;
        }
    }
}

static uint32_t n_monomials(uint32_t variables, uint32_t degree)
{
    uint64_t n = 1;
    for (uint32_t k = 1; k <= degree && n < (1u << 20); k++)
        n = n * (variables + k) / k;
    return (uint32_t)n;
}

/* The degree of columns in the factors of linear parameters, along a line, at one point. */
static void find_degrees_at(Finder *f, uint64_t point)
{
    Arena *tmp = arena_new();
    Fp value[DEGREE_MOST + 2], *at = arena_array(tmp, Fp, (size_t)f->n * (DEGREE_MOST + 2) + 1);
    set_any(f, point);
    uint64_t seed = draw(f, point, f->slope);
    for (uint32_t t = 0; t < DEGREE_MOST + 2; t++) {
        for (uint32_t g = 0; g < f->n; g++)
            if (f->owner[g] != NONE)
                regressor_set(f->r, g, fp_mul(any(point, g), (Fp){{t, t}}));
        regressor_slopes(f->r, seed, at + (size_t)t * f->n);
    }
    for (uint32_t k = 0; k < f->n_linear; k++) {
        uint32_t p = f->linear[k];
        for (uint32_t t = 0; t < DEGREE_MOST + 2; t++)
            value[t] = at[(size_t)t * f->n + p];
        for (uint32_t d = 1; d < DEGREE_MOST + 2; d++) {
            // the d-th differences
            for (uint32_t t = DEGREE_MOST + 1; t >= d; t--)
                value[t] = fp_sub(value[t], value[t - 1]);
            for (uint32_t t = d; t < DEGREE_MOST + 2; t++)
                if (!fp_is_zero(value[t]) && f->degree[p] < d)
                    f->degree[p] = d;
        }
    }
    arena_free(tmp);
}

static void find_degrees(Finder *f)
{
    for (uint32_t k = 0; k < (f->r->has_choices ? CHOICE_POINTS : 1); k++)
        find_degrees_at(f, 3 + 1000 * (uint64_t)k);
    for (uint32_t k = 0; k < f->n_linear; k++) {
        uint32_t p = f->linear[k];
        if (f->degree[p] <= DEGREE_MOST && n_monomials(f->n_own[p], f->degree[p]) <= TERMS_MOST)
            continue;
        f->degree[p] = 0;
        for (uint32_t i = 0; i < f->n_own[p]; i++)
            f->owner[f->own[p][i]] = NONE;
        f->n_own[p] = 0;
    }
    for (uint32_t g = 0; g < f->n; g++)
        if (f->owner[g] != NONE)
            f->out->role[g] = ROLE_FACTOR;
}

/* Rows that no linear parameter changes. */
static void find_restricting(Finder *f)
{
    Fp *row = arena_array(f->scratch, Fp, f->r->n_rows + 1);
    Fp *moved = arena_array(f->scratch, Fp, f->r->n_rows + 1);
    bool *changes = arena_array(f->scratch, bool, f->r->n_rows + 1);
    for (uint32_t point = 0; point < (f->r->has_choices ? CHOICE_POINTS : 1); point++) {
        set_any(f, 4 + 1000 * (uint64_t)point);
        draw(f, 4 + 1000 * (uint64_t)point, f->slope);
        regressor_rows(f->r, row);
        for (uint32_t k = 0; k < f->n_linear; k++)
            regressor_set(f->r, f->linear[k], any(5, f->linear[k]));
        regressor_rows(f->r, moved);
        for (uint32_t k = 0; k < f->r->n_rows; k++)
            changes[k] = changes[k] || !fp_same(row[k], moved[k]);
    }
    for (uint32_t k = 0; k < f->r->n_rows; k++)
        f->out->n_restricting += !f->r->is_solved[k] && !changes[k];
}

/* ---- products and their columns ---- */

/* The exponents of n variables in the order of degrees; false after the last one of that degree. */
static bool next_exponents(uint32_t n, uint32_t *power, uint32_t most)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += power[k];
    // the same sum once more, else the next one
    uint32_t k = 0;
    while (k < n && power[k] == 0)
        k++;
    if (k + 1 < n) {
        uint32_t x = power[k];
        power[k] = 0;
        power[0] = x - 1;
        power[k + 1]++;
        return true;
    }
    if (n == 0 || sum == most)
        return false;
    for (uint32_t i = 0; i < n; i++)
        power[i] = 0;
    power[0] = sum + 1;
    return true;
}

static void make_products(Finder *f)
{
    BaseParameters *out = f->out;
    uint32_t total = 0;
    for (uint32_t k = 0; k < f->n_linear; k++)
        total += n_monomials(f->n_own[f->linear[k]], f->degree[f->linear[k]]);
    if (total > BASE_PRODUCTS_MOST) {
        out->too_many = total;
        return;
    }
    out->product = arena_array(f->mem, Product, total + 1);
    f->first = arena_array(f->mem, uint32_t, f->n_linear + 1);
    f->n_columns = arena_array(f->mem, uint32_t, f->n_linear + 1);
    for (uint32_t k = 0; k < f->n_linear; k++) {
        uint32_t p = f->linear[k], n = f->n_own[p];
        uint32_t *power = arena_array(f->scratch, uint32_t, n + 1);
        f->first[k] = out->n_products;
        do {
            Product *it = &out->product[out->n_products++];
            *it = (Product){.linear = p, .lead = NONE};
            it->factor = arena_array(f->mem, Factor, n + 1);
            for (uint32_t i = 0; i < n; i++)
                if (power[i])
                    it->factor[it->n++] = (Factor){f->own[p][i], power[i], FACTOR_PLAIN};
        } while (next_exponents(n, power, f->degree[p]));
        f->n_columns[k] = out->n_products - f->first[k];
        if (f->n_columns[k] > f->n_settings)
            f->n_settings = f->n_columns[k];
    }
}

static uint32_t degree_of(const Product *p)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < p->n; k++)
        sum += p->factor[k].power;
    return sum;
}

typedef struct Rank {
    uint32_t component, rank, product;
} Rank;

static int rank_order(const void *x, const void *y)
{
    const Rank *a = x, *b = y;
    if (a->component != b->component)
        return a->component < b->component ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->product < b->product ? -1 : a->product > b->product;
}

/* The preferred columns come first: component after component, in each single linear parameters,
 * then products of first degree (first moments), then parameters that also have products (masses),
 * then higher degrees. */
static void order_columns(Finder *f)
{
    BaseParameters *out = f->out;
    Rank *place = arena_array(f->scratch, Rank, out->n_products + 1);
    Map component = map_new(f->scratch);
    for (uint32_t k = 0; k < out->n_products; k++) {
        const Product *p = &out->product[k];
        const char *name = component_of(f, p->linear);
        uint64_t key = (uint64_t)(uintptr_t)name_of(f->r->s->names, name).s;
        uint32_t at = map_get(&component, key);
        if (at == MAP_NONE)
            map_put(&component, key, at = k);
        uint32_t degree = degree_of(p);
        place[k] = (Rank){at, f->n_own[p->linear] == 0 ? 0 : degree == 1 ? 1 : degree ? 3 : 2, k};
    }
    qsort(place, out->n_products, sizeof *place, rank_order);
    f->order = arena_array(f->mem, uint32_t, out->n_products + 1);
    for (uint32_t k = 0; k < out->n_products; k++)
        f->order[k] = place[k].product;
}

/* ---- the rank at one geometry ---- */

typedef struct Values {
    uint64_t seed;
    bool as_given;
    uint32_t changed; /* a parameter with another value than that of the seed; NONE */
} Values;

static Fp geometry_value(const Finder *f, Values g, uint32_t parameter)
{
    const RegressorParameter *p = &f->r->parameter[parameter];
    if (g.as_given && p->is_given)
        return p->given;
    return any(parameter == g.changed ? ~g.seed : g.seed, parameter);
}

/* Columns, reduced; pivot has room for all columns. */
typedef struct Reduced {
    uint32_t rank;
    uint32_t *pivot; /* columns in the finder's order */
    Residues m;
} Reduced;

static Fp power_of(Fp x, uint32_t n)
{
    Fp out = {{1, 1}};
    while (n-- > 0)
        out = fp_mul(out, x);
    return out;
}

/* From values at the points of a lattice to coefficients: per linear parameter the inverse of its
 * monomials there. */
static Residues *lattice_inverses(Finder *f)
{
    Residues *out = arena_array(f->mem, Residues, f->n_linear + 1);
    for (uint32_t k = 0; k < f->n_linear; k++) {
        uint32_t n = f->n_columns[k], p = f->linear[k], vars = f->n_own[p];
        Residues m = residues_new(n, 2 * n, f->scratch);
        const Product *at = &f->out->product[f->first[k]];
        for (uint32_t row = 0; row < n; row++) {
            uint32_t *place = arena_array(f->scratch, uint32_t, f->n + 1);
            for (uint32_t i = 0; i < at[row].n; i++)
                place[at[row].factor[i].parameter] = at[row].factor[i].power;
            for (uint32_t col = 0; col < n; col++) {
                Fp x = {{1, 1}};
                for (uint32_t i = 0; i < at[col].n; i++) {
                    uint64_t v = place[at[col].factor[i].parameter];
                    x = fp_mul(x, power_of((Fp){{v, v}}, at[col].factor[i].power));
                }
                *residues_at(&m, row, col) = x;
            }
            *residues_at(&m, row, n + row) = (Fp){{1, 1}};
        }
        uint32_t *pivot = arena_array(f->scratch, uint32_t, n + 1);
        if (residues_echelon(&m, n, pivot) != n)
            bug("a lattice does not tell %u monomials of %u variables apart", n, vars);
        out[k] = residues_new(n, n, f->mem);
        for (uint32_t row = 0; row < n; row++)
            for (uint32_t col = 0; col < n; col++)
                *residues_at(&out[k], row, col) = *residues_at(&m, row, n + col);
    }
    return out;
}

/* One row of columns: a point, at each setting of the factors. */
static void find_row(Finder *f, const Residues *inverse, uint64_t seed, Fp *column, Residues *at)
{
    BaseParameters *out = f->out;
    for (uint64_t attempt = 0;; attempt++) {
        bool poor = false;
        regressor_draw(f->r, seed + (attempt << 40));
        for (uint32_t e = 0; e < f->n_settings; e++) {
            for (uint32_t k = 0; k < f->n_linear; k++) {
                const Product *point = &out->product[f->first[k] + e % f->n_columns[k]];
                uint32_t p = f->linear[k];
                for (uint32_t i = 0; i < f->n_own[p]; i++)
                    regressor_set(f->r, f->own[p][i], (Fp){0});
                for (uint32_t i = 0; i < point->n; i++) {
                    uint64_t x = point->factor[i].power;
                    regressor_set(f->r, point->factor[i].parameter, (Fp){{x, x}});
                }
            }
            regressor_slopes(f->r, seed, f->slope);
            poor = poor || f->r->is_poor;
            for (uint32_t k = 0; k < f->n_linear; k++)
                *residues_at(at, e, k) = f->slope[f->linear[k]];
        }
        if (!poor)
            break;
        if (attempt == POOR_MOST) {
            f->out->has_no_point = true;
            break;
        }
    }
    for (uint32_t k = 0; k < f->n_linear; k++)
        for (uint32_t row = 0; row < f->n_columns[k]; row++) {
            Fp sum = {0};
            for (uint32_t e = 0; e < f->n_columns[k]; e++)
                sum =
                    fp_add(sum, fp_mul(*residues_at(&inverse[k], row, e), *residues_at(at, e, k)));
            column[f->first[k] + row] = sum;
        }
}

static Reduced reduce_at(Finder *f, const Residues *inverse, Values g, uint32_t n_rows, Arena *mem)
{
    BaseParameters *out = f->out;
    uint32_t n = out->n_products;
    Reduced r = {.pivot = arena_array(mem, uint32_t, n + 1), .m = residues_new(n_rows, n, mem)};
    Arena *tmp = arena_new();
    Fp *column = arena_array(tmp, Fp, n + 1);
    Residues at = residues_new(f->n_settings, f->n_linear, tmp);
    for (uint32_t k = 0; k < f->n; k++)
        regressor_set(f->r, k, out->role[k] == ROLE_LINEAR ? (Fp){0} : geometry_value(f, g, k));
    for (uint32_t row = 0; row < n_rows; row++) {
        find_row(f, inverse, 1000 + row, column, &at);
        for (uint32_t k = 0; k < n; k++)
            *residues_at(&r.m, row, k) = column[f->order[k]];
    }
    arena_free(tmp);
    r.rank = residues_echelon(&r.m, n, r.pivot);
    return r;
}

/* Points enough to distinguish so many columns; more where conditions leave some of them out. */
static uint32_t rows_for(const Finder *f, uint32_t n)
{
    return n + SPARE + (f->r->has_choices ? 2 * n + CHOICE_POINTS : 0);
}

/* About how many multiplications that takes. */
static uint64_t cost_of_rank(const Finder *f, uint32_t rank)
{
    uint64_t rows = rows_for(f, rank), n = f->out->n_products;
    uint64_t passes = f->r->n_solved ? 2 : 1; // a slope costs some 40
    return rows * (f->n_settings * (uint64_t)f->r->n_live * 40 * passes + rank * n) + 1;
}

/* ---- coefficients as functions of geometry ---- */

typedef struct Coefficients {
    Finder *f;
    const Residues *inverse;
    const Reduced *first;
    VEC(Reduced) sample; /* at random geometries, seeds 100, 101, ... */
    bool is_odd;         /* a geometry gave other pivots             */
    uint64_t most_samples;
} Coefficients;

enum { SAMPLE_SEED = 100 };

static bool same_pivots(const Reduced *a, const Reduced *b)
{
    if (a->rank != b->rank)
        return false;
    for (uint32_t k = 0; k < a->rank; k++)
        if (a->pivot[k] != b->pivot[k])
            return false;
    return true;
}

static void need_samples(Coefficients *c, uint32_t n)
{
    Finder *f = c->f;
    while (c->sample.n < n) {
        Values g = {.seed = SAMPLE_SEED + c->sample.n, .changed = NONE};
        Reduced r = reduce_at(f, c->inverse, g, rows_for(f, c->first->rank), f->scratch);
        c->is_odd = c->is_odd || !same_pivots(&r, c->first);
        vec_push(f->scratch, c->sample, r);
    }
}

/* A factor without its power. */
static Fp variable_at(const Finder *f, const Factor *x, Values g)
{
    Fp value = geometry_value(f, g, x->parameter);
    if (x->form == FACTOR_PLAIN)
        return value;
    FpAngle circle = regressor_circle(value);
    return x->form == FACTOR_COS ? circle.cos : circle.sin;
}

/* The monomials up to that degree, sines at most once, since their squares are 1 - cos^2: exponents
 * of n variables each. How many; more than `most` are not listed. */
static uint32_t list_monomials(uint32_t n, const Factor *variable, uint32_t degree, uint32_t most,
                               uint32_t *powers)
{
    uint32_t power[FIT_VARIABLES] = {0}, count = 0;
    do {
        bool good = true;
        for (uint32_t k = 0; k < n; k++)
            good = good && !(variable[k].form == FACTOR_SIN && power[k] > 1);
        if (!good)
            continue;
        if (count == most)
            return most + 1;
        memcpy(powers + (size_t)count++ * n, power, n * sizeof *power);
    } while (next_exponents(n, power, degree));
    return count;
}

/* From the exponents and coefficients; false if one is no fraction of small parts. */
static bool polynomial_of(Finder *f, uint32_t n_terms, const uint32_t *powers, uint32_t n_vars,
                          const Factor *variable, const Fp *coeff, Polynomial *out)
{
    *out = (Polynomial){.term = arena_array(f->mem, Monomial, n_terms + 1)};
    for (uint32_t k = 0; k < n_terms; k++) {
        if (fp_is_zero(coeff[k]))
            continue;
        Monomial *m = &out->term[out->n++];
        *m = (Monomial){.factor = arena_array(f->mem, Factor, n_vars + 1)};
        if (!residues_fraction(coeff[k], &m->num, &m->den))
            return false;
        for (uint32_t i = 0; i < n_vars; i++) {
            Factor x = variable[i];
            x.power = powers[(size_t)k * n_vars + i];
            if (x.power)
                m->factor[m->n++] = x;
        }
    }
    return true;
}

/* Numerator and denominator of degrees up to `num` and `den` in the variables, found from the
 * samples and compared at SPARE/2 more of them: the one way to make the entry (row, col) of all of
 * them. */
static bool fit(Coefficients *c, uint32_t row, uint32_t col, uint32_t n_vars,
                const Factor *variable, uint32_t num, uint32_t den, Share *out)
{
    Finder *f = c->f;
    uint32_t powers[FIT_MOST * FIT_VARIABLES];
    uint32_t n_num = list_monomials(n_vars, variable, num, FIT_MOST, powers);
    uint32_t n_den = n_num > FIT_MOST ? 0
                                      : list_monomials(n_vars, variable, den, FIT_MOST - n_num,
                                                       powers + (size_t)n_num * n_vars);
    uint32_t n = n_num + n_den;
    if (n > FIT_MOST || (den && n_vars > 4))
        return false;
    if (n + SPARE / 2 > c->most_samples)
        return false;
    need_samples(c, n + SPARE / 2);
    if (c->is_odd)
        return false;
    Arena *tmp = arena_new();
    // N(g) - c D(g) = 0 at each sample
    Residues m = residues_new(n + SPARE / 2, n, tmp);
    for (uint32_t k = 0; k < m.n_rows; k++) {
        Values g = {.seed = SAMPLE_SEED + k, .changed = NONE};
        Fp value = *residues_at(&c->sample.at[k].m, row, col), at[FIT_VARIABLES];
        for (uint32_t i = 0; i < n_vars; i++)
            at[i] = variable_at(f, &variable[i], g);
        for (uint32_t i = 0; i < n; i++) {
            Fp x = {{1, 1}};
            for (uint32_t v = 0; v < n_vars; v++)
                x = fp_mul(x, power_of(at[v], powers[(size_t)i * n_vars + v]));
            *residues_at(&m, k, i) = i < n_num ? x : fp_neg(fp_mul(x, value));
        }
    }
    uint32_t *pivot = arena_array(tmp, uint32_t, n + 1);
    bool good = residues_echelon(&m, n, pivot) == n - 1;
    Fp *coeff = arena_array(tmp, Fp, n + 1);
    if (good) {
        // pivots are 0 .. n - 1 without one, which is free
        uint32_t free = 0;
        while (free < n - 1 && pivot[free] == free)
            free++;
        coeff[free] = (Fp){{1, 1}};
        for (uint32_t k = 0; k < n - 1; k++)
            coeff[pivot[k]] = fp_neg(*residues_at(&m, k, free));
        // the first coefficient of the denominator that is not zero becomes 1
        uint32_t lead = n_num;
        while (lead < n && fp_is_zero(coeff[lead]))
            lead++;
        Fp inverse;
        good = lead < n && fp_inverse(coeff[lead], &inverse);
        for (uint32_t k = 0; k < n && good; k++)
            coeff[k] = fp_mul(coeff[k], inverse);
        good = good && polynomial_of(f, n_num, powers, n_vars, variable, coeff, &out->factor) &&
               polynomial_of(f, n_den, powers + (size_t)n_num * n_vars, n_vars, variable,
                             coeff + n_num, &out->over);
        bool is_one = good && out->over.n == 1 && out->over.term[0].n == 0 &&
                      out->over.term[0].num == 1 && out->over.term[0].den == 1;
        if (is_one)
            out->over.n = 0;
    }
    arena_free(tmp);
    return good;
}

static void constant_share(Finder *f, Fp value, Share *out)
{
    Monomial *m = arena_array(f->mem, Monomial, 1);
    out->is_known = residues_fraction(value, &m->num, &m->den);
    out->factor = (Polynomial){1, m};
}

static void find_function(Coefficients *c, uint32_t row, uint32_t col, Share *out)
{
    static const uint8_t degrees[][2] = {{1, 0}, {2, 0}, {3, 0}, {4, 0},
                                         {1, 1}, {2, 1}, {2, 2}, {3, 2}};
    // an angle that rows hold by itself, too, is no polynomial of these
    Factor variable[FIT_VARIABLES];
    uint32_t n = 0;
    for (uint32_t k = 0; k < out->n_depends; k++) {
        const RegressorParameter *p = &c->f->r->parameter[out->depends[k]];
        if (n + 2 > FIT_VARIABLES || !(p->is_rational || p->is_angle))
            return;
        if (p->is_rational)
            variable[n++] = (Factor){out->depends[k], 1, FACTOR_PLAIN};
        for (FactorForm form = FACTOR_COS; form <= FACTOR_SIN && !p->is_rational; form++)
            variable[n++] = (Factor){out->depends[k], 1, form};
    }
    for (size_t k = 0; k < sizeof degrees / sizeof *degrees && !out->is_known; k++)
        out->is_known = fit(c, row, col, n, variable, degrees[k][0], degrees[k][1], out);
}

/* The combinations, from the columns at a first geometry. False if others have other ones, or the
 * coefficients take too long to find. */
static bool find_base(Finder *f, const Residues *inverse, const Reduced *first)
{
    BaseParameters *out = f->out;
    uint32_t n = out->n_products, rank = first->rank;
    Coefficients c = {.f = f, .inverse = inverse, .first = first};
    bool *is_pivot = arena_array(f->scratch, bool, n + 1);
    out->n = rank;
    out->base = arena_array(f->mem, BaseParameter, rank + 1);
    for (uint32_t k = 0; k < rank; k++) {
        is_pivot[first->pivot[k]] = true;
        out->base[k] = (BaseParameter){.lead = f->order[first->pivot[k]],
                                       .share = arena_array(f->mem, Share, n - rank + 1)};
        out->product[out->base[k].lead].lead = k;
    }
    for (uint32_t col = 0; col < n; col++) {
        Product *p = &out->product[f->order[col]];
        p->is_zero = !is_pivot[col];
        for (uint32_t row = 0; row < rank && !is_pivot[col]; row++) {
            Fp x = *residues_at(&first->m, row, col);
            if (fp_is_zero(x))
                continue;
            p->is_zero = false;
            BaseParameter *b = &out->base[row];
            b->share[b->n++] = (Share){.product = f->order[col]};
        }
    }
    uint32_t *column_of = arena_array(f->scratch, uint32_t, n + 1);
    for (uint32_t k = 0; k < n; k++)
        column_of[f->order[k]] = k;
    bool varies = false;
    if (!f->out->is_as_given && rank < n)
        need_samples(&c, 1);
    for (uint32_t row = 0; row < rank; row++)
        for (uint32_t k = 0; k < out->base[row].n; k++) {
            Share *s = &out->base[row].share[k];
            uint32_t col = column_of[s->product];
            Fp x = *residues_at(&first->m, row, col);
            if (f->out->is_as_given || fp_same(x, *residues_at(&c.sample.at[0].m, row, col)))
                constant_share(f, x, s);
            else
                varies = true;
        }
    if (!varies)
        return !c.is_odd;
    uint64_t cost = cost_of_rank(f, rank);
    uint32_t n_geometry = 0;
    for (uint32_t g = 0; g < f->n; g++)
        n_geometry += out->role[g] == ROLE_GEOMETRY;
    if (n_geometry * cost > GEOMETRY_COST)
        return false;
    c.most_samples = SAMPLES_COST / cost;
    // on which parameters each coefficient depends: one after the other is changed
    for (uint32_t g = 0; g < f->n; g++) {
        if (out->role[g] != ROLE_GEOMETRY)
            continue;
        Values moved = {.seed = SAMPLE_SEED, .changed = g};
        Arena *tmp = arena_new();
        Reduced r = reduce_at(f, inverse, moved, rows_for(f, rank), tmp);
        c.is_odd = c.is_odd || !same_pivots(&r, first);
        for (uint32_t row = 0; row < rank && !c.is_odd; row++)
            for (uint32_t k = 0; k < out->base[row].n; k++) {
                Share *s = &out->base[row].share[k];
                uint32_t col = column_of[s->product];
                if (s->is_known || fp_same(*residues_at(&c.sample.at[0].m, row, col),
                                           *residues_at(&r.m, row, col)))
                    continue;
                if (!s->depends)
                    s->depends = arena_array(f->mem, uint32_t, f->n);
                s->depends[s->n_depends++] = g;
            }
        arena_free(tmp);
    }
    for (uint32_t row = 0; row < rank; row++)
        for (uint32_t k = 0; k < out->base[row].n; k++) {
            Share *s = &out->base[row].share[k];
            if (!s->is_known && s->n_depends && !c.is_odd)
                find_function(&c, row, column_of[s->product], s);
        }
    return !c.is_odd;
}

static Fp fraction(int64_t num, int64_t den)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_si(q, num, (unsigned long)den);
    Fp out = {0};
    if (!fp_rational(q, &out))
        bug("a denominator of 45 bits that a prime divides");
    mpq_clear(q);
    return out;
}

static Fp polynomial_at(const Finder *f, const Polynomial *p, Values g)
{
    Fp sum = {0};
    for (uint32_t k = 0; k < p->n; k++) {
        Fp x = fraction(p->term[k].num, p->term[k].den);
        for (uint32_t i = 0; i < p->term[k].n; i++)
            x = fp_mul(
                x, power_of(variable_at(f, &p->term[k].factor[i], g), p->term[k].factor[i].power));
        sum = fp_add(sum, x);
    }
    return sum;
}

/* Whether columns are the combinations of others with the coefficients found, at points and a
 * geometry that were not used to find them. */
static bool holds(Finder *f, const Residues *inverse)
{
    BaseParameters *out = f->out;
    Values g = {.seed = 4000, .as_given = out->is_as_given, .changed = NONE};
    Fp *column = arena_array(f->scratch, Fp, out->n_products + 1);
    Fp *sum = arena_array(f->scratch, Fp, out->n_products + 1);
    bool *is_determined = arena_array(f->scratch, bool, out->n_products + 1);
    Residues at = residues_new(f->n_settings, f->n_linear, f->scratch);
    for (uint32_t k = 0; k < f->n; k++)
        regressor_set(f->r, k, out->role[k] == ROLE_LINEAR ? (Fp){0} : geometry_value(f, g, k));
    for (uint32_t row = 0; row < SPARE; row++) {
        find_row(f, inverse, 500000 + row, column, &at);
        for (uint32_t k = 0; k < out->n_products; k++) {
            sum[k] = (Fp){0};
            is_determined[k] = out->product[k].lead == NONE;
        }
        for (uint32_t b = 0; b < out->n; b++)
            for (uint32_t k = 0; k < out->base[b].n; k++) {
                const Share *s = &out->base[b].share[k];
                Fp x = column[out->base[b].lead], over = {{1, 1}}, one;
                if (s->over.n)
                    over = polynomial_at(f, &s->over, g);
                is_determined[s->product] =
                    is_determined[s->product] && s->is_known && fp_inverse(over, &one);
                if (!is_determined[s->product])
                    continue;
                x = fp_mul(x, fp_mul(one, polynomial_at(f, &s->factor, g)));
                sum[s->product] = fp_add(sum[s->product], x);
            }
        for (uint32_t k = 0; k < out->n_products; k++)
            if (is_determined[k] && !fp_same(sum[k], column[k]))
                return false;
    }
    return true;
}

static void find_what_matters(Finder *f)
{
    BaseParameters *out = f->out;
    for (uint32_t k = 0; k < f->n; k++)
        if (out->role[k] == ROLE_LINEAR || out->role[k] == ROLE_FACTOR)
            out->matters[k] = false;
    for (uint32_t k = 0; k < out->n_products; k++) {
        const Product *p = &out->product[k];
        if (p->is_zero)
            continue;
        out->matters[p->linear] = true;
        for (uint32_t i = 0; i < p->n; i++)
            out->matters[p->factor[i].parameter] = true;
    }
}

static bool find_all(Finder *f, const Residues *inverse)
{
    BaseParameters *out = f->out;
    Values start = {.seed = 7, .as_given = out->is_as_given, .changed = NONE};
    for (uint32_t k = 0; k < out->n_products; k++)
        out->product[k].lead = NONE;
    uint32_t n_rows = rows_for(f, out->n_products);
    Reduced first = reduce_at(f, inverse, start, n_rows, f->scratch);
    return find_base(f, inverse, &first) && holds(f, inverse);
}

/* Allocates the result in mem. */
static void start(Finder *f, BaseParameters *out, Regressor *r, const BaseQuestion *q, Arena *mem)
{
    uint32_t n = r->n_parameters;
    Arena *scratch = arena_new();
    *out = (BaseParameters){.r = r,
                            .role = arena_array(mem, ParameterRole, n + 1),
                            .matters = arena_array(mem, bool, n + 1)};
    *f = (Finder){.r = r,
                  .out = out,
                  .q = q,
                  .mem = mem,
                  .scratch = scratch,
                  .n = n,
                  .slope = arena_array(scratch, Fp, n + 1),
                  .other = arena_array(scratch, Fp, n + 1),
                  .meets = arena_array(scratch, bool, (size_t)n *n + 1),
                  .carries = arena_array(scratch, bool, (size_t)n *n + 1),
                  .holds_out = arena_array(scratch, bool, (size_t)n *n + 1),
                  .is_felt = arena_array(scratch, bool, n + 1),
                  .owner = arena_array(scratch, uint32_t, n + 1),
                  .degree = arena_array(scratch, uint32_t, n + 1),
                  .n_own = arena_array(scratch, uint32_t, n + 1),
                  .own = arena_array(scratch, uint32_t *, n + 1)};
    find_meetings(f);
    find_linear(f);
    find_factors(f);
    find_degrees(f);
}

const ParameterRole *base_parameters_roles(Regressor *r, Arena *mem)
{
    BaseQuestion q = {.any_owner = true};
    BaseParameters out;
    Finder f;
    start(&f, &out, r, &q, mem);
    arena_free(f.scratch);
    return out.has_no_point ? NULL : out.role;
}

BaseParameters base_parameters_find(Regressor *r, const BaseQuestion *q, Arena *mem)
{
    BaseParameters out;
    Finder f;
    start(&f, &out, r, q, mem);
    find_restricting(&f);
    if (!out.has_no_point)
        make_products(&f);
    if (!out.too_many && out.n_products) {
        out.is_as_given = q->as_given || out.n_products > SYMBOLS_MOST;
        order_columns(&f);
        Residues *inverse = lattice_inverses(&f);
        bool good = find_all(&f, inverse);
        if (!good && !out.is_as_given) {
            out.is_as_given = true;
            good = find_all(&f, inverse);
        }
        out.has_no_point = out.has_no_point || !good;
        find_what_matters(&f);
    }
    arena_free(f.scratch);
    return out;
}
