/* outline.h -- a class as its text declares it, with its bases and the types of its components
 * found: for documentation and drawings.
 *
 *     model Motor extends Interfaces.Machine(w(start = 1)); parameter Real k = 2 "gain"; end Motor;
 *
 * has the base Interfaces.Machine, whose outline has the component w with the start value 1, and a
 * component k of its own. Nothing is instantiated and no value is computed. Errors on the way are
 * in the Diags of the Front, as ever; an outline is there after errors, too, with the parts that
 * were found.
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_OUTLINE_H
#define RUNG_FRONTEND_INSTANTIATE_OUTLINE_H

#include "frontend/front.h"

typedef struct Outline Outline;

typedef struct OutlineBase {
    const SynExtends *clause; /* NULL: of a short class */
    const Outline *outline;
} OutlineBase;

typedef struct OutlineComponent {
    const SynElement *element; /* the declaration or, if redeclared, the redeclaration */
    const SynComponent *syn;   /* its component, with prefixes of the original declaration */
    const Class *type;         /* NULL: not found */
    const SynClass *type_syn;  /* NULL: predefined, or not found */
    const char *type_name;     /* full; NULL: not found */
    bool is_connector, is_constant, is_parameter, is_input, is_output;
    /* as the declaration, modifiers outside and the type give them, outermost first; NULL: none */
    const SynExpr *value, *unit, *display_unit, *min, *max, *start;
} OutlineComponent;

struct Outline {
    const Class *cls;
    const SynClass *syn; /* NULL: predefined */
    const char *name;    /* full */
    bool has_failed;     /* some base or name was not found */
    const OutlineBase *base;
    uint32_t n_bases;
    const OutlineComponent *component; /* its own, without those of bases */
    uint32_t n_components;
    const char *predefined; /* of a type: Real, Integer, Boolean, String, enumeration; else NULL */
    const SynExpr *unit, *display_unit, *quantity, *min, *max; /* of a type; NULL: none */
};

/* The outline of a class that has been loaded, as it is without modifications from outside. In
 * f->mem; a new one each time. */
const Outline *front_outline(Front *f, const SynClass *syn);
/* The outline of a component's type, in its environment. */
const Outline *front_outline_of(Front *f, const Class *type);
/* The class that a name in the text of `within` means. NULL if it is predefined, no class, or not
 * found, which is not reported. */
const SynClass *front_class_named(Front *f, const Outline *within, const SynPath *path);

#endif
