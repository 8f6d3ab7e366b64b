#include "translate/structural_set.h"

#include "base/text.h"
#include "translate/setting_values.h"

#include <stdbool.h>

#include <stdlib.h>
#include <string.h>

/* Whether the parameter cannot be set in a run, by the table of the program or by the flat model.
 */
typedef bool (*IsStructural)(const void *of, const char *name);

static bool in_program(const void *of, const char *name)
{
    const RungModel *m = of;
    for (uint32_t k = 0; k < m->n_variables; k++) {
        if (strcmp(rung_name(m, k), name) != 0)
            continue;
        RungVariable v = rung_variable(m, k);
        bool is_own = v.place == RUNG_IN_PARAMETERS && !v.negated;
        return v.attributes->kind == RUNG_PARAMETER &&
               !(is_own && m->parameter[v.index].is_settable);
    }
    return false;
}

static bool in_system(const void *of, const char *name)
{
    const System *s = of;
    for (uint32_t k = 0; k < s->var.n; k++)
        if (strcmp(s->var.at[k].name.s, name) == 0)
            return s->var.at[k].kind == VAR_PARAMETER && s->var.at[k].is_final;
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

static const char *modified(IsStructural is_structural, const void *of, const char *model,
                            const Texts *set, Texts *left, Arena *mem)
{
    Texts modifier = {0};
    *left = (Texts){0};
    for (uint32_t k = 0; k < set->n; k++) {
        const char *text = set->at[k], *eq = setting_equals(text);
        const char *name = eq ? arena_copy(mem, text, (size_t)(eq - text)) : "";
        // an element of an array is no name of a modifier
        if (eq && !strpbrk(name, "[=") && (setting_is_modifier(eq + 1) || is_structural(of, name)))
            vec_push(mem, modifier, text);
        else
            vec_push(mem, *left, text);
    }
    if (!modifier.n)
        return NULL;
    qsort(modifier.at, modifier.n, sizeof *modifier.at, by_text);
    Text t = text_new(mem);
    size_t n = strlen(model);
    bool has = n > 0 && model[n - 1] == ')';
    bool is_empty = has && n > 1 && model[n - 2] == '(';
    text_put_n(&t, model, has ? n - 1 : n);
    text_put(&t, !has ? "(" : is_empty ? "" : ", ");
    put_modifiers(&t, modifier.at, modifier.n, 0);
    text_put(&t, ")");
    return t.at;
}

const char *structural_model(const RungModel *m, const char *model, const Texts *set, Texts *left,
                             Arena *mem)
{
    return modified(in_program, m, model, set, left, mem);
}

const char *structural_model_flat(const System *s, const char *model, const Texts *set, Texts *left,
                                  Arena *mem)
{
    return modified(in_system, s, model, set, left, mem);
}
