/* Hints name what is near, and nothing that is not. */
#include "base/spelling.h"

#include <criterion/criterion.h>

static const char *nearest(const char *name)
{
    static const char *const names[] = {"stop", "step", "tolerance", "model", "x", "n"};
    Spelling s = spelling_of(name);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        spelling_try(&s, names[k]);
    return s.nearest;
}

Test(spelling, of_two_edits)
{
    cr_assert_str_eq(nearest("tolerence"), "tolerance");
    cr_assert_str_eq(nearest("tolrance"), "tolerance");
    cr_assert_str_eq(nearest("Model"), "model");
    cr_assert_null(nearest("interval"));
}

/* Of four letters two may differ, of three one, of a single one its case alone. */
Test(spelling, of_short_names)
{
    cr_assert_str_eq(nearest("stap"), "stop");
    cr_assert_str_eq(nearest("X"), "x");
    cr_assert_null(nearest("y"));
    cr_assert_null(nearest("abc"));
}

Test(spelling, long_names_are_not_compared)
{
    char name[100];
    for (int k = 0; k < 99; k++)
        name[k] = 'a';
    name[99] = 0;
    cr_assert_null(nearest(name));
}
