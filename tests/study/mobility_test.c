#include "study/mechanism/freedom_page.h"
#include "study/mechanism/mobility.h"
#include "study/mechanism/mobility_study.h"
#include "tests/study/fixture.h"

/* Degrees of freedom at the position nearest to the start values, and constraints that follow from
 * others. */
static Mobility mobility_of(Fixture *f, Mechanism *m)
{
    cr_assert(mechanism_open(m, &f->run.translation, NAN, f->mem));
    mechanism_start(m);
    cr_assert(mechanism_close_position(m));
    return mobility_find(m, f->mem);
}

Test(mobility, point_on_a_circle)
{
    Fixture f = fixture_of("model M Real x(start = 0.6), y(start = 0.9), u, v, l; equation\n"
                           "  der(x) = u; der(y) = v; der(u) = l*x; der(v) = l*y - 10;\n"
                           "  x^2 + y^2 = 1; end M;");
    Mechanism m;
    Mobility at = mobility_of(&f, &m);
    cr_assert_eq(at.n_free, 1u);
    cr_assert_eq(at.n_constraints, 1u);
    cr_assert_eq(at.n_redundant, 0u);
    mechanism_close(&m);
    fixture_end(&f);
}

/* The same circle twice: one constraint follows from the other, one degree of freedom is left. */
Test(mobility, redundant_constraint)
{
    Fixture f = fixture_of("model M Real x(start = 0.6), y(start = 0.8), u, v, l, k; equation\n"
                           "  der(x) = u; der(y) = v; der(u) = l*x + k; der(v) = l*y - 10;\n"
                           "  x^2 + y^2 = 1; 2*x^2 + 2*y^2 = 2; end M;");
    Mechanism m;
    Mobility at = mobility_of(&f, &m);
    cr_assert_eq(at.n_free, 1u);
    cr_assert_eq(at.n_constraints, 2u);
    cr_assert_eq(at.n_redundant, 1u);
    mechanism_close(&m);
    fixture_end(&f);
}

/* A knife edge: velocities have two degrees of freedom, yet all three positions can be reached. */
Test(mobility, constraint_of_velocities)
{
    Fixture f = fixture_of("model M Real x(start = 0), y(start = 0), p(start = 0.3), u, v, w, l;\n"
                           "equation der(x) = u; der(y) = v; der(p) = w;\n"
                           "  der(u) = l*sin(p); der(v) = -l*cos(p); der(w) = 1;\n"
                           "  u*sin(p) - v*cos(p) = 0; end M;");
    Mechanism m;
    Mobility at = mobility_of(&f, &m);
    cr_assert_eq(at.n_free, 2u);
    cr_assert_eq(mobility_reach(&m, &at), 3u);
    mechanism_close(&m);
    fixture_end(&f);
}

/* Its position at the start of a run, not that of the start values: initial equations say where. */
Test(mobility, study_begins_at_the_start_of_a_run)
{
    Fixture f = fixture_of("model M Real x(start = 0.6), y(start = 0.9), u, v(fixed = true), l;\n"
                           "initial equation x = 0.28; equation\n"
                           "  der(x) = u; der(y) = v; der(u) = l*x; der(v) = l*y - 10;\n"
                           "  x^2 + y^2 = 1; end M;");
    MobilityRequest r = {.run = f.run, .tolerance = NAN};
    MobilityStudy s;
    cr_assert_eq(mobility_study(&r, &s, f.mem), EXIT_GOOD);
    cr_assert(s.is_run);
    cr_assert_eq(s.at.n_free, 1u);
    /* dy = -x/y dx */
    const Direction *d = &s.at.direction[0];
    cr_assert_eq(d->n, 2u);
    cr_assert_float_eq(d->move[1].by / d->move[0].by, -0.28 / 0.96, 1e-6);
    mechanism_close(&s.m);
    fixture_end(&f);
}

/* A page of a rod that turns: its degree of freedom has a name on it. */
Test(mobility, as_a_page)
{
    Fixture f = fixture_of("model M inner Linkage.World world;\n"
                           "  Linkage.Joints.Revolute hinge; Linkage.Parts.Rod rod;\n"
                           "equation connect(world.frame_b, hinge.frame_a);\n"
                           "  connect(hinge.frame_b, rod.frame_a); end M;");
    Mechanism m;
    Mobility at = mobility_of(&f, &m);
    cr_assert_eq(at.n_free, 1u);
    const char *path = scratch_path(&f.files, "page.html");
    cr_assert_eq(freedom_page(path, &m, &at, f.mem), EXIT_GOOD);
    uint32_t n_lines = 0, n_named = 0;
    char line[4096];
    FILE *page = fopen(path, "r");
    cr_assert_not_null(page);
    for (; fgets(line, sizeof line, page); n_lines++)
        n_named += strstr(line, mobility_name(&m, at.direction[0].move[0].coordinate)) != NULL;
    fclose(page);
    cr_assert_gt(n_lines, 10u);
    cr_assert_gt(n_named, 0u);
    mechanism_close(&m);
    fixture_end(&f);
}
