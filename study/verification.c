#include "study/verification.h"

#include "eliminate/forms/invariants.h"
#include "eliminate/forms/linearisation.h"
#include "eliminate/forms/newton_order.h"
#include "eliminate/forms/rates_along.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/verify/certificate.h"
#include "runtime/run/simulate.h"
#include "translate/driver.h"
#include "translate/method.h"

/* Equations of a model in which fractions are small. */
enum { SMALL_MODEL = 1000 };

static VerifyPoints points_of(const VerificationRequest *r, const System *flat)
{
    bool fractions = r->in_fractions || flat->eq.n <= SMALL_MODEL;
    uint32_t residues = verify_has_conditions(flat) ? 16 : 4;
    return (VerifyPoints){.residues = r->points ? r->points : residues,
                          .fractions = !fractions  ? 0
                                       : r->points ? r->points
                                                   : 3};
}

/* Some forms of implicit methods grow with the square of the states: then only those of the method
 * in use are checked. */
enum { FEW_STATES = 300 };

static void make_forms(Verification *v)
{
    Compilation *c = v->c;
    Program *g = &c->dae.solution.program;
    if (g->n_states > FEW_STATES) {
        method_prepare(c, c->request.method);
        bool has_matrix = c->dae.loops.n_loops > 0 || g->newton || g->jacobian;
        v->only_method = c->request.method ? c->request.method
                                           : simulate_default_method(g->n_states, has_matrix);
        return;
    }
    jacobian_of_states(g, JACOBIAN_NODES, c->scratch);
    jacobian_of_inputs(g, JACOBIAN_NODES, c->scratch);
    LinearisationChoice choice = linearisation_top_level(g, c->mem);
    linearisation_make(&c->dae, &choice, JACOBIAN_NODES, c->scratch);
    residual_form_make(&c->dae, JACOBIAN_NODES, c->scratch);
    invariants_make(&c->dae, JACOBIAN_NODES, c->scratch);
    rates_along_make(&c->dae, c->scratch);
    newton_system_make(&c->dae, NEWTON_STEP, c->scratch);
}

/* Verifies also the derivatives in base parameters, which libraries use, from a second translation.
 * A violation there replaces the report. */
static void verify_base(Verification *v, const Request *asked, const LoopCut *cut,
                        VerifyPoints points)
{
    Request r = *asked;
    r.base_parameters = true;
    Compilation *c = compilation_open(&r, v->c->mem);
    if (c && driver_run(c, NULL) && compilation_report(c, stderr) == EXIT_GOOD) {
        VerifyReport base = verify(&c->dae.solution.program, v->flat->sys, cut, points);
        if (!verify_is_proved(&base))
            v->program = base;
    }
    compilation_free(c);
}

Exit verification_make(const VerificationRequest *asked, Verification *v, Arena *mem)
{
    *v = (Verification){0};
    Request r = asked->translation;
    r.states = STATES_DEFAULT;
    r.base_parameters = false; // by themselves, below
    v->c = compilation_open(&r, mem);
    bool ok = v->c && driver_run(v->c, NULL);
    Exit status = v->c ? compilation_report(v->c, stderr) : EXIT_USAGE;
    if (!ok || status != EXIT_GOOD)
        return status;
    make_forms(v);
    Request plain = v->c->request;
    plain.plain_consing = true;
    v->flat = compilation_open(&plain, mem);
    v->flat->dae.loops_as = &v->c->dae.loops;
    if (!driver_run(v->flat, driver_find("loops")))
        return compilation_report(v->flat, stderr);
    const Program *g = &v->c->dae.solution.program;
    const LoopCut *cut = v->flat->dae.loops.n_loops ? &v->flat->dae.loops : NULL;
    VerifyPoints points = points_of(asked, v->flat->sys);
    v->program = verify(g, v->flat->sys, cut, points);
    v->n_residuals = verify_is_proved(&v->program) && g->residual ? g->residual->n : 0;
    if (v->n_residuals)
        v->residual = verify(g->residual->program, v->flat->sys, NULL, points);
    if (verify_is_proved(&v->program) && v->flat->sys->eq.n <= SMALL_MODEL && !v->only_method)
        verify_base(v, &r, cut, points);
    return EXIT_GOOD;
}

void verification_certificate(const Verification *v, FILE *f)
{
    const LoopCut *cut = v->flat->dae.loops.n_loops ? &v->flat->dae.loops : NULL;
    certificate_write(&v->c->dae.solution.program, v->flat->sys, cut, v->program.wanted.residues,
                      f);
}

void verification_free(Verification *v)
{
    compilation_free(v->flat);
    compilation_free(v->c);
}
