/* geometry.h -- the frames, parts and solids of a model (ir/geometry.h), as JSON beside a result.
 *
 *     {"format": "rung view 1", "model": "M",
 *      "frames": [{"name": "arm.frame_a", "r": "arm.frame_a.r", "T": "arm.frame_a.T"}, ...],
 *      "parts":  [{"name": "arm", "frames": [0, 1]}, ...],
 *      "solids": [{"name": "arm.shape.solid", "members": ["arm.shape.solid.form", ...]}, ...],
 *      "looks":  [{"name": "load", "form": "body", "frame": {"frame": 4}, "m": {"of": "load.m"},
 *                  "r": {"of": "load.r_CM", "dims": [3]}, "width": 0.1}, ...]}
 *
 * r stands for the columns r[1] ... r[3] of the result, T for T[1,1] ... T[3,3] (none: the axes of
 * the world), "pull" of a frame, if it is there, for three inputs (eliminate/prepare/pulls.h),
 * members for those of a Solid in the order of ir/geometry.h: a vector where that has
 * one, else one column. A solid that is in a CAD file has "file", its path, too. Arguments of looks
 * are places among the frames, variables, or numbers.
 */
#ifndef RUNG_EMIT_PICTURE_GEOMETRY_H
#define RUNG_EMIT_PICTURE_GEOMETRY_H

#include "base/text.h"
#include "ir/system.h"

/* "" where nothing can be drawn. */
const char *geometry_json(const System *s, Arena *mem);
/* The path of the geometry file of a result: R.mat -> R.view.json. */
const char *geometry_path(const char *result, Arena *mem);
/* The part of name before the subscript of an array's element. */
const char *geometry_array(const char *element, Arena *mem);

#endif
