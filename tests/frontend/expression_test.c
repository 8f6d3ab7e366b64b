/* Expressions against other expressions that must be the same: equal means equal ids in the pool,
 * so each rule of the language is computed in two ways. */
#include "frontend/front.h"
#include "frontend/instantiate/instance.h"
#include "frontend/syntax/parser.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the expressions of the tests speak of. */
static const char context[] =
    "package P\n"
    "  type E = enumeration(a, b, c);\n"
    "  record R\n"
    "    Real T[2, 2];\n"
    "    Real w = 7;\n"
    "    Integer n[:] = {1, 2};\n"
    "  end R;\n"
    "  record Point\n"
    "    Real x, y;\n"
    "  end Point;\n"
    "  function norm\n"
    "    input Real v[:];\n"
    "    output Real n;\n"
    "  protected\n"
    "    Real s = 0;\n"
    "  algorithm\n"
    "    for i in 1:size(v, 1) loop\n"
    "      s := s + v[i]^2;\n"
    "    end for;\n"
    "    n := sqrt(s);\n"
    "  end norm;\n"
    "  function reversed\n"
    "    input Real v[:];\n"
    "    output Real r[size(v, 1)];\n"
    "  algorithm\n"
    "    for i loop\n"
    "      r[i] := v[end - i + 1];\n"
    "    end for;\n"
    "  end reversed;\n"
    "  function factorial\n"
    "    input Integer n;\n"
    "    output Integer r;\n"
    "  algorithm\n"
    "    r := if n <= 1 then 1 else n*factorial(n - 1);\n"
    "  end factorial;\n"
    "  function endless\n"
    "    input Integer n;\n"
    "    output Integer r;\n"
    "  algorithm\n"
    "    r := endless(n + 1);\n"
    "  end endless;\n"
    "  function root \"by Newton's method\"\n"
    "    input Real a;\n"
    "    output Real x = a;\n"
    "  protected\n"
    "    Real e = 1;\n"
    "  algorithm\n"
    "    while abs(e) > 1e-12 loop\n"
    "      e := (x*x - a)/(2*x);\n"
    "      x := x - e;\n"
    "    end while;\n"
    "  end root;\n"
    "  function heron \"exact numbers would double their length sixty times\"\n"
    "    input Real a;\n"
    "    output Real x = a;\n"
    "  algorithm\n"
    "    for i in 1:60 loop\n"
    "      x := (x + a/x)/2;\n"
    "    end for;\n"
    "  end heron;\n"
    "  function forever\n"
    "    input Real a;\n"
    "    output Real x = a;\n"
    "  algorithm\n"
    "    while true loop\n"
    "      x := 1 - x;\n"
    "    end while;\n"
    "  end forever;\n"
    "  function two\n"
    "    input Real x;\n"
    "    input Integer n = 2;\n"
    "    output Real a = 2*x;\n"
    "    output Real b[n];\n"
    "  algorithm\n"
    "    assert(x <> 1, \"x must not be 1\");\n"
    "    b := {k*x for k in 1:n};\n"
    "  end two;\n"
    "  function uses_two\n"
    "    input Real x;\n"
    "    output Real y;\n"
    "  protected\n"
    "    Real a;\n"
    "    Real b[3];\n"
    "  algorithm\n"
    "    (a, b) := two(x, n = 3);\n"
    "    y := a + sum(b);\n"
    "  end uses_two;\n"
    "  function swap\n"
    "    input Point p;\n"
    "    output Point q;\n"
    "  algorithm\n"
    "    q.x := p.y;\n"
    "    q.y := p.x;\n"
    "  end swap;\n"
    "  function slices\n"
    "    input Real v[3];\n"
    "    output Real A[3, 3] = zeros(3, 3);\n"
    "  algorithm\n"
    "    A[1, :] := v;\n"
    "    A[2:3, 2] := v[1:2];\n"
    "    A[3, {1, 3}] := {v[3], A[1, 1]};\n"
    "  end slices;\n"
    "  function grows\n"
    "    input Real v[:];\n"
    "    output Real w[:];\n"
    "  algorithm\n"
    "    w := v;\n"
    "    w := cat(1, w, {1});\n"
    "  end grows;\n"
    "  function early\n"
    "    input Real x;\n"
    "    output Real y = 1;\n"
    "  algorithm\n"
    "    if x > 1 then\n"
    "      y := 2;\n"
    "      return;\n"
    "    end if;\n"
    "    if x > 0 then\n"
    "      y := 3;\n"
    "      return;\n"
    "    elseif x > -1 then\n"
    "      y := 5;\n"
    "    end if;\n"
    "    y := y + 10;\n"
    "  end early;\n"
    "  function first_positive\n"
    "    input Real v[:];\n"
    "    output Integer k = 0;\n"
    "  algorithm\n"
    "    for i in 1:size(v, 1) loop\n"
    "      if v[i] > 0 then\n"
    "        k := i;\n"
    "        break;\n"
    "      end if;\n"
    "    end for;\n"
    "  end first_positive;\n"
    "  function late_declared\n"
    "    input Real x;\n"
    "    output Real y = b + x;\n"
    "  protected\n"
    "    Real b = c[n];\n"
    "    Real c[n] = {k*x for k in 1:n};\n"
    "    Integer n = 3;\n"
    "  algorithm\n"
    "  end late_declared;\n"
    "  function circular\n"
    "    input Real x;\n"
    "    output Real y = b;\n"
    "  protected\n"
    "    Real b = c;\n"
    "    Real c = b;\n"
    "  algorithm\n"
    "  end circular;\n"
    "  function chosen\n"
    "    input Real v[:];\n"
    "    input Integer i;\n"
    "    output Real y = v[i];\n"
    "  algorithm\n"
    "  end chosen;\n"
    "  function unit_vector\n"
    "    input Integer i;\n"
    "    output Real e[3] = zeros(3);\n"
    "  algorithm\n"
    "    e[i] := 1;\n"
    "  end unit_vector;\n"
    "  function power\n"
    "    input Real x;\n"
    "    input Integer n = 2;\n"
    "    output Real y = x^n;\n"
    "  algorithm\n"
    "  end power;\n"
    "  function cube = power(n = 3);\n"
    "  function sine\n"
    "    input Real u;\n"
    "    output Real y;\n"
    "    external \"builtin\" y = sin(u);\n"
    "  end sine;\n"
    "  function outside\n"
    "    input Real u;\n"
    "    output Real y;\n"
    "    external \"Java\" y = outside(u);\n"
    "  end outside;\n"
    "  function kept\n"
    "    input Real u;\n"
    "    output Real y = u*u;\n"
    "  algorithm\n"
    "    annotation(derivative = kept_der);\n"
    "  end kept;\n"
    "  function kept_der\n"
    "    input Real u;\n"
    "    input Real du;\n"
    "    output Real y = 2*u*du;\n"
    "  algorithm\n"
    "  end kept_der;\n"
    "  model M\n"
    "    parameter Integer n = 3;\n"
    "    parameter Real p = 4;\n"
    "    Real x(start = 1), y, z, u[3], v[3], A[2, 2], B[2, 3], C[3, 3];\n"
    "    Integer k;\n"
    "    Boolean on;\n"
    "    Point q;\n"
    "  equation\n"
    "    der(x) = y;\n"
    "  end M;\n"
    "end P;\n";

typedef struct World {
    Arena *mem;
    Diags *diags;
    Front *f;
    Scope *scope;
} World;

static World world_new(void)
{
    World w = {.mem = arena_new()};
    Names *names = names_new(w.mem);
    w.diags = diags_new(w.mem);
    System *sys = system_new(w.mem, names, w.diags, true);
    Library *l = library_new(w.mem, names, w.diags);
    cr_assert(library_add_text(l, "P.mo", context));
    w.f = front_new(sys, l);
    bool good = flatten(w.f, "P.M");
    if (!good)
        diags_print(w.diags, stderr, false);
    cr_assert(good);
    w.scope = instance_scope(w.f, w.f->lookup->root, w.f->lookup->root->cls);
    return w;
}

static void world_free(World *w)
{
    front_free(w->f);
    system_free(w->f->sys);
    arena_free(w->mem);
}

static bool value_of(World *w, const char *text, Value *out)
{
    SynExpr *x = parse_expr(w->mem, w->f->names, w->diags, text);
    return x && eval(w->f, w->scope, x, out);
}

static bool same_value(const Value *a, const Value *b)
{
    if (a->kind != b->kind || !value_same_dims(a, b) || a->n_fields != b->n_fields)
        return false;
    for (uint32_t k = 0; k < a->n_fields; k++)
        if (!name_same(a->field_name[k], b->field_name[k]) ||
            !same_value(&a->field[k], &b->field[k]))
            return false;
    if (a->kind == VALUE_RECORD)
        return true;
    for (uint32_t k = 0; k < value_size(a); k++)
        if (!expr_same(a->elem[k], b->elem[k]))
            return false;
    return true;
}

static void expect_same(World *w, const char *one, const char *other)
{
    Value a;
    Value b;
    bool good = value_of(w, one, &a) && value_of(w, other, &b);
    if (!good)
        diags_print(w->diags, stderr, false);
    cr_assert(good, "%s, %s", one, other);
    cr_expect(same_value(&a, &b), "%s is not %s", one, other);
}

static void expect_all(const char *const (*pairs)[2], size_t n)
{
    World w = world_new();
    for (size_t k = 0; k < n; k++)
        expect_same(&w, pairs[k][0], pairs[k][1]);
    cr_expect_eq(diags_count(w.diags), 0);
    world_free(&w);
}

#define EXPECT_ALL(pairs) expect_all(pairs, sizeof(pairs) / sizeof *(pairs))

Test(expression, operators_of_arrays_10_6)
{
    static const char *const pairs[][2] = {
        {"u + v", "{u[1] + v[1], u[2] + v[2], u[3] + v[3]}"},
        {"u - v", "-(v - u)"},
        {"u .+ x", "u + fill(x, 3)"},
        {"x .- u", "-(u .- x)"},
        {"2*u", "u + u"},
        {"u*v", "sum(u .* v)"},
        {"B*u", "{B[1, :]*u, B[2, :]*u}"},
        {"{x, y}*B", "transpose(B)*{x, y}"},
        {"A*B", "{{A[i, :]*B[:, j] for j in 1:3} for i in 1:2}"},
        {"transpose(A*B)", "transpose(B)*transpose(A)"},
        {"A*(A*B)", "(A*A)*B"},
        {"A^3", "A*A*A"},
        {"A^0", "identity(2)"},
        {"A/x", "(1/x)*A"},
        {"u ./ v", "{u[i]/v[i] for i in 1:3}"},
        {"x ./ v", "{x/v[i] for i in 1:3}"},
        {"u .^ 2", "u .* u"},
        {"x^2", "x*x"},
        {"x^(-1)", "1/x"},
        {"-A", "0 .- A"},
        {"+A", "A"},
        {"identity(2)*B", "B"},
        {"zeros(2, 0)*zeros(0, 3)", "zeros(2, 3)"},
        {"zeros(0)*zeros(0)", "0"},
        {"x - y - z", "x - (y + z)"},
        {"x/y/z", "x/(y*z)"},
        {"cos(x)^2 + sin(x)^2", "1"},
        {"{on, true} and {true, on}", "{on, on}"},
        {"not (x < y)", "not y > x"},
        {"1/3 + 1/6", "0.5"},
        {"\"a\" + \"b\" + \"c\"", "\"abc\""},
    };
    EXPECT_ALL(pairs);
}

Test(expression, array_constructors_10_4)
{
    static const char *const pairs[][2] = {
        {"{{1, 2}, {3, 4}}", "[1, 2; 3, 4]"},
        {"[A, A; A, A]", "cat(1, cat(2, A, A), cat(2, A, A))"},
        {"[u, v]", "transpose({u, v})"},
        {"[u; v]", "matrix(cat(1, u, v))"},
        {"{i + 10*j for i in 1:2, j in 1:3}", "{{i + 10*j for i in 1:2} for j in 1:3}"},
        {"{u[i]^2 for i}", "u .^ 2"},
        {"array(i^2 for i in {1, 3, 5})", "{1, 9, 25}"},
        {"array(x, y)", "{x, y}"},
        {"1:4", "{1, 2, 3, 4}"},
        {"10:-3:0", "{10, 7, 4, 1}"},
        {"0:0.1:0.35", "{0, 0.1, 0.2, 0.3}"},
        {"size(3:2)", "{0}"},
        {"1:n", "{1, 2, 3}"},
        {"P.E.a:P.E.c", "{P.E.a, P.E.b, P.E.c}"},
        {"{Integer(e) for e in P.E}", "1:3"},
        {"{e for e in Boolean}", "{false, true}"},
        {"sum(i*j for i in 1:3, j in 1:4)", "sum(1:3)*sum(1:4)"},
        {"product(i for i in 1:5)", "P.factorial(5)"},
        {"max(abs(u[i]) for i in 1:1)", "abs(u[1])"},
        {"min({4, 2, 8})", "2"},
        {"max(i*(6 - i) for i in 1:5)", "9"},
        {"sum(zeros(0))", "0"},
        {"product(zeros(0))", "1"},
    };
    EXPECT_ALL(pairs);
}

Test(expression, subscripts_10_5)
{
    static const char *const pairs[][2] = {
        {"C[2, :]", "{C[2, 1], C[2, 2], C[2, 3]}"},
        {"C[:, 2]", "(transpose(C))[2, :]"},
        {"C[end, end]", "C[3, 3]"},
        {"C[end - 1, 1:end - 1]", "{C[2, 1], C[2, 2]}"},
        {"C[{3, 1}, {2}]", "{{C[3, 2]}, {C[1, 2]}}"},
        {"C[2:3, 1:2]", "[C[2, 1], C[2, 2]; C[3, 1], C[3, 2]]"},
        {"u[n]", "u[3]"},
        {"u[{Integer(P.E.b), 1}]", "{u[2], u[1]}"},
        {"u[k]", "if k == 1 then u[1] elseif k == 2 then u[2] else u[3]"},
        {"(u + v)[2]", "u[2] + v[2]"},
        {"(2*C)[1, :]", "2*C[1, :]"},
        {"size(u[1:0])", "{0}"},
    };
    EXPECT_ALL(pairs);
}

Test(expression, predefined_functions_10_3)
{
    static const char *const pairs[][2] = {
        {"ndims(B)", "2"},
        {"size(B)", "{2, 3}"},
        {"size(B, 2)", "3"},
        {"scalar([x])", "x"},
        {"vector([x; y])", "{x, y}"},
        {"matrix(u)", "[u]"},
        {"promote(u, 2)", "[u]"},
        {"identity(2)", "[1, 0; 0, 1]"},
        {"diagonal({x, y})", "[x, 0; 0, y]"},
        {"ones(2, 3)", "fill(1, 2, 3)"},
        {"fill(u, 2)", "{u, u}"},
        {"linspace(x, y, 3)", "{x, (x + y)/2, y}"},
        {"outerProduct(u, v)", "[u]*transpose([v])"},
        {"cross(u, v)", "skew(u)*v"},
        {"cross(u, v)", "-cross(v, u)"},
        {"u*cross(u, v)", "0"},
        {"cross(u, cross(v, u))", "(u*u)*v - (u*v)*u"},
        {"symmetric(A)", "[A[1, 1], A[1, 2]; A[1, 2], A[2, 2]]"},
        {"cat(2, A, B)", "[A, B]"},
        {"(cat(1, u, v))[4:6]", "v"},
    };
    World w = world_new();
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        expect_same(&w, pairs[k][0], pairs[k][1]);
    world_free(&w);
}

Test(expression, elementary_functions_3_7)
{
    static const char *const pairs[][2] = {
        {"sin(u)", "{sin(u[1]), sin(u[2]), sin(u[3])}"}, /* 12.4.6 */
        {"sqrt(4)", "2"},
        {"sin(0) + cos(0)", "1"},
        {"abs({-2, 3})", "{2, 3}"},
        {"sign(-0.5)", "-1"},
        {"integer(-2.5)", "-3"},
        {"floor(sqrt(2)*10)", "14"},
        {"ceil(2.1)", "3"},
        {"{div(-7, 3), rem(-7, 3), mod(-7, 3)}", "{-2, -1, 2}"},
        {"{div(7, -3), rem(7, -3), mod(7, -3)}", "{-2, 1, -2}"},
        {"noEvent(x)", "x"},
        {"smooth(1, if x > 0 then x else x)", "x"},
        {"homotopy(actual = x, simplified = x)", "x"},
        {"homotopy(actual = 2, simplified = y)", "2"},
        {"semiLinear(x, y, y)", "x*y"},
        {"String(3)", "\"3\""},
        {"String(3.14159, significantDigits = 3)", "\"3.14\""},
        {"String(true)", "\"true\""},
        {"String(P.E.b)", "\"b\""},
        {"String(7, minimumLength = 3, leftJustified = false)", "\"  7\""},
        {"String(2.5, format = \"5.2f\")", "\" 2.50\""},
        {"Integer(P.E.c)", "3"},
        {"P.E(2)", "P.E.b"},
        {"P.E.a < P.E.b", "true"},
    };
    EXPECT_ALL(pairs);
}

Test(expression, derivatives_3_7_4)
{
    static const char *const pairs[][2] = {
        {"der(p)", "0"},
        {"der(3.5)", "0"},
        {"der(time)", "1"},
        {"der({x, -x})", "{der(x), -der(x)}"},
        {"(der(u))[2]", "der(u[2])"},
    };
    World w = world_new();
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        expect_same(&w, pairs[k][0], pairs[k][1]);
    Value d;
    cr_assert(value_of(&w, "der(x)", &d));
    Value x;
    cr_assert(value_of(&w, "x", &x));
    VarId var = expr_var_of(w.f->sys->pool, x.elem[0]);
    cr_expect_eq(var_at(w.f->sys, var)->der.i, expr_var_of(w.f->sys->pool, d.elem[0]).i);
    world_free(&w);
}

Test(expression, if_chooses_3_6_5)
{
    static const char *const pairs[][2] = {
        {"if 1 < 2 then u else A", "u"},
        {"if n > 2 then u else {x}", "u"}, /* of different sizes: decided now */
        {"if x > 0 then u else v", "{if x > 0 then u[i] else v[i] for i in 1:3}"},
        {"if false then 1/0 elseif true then x else 1/0", "x"},
        {"if x > y then x elseif x > z then 2 else 2", "if x > y then x else 2"},
        {"false and 1/0 > 1", "false"},
        {"true or 1/0 > 1", "true"},
    };
    EXPECT_ALL(pairs);
}

Test(expression, functions_12)
{
    static const char *const pairs[][2] = {
        {"P.norm({3, 4})", "5"},
        {"P.norm(u)", "sqrt(u*u)"},
        {"P.norm(C)", "{P.norm(C[i, :]) for i in 1:3}"}, /* 12.4.6 */
        {"P.reversed(P.reversed(u))", "u"},
        {"P.factorial(10)", "3628800"},
        {"P.two(x)", "2*x"},
        {"P.uses_two(x)", "8*x"},
        {"P.swap(P.swap(q))", "q"},
        {"P.swap(P.Point(x, y = z))", "P.Point(z, x)"},
        {"P.slices(u)", "[u[1], u[2], u[3]; 0, u[1], 0; u[3], u[2], u[1]]"},
        {"P.grows(u)", "cat(1, u, {1})"},
        {"{P.early(t) for t in {2, 0.5, -0.5, -3}}", "{2, 3, 15, 11}"},
        {"P.first_positive({-1, 0, 2, 5})", "3"},
        {"P.late_declared(x)", "4*x"},
        {"P.chosen(u, k)", "u[k]"},
        {"P.unit_vector(2)", "{0, 1, 0}"},
        {"P.cube(x)", "x^3"},
        {"P.cube(x, n = 2)", "x^2"},
        {"P.sine(u)", "sin(u)"},
        {"P.R([1, 2; 3, 4])", "P.R(w = 7, n = {1, 2}, T = {{1, 2}, {3, 4}})"},
        {"P.kept(3)", "9"}, /* of constants: no call is kept */
        {"P.kept(p)", "p*p"},
    };
    World w = world_new();
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        expect_same(&w, pairs[k][0], pairs[k][1]);
    /* Newton's method converges */
    Value root;
    double value;
    cr_assert(value_of(&w, "P.root(2)", &root));
    cr_assert(expr_constant(w.f->sys->pool, root.elem[0], &value));
    cr_expect_float_eq(value, sqrt(2), 1e-12);
    cr_assert(value_of(&w, "P.heron(3)", &root));
    cr_assert(expr_constant(w.f->sys->pool, root.elem[0], &value));
    cr_expect_float_eq(value, sqrt(3), 1e-15);
    world_free(&w);
}

/* Each input of the select in turn, by substituting a number for x. */
Test(expression, branches_of_a_function_11_2)
{
    World w = world_new();
    ExprPool *p = w.f->sys->pool;
    Value x;
    Value y;
    cr_assert(value_of(&w, "x", &x));
    cr_assert(value_of(&w, "P.early(x)", &y));
    static const struct {
        double at, want;
    } points[] = {{2, 2}, {0.5, 3}, {-0.5, 15}, {-3, 11}};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        uint32_t var = expr_var_of(p, x.elem[0]).i;
        ExprId *value = arena_array(w.mem, ExprId, var + 1);
        for (uint32_t i = 0; i < var; i++)
            value[i] = EXPR_NONE;
        value[var] = expr_double(p, points[k].at);
        Substitution s = {.value = value, .n = var + 1, .mem = w.mem};
        double got;
        cr_assert(expr_constant(p, expr_substitute(p, &s, y.elem[0]), &got));
        cr_expect_eq(got, points[k].want);
    }
    world_free(&w);
}

Test(expression, kept_calls_expand_to_the_same)
{
    World w = world_new();
    System *sys = w.f->sys;
    Value call;
    Value plain;
    cr_assert(value_of(&w, "P.kept(y)", &call));
    cr_assert(value_of(&w, "y*y", &plain));
    cr_assert_eq(expr_op(sys->pool, call.elem[0]), OP_PROJ);
    ExprId node = expr_arg(sys->pool, call.elem[0], 0);
    cr_assert_eq(expr_op(sys->pool, node), OP_CALL);
    Function *fn = &sys->function->at[expr_func_of(sys->pool, node).i];
    cr_expect_eq(fn->inlining, INLINE_LATE);
    cr_assert_eq(fn->n_derivatives, 1);
    ExprId arg = expr_arg(sys->pool, node, 0);
    ExprId result;
    cr_assert(fn->expand(fn->self, sys, &arg, &result));
    cr_expect(expr_same(result, plain.elem[0]));

    /* the derivative: kept_der(y, der(y)) */
    Value want;
    Value dy;
    cr_assert(value_of(&w, "2*y*der(y)", &want));
    cr_assert(value_of(&w, "der(y)", &dy));
    fn = &sys->function->at[expr_func_of(sys->pool, node).i];
    cr_expect_not(fn->derivative[0].no_derivative[0]);
    Function *der = &sys->function->at[fn->derivative[0].func.i];
    cr_assert_eq(der->n_in, 2);
    cr_assert(der->expand(der->self, sys, (ExprId[]){arg, dy.elem[0]}, &result));
    cr_expect(expr_same(result, want.elem[0]));
    world_free(&w);
}

Test(expression, errors_name_types_and_sizes)
{
    static const struct {
        const char *text, *code, *says;
    } cases[] = {
        {"u + {1, 2}", "T02", "Real[3] + Integer[2]"},
        {"x + u", "T02", "Real + Real[3]"},
        {"B*B", "T02", "Real[2, 3] * Real[2, 3]"},
        {"u/v", "T02", "Real[3] / Real[3]"},
        {"B^2", "T02", "Real[2, 3] ^ Integer"},
        {"true + 1", "T01", "Boolean and Integer"},
        {"not x", "T01", "Real"},
        {"-true", "T01", "Boolean"},
        {"\"a\" - \"b\"", "T01", "String and String"},
        {"u < v", "T03", "Real[3]"},
        {"1 < true", "T01", "Integer and Boolean"},
        {"1/0", "T14", "zero"},
        {"x/(y - y)", "T14", "zero"},
        {"mod(3, 0)", "T14", "zero"},
        {"sqrt(-1)", "T19", "-1"},
        {"log(0)", "T19", "0"},
        {"{1, {2}}", "T10", "Integer and Integer[1]"},
        {"{1, true}", "T10", "Integer and Boolean"},
        {"[u, A]", "T10", "Real[3, 1] and Real[2, 2]"},
        {"u[4]", "T05", "4 is outside 1 .. 3"},
        {"u[0]", "T05", "0 is outside 1 .. 3"},
        {"u[1, 1]", "T04", "Real[3]"},
        {"u[1.5]", "T06", "Real"},
        {"u[\"a\"]", "T06", "String"},
        {"size(u, 2)", "T05", "dimension 2"},
        {"zeros(k)", "T11", "'k'"},
        {"1:k", "T11", "'k'"},
        {"if x > 0 then u else A", "T02", "Real[3] and Real[2, 2]"},
        {"if x > 0 then 1 else true", "T02", "Integer and Boolean"},
        {"if x then 1 else 2", "T03", "Real"},
        {"if u > v then 1 else 2", "T03", "Real[3]"},
        {"P.missing(x)", "N20", "P.missing"},
        {"x(1)", "N20", "'x'"},
        {"P.M(1)", "N21", "model"},
        {"P.norm(x)", "T08", "Real[:]"},
        {"P.norm(on)", "T08", "Boolean"},
        {"P.two(x, 1.5)", "T08", "'n'"},
        {"P.two()", "T07", "'x'"},
        {"P.two(1, 2, 3)", "T07", "too many"},
        {"P.two(x, m = 3)", "T07", "'m'"},
        {"P.two(x, x = 3)", "T07", "'x'"},
        {"P.two(1)", "F35", "x must not be 1"},
        {"P.slices({1, 2})", "T08", "Real[2]"},
        {"P.R(identity(3))", "T08", "Real[3, 3]"},
        {"P.endless(1)", "F31", "endless"},
        {"P.forever(1)", "F31", "does not end"},
        {"P.outside(x)", "F32", "external \"Java\""},
        {"P.circular(x)", "F36", "'b'"},
        {"P.chosen(u, 5)", "T05", "5 is outside"},
        {"sin(1, 2)", "T07", "1 argument"},
        {"sin(u = 1)", "T07", "named"},
        {"sin(true)", "T08", "Boolean"},
        {"transpose(u)", "T08", "Real[3]"},
        {"cross(u, {1, 2})", "T08", "3 elements"},
        {"linspace(0, 1, 1)", "T08", "2 points"},
        {"cat(2, u, v)", "T08", "dimension"},
        {"pre(2*x)", "T20", "discrete"},
        {"delay(x, x)", "T20", "longest delay"},
        {"end", "T06", "subscript"},
        {"P.E(4)", "T05", "3 literals"},
        {"1:0:5", "T13", "step"},
        {"1:1e9", "T13", "too many"},
        {"q + q", "T01", "P.Point"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        World w = world_new();
        Value v;
        bool good = value_of(&w, cases[k].text, &v);
        cr_expect_not(system_supported(w.f->sys) && good, "%s", cases[k].text);
        bool found = false;
        for (uint32_t i = 0; i < diags_count(w.diags); i++) {
            const Diag *d = diags_at(w.diags, i);
            found |= strcmp(d->code, cases[k].code) == 0 && strstr(d->text, cases[k].says);
        }
        if (!found)
            diags_print(w.diags, stderr, false);
        cr_expect(found, "%s: no %s with \"%s\"", cases[k].text, cases[k].code, cases[k].says);
        world_free(&w);
    }
}

/* A sum of very many terms takes neither stack nor time. */
Test(expression, long_chains)
{
    World w = world_new();
    enum { TERMS = 100000 };
    char *text = arena_alloc(w.mem, TERMS * 10);
    char *at = text;
    for (int k = 1; k <= TERMS; k++)
        at += sprintf(at, "%s%d", k == 1 ? "" : "+", k);
    Value v;
    long sum;
    cr_assert(value_of(&w, text, &v));
    cr_assert(expr_is_int(w.f->sys->pool, v.elem[0], &sum));
    cr_expect_eq(sum, (long)TERMS * (TERMS + 1) / 2);
    world_free(&w);
}

/* Products of random Integer matrices, against plain C. */
Test(expression, matrix_products_at_random)
{
    World w = world_new();
    for (unsigned seed = 0; seed < 100; seed++) {
        srand(seed);
        int r = 1 + rand() % 4;
        int m = 1 + rand() % 4;
        int c = 1 + rand() % 4;
        long a[4][4];
        long b[4][4];
        char text[2000];
        char *at = text;
        for (int i = 0; i < r; i++)
            for (int j = 0; j < m; j++)
                at += sprintf(at, "%s%ld", j ? ", " : i ? "; " : "[", a[i][j] = rand() % 19 - 9);
        at += sprintf(at, "]*");
        for (int i = 0; i < m; i++)
            for (int j = 0; j < c; j++)
                at += sprintf(at, "%s%ld", j ? ", " : i ? "; " : "[", b[i][j] = rand() % 19 - 9);
        sprintf(at, "]");
        Value v;
        cr_assert(value_of(&w, text, &v), "seed %u", seed);
        cr_assert_eq(v.n_dims, 2);
        for (int i = 0; i < r; i++)
            for (int j = 0; j < c; j++) {
                long sum = 0;
                for (int k = 0; k < m; k++)
                    sum += a[i][k] * b[k][j];
                cr_expect(expr_is(w.f->sys->pool, v.elem[i * c + j], sum), "seed %u: %s", seed,
                          text);
            }
    }
    world_free(&w);
}
