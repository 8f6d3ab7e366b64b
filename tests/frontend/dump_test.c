/* Dumps of passes are models: what they say beyond flat Modelica is in the System again. */
#include "frontend/front.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Read {
    Arena *mem;
    Diags *diags;
    System *sys;
    Front *front;
    bool good;
} Read;

static Read read_model(const char *text, const char *model)
{
    Read r = {.mem = arena_new()};
    char path[] = "/tmp/rung-dump-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    fputs(text, f);
    fclose(f);
    Names *names = names_new(r.mem);
    r.diags = diags_new(r.mem);
    r.sys = system_new(r.mem, names, r.diags, true);
    Library *library = library_new(r.mem, names, r.diags);
    library_add_file(library, path);
    r.front = front_new(r.sys, library);
    r.good = flatten(r.front, model);
    unlink(path);
    return r;
}

static void read_free(Read *r)
{
    front_free(r->front);
    system_free(r->sys);
    arena_free(r->mem);
}

static char *dump_of(const Read *r)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    SystemFacts facts = {.with_cuts = true};
    system_dump(r->sys, &facts, f);
    fclose(f);
    return text;
}

/* Each line says something that flat Modelica cannot. */
static const char whole[] =
    "//! base 0.1.0\n"
    "package 'M'\n"
    "  model 'M'\n"
    "    final parameter Integer 'n' = 3;\n"
    "    Real 'a.\\'odd name\\'.f' annotation(__rung('flow' = true));\n"
    "    Real 'a.x[1]'(start = 1, fixed = true);\n"
    "    Real 'a.x[2]'(start = 'n', fixed = true);\n"
    "    Real 'b.x[1]' annotation(__rung('protected' = true));\n"
    "    Real 'b.x[2]' annotation(__rung('protected' = true, 'hidden' = true));\n"
    "    Boolean 'on';\n"
    "  initial equation\n"
    "    pre('on') = false;\n"
    "  equation\n"
    "    der('a.x[1]') = 'b.x[1]' annotation(__rung(element = {1, 1}));\n"
    "    der('a.x[2]') = 'b.x[2]' annotation(__rung(element = {1, 2}));\n"
    "    'b.x[1]' = 'n' * 'a.x[1]' annotation(__rung(element = {2, 1}));\n"
    "    'b.x[2]' = 'n' * 'a.x[2]' annotation(__rung(element = {2, 2}));\n"
    "    'on' = if 'a.x[1]' < 0 then true else pre('on');\n"
    "    'a.\\'odd name\\'.f' - 1 = 0;\n"
    "    when 'on' and not pre('on') then\n"
    "      reinit('a.x[1]', 1);\n"
    "    end when annotation(__rung(is_edge = true));\n"
    "    annotation(experiment(StopTime = 2), __rung(\n"
    "      cut(a = \"a\", b = \"b\", inside = \"in\", closed(by = 3), closed(by = 4),\n"
    "        common(x = 'n' + 1),\n"
    "        side(x = 'n'),\n"
    "        through(sum = 6, a = 'a.\\'odd name\\'.f', b = -1, of = 'a.\\'odd name\\'.f'))));\n"
    "  end 'M';\n"
    "end 'M';\n";

Test(dump, is_read_back_as_itself)
{
    Read r = read_model(whole, "'M'");
    cr_assert(r.good);
    system_check(r.sys);
    char *text = dump_of(&r);
    cr_assert_str_eq(text, whole);
    free(text);
    read_free(&r);
}

Test(dump, facts_are_in_the_system)
{
    Read r = read_model(whole, "'M'");
    const System *s = r.sys;
    cr_assert(r.good);
    cr_assert_str_eq(s->class_name.s, "M");
    cr_assert_str_eq(s->var.at[1].name.s, "a.'odd name'.f");
    cr_assert(s->var.at[1].is_flow);
    cr_assert_neq(s->var.at[2].group, GROUP_NONE);
    cr_assert_eq(s->var.at[2].group, s->var.at[3].group);
    cr_assert_eq(s->var.at[3].index, 1);
    cr_assert_neq(s->var.at[4].group, s->var.at[3].group);
    cr_assert(s->var.at[5].is_protected && s->var.at[5].is_hidden && !s->var.at[4].is_hidden);
    cr_assert_eq(s->eq.at[0].group, s->eq.at[1].group);
    cr_assert_neq(s->eq.at[1].group, s->eq.at[2].group);
    cr_assert_eq(s->eq.at[1].index, 1);
    cr_assert_eq(s->cut.n, 1);
    cr_assert_str_eq(s->cut.at[0].inside.s, "in");
    cr_assert_eq(s->cut.at[0].eq.n, 2);
    cr_assert_eq(s->cut.at[0].eq.at[1].i, 3);
    cr_assert_eq(s->cut.at[0].n_common, 1);
    cr_assert_eq(s->cut.at[0].n_record, 1);
    cr_assert_eq(s->cut.at[0].flow.n, 1);
    cr_assert_eq(s->cut.at[0].flow.at[0].eq.i, 5);
    cr_assert_eq(s->cut.at[0].flow.at[0].of.i, 1);
    read_free(&r);
}

/* What index reduction adds is left out. */
Test(dump, derivatives_are_found_again)
{
    Read r = read_model("package 'M'\n  model 'M'\n    Real 'x';\n  equation\n"
                        "    'x' = time;\n"
                        "    der('x') = 1 annotation(__rung(derivative = 1));\n"
                        "  end 'M';\nend 'M';\n",
                        "'M'");
    cr_assert(r.good);
    cr_assert_eq(r.sys->eq.n, 1);
    read_free(&r);
}

Test(dump, facts_that_are_wrong_are_errors)
{
    static const char *const cut[] = {"cut(closed(by = 2))", "cut(a = \"a\")",
                                      "cut(closed(by = 1), common(y = 1))",
                                      "cut(closed(by = 1), through(sum = 1))"};
    for (uint32_t k = 0; k < 4; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "package 'M'\n  model 'M'\n    Real 'x';\n  equation\n    'x' = time;\n"
                 "    annotation(__rung(%s));\n  end 'M';\nend 'M';\n",
                 cut[k]);
        Read r = read_model(text, "'M'");
        cr_assert_not(r.good, "%s", cut[k]);
        cr_assert_str_eq(diags_at(r.diags, 0)->code, "F08");
        read_free(&r);
    }
    Read r = read_model("package 'M'\n  model 'M'\n    Real 'x';\n  equation\n"
                        "    'x' = time annotation(__rung(element = 3));\n"
                        "  end 'M';\nend 'M';\n",
                        "'M'");
    cr_assert_not(r.good);
    read_free(&r);
}

/* A model that is no dump keeps the quotes of its names, and a package of it is no model. */
Test(dump, other_models_are_as_they_were)
{
    Read r = read_model("model M\n  Real 'odd name';\nequation\n  'odd name' = 1;\nend M;\n", "M");
    cr_assert(r.good);
    cr_assert_str_eq(r.sys->var.at[0].name.s, "'odd name'");
    read_free(&r);
    r = read_model("package M\n  model M\n    Real x = 1;\n  end M;\nend M;\n", "M");
    cr_assert_not(r.good);
    read_free(&r);
}
