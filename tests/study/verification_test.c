#include "study/verification.h"
#include "tests/study/fixture.h"

#include "translate/driver.h"

static const char *const masses =
    "model M Real x(start = 0), v(start = 0), y(start = 1), w(start = 0), f; equation\n"
    "  der(x) = v; der(y) = w; der(v) = f - x; 2*der(w) = -f + 1; f = 3*(der(w) - der(v)); end M;";

Test(verification, program_holds)
{
    Fixture f = fixture_of(masses);
    VerificationRequest r = {.translation = f.run.translation};
    Verification v;
    cr_assert_eq(verification_make(&r, &v, f.mem), EXIT_GOOD);
    cr_assert(v.program.ok);
    cr_assert(verify_is_proved(&v.program));
    cr_assert_eq(v.program.done.residues, 4u);
    cr_assert_eq(v.program.done.fractions, 3u);
    cr_assert_geq(v.program.n_equations, 5u);
    verification_free(&v);
    fixture_end(&f);
}

Test(verification, nothing_to_verify)
{
    Fixture f = fixture_of("model M Real x; equation x = 1; x = 2; end M;");
    VerificationRequest r = {.translation = f.run.translation};
    Verification v;
    cr_assert_eq(verification_make(&r, &v, f.mem), EXIT_MODEL);
    verification_free(&v);
    fixture_end(&f);
}
