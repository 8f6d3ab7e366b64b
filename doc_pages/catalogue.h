/* catalogue.h -- the classes that get pages, the names of their pages, and who uses whom.
 *
 * A page's name is the class's full name with letters, digits, dots and underscores kept and other
 * bytes as "-" and two hexadecimal digits. Names that differ from an earlier one by the case of
 * letters only get "-2", "-3", ..., for file systems that take them for one; names too long for a
 * file end in 16 digits of a hash.
 */
#ifndef RUNG_DOC_PAGES_CATALOGUE_H
#define RUNG_DOC_PAGES_CATALOGUE_H

#include "base/vec.h"
#include "frontend/instantiate/outline.h"

typedef struct DocClass DocClass;
typedef VEC(DocClass *) DocClasses;

/* A name in the text of a class that means another class. */
typedef struct DocUse {
    Span span;
    const SynClass *target;
} DocUse;

struct DocClass {
    SynClass *syn;
    const char *name;  /* full */
    const char *page;  /* classes/NAME.html in the folder */
    const char *icon;  /* icons/NAME.svg; NULL: it has none */
    DocClass *parent;  /* NULL: at the top */
    DocClasses inside; /* classes that it declares, in the order of package.order or the text */
    const Outline *outline;
    Texts messages;                  /* errors of names that were not found */
    VEC(DocUse) use;                 /* in the order of the text */
    DocClasses extended_by, used_by; /* each once */
    bool is_example;                 /* in a package Examples, or with an annotation experiment */
};

typedef struct Catalogue {
    Front *front;
    Arena *mem;
    DocClasses all; /* a class after the one around it */
    DocClasses top;
    Map of_syn;  /* SynClass -> index in all */
    Map taken;   /* names of files, in lower case */
    Map outline; /* SynClass -> index in outlines */
    VEC(const Outline *) outlines;
} Catalogue;

Catalogue *catalogue_new(Front *f, Arena *mem);
/* The class and all that are declared inside; reads the files of a structured package. Nothing if
 * it is there. */
void catalogue_add(Catalogue *c, SynClass *syn);
/* Outlines, messages and uses of all classes; forgets the messages in the Diags of the Front. */
void catalogue_resolve(Catalogue *c);
/* NULL: it has no page. */
DocClass *catalogue_find(const Catalogue *c, const SynClass *syn);
/* The outline of a component's type: that of its page, or one made once for its definition. */
const Outline *catalogue_outline(Catalogue *c, const OutlineComponent *component);
/* A file's name made of text, unique in a folder: folder/NAME + ending. */
const char *catalogue_file(Catalogue *c, const char *folder, const char *text, const char *ending);

#endif
