/* rung parameters: which combinations of parameters the motion depends on, and which parameters do
 * not matter. */
#include "base/json.h"
#include "cli/requests.h"
#include "eliminate/forms/base_parameters.h"
#include "runtime/result/result.h"
#include "translate/driver.h"
#include "translate/setting_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 30 }; /* of a line of text, then it says how many more there are */

typedef struct Report {
    const Options *o;
    const char *model;
    const System *s;
    Arena *mem;
    Regressor r;
    BaseParameters b;
    uint32_t n_loops;
} Report;

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

static const char *name_at(const Report *r, uint32_t parameter)
{
    return r->s->var.at[r->r.parameter[parameter].var.i].name.s;
}

/* ---- combinations as text ---- */

static void put_number(Text *t, int64_t num, int64_t den)
{
    text_printf(t, "%" PRId64, num);
    if (den != 1)
        text_printf(t, "/%" PRId64, den);
}

/* |number| * factors; begun: something stands before it in the product. */
static void put_monomial(const Report *r, Text *t, const Monomial *m, bool begun)
{
    int64_t num = m->num < 0 ? -m->num : m->num;
    if (num != 1 || m->den != 1 || (m->n == 0 && !begun)) {
        text_put(t, begun ? "*" : "");
        put_number(t, num, m->den);
        begun = true;
    }
    for (uint32_t k = 0; k < m->n; k++) {
        static const char *const form[] = {"%s%s", "%scos(%s)", "%ssin(%s)"};
        const char *name = name_at(r, m->factor[k].parameter);
        text_put(t, arena_printf(r->mem, form[m->factor[k].form], begun ? "*" : "", name));
        if (m->factor[k].power > 1)
            text_printf(t, "^%u", m->factor[k].power);
        begun = true;
    }
}

static void put_polynomial(const Report *r, Text *t, const Polynomial *p)
{
    for (uint32_t k = 0; k < p->n; k++) {
        bool minus = p->term[k].num < 0;
        text_put(t, k ? (minus ? " - " : " + ") : minus ? "-" : "");
        put_monomial(r, t, &p->term[k], false);
    }
}

/* The factor times those of the product. */
static Monomial times(const Report *r, const Monomial *m, const Product *p)
{
    Monomial out = *m;
    out.factor = arena_array(r->mem, Factor, m->n + p->n + 1);
    out.n = 0;
    for (uint32_t k = 0; k < m->n; k++)
        out.factor[out.n++] = m->factor[k];
    for (uint32_t k = 0; k < p->n; k++)
        out.factor[out.n++] = p->factor[k];
    return out;
}

static void put_sign(Text *t, bool minus, bool *begun)
{
    text_put(t, *begun ? (minus ? " - " : " + ") : minus ? "-" : "");
    *begun = true;
}

/* A share whose coefficient is a quotient, or of which only the dependencies are known. */
static void put_other(const Report *r, Text *t, const Share *s, bool *begun)
{
    const Product *p = &r->b.product[s->product];
    bool single = s->is_known && s->factor.n == 1;
    Monomial m = single ? s->factor.term[0] : (Monomial){.num = 1, .den = 1};
    Monomial number = {.num = m.num, .den = m.den}, rest = times(r, &m, p);
    put_sign(t, m.num < 0, begun);
    if (m.num * m.num != 1 || m.den != 1) {
        put_monomial(r, t, &number, false);
        text_put(t, "*");
    }
    text_put(t, name_at(r, p->linear));
    rest.num = rest.den = 1;
    if (rest.n)
        put_monomial(r, t, &rest, true);
    if (s->is_known) {
        if (!single) {
            text_put(t, "*(");
            put_polynomial(r, t, &s->factor);
            text_put(t, ")");
        }
        bool plain = s->over.n == 1 && s->over.term[0].n == 1;
        text_put(t, plain ? "/" : "/(");
        put_polynomial(r, t, &s->over);
        text_put(t, plain ? "" : ")");
        return;
    }
    if (s->n_depends == 0) {
        text_put(t, "*(a number of too many digits)");
        return;
    }
    text_put(t, "*f(");
    for (uint32_t k = 0; k < s->n_depends; k++)
        text_printf(t, "%s%s", k ? ", " : "", name_at(r, s->depends[k]));
    text_put(t, ")");
}

static bool is_polynomial(const Share *s)
{
    return s->is_known && s->over.n == 0;
}

/* All that a linear parameter gives to the combination, as one product. */
static void put_linear(const Report *r, Text *t, const BaseParameter *b, uint32_t linear,
                       bool *begun)
{
    VEC(Monomial) sum = {0};
    const Monomial one = {.num = 1, .den = 1};
    if (r->b.product[b->lead].linear == linear)
        vec_push(r->mem, sum, times(r, &one, &r->b.product[b->lead]));
    for (uint32_t k = 0; k < b->n; k++) {
        const Share *s = &b->share[k];
        const Product *p = &r->b.product[s->product];
        if (p->linear != linear || !is_polynomial(s))
            continue;
        for (uint32_t i = 0; i < s->factor.n; i++)
            vec_push(r->mem, sum, times(r, &s->factor.term[i], p));
    }
    if (!sum.n)
        return;
    bool minus = sum.at[0].num < 0;
    put_sign(t, minus, begun);
    if (sum.n == 1) {
        Monomial m = sum.at[0], number = {.num = m.num, .den = m.den};
        if (m.num * m.num != 1 || m.den != 1) {
            put_monomial(r, t, &number, false);
            text_put(t, "*");
        }
        m.num = m.den = 1;
        text_put(t, name_at(r, linear));
        if (m.n)
            put_monomial(r, t, &m, true);
        return;
    }
    text_put(t, name_at(r, linear));
    text_put(t, "*(");
    for (uint32_t k = 0; k < sum.n; k++) {
        bool negative = (sum.at[k].num < 0) != minus;
        text_put(t, k ? (negative ? " - " : " + ") : "");
        put_monomial(r, t, &sum.at[k], false);
    }
    text_put(t, ")");
}

static const char *combination(const Report *r, const BaseParameter *b)
{
    Text t = text_new(r->mem);
    bool begun = false;
    uint32_t lead = r->b.product[b->lead].linear;
    bool *is_done = arena_array(r->mem, bool, r->r.n_parameters + 1);
    put_linear(r, &t, b, lead, &begun);
    is_done[lead] = true;
    for (uint32_t k = 0; k < b->n; k++) {
        uint32_t linear = r->b.product[b->share[k].product].linear;
        if (!is_done[linear])
            put_linear(r, &t, b, linear, &begun);
        is_done[linear] = true;
    }
    for (uint32_t k = 0; k < b->n; k++)
        if (!is_polynomial(&b->share[k]))
            put_other(r, &t, &b->share[k], &begun);
    return t.at;
}

/* ---- lists of names ---- */

typedef VEC(const char *) NameList;

static NameList with_role(const Report *r, bool known, bool matters)
{
    NameList out = {0};
    for (uint32_t k = 0; k < r->r.n_parameters; k++)
        if ((r->b.role[k] == ROLE_GEOMETRY) == known && r->b.matters[k] == matters)
            vec_push(r->mem, out, name_at(r, k));
    return out;
}

/* Parameters that have an effect only through the memory of events. */
static NameList only_at_events(const Report *r)
{
    NameList out = {0};
    for (uint32_t k = 0; k < r->r.n_parameters; k++)
        if (!r->b.matters[k] && r->r.parameter[k].at_events)
            vec_push(r->mem, out, name_at(r, k));
    for (uint32_t k = 0; k < r->r.n_at_events; k++)
        vec_push(r->mem, out, r->s->var.at[r->r.only_at_events[k].i].name.s);
    return out;
}

/* Parameters in a combination that also have an effect at events, where they may matter
 * individually. */
static NameList also_at_events(const Report *r)
{
    NameList out = {0};
    for (uint32_t k = 0; k < r->r.n_parameters; k++)
        if (r->b.matters[k] && r->b.role[k] != ROLE_GEOMETRY && r->r.parameter[k].at_events)
            vec_push(r->mem, out, name_at(r, k));
    return out;
}

static NameList idle(const Report *r)
{
    NameList out = {0};
    for (uint32_t k = 0; k < r->r.n_parameters; k++)
        if (!r->b.matters[k] && !r->r.parameter[k].at_events)
            vec_push(r->mem, out, name_at(r, k));
    for (uint32_t k = 0; k < r->r.n_idle; k++)
        vec_push(r->mem, out, r->s->var.at[r->r.idle[k].i].name.s);
    return out;
}

static void print_names(const char *what, const NameList *list)
{
    if (!list->n)
        return;
    printf("  %s: ", what);
    for (uint32_t k = 0; k < list->n && k < NAMES; k++)
        printf("%s%s", k ? ", " : "", list->at[k]);
    if (list->n > NAMES)
        printf(" and %u more; --format json has them all", list->n - NAMES);
    puts("");
}

static void print(const Report *r)
{
    const BaseParameters *b = &r->b;
    NameList asked = with_role(r, false, true), known = with_role(r, true, true), not = idle(r);
    printf("%s\n", r->model);
    printf("  %u base parameter%s, made of %u parameter%s that matter%s\n", b->n, plural(b->n),
           asked.n, plural(asked.n), asked.n == 1 ? "s" : "");
    for (uint32_t k = 0; k < b->n; k++)
        printf("    %u: %s\n", k + 1, combination(r, &b->base[k]));
    print_names(b->is_as_given ? "taken as known, with the numbers of the model" : "taken as known",
                &known);
    NameList only = only_at_events(r), also = also_at_events(r);
    print_names("act through conditions, events and delays alone", &only);
    print_names("act through conditions, events and delays as well, which is not analysed", &also);
    print_names("do not matter for the motion", &not );
    if (r->n_loops)
        printf("  %u kinematic loop%s cut open: these combinations are enough, fewer may be, since "
               "a closed loop moves less\n",
               r->n_loops, r->n_loops == 1 ? " is" : "s are");
    else if (b->n_restricting)
        printf("  %u equation%s restrict%s the motion: these combinations are enough, fewer may "
               "be\n",
               b->n_restricting, plural(b->n_restricting), b->n_restricting == 1 ? "s" : "");
}

static void json_names(Json *j, const char *name, const NameList *list)
{
    json_array(j, name);
    for (uint32_t k = 0; k < list->n; k++)
        json_text(j, NULL, list->at[k]);
    json_close(j);
}

static const char *product_text(const Report *r, const Product *p)
{
    Text t = text_new(r->mem);
    text_put(&t, name_at(r, p->linear));
    Monomial one = {.num = 1, .den = 1}, rest = times(r, &one, p);
    if (rest.n)
        put_monomial(r, &t, &rest, true);
    return t.at;
}

static void json_share(const Report *r, Json *j, const Share *s)
{
    json_object(j, NULL);
    json_text(j, "product", product_text(r, &r->b.product[s->product]));
    if (s->is_known) {
        Text t = text_new(r->mem);
        put_polynomial(r, &t, &s->factor);
        json_text(j, "factor", t.at);
    }
    if (s->is_known && s->over.n) {
        Text t = text_new(r->mem);
        put_polynomial(r, &t, &s->over);
        json_text(j, "over", t.at);
    }
    if (!s->is_known) {
        NameList list = {0};
        for (uint32_t k = 0; k < s->n_depends; k++)
            vec_push(r->mem, list, name_at(r, s->depends[k]));
        json_names(j, "depends_on", &list);
    }
    json_close(j);
}

static void print_json(const Report *r)
{
    const BaseParameters *b = &r->b;
    NameList asked = with_role(r, false, true), known = with_role(r, true, true), not = idle(r);
    Text t = text_new(r->mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", r->model);
    json_array(&j, "base_parameters");
    for (uint32_t k = 0; k < b->n; k++) {
        const BaseParameter *p = &b->base[k];
        json_line(&j, 2);
        json_object(&j, NULL);
        json_text(&j, "text", combination(r, p));
        json_text(&j, "lead", product_text(r, &b->product[p->lead]));
        json_array(&j, "grouped");
        for (uint32_t i = 0; i < p->n; i++)
            json_share(r, &j, &p->share[i]);
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_names(&j, "matter", &asked);
    json_names(&j, "known", &known);
    json_bool(&j, "known_by_numbers", b->is_as_given);
    NameList only = only_at_events(r), also = also_at_events(r);
    json_names(&j, "at_events_only", &only);
    json_names(&j, "at_events_too", &also);
    json_names(&j, "do_not_matter", &not );
    json_count(&j, "loops_cut", r->n_loops);
    json_count(&j, "restricting_equations", b->n_restricting);
    json_close(&j);
    puts(t.at);
}

static Exit report(Report *r, Compilation *c)
{
    const Options *o = r->o;
    r->s = c->sys;
    r->n_loops = c->dae.loops.n_loops;
    r->r = regressor_make(&c->dae, r->mem, c->scratch);
    bool *known = arena_array(r->mem, bool, r->r.n_parameters + 1);
    uint32_t n_known = 0;
    for (uint32_t k = 0; k < r->r.n_parameters && o->known; k++)
        n_known += known[k] = result_means(o->known, name_at(r, k));
    if (o->known && n_known == 0) {
        diag_error(c->diags, SPAN_NONE, "G04",
                   "--known: no parameter in the equations of motion is called like '%s'",
                   o->known);
        return EXIT_MODEL;
    }
    BaseQuestion q = {.as_given = o->numbers, .is_known = known};
    r->b = base_parameters_find(&r->r, &q, r->mem);
    if (r->b.has_no_point) {
        diag_error(
            c->diags, SPAN_NONE, "E08",
            "the equations of motion cannot be evaluated at random points: a divisor in them "
            "is zero wherever they were tried");
        return EXIT_MODEL;
    }
    if (r->b.too_many) {
        diag_error(c->diags, SPAN_NONE, "E07",
                   "%u products of parameters enter the equations; dependencies are found among at "
                   "most %d: declare more parameters as known (--known)",
                   r->b.too_many, BASE_PRODUCTS_MOST);
        return EXIT_MODEL;
    }
    return EXIT_GOOD;
}

/* A number that --set gives instead of the binding: p = v, exactly as it is written. */
static void set(Compilation *c, const char *text)
{
    System *s = c->sys;
    const char *eq = strrchr(text, '=');
    char *end = NULL;
    VarId v = VAR_NONE;
    if (eq)
        v = system_find_var(s, name_printf(s->names, "%.*s", (int)(eq - text), text));
    if (!var_exists(v) || s->var.at[v.i].kind != VAR_PARAMETER ||
        s->var.at[v.i].type != TYPE_REAL || s->var.at[v.i].is_final) {
        diag_error(c->diags, SPAN_NONE, "G04",
                   "--set '%s': no parameter of type Real that can be set is called so", text);
        return;
    }
    double value = strtod(eq + 1, &end);
    if (end == eq + 1 || *end || !isfinite(value) || strpbrk(eq + 1, "xXpP"))
        diag_error(c->diags, SPAN_NONE, "G04", "--set '%s': a number is wanted", text);
    else if (eq[1] == '-')
        s->var.at[v.i].binding = expr_neg(s->pool, expr_literal(s->pool, eq + 2));
    else
        s->var.at[v.i].binding = expr_literal(s->pool, eq + 1 + (eq[1] == '+'));
}

static bool translate(Compilation *c, const Texts *set_texts)
{
    Texts all;
    if (!driver_run(c, driver_find("flatten")))
        return false;
    const char *wrong = setting_values_read_flat(c->sys, set_texts, &all, c->mem);
    if (wrong)
        diag_error(c->diags, SPAN_NONE, "N32", "%s", wrong);
    for (uint32_t k = 0; !wrong && k < all.n; k++)
        set(c, all.at[k]);
    return diags_errors(c->diags) == 0 && driver_run(c, driver_find("blocks"));
}

Exit command_parameters(const Options *o)
{
    Arena *mem = arena_new();
    Report r = {.o = o, .mem = mem};
    Exit status = EXIT_USAGE;
    Request q = request_of(o);
    Compilation *c = compilation_open(&q, mem);
    if (c) {
        r.model = c->request.model;
        if (translate(c, &o->set))
            report(&r, c);
        status = compilation_report(c, stderr);
    }
    if (c && status == EXIT_GOOD) {
        if (options_want_json(o))
            print_json(&r);
        else
            print(&r);
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}
