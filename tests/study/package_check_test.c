#include "study/package_check.h"
#include "tests/study/fixture.h"

static const char *const package = "package P\n"
                                   "  model Good Real x = 1; end Good;\n"
                                   "  model Bad Real x; equation y = 1; end Bad;\n"
                                   "  function F input Real u; output Real y = 2*u; end F;\n"
                                   "  partial model Open input Real u; Real x; end Open;\n"
                                   "end P;";

/* Each class has its own messages; those of one do not stay for the next. */
Test(package_check, classes_one_by_one)
{
    Fixture f = fixture_of(package);
    Compilation *c = compilation_new(&f.run.translation, f.mem);
    cr_assert_eq(diags_errors(c->diags), 0u);
    class_check(c, "P.Bad");
    cr_assert_gt(diags_errors(c->diags), 0u);
    static const char *const good[] = {"P.Good", "P.F", "P.Open"};
    for (int k = 0; k < 3; k++) {
        class_check(c, good[k]);
        cr_assert_eq(diags_errors(c->diags), 0u, "%s", good[k]);
    }
    compilation_free(c);
    fixture_end(&f);
}
