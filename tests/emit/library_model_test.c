/* A C library under construction (emit/library/library_model.h): identifiers, the check of
 * branches, its header and its code as C. */
#include "emit/library/library_model.h"
#include "tests/emit/section_unit.h"

#include <ctype.h>

static const char plant[] =
    "model M\n"
    "  record R Real b; end R; parameter Real k = 2; final parameter Real f = 3;\n"
    "  input Real 'u.1', 'u_1'; R a(b(start = 1)); Real a_b(start = 2);\n"
    "  output Real y, 'int';\n"
    "equation\n"
    "  der(a.b) = 'u.1' - k*a.b; der(a_b) = f*'u_1'; y = a.b; 'int' = a_b^2;\n"
    "end M;\n";

static void check_names(const Unit *u, const EmitMembers *it, uint32_t n, LeafKind kind)
{
    cr_assert_eq(it->n, n, "%s", it->sort);
    for (uint32_t k = 0; k < n; k++) {
        const char *name = it->name[k];
        cr_assert(isalpha((unsigned char)*name) || *name == '_', "%s", name);
        for (const char *c = name; *c; c++)
            cr_assert(isalnum((unsigned char)*c) || *c == '_', "%s", name);
        for (uint32_t i = 0; i < k; i++)
            cr_assert_str_neq(it->name[i], name);
        if (kind == LEAF_NONE)
            continue;
        cr_assert_eq(u->m.leaf[it->var[k].i], kind);
        cr_assert_eq(it->place[k], u->m.leaf_index[it->var[k].i], "%s", name);
    }
}

Test(library_model, names_are_identifiers_unlike_each_other)
{
    Unit u = unit_of(plant, &(Request){.model = "M"});
    unit_code(&u);
    LibraryModel l = {.id = "M", .how = {.kind = LIBRARY_SINGLE}, .m = u.m};
    library_members(&l);
    check_names(&u, &l.state, 2, LEAF_STATE);
    check_names(&u, &l.input, 2, LEAF_INPUT);
    check_names(&u, &l.output, 2, LEAF_NONE);
    check_names(&u, &l.parameter, 1, LEAF_PARAMETER);
    unit_done(&u);
}

/* A nonlinear block may end at a fold; a linear one, and one that has kinks where it is cut into
 * pieces, has none to look for. */
Test(library_model, smooth_nonlinear_blocks_are_watched)
{
    static const struct {
        const char *equation;
        bool is_watched;
    } row[] = {{"y^3 + y = x", true},
               {"y + z = x; y - k*z = sin(x)", false},
               {"y + abs(y)*k = x + z; z = y^2*abs(y)", false},
               {"y = x^3", false}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "model M parameter Real k = 2; Real x; output Real y; Real z; equation\n"
                 "der(x) = 1; %s; %s end M;",
                 row[k].equation, strstr(row[k].equation, "z") ? "" : "z = 1;");
        Unit u = unit_of(text, &(Request){.model = "M"});
        unit_code(&u);
        cr_assert_eq(library_watches_branches(&u.m), row[k].is_watched, "%s", row[k].equation);
        unit_done(&u);
    }
}
