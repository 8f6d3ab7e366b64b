#include "study/linear/linear_system.h"
#include "study/linear/linearize.h"
#include "tests/study/fixture.h"

#include <cjson/cJSON.h>

/* Two tanks: the flow out of each is the root of its level, so that the steady levels for an inflow
 * u are u^2, and the slopes there 1/(2 u). */
static const char *const tanks =
    "model M input Real u(start = 2); Real x(start = 1, fixed = true),\n"
    "  y(start = 3, fixed = true); output Real z = y; equation\n"
    "  der(x) = u - sqrt(x); der(y) = sqrt(x) - sqrt(y); end M;";

Test(linearize, at_a_steady_state)
{
    Fixture f = fixture_of(tanks);
    LinearizeRequest r = {.run = f.run, .at = NAN, .is_steady = true};
    LinearSystem s;
    cr_assert_eq(linearize(&r, &s, f.mem), EXIT_GOOD);
    cr_assert_eq(s.n_x, 2u);
    cr_assert_str_eq(s.x_name[0], "x");
    cr_assert_float_eq(s.x[0], 4, 1e-8);
    cr_assert_float_eq(s.x[1], 4, 1e-8);
    const double a[] = {-0.25, 0.25, 0, -0.25}, b[] = {1, 0}, c[] = {0, 1};
    for (int k = 0; k < 4; k++)
        cr_assert_float_eq(s.a[k], a[k], 1e-8);
    for (int k = 0; k < 2; k++) {
        cr_assert_float_eq(s.b[k], b[k], 1e-12);
        cr_assert_float_eq(s.c[k], c[k], 1e-12);
    }
    fixture_end(&f);
}

/* Without a steady state there is a message, and no system. */
Test(linearize, nothing_steady)
{
    Fixture f = fixture_of("model M Real x(start = 0, fixed = true); equation der(x) = 1; end M;");
    LinearizeRequest r = {.run = f.run, .at = NAN, .is_steady = true};
    LinearSystem s;
    cr_assert_neq(linearize(&r, &s, f.mem), EXIT_GOOD);
    fixture_end(&f);
}

/* A pendulum at its lowest point, where its height is no state: eigenvalues +-i sqrt(g). */
Test(linearize, where_the_states_depend_on_each_other)
{
    Fixture f = fixture_of("model M Real x(start = 0), y(start = -1), u, v, l; equation\n"
                           "  der(x) = u; der(y) = v; der(u) = l*x; der(v) = l*y - 10;\n"
                           "  x^2 + y^2 = 1; end M;");
    LinearizeRequest r = {.run = f.run, .at = NAN};
    LinearSystem s;
    cr_assert_eq(linearize(&r, &s, f.mem), EXIT_GOOD);
    cr_assert_eq(s.n_x, 2u);
    cr_assert_float_eq(s.re[0], 0, 1e-6);
    cr_assert_float_eq(fabs(s.im[0]), sqrt(10), 1e-6);
    fixture_end(&f);
}

/* The matrices as JSON, and as a MAT file whose A is read back byte by byte: version 4 has a header
 * of type, rows, columns, imaginary part and length of the name, the name, and columns of doubles.
 */
Test(linearize, as_files)
{
    Fixture f = fixture_of(tanks);
    LinearizeRequest r = {.run = f.run, .at = NAN, .is_steady = true};
    LinearSystem s;
    cr_assert_eq(linearize(&r, &s, f.mem), EXIT_GOOD);
    FILE *file = tmpfile();
    linear_system_mat(&s, file);
    rewind(file);
    int32_t head[5];
    char name[2];
    double a[4];
    cr_assert_eq(fread(head, sizeof *head, 5, file), 5u);
    cr_assert_eq(head[1], 2);
    cr_assert_eq(head[2], 2);
    cr_assert_eq(head[4], 2);
    cr_assert_eq(fread(name, 1, 2, file), 2u);
    cr_assert_str_eq(name, "A");
    cr_assert_eq(fread(a, sizeof *a, 4, file), 4u);
    for (int k = 0; k < 4; k++)
        cr_assert_eq(a[k], s.a[k]);
    fclose(file);

    char text[4000];
    file = tmpfile();
    linear_system_json(&s, file, f.mem);
    rewind(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = 0;
    cJSON *json = cJSON_Parse(text);
    const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "A"), 1);
    cr_assert_float_eq(cJSON_GetArrayItem(row, 0)->valuedouble, s.a[1], 1e-15);
    cJSON_Delete(json);
    fixture_end(&f);
}
