#include "eliminate/forms/base_parameters.h"

#include "eliminate/prepare/events.h"
#include "tests/eliminate/model.h"

#include <math.h>

typedef struct Found {
    Model m;
    Regressor r;
    BaseParameters b;
} Found;

static Found found_in(const char *text, bool as_given)
{
    Found f = {.m = model_of(text)};
    model_sort(&f.m);
    f.r = regressor_make(&f.m.dae, f.m.mem, f.m.scratch);
    BaseQuestion q = {.as_given = as_given};
    f.b = base_parameters_find(&f.r, &q, f.m.mem);
    return f;
}

static uint32_t parameter(const Found *f, const char *name)
{
    for (uint32_t k = 0; k < f->r.n_parameters; k++)
        if (strcmp(f->m.dae.sys->var.at[f->r.parameter[k].var.i].name.s, name) == 0)
            return k;
    cr_assert(false, "no parameter %s", name);
    return 0;
}

static double product_at(const Factor *factor, uint32_t n, const double *value)
{
    double x = 1;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < factor[k].power; i++) {
            double v = value[factor[k].parameter];
            x *= factor[k].form == FACTOR_COS ? cos(v) : factor[k].form == FACTOR_SIN ? sin(v) : v;
        }
    return x;
}

static double polynomial_at(const Polynomial *p, const double *value)
{
    double sum = 0;
    for (uint32_t k = 0; k < p->n; k++)
        sum += (double)p->term[k].num / (double)p->term[k].den *
               product_at(p->term[k].factor, p->term[k].n, value);
    return sum;
}

static double column_at(const Found *f, uint32_t product, const double *value)
{
    const Product *p = &f->b.product[product];
    return value[p->linear] * product_at(p->factor, p->n, value);
}

static double base_at(const Found *f, uint32_t k, const double *value)
{
    const BaseParameter *b = &f->b.base[k];
    double sum = column_at(f, b->lead, value);
    for (uint32_t i = 0; i < b->n; i++) {
        const Share *s = &b->share[i];
        cr_assert(s->is_known);
        double over = s->over.n ? polynomial_at(&s->over, value) : 1;
        sum += column_at(f, s->product, value) * polynomial_at(&s->factor, value) / over;
    }
    return sum;
}

#define ARM                                                                                        \
    "model Body parameter Real m = 1, c = 0.5, I = 0.1; end Body;\n"                               \
    "model M Body b1, b2; parameter Real l = 1.5; parameter Real g = 9.81;\n"                      \
    "  input Real u1, u2; Real q1, q2, w1, w2;\n"                                                  \
    "equation der(q1) = w1; der(q2) = w2;\n"                                                       \
    "  (b1.I + b1.m*b1.c^2 + b2.m*l^2)*der(w1) + b2.m*l*b2.c*cos(q1 - q2)*der(w2)\n"               \
    "    + b2.m*l*b2.c*sin(q1 - q2)*w2^2 + (b1.m*b1.c + b2.m*l)*g*cos(q1) = u1 - u2;\n"            \
    "  b2.m*l*b2.c*cos(q1 - q2)*der(w1) + (b2.I + b2.m*b2.c^2)*der(w2)\n"                          \
    "    - b2.m*l*b2.c*sin(q1 - q2)*w1^2 + b2.m*b2.c*g*cos(q2) = u2;\n"                            \
    "end M;\n"

/* The groupings of a planar arm with two links, as textbooks derive them. */
Test(base_parameters, planar_arm)
{
    Found f = found_in(ARM, false);
    cr_assert_eq(f.b.n, 4);
    double value[8];
    for (uint32_t k = 0; k < f.r.n_parameters; k++)
        value[k] = 0.7 + 0.37 * k * k;
    double m1 = value[parameter(&f, "b1.m")], c1 = value[parameter(&f, "b1.c")];
    double i1 = value[parameter(&f, "b1.I")], m2 = value[parameter(&f, "b2.m")];
    double c2 = value[parameter(&f, "b2.c")], i2 = value[parameter(&f, "b2.I")];
    double l = value[parameter(&f, "l")];
    cr_assert_float_eq(base_at(&f, 0, value), i1 + m1 * c1 * c1 + m2 * l * l, 1e-9);
    cr_assert_float_eq(base_at(&f, 1, value), m1 * c1 + m2 * l, 1e-9);
    cr_assert_float_eq(base_at(&f, 2, value), i2 + m2 * c2 * c2, 1e-9);
    cr_assert_float_eq(base_at(&f, 3, value), m2 * c2, 1e-9);
    cr_assert_eq(f.b.role[parameter(&f, "l")], ROLE_GEOMETRY);
    cr_assert_eq(f.b.role[parameter(&f, "b2.c")], ROLE_FACTOR);
    cr_assert_eq(f.b.n_restricting, 0);
    model_done(&f.m);
}

static void set_arm(Found *f, const int value[8])
{
    static const char *const name[] = {"b1.m", "b1.c", "b1.I", "b2.m", "b2.c", "b2.I", "l", "g"};
    for (int k = 0; k < 8; k++)
        regressor_set(&f->r, parameter(f, name[k]), (Fp){{(uint64_t)value[k], (uint64_t)value[k]}});
}

/* A second way: other values with the same base parameters leave all rows at a new point as they
 * are, and others do not. */
Test(base_parameters, rows_follow_from_them)
{
    Found f = found_in(ARM, false);
    static const int value[][8] = {
        {2, 5, 100, 6, 2, 50, 5, 9}, {5, 4, 120, 4, 3, 38, 5, 9}, {5, 4, 121, 4, 3, 38, 5, 9}};
    Fp row[3][2];
    cr_assert_eq(f.r.n_rows, 2);
    for (int k = 0; k < 3; k++) {
        set_arm(&f, value[k]);
        regressor_draw(&f.r, 99);
        regressor_rows(&f.r, row[k]);
    }
    cr_assert(fp_same(row[0][0], row[1][0]) && fp_same(row[0][1], row[1][1]));
    cr_assert(!fp_same(row[0][0], row[2][0]) || !fp_same(row[0][1], row[2][1]));
    model_done(&f.m);
}

/* A coefficient that is a quotient, and one that depends on a given number. */
Test(base_parameters, gear)
{
    static const char text[] = "model M parameter Real h = 1, J = 2, n = 3, d = 1; input Real u;\n"
                               "  Real w; equation (h + J/(n + 1))*der(w) = u - d*w; end M;\n";
    Found f = found_in(text, false);
    cr_assert_eq(f.b.n, 2);
    double value[4];
    for (uint32_t k = 0; k < 4; k++)
        value[k] = 1.1 + k;
    double h = value[parameter(&f, "h")], J = value[parameter(&f, "J")];
    double n = value[parameter(&f, "n")];
    cr_assert_float_eq(base_at(&f, 0, value), h + J / (n + 1), 1e-12);
    model_done(&f.m);
    f = found_in(text, true);
    cr_assert_float_eq(base_at(&f, 0, value), h + J / 4, 1e-12);
    model_done(&f.m);
}

/* Coefficients of an angle: the inertia of a body about an axis tilted against its own. */
Test(base_parameters, tilted)
{
    Found f = found_in("model M parameter Real a = 1, b = 2, c = 3, t = 0.5, r = 2; Real w, q;\n"
                       "equation der(q) = w; (a + b*sin(t)^2 + c*sin(t)*cos(t)*r)*der(w)\n"
                       "  + (b + c*cos(t))*sin(q) = 0; end M;\n",
                       false);
    cr_assert_eq(f.b.n, 2);
    double value[5];
    for (uint32_t k = 0; k < 5; k++)
        value[k] = 0.3 + 0.4 * k;
    double a = value[parameter(&f, "a")], b = value[parameter(&f, "b")];
    double c = value[parameter(&f, "c")], t = value[parameter(&f, "t")];
    double r = value[parameter(&f, "r")];
    // c is told by the two columns before it
    cr_assert_eq(f.b.product[f.b.base[0].lead].linear, parameter(&f, "a"));
    cr_assert_eq(f.b.product[f.b.base[1].lead].linear, parameter(&f, "b"));
    double first = a + c * (sin(t) * cos(t) * r - cos(t) * sin(t) * sin(t));
    cr_assert_float_eq(base_at(&f, 0, value), first, 1e-12);
    cr_assert_float_eq(base_at(&f, 1, value), b + c * cos(t), 1e-12);
    model_done(&f.m);
}

/* A force that another part says what it is, and one that only a vector rotated gives. */
Test(base_parameters, torn_unknowns)
{
    Found f = found_in("model M parameter Real m = 1, k = 2, l = 1; Real s, v, p, a[2], b[2];\n"
                       "equation der(s) = v; der(p) = sin(s);\n"
                       "  der(v) = cos(p)*a[1] - sin(p)*a[2]; 0 = sin(p)*a[1] + cos(p)*a[2];\n"
                       "  b = a; m*b[1] = -k*(s - l)*cos(p);\n"
                       "end M;\n",
                       false);
    cr_assert_eq(f.b.n, 3); // m, k, k*l
    cr_assert_eq(f.b.n_restricting, 0);
    cr_assert_eq(f.b.role[parameter(&f, "l")], ROLE_FACTOR);
    model_done(&f.m);
}

/* A clutch: the unknown a follows from the torque only while it holds. */
Test(base_parameters, unknowns_of_one_branch)
{
    Found f = found_in("model M parameter Real J = 1, c = 2; Real w, tau, a, u;\n"
                       "equation J*der(w) = tau; u = sin(time);\n"
                       "  tau = if u > 0.5 then a else c*u; der(w) = if u > 0.5 then 0 else a;\n"
                       "end M;\n",
                       false);
    cr_assert_eq(f.b.n, 2);
    cr_assert(f.b.matters[parameter(&f, "c")]);
    model_done(&f.m);
}

/* A condition that a parameter of both branches is in: a point lies in one of them. */
Test(base_parameters, condition_of_parameters)
{
    Found f =
        found_in("model M parameter Real J = 1; Real w; C c(u = w); equation\n"
                 "  J*der(w) = c.y; end M;\n"
                 "model C parameter Real g = 2, n = 3, only = 4; input Real u; output Real y;\n"
                 "equation y = noEvent(if n*u <= only then 0 else g*n*u); end C;\n",
                 false);
    cr_assert_eq(f.b.n, 2); // J, c.g*c.n
    cr_assert(f.b.matters[parameter(&f, "c.g")]);
    cr_assert_eq(f.r.n_at_events, 1);
    model_done(&f.m);
}

/* What acts through events alone is not said to be idle: the time of a step, what a sampled
 * controller computes. */
Test(base_parameters, events)
{
    Model m = model_of("model M parameter Real a = 1, t0 = 2, k = 3, h = 4, e = 5, bounce = 6;\n"
                       "  parameter Real none = 7; Real s, v, c; discrete Real u(start = 0);\n"
                       "equation der(s) = v; a*der(v) = (if time < t0 then 0 else h) + pre(u);\n"
                       "  when sample(0, e) then u = k*s; end when; c = none*s;\n"
                       "  when s < 0 then reinit(v, -bounce*pre(v)); end when; end M;\n");
    cr_assert(der_expand(m.dae.sys, m.scratch));
    events_remember(m.dae.sys, m.scratch);
    model_sort(&m);
    Regressor r = regressor_make(&m.dae, m.mem, m.scratch);
    static const char *const name[] = {"t0", "k", "e", "bounce"};
    cr_assert_eq(r.n_at_events, 4);
    for (uint32_t k = 0; k < 4; k++)
        cr_assert_str_eq(m.dae.sys->var.at[r.only_at_events[k].i].name.s, name[k]);
    cr_assert_eq(r.n_idle, 1);
    cr_assert_str_eq(m.dae.sys->var.at[r.idle[0].i].name.s, "none");
    model_done(&m);
}

/* What only one branch of a condition holds matters as well, also behind three of them. */
Test(base_parameters, conditions)
{
    Found f =
        found_in("model M parameter Real a = 1, b = 2, c = 3, d = 4, e = 5; Real s, v;\n"
                 "equation der(s) = v;\n"
                 "  a*der(v) = if time < 1 then 0 else if v < 2 then b*s else if s < 3 then c\n"
                 "    else if v > 4 then d*v*s else noEvent(if s > 9 then 1/e else 2);\n"
                 "end M;\n",
                 false);
    cr_assert_eq(f.b.n, 4); // a, b, c, d
    cr_assert_eq(f.b.role[parameter(&f, "e")], ROLE_GEOMETRY);
    for (uint32_t k = 0; k < f.r.n_parameters; k++)
        cr_assert(f.b.matters[k]);
    model_done(&f.m);
}
