/* graphics.h -- graphical annotations (MLS 18.6) as shapes and places.
 *
 * Annotations of graphics are literals, but for DynamicSelect(literal, expression), whose literal
 * counts, signs and arithmetic of literals. Graphics with other expressions are left out; `visible`
 * and texts are the caller's.
 */
#ifndef RUNG_FRONTEND_INSTANTIATE_GRAPHICS_H
#define RUNG_FRONTEND_INSTANTIATE_GRAPHICS_H

#include "frontend/syntax/syntax.h"
#include "ir/terminal.h"

bool graphics_number(const SynExpr *x, double *out);
bool graphics_extent(const SynExpr *x, IconPoint out[2]);

/* The value of an argument of an annotation: extent in coordinateSystem(extent = ...); NULL: none.
 * m may be NULL. */
const SynExpr *graphics_argument(const SynMod *m, const char *name);
/* The shapes of a layer, Icon or Diagram, as written; an array, or NULL. */
const SynExpr *graphics_of_layer(const SynMod *annotation, const char *layer);
/* The extent of a layer's coordinate system, lower left corner first; false: none is written. */
bool graphics_system(const SynMod *annotation, const char *layer, IconPoint out[2]);

/* One of them; its text is textString, the fileName or imageSource of a bitmap, as written. False
 * if it is none, or its points are no literals. visible: the expression, or NULL. */
bool graphics_shape(const SynExpr *x, Arena *mem, IconShape *out, const SynExpr **visible);
/* The same of Line(...) in the annotation of a connect equation; false: none. */
bool graphics_line(const SynMod *annotation, Arena *mem, IconShape *out);

/* transformation(...) of a component: where its coordinate system is put. */
typedef struct GraphicsPlace {
    IconPoint origin;
    IconPoint
        extent[2];   /* as written: the first corner is where the system's lower left one goes */
    double rotation; /* degrees, about the origin, against the clock */
} GraphicsPlace;

/* Placement(...); in_icon: iconTransformation if there is one. False: none, or no literals.
 * visible: the expression, or NULL. */
bool graphics_place(const SynMod *annotation, bool in_icon, GraphicsPlace *out,
                    const SynExpr **visible);

#endif
