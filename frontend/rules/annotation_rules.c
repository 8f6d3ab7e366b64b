/* annotation_rules.c -- annotations with impossible values (MLS 3.6 ch. 18).
 *
 * Reads the text of one class. Only literal values are checked here.
 */
#include "frontend/rules/rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- values as written ---- */

static const SynExpr *value_of(const SynMod *m, const char *name)
{
    const SynArg *a = m ? syn_mod_find(m, name) : NULL;
    return a && a->mod ? a->mod->value : NULL;
}

static const SynMod *part_of(const SynMod *m, const char *name)
{
    const SynArg *a = m ? syn_mod_find(m, name) : NULL;
    return a ? a->mod : NULL;
}

/* The value of `name = x` among the arguments of a record constructor. */
static const SynExpr *named(const SynExpr *call, const char *name)
{
    for (uint32_t k = 0; call->kind == SYN_CALL && k < call->n_named; k++)
        if (strcmp(call->named[k].name.s, name) == 0)
            return call->named[k].value;
    return NULL;
}

static bool is_call_of(const SynExpr *x, const char *name)
{
    return x && x->kind == SYN_CALL && x->cref->n == 1 &&
           strcmp(x->cref->part[0].name.s, name) == 0;
}

static bool is_literal(const SynExpr *x)
{
    switch (x->kind) {
    case SYN_INTEGER:
    case SYN_REAL:
    case SYN_STRING:
    case SYN_BOOLEAN:
        return true;
    case SYN_CREF: /* of an enumeration */
        return x->cref->n > 1;
    case SYN_UNARY:
    case SYN_ARRAY:
    case SYN_CALL: /* of a record */
        for (uint32_t k = 0; k < x->arg.n; k++)
            if (x->arg.at[k] && !is_literal(x->arg.at[k]))
                return false;
        return true;
    default:
        return false;
    }
}

static bool number(const SynExpr *x, double *out)
{
    if (x->kind == SYN_UNARY && (x->op == SYN_SUB || x->op == SYN_ADD)) {
        if (!number(x->arg.at[0], out))
            return false;
        *out = x->op == SYN_SUB ? -*out : *out;
        return true;
    }
    if (x->kind != SYN_INTEGER && x->kind != SYN_REAL)
        return false;
    *out = strtod(x->text, NULL);
    return true;
}

/* ---- MLS 18.6: graphics ---- */

/* {{x1, y1}, {x2, y2}} */
static bool extent(const SynExpr *x, double at[2][2])
{
    if (x->kind != SYN_ARRAY || x->arg.n != 2)
        return false;
    for (int i = 0; i < 2; i++) {
        const SynExpr *point = x->arg.at[i];
        if (!point || point->kind != SYN_ARRAY || point->arg.n != 2)
            return false;
        for (int j = 0; j < 2; j++)
            if (!point->arg.at[j] || !number(point->arg.at[j], &at[i][j]))
                return false;
    }
    return true;
}

static void check_layer(Front *f, const SynMod *annotation, const char *layer)
{
    const SynExpr *x = value_of(part_of(part_of(annotation, layer), "coordinateSystem"), "extent");
    double at[2][2];
    if (x && extent(x, at) && !(at[0][0] < at[1][0] && at[0][1] < at[1][1]))
        rule_error(f, x->span, "N49",
                   "the first corner of a coordinate system is the left lower one (MLS 18.6.1.1)");
}

/* DynamicSelect(x, y): x is drawn while no simulation runs. Only a warning: results are not
 * affected, and libraries put parameters there. */
static void check_dynamic(Front *f, const SynExpr *x)
{
    if (!x)
        return;
    if (is_call_of(x, "DynamicSelect") && x->arg.n > 0 && x->arg.at[0] && !is_literal(x->arg.at[0]))
        diag_warning(f->diags, x->arg.at[0]->span, "N49",
                     "the first argument of DynamicSelect is a literal (MLS 18.6.6)");
    if (x->kind != SYN_CALL && x->kind != SYN_ARRAY)
        return;
    for (uint32_t k = 0; k < x->arg.n; k++)
        check_dynamic(f, x->arg.at[k]);
    for (uint32_t k = 0; x->kind == SYN_CALL && k < x->n_named; k++)
        check_dynamic(f, x->named[k].value);
}

static void check_all_dynamic(Front *f, const SynMod *m)
{
    for (uint32_t k = 0; m && k < m->n; k++)
        if (m->arg[k].kind == SYN_ARG_MODIFY && m->arg[k].mod) {
            check_dynamic(f, m->arg[k].mod->value);
            check_all_dynamic(f, m->arg[k].mod);
        }
}

/* ---- MLS 18.2.2: figures ---- */

/* Each `identifier` of these constructors that is not empty stands once. */
static void check_identifiers(Front *f, const SynExpr *all, const char *what)
{
    for (uint32_t k = 0; all && all->kind == SYN_ARRAY && k < all->arg.n; k++) {
        const SynExpr *a = all->arg.at[k] ? named(all->arg.at[k], "identifier") : NULL;
        if (!a || a->kind != SYN_STRING || !a->text[0])
            continue;
        for (uint32_t j = 0; j < k; j++) {
            const SynExpr *b = all->arg.at[j] ? named(all->arg.at[j], "identifier") : NULL;
            if (b && b->kind == SYN_STRING && strcmp(a->text, b->text) == 0) {
                rule_error(f, a->span, "N49", "two %s have the identifier \"%s\" (MLS 18.2.2)",
                           what, a->text);
                break;
            }
        }
    }
}

static void check_figures(Front *f, const SynMod *annotation)
{
    const SynExpr *all = value_of(part_of(annotation, "Documentation"), "figures");
    check_identifiers(f, all, "figures");
    for (uint32_t k = 0; all && all->kind == SYN_ARRAY && k < all->arg.n; k++)
        if (all->arg.at[k])
            check_identifiers(f, named(all->arg.at[k], "plots"), "plots of a figure");
}

/* ---- MLS 18.7: the dialog of a parameter ---- */

static bool is_true(const SynExpr *x)
{
    return x && x->kind == SYN_BOOLEAN && x->truth;
}

static void check_dialog(Front *f, const Element *e)
{
    const SynMod *dialog = part_of(e->component->annotation, "Dialog");
    if (!dialog)
        return;
    static const char *const choices[] = {"loadSelector", "saveSelector", "directorySelector"};
    uint32_t n = is_true(value_of(dialog, "showStartAttribute")) +
                 is_true(value_of(dialog, "colorSelector")) +
                 is_true(value_of(dialog, "connectorSizing"));
    for (size_t k = 0; k < sizeof choices / sizeof *choices; k++)
        n += syn_mod_find(dialog, choices[k]) != NULL;
    if (n > 1)
        rule_error(f, dialog->span, "N49",
                   "showStartAttribute, colorSelector, loadSelector, saveSelector, "
                   "directorySelector and connectorSizing exclude each other (MLS 18.7)");
    const SynExpr *sizing = value_of(dialog, "connectorSizing");
    if (!sizing)
        return;
    if (sizing->kind != SYN_BOOLEAN) {
        rule_error(f, sizing->span, "N49", "connectorSizing is true or false (MLS 18.7.1)");
        return;
    }
    const SynExpr *zero = e->component->mod ? e->component->mod->value : NULL;
    bool is_integer = e->typed != TYPE_KNOWN ||
                      (e->type->kind == CLASS_PLAIN && e->type->base_type == TYPE_INTEGER);
    bool fits = e->component->prefix.variability == SYN_PARAMETER && is_integer &&
                e->component->own_dims.n + e->component->type_dims.n == 0 && zero &&
                zero->kind == SYN_INTEGER && strcmp(zero->text, "0") == 0;
    if (sizing->truth && !fits)
        rule_error(f, sizing->span, "N49",
                   "'%s' has connectorSizing, so it is declared as parameter Integer %s = 0 "
                   "(MLS 18.7.1)",
                   e->name.s, e->name.s);
}

/* ---- MLS 18.3, 18.4, 18.7: of classes that are used ---- */

static bool is_test(const Class *c)
{
    return c && c->syn && c->syn->annotation && syn_mod_find(c->syn->annotation, "TestCase");
}

/* Annotation of the class itself, not of the class that it renames: none of these is inherited. */
static const SynExpr *annotated(const Class *c, const char *name)
{
    return c && c->syn ? value_of(c->syn->annotation, name) : NULL;
}

static void check_use(Front *f, const Class *c, const Class *used, Span at)
{
    const SynExpr *obsolete = annotated(used, "obsolete");
    if (obsolete && obsolete->kind == SYN_STRING && !annotated(c, "obsolete"))
        diag_warning(f->diags, at, "N49", "%s is obsolete: %s (MLS 18.10)", used->name,
                     obsolete->text);
    if (is_test(used) && !is_test(c))
        rule_error(f, at, "N49", "%s is a test case, which only test cases use (MLS 18.4)",
                   used->name);
}

/* MLS 18.5.1: one component, where the class is declared. */
static void check_single(Front *f, const Class *c, const Element *e)
{
    if (!is_true(annotated(e->type, "singleInstance")))
        return;
    bool is_alone = e->member.n_dims == 0;
    for (uint32_t k = 0; k < c->component.n && is_alone; k++) {
        const Element *other = c->component.at[k];
        is_alone = other->index >= e->index || other->typed != TYPE_KNOWN ||
                   !class_same(other->type, e->type);
    }
    const SynClass *around = e->type->syn->parent;
    if (!is_alone)
        rule_if_strict(f, e->component->name_span, "N49",
                       "%s has singleInstance, so it has one component only (MLS 18.5.1)",
                       e->type->name);
    else if (around != syn_class_whole(e->syn->in))
        rule_if_strict(f, e->component->name_span, "N49",
                       "%s has singleInstance, so its component is where it is declared (MLS "
                       "18.5.1)",
                       e->type->name);
}

/* ---- values -------------------------------------------------------------------------------- */

typedef enum Literal { LITERAL_NONE, LITERAL_NUMBER, LITERAL_STRING, LITERAL_BOOLEAN } Literal;

static Literal literal_of(const SynExpr *x)
{
    while (x->kind == SYN_UNARY && (x->op == SYN_SUB || x->op == SYN_ADD))
        x = x->arg.at[0];
    return x->kind == SYN_INTEGER || x->kind == SYN_REAL ? LITERAL_NUMBER
           : x->kind == SYN_STRING                       ? LITERAL_STRING
           : x->kind == SYN_BOOLEAN                      ? LITERAL_BOOLEAN
                                                         : LITERAL_NONE;
}

/* MLS 18: the type of an annotation's value. Checks literals; expressions are checked where they
 * are evaluated.
 */
static void check_values(Front *f, const SynMod *m, const char *inside)
{
    static const struct {
        const char *in, *name;
        Literal is;
    } known[] = {
        {"", "Evaluate", LITERAL_BOOLEAN},
        {"", "HideResult", LITERAL_BOOLEAN},
        {"", "Inline", LITERAL_BOOLEAN},
        {"", "LateInline", LITERAL_BOOLEAN},
        {"", "InlineAfterIndexReduction", LITERAL_BOOLEAN},
        {"", "GenerateEvents", LITERAL_BOOLEAN},
        {"", "singleInstance", LITERAL_BOOLEAN},
        {"", "preferredView", LITERAL_STRING},
        {"", "version", LITERAL_STRING},
        {"", "obsolete", LITERAL_STRING},
        {"", "unassignedMessage", LITERAL_STRING},
        {"", "missingInnerMessage", LITERAL_STRING},
        {"", "mustBeConnected", LITERAL_STRING},
        {"", "mayOnlyConnectOnce", LITERAL_STRING},
        {"", "defaultComponentName", LITERAL_STRING},
        {"", "defaultComponentPrefixes", LITERAL_STRING},
        {"", "smoothOrder", LITERAL_NUMBER},
        {"experiment", "StartTime", LITERAL_NUMBER},
        {"experiment", "StopTime", LITERAL_NUMBER},
        {"experiment", "Interval", LITERAL_NUMBER},
        {"experiment", "Tolerance", LITERAL_NUMBER},
        {"TestCase", "shouldPass", LITERAL_BOOLEAN},
        {"Documentation", "info", LITERAL_STRING},
        {"Documentation", "revisions", LITERAL_STRING},
    };
    static const char *const text[] = {"", "number", "String", "Boolean"};
    for (uint32_t k = 0; m && k < m->n; k++) {
        const SynArg *a = &m->arg[k];
        if (a->kind != SYN_ARG_MODIFY || a->path.n != 1 || !a->mod)
            continue;
        const char *name = a->path.name[0].s;
        if (!*inside && a->mod->n)
            check_values(f, a->mod, name);
        Literal is = a->mod->value ? literal_of(a->mod->value) : LITERAL_NONE;
        for (size_t j = 0; is && j < sizeof known / sizeof *known; j++)
            if (strcmp(known[j].name, name) == 0 && strcmp(known[j].in, inside) == 0 &&
                known[j].is != is)
                rule_error(f, a->mod->value->span, "N49", "'%s' is a %s, not a %s (MLS 18)", name,
                           text[known[j].is], text[is]);
    }
}

void annotation_rules(Front *f, const Class *c)
{
    const SynMod *own = c->syn->annotation;
    check_values(f, own, "");
    check_layer(f, own, "Icon");
    check_layer(f, own, "Diagram");
    check_all_dynamic(f, part_of(own, "Icon"));
    check_all_dynamic(f, part_of(own, "Diagram"));
    check_figures(f, own);
    for (uint32_t k = 0; k < c->component.n; k++) {
        const Element *e = c->component.at[k];
        if (e->syn->in != syn_class_whole(c->syn))
            continue;
        check_dialog(f, e);
        check_values(f, e->component->annotation, "");
        if (e->typed == TYPE_KNOWN)
            check_single(f, c, e);
        if (e->typed == TYPE_KNOWN)
            check_use(f, c, e->type, e->component->name_span);
    }
    for (uint32_t k = 0; c->base.n == c->syn->n_extends && k < c->base.n; k++)
        check_use(f, c, c->base.at[k], c->syn->extends[k]->extends->base.span);
}
