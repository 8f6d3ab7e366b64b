/* Rings of hinges cut open: trees with multipliers as inputs. */
#include "eliminate/prepare/loop_cut.h"

#include "tests/eliminate/model.h"
#include "tests/eliminate/ring.h"

/* Two rings, the second from a hinge of the first. */
static const char rings[] = "model M\n" RING_CLASSES(
    "b.phi - a.phi") "Ground g; Hinge h[3], k[2];\n"
                     "equation\n"
                     "  connect(g.b, h[1].a); connect(h[1].b, h[2].a); connect(h[2].b, h[3].a);\n"
                     "  connect(h[3].b, g.b);\n"
                     "  connect(h[1].b, k[1].a); connect(k[1].b, k[2].a); connect(k[2].b, "
                     "h[1].b);\n"
                     "end M;";

Test(loop_cut, a_constraint_leaves_and_its_multiplier_is_an_input)
{
    Model m = model_of(rings);
    System *s = m.dae.sys;
    cr_assert(loops_can_cut(s));
    uint32_t n_eq = s->eq.n, n_var = s->var.n;
    LoopCut c = loops_cut(s, m.scratch);
    cr_assert_eq(c.n_loops, 2);
    cr_assert_eq(c.n_constraints, 2);
    cr_assert(c.first[0] == 0 && c.first[1] == 1 && c.first[2] == 2);
    cr_assert_eq(s->var.n, n_var + 2);
    cr_assert_eq(s->eq.n, n_eq, "of each cut: a constraint less, a sum of flows in two parts");
    for (uint32_t k = 0; k < 2; k++) {
        cr_assert_eq(var_at(s, c.multiplier[k])->kind, VAR_INPUT);
        cr_assert_eq(strncmp(var_at(s, c.multiplier[k])->name.s, "cut(", 4), 0);
    }
    cr_assert_neq(c.multiplier[0].i, c.multiplier[1].i);
    model_reduce(&m);
    cr_assert_eq(m.dae.pantelides.max_diffs, 0, "as in a tree");
    cr_assert_eq(m.dae.states.n, 10, "each hinge");
    model_done(&m);
    Model closed = model_of(rings);
    model_reduce(&closed);
    cr_assert_eq(closed.dae.pantelides.max_diffs, 2);
    cr_assert_eq(closed.dae.states.n, 6, "two less for each ring");
    model_done(&closed);
}

/* Rings of protected hinges: the force has the name of the component, unless that has two. */
Test(loop_cut, a_cut_inside_a_component_is_named_by_it)
{
    static const char *const force[2][2] = {{"cut(ring.t)", NULL},
                                            {"cut(ring.h3.a.t)", "cut(ring.k2.a.t)"}};
    for (uint32_t n = 1; n <= 2; n++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "model M\n" RING_CLASSES(
                "b.phi - a.phi") "model Inside Flange a; protected Hinge h1, h2, h3, k1, k2; "
                                 "equation\n"
                                 "connect(a, h1.a); connect(h2.b, k1.a); connect(k1.b, k2.b); "
                                 "connect(a, h3.b);\n"
                                 "connect(h1.b, h2.a); connect(h2.b, h3.a); %s end Inside;\n"
                                 "Ground g; Inside ring; equation connect(g.b, ring.a); end M;",
            n == 2 ? "connect(h1.b, k2.a);" : "");
        Model m = model_of(text);
        System *s = m.dae.sys;
        cr_assert(loops_can_cut(s));
        LoopCut c = loops_cut(s, m.scratch);
        cr_assert_eq(c.n_loops, n);
        for (uint32_t l = 0; l < n; l++)
            cr_assert_str_eq(var_at(s, c.multiplier[l])->name.s, force[n - 1][l]);
        cr_assert_str_eq(c.name[0].s, n == 1 ? "ring" : "ring.h2.b - ring.h3.a");
        model_done(&m);
    }
}

/* Over the states of the tree the constraint is the sum of the angles, and its force moves the
 * hinge beside the cut. */
Test(loop_cut, the_constraint_and_its_force_over_the_states)
{
    Model m = model_of(rings);
    System *s = m.dae.sys;
    LoopCut c = loops_cut(s, m.scratch);
    model_sort(&m);
    model_solve(&m);
    const Program *g = &m.dae.solution.program;
    ExprPool *p = s->pool;
    Substitution all = {.value = g->value, .n = s->var.n, .mem = m.scratch};
    for (uint32_t l = 0; l < 2; l++) {
        ExprId phi = expr_substitute(p, &all, c.phi[l]), want = expr_int(p, 0);
        const char *const hinge[2][3] = {{"h[1].q", "h[2].q", "h[3].q"}, {"k[1].q", "k[2].q"}};
        for (uint32_t k = 0; k < 3 - l; k++)
            want = expr_add(p, want, model_expr(&m, hinge[l][k]));
        Fp have = expr_fingerprint(p, phi);
        bool same = fp_same(have, expr_fingerprint(p, want)),
             opposite = fp_same(have, expr_fingerprint(p, expr_neg(p, want)));
        cr_assert(same || opposite);
        /* the acceleration of the hinge beside the cut: dphi/dq times the force */
        ExprId force = system_var_expr(s, c.multiplier[l]);
        ExprId der = g->value[model_var(&m, l ? "der(k[2].w)" : "der(h[3].w)").i];
        cr_assert(expr_same(der, same ? force : expr_neg(p, force)));
    }
    /* from the second ring both sides of its cut pull at the first, and cancel */
    cr_assert(expr_same(g->value[model_var(&m, "der(h[1].w)").i],
                        g->value[model_var(&m, "der(h[3].w)").i]));
    model_done(&m);
}

Test(loop_cut, constraints_and_flows_must_pair)
{
    Model tree =
        model_of("model M\n" RING_CLASSES("b.phi - a.phi") "Ground g; Hinge h;\n"
                                                           "equation connect(g.b, h.a); end M;");
    cr_assert_not(loops_can_cut(tree.dae.sys), "there is no loop");
    model_done(&tree);
    Model m = model_of(rings);
    System *s = m.dae.sys;
    s->cut.at[1].flow.n = 0;
    cr_assert_not(loops_can_cut(s));
    model_done(&m);
}
