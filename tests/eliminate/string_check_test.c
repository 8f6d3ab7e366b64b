/* Which equations give a String its value, by equations made by hand. */
#include "eliminate/prepare/string_check.h"
#include "ir/body.h"
#include "tests/eliminate/fixture.h"

static ExprId string(Fixture *f, const char *name)
{
    VarId v = variable(f, VAR_DISCRETE, name);
    var_at(f->s, v)->type = TYPE_STRING;
    return system_var_expr(f->s, v);
}

static ExprId text(Fixture *f, const char *of)
{
    return expr_string(f->p, name_of(f->s->names, of));
}

static Blt sorted(Fixture *f, Arena *mem)
{
    bool *unknown = arena_array(mem, bool, f->s->var.n);
    for (uint32_t k = 0; k < f->s->var.n; k++)
        unknown[k] = var_is_unknown(&f->s->var.at[k]);
    Blt b = blt_find(f->s, unknown, arena_array(mem, bool, f->s->var.n), NULL, mem);
    cr_assert(blt_is_complete(&b));
    return b;
}

/* s = "a" + t, t = if c then "b" else before, if d then u else "x" = v: values as they stand. */
Test(string_check, assignments)
{
    Fixture f = fixture();
    ExprId s = string(&f, "s"), t = string(&f, "t"), u = string(&f, "u"), v = string(&f, "v");
    ExprId c = parameter(&f, "c"), d = parameter(&f, "d");
    equation(&f, s, expr_join(f.s, text(&f, "a"), t));
    equation(&f, t, expr_select(f.p, c, text(&f, "b"), parameter(&f, "before")));
    equation(&f, expr_select(f.p, d, u, text(&f, "x")), v);
    equation(&f, v, expr_join(f.s, s, s));
    Blt b = sorted(&f, f.mem);
    Arena *scratch = arena_new();
    cr_assert(strings_are_assigned(&b, scratch));
    cr_assert(strings_are_discrete(f.s, scratch));
    bool *none = arena_array(scratch, bool, f.s->var.n);
    cr_assert(!string_is_assigned(f.s, &f.s->eq.at[0], expr_var_of(f.p, t), none, scratch));
    cr_assert(string_is_assigned(f.s, &f.s->eq.at[2], expr_var_of(f.p, u), none, scratch));
    cr_assert(!string_is_assigned(f.s, &f.s->eq.at[3], expr_var_of(f.p, s), none, scratch));
    for (uint32_t k = 0; k < f.s->var.n; k++)
        cr_assert(!none[k]);
    arena_free(scratch);
    fixture_done(&f);
}

static void refused(void (*write)(Fixture *f), uint32_t errors)
{
    Fixture f = fixture();
    write(&f);
    Blt b = sorted(&f, f.mem);
    Arena *scratch = arena_new();
    cr_assert(!strings_are_assigned(&b, scratch));
    cr_assert_eq(diags_errors(f.s->diags), errors);
    arena_free(scratch);
    fixture_done(&f);
}

static void inside(Fixture *f)
{
    equation(f, expr_join(f->s, string(f, "s"), text(f, "x")), text(f, "ax"));
}

static void itself(Fixture *f)
{
    ExprId s = string(f, "s");
    equation(f, s, expr_join(f->s, s, text(f, "x")));
}

static void condition(Fixture *f)
{
    ExprId s = string(f, "s");
    ExprId is =
        expr_compare(f->p, OP_EQ, expr_compare_texts(f->s, s, text(f, "a")), expr_int(f->p, 0));
    equation(f, s, expr_select(f->p, is, text(f, "b"), text(f, "c")));
}

static void loop(Fixture *f)
{
    ExprId s = string(f, "s"), t = string(f, "t");
    equation(f, s, expr_select(f->p, parameter(f, "c"), t, text(f, "x")));
    equation(f, t, expr_select(f->p, parameter(f, "d"), s, text(f, "y")));
}

Test(string_check, equations_to_solve)
{
    refused(inside, 1);
    refused(itself, 1);
    refused(condition, 1);
    refused(loop, 2);
}

/* Values that change with time: not under a relation that makes events, an edge or pre(). */
Test(string_check, changes_between_events)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x"), s = string(&f, "s");
    ExprId positive = expr_compare(f.p, OP_LT, expr_int(f.p, 0), x);
    ExprId edge = expr_and(f.p, positive, expr_not(f.p, expr_wrap(f.p, OP_PRE, positive)));
    ExprId of_x = expr_text_of_number(f.s, x, "%g"), before = expr_wrap(f.p, OP_PRE, s);
    const struct {
        ExprId value;
        bool is_discrete;
    } at[] = {
        {of_x, false},
        {expr_join(f.s, text(&f, "x = "), of_x), false},
        {expr_text_of_number(f.s, expr_time(f.p), "%g"), false},
        {expr_text_of_number(f.s, expr_fn(f.p, FN_FLOOR, x), "%g"), true},
        {expr_select(f.p, positive, text(&f, "a"), text(&f, "b")), true},
        {expr_select(f.p, positive, of_x, text(&f, "b")), false},
        {expr_select(f.p, expr_wrap(f.p, OP_NOEVENT, positive), text(&f, "a"), text(&f, "b")),
         false},
        {expr_select(f.p, edge, of_x, before), true},
        {expr_select(f.p, edge, before, of_x), false},
        {expr_select(f.p, expr_initial(f.p), of_x, before), true},
        {expr_text_of_number(f.s, expr_wrap(f.p, OP_PRE, x), "%g"), true},
    };
    Arena *scratch = arena_new();
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        f.s->eq.n = 0;
        equation(&f, k % 2 ? s : at[k].value, k % 2 ? at[k].value : s);
        cr_assert_eq(strings_are_discrete(f.s, scratch), at[k].is_discrete, "%zu", k);
    }
    arena_free(scratch);
    fixture_done(&f);
}
