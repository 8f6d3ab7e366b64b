/* class_check.c -- one class of a library, by itself: a model is flattened, other classes are
 * checked as types (MLS 3.6 ch. 4.6, 5.6). */
#include "frontend/instantiate/instance.h"
#include "frontend/rules/rules.h"
#include "frontend/syntax/parser.h"

#include <string.h>

static bool is_model(const Class *c)
{
    return c->kind == CLASS_OTHER && c->syn && !class_is(c, SYN_R_PACKAGE) &&
           !class_is(c, SYN_R_OPERATOR) && !class_is_connector(c);
}

/* A class that is made to be part of a model may want values of parameters, sizes or tables, or a
 * class in place of a partial one (MLS 7.3: a replaceable class is partial until it is redeclared);
 * an example provides them. Other errors of such a class may follow from the missing ones, except
 * those of the class rules (codes with a 4).
 */
static bool wants_values(const Front *f, const Class *c)
{
    bool wants = f->wants_class;
    for (uint32_t k = 0; k < diags_count(f->diags); k++) {
        const Diag *x = diags_at(f->diags, k);
        if (x->severity != DIAG_ERROR)
            continue;
        if (strcmp(x->code, "N14") == 0 || strcmp(x->code, "F35") == 0 ||
            strcmp(x->code, "T11") == 0 || strcmp(x->code, "T14") == 0 ||
            strstr(x->text, "outside 1 .. 0") || strstr(x->text, "of no elements") ||
            strstr(x->text, "nothing is bound to it"))
            wants = true;
        else if (x->code[1] == '4')
            return false;
    }
    return wants && !syn_mod_find(c->syn->annotation, "experiment");
}

ClassCheck front_check_class(Front *f, const char *name)
{
    uint32_t errors = diags_errors(f->diags);
    SynInstance x;
    f->is_part = true;
    if (!parse_instance(f->mem, f->names, f->diags, name, &x))
        return CHECKED_AS_TYPE;
    Class *c = lookup_path_or_report(f, NULL, &x.path, "class");
    if (!c || !class_elaborate(f, c))
        return CHECKED_AS_TYPE;
    if (is_model(c) && !class_is_partial(c))
        return !flatten(f, name) && errors == 0 && wants_values(f, c) ? CHECK_WANTS_VALUES
                                                                      : CHECKED_AS_MODEL;
    for (uint32_t k = 0; k < c->component.n; k++)
        element_type(f, c->component.at[k]);
    class_rules(f);
    return CHECKED_AS_TYPE;
}
