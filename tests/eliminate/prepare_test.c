#include "eliminate/forms/invariants.h"
#include "eliminate/prepare/events.h"
#include "eliminate/prepare/inline_calls.h"
#include "eliminate/prepare/open_loops.h"
#include "eliminate/prepare/parameters.h"
#include "eliminate/prepare/redundant_states.h"
#include "eliminate/prepare/structural_check.h"
#include "tests/eliminate/model.h"

static const char pendulum[] = "model M\n"
                               "  parameter Real L = 2;\n"
                               "  Real x(start = 1.2), y(start = 1.6), vx, vy, f;\n"
                               "equation\n"
                               "  der(x) = vx; der(y) = vy;\n"
                               "  der(vx) = f*x; der(vy) = f*y - 9.81;\n"
                               "  x^2 + y^2 = L^2;\n"
                               "end M;\n";

static bool contains(const System *s, ExprId root, Op op)
{
    Arena *mem = arena_new();
    bool *mark = arena_array(mem, bool, pool_size(s->pool));
    program_reach(s->pool, 1, &root, mark);
    bool found = false;
    for (uint32_t k = 0; k < pool_size(s->pool); k++)
        found = found || (mark[k] && expr_op(s->pool, (ExprId){k}) == op);
    arena_free(mem);
    return found;
}

static bool any_contains(const System *s, Op op)
{
    bool found = false;
    for (uint32_t k = 0; k < s->eq.n; k++)
        found = found || contains(s, s->eq.at[k].lhs, op) || contains(s, s->eq.at[k].rhs, op);
    return found;
}

Test(prepare, derivatives_of_products)
{
    Model m = model_of("model M Real x, y; equation der(x*y) = 1; y = time; end M;");
    System *s = m.dae.sys;
    cr_assert(der_expand(s, m.scratch));
    ExprPool *p = s->pool;
    ExprId want = expr_add(
        p, expr_mul(p, system_var_expr(s, system_der(s, model_var(&m, "x"))), model_expr(&m, "y")),
        expr_mul(p, model_expr(&m, "x"), system_var_expr(s, system_der(s, model_var(&m, "y")))));
    bool found = false;
    for (uint32_t k = 0; k < s->eq.n; k++)
        found = found || expr_same(s->eq.at[k].lhs, want) || expr_same(s->eq.at[k].rhs, want);
    cr_assert(found);
    model_done(&m);
}

Test(prepare, structural_check_names_the_clash)
{
    Model good = model_of("model M Real x, y; equation x = y; x + y = 1; end M;");
    cr_assert(structural_check(&good.dae, good.scratch));
    model_done(&good);
    Model bad = model_of("model M Real x, y; equation x = 1; 2*x = 3; end M;");
    cr_assert_not(structural_check(&bad.dae, bad.scratch));
    cr_assert(model_says(&bad, "S02"));
    model_done(&bad);
    /* der(x) and x are one unknown */
    Model few = model_of("model M Real x; equation der(x) = 1; end M;");
    cr_assert(structural_check(&few.dae, few.scratch));
    model_done(&few);
}

Test(prepare, chains_are_one_column)
{
    Model m = model_of("model M Real x, v, a; equation der(x) = v; der(v) = a; a = -x; end M;");
    System *s = m.dae.sys;
    bool *unknown = arena_array(m.mem, bool, s->var.n);
    memset(unknown, 1, s->var.n);
    Structure t = structure_of_chains(s, unknown, m.mem);
    cr_assert_eq(t.n, 3);
    cr_assert_eq(t.column[model_var(&m, "x").i], t.column[model_var(&m, "der(x)").i]);
    cr_assert_neq(t.column[model_var(&m, "x").i], t.column[model_var(&m, "v").i]);
    cr_assert(incidence_check(&t.g));
    model_done(&m);
}

Test(prepare, index_reduction_of_a_pendulum)
{
    Model m = model_of(pendulum);
    model_reduce(&m);
    Dae *d = &m.dae;
    cr_assert_eq(d->pantelides.max_diffs, 2);
    cr_assert_eq(d->states.n, 2);
    cr_assert(reduce_check(d));
    cr_assert(states_check(&d->states, &d->pantelides));
    d->structure.n--; /* a fact that is not that of the System */
    cr_assert_not(reduce_check(d));
    model_done(&m);
}

Test(prepare, index_reduction_names_what_is_singular)
{
    /* singular once the alias is gone */
    Model m = model_of("model M Real x, y, z; equation x = y; x - y = z; z = 0; end M;");
    Dae *d = &m.dae;
    cr_assert(der_expand(d->sys, m.scratch));
    bool ok = aliases_remove(d->sys, &d->aliases, m.scratch) && reduce_index(d, m.scratch);
    cr_assert_not(ok);
    cr_assert(model_says(&m, "S02"));
    model_done(&m);
}

Test(prepare, states_are_chosen_by_priority)
{
    Model m = model_of("model M\n"
                       "  Real x(stateSelect = StateSelect.never), y(stateSelect = "
                       "StateSelect.prefer);\n"
                       "equation der(x) + der(y) = 1; x = 2*y + time; end M;");
    model_reduce(&m);
    cr_assert_eq(m.dae.states.n, 1);
    cr_assert(m.dae.is_state[model_var(&m, "y").i]);
    cr_assert_not(m.dae.is_state[model_var(&m, "x").i]);
    model_done(&m);
}

Test(prepare, sorted_equations_solve_the_model)
{
    Model m = model_of(pendulum);
    model_sort(&m);
    Blt *b = &m.dae.blt;
    cr_assert(blt_is_complete(b));
    cr_assert(blt_check(b));
    uint32_t last = b->blocks.begin[b->blocks.n] - 1, e = b->blocks.eq[0];
    b->blocks.eq[0] = b->blocks.eq[last];
    b->blocks.eq[last] = e;
    cr_assert_not(blt_check(b)); /* pairs that are not matched */
    model_done(&m);
}

Test(prepare, sorting_needs_all_equations)
{
    Model m = model_of(pendulum);
    model_reduce(&m);
    m.dae.sys->eq.n--;
    cr_assert_not(equations_sort(&m.dae, m.scratch));
    cr_assert(model_says(&m, "S06"));
    model_done(&m);
}

Test(prepare, redundant_states_of_a_pendulum)
{
    Model m = model_of(pendulum);
    model_sort(&m);
    Dae *d = &m.dae;
    cr_assert(redundant_find(d, m.scratch));
    cr_assert_eq(d->redundancy.n, 2); /* a position, a velocity */
    uint32_t n = d->sys->eq.n;
    redundant_apply(d);
    cr_assert_eq(d->sys->eq.n, n - 2);
    cr_assert(equations_sort(d, m.scratch));
    cr_assert(blt_check(&d->blt));
    model_solve(&m);
    const Program *g = &d->solution.program;
    cr_assert_eq(g->n_states, 4);
    /* both are functions of the states: of two positions, of these and two velocities */
    invariants_make(d, 1000, m.scratch);
    cr_assert_eq(g->invariants->n, 2);
    cr_assert_eq(g->invariants->by_state.columns.col_start[4], 6);
    model_done(&m);
    /* linear constraints determine their variables wherever they are */
    Model linear = model_of("model M Real x, y; equation der(x) = time; x + 2*y = 1; end M;");
    model_sort(&linear);
    cr_assert(redundant_find(&linear.dae, linear.scratch));
    cr_assert_eq(linear.dae.redundancy.n, 0);
    model_done(&linear);
}

Test(prepare, constraints_written_as_equations_are_cut)
{
    Model m = model_of(pendulum);
    Dae *d = &m.dae;
    System *s = d->sys;
    cr_assert(der_expand(s, m.scratch));
    uint32_t n = s->eq.n;
    cr_assert(loops_open(d, LOOPS_CUT_JOINTS, m.scratch));
    cr_assert_eq(d->loops.n_loops, 0); /* there are no joints */
    cr_assert(loops_open(d, LOOPS_CUT_ALL, m.scratch));
    cr_assert_eq(d->loops.n_constraints, 1);
    cr_assert_eq(s->eq.n, n - 1);
    cr_assert_eq(d->loops.multiplier[0].i, model_var(&m, "f").i);
    cr_assert_eq(var_at(s, model_var(&m, "f"))->kind, VAR_INPUT);
    model_done(&m);
}

Test(prepare, kept_calls_are_expanded)
{
    Model m = model_of("model M\n"
                       "  function F input Real u; output Real y; algorithm y := u*u;\n"
                       "    annotation(LateInline = true); end F;\n"
                       "  Real x; equation der(x) = F(x); end M;");
    System *s = m.dae.sys;
    cr_assert(any_contains(s, OP_CALL));
    inline_calls(s, &m.dae.aliases, m.scratch);
    cr_assert_not(any_contains(s, OP_CALL));
    model_done(&m);
}

Test(prepare, relations_become_memory)
{
    Model m = model_of("model M Real x; equation der(x) = if x > 1 then -1 else 1; end M;");
    System *s = m.dae.sys;
    cr_assert(any_contains(s, OP_LT) || any_contains(s, OP_LE));
    events_remember(s, m.scratch);
    cr_assert_eq(s->memory.n, 1);
    cr_assert_not(any_contains(s, OP_LT) || any_contains(s, OP_LE));
    model_done(&m);
}

/* MLS 8.5; the relation 2 < x of the argument is one of the equation. */
Test(prepare, relations_of_functions_make_no_events)
{
    Model m =
        model_of("model M\n"
                 "  function F input Real u; output Real y = if u > 1 then mod(u, 7) else 0;\n"
                 "  end F;\n"
                 "  Real x; equation der(x) = F(if x > 2 then -1 else 1); end M;");
    System *s = m.dae.sys;
    events_remember(s, m.scratch);
    cr_assert_eq(s->memory.n, 1);
    const Memory *relation = &s->memory.at[0];
    cr_assert_eq(relation->kind, MEMORY_RELATION);
    ExprId want = expr_sub(s->pool, expr_int(s->pool, 2), model_expr(&m, "x"));
    cr_assert(expr_same(relation->of, want));
    cr_assert(any_contains(s, OP_LT) && any_contains(s, OP_FN2));
    model_done(&m);
}

Test(prepare, final_parameters_are_put_in)
{
    Model m = model_of("model M parameter Real p = 2; final parameter Real q[2] = {p + 1, 3*p};\n"
                       "  Real x; equation der(x) = q[1]*x + q[2]; end M;");
    System *s = m.dae.sys;
    ExprPool *p = s->pool;
    ExprId *value = parameters_values(s, m.scratch);
    ExprId want = expr_add(p, model_expr(&m, "p"), expr_int(p, 1));
    cr_assert(expr_same(value[model_var(&m, "q[1]").i], want));
    cr_assert_not(expr_exists(value[model_var(&m, "p").i]));
    model_done(&m);
}
