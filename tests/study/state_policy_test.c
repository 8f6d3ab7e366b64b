#include "study/state_policy.h"
#include "tests/study/fixture.h"

#include "translate/driver.h"

/* It swings through the lowest point, where the height is no state. */
static const char *const swings = "model M Real x(start = 1), y(start = 0), u, v, l; equation\n"
                                  "  der(x) = u; der(y) = v; der(u) = l*x; der(v) = l*y - 10;\n"
                                  "  x^2 + y^2 = 1; annotation(experiment(StopTime = 3)); end M;";

/* It stays far from there. */
static const char *const stays = "model M Real x(start = 0.6), y(start = 0.8), u, v, l; equation\n"
                                 "  der(x) = u; der(y) = v; der(u) = l*x; der(v) = l*y;\n"
                                 "  x^2 + y^2 = 1; annotation(experiment(StopTime = 3)); end M;";

/* The preferred p would be the state by a derivative annotation that is wrong. */
static const char *const mistaken =
    "model M Real m, p(start = 1, fixed = true, stateSelect = StateSelect.prefer);\n"
    "function f input Real p; output Real d; algorithm d := 1 + p + p^2;\n"
    "  annotation(Inline = false, derivative = f_der); end f;\n"
    "function f_der input Real p; input Real p_der; output Real d_der;\n"
    "  algorithm d_der := (1 + 2.2*p)*p_der; end f_der;\n"
    "equation m = f(p); der(m) = 1; annotation(experiment(StopTime = 4)); end M;";

static LoopChoice loops_of(const char *model, bool may_cut, StateChoice *states)
{
    Fixture f = fixture_of(model);
    bool ok;
    Compilation *c = state_policy_translate(&f.run, may_cut, f.mem, &ok);
    cr_assert(ok && driver_reached(c, "solve"));
    LoopChoice loops = f.run.translation.loops;
    *states = f.run.translation.states;
    cr_assert_eq(c->request.loops, loops);
    compilation_free(c);
    fixture_end(&f);
    return loops;
}

Test(state_policy, states_that_last_stay)
{
    StateChoice states;
    cr_assert_eq(loops_of(stays, true, &states), LOOPS_DEFAULT);
    cr_assert_eq(states, STATES_DEFAULT);
}

Test(state_policy, states_that_fail_are_replaced)
{
    StateChoice states;
    cr_assert_eq(loops_of(swings, true, &states), LOOPS_ALI3P);
    cr_assert_eq(states, STATES_DEFAULT);
    cr_assert_eq(loops_of(swings, false, &states), LOOPS_DEFAULT);
    cr_assert_eq(states, STATES_REDUNDANT);
}

Test(state_policy, preferred_states_that_fail_are_replaced)
{
    StateChoice states;
    cr_assert_eq(loops_of(mistaken, true, &states), LOOPS_DEFAULT);
    cr_assert_eq(states, STATES_DIFFERENTIATED);
}
