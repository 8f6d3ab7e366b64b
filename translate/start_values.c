#include "translate/start_values.h"

#include "base/spelling.h"
#include "translate/setting_values.h"

#include <string.h>

/* In quotes or not. */
static ExprId text_of(Compilation *c, const char *value)
{
    size_t n = strlen(value);
    bool is_quoted = n > 1 && value[0] == '"' && value[n - 1] == '"';
    const char *text = is_quoted ? arena_copy(c->mem, value + 1, n - 2) : value;
    return expr_string(c->sys->pool, name_of(c->sys->names, text));
}

static bool apply(Compilation *c, const char *text)
{
    System *s = c->sys;
    const char *eq = strrchr(text, '=');
    if (!eq || eq == text) {
        diag_error(c->diags, SPAN_NONE, "N30", "--start '%s' is not of the form name=value", text);
        return false;
    }
    const char *name = arena_copy(c->mem, text, (size_t)(eq - text));
    VarId v = system_find_var(s, name_of(s->names, name));
    if (!var_exists(v)) {
        Spelling near = spelling_of(name);
        for (uint32_t k = 0; k < s->var.n; k++)
            if (!s->var.at[k].is_hidden && var_is_unknown(&s->var.at[k]))
                spelling_try(&near, s->var.at[k].name.s);
        diag_error(c->diags, SPAN_NONE, "N30", "--start: the model has no variable '%s'%s%s%s",
                   name, near.nearest ? "; did you mean '" : "", near.nearest ? near.nearest : "",
                   near.nearest ? "'?" : "");
        return false;
    }
    Var *it = &s->var.at[v.i];
    if (it->kind == VAR_PARAMETER || it->kind == VAR_CONSTANT || it->kind == VAR_INPUT) {
        diag_error(c->diags, it->span, "N31", "--start: '%s' is %s; its value is set by --set",
                   name, it->kind == VAR_INPUT ? "an input" : "a parameter or constant");
        return false;
    }
    if (it->type == TYPE_STRING) {
        it->attr.start = text_of(c, eq + 1);
        it->attr.start_is_chosen = true;
        return true;
    }
    double value;
    const char *wrong = setting_value_of(s, v, eq + 1, &value, c->mem);
    if (wrong) {
        diag_error(c->diags, it->span, "T40", "--start: '%s' is no value of '%s': %s", eq + 1, name,
                   wrong);
        return false;
    }
    // of an imported FMU: it is initialised with that parameter
    VarId at = it->starts_at_parameter && expr_op(s->pool, it->attr.start) == OP_VAR
                   ? expr_var_of(s->pool, it->attr.start)
                   : VAR_NONE;
    if (var_exists(at)) {
        s->var.at[at.i].binding = expr_double(s->pool, value);
        return true;
    }
    it->attr.start = expr_double(s->pool, value);
    it->attr.start_is_chosen = true;
    return true;
}

static void avoid(System *s, const char *name)
{
    VarId v = system_find_var(s, name_of(s->names, name));
    if (var_exists(v) && s->var.at[v.i].attr.select != STATE_ALWAYS)
        s->var.at[v.i].attr.select = STATE_AVOID;
}

bool start_values_apply(Compilation *c)
{
    bool ok = true;
    for (uint32_t k = 0; k < c->request.avoided.n; k++)
        avoid(c->sys, c->request.avoided.at[k]);
    for (uint32_t k = 0; k < c->request.start.n; k++)
        ok = apply(c, c->request.start.at[k]) && ok;
    return ok;
}
