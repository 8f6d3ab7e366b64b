#include "emit/fmu/fmu_description.h"

#include "base/bug.h"
#include "base/map.h"
#include "base/text.h"
#include "base/unit.h"
#include "emit/fmu/fmu_dependency.h"

#include <libxml/xmlwriter.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* State of the writer of a file. */
typedef struct Writer {
    xmlTextWriter *w;
    const FmuModel *m;
    const FmuVariables *v;
    const FmuOptions *o;
    Arena *mem;
} Writer;

/* ------------------------------------------------------------------ XML */

static void begin(Writer *x, const char *element)
{
    xmlTextWriterStartElement(x->w, BAD_CAST element);
}

static void end(Writer *x)
{
    xmlTextWriterEndElement(x->w);
}

static void put(Writer *x, const char *name, const char *value)
{
    if (value && *value)
        xmlTextWriterWriteAttribute(x->w, BAD_CAST name, BAD_CAST value);
}

static void put_int(Writer *x, const char *name, long value)
{
    put(x, name, arena_printf(x->mem, "%ld", value));
}

static void put_true(Writer *x, const char *name, bool value)
{
    if (value)
        put(x, name, "true");
}

static const char *number(Writer *x, double value)
{
    if (isinf(value))
        return value < 0 ? "-INF" : "INF";
    return isnan(value) ? "NaN" : arena_printf(x->mem, "%.*g", text_digits(value), value);
}

static void put_number(Writer *x, const char *name, double value)
{
    if (!isnan(value))
        put(x, name, number(x, value));
}

/* ------------------------------------------------------------------ units */

/* A unit with the display units that variables have for it. */
typedef struct Used {
    const char *name;
    VEC(const char *) display;
} Used;

static const char *unit_of(const FmuVariable *v)
{
    const char *unit = v->attributes && v->type == RUNG_REAL ? v->attributes->unit : "";
    return !*unit && v->var && v->var->attr.unit.s ? v->var->attr.unit.s : unit;
}

/* "": none, or one of which it is not known how it is converted. */
static const char *display_of(const FmuVariable *v)
{
    const char *unit = unit_of(v), *display = v->attributes ? v->attributes->display_unit : "";
    UnitOfMeasure from, to;
    bool known = *unit && *display && strcmp(unit, display) != 0 && unit_read(unit, &from) &&
                 unit_read(display, &to) && unit_fits(&from, &to);
    return known ? display : "";
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Used *)a)->name, ((const Used *)b)->name);
}

static void put_unit(Writer *x, const Used *u)
{
    static const char *const base[BASE_UNITS] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    UnitOfMeasure unit;
    begin(x, "Unit");
    put(x, "name", u->name);
    bool known = unit_read(u->name, &unit);
    if (known) {
        begin(x, "BaseUnit");
        for (int k = 0; k < BASE_UNITS; k++)
            if (unit.power[k])
                put_int(x, base[k], unit.power[k]);
        if (unit.factor != 1)
            put_number(x, "factor", unit.factor);
        if (unit.offset != 0)
            put_number(x, "offset", unit.offset);
        end(x);
    }
    for (uint32_t k = 0; k < u->display.n && known; k++) {
        // display = factor * unit + offset
        UnitOfMeasure to;
        unit_read(u->display.at[k], &to);
        begin(x, "DisplayUnit");
        put(x, "name", u->display.at[k]);
        put_number(x, "factor", unit.factor / to.factor);
        if (unit.offset != to.offset)
            put_number(x, "offset", (unit.offset - to.offset) / to.factor);
        end(x);
    }
    end(x);
}

typedef VEC(Used) AllUsed;

static void note_units(Writer *x, AllUsed *used, const FmuVariable *v)
{
    const char *unit = unit_of(v), *display = display_of(v);
    if (!*unit)
        return;
    uint32_t i = 0;
    while (i < used->n && strcmp(used->at[i].name, unit) != 0)
        i++;
    if (i == used->n)
        vec_push(x->mem, *used, ((Used){.name = unit}));
    Used *u = &used->at[i];
    bool is_new = *display;
    for (uint32_t d = 0; d < u->display.n; d++)
        is_new = is_new && strcmp(u->display.at[d], display) != 0;
    if (is_new)
        vec_push(x->mem, u->display, display);
}

static void put_units(Writer *x)
{
    AllUsed used = {0};
    for (uint32_t k = 0; k < x->v->at.n; k++)
        for (const FmuVariable *v = &x->v->at.at[k]; v; v = v->alias)
            note_units(x, &used, v);
    if (!used.n)
        return;
    qsort(used.at, used.n, sizeof *used.at, by_name);
    begin(x, "UnitDefinitions");
    for (uint32_t k = 0; k < used.n; k++)
        put_unit(x, &used.at[k]);
    end(x);
}

/* ------------------------------------------------------------------ types */

static const char *type_name(Writer *x, const FmuVariable *v)
{
    const System *s = x->m->sys;
    if (v->type != RUNG_ENUMERATION || !v->var || v->var->enumeration >= s->enumeration.n)
        return NULL;
    return s->enumeration.at[v->var->enumeration].name.s;
}

static void put_types(Writer *x)
{
    const System *s = x->m->sys;
    bool *used = arena_array(x->mem, bool, s->enumeration.n + 1), any = false;
    for (uint32_t k = 0; k < x->v->at.n; k++)
        if (type_name(x, &x->v->at.at[k]))
            used[x->v->at.at[k].var->enumeration] = any = true;
    if (!any)
        return;
    begin(x, "TypeDefinitions");
    for (uint32_t k = 0; k < s->enumeration.n; k++) {
        const Enumeration *e = &s->enumeration.at[k];
        if (!used[k])
            continue;
        begin(x, x->o->version == 3 ? "EnumerationType" : "SimpleType");
        put(x, "name", e->name.s);
        if (x->o->version == 2)
            begin(x, "Enumeration");
        for (uint32_t i = 0; i < e->n; i++) {
            begin(x, "Item");
            put(x, "name", e->literal[i].s);
            put_int(x, "value", (long)i + 1);
            end(x);
        }
        if (x->o->version == 2)
            end(x);
        end(x);
    }
    end(x);
}

/* ------------------------------------------------------------------ variables */

static const char *const causality_name[] = {"local", "parameter", "calculatedParameter",
                                             "input", "output",    "independent"};
static const char *const variability_name[] = {"constant", "fixed", "tunable", "discrete",
                                               "continuous"};
static const char *const initial_name[] = {NULL, "exact", "calculated"};

static double known(Writer *x, ExprId e)
{
    double value;
    return expr_exists(e) && expr_constant(x->m->sys->pool, e, &value) ? value : NAN;
}

static void put_integer(Writer *x, const char *name, double value)
{
    if (!isnan(value) && fabs(value) < 2147483648.0)
        put_int(x, name, (long)value);
}

/* The start values of all elements, a blank apart. */
static void put_starts(Writer *x, const FmuVariable *v)
{
    Text t = text_new(x->mem);
    for (uint32_t k = 0; k < v->n; k++) {
        text_put(&t, k ? " " : "");
        if (v->type == RUNG_BOOLEAN)
            text_put(&t, v->starts[k] != 0 ? "true" : "false");
        else if (v->type == RUNG_REAL)
            text_put(&t, number(x, v->starts[k]));
        else // xs:int has no exponent
            text_printf(&t, "%.0f", v->starts[k]);
    }
    put(x, "start", t.at);
}

/* min, max, nominal, start: a start value that is not between min and max takes the bound away. */
static void put_values(Writer *x, const FmuVariable *v)
{
    bool is_real = v->type == RUNG_REAL, is_boolean = v->type == RUNG_BOOLEAN;
    double min = v->var ? known(x, v->var->attr.min) : NAN;
    double max = v->var ? known(x, v->var->attr.max) : NAN;
    double nominal = v->var ? known(x, v->var->attr.nominal) : NAN;
    if (min > max)
        min = max = NAN;
    for (uint32_t k = 0; k < v->n; k++) {
        double start = v->n > 1 ? v->starts[k] : v->start;
        min = start < min ? NAN : min;
        max = start > max ? NAN : max;
    }
    if (v->var && v->var->attr.quantity.s && !is_boolean)
        put(x, "quantity", v->var->attr.quantity.s);
    if (is_real) {
        put(x, "unit", unit_of(v));
        put(x, "displayUnit", display_of(v));
        put_number(x, "min", min);
        put_number(x, "max", max);
        if (nominal != 0)
            put_number(x, "nominal", fabs(nominal));
        if (v->n == 1)
            put_number(x, "start", v->start);
    } else if (is_boolean) {
        if (!isnan(v->start) && v->n == 1)
            put(x, "start", v->start != 0 ? "true" : "false");
    } else {
        put_integer(x, "min", min);
        put_integer(x, "max", max);
        if (v->n == 1)
            put_integer(x, "start", v->start);
    }
    if (v->n > 1 && !isnan(v->start))
        put_starts(x, v);
}

static const char *initial_of(const FmuVariable *v)
{
    // leave out `initial` where causality and variability determine it
    bool is_exact = v->causality == FMU_PARAMETER || v->variability == FMU_CONSTANT;
    return v->causality == FMU_INPUT || v->causality == FMU_INDEPENDENT || is_exact
               ? NULL
               : initial_name[v->initial];
}

static const char *description_of(const FmuVariable *v)
{
    if (v->attributes && *v->attributes->description)
        return v->attributes->description;
    if (v->is_string)
        return v->var ? v->var->description.s : NULL;
    return v->causality == FMU_INDEPENDENT ? "Simulation time" : NULL;
}

/* "" too. */
static void put_text(Writer *x, const char *name, const char *text)
{
    xmlTextWriterWriteAttribute(x->w, BAD_CAST name, BAD_CAST text);
}

static void put_string(Writer *x, const FmuVariable *v)
{
    bool two = x->o->version == 2;
    begin(x, two ? "ScalarVariable" : "String");
    put(x, "name", v->name);
    put_int(x, "valueReference", v->reference);
    put(x, "description", description_of(v));
    if (!v->texts)
        put(x, "causality", causality_name[v->causality]);
    put(x, "variability", variability_name[v->variability]);
    put(x, "initial", initial_of(v));
    if (two) {
        begin(x, "String");
        if (v->texts)
            put_text(x, "start", v->texts[0]);
        end(x);
    }
    for (uint32_t d = 0; d < v->n_dims && v->n > 1; d++) {
        begin(x, "Dimension");
        put_int(x, "start", v->dim[d]);
        end(x);
    }
    for (uint32_t k = 0; v->texts && k < v->n && !two; k++) {
        begin(x, "Start");
        put_text(x, "value", v->texts[k]);
        end(x);
    }
    end(x);
}

static void put_variable_2(Writer *x, const FmuVariable *v)
{
    static const char *const element[] = {"Real", "Integer", "Boolean", "Enumeration"};
    const char *type = type_name(x, v);
    begin(x, "ScalarVariable");
    put(x, "name", v->name);
    put_int(x, "valueReference", v->reference);
    put(x, "description", description_of(v));
    put(x, "causality", v->causality == FMU_LOCAL ? NULL : causality_name[v->causality]);
    put(x, "variability",
        v->variability == FMU_CONTINUOUS ? NULL : variability_name[v->variability]);
    put(x, "initial", initial_of(v));
    begin(x, v->type == RUNG_ENUMERATION && !type ? "Integer" : element[v->type]);
    put(x, "declaredType", type);
    put_values(x, v);
    if (v->derivative_of != RUNG_NONE)
        put_int(x, "derivative", (long)v->derivative_of + 1);
    put_true(x, "reinit", v->may_jump && x->o->model_exchange);
    end(x);
    end(x);
}

static void put_variable_3(Writer *x, const FmuVariable *v)
{
    static const char *const element[] = {"Float64", "Int32", "Boolean", "Enumeration"};
    const char *type = type_name(x, v);
    FmuVariability otherwise = v->type == RUNG_REAL ? FMU_CONTINUOUS : FMU_DISCRETE;
    if (v->causality == FMU_PARAMETER || v->causality == FMU_CALCULATED_PARAMETER)
        otherwise = FMU_CONSTANT; // always written
    begin(x, v->type == RUNG_ENUMERATION && !type ? "Int64" : element[v->type]);
    put(x, "name", v->name);
    put_int(x, "valueReference", v->reference);
    put(x, "description", description_of(v));
    put(x, "causality", v->causality == FMU_LOCAL ? NULL : causality_name[v->causality]);
    put(x, "variability", v->variability == otherwise ? NULL : variability_name[v->variability]);
    put(x, "initial", initial_of(v));
    put(x, "declaredType", type);
    put_values(x, v);
    if (v->derivative_of != RUNG_NONE)
        put_int(x, "derivative", x->v->at.at[v->derivative_of].reference);
    put_true(x, "reinit", v->may_jump && x->o->model_exchange);
    for (uint32_t d = 0; d < v->n_dims && v->n > 1; d++) {
        begin(x, "Dimension");
        put_int(x, "start", v->dim[d]);
        end(x);
    }
    for (const FmuVariable *other = v->alias; other; other = other->alias) {
        begin(x, "Alias");
        put(x, "name", other->name);
        put(x, "description", description_of(other));
        if (v->type == RUNG_REAL)
            put(x, "displayUnit", display_of(other));
        end(x);
    }
    end(x);
}

/* ------------------------------------------------------------------ structure */

/* FMI 2.0, 2.2.8: an index; FMI 3.0, 2.4.8: a value reference. */
static long handle(Writer *x, uint32_t place)
{
    return x->o->version == 3 ? (long)x->v->at.at[place].reference : (long)place + 1;
}

/* A known variable: its place in the list, and its number among those of the dependencies. */
typedef struct Known {
    uint32_t place, number;
} Known;

typedef struct Structure {
    const FmuDependencies *d;
    uint32_t n;
    Known *known;  /* n: by place */
    uint32_t *row; /* per variable of the System: row of an output + 1 */
} Structure;

static int by_known_place(const void *a, const void *b)
{
    const Known *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static Structure find_structure(Writer *x, const FmuDependencies *d)
{
    const FmuVariables *v = x->v;
    const System *s = x->m->sys;
    Structure out = {.d = d, .known = arena_array(x->mem, Known, d->n_known + 1)};
    uint32_t *input = arena_array(x->mem, uint32_t, s->var.n + 1); /* place */
    out.row = arena_array(x->mem, uint32_t, s->var.n + 1);
    for (uint32_t k = 0; k < d->n_outputs; k++)
        out.row[d->output[k].i] = x->m->model->n_states + k + 1;
    for (uint32_t k = 0; k < v->at.n; k++)
        for (uint32_t i = 0; i < v->at.at[k].n && v->at.at[k].causality == FMU_INPUT; i++)
            input[fmu_var_of_row(x->m, v->at.at[k].reference - 1 + i).i] = k;
    for (uint32_t k = 0; k < d->n_known; k++) {
        VarId of = d->known[k];
        uint32_t place = !var_exists(of)             ? 0
                         : k < x->m->model->n_states ? v->state[k]
                                                     : input[of.i];
        if (place || !var_exists(of)) // time is the first
            out.known[out.n++] = (Known){place, k};
    }
    qsort(out.known, out.n, sizeof *out.known, by_known_place);
    return out;
}

/* The dependency of n elements together on the known variables k to `end` of one place. */
static unsigned char together(const Structure *w, const uint32_t *row, uint32_t n, uint32_t k,
                              uint32_t end)
{
    unsigned char out = FMU_UNRELATED;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = k; j < end; j++) {
            unsigned char one = w->d->row[row[i]][w->known[j].number];
            bool same = one == FMU_UNRELATED || out == FMU_UNRELATED || one == out;
            out = !same ? FMU_DEPENDENT : one == FMU_UNRELATED ? out : one;
        }
    return out;
}

/* Writes the dependencies of an unknown of these rows, unless it depends on all known variables, or
 * on most of many: without the attribute an importer assumes all. */
static void put_dependencies(Writer *x, const Structure *w, const uint32_t *row, uint32_t n)
{
    enum { MANY = 256 };
    static const char *const kind_name[] = {"",      "dependent", "constant",
                                            "fixed", "tunable",   "discrete"};
    Text list = text_new(x->mem), kinds = text_new(x->mem);
    uint32_t listed = 0, all = 0;
    bool is_plain = true;
    for (uint32_t k = 0, end; k < w->n; k = end) {
        for (end = k + 1; end < w->n && w->known[end].place == w->known[k].place; end++)
            ;
        unsigned char kind = together(w, row, n, k, end);
        all++;
        if (kind == FMU_UNRELATED)
            continue;
        const char *blank = listed++ ? " " : "";
        text_printf(&list, "%s%ld", blank, handle(x, w->known[k].place));
        text_printf(&kinds, "%s%s", blank, kind_name[kind]);
        is_plain = is_plain && kind == FMU_DEPENDENT;
    }
    if ((listed == all && is_plain) || (listed > MANY && 2 * listed > all))
        return;
    xmlTextWriterWriteAttribute(x->w, BAD_CAST "dependencies", BAD_CAST(listed ? list.at : ""));
    if (listed && !is_plain)
        put(x, "dependenciesKind", kinds.at);
}

static void put_unknown(Writer *x, const char *element, uint32_t place, const Structure *w,
                        const uint32_t *row)
{
    begin(x, element);
    put_int(x, x->o->version == 3 ? "valueReference" : "index", handle(x, place));
    if (w && w->d->row)
        put_dependencies(x, w, row, x->v->at.at[place].n);
    end(x);
}

/* row: of the dependencies, per element of each, RUNG_NONE for a String; structure NULL: none are
 * written. */
static void put_group(Writer *x, const char *group, const char *element, uint32_t n,
                      const uint32_t *place, const Structure *w, const uint32_t *row)
{
    bool two = x->o->version == 2;
    if (!n)
        return;
    if (two)
        begin(x, group);
    // the elements of an array are one unknown
    for (uint32_t k = 0; k < n; k++)
        if (k == 0 || place[k] != place[k - 1]) {
            bool is_known = row && row[k] != RUNG_NONE;
            put_unknown(x, two ? "Unknown" : element, place[k], is_known ? w : NULL,
                        is_known ? row + k : NULL);
        }
    if (two)
        end(x);
}

static void put_structure(Writer *x)
{
    const FmuVariables *v = x->v;
    const RungModel *model = x->m->model;
    FmuDependencies d = fmu_dependencies(x->m->program, v->tuned, x->mem);
    Structure w = find_structure(x, &d);
    VEC(uint32_t) output = {0}, row = {0}, initial = {0}, indicator = {0}, rate = {0};
    bool *wanted = arena_array(x->mem, bool, v->at.n + 1);
    for (uint32_t k = 0; k < model->n_states; k++) {
        wanted[v->derivative[k]] = true;
        wanted[v->state[k]] = v->at.at[v->state[k]].initial == FMU_CALCULATED;
        vec_push(x->mem, rate, k);
    }
    for (uint32_t k = 0; k < v->at.n; k++) {
        const FmuVariable *it = &v->at.at[k];
        for (uint32_t i = 0; i < it->n && it->causality == FMU_OUTPUT; i++) {
            VarId of = it->is_string ? VAR_NONE : fmu_var_of_row(x->m, it->reference - 1 + i);
            if (!it->is_string && (!var_exists(of) || !w.row[of.i]))
                bug("output '%s' is no variable of the model", it->name);
            vec_push(x->mem, output, k);
            vec_push(x->mem, row, it->is_string ? RUNG_NONE : w.row[of.i] - 1);
        }
        if (wanted[k] || it->causality == FMU_CALCULATED_PARAMETER ||
            (it->causality == FMU_OUTPUT && it->initial == FMU_CALCULATED))
            vec_push(x->mem, initial, k);
        if (k + v->n_indicators >= v->at.n)
            vec_push(x->mem, indicator, k);
    }
    begin(x, "ModelStructure");
    put_group(x, "Outputs", "Output", output.n, output.at, &w, row.at);
    put_group(x, "Derivatives", "ContinuousStateDerivative", model->n_states, v->derivative, &w,
              rate.at);
    put_group(x, "InitialUnknowns", "InitialUnknown", initial.n, initial.at, NULL, NULL);
    if (x->o->model_exchange)
        for (uint32_t k = 0; k < indicator.n; k++)
            put_unknown(x, "EventIndicator", indicator.at[k], NULL, NULL);
    end(x);
}

/* ------------------------------------------------------------------ the whole */

static void put_interface(Writer *x, bool cosimulation, const FmuNames *source)
{
    bool three = x->o->version == 3;
    const RungModel *m = x->m->model;
    // external objects cannot be saved
    bool saves = m->n_objects == 0, derives = m->linearisation;
    begin(x, cosimulation ? "CoSimulation" : "ModelExchange");
    put(x, "modelIdentifier", x->m->files->id);
    if (!three)
        put(x, "canNotUseMemoryManagementFunctions", "true");
    put_true(x, three ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", saves);
    put_true(x, three ? "canSerializeFMUState" : "canSerializeFMUstate", saves);
    put_true(x, three ? "providesDirectionalDerivatives" : "providesDirectionalDerivative",
             derives);
    if (three)
        put_true(x, "providesAdjointDerivatives", derives);
    if (three && !cosimulation)
        put(x, "needsCompletedIntegratorStep", "true");
    if (cosimulation) {
        put(x, "canHandleVariableCommunicationStepSize", "true");
        put(x, "maxOutputDerivativeOrder", "1");
        put_true(x, "canInterpolateInputs", !three);
    }
    if (three && cosimulation) {
        put(x, "providesIntermediateUpdate", "true");
        put(x, "mightReturnEarlyFromDoStep", "true");
        put(x, "canReturnEarlyAfterIntermediateUpdate", "true");
        put_true(x, "hasEventMode", true);
    }
    if (!three && source->n) {
        begin(x, "SourceFiles");
        for (uint32_t k = 0; k < source->n; k++) {
            begin(x, "File");
            put(x, "name", source->at[k]);
            end(x);
        }
        end(x);
    }
    end(x);
}

static void put_categories(Writer *x)
{
    static const char *const name[] = {"logEvents",      "logStatusWarning", "logStatusDiscard",
                                       "logStatusError", "logStatusFatal",   "logAll"};
    begin(x, "LogCategories");
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        begin(x, "Category");
        put(x, "name", name[k]);
        end(x);
    }
    end(x);
}

static void put_experiment(Writer *x)
{
    const RungExperiment *e = &x->m->model->experiment;
    begin(x, "DefaultExperiment");
    put_number(x, "startTime", e->has_start ? e->start : 0);
    if (e->has_stop)
        put_number(x, "stopTime", e->stop);
    if (e->has_tolerance)
        put_number(x, "tolerance", e->tolerance);
    if (e->has_interval && e->interval > 0)
        put_number(x, "stepSize", e->interval);
    end(x);
}

static Writer open_writer(xmlBuffer **text, const FmuModel *m, Arena *mem)
{
    *text = xmlBufferCreate();
    Writer x = {.w = xmlNewTextWriterMemory(*text, 0), .m = m, .mem = mem};
    xmlTextWriterSetIndent(x.w, 1);
    xmlTextWriterSetIndentString(x.w, BAD_CAST "  ");
    xmlTextWriterStartDocument(x.w, NULL, "UTF-8", NULL);
    return x;
}

static Text close_writer(Writer *x, xmlBuffer *text)
{
    xmlTextWriterEndDocument(x->w);
    xmlFreeTextWriter(x->w);
    Text out = text_new(x->mem);
    text_put_n(&out, (const char *)xmlBufferContent(text), (size_t)xmlBufferLength(text));
    xmlBufferFree(text);
    return out;
}

/* FMI 2.0, 2.2.9; FMI 3.0, 2.4.7.5: of parentheses outside quotes there are those of one der(...)
 * at most; in quotes some characters are escaped. */
static bool is_structured(const char *name)
{
    bool is_der = !strncmp(name, "der(", 4), quoted = false;
    uint32_t open = 0;
    for (const char *c = name; *c; c++) {
        bool escape = quoted && *c == '\\' && c[1];
        if (escape) {
            c++;
            continue;
        }
        quoted = *c == '\'' ? !quoted : quoted;
        if ((quoted && *c == '"') || (unsigned char)*c > 126)
            return false;
        open += !quoted && *c == '(';
    }
    return open == 0 || (is_der && open == 1);
}

static bool are_structured(const FmuVariables *v)
{
    for (uint32_t k = 0; k < v->at.n; k++)
        for (const FmuVariable *it = &v->at.at[k]; it; it = it->alias)
            if (!is_structured(it->name))
                return false;
    return true;
}

Text fmu_description(const FmuModel *m, const FmuVariables *v, const FmuOptions *o,
                     const char *token, const FmuNames *source, Arena *mem)
{
    xmlBuffer *text;
    Writer it = open_writer(&text, m, mem), *x = &it;
    x->v = v;
    x->o = o;
    bool three = o->version == 3;
    begin(x, "fmiModelDescription");
    put(x, "fmiVersion", three ? "3.0" : "2.0");
    put(x, "modelName", m->model->name);
    put(x, three ? "instantiationToken" : "guid", token);
    put(x, "description", m->model->description);
    put(x, "generationTool", o->tool);
    put(x, "variableNamingConvention", are_structured(v) ? "structured" : "flat");
    if (!three && o->model_exchange)
        put_int(x, "numberOfEventIndicators", rung_n_indicators(m->model));
    if (o->model_exchange)
        put_interface(x, false, source);
    if (o->co_simulation)
        put_interface(x, true, source);
    put_units(x);
    put_types(x);
    put_categories(x);
    put_experiment(x);
    begin(x, "ModelVariables");
    for (uint32_t k = 0; k < v->at.n; k++)
        (v->at.at[k].is_string ? put_string
         : three               ? put_variable_3
                               : put_variable_2)(x, &v->at.at[k]);
    end(x);
    put_structure(x);
    end(x);
    return close_writer(x, text);
}

static void put_source_set(Writer *x, const char *language, const char *const name[], uint32_t n)
{
    begin(x, "SourceFileSet");
    put(x, "language", language);
    for (uint32_t k = 0; k < n; k++) {
        begin(x, "SourceFile");
        put(x, "name", name[k]);
        end(x);
    }
    if (language) {
        begin(x, "PreprocessorDefinition");
        put(x, "name", "_POSIX_C_SOURCE");
        put(x, "value", "200809L");
        end(x);
    }
    end(x);
}

static void put_library(Writer *x, const char *name, bool is_outside)
{
    begin(x, "Library");
    put(x, "name", name);
    put(x, "external", is_outside ? "true" : "false");
    end(x);
}

Text fmu_build_description(const FmuModel *m, const FmuNames *source, uint32_t own,
                           const FmuLinked *linked, Arena *mem)
{
    xmlBuffer *text;
    Writer it = open_writer(&text, m, mem), *x = &it;
    begin(x, "fmiBuildDescription");
    put(x, "fmiVersion", "3.0");
    begin(x, "BuildConfiguration");
    put(x, "modelIdentifier", m->files->id);
    if (linked->inside.n)
        put(x, "platform", "x86_64-linux");
    put_source_set(x, "C11", source->at, own);
    // sources of external functions, in whatever language
    if (source->n > own)
        put_source_set(x, NULL, source->at + own, source->n - own);
    for (uint32_t k = 0; k < linked->inside.n; k++)
        put_library(x, linked->inside.at[k], false);
    for (uint32_t k = 0; k < linked->outside.n; k++)
        put_library(x, linked->outside.at[k], true);
    put_library(x, "m", true);
    end(x);
    end(x);
    return close_writer(x, text);
}
