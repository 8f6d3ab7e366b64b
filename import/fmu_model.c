#include "import/fmu_model.h"

#include "base/map.h"
#include "base/name.h"
#include "import/modelica_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Some variables of the FMU, element by element: a group of fmi_unit.h. */
typedef struct Listed {
    uint32_t quantity, element;
} Listed;
typedef VEC(Listed) List;

/* Continuous values that depend on the same inputs. */
typedef struct Values {
    FmuIndices inputs; /* quantities; all of them if is_full */
    bool is_full;
    List in, out;
} Values;

/* A term of a sum of states. */
typedef struct SumTerm {
    uint32_t row, state; /* element of Writer.sums, of Writer.states */
    bool begins;         /* the first term of a sum */
} SumTerm;

typedef struct Writer {
    const ImportedFmu *f;
    const FmuModelOptions *o;
    Arena *mem;
    Names *names;
    Map taken;
    bool exchange;
    List parameters, inputs, discrete, texts, states, rates, held;
    VEC(Values) values;
    List sums; /* unknowns that are sums of positions or velocities, whole arrays */
    VEC(SumTerm) terms;
    uint32_t n_sums;
    VEC(const char *) start; /* per element of `parameters`: the parameter of the class */
    Text declared, equations;
} Writer;

/* ------------------------------------------------------------------ names */

static bool take_name(Writer *w, const char *name)
{
    return map_add(&w->taken, map_key_ptr(name_of(w->names, name).s));
}

/* Of an element x[1] the name of the array, too: an array x would have the same elements. */
static void take_quantity(Writer *w, const char *name)
{
    const size_t n = strcspn(name, "[");
    take_name(w, name);
    if (name[n])
        take_name(w, arena_printf(w->mem, "%.*s", (int)n, name));
}

/* A name that no variable of the FMU has, with _ behind it if need be. */
static const char *fresh(Writer *w, const char *name)
{
    while (!take_name(w, name))
        name = arena_printf(w->mem, "%s_", name);
    return name;
}

/* Variables and parameters that the class has beside those of the FMU. */
typedef struct Own {
    const char *file, *step, *tolerance, *unit, *x, *rate, *input, *discrete, *held, *z, *positive,
        *changes, *count, *next, *quit, *result, *last, *sum, *factor;
} Own;

static Own own_names(Writer *w)
{
    return (Own){.file = fresh(w, "fileName"),
                 .step = fresh(w, "communicationStep"),
                 .tolerance = fresh(w, "fmuTolerance"),
                 .unit = fresh(w, "fmu_unit"),
                 .x = fresh(w, "fmu_x"),
                 .rate = fresh(w, "fmu_rate"),
                 .input = fresh(w, "fmu_input"),
                 .discrete = fresh(w, "fmu_discrete"),
                 .held = fresh(w, "fmu_held"),
                 .z = fresh(w, "fmu_z"),
                 .positive = fresh(w, "fmu_positive"),
                 .changes = fresh(w, "fmu_changes"),
                 .count = fresh(w, "fmu_count"),
                 .next = fresh(w, "fmu_next"),
                 .quit = fresh(w, "fmu_quit"),
                 .result = fresh(w, "fmu_result"),
                 .last = fresh(w, "fmu_last"),
                 .sum = fresh(w, "fmu_sum"),
                 .factor = fresh(w, "fmu_factor")};
}

static const FmuQuantity *quantity(const Writer *w, uint32_t k)
{
    return &w->f->quantity.at[k];
}

static bool is_real(const FmuQuantity *q)
{
    return q->type == FMI_UNIT_REAL || q->type == FMI_UNIT_FLOAT32;
}

static const char *identifier(const Writer *w, const FmuQuantity *q)
{
    return modelica_identifier(q->name, w->mem);
}

/* [i,j] of an element, "" of a scalar. */
static const char *subscript(const Writer *w, const FmuQuantity *q, uint32_t element)
{
    Text t = text_new(w->mem);
    uint32_t rest = q->n, at = element;
    text_put(&t, q->n_dims ? "[" : "");
    for (uint32_t d = 0; d < q->n_dims; d++) {
        rest = q->dim[d] ? rest / q->dim[d] : 1;
        text_printf(&t, "%s%u", d ? ", " : "", at / rest + 1);
        at %= rest;
    }
    text_put(&t, q->n_dims ? "]" : "");
    return t.at;
}

/* {a, b[1]}, as Reals. */
static const char *list_of(const Writer *w, const List *l)
{
    Text t = text_new(w->mem);
    if (!l->n)
        return "fill(0.0, 0)";
    text_put(&t, "{");
    for (uint32_t k = 0; k < l->n; k++) {
        const FmuQuantity *q = quantity(w, l->at[k].quantity);
        const char *name =
            arena_printf(w->mem, "%s%s", identifier(w, q), subscript(w, q, l->at[k].element));
        text_printf(&t, q->type == FMI_UNIT_BOOLEAN ? "%sif %s then 1.0 else 0.0" : "%s%s",
                    k ? ", " : "", name);
    }
    text_put(&t, "}");
    return t.at;
}

static void add_elements(Writer *w, List *l, uint32_t k)
{
    for (uint32_t i = 0; i < quantity(w, k)->n; i++)
        vec_push(w->mem, *l, ((Listed){k, i}));
}

/* ------------------------------------------------------------------ roles of variables */

typedef enum Role {
    ROLE_NONE, /* time and other variables of the model itself */
    ROLE_PARAMETER,
    ROLE_CONSTANT,
    ROLE_TEXT,
    ROLE_INPUT,
    ROLE_STATE,
    ROLE_VALUE, /* continuous                                        */
    ROLE_HELD,  /* of co-simulation, or changes at events alone      */
    ROLE_ALIAS
} Role;

static bool is_state(const Writer *w, uint32_t k)
{
    for (uint32_t i = 0; i < w->f->state.n; i++)
        if (w->f->state.at[i] == k)
            return true;
    return false;
}

static Role role_of(const Writer *w, uint32_t k)
{
    const FmuQuantity *q = quantity(w, k);
    if (q->causality == IMPORTED_INDEPENDENT)
        return ROLE_NONE;
    // the model has a variable of that name for the derivative of the state itself
    if (q->derivative_of != FMU_NONE && w->exchange && q->causality == IMPORTED_LOCAL &&
        is_state(w, q->derivative_of) && !is_state(w, k) &&
        strncmp(quantity(w, q->derivative_of)->name, "der(", 4) != 0 &&
        strcmp(q->name, arena_printf(w->mem, "der(%s)", quantity(w, q->derivative_of)->name)) == 0)
        return ROLE_NONE;
    if (q->type == FMI_UNIT_STRING)
        return q->start ? ROLE_TEXT : ROLE_NONE;
    if (q->is_alias && q->causality != IMPORTED_INPUT)
        return ROLE_ALIAS;
    if ((q->causality == IMPORTED_STRUCTURAL_PARAMETER || q->variability == IMPORTED_CONSTANT) &&
        q->start)
        return ROLE_CONSTANT;
    if (q->causality == IMPORTED_PARAMETER && q->start)
        return ROLE_PARAMETER;
    if (q->causality == IMPORTED_INPUT)
        return ROLE_INPUT;
    if (w->exchange && is_state(w, k))
        return ROLE_STATE;
    return w->exchange && is_real(q) && q->variability == IMPORTED_CONTINUOUS ? ROLE_VALUE
                                                                              : ROLE_HELD;
}

/* The variable that an alias names; the derivative of a state is der() of the state. */
static const char *value_of_alias(const Writer *w, const FmuQuantity *q)
{
    const FmuQuantity *same = quantity(w, q->same_as);
    if (same->derivative_of == FMU_NONE || role_of(w, q->same_as) != ROLE_NONE)
        return identifier(w, same);
    return arena_printf(w->mem, "der(%s)", identifier(w, quantity(w, same->derivative_of)));
}

/* ------------------------------------------------------------------ declarations */

static const char *type_name(const FmuQuantity *q)
{
    return is_real(q)                    ? "Real"
           : q->type == FMI_UNIT_BOOLEAN ? "Boolean"
           : q->type == FMI_UNIT_STRING  ? "String"
                                         : "Integer";
}

/* Value i of a list of start values, or the only one. */
static const char *start_element(const Writer *w, const FmuQuantity *q, uint32_t i)
{
    const char *at = q->start + strspn(q->start, " \t\r\n");
    for (uint32_t k = 0; k < i; k++) {
        const char *next = at + strcspn(at, " \t\r\n");
        next += strspn(next, " \t\r\n");
        if (!*next)
            break;
        at = next;
    }
    const char *word = arena_copy(w->mem, at, strcspn(at, " \t\r\n"));
    if (q->type == FMI_UNIT_BOOLEAN)
        return strcmp(word, "true") == 0 || strtod(word, NULL) != 0 ? "true" : "false";
    return is_real(q) ? modelica_number(strtod(word, NULL), w->mem)
                      : arena_printf(w->mem, "%lld", strtoll(word, NULL, 10));
}

/* The start value as Modelica: nested braces of an array. */
static void put_start_part(const Writer *w, const FmuQuantity *q, uint32_t d, uint32_t *i, Text *t)
{
    if (d == q->n_dims) {
        text_put(t, start_element(w, q, (*i)++));
        return;
    }
    text_put(t, "{");
    for (uint32_t k = 0; k < q->dim[d]; k++) {
        text_put(t, k ? ", " : "");
        put_start_part(w, q, d + 1, i, t);
    }
    text_put(t, "}");
}

static const char *start_of(const Writer *w, const FmuQuantity *q)
{
    Text t = text_new(w->mem);
    uint32_t i = 0;
    if (q->type == FMI_UNIT_STRING)
        return modelica_string(q->start, w->mem);
    if (q->n == 0)
        return "fill(0, 0)";
    put_start_part(w, q, 0, &i, &t);
    return t.at;
}

static void put_dims(const FmuQuantity *q, Text *t)
{
    for (uint32_t d = 0; d < q->n_dims; d++)
        text_printf(t, "%s%u%s", d ? ", " : "[", q->dim[d], d + 1 == q->n_dims ? "]" : "");
}

static void put_attribute(Text *t, const char *name, const char *value, const char **before,
                          bool is_array)
{
    text_printf(t, "%s%s%s = %s", *before, is_array ? "each " : "", name, value);
    *before = ", ";
}

/* (unit = "m", min = 0): more: another one, or NULL. */
static void put_attributes(const Writer *w, const FmuQuantity *q, const char *more, Text *t)
{
    const char *before = "(";
    bool is_array = q->n_dims > 0;
    if (is_real(q) && q->unit)
        put_attribute(t, "unit", modelica_string(q->unit, w->mem), &before, is_array);
    if (is_real(q) && q->unit && q->display_unit)
        put_attribute(t, "displayUnit", modelica_string(q->display_unit, w->mem), &before,
                      is_array);
    bool has_limits = q->type != FMI_UNIT_BOOLEAN && q->type != FMI_UNIT_STRING;
    if (has_limits && !isnan(q->min))
        put_attribute(t, "min", modelica_number(q->min, w->mem), &before, is_array);
    if (has_limits && !isnan(q->max))
        put_attribute(t, "max", modelica_number(q->max, w->mem), &before, is_array);
    if (is_real(q) && q->nominal > 0)
        put_attribute(t, "nominal", modelica_number(q->nominal, w->mem), &before, is_array);
    if (more) {
        text_printf(t, "%s%s", before, more);
        before = ", ";
    }
    text_put(t, *before == ',' ? ")" : "");
}

static void put_end(const Writer *w, const FmuQuantity *q, const char *annotation, Text *t)
{
    bool is_quoted = !modelica_is_name(q->name);
    if (q->description && *q->description)
        text_printf(t, " %s", modelica_string(q->description, w->mem));
    if (is_quoted || annotation)
        text_printf(t, " annotation(__rung(%s%s%s))", is_quoted ? "unquoted = true" : "",
                    is_quoted && annotation ? ", " : "", annotation ? annotation : "");
    text_put(t, ";\n");
}

/* prefix TYPE NAME[dims](attributes) = value "description"; */
static void declare(Writer *w, const FmuQuantity *q, const char *prefix, const char *attribute,
                    const char *value, const char *annotation)
{
    Text *t = &w->declared;
    text_printf(t, "%s%s %s", prefix, type_name(q), identifier(w, q));
    put_dims(q, t);
    put_attributes(w, q, attribute, t);
    if (value)
        text_printf(t, " = %s", value);
    put_end(w, q, annotation, t);
}

/* ------------------------------------------------------------------ groups */

static bool same_inputs(const FmuIndices *a, const FmuIndices *b)
{
    return a->n == b->n && (!a->n || memcmp(a->at, b->at, a->n * sizeof *a->at) == 0);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The values among which a continuous variable is read: those that depend on the same inputs. */
static uint32_t values_of(Writer *w, const FmuQuantity *q)
{
    FmuIndices of = {0};
    bool is_full = !q->has_dependencies;
    for (uint32_t k = 0; k < q->depends.n && !is_full; k++) {
        uint32_t i = q->depends.at[k];
        bool is_input = false;
        for (uint32_t j = 0; j < w->inputs.n && !is_input; j++)
            is_input = w->inputs.at[j].quantity == i;
        if (is_input)
            vec_push(w->mem, of, i);
    }
    if (of.n)
        qsort(of.at, of.n, sizeof *of.at, by_number);
    uint32_t n = 0;
    for (uint32_t k = 0; k < of.n; k++)
        n += quantity(w, of.at[k])->n;
    is_full = is_full || n == w->inputs.n;
    for (uint32_t k = 0; k < w->values.n; k++)
        if (w->values.at[k].is_full == is_full &&
            (is_full || same_inputs(&w->values.at[k].inputs, &of)))
            return k;
    Values v = {.is_full = is_full, .inputs = of};
    for (uint32_t k = 0; k < of.n && !is_full; k++)
        add_elements(w, &v.in, of.at[k]);
    vec_push(w->mem, w->values, v);
    return w->values.n - 1;
}

/* Start values that may be set: of a variable whose FMU has it as exact. */
static bool may_start(const Writer *w, uint32_t k, Role role)
{
    const FmuQuantity *q = quantity(w, k);
    return q->is_exact && q->start && q->variability >= IMPORTED_DISCRETE &&
           (role == ROLE_STATE || role == ROLE_VALUE || role == ROLE_HELD);
}

/* The model names the derivative of a state x der(x). A variable of that name that is more than
 * this derivative, a state itself for example, has another one here. */
static void rename_derivatives(Writer *w, ImportedFmu *f)
{
    const uint32_t n = f->quantity.n;
    Map by_name = map_new(w->mem);
    FmuQuantity *all = arena_array(w->mem, FmuQuantity, n + 1);
    if (n)
        memcpy(all, f->quantity.at, n * sizeof *all);
    for (uint32_t k = 0; k < n; k++)
        map_put(&by_name, map_key_ptr(name_of(w->names, all[k].name).s), k);
    for (uint32_t i = 0; i < f->state.n; i++) {
        const char *rate = arena_printf(w->mem, "der(%s)", all[f->state.at[i]].name);
        uint32_t k = map_get(&by_name, map_key_ptr(name_of(w->names, rate).s));
        if (k != MAP_NONE && all[k].n_dims == 0 && role_of(w, k) != ROLE_NONE)
            all[k].name = fresh(w, rate);
    }
    f->quantity.at = all;
}

static void sort_variables(Writer *w)
{
    // inputs first: outputs are sorted by those that they depend on
    for (uint32_t k = 0; k < w->f->quantity.n; k++) {
        const FmuQuantity *q = quantity(w, k);
        if (role_of(w, k) == ROLE_INPUT)
            add_elements(w,
                         !w->exchange || (is_real(q) && q->variability == IMPORTED_CONTINUOUS)
                             ? &w->inputs
                             : &w->discrete,
                         k);
    }
    for (uint32_t k = 0; k < w->f->state.n && w->exchange; k++) {
        add_elements(w, &w->states, w->f->state.at[k]);
        add_elements(w, &w->rates, w->f->rate.at[k]);
    }
    for (uint32_t k = 0; k < w->f->quantity.n; k++) {
        Role role = role_of(w, k);
        if (role == ROLE_PARAMETER)
            add_elements(w, &w->parameters, k);
        else if (role == ROLE_TEXT)
            add_elements(w, &w->texts, k);
        else if (role == ROLE_HELD)
            add_elements(w, &w->held, k);
        if (role != ROLE_VALUE)
            continue;
        uint32_t among = values_of(w, quantity(w, k)); // which may grow
        add_elements(w, &w->values.at[among].out, k);
    }
}

/* ------------------------------------------------------------------ sums of states */

/* Per quantity: a position, whose derivative is a multiple of a state, or such a velocity. */
static bool *find_motions(const Writer *w)
{
    bool *is_motion = arena_array(w->mem, bool, w->f->quantity.n + 1);
    for (uint32_t k = 0; k < w->f->state.n; k++) {
        uint32_t v = quantity(w, w->f->rate.at[k])->velocity;
        if (v == FMU_NONE || quantity(w, v)->n != quantity(w, w->f->state.at[k])->n)
            continue;
        is_motion[w->f->state.at[k]] = is_motion[v] = true;
    }
    return is_motion;
}

/* Element `row` of the unknown q as a sum of states; first: of each quantity, among the states. */
static void add_sum(Writer *w, const FmuQuantity *q, uint32_t row, const bool *is_motion,
                    const uint32_t *first)
{
    enum { MOST_TERMS = 12 }; // which the compiler reads as one sum
    uint32_t n = 0;
    for (uint32_t i = 0; i < q->linear.n; i++)
        n += is_motion[q->linear.at[i]] ? quantity(w, q->linear.at[i])->n : 0;
    if (n < 2 || n > MOST_TERMS)
        return;
    bool begins = true;
    for (uint32_t i = 0; i < q->linear.n; i++) {
        uint32_t of = q->linear.at[i];
        for (uint32_t j = 0; j < quantity(w, of)->n && is_motion[of]; j++, begins = false)
            vec_push(w->mem, w->terms, ((SumTerm){row, first[of] + j, begins}));
    }
    w->n_sums++;
}

/* Outputs and derivatives that have a part of two or more linear terms in positions and velocities:
 * the torque of a spring between two shafts of many turns. Errors of the states alone would be
 * those of the turns (runtime/kernel/rung_sums.h). */
static void find_sums(Writer *w)
{
    const ImportedFmu *f = w->f;
    if (!f->has_slopes)
        return;
    const bool *is_motion = find_motions(w);
    uint32_t *first = arena_array(w->mem, uint32_t, f->quantity.n + 1), n = 0;
    bool *is_rate = arena_array(w->mem, bool, f->quantity.n + 1);
    for (uint32_t k = 0; k < f->state.n; k++) {
        first[f->state.at[k]] = n;
        n += quantity(w, f->state.at[k])->n;
        is_rate[f->rate.at[k]] = true;
    }
    for (uint32_t k = 0; k < f->quantity.n; k++) {
        const FmuQuantity *q = quantity(w, k);
        uint32_t n_before = w->n_sums, row = w->sums.n;
        if (!is_real(q) || !(is_rate[k] || q->causality == IMPORTED_OUTPUT))
            continue;
        for (uint32_t i = 0; i < q->n; i++)
            add_sum(w, q, row + i, is_motion, first);
        if (w->n_sums > n_before)
            add_elements(w, &w->sums, k);
    }
}

/* sum[1] = factor[1]*phi1 + factor[2]*phi2, the factors of the start. */
static void put_sums(Writer *w, const char *sum, const char *factor)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->terms.n; k++) {
        const SumTerm *t = &w->terms.at[k];
        const Listed *x = &w->states.at[t->state];
        const FmuQuantity *q = quantity(w, x->quantity);
        if (t->begins)
            text_printf(&w->equations, "%s%s[%u] = ", n ? ";\n" : "", sum, n + 1);
        n += t->begins;
        text_printf(&w->equations, "%s%s[%u]*%s%s", t->begins ? "" : " + ", factor, k + 1,
                    identifier(w, q), subscript(w, q, x->element));
    }
    text_put(&w->equations, n ? ";\n" : "");
}

/* {0, 2}: of the unknowns, or of the states. */
static const char *term_numbers(const Writer *w, bool of_states)
{
    Text t = text_new(w->mem);
    for (uint32_t k = 0; k < w->terms.n; k++)
        text_printf(&t, "%s%u", k ? ", " : "{",
                    of_states ? w->terms.at[k].state : w->terms.at[k].row);
    text_put(&t, "}");
    return t.at;
}

/* ------------------------------------------------------------------ the class */

/* name[first], or the elements of an array from there on: asInteger and the like around each. */
static void put_taken(Writer *w, const FmuQuantity *q, const char *from, uint32_t first)
{
    Text *t = &w->equations;
    for (uint32_t i = 0; i < q->n; i++) {
        const char *value = arena_printf(w->mem, "%s[%u]", from, first + i + 1);
        text_printf(t, "%s%s = ", identifier(w, q), subscript(w, q, i));
        text_printf(t,
                    is_real(q)                    ? "%s;\n"
                    : q->type == FMI_UNIT_BOOLEAN ? "Linkage.Fmu.asInteger(%s) <> 0;\n"
                                                  : "Linkage.Fmu.asInteger(%s);\n",
                    value);
    }
}

/* Variables that are elements of the array `from`. */
static void put_all_taken(Writer *w, const List *l, const char *from)
{
    for (uint32_t k = 0; k < l->n; k += quantity(w, l->at[k].quantity)->n)
        put_taken(w, quantity(w, l->at[k].quantity), from, k);
}

static void declare_variables(Writer *w)
{
    for (uint32_t k = 0; k < w->f->quantity.n; k++) {
        const FmuQuantity *q = quantity(w, k);
        Role role = role_of(w, k);
        const char *prefix = q->causality == IMPORTED_OUTPUT ? "output " : "", *attribute = NULL,
                   *annotation = NULL;
        if (may_start(w, k, role)) {
            const char *name = fresh(w, arena_printf(w->mem, "%s_start", q->name));
            FmuQuantity start = *q;
            start.name = name;
            start.description = arena_printf(w->mem, "Start value of %s", q->name);
            declare(w, &start, "parameter ", NULL, start_of(w, q), NULL);
            annotation = "parameterStart = true";
            attribute = arena_printf(w->mem, "start = %s", modelica_identifier(name, w->mem));
            for (uint32_t i = 0; i < q->n; i++) {
                vec_push(w->mem, w->parameters, ((Listed){k, i}));
                vec_push(w->mem, w->start,
                         (const char *)arena_printf(w->mem, "%s%s",
                                                    modelica_identifier(name, w->mem),
                                                    subscript(w, q, i)));
            }
        }
        switch (role) {
        case ROLE_NONE:
            break;
        case ROLE_PARAMETER:
        case ROLE_TEXT:
            declare(w, q, "parameter ", NULL, start_of(w, q), NULL);
            break;
        case ROLE_CONSTANT:
            declare(w, q, "final parameter ", NULL, start_of(w, q), NULL);
            break;
        case ROLE_INPUT:
            declare(w, q, "input ",
                    q->start ? arena_printf(w->mem, "start = %s", start_of(w, q)) : NULL, NULL,
                    NULL);
            break;
        case ROLE_ALIAS:
            declare(w, q, prefix, NULL, value_of_alias(w, q), NULL);
            break;
        case ROLE_STATE:
        case ROLE_VALUE:
        case ROLE_HELD:
            declare(w, q, prefix, attribute, NULL, annotation);
            break;
        }
    }
}

/* The values of the group PARAMETERS: parameters of the class, as Reals. */
static const char *parameter_values(const Writer *w)
{
    Text t = text_new(w->mem);
    uint32_t n_starts = w->start.n, n = w->parameters.n - n_starts;
    List plain = {.at = w->parameters.at, .n = n, .cap = n};
    if (!n_starts)
        return list_of(w, &plain);
    const char *first = list_of(w, &plain);
    text_put_n(&t, n ? first : "{", n ? strlen(first) - 1 : 1);
    for (uint32_t k = 0; k < n_starts; k++) {
        bool is_logical = quantity(w, w->parameters.at[n + k].quantity)->type == FMI_UNIT_BOOLEAN;
        text_printf(&t, is_logical ? "%sif %s then 1.0 else 0.0" : "%s%s", n || k ? ", " : "",
                    w->start.at[k]);
    }
    text_put(&t, "}");
    return t.at;
}

static const char *text_values(const Writer *w)
{
    Text t = text_new(w->mem);
    text_put(&t, w->texts.n ? "" : "\"\"");
    for (uint32_t k = 0; k < w->texts.n; k++)
        text_printf(&t, "%s%s + \"\\a\"", k ? " + " : "",
                    identifier(w, quantity(w, w->texts.at[k].quantity)));
    return t.at;
}

/* The table of variables that the constructor takes: group by group. */
typedef struct Table {
    Text reference, type, first, names;
    uint32_t n, n_groups;
} Table;

static uint32_t put_group(const Writer *w, const List *l, Table *t)
{
    for (uint32_t k = 0; k < l->n; k++) {
        const FmuQuantity *q = quantity(w, l->at[k].quantity);
        const char *comma = t->n ? ", " : "";
        text_printf(&t->reference, "%s%d", comma, (int)q->reference);
        text_printf(&t->type, "%s%d", comma, (int)q->type);
        text_printf(&t->names, "%s%s%s", t->n ? "\n" : "", q->name,
                    subscript(w, q, l->at[k].element));
        t->n++;
    }
    text_printf(&t->first, ", %u", t->n);
    return t->n_groups++;
}

static void put_unit(Writer *w, const Own *own, uint32_t *of_held, uint32_t *of_sums,
                     uint32_t *of_values, uint32_t *of_inputs)
{
    const ImportedFmu *f = w->f;
    Table t = {text_new(w->mem), text_new(w->mem), text_new(w->mem), text_new(w->mem), 0, 0};
    text_put(&t.names, "");
    text_put(&t.first, "0");
    const List *const fixed[] = {[FMI_UNIT_PARAMETERS] = &w->parameters,
                                 [FMI_UNIT_INPUTS] = &w->inputs,
                                 [FMI_UNIT_DISCRETE_INPUTS] = &w->discrete,
                                 [FMI_UNIT_TEXTS] = &w->texts,
                                 [FMI_UNIT_STATES] = &w->states,
                                 [FMI_UNIT_RATES] = &w->rates};
    for (int g = 0; g < FMI_UNIT_FIXED_GROUPS; g++)
        put_group(w, fixed[g], &t);
    *of_held = put_group(w, &w->held, &t);
    *of_sums = put_group(w, &w->sums, &t);
    for (uint32_t k = 0; k < w->values.n; k++) {
        const Values *v = &w->values.at[k];
        of_inputs[k] = v->is_full ? FMI_UNIT_INPUTS : put_group(w, &v->in, &t);
        of_values[k] = put_group(w, &v->out, &t);
    }
    int use = (w->exchange ? 0 : FMI_UNIT_COSIMULATION) |
              (w->exchange && f->completes ? FMI_UNIT_COMPLETES : 0);
    text_printf(&w->declared,
                "Linkage.Fmu.Unit %s = Linkage.Fmu.Unit(%s, %s, %s, %d, %d, %u, %u, %s, %s%s%s, "
                "%s%s%s, {%s}, %s);\n",
                own->unit, own->file,
                modelica_string(w->exchange ? f->of_exchange : f->of_cosimulation, w->mem),
                modelica_string(f->token, w->mem), f->version, use, w->states.n,
                w->exchange ? f->n_indicators : 0,
                w->exchange ? modelica_number(w->o->tolerance, w->mem) : own->tolerance,
                t.n ? "{" : "fill(0, 0)", t.n ? t.reference.at : "", t.n ? "}" : "",
                t.n ? "{" : "fill(0, 0)", t.n ? t.type.at : "", t.n ? "}" : "", t.first.at,
                modelica_string(t.names.at, w->mem));
}

static void put_own(Writer *w, const char *declaration)
{
    text_printf(&w->declared, "%s annotation(HideResult = true);\n", declaration);
}

#define OWN(w, ...) put_own(w, arena_printf((w)->mem, __VA_ARGS__))

static void write_exchange(Writer *w, const Own *o)
{
    // a directional derivative for each state and each rate is an expression of the model
    enum { MOST_SLOPES = 50 };
    uint32_t of_held, of_sums, n = w->states.n, nz = w->f->n_indicators;
    uint32_t *of_values = arena_array(w->mem, uint32_t, w->values.n + 1),
             *of_inputs = arena_array(w->mem, uint32_t, w->values.n + 1);
    Text *t = &w->equations;
    find_sums(w);
    put_unit(w, o, &of_held, &of_sums, of_values, of_inputs);
    OWN(w, "Real %s[%u] = %s", o->x, n, list_of(w, &w->states));
    OWN(w, "Real %s[%u] = %s", o->input, w->inputs.n, list_of(w, &w->inputs));
    OWN(w, "Real %s[%u] = %s", o->discrete, w->discrete.n, list_of(w, &w->discrete));
    const char *const discrete[] = {o->count, o->next, o->quit,
                                    arena_printf(w->mem, "%s[%u]", o->result, n)};
    for (size_t k = 0; k < sizeof discrete / sizeof *discrete; k++)
        OWN(w, "discrete Real %s", discrete[k]);
    text_put(t, "initial equation\n");
    text_printf(t, "(%s, %s, %s) = Linkage.Fmu.start(%s, time, %s, %s, %s, %s, 0, %u);\n", o->count,
                o->next, o->result, o->unit, parameter_values(w), text_values(w), o->input,
                o->discrete, n);
    text_printf(t, "pre(%s) = 0;\n", o->quit);
    if (w->discrete.n)
        text_printf(t, "%s = %s;\n", o->last, o->discrete);
    for (uint32_t k = 0; k < n; k++) {
        const FmuQuantity *q = quantity(w, w->states.at[k].quantity);
        text_printf(t, "%s%s = %s[%u];\n", identifier(w, q),
                    subscript(w, q, w->states.at[k].element), o->result, k + 1);
    }
    if (w->n_sums) {
        OWN(w, "parameter Real %s[%u](each fixed = false)", o->factor, w->terms.n);
        text_printf(&w->declared,
                    "Real %s[%u] annotation(HideResult = true, __rung(errorSum = true));\n", o->sum,
                    w->n_sums);
        text_printf(t, "%s = Linkage.Fmu.factors(%s, %s, %u, %s, %s);\n", o->factor, o->unit,
                    o->count, of_sums, term_numbers(w, false), term_numbers(w, true));
    }
    text_put(t, "equation\n");
    put_sums(w, o->sum, o->factor);
    if (n) {
        OWN(w, "Real %s[%u] = Linkage.Fmu.%s(%s, time, %s, %s, pre(%s))", o->rate, n,
            w->f->has_slopes && n <= MOST_SLOPES ? "ratesWithSlopes" : "rates", o->unit, o->x,
            o->input, o->count);
        for (uint32_t k = 0; k < n; k++) {
            const FmuQuantity *q = quantity(w, w->states.at[k].quantity);
            text_printf(t, "der(%s%s) = %s[%u];\n", identifier(w, q),
                        subscript(w, q, w->states.at[k].element), o->rate, k + 1);
        }
    }
    for (uint32_t k = 0; k < w->values.n; k++) {
        const Values *v = &w->values.at[k];
        const char *name = fresh(w, arena_printf(w->mem, "fmu_values%u", k + 1));
        OWN(w, "Real %s[%u] = Linkage.Fmu.values(%s, time, %s, %u, %s, pre(%s), %u, %u)", name,
            v->out.n, o->unit, o->x, of_inputs[k], v->is_full ? o->input : list_of(w, &v->in),
            o->count, of_values[k], v->out.n);
        put_all_taken(w, &v->out, name);
    }
    if (w->held.n) {
        OWN(w, "Real %s[%u] = Linkage.Fmu.held(%s, pre(%s), %u, %u)", o->held, w->held.n, o->unit,
            o->count, of_held, w->held.n);
        put_all_taken(w, &w->held, o->held);
    }
    Text when = text_new(w->mem);
    text_printf(&when, "time >= pre(%s)", o->next);
    if (nz) {
        OWN(w, "Real %s[%u] = Linkage.Fmu.indicators(%s, time, %s, %s, pre(%s), %u)", o->z, nz,
            o->unit, o->x, o->input, o->count, nz);
        OWN(w, "Boolean %s[%u]", o->positive, nz);
        for (uint32_t k = 1; k <= nz; k++) {
            text_printf(t, "%s[%u] = %s[%u] > 0;\n", o->positive, k, o->z, k);
            text_printf(&when, ", %s[%u], not %s[%u]", o->positive, k, o->positive, k);
        }
    }
    if (w->discrete.n) {
        // flips where they differ from those that the FMU has seen: each time an edge of one sign
        OWN(w, "Boolean %s(start = false, fixed = true)", o->changes);
        OWN(w, "discrete Real %s[%u]", o->last, w->discrete.n);
        text_printf(t, "%s = if ", o->changes);
        for (uint32_t k = 1; k <= w->discrete.n; k++)
            text_printf(t, "%s%s[%u] > pre(%s[%u]) or %s[%u] < pre(%s[%u])", k > 1 ? " or " : "",
                        o->discrete, k, o->last, k, o->discrete, k, o->last, k);
        text_printf(t, " then not pre(%s) else pre(%s);\n", o->changes, o->changes);
        text_printf(&when, ", %s, not %s", o->changes, o->changes);
    }
    if (w->f->completes)
        text_printf(&when, ", Linkage.Fmu.asks(%s, time, pre(%s)) > 0.5", o->unit, o->count);
    text_printf(t,
                "when {%s} then\n(%s, %s, %s, %s) = Linkage.Fmu.event(%s, time, pre(%s) + 1, %s, "
                "%s, %s);\n",
                when.at, o->count, o->next, o->quit, o->result, o->unit, o->count, o->x, o->input,
                o->discrete);
    for (uint32_t k = 0; k < n; k++) {
        const FmuQuantity *q = quantity(w, w->states.at[k].quantity);
        text_printf(t, "reinit(%s%s, %s[%u]);\n", identifier(w, q),
                    subscript(w, q, w->states.at[k].element), o->result, k + 1);
    }
    if (w->discrete.n)
        text_printf(t, "%s = %s;\n", o->last, o->discrete);
    text_put(t, "end when;\n");
}

static void write_cosimulation(Writer *w, const Own *o)
{
    uint32_t of_held, n = w->held.n, none;
    Text *t = &w->equations;
    put_unit(w, o, &of_held, &none, &none, &none);
    OWN(w, "Real %s[%u] = %s", o->input, w->inputs.n, list_of(w, &w->inputs));
    const char *const discrete[] = {o->count, o->next, o->quit,
                                    arena_printf(w->mem, "%s[%u]", o->held, n)};
    for (size_t k = 0; k < sizeof discrete / sizeof *discrete; k++)
        OWN(w, "discrete Real %s", discrete[k]);
    const char *last = "fill(0.0, 0)";
    if (w->inputs.n) {
        OWN(w, "discrete Real %s[%u]", o->last, w->inputs.n);
        last = arena_printf(w->mem, "pre(%s)", o->last);
    }
    text_printf(t,
                "initial equation\n(%s, %s, %s) = Linkage.Fmu.start(%s, time, %s, %s, %s, "
                "fill(0.0, 0), %u, %u);\n",
                o->count, o->next, o->held, o->unit, parameter_values(w), text_values(w), o->input,
                of_held, n);
    text_printf(t, "pre(%s) = 0;\n", o->quit);
    if (w->inputs.n)
        text_printf(t, "%s = %s;\n", o->last, o->input);
    text_printf(t,
                "equation\nwhen sample(%s, %s) then\n(%s, %s, %s) = Linkage.Fmu.step(%s, time, "
                "pre(%s) + 1, %s, %u, %u);\n%s = pre(%s);\n",
                o->step, o->step, o->count, o->quit, o->held, o->unit, o->count, last, of_held, n,
                o->next, o->next);
    if (w->inputs.n)
        text_printf(t, "%s = %s;\n", o->last, o->input);
    text_put(t, "end when;\n");
    put_all_taken(w, &w->held, o->held);
}

static void put_experiment(const Writer *w, Text *out)
{
    const ImportedFmu *f = w->f;
    const struct {
        const char *name;
        double value;
    } row[] = {{"StartTime", f->start},
               {"StopTime", f->stop},
               {"Tolerance", f->tolerance},
               {"Interval", f->step}};
    const char *before = "annotation(experiment(";
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (isfinite(row[k].value) && (k < 2 || row[k].value > 0)) {
            text_printf(out, "%s%s = %s", before, row[k].name,
                        modelica_number(row[k].value, w->mem));
            before = ", ";
        }
    text_put(out, *before == ',' ? "));\n" : "");
}

/* The step where none is given: that of the run, or a five-hundredth of the experiment. */
static double default_step(const ImportedFmu *f, double of_run)
{
    double start = isfinite(f->start) ? f->start : 0, span = f->stop - start;
    return f->step > 0 ? f->step : of_run > 0 ? of_run : span > 0 ? span / 500 : 0.01;
}

/* The name of a class for the file: its own without folder and ending. */
static const char *fmu_model_name(const char *path, Arena *mem)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *dot = strrchr(name, '.');
    return modelica_name(
        arena_copy(mem, name, dot && dot > name ? (size_t)(dot - name) : strlen(name)), mem);
}

bool fmu_model_is_path(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".fmu") == 0;
}

void fmu_model_write(const ImportedFmu *described, const FmuModelOptions *o, Arena *mem, Text *out)
{
    ImportedFmu named = *described;
    const ImportedFmu *f = &named;
    Writer w = {.f = f,
                .o = o,
                .mem = mem,
                .names = names_new(mem),
                .taken = map_new(mem),
                .exchange = o->interface == FMU_MODEL_EXCHANGE,
                .declared = text_new(mem),
                .equations = text_new(mem)};
    const char *name = o->name ? o->name : fmu_model_name(f->path, mem);
    take_name(&w, name);
    take_name(&w, "Linkage");
    for (uint32_t k = 0; k < f->quantity.n; k++)
        take_quantity(&w, f->quantity.at[k].name);
    if (w.exchange)
        rename_derivatives(&w, &named);
    Own own = own_names(&w);
    sort_variables(&w);
    Text *t = &w.declared;
    text_printf(t, "parameter String %s = %s \"The FMU\";\n", own.file,
                modelica_string(o->file, mem));
    if (!w.exchange)
        text_printf(
            t,
            "parameter Real %s(unit = \"s\") = %s \"Between communication points\";\n"
            "parameter Real %s = %s \"Relative tolerance of its own method; 0: its own\";\n",
            own.step, modelica_number(default_step(f, o->step), mem), own.tolerance,
            modelica_number(o->tolerance, mem));
    declare_variables(&w);
    text_put(t, "protected\n");
    if (w.exchange)
        write_exchange(&w, &own);
    else
        write_cosimulation(&w, &own);
    text_printf(&w.equations, "when %s > 0.5 then\nterminate(%s);\nend when;\n", own.quit,
                modelica_string(arena_printf(mem, "the FMU %s ends the run", f->model), mem));
    text_printf(out, "model %s %s\n%s%s", name,
                modelica_string(arena_printf(mem, "%s%sFMU for %s, FMI %d.0, imported from %s",
                                             f->description ? f->description : "",
                                             f->description && *f->description ? "; " : "",
                                             w.exchange ? "model exchange" : "co-simulation",
                                             f->version, f->path),
                                mem),
                w.declared.at, w.equations.at);
    put_experiment(&w, out);
    text_printf(out, "end %s;\n", name);
}

const char *fmu_model_path(const char *path, Arena *mem)
{
    enum { MOST = 4096 };
    char folder[MOST];
    return *path != '/' && getcwd(folder, sizeof folder) ? arena_printf(mem, "%s/%s", folder, path)
                                                         : path;
}

bool fmu_model_of_file(const char *path, const FmuModelOptions *asked, Arena *mem, Diags *d,
                       Text *out)
{
    ImportedFmu f;
    if (!imported_fmu_read(&f, path, mem, d))
        return false;
    FmuModelOptions o = *asked;
    o.interface = imported_fmu_interface(&f, asked->interface, d);
    o.file = fmu_model_path(path, mem);
    if (o.interface == FMU_ANY || !imported_fmu_has_binary(&f, o.interface, mem, d))
        return false;
    fmu_model_write(&f, &o, mem, out);
    return true;
}
