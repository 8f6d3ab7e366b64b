/* Which functions the interface has, in the order in which they find each other's values in w. */
#include "emit/code/message.h"
#include "emit/model/adjoint_code.h"
#include "emit/model/event_parts.h"
#include "emit/model/invariant_code.h"
#include "emit/model/jacobian_code.h"
#include "emit/model/linearisation_code.h"
#include "emit/model/loop_code.h"
#include "emit/model/model.h"
#include "emit/model/residual_code.h"
#include "emit/model/sensitivity_code.h"

/* Parameter-only conditions are hoisted and checked once; the others get an out[] each. */
static uint32_t assertions(Model *m, Root *root)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->g->n_assertions; k++) {
        ExprId x = m->g->assertion[k].cond;
        if (!expr_is_fixed(m->sys->pool, x))
            root[n++] = (Root){
                .x = x, .kind = ROOT_OUT, .index = k, .name = name_of(m->sys->names, "assertion")};
    }
    return n;
}

/* By how much each condition holds that can be searched inside a step. */
static uint32_t margins(const Model *m, Root *root)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->g->n_assertions && m->g->margin; k++)
        if (expr_exists(m->g->margin[k])) {
            root[n] = (Root){.x = m->g->margin[k],
                             .kind = ROOT_OUT,
                             .index = n,
                             .name = name_of(m->sys->names, "margin")};
            n++;
        }
    return n;
}

/* The function `choices`: the margins (eliminate/block/margin.h) of conditions in derivatives that
 * make no events. No margin depends on unknowns of a block. */
static void choices(Model *m)
{
    const Program *g = m->g;
    Root *root = arena_array(m->mem, Root, g->n_choices + 1);
    for (uint32_t k = 0; k < g->n_choices; k++)
        root[k] = (Root){.x = g->choice[k],
                         .kind = ROOT_OUT,
                         .index = k,
                         .name = name_of(m->sys->names, "choice")};
    m->has_choices = g->n_choices > 0 && g->n_states > 0 && !m->is_part;
    coder_forget(m->code, 0);
    if (m->has_choices)
        coder_section(m->code, SECTION_XDOT, "choices", UINT32_MAX, g->n_choices, root, NULL);
}

EventTables model_events(const Model *m)
{
    return (EventTables){.g = m->g,
                         .code = m->code,
                         .mem = m->mem,
                         .id = m->id,
                         .leaf = m->leaf,
                         .leaf_index = m->leaf_index,
                         .part = m->event_part,
                         .relations = m->relations,
                         .values = m->values};
}

bool model_has_own_rates(const Model *m)
{
    return m->is_part && m->g->sensitivity && !program_own_blocks(m->g);
}

/* The derivatives of the states, and other forms of the same equations that methods use. Returns
 * the call after which other sections find the derivatives in w. */
static const char *derivative_sections(Model *m)
{
    const Program *g = m->g;
    Coder *c = m->code;
    uint32_t n = g->n_states;
    Root *root = arena_array(m->mem, Root, n + 1);
    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){
            .x = g->derivative[k],
            .kind = ROOT_OUT,
            .index = k,
            .name = name_printf(m->sys->names, "der(%s)", m->sys->var.at[g->state[k].i].name.s)};
    coder_section(c, SECTION_XDOT, "xdot", UINT32_MAX, n, root, NULL);
    if (g->loops || g->newton || g->jacobian || g->residual || g->adjoint || g->along ||
        g->invariants || model_has_own_rates(m))
        coder_forget(c, 0);
    if (model_has_own_rates(m))
        coder_section_of(c, SECTION_XDOT, "own_xdot",
                         g->n_states / (g->sensitivity->n_directions + 1), g->derivative);
    if (g->adjoint && !program_own_blocks(g))
        adjoint_section(g, c, m->mem, NULL);
    if (g->residual)
        residual_sections(g, c);
    if (g->jacobian)
        jacobian_section(g, c);
    if (g->loops)
        loops_sections(g, c, m->mem);
    if (g->invariants)
        invariants_sections(g, c);
    if (g->newton)
        newton_section(g, c, m->mem, &m->newton);
    if (g->along)
        rates_along_section(g, c, m->mem);
    uint32_t derivatives = coder_work(c, n);
    for (uint32_t k = 0; k < n; k++)
        coder_found_in_work(c, g->derivative[k], derivatives + k);
    return arena_printf(m->mem, "%s_xdot(ctx, t, x, ctx->w + %u)", m->id, derivatives);
}

/* Outputs that change at events only can be evaluated by themselves, in parts that find nothing in
 * w: before all other sections. All others are one part, the last one, which comes later. */
static void still_outputs(Model *m)
{
    EventTables e = model_events(m);
    uint32_t n = m->output.n, n_still = 0, n_roots = 0;
    uint32_t *tie = arena_array(m->mem, uint32_t, n + 1);
    bool *idle = arena_array(m->mem, bool, n + 1), *is_still = arena_array(m->mem, bool, n + 1);
    for (uint32_t k = 0; k < n; k++)
        tie[k] = k;
    EventParts p =
        event_parts_find(&e, program_own_blocks(m->g) ? 0 : e.part, n, m->output.at, tie, idle);
    while (n_still < p.n && !p.nature[n_still])
        n_roots = p.first[++n_still];
    if (!n_roots)
        return;
    for (uint32_t k = 0; k < n_roots; k++)
        is_still[p.root[k].index] = true;
    for (uint32_t k = n_still; k < p.n; k++)
        p.nature[n_still] |= p.nature[k];
    for (uint32_t k = 0, to = n_roots; k < n; k++)
        if (!is_still[m->output.at[k].index])
            p.root[to++] = m->output.at[k];
    p.n = n_still + (n_roots < n);
    p.first[p.n] = n;
    p.first_read[p.n] = p.first_read[n_still]; // it is evaluated for each row
    m->outputs = p;
    for (uint32_t k = 0; k < n_still; k++) {
        coder_section(m->code, SECTION_OUTPUTS, arena_printf(m->mem, "outputs_part_%u", k),
                      UINT32_MAX, p.first[k + 1] - p.first[k], p.root + p.first[k], NULL);
        coder_forget(m->code, 0);
    }
    m->n_still = n_still;
}

/* All variables, after `first`. Returns the call after which other sections find their operands in
 * w: that of outputs if these solve a block that the derivatives do not. */
static const char *output_section(Model *m, const char *first)
{
    Coder *c = m->code;
    bool all_solved = true;
    for (uint32_t b = 0; b < program_own_blocks(m->g); b++)
        all_solved = all_solved && coder_solves(c, b);
    uint32_t mark = coder_mark(c);
    const EventParts *p = &m->outputs;
    uint32_t begin = p->n ? p->first[m->n_still] : 0;
    const char *name = p->n ? arena_printf(m->mem, "outputs_part_%u", m->n_still) : "outputs";
    if (begin < m->output.n || !p->n)
        coder_section(c, SECTION_OUTPUTS, name, UINT32_MAX, m->output.n - begin,
                      p->n ? p->root + begin : m->output.at, first);
    EventTables e = model_events(m);
    if (p->n)
        event_put_parts(&e, "outputs", p);
    if (all_solved) {
        coder_forget(c, mark);
        return first;
    }
    uint32_t values = coder_work(c, m->output.n);
    for (uint32_t k = 0; k < m->output.n; k++)
        coder_found_in_work(c, m->output.at[k].x, values + m->output.at[k].index);
    return arena_printf(m->mem, "%s_outputs(ctx, t, x, ctx->w + %u)", m->id, values);
}

/* Sections evaluated at a given state: assertions, events, derivatives by inputs, messages. False
 * after an error. */
static bool question_sections(Model *m, const char *first)
{
    const Program *g = m->g;
    Coder *c = m->code;
    Root *root = arena_array(m->mem, Root, g->n_assertions + 1);
    uint32_t mark = coder_mark(c), n = assertions(m, root);
    m->has_assertions = n > 0;
    if (n)
        coder_section(c, SECTION_ASSERTIONS, "assertions", UINT32_MAX, n, root, first);
    coder_forget(c, mark);
    bool with_blocks =
        program_own_blocks(g) > 0; // xdot stores the operands of their functions in w
    if (event_exists(g)) {
        if (!with_blocks)
            coder_forget(c, 0);
        m->relations = arena_make(m->mem, EventParts);
        m->values = arena_make(m->mem, EventParts);
        EventTables e = model_events(m);
        if (!event_sections(&e, with_blocks ? first : NULL))
            return false;
    }
    if (g->linearisation) {
        if (!with_blocks)
            coder_forget(c, 0);
        linearisation_section(g, c, m->mem, with_blocks ? first : NULL);
    }
    if (g->sensitivity) {
        if (!with_blocks)
            coder_forget(c, 0);
        sensitivity_section(g, c, m->mem, with_blocks ? first : NULL);
    }
    if (!m->wanted) {
        if (!with_blocks)
            coder_forget(c, 0);
        m->has_message = message_section(g, c, m->mem, m->id, with_blocks ? first : NULL);
        m->n_margins = margins(m, root);
        if (!with_blocks)
            coder_forget(c, 0);
        if (m->n_margins)
            coder_section(c, SECTION_XDOT, "margins", UINT32_MAX, m->n_margins, root,
                          with_blocks ? first : NULL);
        choices(m);
    }
    coder_forget(c, 0);
    return true;
}

/* States at the start, first guesses of the blocks' unknowns. */
static void start_section(Model *m)
{
    const Program *g = m->g;
    uint32_t n = g->n_states;
    Root *root = arena_array(m->mem, Root, n + m->block_first[g->n_blocks] + 1);
    for (uint32_t k = 0; k < n; k++)
        root[k] = (Root){.x = g->start[k],
                         .kind = ROOT_OUT,
                         .index = k,
                         .name = m->sys->var.at[g->state[k].i].name};
    for (uint32_t b = 0; b < program_own_blocks(g); b++)
        for (uint32_t i = 0; i < g->block[b].n; i++) {
            const VarId v = g->block[b].unknown[i];
            const ExprId guess = model_first_guess(m, v);
            double value;
            if (expr_exists(guess) && !model_attribute(m, guess, &value))
                root[n++] = (Root){.x = guess,
                                   .kind = ROOT_UNKNOWN,
                                   .index = m->block_first[b] + i,
                                   .name = m->sys->var.at[v.i].name};
        }
    coder_section(m->code, SECTION_START, "start", UINT32_MAX, n, root, NULL);
    coder_forget(m->code, 0);
}

/* Dependent parameters, and all that sections before have hoisted: the last one. */
static void update_section(Model *m)
{
    Coder *c = m->code;
    for (uint32_t k = 0; k < m->g->n_assertions; k++)
        if (expr_is_fixed(m->sys->pool, m->g->assertion[k].cond))
            coder_constant(c, m->g->assertion[k].cond);
    for (uint32_t k = 0; k < m->row.n; k++) {
        const Attributes *a = &m->sys->var.at[m->row.at[k].var.i].attr;
        double value;
        uint32_t in;
        model_bound(m, a->min, &value, &in);
        model_bound(m, a->max, &value, &in);
    }
    model_find_scales(m);
    model_find_sums(m);
    uint32_t constants = coder_n_constants(c), n = 0;
    Root *root = arena_array(m->mem, Root, m->parameter.n + constants + 1);
    for (uint32_t k = 0; k < m->parameter.n; k++) {
        VarId v = m->parameter.at[k];
        if (expr_exists(m->binding[v.i]))
            root[n++] = (Root){.x = m->binding[v.i],
                               .kind = ROOT_PARAMETER,
                               .index = k,
                               .name = m->sys->var.at[v.i].name,
                               .var = v};
    }
    for (uint32_t k = 0; k < constants; k++)
        root[n++] = (Root){.x = coder_constant_at(c, k), .kind = ROOT_CONSTANT, .index = k};
    coder_section(c, SECTION_UPDATE, "update", UINT32_MAX, n, root, NULL);
    coder_forget(c, 0);
}

bool model_sections(Model *m)
{
    still_outputs(m);
    const char *derivatives = derivative_sections(m);
    bool with_blocks = m->g->adjoint && program_own_blocks(m->g) > 0,
         waits = with_blocks && adjoint_waits(m->g, m->code, m->mem);
    if (with_blocks && !waits)
        adjoint_section(m->g, m->code, m->mem, derivatives);
    const char *first = output_section(m, derivatives);
    if (waits)
        adjoint_section(m->g, m->code, m->mem, first);
    if (!question_sections(m, first))
        return false;
    start_section(m);
    if (!m->is_part) {
        m->time_terms = time_terms_find(m->g, m->code, m->leaf, m->leaf_index, false, m->mem);
        m->state_terms = time_terms_find(m->g, m->code, m->leaf, m->leaf_index, true, m->mem);
    }
    update_section(m);
    return !coder_failed(m->code);
}
