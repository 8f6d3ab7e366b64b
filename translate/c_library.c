#include "translate/c_library.h"

#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/solution.h"
#include "translate/inversion.h"
#include "translate/method.h"

enum { DENSE = 300 }; // equations solved by dense LU, in the instance

/* The program with its linear blocks solved at run time. NULL: one of them is too large. */
static const Program *pivoting_program(Compilation *c, Arena *mem)
{
    Program *numeric = arena_make(mem, Program);
    if (!solution_numeric(&c->dae, false, numeric, c->scratch))
        return NULL;
    for (uint32_t b = 0; b < numeric->n_blocks; b++)
        if (numeric->block[b].n > DENSE) {
            diag_warning(c->diags, SPAN_NONE, "G06",
                         "a pivoting solve would take a dense matrix of %u equations: where a "
                         "pivot vanishes functions of the library have a positive status",
                         numeric->block[b].n);
            return NULL;
        }
    return numeric;
}

/* Those by which there are derivatives along the steps, and those that are asked for besides. */
static const char *with_sensitivities(const Program *g, const char *asked, Arena *mem)
{
    const Sensitivity *s = g->sensitivity;
    Text t = text_new(mem);
    text_put(&t, asked ? asked : "");
    for (uint32_t j = 0; s && j < s->n; j++)
        if (var_exists(s->parameter[j]))
            text_printf(&t, "%s%s", t.n ? "," : "", g->sys->var.at[s->parameter[j].i].name.s);
    return t.n ? t.at : NULL;
}

/* Makes a library with derivatives by inputs and of outputs and the residual form; for small
 * targets, which have little memory, only on request. */
bool c_library_make(Compilation *c, const LibraryRequest *r, Arena *mem, EmitFiles *out)
{
    Program *g = &c->dae.solution.program;
    LibraryOptions how = {.kind = r->kind, .single_precision = r->single_precision};
    const Request *asked = &c->request;
    const char *why = library_cannot(g);
    if (why) {
        diag_error(c->diags, SPAN_NONE, "G05",
                   "%s: no C library can be made of this model: %s; a program (without --kind) or "
                   "an FMU (rung fmu) can",
                   c->request.model, why);
        return false;
    }
    bool small = how.kind == LIBRARY_EMBEDDED;
    bool derivatives = asked->jacobian == DERIVATIVES_DEFAULT
                           ? !small || asked->parameters
                           : asked->jacobian == DERIVATIVES_ANALYTIC;
    const char *parameters = asked->parameters;
    c->request.parameters = with_sensitivities(g, parameters, mem);
    if (derivatives && !linearisation_prepare(c, ALL_PARAMETERS))
        return false;
    // parameters that follow from others are equations, too: rather without those of the steps
    if (g->sensitivity && g->linearisation && g->linearisation->n_implicit > DENSE) {
        c->request.parameters = parameters;
        if (!linearisation_prepare(c, ALL_PARAMETERS))
            return false;
    }
    if (g->linearisation && g->linearisation->n_implicit > DENSE) {
        diag_warning(c->diags, SPAN_NONE, "G06",
                     "derivatives would take a dense matrix of %u equations: the library has no "
                     "Jacobian, and its steps use differences",
                     g->linearisation->n_implicit);
        g->linearisation = NULL;
    } else if (g->linearisation && !g->linearisation->matrix.columns.entry) {
        diag_warning(c->diags, SPAN_NONE, "G06",
                     "something in the model has no derivative: the library has no Jacobian, and "
                     "its steps use differences");
        g->linearisation = NULL;
    }
    if (c->dae.adjoint && !adjoint_of_outputs(c))
        return false;
    if (!small && !g->sensitivity)
        residual_form_make(&c->dae, JACOBIAN_NODES, c->scratch);
    if (!small && !r->has_no_fallback && solution_has_pivots(&c->dae))
        g->numeric = pivoting_program(c, mem);
    return library_emit(g, how, request_emission(&c->request), mem, out);
}

/* ---- inverse dynamics ---- */

bool c_library_inverse(Compilation *c, const InverseRequest *r, Arena *mem, EmitFiles *out)
{
    InverseDynamics it = {0};
    c->request.base_parameters = true; // nothing but the efforts is shown
    if (!inversion_run(c, r->motion, r->effort, &it) || !driver_run(c, NULL))
        return false;
    const Program *g = &c->dae.solution.program;
    LibraryOptions how = {.kind = LIBRARY_INVERSE,
                          .single_precision = r->single_precision,
                          .inverse = {it.n, it.position, it.velocity, it.acceleration, it.effort}};
    const char *why = library_cannot(g);
    if (g->n_states)
        why = arena_printf(mem, "%u states are left, '%s' among them", g->n_states,
                           c->sys->var.at[g->state[0].i].name.s);
    if (why) {
        diag_error(c->diags, SPAN_NONE, "G05", "%s: no inverse dynamics of this model: %s",
                   c->request.model, why);
        return false;
    }
    return library_emit(g, how, request_emission(&c->request), mem, out);
}
