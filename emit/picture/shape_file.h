/* shape_file.h -- the triangles of a CAD file, by its suffix:
 *
 *     .dxf   3DFACE entities, with their colours or those of their layers (AutoCAD DXF as text)
 *     .stl   as text or binary (3D Systems 1989)
 *     .obj   v and f, polygons as fans from their first corner; materials are not read (Wavefront)
 *
 * Coordinates are in metres. Points of equal coordinates are one point; triangles with two corners
 * in one point are left out. Faces have two sides.
 */
#ifndef RUNG_EMIT_PICTURE_SHAPE_FILE_H
#define RUNG_EMIT_PICTURE_SHAPE_FILE_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define SHAPE_COLOR_NONE UINT32_MAX /* that of the model */

typedef struct ShapeFile {
    VEC(float) point;     /* 3 of each                               */
    VEC(uint32_t) corner; /* 3 of each triangle: points              */
    VEC(uint32_t) color;  /* of each triangle: 65536 red + 256 green + blue */
    const char *error;    /* why there is nothing: cause, place; without the file's name */
} ShapeFile;

enum { SHAPE_TRIANGLES_MOST = 1 << 20 }; /* of a file */

/* Everything lives in mem. False with s->error. */
bool shape_file_read(ShapeFile *s, const char *path, Arena *mem);
/* The same from bytes in memory, followed by a 0; `ending` as in ".stl". */
bool shape_file_parse(ShapeFile *s, const char *ending, const char *bytes, size_t n, Arena *mem);

#endif
