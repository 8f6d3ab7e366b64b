/* c_library.h -- a model as C for other programs to link, and its inverse dynamics.
 *
 * The request of the compilation says which derivatives there are: request.jacobian (by default all
 * but an embedded library have them), and by which inputs, outputs and parameters. Without a
 * Jacobian steps use differences.
 */
#ifndef RUNG_TRANSLATE_C_LIBRARY_H
#define RUNG_TRANSLATE_C_LIBRARY_H

#include "emit/library/library.h"
#include "translate/driver.h"

typedef struct LibraryRequest {
    LibraryKind kind; /* not LIBRARY_INVERSE                             */
    bool single_precision;
    bool has_no_fallback; /* no second program that solves with pivoting */
} LibraryRequest;

/* After all passes. False after an error: loops that are cut, delays, ... (library_cannot). */
bool c_library_make(Compilation *c, const LibraryRequest *r, Arena *mem, EmitFiles *out);

/* Forces and torques of given motions. */
typedef struct InverseRequest {
    const char *motion; /* patterns of coordinates that become inputs, with two derivatives */
    const char *effort; /* patterns of forces and torques to compute, one for each          */
    bool single_precision;
} InverseRequest;

/* Runs the passes: those behind "der" on the model turned around. False after an error. */
bool c_library_inverse(Compilation *c, const InverseRequest *r, Arena *mem, EmitFiles *out);

#endif
