#include "study/run.h"
#include "tests/study/fixture.h"

#include "base/result_table.h"

#include <signal.h>
#include <unistd.h>

static double last(const char *path, const char *name, Arena *mem)
{
    ResultTable t;
    cr_assert(result_table_read(&t, path, mem));
    for (uint32_t c = 0; c < t.n_cols; c++)
        if (strcmp(t.column[c].name, name) == 0)
            return result_table_at(&t, t.n_rows - 1, c);
    return NAN;
}

Test(run, is_a_request)
{
    Fixture f = fixture_of("model M parameter Real k = 1; Real x(start = 1, fixed = true);\n"
                           "equation der(x) = -k*x; end M;");
    f.run.stop = 2;
    f.run.tolerance = 1e-9;
    vec_push(f.mem, f.run.set, "k=0.5");
    cr_assert_eq(run_model(&f.run, run_say_errors, NULL), EXIT_GOOD);
    cr_assert_float_eq(last(f.run.result, "x", f.mem), exp(-1), 1e-7);
    fixture_end(&f);
}

/* A signal while a model is translated once more ends the program; one just before, the run. */
Test(run, nothing_begins_after_an_interrupt)
{
    Fixture f = fixture_of("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;");
    simulation_interrupted = 1;
    cr_assert_eq(run_model(&f.run, run_say_errors, NULL), EXIT_INTERRUPTED);
    cr_assert_neq(access(f.run.result, F_OK), 0);
    struct sigaction now;
    cr_assert_eq(sigaction(SIGTERM, NULL, &now), 0);
    cr_assert_eq(now.sa_handler, SIG_DFL);
    fixture_end(&f);
}

/* A parameter that is evaluated: the model is translated again with it as a modifier. */
Test(run, set_of_a_structural_parameter)
{
    Fixture f =
        fixture_of("model M parameter Integer n = 2; Real x[n](each start = 1, each fixed = "
                   "true);\nequation for i in 1:n loop der(x[i]) = i; end for; end M;");
    vec_push(f.mem, f.run.set, "n=3");
    cr_assert_eq(run_model(&f.run, run_say_errors, NULL), EXIT_GOOD);
    cr_assert_float_eq(last(f.run.result, "x[3]", f.mem), 4, 1e-6);
    fixture_end(&f);
}

/* A pendulum that swings through its lowest point runs once more with other states. */
Test(run, other_states_where_those_fail)
{
    Fixture f = fixture_of("model M Real x(start = 1), y(start = 0), u, v, l; equation\n"
                           "  der(x) = u; der(y) = v; der(u) = l*x; der(v) = l*y - 10;\n"
                           "  x^2 + y^2 = 1; end M;");
    f.run.stop = 3;
    cr_assert_eq(run_model(&f.run, run_say_errors, NULL), EXIT_GOOD);
    double x = last(f.run.result, "x", f.mem), y = last(f.run.result, "y", f.mem);
    cr_assert_float_eq(x * x + y * y, 1, 1e-4);
    fixture_end(&f);
}

/* The preferred p would be the state by a derivative annotation that is wrong: m is the state. */
Test(run, preferred_states_with_a_wrong_derivative_give_way)
{
    Fixture f =
        fixture_of("model M Real m, p(start = 1, fixed = true, stateSelect = StateSelect.prefer);\n"
                   "function f input Real p; output Real d; algorithm d := 1 + p + p^2;\n"
                   "  annotation(Inline = false, derivative = f_der); end f;\n"
                   "function f_der input Real p; input Real p_der; output Real d_der;\n"
                   "  algorithm d_der := (1 + 2.2*p)*p_der; end f_der;\n"
                   "equation m = f(p); der(m) = 1; annotation(experiment(StopTime = 4)); end M;");
    f.run.is_audited = true;
    cr_assert_eq(run_model(&f.run, run_say_errors, NULL), EXIT_GOOD);
    const double p = last(f.run.result, "p", f.mem);
    cr_assert_float_eq(1 + p + p * p, 3 + 4, 1e-5);
    f.run.translation.states = STATES_STATIC; // the audit reports it
    cr_assert_eq(run_model(&f.run, run_say_errors, NULL), EXIT_RUN);
    fixture_end(&f);
}

Test(run, wrong_name_is_an_error)
{
    Fixture f = fixture_of("model M Real x(start = 1, fixed = true); equation der(x) = 1; end M;");
    vec_push(f.mem, f.run.set, "k=0.5");
    cr_assert_eq(run_model(&f.run, run_say_errors, NULL), EXIT_MODEL);
    fixture_end(&f);
}
