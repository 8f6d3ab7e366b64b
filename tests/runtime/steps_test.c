/* Steps of fixed length: their grid, the first guess ahead, the solution inside. */
#include "runtime/method/steps.h"
#include "tests/runtime/fixture.h"

/* A run from start to stop in steps of this length. */
static void begin(Fixture *it, const RungModel *m, Steps *steps, double start, double stop,
                  double step)
{
    static SimulateOptions o;
    o = simulate_defaults();
    fixture_open(it, m, &o);
    it->run.problem.piece_start = it->run.t = start;
    it->run.stop = stop;
    it->run.step = step;
    cr_assert(steps_open(steps, &it->run));
}

static void end(Fixture *it, Steps *steps)
{
    steps_close(steps);
    fixture_close(it);
}

Test(steps, are_multiples_of_their_length_and_end_at_stop)
{
    static const struct {
        double start, stop, step;
        int count;
    } cases[] = {{0, 1, 0.1, 10},      {0, 1, 0.3, 4}, {0.7, 1, 0.1, 3},    {0, 1, 0.25, 4},
                 {-1, 1e3, 0.7, 1430}, {0, 1, 2, 1},   {0, 3 * 0.1, 0.1, 3}};
    RungModel m = fixture_model();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Fixture it;
        Steps steps;
        begin(&it, &m, &steps, cases[c].start, cases[c].stop, cases[c].step);
        double step = isnan(cases[c].step) ? 0.25 : cases[c].step;
        int count = 0;
        while (it.run.t < cases[c].stop && count < 2000) {
            steps_keep(&steps, &it.run);
            cr_assert_eq(steps_done(&steps, &it.run, steps_next(&steps, &it.run)), 0);
            count++;
            if (count < cases[c].count)
                cr_assert_eq(it.run.t, cases[c].start + count * step, "%zu: %d", c, count);
        }
        cr_assert_eq(it.run.t, cases[c].stop, "%zu", c);
        cr_assert_eq(count, cases[c].count, "%zu: %d", c, count);
        end(&it, &steps);
    }
}

/* The rest of a step that was cut goes to the grid, not one step further. */
Test(steps, a_part_of_a_step_is_none)
{
    RungModel m = fixture_model();
    Fixture it;
    Steps steps;
    begin(&it, &m, &steps, 0, 1, 0.5);
    steps_done(&steps, &it.run, 0.25);
    cr_assert_eq(steps_next(&steps, &it.run), 0.5);
    steps_done(&steps, &it.run, 0.5);
    cr_assert_eq(steps_next(&steps, &it.run), 1);
    end(&it, &steps);
}

/* Of x0 = t^2, x1 = t^3: guesses are exact to the second power, what is inside to the third. */
Test(steps, guess_and_interpolation_have_their_order)
{
    static const double at[] = {0.5, 0.8, 1.5}; // steps of unequal length
    RungModel m = fixture_model();
    Fixture it;
    Steps steps;
    begin(&it, &m, &steps, at[0], at[2], 1);
    it.x[0] = at[0] * at[0];
    it.x[1] = pow(at[0], 3);
    steps.f[0] = 2 * at[0];
    steps.f[1] = 3 * at[0] * at[0];
    for (int k = 1; k < 3; k++) {
        double h = at[k] - at[k - 1], inside[2];
        steps_predict(&steps, &it.run, h, inside);
        if (k == 1) // no slope before: Euler's step
            cr_assert_float_eq(inside[0], it.x[0] + h * steps.f[0], 1e-15);
        else
            cr_assert_float_eq(inside[0], at[2] * at[2], 1e-14);
        steps_keep(&steps, &it.run);
        steps.x[0] = at[k] * at[k];
        steps.x[1] = pow(at[k], 3);
        steps.f[0] = 2 * at[k];
        steps.f[1] = 3 * at[k] * at[k];
        steps.count = 1;
        steps_done(&steps, &it.run, at[k]);
        for (double s = 0; s <= 1; s += 0.25) {
            double t = at[k - 1] + s * h;
            steps_at(&steps, &it.run, t, inside);
            cr_assert_float_eq(inside[0], t * t, 1e-14, "%g", t);
            cr_assert_float_eq(inside[1], t * t * t, 1e-14, "%g", t);
        }
    }
    end(&it, &steps);
}
