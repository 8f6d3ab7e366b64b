#include "cli/driver.h"

#include "base/bug.h"
#include "cli/initial.h"
#include "cli/redundant.h"
#include "eliminate/block/ordering.h"
#include "eliminate/prepare/constraint_cut.h"
#include "eliminate/prepare/differentiate.h"
#include "eliminate/prepare/events.h"
#include "eliminate/prepare/massless.h"
#include "eliminate/prepare/parameters.h"
#include "eliminate/prepare/reduce.h"
#include "graph/blocks.h"
#include "graph/dulmage.h"
#include "graph/matching.h"
#include "graph/spanning.h"

#include <string.h>

enum {
    FACT_FLAT = 1,
    FACT_PLAIN_DER = 2, /* der only of variables      */
    FACT_ALIASED = 4,
    FACT_REDUCED = 8, /* index at most 1            */
    FACT_STATES = 16,
    FACT_MATCHED = 32,
    FACT_BLOCKS = 64,
    FACT_SOLVED = 128,
};

/* ---- flatten ---- */

static const char *span_connections(const VirtualGraph *v, Arena *mem, uint32_t *at)
{
    SpanningGraph g = {.n_nodes = v->n_nodes,
                       .n_branches = v->n_branches,
                       .n_connects = v->n_connects,
                       .n_roots = v->n_roots,
                       .n_potential = v->n_potential,
                       .branch = (const SpanningEdge *)v->branch,
                       .connect = (const SpanningEdge *)v->connect,
                       .root = v->root,
                       .potential = v->potential,
                       .priority = v->priority};
    Spanning t = spanning_find(&g, mem);
    memcpy(v->broken, t.broken, sizeof(bool) * v->n_connects);
    memcpy(v->root_of, t.root_of, sizeof(uint32_t) * v->n_nodes);
    memcpy(v->above, t.parent, sizeof(uint32_t) * v->n_nodes);
    memcpy(v->rooted, t.rooted, sizeof(bool) * v->n_branches);
    *at = t.fault_at;
    switch (t.fault) {
    case SPANNING_GOOD:
        return NULL;
    case SPANNING_BRANCH_LOOP:
        return "closes a loop of required branches";
    case SPANNING_TWO_ROOTS:
        return "ties two definite roots together";
    case SPANNING_NO_ROOT:
        *at += v->n_branches;
        return "has no root";
    }
    bug("spanning fault %d", (int)t.fault);
}

void pipeline_lend(Compilation *c)
{
    c->front->spanning = span_connections;
}

static bool is_unknown_kind(const Var *v)
{
    return v->kind == VAR_CONTINUOUS || v->kind == VAR_DISCRETE;
}

static bool run_flatten(Compilation *c)
{
    if (!flatten(c->front, c->options->model))
        return false;
    system_check(c->sys);
    c->n_flat_equations = c->sys->eq.n;
    for (uint32_t k = 0; k < c->sys->var.n; k++) {
        const Var *v = &c->sys->var.at[k];
        c->n_flat_unknowns += is_unknown_kind(v) && !var_exists(v->der_of);
    }
    return true;
}

/* ---- dumps that can be read back ---- */

static void dump_with(Compilation *c, bool with_cuts, FILE *f)
{
    System *s = c->sys;
    Arena *mem = arena_new();
    VarId *removed = arena_array(mem, VarId, s->var.n);
    ExprId *value = arena_array(mem, ExprId, s->var.n);
    SystemFacts facts = {.with_cuts = with_cuts, .removed = removed, .value = value};
    for (uint32_t k = 0; c->facts & FACT_ALIASED && k < s->var.n; k++) {
        ExprId x = alias_value(s, &c->aliases, (VarId){k});
        if (expr_exists(x) && !var_exists(s->var.at[k].der_of)) {
            removed[facts.n_removed] = (VarId){k};
            value[facts.n_removed++] = x;
        }
    }
    if (c->facts & FACT_REDUCED)
        facts.derivative_of = c->pantelides.eq_der_of;
    system_dump(s, &facts, f);
    arena_free(mem);
}

/* While kinematic loops are whole. */
static void dump_whole(Compilation *c, FILE *f)
{
    dump_with(c, true, f);
}

static void dump_system(Compilation *c, FILE *f)
{
    dump_with(c, false, f);
}

/* ---- der, alias ---- */

static bool run_der(Compilation *c)
{
    return system_supported(c->sys) && reduce_expand(c->sys, c->scratch);
}

static bool run_parameters(Compilation *c)
{
    parameters_put_in(c->sys, &c->loops, c->scratch);
    return true;
}

static bool run_events(Compilation *c)
{
    events_remember(c->sys, c->scratch);
    return true;
}

static bool run_alias(Compilation *c)
{
    return aliases_remove(c->sys, &c->aliases, c->scratch);
}

static void dump_alias(Compilation *c, FILE *f)
{
    System *s = c->sys;
    uint32_t n_aliases = 0, n_constants = 0;
    for (uint32_t k = 0; k < s->var.n; k++) {
        ExprId x =
            var_exists(s->var.at[k].der_of) ? EXPR_NONE : alias_value(s, &c->aliases, (VarId){k});
        bool is_constant = expr_exists(x) && expr_variability(s->pool, x) <= VARIES_PARAMETER;
        n_constants += is_constant;
        n_aliases += expr_exists(x) && !is_constant;
    }
    dump_system(c, f);
    fprintf(f, "// %u aliases, %u constants removed\n", n_aliases, n_constants);
}

/* ---- loops ---- */

/* Kinematic loops are cut open where the cut joints allow it, unless index reduction is asked for.
 */
static bool run_loops(Compilation *c)
{
    const char *how = c->options->loops;
    if (how && strcmp(how, "index-reduction") == 0)
        return true;
    if (loops_can_cut(c->sys)) {
        c->loops = loops_cut(c->sys, c->scratch);
        massless_find(c->sys, &c->loops, c->scratch);
    } else if (how && c->sys->cut.n == 0) {
        c->loops = constraints_cut(c->sys, c->scratch);
    } else if (how) {
        diag_error(
            c->sys->diags, c->sys->cut.at[0].span, "E04",
            "the loop cut here has %u constraints in its overdetermined record (MLS 9.4) and %u "
            "flow variables, so that forces and constraints cannot be paired; leave --loops out, "
            "and the index is reduced instead",
            c->sys->cut.at[0].n_eq, c->sys->cut.at[0].flow.n);
        return false;
    }
    return true;
}

static void dump_loops(Compilation *c, FILE *f)
{
    dump_system(c, f);
    Arena *mem = arena_new();
    for (uint32_t l = 0; l < c->loops.n_loops; l++) {
        fprintf(f, "// cut: %s\n", c->loops.name[l].s);
        for (uint32_t k = c->loops.first[l]; k < c->loops.first[l + 1]; k++)
            fprintf(f, "// 0 = %s\n", expr_text(c->sys, c->loops.phi[k], mem));
    }
    arena_free(mem);
}

/* ---- regular ---- */

/* 'a', 'b' and 7 more */
static const char *list_of_names(const Compilation *c, const DulmagePart *part, const VarId *column)
{
    enum { SHOWN = 3 };
    const char *text = part->n_vars ? "" : "nothing";
    for (uint32_t k = 0; k < part->n_vars && k < SHOWN; k++)
        text = arena_printf(c->mem, "%s%s'%s'", text, k ? ", " : "",
                            c->sys->var.at[column[part->var[k]].i].name.s);
    if (part->n_vars > SHOWN)
        text = arena_printf(c->mem, "%s and %u more", text, part->n_vars - SHOWN);
    return text;
}

/* In the modeller's names: which equations clash, what nothing determines. Columns are variables
 * with all their derivatives. */
static void report_singular(Compilation *c, const Incidence *g, const Matching *m,
                            const VarId *column)
{
    System *s = c->sys;
    enum { SHOWN = 8 };
    uint32_t odd_eq = INC_NONE;
    uint32_t odd_var = INC_NONE;
    /* of several, the one written last is the likeliest mistake */
    for (uint32_t e = 0; e < g->n_rows; e++)
        odd_eq = m->var_of[e] == INC_NONE ? e : odd_eq;
    for (uint32_t v = g->n_cols; v-- > 0;)
        odd_var = m->eq_of[v] == INC_NONE ? v : odd_var;
    const char *size = arena_printf(c->mem, "the model has %u equations and %u unknowns",
                                    c->n_flat_equations, c->n_flat_unknowns);
    const Var *missing = odd_var == INC_NONE ? NULL : var_at(s, column[odd_var]);
    if (odd_eq != INC_NONE) {
        DulmagePart clash = dulmage_clash(g, m, odd_eq, c->mem);
        diag_error(s->diags, s->eq.at[odd_eq].span, "S02",
                   "structurally singular: %u equations determine only %s (%s)", clash.n_eqs,
                   list_of_names(c, &clash, column), size);
        for (uint32_t k = 0; k < clash.n_eqs && k < SHOWN; k++) {
            if (clash.eq[k] != odd_eq)
                diag_note(s->diags, s->eq.at[clash.eq[k]].span, "this equation is one of them");
        }
        for (uint32_t k = 0; k < clash.n_vars && k < SHOWN; k++) {
            const Var *v = var_at(s, column[clash.var[k]]);
            diag_note(s->diags, v->span, "they determine '%s'", v->name.s);
        }
        if (missing)
            diag_note(s->diags, missing->span, "no equation is left to determine '%s'",
                      missing->name.s);
        return;
    }
    DulmagePart gap = dulmage_gap(g, m, odd_var, c->mem);
    diag_error(s->diags, missing->span, "S03",
               "structurally singular: no equation determines '%s' (%s)", missing->name.s, size);
    for (uint32_t k = 0; k < gap.n_vars && k < SHOWN; k++) {
        const Var *v = var_at(s, column[gap.var[k]]);
        if (v != missing)
            diag_note(s->diags, v->span, "one more equation is needed for it or for '%s'",
                      v->name.s);
    }
}

/* Redundant constraints are too many equations, unless their loop is cut. */
static void note_loops(Compilation *c)
{
    const System *s = c->sys;
    for (uint32_t k = 0; k < s->cut.n && c->loops.n_loops == 0 && loops_can_cut(s); k++)
        diag_note(s->diags, s->cut.at[k].span,
                  "this closes a kinematic loop; with --loops ali3p or penalty it is cut here, and "
                  "its constraints may be redundant");
}

/* MLS 4.7: each unknown needs its equation. Looked at before anything is removed, a variable and
 * its derivatives being one unknown, so that messages show what the modeller wrote. */
static bool run_regular(Compilation *c)
{
    System *s = c->sys;
    bool *unknown = arena_array(c->mem, bool, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        unknown[k] = is_unknown_kind(&s->var.at[k]);
    Structure t = structure_of(s, unknown, c->scratch);
    uint32_t *chain = arena_array(c->scratch, uint32_t, t.n);
    VarId *column = arena_array(c->scratch, VarId, t.n);
    uint32_t n = 0;
    /* a derivative comes after what it derives */
    for (uint32_t k = 0; k < t.n; k++) {
        VarId below = s->var.at[t.var[k].i].der_of;
        bool follows = var_exists(below) && t.column[below.i] != INC_NONE;
        chain[k] = follows ? chain[t.column[below.i]] : n;
        if (!follows)
            column[n++] = t.var[k];
    }
    IncidenceBuilder b = incidence_begin(c->scratch, n);
    for (uint32_t e = 0; e < t.g.n_rows; e++) {
        incidence_row(&b);
        for (uint32_t k = t.g.row_begin[e]; k < t.g.row_begin[e + 1]; k++)
            incidence_edge(&b, chain[t.g.col[k]], LABEL_OTHER, 0);
    }
    Incidence g = incidence_done(&b);
    Matching m = matching_find(&g, c->scratch);
    if (m.size == g.n_rows && m.size == n)
        return true;
    report_singular(c, &g, &m, column);
    note_loops(c);
    return false;
}

/* ---- reduce ---- */

/* MLS 4.9.8.1; among equals a run starts from the start values that are given. */
static const uint8_t *state_priorities(const Compilation *c)
{
    const Structure *t = &c->structure;
    uint8_t *priority = arena_array(c->mem, uint8_t, t->n);
    for (uint32_t k = 0; k < t->n; k++) {
        const Attributes *a = &c->sys->var.at[t->var[k].i].attr;
        priority[k] = (uint8_t)(2 * a->select + (a->fixed == YES));
    }
    return priority;
}

static bool reduce_once(Compilation *c)
{
    System *s = c->sys;
    bool *unknown = arena_array(c->mem, bool, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        unknown[k] =
            is_unknown_kind(&s->var.at[k]) && !expr_exists(alias_value(s, &c->aliases, (VarId){k}));
    c->structure = structure_of(s, unknown, c->mem);
    Structure *t = &c->structure;
    uint32_t *der = arena_array(c->mem, uint32_t, t->n);
    for (uint32_t k = 0; k < t->n; k++) {
        VarId d = s->var.at[t->var[k].i].der;
        der[k] = var_exists(d) ? t->column[d.i] : INC_NONE;
    }
    Incidence moving = reduce_moving(s, t, c->mem);
    Reduction reduction = reduction_new(s, t, c->mem);
    Differentiation how = {&reduction, reduction_add_var, reduction_add_eq};
    c->pantelides = pantelides_carry_out(&t->g, &moving, der, &how, c->mem);
    reduction_done(&reduction);
    return c->pantelides.ok && states_find(&c->pantelides, state_priorities(c), c->mem).ok;
}

/* What an attempt at index reduction changes. */
typedef struct Flat {
    uint32_t n_vars, n_eqs, n_memory;
    Var *var;
    Map var_by_name;
} Flat;

static Flat flat_keep(const System *s, Arena *mem)
{
    Flat f = {s->var.n, s->eq.n, s->memory.n, arena_array(mem, Var, s->var.n),
              map_copy(&s->var_by_name, mem)};
    if (s->var.n > 0)
        memcpy(f.var, s->var.at, s->var.n * sizeof *f.var);
    return f;
}

static void flat_restore(System *s, const Flat *f)
{
    memcpy(s->var.at, f->var, f->n_vars * sizeof *f->var);
    s->var.n = f->n_vars;
    s->eq.n = f->n_eqs;
    s->memory.n = f->n_memory;
    s->var_by_name = map_copy(&f->var_by_name, s->mem);
}

static bool run_reduce(Compilation *c)
{
    System *s = c->sys;
    Flat flat = {0};
    if (s->function.n > 0)
        flat = flat_keep(s, c->mem);
    bool good = reduce_once(c);
    if (!good && s->function.n > 0 && diags_errors(s->diags) == 0) {
        /* loops may be closed through arguments that are not differentiated: then the algorithms
         * themselves are */
        flat_restore(s, &flat);
        for (uint32_t k = 0; k < s->eq.n; k++) {
            s->eq.at[k].lhs = expand_calls(s, c->scratch, s->eq.at[k].lhs);
            s->eq.at[k].rhs = expand_calls(s, c->scratch, s->eq.at[k].rhs);
        }
        reduce_once(c);
    }
    const Structure *t = &c->structure;
    const Pantelides *p = &c->pantelides;
    if (p->stopped) {
        if (diags_errors(s->diags) == 0)
            diag_error(s->diags, s->eq.at[p->stopped_at].span, "S08",
                       "index reduction finds no end at this equation");
        return false;
    }
    if (!p->ok) {
        const DulmagePart *over = &p->part.over;
        const DulmagePart *under = &p->part.under;
        Span span = over->n_eqs ? s->eq.at[over->eq[0]].span
                                : var_at(s, t->var[p->lead[under->var[0]]])->span;
        diag_error(s->diags, span, "S02",
                   "structurally singular once aliases and constants are removed: %u equations for"
                   " %u unknowns here",
                   over->n_eqs ? over->n_eqs : under->n_eqs,
                   over->n_eqs ? over->n_vars : under->n_vars);
        for (uint32_t k = 1; k < over->n_eqs && k < 8; k++)
            diag_note(s->diags, s->eq.at[over->eq[k]].span, "this equation is one of them");
        for (uint32_t k = 0; k < under->n_vars && k < 8; k++) {
            const Var *v = var_at(s, t->var[p->lead[under->var[k]]]);
            diag_note(s->diags, v->span, "nothing determines '%s'", v->name.s);
        }
        note_loops(c);
        return false;
    }
    return true;
}

static void dump_reduce(Compilation *c, FILE *f)
{
    dump_system(c, f);
    fprintf(f, "// %u equations differentiated, %u times at most\n",
            c->pantelides.n_eqs - c->pantelides.n_old_eqs, c->pantelides.max_diffs);
}

/* ---- states ---- */

static bool run_states(Compilation *c)
{
    System *s = c->sys;
    const Structure *t = &c->structure;
    c->states = states_find(&c->pantelides, state_priorities(c), c->mem);
    if (!c->states.ok) {
        diag_error(s->diags, SPAN_NONE, "S09",
                   "no choice of states: differentiated equations hold too few derivatives");
        return false;
    }
    c->is_state = arena_array(c->mem, bool, s->var.n);
    for (uint32_t k = 0; k < c->states.n; k++)
        c->is_state[t->var[c->states.state[k]].i] = true;
    for (uint32_t k = 0; k < c->states.n_lost; k++) {
        const Var *v = var_at(s, t->var[c->states.lost[k]]);
        diag_warning(s->diags, v->span, "S04",
                     "'%s' has stateSelect = StateSelect.always but cannot be a state", v->name.s);
    }
    /* a derivative of an input cannot be known */
    for (uint32_t k = 0; k < s->var.n; k++) {
        const Var *v = &s->var.at[k];
        if (v->kind == VAR_INPUT && var_exists(v->der)) {
            diag_error(s->diags, v->span, "S05",
                       "the input '%s' would have to be differentiated to reduce the index",
                       v->name.s);
            return false;
        }
    }
    return true;
}

static void dump_states(Compilation *c, FILE *f)
{
    for (uint32_t k = 0; k < c->states.n; k++)
        fprintf(f, "state '%s'\n", c->sys->var.at[c->structure.var[c->states.state[k]].i].name.s);
    for (uint32_t k = 0; k < c->pantelides.n_vars; k++) {
        if (c->states.dummy[k])
            fprintf(f, "dummy derivative '%s'\n", c->sys->var.at[c->structure.var[k].i].name.s);
    }
}

/* ---- inline ---- */

/* MLS 12.7: functions with LateInline, InlineAfterIndexReduction or a derivative are expanded once
 * no equation will be differentiated any more. */
static bool run_inline(Compilation *c)
{
    System *s = c->sys;
    for (uint32_t k = 0; k < s->eq.n; k++) {
        s->eq.at[k].lhs = expand_calls(s, c->scratch, s->eq.at[k].lhs);
        s->eq.at[k].rhs = expand_calls(s, c->scratch, s->eq.at[k].rhs);
    }
    for (uint32_t k = 0; k < s->var.n; k++) {
        Var *v = &s->var.at[k];
        if (expr_exists(v->binding))
            v->binding = expand_calls(s, c->scratch, v->binding);
        if (expr_exists(v->attr.start))
            v->attr.start = expand_calls(s, c->scratch, v->attr.start);
    }
    for (uint32_t k = 0; k < c->aliases.n; k++) {
        ExprId *value = &c->aliases.value[k];
        if (expr_exists(*value))
            *value = expand_calls(s, c->scratch, *value);
    }
    for (uint32_t k = 0; k < s->memory.n; k++) {
        Memory *m = &s->memory.at[k];
        if (expr_exists(m->of))
            m->of = expand_calls(s, c->scratch, m->of);
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        Action *a = &s->action.at[k];
        a->fires = expand_calls(s, c->scratch, a->fires);
        if (a->kind == ACTION_REINIT)
            a->value = expand_calls(s, c->scratch, a->value);
    }
    for (uint32_t k = 0; k < s->assertion.n; k++) {
        /* the run of a function may add assertions, and move them all */
        ExprId cond = expand_calls(s, c->scratch, s->assertion.at[k].cond);
        s->assertion.at[k].cond = cond;
    }
    return true;
}

/* ---- match, blocks ---- */

static bool run_match(Compilation *c)
{
    System *s = c->sys;
    const Structure *t = &c->structure;
    bool *unknown = arena_array(c->mem, bool, s->var.n);
    for (uint32_t k = 0; k < t->n; k++)
        unknown[t->var[k].i] = !c->is_state[t->var[k].i];
    for (uint32_t k = 0; k < c->frames.rewriting.added.n; k++)
        unknown[c->frames.rewriting.added.at[k].i] = true;
    c->blt = blt_find(s, unknown, c->is_state, &c->aliases, c->mem);
    if (!blt_is_complete(&c->blt)) {
        const Structure *u = &c->blt.columns;
        Dulmage d = dulmage_find(&u->g, &c->blt.matching, c->mem);
        Span span = d.over.n_eqs ? s->eq.at[d.over.eq[0]].span : SPAN_NONE;
        diag_error(s->diags, span, "S06",
                   "after index reduction %u equations remain for %u unknowns, of which %u can be "
                   "determined",
                   u->g.n_rows, u->n, c->blt.matching.size);
        for (uint32_t k = 0; k < d.under.n_vars && k < 8; k++) {
            const Var *v = var_at(s, u->var[d.under.var[k]]);
            diag_note(s->diags, v->span, "nothing determines '%s'", v->name.s);
        }
        note_loops(c);
        return false;
    }
    return true;
}

static void dump_match(Compilation *c, FILE *f)
{
    Arena *mem = arena_new();
    for (uint32_t e = 0; e < c->sys->eq.n; e++) {
        const Eq *q = &c->sys->eq.at[e];
        fprintf(f, "%s = %s;  // e%u -> %s\n", expr_text(c->sys, q->lhs, mem),
                expr_text(c->sys, q->rhs, mem), e,
                c->sys->var.at[c->blt.columns.var[c->blt.matching.var_of[e]].i].name.s);
    }
    arena_free(mem);
}

static bool run_blocks(Compilation *c)
{
    redundant_find(c);
    return true;
}

/* ---- redundant ---- */

/* After equations have changed. */
static bool run_blocks_again(Compilation *c)
{
    return run_match(c);
}

static bool run_redundant(Compilation *c)
{
    if (!redundant_wanted(c))
        return true;
    redundant_apply(c);
    return run_blocks_again(c);
}

static void dump_blocks(Compilation *c, FILE *f)
{
    blt_dump(&c->blt, f);
}

/* ---- frames ---- */

/* Operations of what the passes would make of the equations as they are; UINT64_MAX if they cannot
 * be solved. */
static uint64_t operations_of(Compilation *c)
{
    System *s = c->sys;
    enum { BUDGET = 20000 }; /* for a comparison */
    OrderPolicy policy = {.budget = BUDGET};
    Diags *diags = s->diags;
    s->diags = diags_new(c->scratch);
    PoolMark mark = pool_mark(s->pool);
    Solution solution;
    uint64_t n = UINT64_MAX;
    Orders orders = ordering_of(&policy);
    if (solve(&c->blt, &orders, &solution, c->scratch)) {
        const Program *g = &solution.program;
        OpCount ops = program_count(s->pool, g->n_states, g->derivative);
        n = ops.add + ops.mul + ops.div + ops.call;
    }
    pool_rollback(s->pool, mark);
    s->diags = diags;
    return n;
}

/* Vectors are moved into other frames if that is cheaper, which is tried out. */
static bool run_frames(Compilation *c)
{
    enum { LARGE = 5000 }; /* unknowns; with more the search is believed */
    System *s = c->sys;
    uint32_t n_vars = s->var.n;
    if (c->options->no_frames)
        return true;
    PoolMark mark = pool_mark(s->pool);
    Frames f = frames_find(&c->blt, c->scratch);
    if (f.n_turned + f.n_shifted == 0) {
        pool_rollback(s->pool, mark); /* as if nobody had looked */
        return true;
    }
    bool *is_state = arena_array(c->mem, bool, s->var.n);
    memcpy(is_state, c->is_state, n_vars * sizeof *is_state);
    c->is_state = is_state;
    c->blt.is_state = is_state;
    uint64_t as_is = UINT64_MAX, moved = 0;
    if (c->blt.columns.n < LARGE) {
        rewriting_exchange(&f.rewriting);
        as_is = operations_of(c);
        rewriting_exchange(&f.rewriting);
    }
    c->frames = f;
    if (!run_blocks_again(c))
        return false;
    if (as_is != UINT64_MAX)
        moved = operations_of(c);
    if (moved < as_is)
        return true;
    rewriting_exchange(&f.rewriting);
    c->frames = (Frames){0};
    pool_rollback(s->pool, mark);
    return run_blocks_again(c);
}

/* ---- solve ---- */

static bool run_solve(Compilation *c)
{
    OrderPolicy policy = {.only = c->order, .too_long = TOO_LONG_NUMERIC};
    Orders orders = c->orders.next ? c->orders : ordering_of(&policy);
    /* the chain of aliases ends at what stays */
    for (uint32_t k = 0; k < c->aliases.n && k < c->sys->var.n; k++)
        alias_value(c->sys, &c->aliases, (VarId){k});
    bool ok = solve(&c->blt, &orders, &c->solution, c->scratch);
    c->solution.program.initial = c->initial;
    if (ok && c->loops.n_loops > 0)
        ok = loop_constraints_find(&c->loops, &c->solution.program, c->scratch);
    return ok;
}

bool pipeline_again(Compilation *c, OrderPolicy *policy, Program *out)
{
    Solution s;
    /* the norms were added to the variables since states were chosen */
    bool *is_state = arena_array(c->mem, bool, c->sys->var.n);
    for (uint32_t k = 0; k < c->solution.program.n_states; k++)
        is_state[c->solution.program.state[k].i] = true;
    Blt blt = c->blt;
    blt.is_state = is_state;
    Orders orders = ordering_of(policy);
    bool ok = solve(&blt, &orders, &s, c->scratch);
    if (ok)
        *out = s.program;
    return ok;
}

bool pipeline_numeric(Compilation *c, Program *out)
{
    OrderPolicy numeric = {.is_numeric = true};
    bool ok = pipeline_again(c, &numeric, out);
    /* what was added to the results since */
    const LoopConstraints *loops = c->solution.program.loops;
    if (ok && loops) {
        ExprId *value = arena_array(c->mem, ExprId, c->sys->var.n);
        memcpy(value, out->value, c->sys->var.n * sizeof *value);
        for (uint32_t k = 0; k < loops->n_norm; k++)
            value[loops->norm[k].i] = c->solution.program.value[loops->norm[k].i];
        out->value = value;
    }
    return ok;
}

bool pipeline_wants_numeric(const Compilation *c)
{
    const Program *p = &c->solution.program;
    for (uint32_t k = 0; k < p->n_pivots; k++) {
        if (!p->pivot[k].is_alone)
            return true;
    }
    return false;
}

/* An operand: a leaf as text, anything else by its number in the listing. */
static const char *operand(const System *s, const uint32_t *number, ExprId x, Arena *mem)
{
    if (expr_n_args(s->pool, x) == 0)
        return expr_text(s, x, mem);
    return arena_printf(mem, "t%u", number[x.i]);
}

/* As straight-line code, one operation a line: written out in full, shared expressions would grow
 * beyond all bounds. */
static void dump_solve(Compilation *c, FILE *f)
{
    System *s = c->sys;
    const Program *g = &c->solution.program;
    Arena *mem = arena_new();
    bool *reached = arena_array(mem, bool, pool_size(s->pool));
    program_reach(s->pool, g->n_states, g->derivative, reached);
    uint32_t *number = arena_array(mem, uint32_t, pool_size(s->pool));
    uint32_t n_temporaries = 0;
    for (uint32_t k = 0; k < pool_size(s->pool); k++) {
        if (reached[k] && expr_n_args(s->pool, (ExprId){k}) > 0)
            number[k] = ++n_temporaries;
    }
    for (uint32_t k = 0; k < pool_size(s->pool); k++) {
        static const char *const infix[OP_COUNT] = {
            [OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*", [OP_DIV] = "/", [OP_POW] = "^"};
        ExprId x = {k};
        uint32_t n = expr_n_args(s->pool, x);
        if (!reached[k] || n == 0)
            continue;
        ArenaMark m = arena_mark(mem);
        Op op = expr_op(s->pool, x);
        if (infix[op]) {
            fprintf(f, "t%u := %s %s %s;\n", number[k],
                    operand(s, number, expr_arg(s->pool, x, 0), mem), infix[op],
                    operand(s, number, expr_arg(s->pool, x, 1), mem));
        } else {
            const char *name = op == OP_NEG      ? "-"
                               : op == OP_FN     ? fn_name(expr_fn_of(s->pool, x))
                               : op == OP_FN2    ? fn2_name(expr_fn2_of(s->pool, x))
                               : op == OP_LT     ? "less"
                               : op == OP_LE     ? "lessEqual"
                               : op == OP_EQ     ? "equal"
                               : op == OP_NE     ? "unequal"
                               : op == OP_AND    ? "and"
                               : op == OP_OR     ? "or"
                               : op == OP_NOT    ? "not"
                               : op == OP_SELECT ? "if"
                                                 : "noEvent";
            fprintf(f, "t%u := %s(", number[k], name);
            for (uint32_t i = 0; i < n; i++)
                fprintf(f, "%s%s", i ? ", " : "", operand(s, number, expr_arg(s->pool, x, i), mem));
            fputs(");\n", f);
        }
        arena_rollback(mem, m);
    }
    for (uint32_t k = 0; k < g->n_states; k++)
        fprintf(f, "der('%s') := %s;\n", s->var.at[g->state[k].i].name.s,
                operand(s, number, g->derivative[k], mem));
    arena_free(mem);
}

// clang-format off
static const Pass passes[] = {
    /* name      what it does                                        needs          gives           breaks  */
    {"flatten", "expand classes, components and connections",        0,             FACT_FLAT,      0,
     run_flatten, dump_whole},
    {"der",     "carry out derivatives of expressions",              FACT_FLAT,     FACT_PLAIN_DER, 0,
     run_der, dump_whole},
    {"loops",   "cut kinematic loops open",                          FACT_PLAIN_DER, 0,             0,
     run_loops, dump_loops},
    {"parameters", "put in what final parameters are bound to",      FACT_PLAIN_DER, 0,             0,
     run_parameters, dump_system},
    {"events",  "remember relations, pre() and initial()",           FACT_PLAIN_DER, 0,             0,
     run_events, dump_system},
    {"regular", "see that each unknown has an equation",             FACT_PLAIN_DER, 0,             0,
     run_regular, dump_system},
    {"alias",   "remove unknowns tied by a = +-b or a = constant",   FACT_PLAIN_DER, FACT_ALIASED,  0,
     run_alias, dump_alias},
    {"reduce",  "differentiate equations until the index is 1",      FACT_ALIASED,  FACT_REDUCED,   0,
     run_reduce, dump_reduce},
    {"states",  "choose the states, the rest are dummy derivatives", FACT_REDUCED,  FACT_STATES,    0,
     run_states, dump_states},
    {"inline",  "expand function calls kept until now",              FACT_STATES,   0,              0,
     run_inline, dump_system},
    {"match",   "pair equations with unknowns",                      FACT_STATES,   FACT_MATCHED,   0,
     run_match, dump_match},
    {"blocks",  "find the algebraic loops, order the blocks",        FACT_MATCHED,  FACT_BLOCKS,    0,
     run_blocks, dump_blocks},
    {"initial", "complete and solve the initial conditions",         FACT_MATCHED,  0,              0,
     initial_solve, initial_dump},
    {"redundant", "make states of what constraints cannot determine", FACT_BLOCKS,  0,              0,
     run_redundant, dump_blocks},
    {"frames",  "move vectors into the frames that cost least",      FACT_BLOCKS,   0,              0,
     run_frames, dump_blocks},
    {"solve",   "order and eliminate each block symbolically",       FACT_BLOCKS,   FACT_SOLVED,    0,
     run_solve, dump_solve},
};
// clang-format on

uint32_t pipeline_n_passes(void)
{
    return sizeof passes / sizeof *passes;
}

const Pass *pipeline_pass(uint32_t k)
{
    return &passes[k];
}

const Pass *pipeline_find(const char *name)
{
    for (uint32_t k = 0; k < pipeline_n_passes(); k++) {
        if (strcmp(passes[k].name, name) == 0)
            return &passes[k];
    }
    return NULL;
}

bool pipeline_reached(const Compilation *c, const char *name)
{
    uint32_t gives = pipeline_find(name)->gives;
    return (c->facts & gives) == gives;
}

bool pipeline_run(Compilation *c, const Pass *last)
{
    if (diags_errors(c->diags) > 0)
        return false; /* the files could not be read */
    while (c->n_done < pipeline_n_passes()) {
        const Pass *p = &passes[c->n_done++];
        if ((c->facts & p->needs) != p->needs)
            bug("pass '%s' runs before what it needs", p->name);
        ArenaMark m = arena_mark(c->scratch);
        bool ok = p->run(c);
        arena_rollback(c->scratch, m);
        if (!ok || diags_errors(c->diags) > 0)
            return false;
        c->facts = (c->facts & ~p->breaks) | p->gives;
        system_check(c->sys);
        if (p == last)
            break;
    }
    return true;
}
