#include "study/mechanism/moving_states.h"

#include "tests/study/fixture.h"

#include <string.h>

static bool has(const Texts *t, const char *name)
{
    bool has = false;
    for (uint32_t k = 0; k < t->n; k++)
        has = has || strcmp(t->at[k], name) == 0;
    return has;
}

/* On the circle, where it is horizontal, x alone moves; y, its velocity and what equals them are
 * avoided. */
Test(moving_states, point_on_a_circle)
{
    Fixture f = fixture_of("model M Real x(start = 0), y(start = -1), z, u, v, l; equation\n"
                           "  u = der(x); v = der(y); der(u) = l*x; der(v) = l*y - 10; z = -y;\n"
                           "  x^2 + y^2 = 1; end M;");
    Texts avoided = {0};
    cr_assert(moving_states_find(&f.run.translation, &avoided, f.mem));
    cr_assert(has(&avoided, "y") && has(&avoided, "z") && has(&avoided, "v"));
    cr_assert_not(has(&avoided, "x") || has(&avoided, "u") || has(&avoided, "l"));
    fixture_end(&f);
}

Test(moving_states, no_mechanism)
{
    Fixture f = fixture_of("model M Real x(start = 1); equation der(x) = -x; end M;");
    Texts avoided = {0};
    cr_assert_not(moving_states_find(&f.run.translation, &avoided, f.mem));
    fixture_end(&f);
}
