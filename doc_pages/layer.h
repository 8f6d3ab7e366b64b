/* layer.h -- the icon and the diagram of a class (MLS 18.6): its graphics and those of its bases,
 * the icons of its components at their places, and the lines of its connections.
 *
 *     a class's icon      graphics of the layer Icon, icons of public connectors
 *     its diagram         graphics of the layer Diagram, icons of all components, connection lines
 */
#ifndef RUNG_DOC_PAGES_LAYER_H
#define RUNG_DOC_PAGES_LAYER_H

#include "doc_pages/drawing.h"
#include "frontend/instantiate/outline.h"

/* Questions of a picture to the set of pages that it belongs to. */
typedef struct LayerContext {
    Front *front;
    Arena *mem;
    void *self;
    const Outline *(*outline)(void *self, const OutlineComponent *c); /* of its type, or NULL */
    /* from the picture's page to that of a class; NULL: none */
    const char *(*link)(void *self, const SynClass *c);
    /* a URL of the picture of a bitmap in the text of `in`; NULL: none */
    const char *(*bitmap)(void *self, const SynClass *in, const IconShape *s);
} LayerContext;

/* The icon as a file of its own; texts with the name or a parameter of a component are left out.
 * False: the class draws nothing. */
bool layer_icon(const LayerContext *l, const Outline *o, Text *svg);
/* The diagram as part of a page, with links to the pages of components. False: there are no
 * graphics, connection lines or components with places that are no connectors. */
bool layer_diagram(const LayerContext *l, const Outline *o, Text *svg);

#endif
