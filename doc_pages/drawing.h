/* drawing.h -- shapes of annotations (MLS 18.6.5) as SVG.
 *
 * A drawing's coordinates are those of the outermost class; in SVG y points down, so y is written
 * with the other sign. All points are transformed before they are written: no transformations are
 * left but those of texts and bitmaps. Lines keep their width in pixels at any size
 * (vector-effect).
 */
#ifndef RUNG_DOC_PAGES_DRAWING_H
#define RUNG_DOC_PAGES_DRAWING_H

#include "base/text.h"
#include "ir/terminal.h"

#include <stdbool.h>

/* x' = a x + c y + e, y' = b x + d y + f */
typedef struct Affine {
    double a, b, c, d, e, f;
} Affine;

#define AFFINE_IDENTITY ((Affine){1, 0, 0, 1, 0, 0})

Affine affine_times(const Affine *outer, const Affine *inner);
IconPoint affine_point(const Affine *m, IconPoint p);
/* Where a component's coordinate system goes (MLS 18.6.1.1): the middle of `system` to the middle
 * of `extent`, turned by `rotation` degrees about the origin, then moved by it; mirrored where the
 * corners of `extent` are. keep_ratio: with one scale, the smaller one. */
Affine affine_of_place(const IconPoint system[2], const IconPoint extent[2], IconPoint origin,
                       double rotation, bool keep_ratio);

typedef struct Drawing {
    Arena *mem;
    Text out;            /* elements, without <svg> */
    uint32_t n_ids;      /* of gradients and patterns */
    IconPoint corner[2]; /* around all points; corner[0] below corner[1] once something is drawn */
    bool has_shapes;
} Drawing;

Drawing drawing_new(Arena *mem);
/* text: of a text, with its parts %name substituted; of a bitmap: a URL; NULL draws nothing of
 * these. */
void drawing_shape(Drawing *d, const IconShape *s, const char *text, const Affine *to);
/* <svg> around the elements, with a view of `extent` and the drawings outside of it; is_file: with
 * the name space and style of a file of its own. label: for readers who cannot see it. */
void drawing_svg(const Drawing *d, const IconPoint extent[2], bool is_file, const char *label,
                 Text *out);

#endif
