#include "study/measure/measure.h"
#include "study/measure/measure_file.h"
#include "tests/study/fixture.h"

/* A chain of n masses on a line whose accelerations follow from each other by forces. */
static const char *const chain =
    "model M parameter Integer n = 4; Real x[n](each start = 0), v[n](each start = 0), f[n + 1];\n"
    "equation der(x) = v; f[1] = 10; f[n + 1] = -x[n];\n"
    "  for i in 1:n loop der(v[i]) = f[i] - f[i + 1]; end for;\n"
    "  for i in 2:n loop f[i] = 3*(der(v[i - 1]) - der(v[i])); end for; end M;";

static uint64_t operations(const OpCount *c)
{
    return c->add + c->mul + c->div + c->call;
}

/* The compiler's choice and every order that is asked for solve the model, the orders at a cost
 * that grows with the number of masses, not with a power of it. */
Test(measure, orders_are_linear)
{
    enum { SIZES = 2, ORDERS_ASKED = 2 };
    static const char *const model[SIZES] = {"M(n=20)", "M(n=40)"};
    uint64_t cost[SIZES][ORDERS_ASKED];
    for (int k = 0; k < SIZES; k++) {
        Fixture f = fixture_of(chain);
        Measures m = {.n = ORDERS_ASKED, .order = {"mindegree", "frontal"}};
        cr_assert_eq(measures_find(&f.run.translation, model[k], &m, f.mem), EXIT_GOOD);
        cr_assert(m.choice.ok);
        for (uint32_t i = 0; i < m.n; i++) {
            cr_assert(m.forced[i].ok, "%s", m.order[i]);
            cost[k][i] = operations(&m.forced[i].accelerations);
        }
        fixture_end(&f);
    }
    for (int i = 0; i < ORDERS_ASKED; i++)
        cr_assert_lt(2 * cost[1][i], 5 * cost[0][i], "%d", i);
}

Test(measure, errors_of_the_model)
{
    Fixture f = fixture_of("model M Real x; equation x = 1; x = 2; end M;");
    Measures m = {0};
    cr_assert_eq(measures_find(&f.run.translation, "M", &m, f.mem), EXIT_MODEL);
    fixture_end(&f);
}

/* What one process has measured another one reads; half of it is nothing. */
Test(measure, as_bytes)
{
    Fixture f = fixture_of(chain);
    Measures m = {0};
    cr_assert_eq(measures_find(&f.run.translation, "M", &m, f.mem), EXIT_GOOD);
    FILE *file = tmpfile();
    measure_write(&m.choice, file);
    long size = ftell(file);
    rewind(file);
    Measure got;
    cr_assert(measure_read(&got, file, f.mem));
    cr_assert_str_eq(got.order, m.choice.order);
    cr_assert_eq(operations(&got.accelerations), operations(&m.choice.accelerations));
    cr_assert_eq(got.n_blocks, m.choice.n_blocks);
    for (uint32_t k = 0; k < got.n_blocks; k++) {
        cr_assert_str_eq(got.block[k].taken, m.choice.block[k].taken);
        cr_assert_eq(got.block[k].n, m.choice.block[k].n);
    }
    rewind(file);
    char *bytes = arena_alloc(f.mem, (size_t)size);
    cr_assert_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    file = fmemopen(bytes, (size_t)size / 2, "r");
    cr_assert_not(measure_read(&got, file, f.mem));
    fclose(file);
    fixture_end(&f);
}
