#include "translate/structural_set.h"

#include "base/text.h"
#include "translate/setting_values.h"

#include <stdlib.h>
#include <string.h>

/* Whether the parameter cannot be set in a run, or not to a value that may be zero, by the table of
 * the program or by the flat model. */
typedef bool (*IsStructural)(const void *of, const char *name, bool to_zero);

static bool in_program(const void *of, const char *name, bool to_zero)
{
    const RungModel *m = of;
    for (uint32_t k = 0; k < m->n_variables; k++) {
        if (strcmp(rung_name(m, k), name) != 0)
            continue;
        RungVariable v = rung_variable(m, k);
        bool is_own = v.place == RUNG_IN_PARAMETERS && !v.negated;
        uint32_t settable = is_own ? m->parameter[v.index].is_settable : RUNG_NOT_SETTABLE;
        return v.attributes->kind == RUNG_PARAMETER &&
               (!settable ||
                (settable == RUNG_SETTABLE_RATE && (to_zero || v.attributes->type != RUNG_REAL)));
    }
    return false;
}

static bool in_system(const void *of, const char *name, bool to_zero)
{
    const System *s = of;
    for (uint32_t k = 0; k < s->var.n; k++)
        if (strcmp(s->var.at[k].name.s, name) == 0)
            return s->var.at[k].kind == VAR_PARAMETER &&
                   (s->var.at[k].is_final ||
                    (s->var.at[k].scales_rates && (to_zero || s->var.at[k].type != TYPE_REAL)));
    return false;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The n texts a.b=1, a.c=2, d=3, sorted, as a(b=1, c=2), d=3; `from` characters of each are done.
 */
static void put_modifiers(Text *t, const char *const *set, uint32_t n, size_t from)
{
    for (uint32_t k = 0; k < n;) {
        const char *at = set[k] + from;
        size_t name = strcspn(at, ".=");
        uint32_t end = k + 1;
        if (k)
            text_put(t, ", ");
        if (at[name] != '.') {
            text_put(t, at);
        } else {
            while (end < n && strncmp(set[end] + from, at, name + 1) == 0)
                end++;
            text_printf(t, "%.*s(", (int)name, at);
            put_modifiers(t, set + k, end - k, from + name + 1);
            text_put(t, ")");
        }
        k = end;
    }
}

/* The length of the text up to a comma or the end of what encloses it. */
static size_t argument_length(const char *at)
{
    size_t n = 0;
    for (int depth = 0; at[n] && (depth > 0 || (at[n] != ',' && at[n] != ')')); n++) {
        char c = at[n];
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (c != '"' && c != '\'')
            continue;
        for (n++; at[n] && at[n] != c; n++)
            n += at[n] == '\\' && at[n + 1];
        if (!at[n])
            break;
    }
    return n;
}

/* Appends the modifiers between two parentheses, from `at`, as "a.b=1" with this path before each;
 * false, and perhaps some of them, where one is of another form: redeclare, each, x(start = 1) = 2.
 */
static bool spread(const char *at, const char *path, Texts *out, Arena *mem)
{
    static const char *const keyword[] = {"each ", "final ", "redeclare ", "replaceable "};
    for (;;) {
        at += strspn(at, " \t\n");
        size_t n = argument_length(at), name = strcspn(at, "=(");
        if (n == 0 && *at != ',')
            return true;
        for (size_t k = 0; k < sizeof keyword / sizeof *keyword; k++)
            if (strncmp(at, keyword[k], strlen(keyword[k])) == 0)
                return false;
        size_t end = name;
        while (end > 0 && strchr(" \t\n", at[end - 1]))
            end--;
        const char *of = arena_printf(mem, "%s%.*s", path, (int)end, at);
        size_t last = n;
        while (last > 0 && strchr(" \t\n", at[last - 1]))
            last--;
        if (name >= n || end == 0)
            return false;
        if (at[name] == '=')
            vec_push(mem, *out, arena_printf(mem, "%s%.*s", of, (int)(last - name), at + name));
        else if (at[last - 1] != ')' ||
                 !spread(at + name + 1, arena_printf(mem, "%s.", of), out, mem))
            return false;
        at += n;
        if (*at != ',')
            return true;
        at++;
    }
}

/* Whether both set the same. */
static bool is_of_same(const char *a, const char *b)
{
    size_t n = strcspn(a, "=");
    return n == strcspn(b, "=") && strncmp(a, b, n) == 0;
}

/* A number other than zero. */
static bool is_nonzero(const char *value)
{
    char *end;
    return strtod(value, &end) != 0 && !*end;
}

/* model(a = 1) and b=2, a=3 as model(a=3, b=2) */
static const char *with_modifiers(const char *model, Texts modifier, Arena *mem)
{
    Text t = text_new(mem);
    size_t n = strlen(model), name = strcspn(model, "(");
    bool has = n > 0 && model[n - 1] == ')', is_empty = has && n > 1 && model[n - 2] == '(';
    Texts given = {0};
    if (has && spread(model + name + 1, "", &given, mem)) {
        // those that are set are set once
        uint32_t n_set = modifier.n;
        for (uint32_t k = 0; k < given.n; k++) {
            bool is_set = false;
            for (uint32_t i = 0; i < n_set; i++)
                is_set = is_set || is_of_same(modifier.at[i], given.at[k]);
            if (!is_set)
                vec_push(mem, modifier, given.at[k]);
        }
        text_printf(&t, "%.*s(", (int)name, model);
    } else {
        text_put_n(&t, model, has ? n - 1 : n);
        text_put(&t, !has ? "(" : is_empty ? "" : ", ");
    }
    qsort(modifier.at, modifier.n, sizeof *modifier.at, by_text);
    put_modifiers(&t, modifier.at, modifier.n, 0);
    text_put(&t, ")");
    return t.at;
}

static const char *modified(IsStructural is_structural, const void *of, const char *model,
                            const Texts *set, Texts *left, Arena *mem)
{
    Texts modifier = {0};
    *left = (Texts){0};
    for (uint32_t k = 0; k < set->n; k++) {
        const char *text = set->at[k], *eq = setting_equals(text);
        const char *name = eq ? arena_copy(mem, text, (size_t)(eq - text)) : "";
        // an element of an array is no name of a modifier
        bool to_zero = eq && !is_nonzero(eq + 1);
        if (eq && !strpbrk(name, "[=") &&
            (setting_is_modifier(eq + 1) || is_structural(of, name, to_zero)))
            vec_push(mem, modifier, text);
        else
            vec_push(mem, *left, text);
    }
    return modifier.n ? with_modifiers(model, modifier, mem) : NULL;
}

const char *structural_model(const RungModel *m, const char *model, const Texts *set, Texts *left,
                             Arena *mem)
{
    return modified(in_program, m, model, set, left, mem);
}

bool structural_is_modifier(const RungModel *m, const char *name, const char *value)
{
    return in_program(m, name, !is_nonzero(value));
}

const char *structural_model_flat(const System *s, const char *model, const Texts *set, Texts *left,
                                  Arena *mem)
{
    return modified(in_system, s, model, set, left, mem);
}

const char *structural_model_set(const char *model, const Texts *set, const char **wrong,
                                 Arena *mem)
{
    Texts modifier = {0};
    for (uint32_t k = 0; k < set->n; k++) {
        const char *text = set->at[k], *eq = setting_equals(text);
        if (!eq || memchr(text, '[', (size_t)(eq - text))) {
            *wrong = arena_printf(mem,
                                  eq ? "--set '%s': an element of an array is no modifier of the "
                                       "model; give the whole array, p={1, 2}"
                                     : "--set '%s' is not written as p=v",
                                  text);
            return NULL;
        }
        vec_push(mem, modifier, text);
    }
    return with_modifiers(model, modifier, mem);
}
