#include "study/optimize/objectives.h"

#include "runtime/problem/context.h"
#include "runtime/result/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the request ---- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* y of "der(y)", or NULL. */
static const char *differentiated(const char *text, Arena *mem)
{
    size_t n = strlen(text);
    return begins(text, "der(") && n > 5 && text[n - 1] == ')' ? arena_copy(mem, text + 4, n - 5)
                                                               : NULL;
}

Objectives objectives_read(const char *text, Arena *mem)
{
    Objectives all = {.mem = mem}, *g = &all;
    for (const char *p = text; *p;) {
        const char *end = result_pattern_end(p);
        Objective it = {.text = arena_copy(g->mem, p, (size_t)(end - p))};
        it.kind = objective_read(it.text, g->mem, &it.variable);
        if (it.kind == OBJECTIVE_INTEGRAL)
            it.variable = it.text;
        vec_push(g->mem, g->each, it);
        p = *end ? end + 1 : end;
    }
    return all;
}

const char *objectives_variables(const Objectives *g)
{
    const char *all = "";
    for (uint32_t k = 0; k < g->each.n; k++) {
        const Objective *it = &g->each.at[k];
        const char *y = differentiated(it->variable, g->mem);
        all = arena_printf(g->mem, "%s%s%s", all, k ? "," : "", y ? y : it->variable);
        if (it->kind == OBJECTIVE_AT_STOP)
            all = arena_printf(g->mem, "%s,%s", all, objective_value(it->variable, g->mem));
    }
    return all;
}

static uint32_t row_of(const RungModel *m, const char *name)
{
    for (uint32_t k = 0; k < m->n_variables; k++)
        if (strcmp(rung_name(m, k), name) == 0)
            return k;
    return RUNG_NONE;
}

/* der(y,p), of der(y) der(der(y,p)). */
static const char *derivative(const Objectives *g, const char *variable, const char *p)
{
    const char *y = differentiated(variable, g->mem);
    return y ? arena_printf(g->mem, "der(der(%s,%s))", y, p)
             : arena_printf(g->mem, "der(%s,%s)", variable, p);
}

/* The parameters, by the derivatives of the first objective that there are. */
static void find_parameters(Objectives *g, const RungModel *m)
{
    const char *y = g->each.at[0].variable, *of = differentiated(y, g->mem);
    const char *begin = arena_printf(g->mem, "der(%s,", of ? of : y);
    VEC(const char *) found = {0};
    for (uint32_t k = 0; k < m->n_variables; k++) {
        const char *name = rung_name(m, k), *rest = name + strlen(begin);
        size_t n = strlen(name);
        if (begins(name, begin) && name[n - 1] == ')')
            vec_push(g->mem, found,
                     (const char *)arena_copy(g->mem, rest, (size_t)(name + n - 1 - rest)));
    }
    g->parameter = found.at;
    g->n_parameters = found.n;
}

static bool may_have_adjoint(const RunRequest *r)
{
    const char *method = r->translation.method;
    return !(r->sensitivity_tolerance > 0) && (!method || simulate_method_has_adjoint(method));
}

void objectives_choose_mode(GradientMode mode, RunRequest *r)
{
    enum { MANY = 10 }; // docs/measured/derivatives.md
    r->is_trial = mode == GRADIENT_BY_NUMBER && may_have_adjoint(r);
    r->translation.adjoint = mode == GRADIENT_ADJOINT || r->is_trial;
    r->translation.adjoint_from = r->is_trial ? MANY : 0;
    if (r->translation.adjoint && !r->translation.method)
        r->translation.method = "esdirk";
}

/* The parameters of an adjoint, which has the derivatives by all of them. */
static void take_parameters(Objectives *g, const RungAdjoint *a)
{
    const char **name = arena_array(g->mem, const char *, a->n + 1);
    for (uint32_t j = 0; j < a->n; j++)
        name[j] = arena_printf(g->mem, "%s", a->name[j]);
    g->parameter = name;
    g->n_parameters = a->n;
    g->back = arena_array(g->mem, double, (size_t)a->n_objectives * a->n + 1);
}

bool objectives_find(Objectives *g, const RungModel *m)
{
    bool along = !m->adjoint;
    for (uint32_t k = 0; k < g->each.n; k++) {
        Objective *it = &g->each.at[k];
        const char *value = objective_value(it->variable, g->mem);
        it->variable = row_of(m, value) == RUNG_NONE ? it->variable : value;
    }
    if (along)
        find_parameters(g, m);
    else
        take_parameters(g, m->adjoint);
    for (uint32_t k = 0; k < g->each.n; k++) {
        Objective *it = &g->each.at[k];
        it->row = row_of(m, it->variable);
        it->by = arena_array(g->mem, uint32_t, g->n_parameters + 1);
        it->gradient = arena_array(g->mem, double, g->n_parameters + 1);
        bool ok = it->row != RUNG_NONE && g->n_parameters &&
                  rung_variable(m, it->row).attributes->kind >= RUNG_STATE;
        for (uint32_t j = 0; j < g->n_parameters && ok && along; j++) {
            it->by[j] = row_of(m, derivative(g, it->variable, g->parameter[j]));
            ok = it->by[j] != RUNG_NONE;
        }
        if (ok)
            continue;
        fprintf(stderr, "rung: --objective '%s': %s\n", it->text,
                it->row == RUNG_NONE        ? "the model has no such variable"
                : objective_is_extremum(it) ? "it is no extremum of a continuous Real variable"
                                            : "it is no Real that changes along the run");
        return false;
    }
    return true;
}

/* ---- along the run ---- */

bool objective_is_extremum(const Objective *it)
{
    return it->kind == OBJECTIVE_MAXIMUM || it->kind == OBJECTIVE_MINIMUM;
}

/* Larger is better. */
static bool value_at(const Objective *it, const SimulateStep *s, double t, double *value)
{
    if (s->some(s, t, 1, &it->row, value))
        return false;
    *value = it->kind == OBJECTIVE_MINIMUM ? -*value : *value;
    return true;
}

/* Whether the value falls from t to the side in proportion to the distance: not as at a smooth
 * extremum, where half as far it falls a fourth as deep. */
static bool falls_straight(const Objective *it, const SimulateStep *s, double t, double value,
                           double side)
{
    static const double NEAR = 1e-2, NOISE = 1e-9, BETWEEN = 3;
    double step = side * NEAR * (s->t1 - s->t0), far, half;
    if (t + step < s->t0 || t + step > s->t1)
        return false;
    if (!value_at(it, s, t + step, &far) || !value_at(it, s, t + step / 2, &half))
        return true;
    double fall = value - far;
    return fall > NOISE * (fabs(value) + fabs(far)) && fall < BETWEEN * (value - half);
}

static bool take(Objectives *g, Objective *it, const SimulateStep *s, double t, double value)
{
    it->is_found = true;
    it->t = t;
    it->value = it->kind == OBJECTIVE_MINIMUM ? -value : value;
    bool at_event = (t == s->t1 && s->ends_in_event) || (t == s->t0 && g->after_event);
    bool at_end = t == s->start || t == s->stop;
    it->is_sharp =
        at_event ||
        (!at_end && (falls_straight(it, s, t, value, -1) || falls_straight(it, s, t, value, 1)));
    if (g->back)
        return !s->mark(s, t, (uint32_t)(it - g->each.at));
    return !s->some(s, t, g->n_parameters, it->by, it->gradient);
}

/* Golden sections around the best of some points; the derivative by parameters at the time of an
 * extremum is that of the extremum, for there the variable does not move, or the time is that of
 * the start or the stop. */
static bool look_for(Objectives *g, Objective *it, const SimulateStep *s)
{
    enum { POINTS = 8, SECTIONS = 60 };
    static const double GOLDEN = 0.6180339887498949;
    double best = -INFINITY, at = s->t0, h = (s->t1 - s->t0) / POINTS, v;
    for (int k = 0; k <= POINTS; k++) {
        double t = k == POINTS ? s->t1 : s->t0 + k * h;
        if (!value_at(it, s, t, &v))
            return false;
        if (v > best) {
            best = v;
            at = t;
        }
    }
    double low = fmax(s->t0, at - h), high = fmin(s->t1, at + h), a[2], f[2];
    for (int k = 0; k < 2; k++) {
        a[k] = k ? low + GOLDEN * (high - low) : high - GOLDEN * (high - low);
        if (!value_at(it, s, a[k], &f[k]))
            return false;
    }
    for (int n = 0; n < SECTIONS && high - low > 1e-12 * (fabs(high) + h); n++) {
        bool left = f[0] >= f[1];
        if (left)
            high = a[1];
        else
            low = a[0];
        int to = left ? 0 : 1;
        a[1 - to] = a[to];
        f[1 - to] = f[to];
        a[to] = left ? high - GOLDEN * (high - low) : low + GOLDEN * (high - low);
        if (!value_at(it, s, a[to], &f[to]))
            return false;
    }
    for (int k = 0; k < 2; k++)
        if (f[k] > best) {
            best = f[k];
            at = a[k];
        }
    double known = it->kind == OBJECTIVE_MINIMUM ? -it->value : it->value;
    return (it->is_found && best <= known) || take(g, it, s, at, best);
}

static int look(void *user, const SimulateStep *s)
{
    Objectives *g = user;
    for (uint32_t k = 0; k < g->each.n && !g->failed; k++)
        if (objective_is_extremum(&g->each.at[k]))
            g->failed = !look_for(g, &g->each.at[k], s);
    g->after_event = s->ends_in_event;
    return g->failed;
}

/* The last row is that of the stop time. */
static int row(void *user, const RungContext *ctx, double t, const double *x, const double *v)
{
    Objectives *g = user;
    for (uint32_t k = 0; k < g->each.n; k++) {
        Objective *it = &g->each.at[k];
        if (objective_is_extremum(it))
            continue;
        it->t = t;
        it->is_found = true;
        it->value = rung_value(ctx, it->row, t, x, v);
        for (uint32_t j = 0; j < g->n_parameters && !g->back; j++)
            it->gradient[j] = rung_value(ctx, it->by[j], t, x, v);
    }
    return 0;
}

/* ---- a run ---- */

Exit objectives_run(Objectives *g, const RungModel *m, SimulateOptions so, SimulateSummary *s)
{
    g->after_event = g->failed = false;
    for (uint32_t k = 0; k < g->each.n; k++)
        g->each.at[k].is_found = g->each.at[k].is_sharp = false;
    so.row = row;
    so.look = look;
    so.user = g;
    so.gradient = g->back;
    int status = simulate(m, &so, s);
    for (uint32_t k = 0; k < g->each.n && g->back; k++)
        memcpy(g->each.at[k].gradient, g->back + (size_t)k * g->n_parameters,
               g->n_parameters * sizeof *g->back);
    if (status != SIMULATE_OK) {
        g->why = arena_copy(g->mem, s->error, strlen(s->error));
        return (Exit)status;
    }
    if (s->t < s->stop) {
        g->why = arena_printf(g->mem,
                              "the model ends the run at t = %.9g: that time may depend on "
                              "parameters, and the objectives have no derivatives that are known",
                              s->t);
        return EXIT_MODEL;
    }
    for (uint32_t k = 0; k < g->each.n; k++)
        if (g->each.at[k].is_sharp || !g->each.at[k].is_found) {
            g->why = arena_printf(g->mem,
                                  "'%s' is taken at t = %.9g, at an event or a kink: its "
                                  "derivatives there are not known",
                                  g->each.at[k].text, g->each.at[k].t);
            return EXIT_MODEL;
        }
    return EXIT_GOOD;
}
