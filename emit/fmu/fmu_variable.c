#include "emit/fmu/fmu_variable.h"

#include <math.h>

/* What the rest depends on. */
typedef struct Facts {
    const FmuModel *m;
    const RungModel *model;
    const bool *is_found;     /* per parameter: by the initial system   */
    const bool *closes_loops; /* per input                              */
    const bool *may_jump;     /* per state                              */
} Facts;

static Facts facts_of(const FmuModel *m, Arena *mem)
{
    const RungModel *model = m->model;
    bool *found = arena_array(mem, bool, model->n_parameters + 1);
    bool *closes = arena_array(mem, bool, model->n_inputs + 1);
    bool *jumps = arena_array(mem, bool, model->n_states + 1);
    for (uint32_t k = 0; model->initial && k < model->initial->n; k++)
        if (model->initial->value[k].place == RUNG_IN_PARAMETERS)
            found[model->initial->value[k].index] = true;
    for (uint32_t k = 0; model->loops && k < model->loops->n_constraints; k++)
        closes[model->loops->multiplier[k]] = true;
    for (uint32_t k = 0; model->loops && k < model->loops->n_free; k++)
        closes[model->loops->free[k]] = true;
    for (uint32_t k = 0; model->event && k < model->event->n_actions; k++)
        if (model->event->action[k].kind == RUNG_REINIT)
            jumps[model->event->action[k].state] = true;
    // what an event puts back onto the constraints
    for (uint32_t k = 0; model->loops && k < model->n_states; k++)
        jumps[k] = true;
    return (Facts){m, model, found, closes, jumps};
}

static void classify_parameter(const Facts *f, uint32_t row, const RungVariable *v,
                               FmuVariable *out)
{
    out->variability = FMU_FIXED;
    bool own = v->place == RUNG_IN_PARAMETERS && !v->negated &&
               f->model->parameter[v->index].variable == row;
    if (!own || !f->model->parameter[v->index].is_settable) {
        out->initial = FMU_CALCULATED;
    } else if (f->model->parameter[v->index].is_dependent || f->is_found[v->index]) {
        out->causality = FMU_CALCULATED_PARAMETER;
        out->initial = FMU_CALCULATED;
    } else {
        out->causality = FMU_PARAMETER;
        out->initial = FMU_EXACT;
    }
}

static void classify(const Facts *f, uint32_t row, const RungVariable *v, FmuVariable *out)
{
    const RungModel *m = f->model;
    bool is_real = out->type == RUNG_REAL;
    out->variability = is_real ? FMU_CONTINUOUS : FMU_DISCRETE;
    out->initial = FMU_CALCULATED;
    out->causality = out->attributes->is_output ? FMU_OUTPUT : FMU_LOCAL;
    switch ((RungKind)out->attributes->kind) {
    case RUNG_CONSTANT:
        out->variability = FMU_CONSTANT;
        out->initial = FMU_EXACT;
        out->causality = FMU_LOCAL;
        break;
    case RUNG_PARAMETER:
        out->causality = FMU_LOCAL;
        classify_parameter(f, row, v, out);
        break;
    case RUNG_INPUT:
        if (v->place == RUNG_IN_INPUTS && !v->negated && v->index < m->n_inputs &&
            m->input[v->index].variable == row && !f->closes_loops[v->index]) {
            out->causality = FMU_INPUT;
            out->initial = FMU_NO_INITIAL; // exact, by the standard
        }
        break;
    case RUNG_DISCRETE:
        out->variability = FMU_DISCRETE;
        break;
    case RUNG_STATE:
        if (v->place == RUNG_IN_STATES && m->state[v->index] == row) {
            out->initial = m->initial || m->loops ? FMU_CALCULATED : FMU_EXACT;
            out->may_jump = f->may_jump[v->index];
        }
        break;
    case RUNG_ALGEBRAIC:
        break;
    }
    bool has_start = out->initial == FMU_EXACT || out->causality == FMU_INPUT;
    out->start = has_start ? f->m->value[row] : NAN;
}

static const FmuVariable nothing = {.type = RUNG_REAL,
                                    .start = NAN,
                                    .derivative_of = RUNG_NONE,
                                    .initial = FMU_CALCULATED,
                                    .variability = FMU_CONTINUOUS};

/* A name that nothing in the model has. */
static const char *free_name(const System *s, const char *name, uint32_t k, Arena *mem)
{
    for (const char *before = "";; before = arena_printf(mem, "%s_", before)) {
        const char *text = arena_printf(mem, "%s%s%u", before, name, k);
        if (system_find_var(s, name_of(s->names, text)).i == VAR_NONE.i)
            return text;
    }
}

FmuVariables fmu_variables(const FmuModel *m, int version, Arena *mem)
{
    const RungModel *model = m->model;
    const System *s = m->sys;
    Facts f = facts_of(m, mem);
    FmuVariables out = {0};
    FmuVariable time = nothing;
    time.name = "time";
    time.causality = FMU_INDEPENDENT;
    time.initial = FMU_NO_INITIAL;
    vec_push(mem, out.at, time);
    uint32_t *row_of = arena_array(mem, uint32_t, s->var.n + 1);
    for (uint32_t k = 0; k < model->n_variables; k++) {
        const RungVariable v = rung_variable(model, k);
        VarId id = system_find_var(s, name_of(s->names, v.name));
        FmuVariable it = nothing;
        it.name = v.name;
        it.var = id.i == VAR_NONE.i ? NULL : &s->var.at[id.i];
        it.attributes = v.attributes;
        it.type = (RungType)v.attributes->type;
        it.reference = 1 + k;
        if (it.var)
            row_of[id.i] = 1 + k;
        classify(&f, k, &v, &it);
        vec_push(mem, out.at, it);
    }
    uint32_t *state = arena_array(mem, uint32_t, model->n_states + 1);
    uint32_t *derivative = arena_array(mem, uint32_t, model->n_states + 1);
    for (uint32_t k = 0; k < model->n_states; k++) {
        state[k] = 1 + model->state[k];
        const Var *x = out.at.at[state[k]].var;
        VarId der = x ? x->der : VAR_NONE;
        uint32_t place = der.i == VAR_NONE.i ? 0 : row_of[der.i];
        // what is itself a state, or the derivative of one, cannot be this one's as well
        bool fits = place && out.at.at[place].derivative_of == RUNG_NONE;
        if (!fits) {
            FmuVariable it = nothing;
            it.name = place || der.i == VAR_NONE.i ? free_name(s, "derivative_", k + 1, mem)
                                                   : s->var.at[der.i].name.s;
            it.var = der.i == VAR_NONE.i ? NULL : &s->var.at[der.i];
            place = out.at.n;
            vec_push(mem, out.at, it);
        }
        out.at.at[place].reference = fits ? out.at.at[place].reference : 1 + model->n_variables + k;
        out.at.at[place].derivative_of = state[k];
        derivative[k] = place;
    }
    out.state = state;
    out.derivative = derivative;
    for (uint32_t k = 0; k < model->n_events && version == 3; k++) {
        FmuVariable it = nothing;
        it.name = free_name(s, "event_indicator_", k + 1, mem);
        it.reference = 1 + model->n_variables + model->n_states + k;
        vec_push(mem, out.at, it);
        out.n_indicators++;
    }
    return out;
}
