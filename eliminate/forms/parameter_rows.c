#include "eliminate/forms/parameter_rows.h"

#include "base/bug.h"
#include "eliminate/forms/residues.h"

#include <stdlib.h>

enum {
    NONE = UINT32_MAX,
    TERMS_MOST = 200,   /* of an equation                                   */
    FACTORS_MOST = 6,   /* of a term                                        */
    ROUNDS = 3,         /* of putting forces in                             */
    COLUMNS_MOST = 120, /* of a body                                        */
    SPARE = 8,          /* values of a column, more than there are columns  */
    DEPTH_MOST = 200,
};

/* A product of parameters, ascending, repeated as often as their power, times a coefficient. */
typedef struct Term {
    uint32_t n;
    uint32_t var[FACTORS_MOST];
    ExprId coeff;
} Term;

typedef VEC(Term) Terms;

typedef struct Law {
    EqId eq;
    ExprId residual;
    Terms term;
    bool is_good;  /* expanded; each term has at most one linear parameter */
    uint32_t body; /* the first law that has a parameter in common         */
} Law;

typedef struct Finder {
    System *s;
    const bool *is_linear;
    bool *is_factor;
    Arena *mem;
    bool *is_symbol; /* per variable: a parameter that is expanded by */
    bool *is_unknown, *is_asked;
    Map holds; /* node -> 1: holds a symbol, 0: none */
    VEC(Law) law;
    VEC(ParameterRow) row;
    VEC(ExprId) value;
    VEC(uint32_t) body;
} Finder;

/* ---- expanding ---- */

static bool holds_symbol(Finder *f, ExprId x, int depth)
{
    const ExprPool *p = f->s->pool;
    if (expr_op(p, x) == OP_VAR)
        return f->is_symbol[expr_var_of(p, x).i];
    uint32_t known = map_get(&f->holds, x.i);
    if (known != MAP_NONE)
        return known;
    bool found = depth > DEPTH_MOST;
    for (uint32_t k = expr_n_args(p, x); k-- > 0 && !found;)
        found = holds_symbol(f, expr_arg(p, x, k), depth + 1);
    map_put(&f->holds, x.i, found);
    return found;
}

static bool same_factors(const Term *a, const Term *b)
{
    return a->n == b->n && memcmp(a->var, b->var, a->n * sizeof *a->var) == 0;
}

/* Sums of products of parameters. Functions that begin with plus_ add to the first one in place. */
typedef struct Polynomial {
    bool exists; /* false: no polynomial, or too long a one */
    Terms term;
} Polynomial;

static const Polynomial NO_POLYNOMIAL = {0};

static Polynomial plus_term(Finder *f, Polynomial a, Term t)
{
    ExprPool *p = f->s->pool;
    for (uint32_t k = 0; k < a.term.n; k++)
        if (same_factors(&a.term.at[k], &t)) {
            a.term.at[k].coeff = expr_add(p, a.term.at[k].coeff, t.coeff);
            return a;
        }
    if (a.term.n == TERMS_MOST)
        return NO_POLYNOMIAL;
    vec_push(f->mem, a.term, t);
    return a;
}

static Polynomial plus_product(Finder *f, Polynomial to, const Term *a, const Term *b)
{
    Term t = {.coeff = expr_mul(f->s->pool, a->coeff, b->coeff)};
    if (a->n + b->n > FACTORS_MOST)
        return NO_POLYNOMIAL;
    for (uint32_t i = 0, k = 0; i < a->n || k < b->n;)
        t.var[t.n++] =
            k == b->n || (i < a->n && a->var[i] <= b->var[k]) ? a->var[i++] : b->var[k++];
    return plus_term(f, to, t);
}

/* a + b * factor, which is free of the symbols. */
static Polynomial plus_scaled(Finder *f, Polynomial a, Polynomial b, ExprId factor)
{
    if (!b.exists)
        return NO_POLYNOMIAL;
    Term scale = {.coeff = factor};
    for (uint32_t k = 0; k < b.term.n && a.exists; k++)
        a = plus_product(f, a, &b.term.at[k], &scale);
    return a;
}

static Polynomial product(Finder *f, Polynomial a, Polynomial b)
{
    Polynomial all = {.exists = a.exists && b.exists};
    for (uint32_t i = 0; i < a.term.n && all.exists; i++)
        for (uint32_t k = 0; k < b.term.n && all.exists; k++)
            all = plus_product(f, all, &a.term.at[i], &b.term.at[k]);
    return all;
}

typedef struct Expansion {
    Finder *f;
    int depth;
} Expansion;

static Polynomial expand(const Expansion *in, ExprId x);

static Polynomial expanded_operand(const Expansion *in, ExprId x, uint32_t k)
{
    return expand(&(Expansion){in->f, in->depth + 1}, expr_arg(in->f->s->pool, x, k));
}

static Polynomial symbol(const Expansion *in, ExprId x)
{
    ExprPool *p = in->f->s->pool;
    if (expr_op(p, x) != OP_VAR)
        return NO_POLYNOMIAL;
    Term t = {.n = 1, .var = {expr_var_of(p, x).i}, .coeff = expr_int(p, 1)};
    return plus_term(in->f, (Polynomial){.exists = true}, t);
}

static Polynomial integer_multiple(const Expansion *in, Polynomial a, long times)
{
    return plus_scaled(in->f, (Polynomial){.exists = true}, a, expr_int(in->f->s->pool, times));
}

static Polynomial quotient(const Expansion *in, ExprId x, Polynomial a)
{
    ExprPool *p = in->f->s->pool;
    ExprId b = expr_arg(p, x, 1);
    if (holds_symbol(in->f, b, 0))
        return NO_POLYNOMIAL;
    ExprId over = expr_div(p, expr_int(p, 1), b);
    return plus_scaled(in->f, (Polynomial){.exists = true}, a, over);
}

#define EVAL_FUNCTION expand_operation
#define EVAL_VALUE Polynomial
#define EVAL_NODE ExprId
#define EVAL_CONTEXT const Expansion
#define EVAL_OPERAND(k) expanded_operand(in, x, k)
#define EVAL_LEAF(op) symbol(in, x)
#define EVAL_NEG(a) integer_multiple(in, a, -1)
#define EVAL_ADD(a, b) plus_scaled(in->f, a, b, expr_int(in->f->s->pool, 1))
#define EVAL_SUB(a, b) plus_scaled(in->f, a, b, expr_int(in->f->s->pool, -1))
#define EVAL_MUL(a, b) product(in->f, a, b)
#define EVAL_DIV(a, b) ((void)(b), quotient(in, x, a))
#define EVAL_POW(a, b) ((void)(a), (void)(b), NO_POLYNOMIAL)
#define EVAL_FN(a) ((void)(a), NO_POLYNOMIAL)
#define EVAL_FN2(a, b) ((void)(a), (void)(b), NO_POLYNOMIAL)
#define EVAL_RELATION(op, a, b) ((void)(a), (void)(b), NO_POLYNOMIAL)
#define EVAL_AND(a, b) ((void)(a), (void)(b), NO_POLYNOMIAL)
#define EVAL_OR(a, b) ((void)(a), (void)(b), NO_POLYNOMIAL)
#define EVAL_NOT(a) ((void)(a), NO_POLYNOMIAL)
#define EVAL_SELECT() NO_POLYNOMIAL
#define EVAL_SAME(op, a) ((void)(a), NO_POLYNOMIAL)
#include "ir/evaluate.inc"

static Polynomial expand(const Expansion *in, ExprId x)
{
    if (!holds_symbol(in->f, x, 0))
        return plus_term(in->f, (Polynomial){.exists = true}, (Term){.coeff = x});
    if (in->depth == DEPTH_MOST)
        return NO_POLYNOMIAL;
    return expand_operation(in, x, expr_op(in->f->s->pool, x));
}

static uint32_t n_linear(const Finder *f, const Term *t)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < t->n; k++)
        n += f->is_linear[t->var[k]];
    return n;
}

/* A parameter that forces are multiplied with, and no mass. */
static bool is_lever(const Finder *f, const Term *t)
{
    bool factor = false;
    for (uint32_t k = 0; k < t->n; k++)
        factor = factor || f->is_factor[t->var[k]];
    return factor && n_linear(f, t) == 0;
}

static void expand_law(Finder *f, Law *l)
{
    ExprPool *p = f->s->pool;
    Polynomial all = expand(&(Expansion){.f = f}, l->residual);
    l->is_good = all.exists;
    l->term.n = 0;
    for (uint32_t k = 0; k < all.term.n && l->is_good; k++) {
        if (expr_is_zero(p, all.term.at[k].coeff) == YES)
            continue;
        vec_push(f->mem, l->term, all.term.at[k]);
        l->is_good = n_linear(f, &all.term.at[k]) <= 1;
    }
}

/* ---- laws ---- */

/* Equations that are needed and hold such parameters. */
static void find_laws(Finder *f, const bool *is_needed)
{
    System *s = f->s;
    bool *is_asked = arena_array(f->mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        is_asked[k] = f->is_linear[k] || f->is_factor[k];
    Series series = series_new(s, is_asked, f->mem);
    for (uint32_t e = 0; e < s->eq.n; e++) {
        const Eq *q = &s->eq.at[e];
        if (!is_needed[e] || expr_op(s->pool, q->lhs) == OP_STRING)
            continue;
        ExprId residual = expr_sub(s->pool, q->lhs, q->rhs);
        VarId *v;
        if (!series_unknowns(&series, residual, 1, f->mem, &v))
            continue;
        Law l = {.eq = {e}, .residual = residual};
        expand_law(f, &l);
        vec_push(f->mem, f->law, l);
    }
}

/* The value of v by the law: a force by that of a body, whose coefficient is 1 or -1. */
static ExprId defined_by(Finder *f, const Law *l, VarId v)
{
    System *s = f->s;
    for (uint32_t k = 0; k < l->term.n; k++) {
        VarId *found;
        f->is_asked[v.i] = true;
        uint32_t n = unknowns_of(s, f->is_asked, l->term.at[k].coeff, 1, f->mem, &found);
        f->is_asked[v.i] = false;
        if (n && l->term.at[k].n)
            return EXPR_NONE;
    }
    Arena *tmp = arena_new();
    Substitution none = {.mem = tmp};
    f->is_asked[v.i] = true;
    LinearForm form = linear_form(s, f->is_asked, &none, l->residual, f->mem);
    f->is_asked[v.i] = false;
    arena_free(tmp);
    if (!form.is_linear || form.n != 1)
        return EXPR_NONE;
    if (expr_is(s->pool, form.coeff[0], 1))
        return expr_neg(s->pool, form.rest);
    if (expr_is(s->pool, form.coeff[0], -1))
        return form.rest;
    return EXPR_NONE;
}

static bool has_lever(const Finder *f, const Law *l)
{
    for (uint32_t k = 0; k < l->term.n; k++)
        if (is_lever(f, &l->term.at[k]))
            return true;
    return false;
}

static bool has_mass(const Finder *f, const Law *l)
{
    for (uint32_t k = 0; k < l->term.n; k++)
        if (n_linear(f, &l->term.at[k]))
            return true;
    return false;
}

/* Replaces forces with lever arms by the expressions that laws of motion give for them. */
static void put_forces_in(Finder *f)
{
    System *s = f->s;
    /* unknowns behind levers, and the laws that have them */
    Map value_of = map_new(f->mem); /* variable -> place */
    VEC(ExprId) value = {0};
    Map asked = map_new(f->mem);
    for (uint32_t k = 0; k < f->law.n; k++)
        for (uint32_t i = 0; i < f->law.at[k].term.n; i++) {
            VarId *v;
            if (!is_lever(f, &f->law.at[k].term.at[i]))
                continue;
            uint32_t n =
                unknowns_of(s, f->is_unknown, f->law.at[k].term.at[i].coeff, NONE - 1, f->mem, &v);
            for (uint32_t j = 0; j < n; j++)
                map_add(&asked, v[j].i);
        }
    for (uint32_t k = 0; k < f->law.n; k++) {
        const Law *l = &f->law.at[k];
        if (!l->is_good || has_lever(f, l) || !has_mass(f, l))
            continue;
        VarId *v;
        uint32_t n = unknowns_of(s, f->is_unknown, l->residual, NONE - 1, f->mem, &v);
        for (uint32_t j = 0; j < n; j++) {
            if (map_get(&asked, v[j].i) == MAP_NONE || map_get(&value_of, v[j].i) != MAP_NONE)
                continue;
            ExprId x = defined_by(f, l, v[j]);
            if (!expr_exists(x))
                continue;
            map_put(&value_of, v[j].i, value.n);
            vec_push(f->mem, value, x);
        }
    }
    ExprId *with = arena_array(f->mem, ExprId, s->var.n);
    for (uint32_t v = 0; v < s->var.n; v++)
        with[v] = EXPR_NONE;
    Arena *tmp = arena_new();
    Substitution put = {.value = with, .n = s->var.n, .mem = tmp};
    for (uint32_t k = 0; k < f->law.n; k++) {
        Law *l = &f->law.at[k];
        VEC(VarId) put_in = {0};
        if (!l->is_good || !has_lever(f, l))
            continue;
        for (uint32_t i = 0; i < l->term.n; i++) {
            VarId *v;
            if (!is_lever(f, &l->term.at[i]))
                continue;
            uint32_t n = unknowns_of(s, f->is_unknown, l->term.at[i].coeff, NONE - 1, f->mem, &v);
            for (uint32_t j = 0; j < n; j++) {
                uint32_t at = map_get(&value_of, v[j].i);
                if (at == MAP_NONE)
                    continue;
                with[v[j].i] = value.at[at];
                vec_push(f->mem, put_in, v[j]);
            }
        }
        // the memo, of a place per node, serves the next law, whose values are others
        put.is_tentative = true;
        l->residual = expr_substitute(s->pool, &put, l->residual);
        substitution_go_back(&put);
        for (uint32_t j = 0; j < put_in.n; j++)
            with[put_in.at[j].i] = EXPR_NONE;
        expand_law(f, l);
    }
    arena_free(tmp);
}

/* Whether there are factors in equations where they stand with no mass, as a length does that other
 * bodies are carried at: they are taken as known. */
static bool drop_levers(Finder *f)
{
    bool any = false;
    for (uint32_t k = 0; k < f->law.n; k++) {
        const Law *l = &f->law.at[k];
        VarId *v;
        if (l->is_good && !has_lever(f, l))
            continue;
        uint32_t n = unknowns_of(f->s, f->is_factor, l->residual, NONE - 1, f->mem, &v);
        for (uint32_t j = 0; j < n; j++)
            f->is_factor[v[j].i] = false;
        any = any || n > 0;
    }
    return any;
}

static uint32_t body_of(Finder *f, uint32_t k)
{
    while (f->law.at[k].body != k)
        k = f->law.at[k].body = f->law.at[f->law.at[k].body].body;
    return k;
}

/* Laws that have a linear parameter or a factor in common; a body of which one law is not good is
 * left alone. */
static void find_bodies(Finder *f)
{
    Map first = map_new(f->mem);
    bool *asked = arena_array(f->mem, bool, f->s->var.n + 1);
    for (uint32_t i = 0; i < f->s->var.n; i++)
        asked[i] = f->is_linear[i] || f->is_factor[i];
    for (uint32_t k = 0; k < f->law.n; k++)
        f->law.at[k].body = k;
    for (uint32_t k = 0; k < f->law.n; k++) {
        Law *l = &f->law.at[k];
        l->is_good = l->is_good && !has_lever(f, l);
        VarId *v;
        uint32_t n = unknowns_of(f->s, asked, l->residual, NONE - 1, f->mem, &v);
        for (uint32_t j = 0; j < n; j++) {
            uint32_t at = map_get(&first, v[j].i);
            if (at == MAP_NONE) {
                map_put(&first, v[j].i, k);
                continue;
            }
            uint32_t a = body_of(f, at), b = body_of(f, k);
            f->law.at[a > b ? a : b].body = a > b ? b : a;
        }
    }
    for (uint32_t k = 0; k < f->law.n; k++) {
        Law *l = &f->law.at[body_of(f, k)];
        l->is_good = l->is_good && f->law.at[k].is_good;
    }
}

/* ---- columns ---- */

/* The residue of x at a random point. Variables, and values of functions that are not rational, are
 * independent random residues. */
static Fp value_at(const ExprPool *p, ExprId x, uint64_t point)
{
    Fp a, b, inverse;
    Op op = expr_op(p, x);
    if (op == OP_NUM)
        return fp_rational(expr_rational(p, x), &a) ? a : fp_random(x.i, point);
    if (op == OP_NEG)
        return fp_neg(value_at(p, expr_arg(p, x, 0), point));
    if (!op_is_sum(op) && !op_is_product(op))
        return fp_random(x.i, point);
    a = value_at(p, expr_arg(p, x, 0), point);
    b = value_at(p, expr_arg(p, x, 1), point);
    if (op == OP_ADD)
        return fp_add(a, b);
    if (op == OP_SUB)
        return fp_sub(a, b);
    if (op == OP_MUL)
        return fp_mul(a, b);
    return fp_inverse(b, &inverse) ? fp_mul(a, inverse) : fp_random(x.i, point);
}

typedef struct Column {
    ExprId *at;                 /* per row of the body */
    uint32_t weight, n_factors; /* equations that hold it; parameters in its product */
    uint32_t key, order;
    Fp *value; /* n_values */
} Column;

typedef struct Body {
    Finder *f;
    Arena *mem;
    uint32_t number;
    uint32_t n_rows, *law;
    VEC(Term) product; /* coefficients unused */
    VEC(Column) column;
    uint32_t n_values;
} Body;

static int by_key(const void *x, const void *y)
{
    const Column *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void sort_columns(uint32_t n, Column *all, ColumnBasis basis)
{
    for (uint32_t k = 0; k < n; k++) {
        all[k].key = basis == BASIS_SPARSE ? all[k].weight : all[k].n_factors;
        all[k].order = k;
    }
    qsort(all, n, sizeof *all, by_key);
}

static Column column_new(Body *b)
{
    Column c = {.at = arena_array(b->mem, ExprId, b->n_rows),
                .value = arena_array(b->mem, Fp, b->n_values + 1)};
    for (uint32_t k = 0; k < b->n_rows; k++)
        c.at[k] = expr_int(b->f->s->pool, 0);
    return c;
}

static void weigh(const Body *b, Column *c)
{
    c->weight = 0;
    for (uint32_t k = 0; k < b->n_rows; k++) {
        bool zero = true;
        for (uint32_t i = k; i < b->n_values; i += b->n_rows)
            zero = zero && fp_is_zero(c->value[i]);
        c->weight += !zero;
    }
}

static bool find_products(Body *b)
{
    Finder *f = b->f;
    for (uint32_t r = 0; r < b->n_rows; r++) {
        const Law *l = &f->law.at[b->law[r]];
        for (uint32_t k = 0; k < l->term.n; k++) {
            const Term *t = &l->term.at[k];
            if (!n_linear(f, t))
                continue;
            uint32_t at = 0;
            while (at < b->product.n && !same_factors(&b->product.at[at], t))
                at++;
            if (at == b->product.n)
                vec_push(b->mem, b->product, *t);
        }
    }
    return b->product.n > 0 && b->product.n <= COLUMNS_MOST;
}

static void find_columns(Body *b)
{
    Finder *f = b->f;
    ExprPool *p = f->s->pool;
    uint32_t n_points = (b->product.n + SPARE) / b->n_rows + 2;
    b->n_values = n_points * b->n_rows;
    for (uint32_t k = 0; k < b->product.n; k++) {
        Column c = column_new(b);
        c.n_factors = b->product.at[k].n;
        for (uint32_t r = 0; r < b->n_rows; r++) {
            const Law *l = &f->law.at[b->law[r]];
            for (uint32_t i = 0; i < l->term.n; i++)
                if (same_factors(&l->term.at[i], &b->product.at[k]))
                    c.at[r] = l->term.at[i].coeff;
            for (uint32_t i = 0; i < n_points; i++)
                c.value[i * b->n_rows + r] = value_at(p, c.at[r], 1 + i);
        }
        weigh(b, &c);
        vec_push(b->mem, b->column, c);
    }
}

/* Columns that those before them do not make: the rank. */
static uint32_t independent(const Body *b, uint32_t n, const Column *all, uint32_t *out)
{
    Residues m = residues_new(b->n_values, n, b->mem);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t k = 0; k < b->n_values; k++)
            *residues_at(&m, k, c) = all[c].value[k];
    return residues_echelon(&m, n, out);
}

/* Sums and differences of two of the columns. */
static void add_pairs(Body *b, uint32_t n, const uint32_t *of)
{
    ExprPool *p = b->f->s->pool;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++)
            for (int minus = 0; minus < 2; minus++) {
                const Column *x = &b->column.at[of[i]], *y = &b->column.at[of[k]];
                Column c = {.value = arena_array(b->mem, Fp, b->n_values + 1)};
                for (uint32_t v = 0; v < b->n_values; v++)
                    c.value[v] =
                        minus ? fp_sub(x->value[v], y->value[v]) : fp_add(x->value[v], y->value[v]);
                weigh(b, &c);
                if (c.weight >= x->weight || c.weight >= y->weight)
                    continue;
                ExprId *xs = x->at, *ys = y->at;
                c.at = arena_array(b->mem, ExprId, b->n_rows);
                for (uint32_t r = 0; r < b->n_rows; r++)
                    c.at[r] = minus ? expr_sub(p, xs[r], ys[r]) : expr_add(p, xs[r], ys[r]);
                vec_push(b->mem, b->column, c);
            }
}

static ExprId product_of(const Body *b, const Term *t)
{
    System *s = b->f->s;
    ExprId x = expr_int(s->pool, 1);
    for (uint32_t k = 0; k < t->n; k++)
        x = expr_mul(s->pool, x, system_var_expr(s, (VarId){t->var[k]}));
    return x;
}

/* Each product's column is made of the basis: so are its parameters. False if a coefficient is no
 * small fraction. */
static bool add_parameters(Body *b, uint32_t rank, const Column *basis)
{
    Finder *f = b->f;
    ExprPool *p = f->s->pool;
    uint32_t n = b->product.n;
    Residues m = residues_new(b->n_values, rank + n, b->mem);
    for (uint32_t k = 0; k < b->n_values; k++) {
        for (uint32_t c = 0; c < rank; c++)
            *residues_at(&m, k, c) = basis[c].value[k];
        for (uint32_t c = 0; c < n; c++)
            *residues_at(&m, k, rank + c) = b->column.at[c].value[k];
    }
    uint32_t *pivot = arena_array(b->mem, uint32_t, rank + n + 1);
    if (residues_echelon(&m, rank, pivot) != rank)
        return false;
    ExprId *value = arena_array(b->mem, ExprId, rank + 1);
    for (uint32_t k = 0; k < rank; k++) {
        value[k] = expr_int(p, 0);
        for (uint32_t c = 0; c < n; c++) {
            int64_t num, den;
            Fp x = *residues_at(&m, k, rank + c);
            if (fp_is_zero(x))
                continue;
            if (!residues_fraction(x, &num, &den))
                return false;
            value[k] =
                expr_add(p, value[k],
                         expr_mul(p, expr_ratio(p, num, den), product_of(b, &b->product.at[c])));
        }
    }
    for (uint32_t k = 0; k < rank; k++) {
        vec_push(f->mem, f->value, value[k]);
        vec_push(f->mem, f->body, b->number);
    }
    return true;
}

static void add_rows(Body *b, uint32_t first, uint32_t rank, const Column *basis)
{
    Finder *f = b->f;
    ExprPool *p = f->s->pool;
    for (uint32_t r = 0; r < b->n_rows; r++) {
        const Law *l = &f->law.at[b->law[r]];
        ParameterRow row = {.eq = l->eq,
                            .rest = expr_int(p, 0),
                            .parameter = arena_array(f->mem, uint32_t, rank + 1),
                            .column = arena_array(f->mem, ExprId, rank + 1)};
        for (uint32_t k = 0; k < l->term.n; k++)
            if (!n_linear(f, &l->term.at[k]))
                row.rest = expr_add(
                    p, row.rest, expr_mul(p, product_of(b, &l->term.at[k]), l->term.at[k].coeff));
        for (uint32_t k = 0; k < rank; k++) {
            if (expr_is_zero(p, basis[k].at[r]) == YES)
                continue;
            row.parameter[row.n] = first + k;
            row.column[row.n++] = basis[k].at[r];
        }
        vec_push(f->mem, f->row, row);
    }
}

static void find_body(Finder *f, uint32_t n_rows, uint32_t *law, uint32_t number,
                      ColumnBasis basis_of)
{
    Arena *mem = arena_new();
    Body b = {.f = f, .mem = mem, .number = number, .n_rows = n_rows, .law = law};
    if (find_products(&b)) {
        find_columns(&b);
        uint32_t *of = arena_array(mem, uint32_t, b.column.n + 1);
        uint32_t rank = independent(&b, b.product.n, b.column.at, of);
        if (basis_of == BASIS_SPARSE)
            add_pairs(&b, rank, of);
        Column *all = arena_array(mem, Column, b.column.n);
        memcpy(all, b.column.at, b.column.n * sizeof *all);
        sort_columns(b.column.n, all, basis_of);
        uint32_t *chosen = arena_array(mem, uint32_t, b.column.n + 1);
        rank = independent(&b, b.column.n, all, chosen);
        Column *basis = arena_array(mem, Column, rank + 1);
        for (uint32_t k = 0; k < rank; k++)
            basis[k] = all[chosen[k]];
        uint32_t first = f->value.n;
        if (add_parameters(&b, rank, basis))
            add_rows(&b, first, rank, basis);
    }
    arena_free(mem);
}

ParameterRows parameter_rows_find(const Blt *b, const ParameterQuestion *q, Arena *mem)
{
    System *s = b->sys;
    ParameterRows out = {0};
    Finder f = {.s = s,
                .is_linear = q->is_linear,
                .is_factor = arena_array(mem, bool, s->var.n + 1),
                .mem = mem,
                .is_symbol = arena_array(mem, bool, s->var.n + 1),
                .is_unknown = arena_array(mem, bool, s->var.n + 1),
                .is_asked = arena_array(mem, bool, s->var.n + 1),
                .holds = map_new(mem)};
    for (uint32_t k = 0; k < s->var.n; k++)
        f.is_symbol[k] = s->var.at[k].kind == VAR_PARAMETER && s->var.at[k].type == TYPE_REAL;
    // variables that came later have no column
    for (uint32_t k = 0; k < b->columns.n; k++)
        f.is_unknown[b->columns.var[k].i] = true;
    memcpy(f.is_factor, q->is_factor, s->var.n * sizeof *f.is_factor);
    do {
        f.law.n = 0;
        find_laws(&f, q->is_needed);
        for (int k = 0; k < ROUNDS; k++)
            put_forces_in(&f);
    } while (drop_levers(&f));
    find_bodies(&f);
    /* the laws of each body, in the order of its first */
    uint32_t *start = arena_array(mem, uint32_t, f.law.n + 2);
    uint32_t *list = arena_array(mem, uint32_t, f.law.n + 1);
    for (uint32_t k = 0; k < f.law.n; k++)
        start[body_of(&f, k) + 1]++;
    for (uint32_t k = 0; k < f.law.n; k++)
        start[k + 1] += start[k];
    uint32_t *at = arena_array(mem, uint32_t, f.law.n + 1);
    memcpy(at, start, f.law.n * sizeof *at);
    for (uint32_t k = 0; k < f.law.n; k++)
        list[at[body_of(&f, k)]++] = k;
    for (uint32_t k = 0; k < f.law.n; k++)
        if (start[k + 1] > start[k] && f.law.at[k].is_good) {
            ColumnBasis basis = q->basis ? q->basis[out.n_bodies] : BASIS_SPARSE;
            find_body(&f, start[k + 1] - start[k], list + start[k], out.n_bodies++, basis);
        }
    out.n_parameters = f.value.n;
    out.value = f.value.at;
    out.body = f.body.at;
    out.n_rows = f.row.n;
    out.row = f.row.at;
    return out;
}
