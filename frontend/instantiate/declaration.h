/* declaration.h -- the declaration that a name means, and the names that there are, for editors.
 *
 * Names are looked up inside a class as in its equations (MLS 5.3), with elements that are
 * inherited, imported or redeclared there. Errors on the way are in the Diags of the Front, as
 * ever.
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_DECLARATION_H
#define RUNG_FRONTEND_INSTANTIATE_DECLARATION_H

#include "base/vec.h"
#include "frontend/front.h"

typedef struct Declaration {
    const SynElement *element;  /* a component or a class; NULL for predefined ones, and for classes
                                   in files that have not been read */
    const SynClass *type;       /* of a component: as declared; NULL for predefined ones */
    const char *type_name;      /* of a component: full; of a class: its own */
    const SynLiteral *literal;  /* of an enumeration, element's class; else NULL */
    Span name;                  /* in the declaration */
    const SynElement *original; /* of a redeclaration: the declaration in its place (MLS 7.3); else
                                   element */
} Declaration;

/* within: the class around the name, NULL at the top; parts: a.b.c. False if the name is
 * not declared. */
bool front_declaration(Front *f, const SynPath *within, const Name *part, uint32_t n,
                       Declaration *out);

typedef struct NamedDeclaration {
    Name name;
    Declaration declaration;
} NamedDeclaration;

typedef VEC(NamedDeclaration) NamedDeclarations;

/* Appends the members of a.b.c, inherited ones too; with n = 0 all names inside the class, in the
 * classes around it and at the top. Types of components are not looked up. */
void front_members(Front *f, const SynPath *within, const Name *part, uint32_t n,
                   NamedDeclarations *out);

#endif
