#include "cli/variable_json.h"

static void put_expression(Json *j, const System *s, const char *name, ExprId x, Arena *mem)
{
    double value;
    if (expr_exists(x) && expr_constant(s->pool, x, &value))
        json_number(j, name, value, 17);
    else if (expr_exists(x))
        json_text(j, name, expr_text(s, x, mem));
}

static void put_name(Json *j, const char *name, Name it)
{
    if (it.s && *it.s)
        json_text(j, name, it.s);
}

void variable_json(Json *j, const System *s, const Var *v, Arena *mem)
{
    static const char *const kind[] = {
        [VAR_CONSTANT] = "constant", [VAR_PARAMETER] = "parameter",
        [VAR_INPUT] = "input",       [VAR_MEMORY] = "memory",
        [VAR_DISCRETE] = "discrete", [VAR_CONTINUOUS] = "continuous"};
    static const char *const type[] = {[TYPE_REAL] = "Real",
                                       [TYPE_INTEGER] = "Integer",
                                       [TYPE_BOOLEAN] = "Boolean",
                                       [TYPE_STRING] = "String",
                                       [TYPE_ENUMERATION] = "enumeration",
                                       [TYPE_CLOCK] = "Clock",
                                       [TYPE_OBJECT] = "ExternalObject"};
    json_text(j, "name", v->name.s);
    json_text(j, "type", type[v->type]);
    json_text(j, "kind", kind[v->kind]);
    if (v->is_output)
        json_bool(j, "output", true);
    if (v->is_protected)
        json_bool(j, "protected", true);
    if (v->is_final)
        json_bool(j, "final", true);
    if (v->attr.fixed != UNKNOWN)
        json_bool(j, "fixed", v->attr.fixed == YES);
    put_expression(j, s, "value", v->binding, mem);
    put_expression(j, s, "start", v->attr.start, mem);
    put_expression(j, s, "min", v->attr.min, mem);
    put_expression(j, s, "max", v->attr.max, mem);
    put_expression(j, s, "nominal", v->attr.nominal, mem);
    put_name(j, "unit", v->attr.unit);
    put_name(j, "displayUnit", v->attr.display_unit);
    put_name(j, "quantity", v->attr.quantity);
    put_name(j, "description", v->description);
}
