#include "translate/driver.h"

#include "base/bug.h"
#include "eliminate/forms/base_form.h"
#include "eliminate/forms/initial_solve.h"
#include "eliminate/frames/frame_policy.h"
#include "eliminate/prepare/clocks.h"
#include "eliminate/prepare/der.h"
#include "eliminate/prepare/events.h"
#include "eliminate/prepare/homotopy.h"
#include "eliminate/prepare/inline_calls.h"
#include "eliminate/prepare/known_differences.h"
#include "eliminate/prepare/objective.h"
#include "eliminate/prepare/open_loops.h"
#include "eliminate/prepare/parameters.h"
#include "eliminate/prepare/pulls.h"
#include "eliminate/prepare/reduce.h"
#include "eliminate/prepare/redundant_states.h"
#include "eliminate/prepare/sensitivity.h"
#include "eliminate/prepare/sorting.h"
#include "eliminate/prepare/state_choice.h"
#include "eliminate/prepare/string_check.h"
#include "eliminate/prepare/structural_check.h"
#include "eliminate/solution.h"
#include "runtime/result/result.h"
#include "translate/open_warning.h"
#include "translate/order_warning.h"
#include "translate/start_values.h"

#include <string.h>

/* ---- the passes, each with the arguments that it takes of a compilation ---- */

static PassEnd done_if(bool ok)
{
    return ok ? PASS_DONE : PASS_FAILED;
}

static PassEnd changed_if(bool changed)
{
    return changed ? PASS_DONE : PASS_UNCHANGED;
}

/* C code that a model refers to is built and run with it (MLS 12.9), with the rights of the user:
 * --no-external refuses it.
 */
static bool has_refused_external(Compilation *c)
{
    const System *s = c->sys;
    bool any = false;
    for (uint32_t k = 0; c->request.no_external && k < s->function->n; k++) {
        const Function *f = &s->function->at[k];
        if (!f->body || !f->body->external)
            continue;
        diag_error(s->diags, f->span, "G08",
                   "'%s' is an external function, and with --no-external these are not run",
                   f->name.s);
        any = true;
    }
    return any;
}

static PassEnd run_flatten(Compilation *c)
{
    if (!flatten(c->front, c->request.model) || has_refused_external(c))
        return PASS_FAILED;
    front_close(c->front);
    if (c->request.pulls)
        pulls_add(c->sys, c->scratch);
    const LoopCut *loops_as = c->dae.loops_as;
    c->dae = dae_new(c->sys);
    c->dae.loops_as = loops_as;
    return done_if(start_values_apply(c));
}

static PassEnd run_clocks(Compilation *c)
{
    return done_if(system_supported(c->sys) && clocks_resolve(c->sys, c->scratch));
}

static PassEnd run_der(Compilation *c)
{
    return done_if(der_expand(c->sys, c->scratch));
}

static PassEnd run_loops(Compilation *c)
{
    static const LoopTreatment treatment[] = {[LOOPS_DEFAULT] = LOOPS_CUT_SEVERAL,
                                              [LOOPS_ALI3P] = LOOPS_CUT_ALL,
                                              [LOOPS_PENALTY] = LOOPS_CUT_ALL,
                                              [LOOPS_INDEX_REDUCTION] = LOOPS_REDUCED};
    LoopTreatment how = treatment[c->request.loops];
    if (how == LOOPS_CUT_SEVERAL && c->request.states != STATES_DEFAULT)
        how = LOOPS_CUT_JOINTS; // --states is about constraints written as equations
    return done_if(loops_open(&c->dae, how, c->scratch));
}

static PassEnd run_parameters(Compilation *c)
{
    parameters_put_in(c->sys, &c->dae.loops, c->scratch);
    return PASS_DONE;
}

static PassEnd run_events(Compilation *c)
{
    if (!strings_are_discrete(c->sys, c->scratch))
        return PASS_FAILED;
    events_remember(c->sys, c->scratch);
    return PASS_DONE;
}

/* The variables of the objectives, as patterns; NULL: there are no objectives. */
static const char *variables_of(const Texts *objective, Arena *mem)
{
    Text t = text_new(mem);
    const char *variable;
    for (uint32_t k = 0; k < objective->n; k++) {
        objective_read(objective->at[k], mem, &variable);
        text_printf(&t, "%s%s", k ? "," : "", variable);
    }
    return objective->n ? t.at : NULL;
}

static PassEnd run_sensitivities(Compilation *c)
{
    const Request *r = &c->request;
    if (!r->sensitivity_by)
        return PASS_UNCHANGED;
    if (r->states == STATES_REDUNDANT) {
        diag_error(c->diags, SPAN_NONE, "S12",
                   "no derivatives by parameters: --states redundant makes states of constraints, "
                   "which are not differentiated");
        return PASS_FAILED;
    }
    Texts objective = request_patterns(r->objective ? r->objective : "", c->mem);
    for (uint32_t k = 0; k < objective.n; k++)
        if (!sensitivities_objective(c->sys, objective.at[k]))
            return PASS_FAILED;
    Texts by = request_patterns(r->sensitivity_by, c->mem);
    SensitivityChoice choice = {.n = by.n,
                                .by = by.at,
                                .of = r->sensitivity_of,
                                .has_outputs = r->derives_outputs,
                                .means = result_means};
    if (r->adjoint) {
        choice.of = variables_of(&objective, c->mem);
        AdjointChoice *a = c->dae.adjoint = arena_make(c->mem, AdjointChoice);
        a->instead = r->derives_outputs ? "--sensitivity" : "--mode direct";
        // errors at kinks are controlled along the run alone
        const bool is_trial = r->adjoint_from > 0;
        return done_if(sensitivities_choose(&c->dae, &choice, a, c->scratch) &&
                       a->n >= r->adjoint_from && !(is_trial && a->has_kinks));
    }
    return done_if(sensitivities_add(&c->dae, &choice, c->scratch));
}

static PassEnd run_structure(Compilation *c)
{
    return done_if(structural_check(&c->dae, c->scratch));
}

static PassEnd run_alias(Compilation *c)
{
    return done_if(aliases_remove(c->sys, &c->dae.aliases, c->scratch));
}

/* Function bodies, and the frontend that still evaluates them, hold expressions, too. */
static PassEnd run_compact(Compilation *c)
{
    if (c->sys->function->n)
        return PASS_UNCHANGED;
    dae_compact(&c->dae, c->scratch);
    return PASS_DONE;
}

static PassEnd run_reduce(Compilation *c)
{
    uint32_t n_before = c->sys->eq.n;
    const StateChoice states = c->request.states;
    bool (*reduce)(Dae *, Arena *) = states == STATES_REDUNDANT || states == STATES_DIFFERENTIATED
                                         ? reduce_index_as_written
                                         : reduce_index;
    return done_if(reduce(&c->dae, c->scratch) &&
                   sensitivities_stay_smooth(&c->dae, n_before, c->scratch));
}

static PassEnd run_states(Compilation *c)
{
    return done_if(states_choose(&c->dae, c->scratch));
}

static PassEnd run_inline(Compilation *c)
{
    inline_calls(c->sys, &c->dae.aliases, c->scratch);
    return PASS_DONE;
}

static PassEnd run_differences(Compilation *c)
{
    return changed_if(known_differences_put_in(&c->dae, c->scratch));
}

static PassEnd run_blocks(Compilation *c)
{
    return done_if(equations_sort(&c->dae, c->scratch));
}

static PassEnd run_invariants(Compilation *c)
{
    return done_if(redundant_find(&c->dae, c->scratch));
}

/* Whether states are made redundant: there are such constraints, and the request wants it. */
static bool wants_redundant(const Compilation *c)
{
    return c->request.states == STATES_REDUNDANT && c->dae.redundancy.n > 0;
}

static PassEnd run_initial(Compilation *c)
{
    uint32_t before = pool_size(c->sys->pool);
    bool ok = initial_solve(&c->dae, wants_redundant(c), c->scratch);
    pool_set_apart(c->sys->pool, before);
    return done_if(ok);
}

static PassEnd run_homotopy(Compilation *c)
{
    return changed_if(homotopy_end(&c->dae, c->scratch));
}

static PassEnd run_redundant(Compilation *c)
{
    if (!wants_redundant(c))
        return PASS_UNCHANGED;
    redundant_apply(&c->dae);
    return PASS_DONE;
}

static PassEnd run_frames(Compilation *c)
{
    return changed_if(!c->request.keeps_frames && frames_apply(&c->dae, c->scratch));
}

static PassEnd run_solve(Compilation *c)
{
    OrderPolicy policy = {.only = c->request.order, .too_long = TOO_LONG_NUMERIC};
    Orders orders = c->orders.source ? c->orders : ordering_of(&policy);
    policy.is_torn = c->is_torn;
    c->dae.wants_base = c->request.base_parameters;
    if (c->dae.wants_base)
        base_form_find(&c->dae, &policy, &c->dae.base, c->scratch);
    bool ok = solution_find(&c->dae, &orders, c->scratch);
    if (ok)
        base_form_put_in(&c->dae, &c->dae.base, &c->dae.solution.program);
    ok = ok && sensitivities_keep(&c->dae);
    if (ok && !c->orders.source) {
        open_warning(c, &c->dae.solution);
        order_warning(c, &c->dae.solution);
    }
    return done_if(ok);
}

/* ---- the table ---- */

// clang-format off
static void whole_dump(Dae *d, FILE *f) { dae_print(d, true, f); } /* while loops are whole */
static void flat_dump(Dae *d, FILE *f) { dae_print(d, false, f); }
static void blocks_dump(Dae *d, FILE *f) { blt_print(&d->blt, f); }
static void solution_dump(Dae *d, FILE *f) { program_print(&d->solution.program, f); }

static bool state_check(const Dae *d) { return states_check(&d->states, &d->pantelides); }
static bool block_check(const Dae *d) { return blt_check(&d->blt); }
static bool program_holds(const Dae *d) { return program_check(&d->solution.program); }

enum Fact {
    FLAT = 1,
    CLOCKED = 8192,    /* nothing is about clocks                         */
    PLAIN = 2,         /* der only of variables                           */
    OPEN = 4,          /* loops are cut, as far as they are               */
    SMOOTH = 8,        /* nothing jumps between events                    */
    REGULAR = 16,      /* each unknown has an equation                    */
    ALIASED = 32,
    REDUCED = 64,      /* index at most 1; equations numbered accordingly */
    STATES = 128,
    INLINED = 256,
    SORTED = 512,      /* the Blt                                         */
    INVARIANTS = 1024,
    INITIAL = 2048,
    SOLVED = 4096,
    FOUND_AGAIN = SORTED /* once broken; all else is broken for good      */
};

static const Pass passes[] = {
    /* name, what it does;  needs, gives, breaks;  run, dump, check, in all builds */
    {"flatten", "expand classes, components and connections",
     0, FLAT, 0, run_flatten, whole_dump, NULL, false},
    {"clocks", "turn clocked equations into equations that hold at events",
     FLAT, CLOCKED, 0, run_clocks, whole_dump, NULL, false},
    {"der", "carry out derivatives of expressions",
     CLOCKED, PLAIN, 0, run_der, whole_dump, NULL, false},
    {"loops", "cut kinematic loops open",
     PLAIN, OPEN, 0, run_loops, loops_print, NULL, false},
    {"parameters", "replace final parameters by their bindings",
     PLAIN | OPEN, 0, 0, run_parameters, flat_dump, NULL, false},
    {"events", "remember relations, pre() and initial()",
     PLAIN, SMOOTH, 0, run_events, flat_dump, NULL, false},
    {"sensitivities", "differentiate the equations by parameters, on request",
     PLAIN | OPEN | SMOOTH, 0, 0, run_sensitivities, flat_dump, NULL, false},
    {"structure", "see that each unknown has an equation",
     PLAIN | OPEN, REGULAR, 0, run_structure, flat_dump, NULL, false},
    {"alias", "remove unknowns tied by a = +-b or a = constant",
     PLAIN | SMOOTH | REGULAR, ALIASED, 0, run_alias, dae_print_aliases, NULL, false},
    {"compact", "drop unused expressions",
     ALIASED, 0, 0, run_compact, dae_print_aliases, NULL, false},
    {"reduce", "differentiate equations until the index is 1",
     ALIASED, REDUCED, 0, run_reduce, reduce_print, reduce_check, true},
    {"states", "choose the states, the rest are dummy derivatives",
     REDUCED, STATES, 0, run_states, states_print, state_check, false},
    {"inline", "expand function calls kept until now",
     STATES, INLINED, 0, run_inline, flat_dump, NULL, false},
    {"differences", "put states in place of differences of unknowns that they are",
     STATES | INLINED, 0, 0, run_differences, flat_dump, NULL, false},
    {"blocks", "pair equations with unknowns, find and order the algebraic loops",
     STATES | INLINED, SORTED, 0, run_blocks, blocks_dump, block_check, true},
    {"invariants", "find constraints that determine no variable safely",
     REDUCED | SORTED, INVARIANTS, 0, run_invariants, blocks_dump, NULL, false},
    {"initial", "complete and solve the initial conditions",
     SORTED | INVARIANTS, INITIAL, 0, run_initial, initial_print, NULL, false},
    {"homotopy", "replace homotopy(a, s) by a after initialisation",
     REDUCED | INITIAL, 0, SORTED, run_homotopy, flat_dump, NULL, false},
    {"redundant", "make states of positions that constraints cannot determine",
     REDUCED | INVARIANTS | INITIAL, 0, REDUCED | SORTED, run_redundant, blocks_dump, NULL, false},
    {"frames", "move vectors into the frames that cost least",
     SORTED, 0, SORTED, run_frames, blocks_dump, NULL, false},
    {"solve", "order and eliminate each block symbolically",
     SORTED | INITIAL, SOLVED, 0, run_solve, solution_dump, program_holds, true},
};
// clang-format on

uint32_t driver_n_passes(void)
{
    return sizeof passes / sizeof *passes;
}

const Pass *driver_pass(uint32_t k)
{
    return &passes[k];
}

const Pass *driver_find(const char *name)
{
    for (uint32_t k = 0; k < driver_n_passes(); k++) {
        if (strcmp(passes[k].name, name) == 0)
            return &passes[k];
    }
    return NULL;
}

bool driver_reached(const Compilation *c, const char *name)
{
    uint32_t gives = driver_find(name)->gives;
    return (c->facts & gives) == gives;
}

/* ---- the driver ---- */

static bool run(Compilation *c, const Pass *p);

/* Runs the passes that give the missing ones of these facts. */
static bool restore(Compilation *c, uint32_t facts)
{
    for (uint32_t k = 0; k < driver_n_passes() && (facts & ~c->facts); k++) {
        if ((passes[k].gives & facts & ~c->facts) && !run(c, &passes[k]))
            return false;
    }
    return true;
}

/* Cheap checkers always, all of them in builds that test. */
static void check(Compilation *c, const Pass *p)
{
    system_check(c->sys);
#if !RUNG_CHECKS
    if (!p->always)
        return;
#endif
    if (p->check && !p->check(&c->dae)) {
        p->dump(&c->dae, stderr);
        bug("the result of pass '%s' is inconsistent", p->name);
    }
}

static bool run(Compilation *c, const Pass *p)
{
    if (!restore(c, p->needs))
        return false;
    ArenaMark m = arena_mark(c->scratch);
    PassEnd end = p->run(c);
    arena_rollback(c->scratch, m);
    if (end == PASS_FAILED || diags_errors(c->diags) > 0)
        return false;
    c->facts = (c->facts & ~(end == PASS_UNCHANGED ? 0 : p->breaks)) | p->gives;
    check(c, p);
    return true;
}

bool driver_run(Compilation *c, const Pass *last)
{
    if (diags_errors(c->diags) > 0)
        return false; /* the files could not be read */
    while (c->n_done < driver_n_passes()) {
        const Pass *p = &passes[c->n_done++];
        if (!run(c, p))
            return false;
        if (p == last)
            return restore(c, p->breaks & FOUND_AGAIN);
    }
    return true;
}
