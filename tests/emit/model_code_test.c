/* The C of a model without its derivatives: leaves and places, scales, terms of time, events, code
 * for several instances, functions that stay calls. */
#include "emit/code/code.h"
#include "emit/code/function_code.h"
#include "emit/model/event_code.h"
#include "emit/model/event_parts.h"
#include "emit/model/lane_code.h"
#include "emit/model/model.h"
#include "emit/model/relation_guards.h"
#include "emit/model/time_code.h"
#include "runtime/event/time_terms.h"
#include "runtime/kernel/rung_relation.h"
#include "tests/emit/section_unit.h"

enum { MOST = 100, POINTS = 3 };

/* ---- model.h ---- */

Test(model, places_are_where_the_values_are)
{
    Unit u = unit_of("model M\n"
                     "  parameter Real p = 2, q = 3*p; input Real u;\n"
                     "  Real x(start = 1), y, z, w;\n"
                     "equation\n"
                     "  der(x) = u - p*x; y = -x; z = x*u; w = 7 + q;\n"
                     "end M;\n",
                     &(Request){.model = "M"});
    unit_code(&u);
    unit_load(&u, NULL);
    uint32_t seen = 0;
    for (uint32_t k = 0; k < u.m.row.n; k++) {
        const ModelRow *r = &u.m.row.at[k];
        cr_assert_eq(u.m.row_of[r->var.i], k);
        double want = unit_value(&u, u.g->value[r->var.i]), have = NAN;
        switch (r->place) {
        case RUNG_IN_STATES:
            have = u.x[r->index];
            break;
        case RUNG_IN_PARAMETERS:
            have = u.ctx.p[r->index];
            break;
        case RUNG_IN_INPUTS:
            have = u.ctx.u[r->index];
            break;
        case RUNG_IN_CONSTANTS:
            have = u.ctx.c[r->index];
            break;
        case RUNG_IN_VALUES:
            have = unit_value(&u, u.m.output.at[r->index].x);
            break;
        default:
            cr_assert_fail("place %d", (int)r->place);
        }
        seen |= 1u << r->place;
        UNIT_NEAR(r->negated ? -have : have, want, "%s", model_name(&u.m, r->var));
    }
    cr_assert_eq(seen, 1u << RUNG_IN_STATES | 1u << RUNG_IN_PARAMETERS | 1u << RUNG_IN_INPUTS |
                           1u << RUNG_IN_CONSTANTS | 1u << RUNG_IN_VALUES);
    const ModelRow *y = &u.m.row.at[u.m.row_of[unit_var(&u, "y").i]],
                   *x = &u.m.row.at[u.m.row_of[unit_var(&u, "x").i]];
    cr_assert(y->place == x->place && y->index == x->index && y->negated != x->negated);
    unit_done(&u);
}

/* What rounding leaves of zero beside other elements is no size, a small number by itself is. */
Test(model, start_values_at_rounding_beside_others_tell_no_size)
{
    Unit u = unit_of("model M\n"
                     "  Real Q[4](start = {0.7, 4e-17, 1e-6, 0.7}), c(start = 1e-30);\n"
                     "equation\n"
                     "  der(Q) = -Q; der(c) = -c;\n"
                     "end M;\n",
                     &(Request){.model = "M"});
    unit_code(&u);
    cr_assert_eq(model_state_size(&u.m, unit_var(&u, "Q[1]")), 0.7);
    cr_assert_eq(model_state_size(&u.m, unit_var(&u, "Q[2]")), 1);
    cr_assert_eq(model_state_size(&u.m, unit_var(&u, "Q[3]")), 1e-6);
    cr_assert_eq(model_state_size(&u.m, unit_var(&u, "c")), 1e-30);
    unit_done(&u);
}

/* q is moved by 1 where v = q/C is moved by 1/C. */
Test(model, a_state_is_as_large_as_the_variables_it_moves)
{
    Unit u = unit_of(
        "model M\n"
        "  parameter Real C = 1e-12; parameter Real top = 2*C;\n"
        "  Real q(start = 0, max = top), v(nominal = -5), s(nominal = 0.01), n(start = 0.2);\n"
        "equation\n"
        "  der(q) = 1 - v; v = q/C; der(s) = -s; der(n) = -n;\n"
        "end M;\n",
        &(Request){.model = "M"});
    unit_code(&u);
    VarId q = unit_var(&u, "q"), v = unit_var(&u, "v"), s = unit_var(&u, "s"),
          n = unit_var(&u, "n");
    cr_assert(model_has_nominal(&u.m, v));
    cr_assert_eq(model_nominal(&u.m, v), 5);
    cr_assert_not(model_has_nominal(&u.m, q));
    cr_assert_eq(model_nominal(&u.m, q), 1);
    cr_assert_eq(model_state_size(&u.m, s), 0.01);
    cr_assert_eq(model_state_size(&u.m, n), 0.2);
    double bound, start;
    uint32_t in;
    cr_assert(model_attribute(&u.m, u.m.sys->var.at[n.i].attr.start, &start));
    cr_assert_eq(start, 0.2);
    model_bound(&u.m, u.m.sys->var.at[q.i].attr.max, &bound, &in);
    cr_assert_neq(in, RUNG_NONE);
    double size[3] = {INFINITY, INFINITY, INFINITY};
    model_state_scales(&u.m, size);
    model_find_scales(&u.m);
    unit_load(&u, NULL);
    UNIT_NEAR(u.ctx.c[in] * 1e12, 2.0, "max of q");
    double want = 5 * 1e-12, least = INFINITY;
    UNIT_NEAR(size[u.m.leaf_index[q.i]] / want, 1.0, "size of q");
    for (uint32_t k = 0; k < u.m.scale.n; k++) {
        StateScale it = u.m.scale.at[k];
        double c = it.c == RUNG_NONE ? 1 : fabs(u.ctx.c[it.c]);
        if (it.state == u.m.leaf_index[q.i])
            least = fmin(least, it.is_divisor ? it.number * c : it.number / c);
    }
    UNIT_NEAR(least / want, 1.0, "scale of q");
    unit_done(&u);
}

/* The initial system has the states among its results, and computes its unknowns. */
Test(model, initial_system_computes_states)
{
    Unit u = unit_of("model M Real x, y(start = 2); initial equation x^3 + x = 10; equation\n"
                     "  der(x) = -x; y = 2*x; end M;",
                     &(Request){.model = "M"});
    unit_code(&u);
    cr_assert_str_eq(model_identifier(u.m.sys, u.mem), "M");
    Model i = model_initial(&u.m);
    cr_assert(i.is_part);
    cr_assert_str_eq(i.id, "M_initial");
    VarId x = unit_var(&u, "x");
    cr_assert(i.wanted[x.i]);
    model_find_leaves(&i);
    cr_assert_neq(i.leaf[x.i], LEAF_STATE);
    i.code = coder_new(i.g, emit_defaults(), u.mem, i.id, i.leaf, i.leaf_index, i.binding,
                       i.block_first, i.functions);
    model_find_places(&i);
    cr_assert_neq(i.row_of[x.i], UINT32_MAX);
    cr_assert_eq(i.row.at[i.row_of[x.i]].place, RUNG_IN_VALUES);
    unit_done(&u);
}

/* ---- time_code.h ---- */

/* A pulse is a term; waves and single steps are none. Its value is that of its closed form. */
Test(time_code, pulses_are_terms)
{
    Unit u =
        unit_of("model M\n"
                "  parameter Real w = 0.1, at = 0.25;\n"
                "  Real x, y, z;\n"
                "equation\n"
                "  der(x) = x + 2*exp(-((time - at)/w)^2); der(y) = sin(3*time) + tanh(time);\n"
                "  der(z) = y + 1/(1 + (z/w)^2);\n"
                "end M;\n",
                &(Request){.model = "M"});
    unit_code(&u);
    TimeTerms time = time_terms_find(u.g, u.m.code, u.m.leaf, u.m.leaf_index, false, u.mem),
              states = time_terms_find(u.g, u.m.code, u.m.leaf, u.m.leaf_index, true, u.mem);
    cr_assert_eq(time.term.n, 1);
    cr_assert_eq(states.term.n, 1);
    uint32_t of_state = 0;
    for (uint32_t k = 0; k < states.op.n; k++)
        if (states.op.at[k] == RUNG_TIME_STATE) {
            of_state++;
            cr_assert_eq(u.g->state[states.a.at[k]].i, unit_var(&u, "z").i);
        }
    cr_assert_eq(of_state, 1);
    time_terms_table(&time, "time", &u.tables);
    const RungTimeTerms *table = unit_load(&u, "&time_terms");
    RungModel m = {.n_states = u.g->n_states, .time_terms = table};
    struct TimeTerms *it = time_terms_new(&m);
    for (int point = 0; point < POINTS; point++, unit_draw(&u)) {
        double low, high, away = (u.t - 0.25) / 0.1;
        time_terms_bounds(it, &u.ctx, 0, u.t, u.t, &low, &high);
        UNIT_NEAR(low, exp(-away * away), "at %g", u.t);
        UNIT_NEAR(high, exp(-away * away), "at %g", u.t);
    }
    time_terms_free(it);
    unit_done(&u);
}

/* ---- event_code.h, event_parts.h ---- */

static const char ball[] = "model M\n"
                           "  parameter Real every = 0.125, e = 0.7;\n"
                           "  Real h(start = 1), v, k(start = 0), d;\n"
                           "  discrete Real n(start = 0), held(start = 0);\n"
                           "equation\n"
                           "  der(h) = v; der(v) = -9.81; der(k) = if k > 3 + d then -1 else 1;\n"
                           "  d = delay(h*k, 0.25);\n"
                           "  when h < 0 then reinit(v, -e*pre(v)); end when;\n"
                           "  when {v + h < -7, k*k > 5} then reinit(k, 0); end when;\n"
                           "  when sample(0.5, every) then n = pre(n) + 1; held = h; end when;\n"
                           "end M;\n";

static EventTables ball_of(Unit *u)
{
    *u = unit_of(ball, &(Request){.model = "M"});
    unit_code(u);
    u->m.event_part = 1;
    u->m.relations = arena_make(u->mem, EventParts);
    u->m.values = arena_make(u->mem, EventParts);
    EventTables e = model_events(&u->m);
    cr_assert(event_sections(&e, NULL));
    return e;
}

Test(event_code, rows_of_memory)
{
    Unit u;
    EventTables e = ball_of(&u);
    cr_assert(event_exists(u.g));
    cr_assert(event_has_delays(u.g));
    cr_assert_eq(event_n_delays(u.g), 1);
    cr_assert_eq(event_n_relations(u.g), 4);
    EventRow *row = event_rows(&e);
    event_tables(&e, &u.tables);
    const RungEvents *t = unit_load(&u, "&event_table");
    cr_assert_eq(t->n_memory, u.g->n_memory);
    uint32_t count[MOST] = {0};
    for (uint32_t k = 0; k < t->n_memory; k++) {
        const RungMemory *m = &t->memory[k];
        count[m->kind]++;
        cr_assert_eq(m->kind, row[k].kind);
        if (m->kind == RUNG_SAMPLE) {
            cr_assert_eq(m->start, 0.5);
            UNIT_NEAR(u.ctx.c[m->interval_in], 0.125, "interval");
        }
        if (m->kind == RUNG_DELAY)
            cr_assert_eq(m->start, 0.25);
    }
    cr_assert_eq(count[RUNG_SAMPLE], 1);
    cr_assert_eq(count[RUNG_DELAY], event_n_delays(u.g));
    cr_assert_eq(count[RUNG_RELATION], event_n_relations(u.g));
    cr_assert_eq(t->n_actions, 2);
    for (uint32_t k = 0; k < 2; k++) {
        cr_assert_eq(t->action[k].state, event_state(&e, k));
        cr_assert_eq(u.g->state[event_state(&e, k)].i, unit_var(&u, k ? "k" : "v").i);
    }
    unit_done(&u);
}

/* Whether all that the program computes is the same if memory k changes, but for its own
 * zero-crossing function and those of relations that nothing reads. */
static bool is_seen(Unit *u, uint32_t k, const unsigned char *is_unread)
{
    const Program *g = u->g;
    double *of = &u->var[g->memory[k].var.i], now[2][MOST];
    const double was = *of;
    for (int flip = 0; flip < 2; flip++) {
        uint32_t n = 0, relation = 0;
        *of = flip ? was == 0 : was;
        for (uint32_t i = 0; i < g->n_states; i++)
            now[flip][n++] = unit_value(u, g->derivative[i]);
        for (uint32_t i = 0; i < g->sys->var.n; i++)
            if (g->sys->var.at[i].kind != VAR_MEMORY)
                now[flip][n++] = unit_value(u, g->value[i]);
        for (uint32_t i = 0; i < g->n_memory; i++) {
            bool is_relation = g->memory[i].kind == MEMORY_RELATION;
            if (!is_relation || !is_unread[relation])
                now[flip][n++] = unit_value(u, g->memory[i].of);
            relation += is_relation;
        }
        cr_assert_lt(n, MOST);
        memset(now[flip] + n, 0, (MOST - n) * sizeof **now);
    }
    *of = was;
    return memcmp(now[0], now[1], sizeof *now) != 0;
}

/* At random discrete states, those that relations give and others. */
Test(relation_guards, nothing_sees_the_change_of_an_unread_relation)
{
    enum { DRAWS = 400 };
    Unit u =
        unit_of("model M\n"
                "  Real i(start = 1), v(start = 2), w;\n"
                "  Boolean off = time < 1.5, quenched(start = true), up(start = false);\n"
                "  Boolean either = i > 1 or v > 1;\n"
                "  Integer mode(start = 0);\n"
                "equation\n"
                "  quenched = off and (abs(i) <= abs(v) or pre(quenched));\n"
                "  up = if pre(up) then i > -0.5 else i > 0.5;\n"
                "  mode = if pre(mode) == 2 and v > 3 then 1 elseif pre(mode) < 1 and i < w then 2 "
                "else 0;\n"
                "  w = if off and not quenched then sign(i)*i else v;\n"
                "  der(i) = v; der(v) = if up then w else -w;\n"
                "end M;\n",
                &(Request){.model = "M"});
    unit_code(&u);
    unit_load(&u, NULL);
    const Program *g = u.g;
    RelationGuards found = relation_guards_find(g, u.mem);
    cr_assert_gt(found.n, 0);
    RungGuards table = {found.n, found.op, found.a, found.b, found.number, found.of};
    double *value = arena_array(u.mem, double, found.n), memory[MOST];
    unsigned char is_unread[MOST];
    uint32_t n_unread[MOST] = {0}, n_draws[MOST] = {0};
    for (int draw = 0; draw < DRAWS; draw++) {
        unit_draw(&u);
        for (uint32_t k = 0; k < g->n_memory; k++) {
            bool is_mode = g->memory[k].kind == MEMORY_PRE &&
                           g->sys->var.at[g->memory[k].var.i].type == TYPE_INTEGER;
            u.random = u.random * 1664525u + 1013904223u;
            memory[k] = (u.random >> 16) % (is_mode ? 3 : 2);
            u.var[g->memory[k].var.i] = memory[k];
        }
        rung_find_unread(&table, found.n_relations, memory, value, is_unread);
        for (uint32_t k = 0, relation = 0; k < g->n_memory; k++) {
            if (g->memory[k].kind != MEMORY_RELATION)
                continue;
            n_draws[relation]++;
            n_unread[relation] += is_unread[relation];
            cr_assert(!is_unread[relation] || !is_seen(&u, k, is_unread), "draw %d, memory %u, %s",
                      draw, k, g->memory[k].text);
            relation++;
        }
    }
    // some always, some never, as off and either
    uint32_t some = 0, never = 0;
    for (uint32_t k = 0; k < found.n_relations; k++) {
        cr_assert_lt(n_unread[k], n_draws[k]);
        some += n_unread[k] > 0;
        never += n_unread[k] == 0;
    }
    cr_assert_geq(some, 5);
    cr_assert_geq(never, 3);
    unit_done(&u);
}

/* Each part gives the left minus right sides of its relations, and does so whatever the states are
 * that it does not list. */
Test(event_code, parts_read_the_states_that_they_list)
{
    Unit u;
    EventTables e = ball_of(&u);
    event_tables(&e, &u.tables);
    const RungEventParts *p = ((const RungEvents *)unit_load(&u, "&event_table"))->relations;
    cr_assert_not_null(p);
    cr_assert_gt(p->n, 1);
    ExprId of[MOST];
    uint32_t n = 0;
    for (uint32_t k = 0; k < u.g->n_memory; k++)
        if (u.g->memory[k].kind == MEMORY_RELATION)
            of[n++] = u.g->memory[k].of;
    double out[MOST], again[MOST], whole[MOST];
    cr_assert_eq(unit_symbol(&u, "M_events").section(&u.ctx, u.t, u.x, whole), 0);
    for (uint32_t k = 0; k < p->n; k++) {
        cr_assert_eq(p->evaluate[k](&u.ctx, u.t, u.x, out), 0);
        for (uint32_t i = p->first_out[k]; i < p->first_out[k + 1]; i++) {
            UNIT_NEAR(out[p->out[i]], unit_value(&u, of[p->out[i]]), "relation %u", p->out[i]);
            cr_assert_eq(whole[p->out[i]], out[p->out[i]]);
        }
        cr_assert_lt(p->first_state[k + 1] - p->first_state[k], u.g->n_states);
        for (uint32_t s = 0; s < u.g->n_states; s++) {
            bool is_read = false;
            for (uint32_t i = p->first_state[k]; i < p->first_state[k + 1]; i++)
                is_read = is_read || p->state[i] == s;
            u.x[s] += 0.5;
            cr_assert_eq(p->evaluate[k](&u.ctx, u.t, u.x, again), 0);
            u.x[s] -= 0.5;
            for (uint32_t i = p->first_out[k]; i < p->first_out[k + 1]; i++)
                cr_assert_eq(again[p->out[i]] != out[p->out[i]], is_read, "part %u, state %u", k,
                             s);
        }
    }
    unit_done(&u);
}

/* ---- lane_code.h ---- */

/* Each lane has the bits of the code of one instance. */
Test(lane_code, lanes_have_the_bits_of_one)
{
    enum { WIDTH = 4, STATES = 3 };
    Unit u =
        unit_of("model M\n"
                "  parameter Real k = 0.3, L = 1 + k^2; input Real u;\n"
                "  Real x, y, z;\n"
                "equation\n"
                "  der(x) = sin(y) - k*x*L; der(y) = u/(2 + cos(z)) - y^3; der(z) = exp(-x)*L;\n"
                "end M;\n",
                &(Request){.model = "M"});
    unit_code(&u);
    cr_assert_eq(u.g->n_states, STATES);
    coder_section_of(u.m.code, SECTION_XDOT, "xdot", STATES, u.g->derivative);
    EmitOptions o = emit_defaults();
    o.width = WIDTH;
    LaneCode lanes;
    cr_assert(lane_code_make(&u.m, o, true, &lanes));
    cr_assert_eq(lanes.width, WIDTH);
    u.more.mem = u.mem;
    lane_code_files(&lanes, &u.more);
    unit_load(&u, NULL);
    uint32_t n_p = u.m.parameter.n, n_c = coder_n_constants(lanes.code),
             n_w = coder_n_work(lanes.code);
    /* aligned to the width */
    double *room = aligned_alloc(sizeof *room * WIDTH,
                                 sizeof *room * WIDTH * (n_p + n_c + n_w + 1 + 2 * STATES + 8));
    RungLaneContext ctx = {.p = room};
    _Alignas(sizeof(double) * WIDTH) const double t[WIDTH] = {0};
    ctx.c = ctx.p + WIDTH * n_p;
    ctx.u = ctx.c + WIDTH * n_c;
    ctx.w = ctx.u + WIDTH;
    double *x = ctx.w + WIDTH * (n_w + 1), *xdot = x + WIDTH * STATES, want[WIDTH][STATES];
    uint32_t k_at = u.m.leaf_index[unit_var(&u, "k").i];
    double *own = u.ctx.c, *c = arena_array(u.mem, double, n_c + 1);
    for (int lane = 0; lane < WIDTH; lane++, unit_draw(&u)) {
        u.ctx.p[k_at] = 0.3 + lane;
        cr_assert_eq(unit_symbol(&u, "M_update").update(&u.ctx), 0);
        cr_assert_eq(unit_symbol(&u, "M_xdot").section(&u.ctx, u.t = 0, u.x, want[lane]), 0);
        u.ctx.c = c;
        cr_assert_eq(unit_symbol(&u, "M_lanes4_constants").update(&u.ctx), 0);
        u.ctx.c = own;
        for (uint32_t k = 0; k < n_p; k++)
            ctx.p[k * WIDTH + lane] = u.ctx.p[k];
        for (uint32_t k = 0; k < n_c; k++)
            ctx.c[k * WIDTH + lane] = c[k];
        for (uint32_t k = 0; k < STATES; k++)
            x[k * WIDTH + lane] = u.x[k];
        ctx.u[lane] = u.ctx.u[0];
    }
    cr_assert_eq(unit_symbol(&u, "M_lanes4_xdot").lanes(&ctx, t, x, xdot), 0);
    cr_assert_eq(ctx.failed, 0);
    for (int lane = 0; lane < WIDTH; lane++)
        for (uint32_t k = 0; k < STATES; k++)
            cr_assert_eq(xdot[k * WIDTH + lane], want[lane][k], "lane %d, state %u", lane, k);
    free(room);
    unit_done(&u);
}

/* A function is for one instance. */
Test(lane_code, calls_are_refused)
{
    Unit u = unit_of("model M\n"
                     "  function f input Real x; output Real y = 1; algorithm\n"
                     "    while y < x loop y := 2*y; end while; end f;\n"
                     "  Real x; equation der(x) = f(x); end M;",
                     &(Request){.model = "M"});
    unit_code(&u);
    EmitOptions o = emit_defaults();
    o.width = 4;
    LaneCode lanes;
    cr_assert_not(lane_code_make(&u.m, o, true, &lanes));
    cr_assert_str_eq(diags_at(u.c->diags, 0)->code, "G07");
    unit_done(&u);
}

/* ---- function_code.h ---- */

/* Called in C it gives the number that the compiler finds for the same argument. */
Test(function_code, computes_what_the_compiler_does)
{
    Unit u = unit_of("model M\n"
                     "  function f input Real x; input Real bound; output Real y = 1;\n"
                     "    output Real last; algorithm while abs(y^2 - x) > bound loop\n"
                     "    last := y; y := (y + x/y)/2; end while; end f;\n"
                     "  Real a, b, s; constant Real known = f(1.75, 1e-9);\n"
                     "equation\n"
                     "  der(s) = a - b; (a, b) = f(s, 1e-9);\n"
                     "end M;\n",
                     &(Request){.model = "M"});
    unit_code(&u);
    coder_section_of(u.m.code, SECTION_XDOT, "xdot", 1, u.g->derivative);
    cr_assert_eq(u.m.functions->used.n, 1);
    FuncId f = u.m.functions->used.at[0];
    const Function *fn = &u.m.sys->function->at[f.i];
    cr_assert_eq(function_n_texts(fn), 0);
    cr_assert_not(u.m.functions->has_texts);
    const External **external;
    cr_assert_eq(function_externals(u.m.functions, u.mem, &external), 0);
    unit_load(&u, NULL);
    double in[] = {1.75, 1e-9}, out[2], want;
    cr_assert_eq(unit_symbol(&u, function_use(u.m.functions, f)).call(&u.ctx, in, out), 0);
    cr_assert(
        expr_constant(u.m.sys->pool, u.g->value[unit_var(&u, "known").i], &want) ||
        expr_constant(u.m.sys->pool, u.m.sys->var.at[unit_var(&u, "known").i].binding, &want));
    UNIT_NEAR(out[0], want, "f");
    double xdot;
    u.x[0] = in[0];
    cr_assert_eq(unit_symbol(&u, "M_xdot").section(&u.ctx, 0, u.x, &xdot), 0);
    UNIT_NEAR(xdot, out[0] - out[1], "der(s)");
    unit_done(&u);
}

/* ---- code.h ---- */

Test(code, signs_and_constants)
{
    Unit u = unit_of("model M parameter Real p = 2; Real x; equation der(x) = -p*x; end M;",
                     &(Request){.model = "M"});
    ExprPool *pool = u.c->sys->pool;
    ExprId p = system_var_expr(u.c->sys, unit_var(&u, "p")),
           x = system_var_expr(u.c->sys, unit_var(&u, "x"));
    bool negated = true;
    ExprId inside = expr_wrap(pool, OP_NOEVENT, expr_neg(pool, expr_fn(pool, FN_SIN, x)));
    cr_assert_eq(code_strip(pool, inside, &negated).i, expr_fn(pool, FN_SIN, x).i);
    cr_assert_not(negated);
    ExprId square = expr_mul(pool, p, p);
    unit_code(&u); // of the expressions that there are by now
    uint32_t at = coder_constant(u.m.code, square), n = coder_n_constants(u.m.code);
    cr_assert_eq(coder_constant(u.m.code, square), at);
    cr_assert_eq(coder_n_constants(u.m.code), n);
    cr_assert_eq(coder_constant_at(u.m.code, at).i, square.i);
    unit_load(&u, NULL);
    UNIT_NEAR(u.ctx.c[at], unit_value(&u, square), "p^2");
    unit_done(&u);
}

/* Entries of a matrix that persists: those of parameters alone by one section, all others by the
 * other, each once. A later section reuses values until they are forgotten. */
Test(code, varying_entries_and_memory)
{
    Unit u = unit_of("model M parameter Real p = 2; Real x, y; equation\n"
                     "  der(x) = p*sin(x*y); der(y) = cos(x*y) - y*p; end M;",
                     &(Request){.model = "M"});
    ExprPool *pool = u.c->sys->pool;
    ExprId p = system_var_expr(u.c->sys, unit_var(&u, "p"));
    const ExprId entry[] = {u.g->derivative[0], expr_mul(pool, p, p), u.g->derivative[1],
                            expr_int(pool, 3)};
    enum { N = sizeof entry / sizeof *entry };
    unit_code(&u);
    uint32_t place[N];
    coder_section_of_parameters(u.m.code, "still", N, entry);
    cr_assert_eq(coder_section_varying(u.m.code, "varying", N, entry, place), 2);
    uint32_t mark = coder_mark(u.m.code);
    coder_section(u.m.code, SECTION_XDOT, "xdot", UINT32_MAX, 1,
                  &(Root){.x = u.g->derivative[0], .kind = ROOT_OUT}, NULL);
    uint32_t work = coder_work(u.m.code, 1);
    coder_found_in_work(u.m.code, u.g->derivative[0], work);
    uint64_t before = coder_statements(u.m.code);
    coder_section_of(u.m.code, SECTION_XDOT, "found", 1, u.g->derivative);
    uint64_t found = coder_statements(u.m.code) - before;
    coder_forget(u.m.code, mark);
    before = coder_statements(u.m.code);
    coder_section_of(u.m.code, SECTION_XDOT, "anew", 1, u.g->derivative);
    cr_assert_gt(coder_statements(u.m.code) - before, found);
    unit_load(&u, NULL);
    double whole[N], out[N];
    for (int k = 0; k < N; k++)
        whole[k] = NAN;
    cr_assert_eq(unit_symbol(&u, "M_still").still(&u.ctx, whole), 0);
    cr_assert_eq(unit_symbol(&u, "M_varying").section(&u.ctx, u.t, u.x, out), 0);
    for (int k = 0; k < 2; k++)
        whole[place[k]] = out[k];
    for (int k = 0; k < N; k++)
        UNIT_NEAR(whole[k], unit_value(&u, entry[k]), "entry %d", k);
    u.ctx.w[work] = 0.75;
    cr_assert_eq(unit_symbol(&u, "M_found").section(&u.ctx, u.t, u.x, out), 0);
    cr_assert_eq(out[0], 0.75);
    cr_assert_eq(unit_symbol(&u, "M_anew").section(&u.ctx, u.t, u.x, out), 0);
    UNIT_NEAR(out[0], unit_value(&u, u.g->derivative[0]), "der(x)");
    unit_done(&u);
}
