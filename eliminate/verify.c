#include "eliminate/verify.h"

#include "base/bug.h"
#include "eliminate/differentiate.h"
#include "eliminate/reduce.h"

#include <math.h>
#include <stdlib.h>

/* The exact value of each node of one pool at one point. */
typedef struct Exact {
    System *s;
    Arena *mem;
    uint64_t seed;
    Map at; /* node -> index in value         */
    VEC(mpq_ptr) value;
    Map var; /* VarId.i -> index in var_value  */
    VEC(mpq_ptr) var_value;
    Map angle; /* node -> index in cos, sin      */
    VEC(mpq_ptr) cos, sin;
    VEC(ExprId) stack;
    VEC(mpq_ptr) owned; /* all of them, to be cleared */
    bool poor_point;    /* a division by zero: draw another */
} Exact;

static mpq_ptr fresh(Exact *e)
{
    mpq_ptr q = arena_alloc(e->mem, sizeof(mpq_t));
    mpq_init(q);
    vec_push(e->mem, e->owned, q);
    return q;
}

static void done(Exact *e)
{
    for (uint32_t k = 0; k < e->owned.n; k++)
        mpq_clear(e->owned.at[k]);
}

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A small fraction that depends on the key and the point alone. */
static void draw(const Exact *e, uint64_t key, mpq_ptr out)
{
    uint64_t h = mix(e->seed ^ mix(key));
    uint64_t other = mix(h);
    long num = (long)((h >> 1) % VERIFY_RANGE) + 1;
    unsigned long den = (unsigned long)((other >> 1) % VERIFY_RANGE) + 1;
    mpq_set_si(out, h & 1 ? -num : num, den);
    mpq_canonicalize(out);
}

/* A key for an exact value: equal values, equal keys. */
static uint64_t key_of(mpq_srcptr q, uint64_t salt)
{
    uint64_t h = mix(salt);
    for (int half = 0; half < 2; half++) {
        mpz_srcptr z = half ? mpq_denref(q) : mpq_numref(q);
        size_t n = mpz_size(z);
        for (size_t k = 0; k < n; k++)
            h = mix(h ^ mpz_getlimbn(z, (mp_size_t)k));
        h = mix(h + (uint64_t)(mpz_sgn(z) + 2));
    }
    return h;
}

static uint64_t key_of_name(Name n)
{
    return hash_bytes(n.s, strlen(n.s));
}

static mpq_ptr value(Exact *e, ExprId x);

/* Cosine and sine: sums by the addition theorems, what is no sum is a random point of the circle
 * that depends on the exact value of the angle. */
static uint32_t circle(Exact *e, ExprId x, int depth)
{
    uint32_t known = map_get(&e->angle, x.i);
    if (known != MAP_NONE)
        return known;
    const ExprPool *p = e->s->pool;
    Op op = expr_op(p, x);
    mpq_ptr c = fresh(e);
    mpq_ptr s = fresh(e);
    mpq_ptr u = fresh(e);
    bool sum = op == OP_ADD || op == OP_SUB;
    long times = 0;
    bool first = op == OP_MUL && expr_is_int(p, expr_arg(p, x, 0), &times);
    bool multiple = first || (op == OP_MUL && expr_is_int(p, expr_arg(p, x, 1), &times));
    if (depth < 200 && (sum || (multiple && labs(times) <= 16))) {
        uint32_t a = circle(e, expr_arg(p, x, sum || !first ? 0 : 1), depth + 1);
        uint32_t b = sum ? circle(e, expr_arg(p, x, 1), depth + 1) : a;
        mpq_set_ui(c, 1, 1);
        mpq_set_ui(s, 0, 1);
        long n = sum ? 2 : labs(times);
        for (long k = 0; k < n; k++) {
            uint32_t by = k == 0 ? a : b;
            mpq_ptr cb = e->cos.at[by];
            mpq_ptr sb = e->sin.at[by];
            bool minus = op == OP_SUB && k == 1;
            mpq_ptr c2 = fresh(e);
            mpq_ptr s2 = fresh(e);
            mpq_mul(c2, c, cb);
            mpq_mul(u, s, sb);
            (minus ? mpq_add : mpq_sub)(c2, c2, u);
            mpq_mul(s2, s, cb);
            mpq_mul(u, c, sb);
            (minus ? mpq_sub : mpq_add)(s2, s2, u);
            mpq_set(c, c2);
            mpq_set(s, s2);
        }
        if (!sum && times < 0)
            mpq_neg(s, s);
    } else {
        mpq_srcptr v = value(e, x);
        bool negative = mpq_sgn(v) < 0;
        mpq_t abs;
        mpq_init(abs);
        mpq_abs(abs, v);
        mpq_set_ui(u, 0, 1);
        if (mpq_sgn(v) != 0)
            draw(e, key_of(abs, 77), u);
        mpq_clear(abs);
        /* (1 - u^2) / (1 + u^2), 2u / (1 + u^2) */
        mpq_t uu;
        mpq_t one;
        mpq_init(uu);
        mpq_init(one);
        mpq_set_ui(one, 1, 1);
        mpq_mul(uu, u, u);
        mpq_sub(c, one, uu);
        mpq_add(uu, one, uu);
        mpq_div(c, c, uu);
        mpq_add(s, u, u);
        mpq_div(s, s, uu);
        if (negative)
            mpq_neg(s, s);
        mpq_clear(uu);
        mpq_clear(one);
    }
    vec_push(e->mem, e->cos, c);
    vec_push(e->mem, e->sin, s);
    map_put(&e->angle, x.i, e->cos.n - 1);
    return e->cos.n - 1;
}

/* Where an elementary function of a rational number is rational. */
static bool is_exact(Fn f, mpq_srcptr a, mpq_ptr out)
{
    switch (f) {
    case FN_SQRT:
        if (mpq_sgn(a) < 0 || !mpz_perfect_square_p(mpq_numref(a)) ||
            !mpz_perfect_square_p(mpq_denref(a)))
            return false;
        mpz_sqrt(mpq_numref(out), mpq_numref(a));
        mpz_sqrt(mpq_denref(out), mpq_denref(a));
        return true;
    case FN_TAN:
    case FN_ASIN:
    case FN_ATAN:
    case FN_SINH:
    case FN_TANH:
        mpq_set_ui(out, 0, 1);
        return mpq_sgn(a) == 0;
    case FN_COSH:
    case FN_EXP:
        mpq_set_ui(out, 1, 1);
        return mpq_sgn(a) == 0;
    case FN_LOG:
    case FN_LOG10:
    case FN_ACOS:
        mpq_set_ui(out, 0, 1);
        return mpq_cmp_ui(a, 1, 1) == 0;
    default:
        return false;
    }
}

static void function(Exact *e, ExprId x, mpq_srcptr a, mpq_ptr out)
{
    Fn f = expr_fn_of(e->s->pool, x);
    ExprId arg = expr_arg(e->s->pool, x, 0);
    uint32_t point = f == FN_SIN || f == FN_COS ? circle(e, arg, 0) : 0;
    switch (f) {
    case FN_SIN:
        mpq_set(out, e->sin.at[point]);
        return;
    case FN_COS:
        mpq_set(out, e->cos.at[point]);
        return;
    case FN_ABS:
        mpq_abs(out, a);
        return;
    case FN_SIGN:
        mpq_set_si(out, mpq_sgn(a), 1);
        return;
    case FN_FLOOR:
        mpz_fdiv_q(mpq_numref(out), mpq_numref(a), mpq_denref(a));
        return;
    case FN_CEIL:
        mpz_cdiv_q(mpq_numref(out), mpq_numref(a), mpq_denref(a));
        return;
    default:
        if (!is_exact(f, a, out))
            draw(e, key_of(a, 1000 + (uint64_t)f), out);
        return;
    }
}

static void function2(Exact *e, ExprId x, mpq_srcptr a, mpq_srcptr b, mpq_ptr out)
{
    Fn2 f = expr_fn2_of(e->s->pool, x);
    if (f == FN2_MIN || f == FN2_MAX)
        mpq_set(out, (mpq_cmp(a, b) < 0) == (f == FN2_MIN) ? a : b);
    else
        draw(e, key_of(a, key_of(b, 2000 + (uint64_t)f)), out);
}

/* What a discrete variable was before: by its name, so that both sides agree. A condition was
 * false. */
static void draw_before(const Exact *e, ExprId x, mpq_ptr out)
{
    mpq_set_ui(out, 0, 1);
    if (expr_op(e->s->pool, x) != OP_VAR)
        return;
    const Var *it = &e->s->var.at[expr_var_of(e->s->pool, x).i];
    if (it->kind == VAR_MEMORY)
        return;
    draw(e, mix(key_of_name(it->name) + 4000), out);
    if (it->type != TYPE_REAL)
        mpq_set_ui(out, mpz_even_p(mpq_numref(out)) ? 0 : 1, 1);
}

/* The branch an if-expression takes; its condition must have its value. The other branch guards
 * against what must not be evaluated, like a division by zero. */
static ExprId branch_of(Exact *e, ExprId x)
{
    const ExprPool *p = e->s->pool;
    return expr_arg(p, x, mpq_sgn(value(e, expr_arg(p, x, 0))) != 0 ? 1 : 2);
}

static void compute(Exact *e, ExprId x, mpq_ptr out)
{
    const ExprPool *p = e->s->pool;
    uint32_t n = expr_n_args(p, x);
    if (expr_op(p, x) == OP_SELECT) {
        mpq_set(out, value(e, branch_of(e, x)));
        return;
    }
    mpq_srcptr a = n > 0 ? value(e, expr_arg(p, x, 0)) : NULL;
    mpq_srcptr b = n > 1 ? value(e, expr_arg(p, x, 1)) : NULL;
    switch (expr_op(p, x)) {
    case OP_NUM:
        mpq_set(out, expr_rational(p, x));
        return;
    case OP_TIME:
        draw(e, 1, out);
        return;
    case OP_INITIAL:
        return;
    case OP_VAR: {
        VarId v = expr_var_of(p, x);
        uint32_t k = map_get(&e->var, v.i);
        if (k != MAP_NONE)
            mpq_set(out, e->var_value.at[k]);
        else if (e->s->var.at[v.i].kind == VAR_MEMORY)
            mpq_set_ui(out, 0, 1); /* sample(), terminal() */
        else
            draw(e, key_of_name(e->s->var.at[v.i].name), out);
        return;
    }
    case OP_NEG:
        mpq_neg(out, a);
        return;
    case OP_ADD:
        mpq_add(out, a, b);
        return;
    case OP_SUB:
        mpq_sub(out, a, b);
        return;
    case OP_MUL:
        mpq_mul(out, a, b);
        return;
    case OP_DIV:
        if (mpq_sgn(b) == 0)
            e->poor_point = true;
        else
            mpq_div(out, a, b);
        return;
    case OP_FN:
        function(e, x, a, out);
        return;
    case OP_FN2:
        function2(e, x, a, b, out);
        return;
    case OP_POW:
        draw(e, key_of(a, key_of(b, 3000)), out);
        return;
    case OP_LT:
        mpq_set_ui(out, mpq_cmp(a, b) < 0, 1);
        return;
    case OP_LE:
        mpq_set_ui(out, mpq_cmp(a, b) <= 0, 1);
        return;
    case OP_EQ:
        mpq_set_ui(out, mpq_equal(a, b) != 0, 1);
        return;
    case OP_NE:
        mpq_set_ui(out, mpq_equal(a, b) == 0, 1);
        return;
    case OP_AND:
        mpq_set_ui(out, mpq_sgn(a) != 0 && mpq_sgn(b) != 0, 1);
        return;
    case OP_OR:
        mpq_set_ui(out, mpq_sgn(a) != 0 || mpq_sgn(b) != 0, 1);
        return;
    case OP_NOT:
        mpq_set_ui(out, mpq_sgn(a) == 0, 1);
        return;
    case OP_NOEVENT:
    case OP_SMOOTH:
        mpq_set(out, a);
        return;
    case OP_PRE:
        draw_before(e, expr_arg(p, x, 0), out);
        return;
    default:
        bug("verify: operator %d", (int)expr_op(p, x));
    }
}

/* Pushes what x waits for; true if nothing is missing. */
static bool push_missing(Exact *e, ExprId x)
{
    const ExprPool *p = e->s->pool;
    bool select = expr_op(p, x) == OP_SELECT;
    uint32_t n = select ? 1 : expr_n_args(p, x);
    bool ready = true;
    for (uint32_t k = n; k-- > 0;) {
        ExprId a = expr_arg(p, x, k);
        if (map_get(&e->at, a.i) != MAP_NONE)
            continue;
        vec_push(e->mem, e->stack, a);
        ready = false;
    }
    if (!select || !ready)
        return ready;
    ExprId a = branch_of(e, x);
    if (map_get(&e->at, a.i) != MAP_NONE)
        return true;
    vec_push(e->mem, e->stack, a);
    return false;
}

/* The value of a node whose operands need not be there yet. Called for an angle while another value
 * is at work, so it leaves what lies on the stack below. */
static mpq_ptr value(Exact *e, ExprId root)
{
    uint32_t known = map_get(&e->at, root.i);
    if (known != MAP_NONE)
        return e->value.at[known];
    uint32_t bottom = e->stack.n;
    vec_push(e->mem, e->stack, root);
    while (e->stack.n > bottom) {
        ExprId x = vec_last(e->stack);
        if (map_get(&e->at, x.i) != MAP_NONE) {
            e->stack.n--;
            continue;
        }
        if (!push_missing(e, x))
            continue;
        e->stack.n--;
        mpq_ptr q = fresh(e);
        compute(e, x, q);
        vec_push(e->mem, e->value, q);
        map_put(&e->at, x.i, e->value.n - 1);
    }
    return e->value.at[map_get(&e->at, root.i)];
}

static Exact exact_new(System *s, Arena *mem, uint64_t seed)
{
    return (Exact){.s = s,
                   .mem = mem,
                   .seed = seed,
                   .at = map_new(mem),
                   .var = map_new(mem),
                   .angle = map_new(mem)};
}

/* Which variables depend on what a nonlinear block determines. */
static bool *numeric_variables(const Program *g, Arena *mem)
{
    const System *s = g->sys;
    uint32_t n = pool_size(s->pool);
    bool *node = arena_array(mem, bool, n);
    bool *var = arena_array(mem, bool, s->var.n);
    for (uint32_t b = 0; b < g->n_blocks; b++) {
        for (uint32_t k = 0; k < g->block[b].n; k++)
            node[system_var_expr(g->sys, g->block[b].unknown[k]).i] = true;
    }
    /* operands come before users, but for a negation found later: two sweeps settle those */
    for (int sweep = 0; sweep < 2; sweep++) {
        for (uint32_t k = 0; k < n; k++) {
            for (uint32_t i = expr_n_args(s->pool, (ExprId){k}); i-- > 0;)
                node[k] = node[k] || node[expr_arg(s->pool, (ExprId){k}, i).i];
        }
    }
    for (uint32_t k = 0; k < s->var.n; k++)
        var[k] = node[g->value[k].i];
    return var;
}

typedef struct Comparison {
    const Program *g;
    System *flat;
    const bool *numeric;   /* per variable of the program */
    const LoopCut *cut;    /* of flat, or NULL */
    const uint32_t *match; /* per variable of flat: that of the program, or UINT32_MAX */
    VerifyReport *report;
} Comparison;

/* Memory of the program: relations are what they are at this point. In order, since one may hold
 * another. */
static void remember(const Comparison *c, Exact *program, Arena *mem)
{
    const System *s = c->g->sys;
    for (uint32_t k = 0; k < c->g->n_memory; k++) {
        const Memory *m = &c->g->memory[k];
        mpq_ptr q = fresh(program);
        if (m->kind == MEMORY_RELATION) {
            int sign = mpq_sgn(value(program, m->of));
            mpq_set_ui(q, sign < 0 || (sign == 0 && !m->is_strict), 1);
        } else if (m->kind == MEMORY_PRE) {
            draw_before(program, s->memory.at[k].of, q);
        }
        vec_push(mem, program->var_value, q);
        map_put(&program->var, m->var.i, program->var_value.n - 1);
    }
}

/* ---- degrees ---- */

/* Of numerator and denominator, as polynomials in the numbers drawn; too large ones are infinite.
 */
typedef struct Degree {
    double num, den;
    double angle; /* how many angles are added up in it */
} Degree;

static Degree sum_degree(Degree a, Degree b)
{
    return (Degree){fmax(a.num + b.den, b.num + a.den), a.den + b.den, a.angle + b.angle};
}

static Degree larger_degree(Degree a, Degree b)
{
    return (Degree){fmax(a.num, b.num), fmax(a.den, b.den), 1};
}

/* A fraction drawn has one number above and one below; functions other than sine and cosine draw
 * one for each value of their argument. */
static Degree node_degree(const ExprPool *p, ExprId x, const Degree *of)
{
    uint32_t n = expr_n_args(p, x);
    Degree a = n > 0 ? of[expr_arg(p, x, 0).i] : (Degree){0, 0, 1};
    Degree b = n > 1 ? of[expr_arg(p, x, 1).i] : (Degree){0, 0, 1};
    switch (expr_op(p, x)) {
    case OP_NUM:
    case OP_STRING:
    case OP_INITIAL:
        return (Degree){0, 0, 1};
    case OP_NEG:
    case OP_NOEVENT:
    case OP_SMOOTH:
        return a;
    case OP_ADD:
    case OP_SUB:
        return sum_degree(a, b);
    case OP_MUL: {
        long times = 1;
        bool first = expr_is_int(p, expr_arg(p, x, 0), &times);
        bool multiple = first || expr_is_int(p, expr_arg(p, x, 1), &times);
        return (Degree){a.num + b.num, a.den + b.den,
                        multiple ? (double)labs(times) * (first ? b.angle : a.angle) : 1};
    }
    case OP_DIV:
        return (Degree){a.num + b.den, a.den + b.num, 1};
    case OP_FN:
        if (expr_fn_of(p, x) == FN_SIN || expr_fn_of(p, x) == FN_COS)
            return (Degree){4 * a.angle, 4 * a.angle, 1};
        return expr_fn_of(p, x) == FN_ABS ? a : (Degree){1, 1, 1};
    case OP_FN2:
    case OP_SELECT:
        a = larger_degree(a, b);
        return n > 2 ? larger_degree(b, of[expr_arg(p, x, 2).i]) : a;
    default:
        return (Degree){1, 1, 1};
    }
}

/* Of all nodes; known: of variables, or NULL. */
static Degree *degrees_of(const ExprPool *p, const Degree *known, Arena *mem)
{
    uint32_t n = pool_size(p);
    Degree *of = arena_array(mem, Degree, n);
    for (int sweep = 0; sweep < 2; sweep++) { /* for a negation found later, see above */
        for (uint32_t k = 0; k < n; k++) {
            ExprId x = {k};
            of[k] = known && expr_op(p, x) == OP_VAR ? known[expr_var_of(p, x).i]
                                                     : node_degree(p, x, of);
        }
    }
    return of;
}

static double largest_degree(const Comparison *c, Arena *mem)
{
    Degree *program = degrees_of(c->g->sys->pool, NULL, mem);
    Degree *known = arena_array(mem, Degree, c->flat->var.n);
    for (uint32_t k = 0; k < c->flat->var.n; k++) {
        const Var *v = &c->flat->var.at[k];
        bool solved = v->kind == VAR_CONTINUOUS || v->kind == VAR_DISCRETE;
        known[k] = solved && c->match[k] != UINT32_MAX ? program[c->g->value[c->match[k]].i]
                                                       : (Degree){1, 1, 1};
    }
    Degree *model = degrees_of(c->flat->pool, known, mem);
    double largest = 0;
    for (uint32_t k = 0; k < c->flat->eq.n; k++) {
        const Eq *q = &c->flat->eq.at[k];
        largest = fmax(largest, sum_degree(model[q->lhs.i], model[q->rhs.i]).num);
    }
    return largest;
}

/* Regardless of sign, what Newton's method brings to zero at run time; at this point it is not. */
static uint64_t residual_key(mpq_srcptr q)
{
    mpq_t abs;
    mpq_init(abs);
    mpq_abs(abs, q);
    uint64_t key = key_of(abs, 5000);
    mpq_clear(abs);
    return key;
}

static Map newton_residuals(const Comparison *c, Exact *program, Arena *mem)
{
    Map known = map_new(mem);
    for (uint32_t b = 0; b < c->g->n_blocks; b++) {
        for (uint32_t k = 0; k < c->g->block[b].n; k++)
            map_put(&known, residual_key(value(program, c->g->block[b].residual[k])), b);
    }
    return known;
}

/* An equation that does not hold by itself: is it what Newton's method solves, does it at least
 * hold unknowns of that, or is the program wrong? */
static void look_into(const Comparison *c, Exact *model, const Map *residuals, uint32_t eq)
{
    System *flat = c->flat;
    VerifyReport *r = c->report;
    Arena *mem = arena_new();
    const Eq *q = &flat->eq.at[eq];
    mpq_t difference;
    mpq_init(difference);
    mpq_sub(difference, value(model, q->lhs), value(model, q->rhs));
    bool solved = map_get(residuals, residual_key(difference)) != MAP_NONE;
    mpq_clear(difference);
    VarId *v;
    bool *all = arena_array(mem, bool, flat->var.n);
    for (uint32_t i = 0; i < flat->var.n; i++)
        all[i] = true;
    ExprId residual = expr_sub(flat->pool, q->lhs, q->rhs);
    uint32_t n = unknowns_of(flat, all, residual, UINT32_MAX - 1, mem, &v);
    bool numeric = false;
    for (uint32_t i = 0; i < n; i++)
        numeric = numeric || (c->match[v[i].i] != UINT32_MAX && c->numeric[c->match[v[i].i]]);
    r->n_newton += numeric && solved;
    r->n_skipped += numeric && !solved;
    if (!numeric) {
        r->ok = false;
        r->failed = (EqId){eq};
    }
    arena_free(mem);
}

/* What was taken out of the equations is what the program closes its loops by. */
static void compare_cuts(const Comparison *c, Exact *program, Exact *model)
{
    VerifyReport *r = c->report;
    const LoopPieces *p = c->g->loops;
    uint32_t n_phi = c->cut ? c->cut->n_constraints : 0;
    uint32_t n = c->cut ? n_phi + c->cut->n_free : 0;
    uint32_t n_program = p ? p->n_constraints + p->n_free : 0;
    r->n_cut = n;
    if (r->ok && n != n_program) {
        r->ok = false;
        r->failed_cut = n;
    }
    for (uint32_t k = 0; k < n && r->ok; k++) {
        ExprId written = k < n_phi ? c->cut->phi[k] : c->cut->balance[k - n_phi];
        ExprId solved = k < n_phi ? p->phi[k] : p->balance[k - n_phi];
        bool same = mpq_equal(value(model, written), value(program, solved));
        if (!same && !program->poor_point && !model->poor_point) {
            r->ok = false;
            r->failed_cut = k;
        }
    }
}

/* One point; false if another has to be drawn. */
static bool check_point(const Comparison *c, uint64_t seed)
{
    Arena *mem = arena_new();
    Exact program = exact_new(c->g->sys, mem, seed);
    Exact model = exact_new(c->flat, mem, seed);
    System *flat = c->flat;
    remember(c, &program, mem);
    for (uint32_t k = 0; k < flat->var.n; k++) {
        const Var *v = &flat->var.at[k];
        bool solved = v->kind == VAR_CONTINUOUS || v->kind == VAR_DISCRETE;
        if (!solved || c->match[k] == UINT32_MAX)
            continue;
        vec_push(mem, model.var_value, value(&program, c->g->value[c->match[k]]));
        map_put(&model.var, k, model.var_value.n - 1);
    }
    VerifyReport *r = c->report;
    Map residuals = newton_residuals(c, &program, mem);
    r->n_newton = r->n_skipped = 0;
    for (uint32_t k = 0; k < flat->eq.n && r->ok && !program.poor_point; k++) {
        const Eq *q = &flat->eq.at[k];
        if (expr_op(flat->pool, q->lhs) == OP_STRING)
            continue;
        bool holds = mpq_equal(value(&model, q->lhs), value(&model, q->rhs));
        if (holds || model.poor_point)
            continue;
        look_into(c, &model, &residuals, k);
    }
    compare_cuts(c, &program, &model);
    bool good = !program.poor_point && !model.poor_point;
    done(&program);
    done(&model);
    arena_free(mem);
    return good || !r->ok;
}

VerifyReport verify(const Program *g, System *flat, const LoopCut *cut, uint32_t n_points)
{
    VerifyReport r = {
        .n_wanted = n_points, .ok = true, .failed = EQ_NONE, .failed_cut = UINT32_MAX};
    Arena *mem = arena_new();
    reduce_expand(flat, mem);
    for (uint32_t k = 0; k < flat->eq.n; k++) {
        flat->eq.at[k].lhs = expand_calls(flat, mem, flat->eq.at[k].lhs);
        flat->eq.at[k].rhs = expand_calls(flat, mem, flat->eq.at[k].rhs);
    }
    r.n_equations = flat->eq.n;
    uint32_t *match = arena_array(mem, uint32_t, flat->var.n);
    for (uint32_t k = 0; k < flat->var.n; k++) {
        Name name = name_of(g->sys->names, flat->var.at[k].name.s);
        match[k] = system_find_var(g->sys, name).i;
    }
    Comparison c = {.g = g,
                    .flat = flat,
                    .cut = cut,
                    .numeric = numeric_variables(g, mem),
                    .match = match,
                    .report = &r};
    uint32_t poor = 0;
    for (uint64_t seed = 1; r.ok && r.n_points < n_points && poor < 100; seed++) {
        bool good = check_point(&c, seed);
        r.n_points += good;
        poor += !good;
    }
    if (r.ok)
        r.degree = largest_degree(&c, mem);
    arena_free(mem);
    return r;
}
