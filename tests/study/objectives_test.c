#include "eliminate/prepare/objective.h"
#include "study/optimize/objectives.h"

#include <criterion/criterion.h>

Test(objectives, kinds_and_variables)
{
    Arena *mem = arena_new();
    Objectives all = objectives_read("y,max(a[1,2]),integral(y^2),min(der(x))", mem);
    static const ObjectiveKind kind[] = {OBJECTIVE_AT_STOP, OBJECTIVE_MAXIMUM, OBJECTIVE_INTEGRAL,
                                         OBJECTIVE_MINIMUM};
    static const char *const variable[] = {"y", "a[1,2]", "integral(y^2)", "der(x)"};
    cr_assert_eq(all.each.n, 4u);
    for (uint32_t k = 0; k < 4; k++) {
        cr_assert_eq(all.each.at[k].kind, kind[k], "%u", k);
        cr_assert_str_eq(all.each.at[k].variable, variable[k]);
        cr_assert_eq(objective_is_extremum(&all.each.at[k]), k == 1 || k == 3);
    }
    cr_assert_str_eq(objectives_variables(&all), "y,value(y),a[1,2],integral(y^2),x");
    arena_free(mem);
}
