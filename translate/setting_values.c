#include "translate/setting_values.h"

#include "base/spelling.h"
#include "base/text.h"
#include "base/unit.h"
#include "runtime/problem/context.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The variables of a program or of a flat model. */
typedef struct Variables {
    const RungModel *m; /* or NULL */
    const System *s;
    uint32_t n;
    Arena *mem;
} Variables;

static const char *name_at(const Variables *v, uint32_t k)
{
    return v->m ? rung_name(v->m, k) : v->s->var.at[k].name.s;
}

static RungAttributes attributes_of(const Variables *v, uint32_t k)
{
    if (v->m)
        return *rung_variable(v->m, k).attributes;
    const Var *it = &v->s->var.at[k];
    bool is_enumeration = it->enumeration < v->s->enumeration.n;
    const Enumeration *e = is_enumeration ? &v->s->enumeration.at[it->enumeration] : NULL;
    return (RungAttributes){
        .unit = it->attr.unit.s ? it->attr.unit.s : "",
        .kind = it->kind == VAR_PARAMETER  ? RUNG_PARAMETER
                : it->kind == VAR_CONSTANT ? RUNG_CONSTANT
                : it->kind == VAR_INPUT    ? RUNG_INPUT
                                           : RUNG_ALGEBRAIC,
        .type = it->type == TYPE_INTEGER   ? RUNG_INTEGER
                : it->type == TYPE_BOOLEAN ? RUNG_BOOLEAN
                : e                        ? RUNG_ENUMERATION
                                           : RUNG_REAL,
        .n_literals = e ? e->n : 0,
        .literals = e ? enumeration_text(e, v->mem) : NULL,
    };
}

/* Programs have no variables of type String. */
static bool is_text(const Variables *v, uint32_t k)
{
    return v->s && v->s->var.at[k].type == TYPE_STRING;
}

static uint32_t find(const Variables *v, const char *name)
{
    for (uint32_t k = 0; k < v->n; k++)
        if (strcmp(name_at(v, k), name) == 0)
            return is_text(v, k) ? RUNG_NONE : k;
    return RUNG_NONE;
}

const char *setting_equals(const char *text)
{
    bool is_quoted = false; // a name may be quoted and hold the sign: 'a=b'
    for (const char *at = text; *at; at++) {
        is_quoted = *at == '\'' ? !is_quoted : is_quoted;
        if (*at == '\\' && is_quoted && at[1])
            at++;
        if (*at == '=' && !is_quoted)
            return at > text ? at : NULL;
    }
    return NULL;
}

bool setting_is_modifier(const char *value)
{
    return *value == '"' || *value == '{';
}

/* "; did you mean 'Mass'?", the nearest name of a parameter or an input; "" if none is near. */
static const char *hint(const Variables *v, const char *name)
{
    Spelling s = spelling_of(name);
    for (uint32_t k = 0; k < v->n; k++) {
        RungAttributes a = attributes_of(v, k);
        if ((a.kind == RUNG_PARAMETER || a.kind == RUNG_INPUT) && !is_text(v, k))
            spelling_try(&s, name_at(v, k));
    }
    return s.nearest ? arena_printf(v->mem, "; did you mean '%s'?", s.nearest) : "";
}

/* ---- values of one variable: a message, or NULL with *out ---- */

static const char *read_literal(const Variables *v, const RungAttributes *a, const char *text,
                                const char **out)
{
    const char *line = a->literals, *all = "";
    uint32_t number = context_literal(a, text);
    size_t type = strcspn(line, "\n");
    char *end;
    double value = strtod(text, &end);
    if (!number && end != text && !*end && value >= 1 && value <= a->n_literals)
        number = (uint32_t)value == value ? (uint32_t)value : 0;
    const char *at = line + type;
    for (uint32_t k = 1; k <= a->n_literals; k++) {
        at++;
        int n = (int)strcspn(at, "\n");
        if (k == number) {
            *out = arena_printf(v->mem, "%.*s.%.*s", (int)type, line, n, at);
            return NULL;
        }
        all = arena_printf(v->mem, "%s%s%.*s", all, k > 1 ? ", " : "", n, at);
        at += n;
    }
    return arena_printf(v->mem, "its values are %s", all);
}

/* A number, and a unit behind it that fits the variable's. */
static const char *read_number(const Variables *v, const RungAttributes *a, const char *text,
                               const char **out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || !isfinite(value))
        return "the value is no number";
    size_t n = (size_t)(end - text);
    *out = arena_copy(v->mem, text, n);
    const char *unit = end + strspn(end, " ");
    bool is_whole = value == floor(value);
    if (a->type == RUNG_INTEGER && !is_whole)
        return "the value is no Integer";
    if (!*unit || strcmp(unit, a->unit) == 0)
        return NULL;
    UnitOfMeasure from, to;
    if (!unit_read(unit, &from))
        return arena_printf(v->mem, "'%s' is no unit", unit);
    if (!*a->unit || !unit_read(a->unit, &to))
        return *a->unit ? arena_printf(v->mem, "its unit '%s' is not known", a->unit)
                        : "it has no unit";
    if (!unit_fits(&from, &to))
        return arena_printf(v->mem, "its unit is %s", a->unit);
    double base = from.factor * value + from.offset;
    value = (base - to.offset) / to.factor;
    int digits = text_digits(value);
    *out = arena_printf(v->mem, "%.*g", digits > DBL_DIG ? digits : DBL_DIG, value);
    return NULL;
}

static const char *read_of_type(const Variables *v, const RungAttributes *a, const char *text,
                                const char **out)
{
    *out = text;
    if (a->type == RUNG_BOOLEAN)
        return strcmp(text, "true") == 0 || strcmp(text, "false") == 0 ? NULL
                                                                       : "it is true or false";
    return a->literals ? read_literal(v, a, text, out) : read_number(v, a, text, out);
}

static const char *read_value(const Variables *v, uint32_t k, const char *text, const char **out)
{
    RungAttributes a = attributes_of(v, k);
    *out = text;
    // the run, or the translation, says why others cannot be set
    return a.kind == RUNG_PARAMETER || a.kind == RUNG_INPUT ? read_of_type(v, &a, text, out) : NULL;
}

static const char *value_of(const Variables *all, uint32_t k, const char *text, double *out)
{
    RungAttributes a = attributes_of(all, k);
    const char *value;
    const char *wrong = read_of_type(all, &a, text, &value);
    if (wrong)
        return wrong;
    *out = a.type == RUNG_BOOLEAN ? strcmp(text, "true") == 0
           : a.literals           ? context_literal(&a, value)
                                  : strtod(value, NULL);
    return NULL;
}

const char *setting_value_of(const System *s, VarId v, const char *text, double *out, Arena *mem)
{
    return value_of(&(Variables){.s = s, .n = s->var.n, .mem = mem}, v.i, text, out);
}

const char *setting_value_at(const RungModel *m, uint32_t row, const char *text, double *out,
                             Arena *mem)
{
    return value_of(&(Variables){.m = m, .n = m->n_variables, .mem = mem}, row, text, out);
}

/* ---- arrays ---- */

/* An array as it is written becomes its elements, name[1,2]=4. */
typedef struct Array {
    const Variables *v;
    const char *name, *at;
    Texts elements;
    const char *wrong;
    bool fits; /* it has the size of the array of that name */
} Array;

static void read_element(Array *it, const char *subscripts)
{
    size_t n = strcspn(it->at, ",{}");
    size_t trimmed = n;
    while (trimmed && it->at[trimmed - 1] == ' ')
        trimmed--;
    Arena *mem = it->v->mem;
    const char *text = arena_copy(mem, it->at, trimmed), *value;
    const char *name = arena_printf(mem, "%s[%s]", it->name, subscripts);
    uint32_t k = find(it->v, name);
    it->at += n;
    it->fits = it->fits && k != RUNG_NONE;
    if (!it->fits)
        return;
    const char *wrong = read_value(it->v, k, text, &value);
    if (wrong && !it->wrong)
        it->wrong = arena_printf(mem, "cannot set '%s' to '%s': %s", name, text, wrong);
    vec_push(mem, it->elements, (const char *)arena_printf(mem, "%s=%s", name, value));
}

static void read_elements(Array *it, const char *before)
{
    enum { DEEPEST = 200 };
    Arena *mem = it->v->mem;
    it->fits = it->fits && strlen(before) < DEEPEST;
    for (uint32_t k = 1; it->fits && (*it->at == '{' || *it->at == ','); k++) {
        it->at++;
        it->at += strspn(it->at, " ");
        const char *subscripts = arena_printf(mem, "%s%s%u", before, *before ? "," : "", k);
        if (*it->at == '{')
            read_elements(it, subscripts);
        else
            read_element(it, subscripts);
        it->at += strspn(it->at, " ");
    }
    it->fits = it->fits && *it->at == '}';
    it->at += *it->at == '}';
}

/* Whether as many elements as there are begin with the name. */
static bool has_all(const Array *it)
{
    size_t n = strlen(it->name);
    uint32_t count = 0;
    for (uint32_t k = 0; k < it->v->n; k++) {
        const char *name = name_at(it->v, k);
        count += strncmp(name, it->name, n) == 0 && name[n] == '[' && !strchr(name + n, '.');
    }
    return count == it->elements.n;
}

/* ---- the texts ---- */

/* Why no variable has that name. */
static const char *unknown(const Variables *v, const char *name, const char *given)
{
    size_t n = strlen(name);
    for (uint32_t k = 0; k < v->n; k++) {
        const char *other = name_at(v, k);
        if (strcmp(other, name) == 0) // is_text
            return arena_printf(v->mem, "it is a String, which is written %s=\"%s\"", name, given);
        if (strncmp(other, name, n) == 0 && other[n] == '[' && !strchr(other + n, '.'))
            return arena_printf(v->mem, "it is an array: set one element, %s=%s, or all, %s={...}",
                                other, given, name);
    }
    const char *other = hint(v, name);
    return arena_printf(v->mem, "the model has no variable of that name%s%s", other,
                        *other ? "" : " (a String is written name=\"text\")");
}

static const char *read_text(const Variables *v, const char *text, Texts *out)
{
    Arena *mem = v->mem;
    const char *eq = setting_equals(text);
    if (!eq)
        return arena_printf(mem, "--set '%s' is not of the form name=value", text);
    size_t n = (size_t)(eq - text), blank = strspn(eq + 1, " ");
    while (n && text[n - 1] == ' ')
        n--;
    const char *name = arena_copy(mem, text, n), *given = eq + 1 + blank, *value;
    uint32_t k = find(v, name);
    const char *wrong = NULL;
    if (k != RUNG_NONE) {
        wrong = read_value(v, k, given, &value);
        vec_push(mem, *out, (const char *)arena_printf(mem, "%s=%s", name, value));
    } else if (*given == '{') {
        Array array = {.v = v, .name = name, .at = given, .fits = true};
        read_elements(&array, "");
        bool is_array = array.fits && !*array.at && has_all(&array);
        if (is_array && array.wrong)
            return array.wrong;
        for (uint32_t i = 0; is_array && i < array.elements.n; i++)
            vec_push(mem, *out, array.elements.at[i]);
        if (!is_array)
            vec_push(mem, *out, text);
    } else if (*given == '"') {
        vec_push(mem, *out, text);
    } else {
        wrong = unknown(v, name, given);
    }
    return wrong ? arena_printf(mem, "cannot set '%s' to '%s': %s", name, given, wrong) : NULL;
}

static const char *read_all(const Variables *v, const Texts *set, Texts *out)
{
    Texts all = {0};
    for (uint32_t k = 0; k < set->n; k++) {
        const char *wrong = read_text(v, set->at[k], &all);
        if (wrong)
            return wrong;
    }
    *out = all;
    return NULL;
}

const char *setting_values_read(const RungModel *m, const Texts *set, Texts *out, Arena *mem)
{
    return read_all(&(Variables){.m = m, .n = m->n_variables, .mem = mem}, set, out);
}

const char *setting_values_read_flat(const System *s, const Texts *set, Texts *out, Arena *mem)
{
    return read_all(&(Variables){.s = s, .n = s->var.n, .mem = mem}, set, out);
}
