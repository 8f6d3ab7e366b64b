/* library.h -- a Program as C to link into other programs: no heap, no files, no global state, all
 * symbols begin with the model's name.
 *
 *     library_names.[ch]    identifiers of states, inputs, outputs, parameters
 *     library_header.c      M.h, which reads like a manual
 *     library_code.c        M.c: constant tables behind RungModel, the functions of M.h
 *     library_lanes.c       several instances at once
 *     library_adjoint.c     gradients, back over the steps
 *     library_files.c       README, example, Makefile, one file instead of many, single precision
 *
 * The functions that do the work are those of any emitted model (model/), called with a RungContext
 * whose arrays are in the caller's struct; runtime/kernel/rung_instance.h solves blocks and takes
 * steps.
 */
#ifndef RUNG_EMIT_LIBRARY_LIBRARY_H
#define RUNG_EMIT_LIBRARY_LIBRARY_H

#include "emit/emit.h"

typedef enum LibraryKind {
    LIBRARY_FOLDER,   /* files, an example, a Makefile */
    LIBRARY_SINGLE,   /* M.c and M.h                         */
    LIBRARY_EMBEDDED, /* likewise, without names           */
    LIBRARY_INVERSE,  /* likewise, inverse dynamics alone  */
} LibraryKind;

/* Inputs that are motions, with their derivatives, and the efforts to compute. */
typedef struct LibraryInverse {
    uint32_t n;
    const VarId *position, *velocity, *acceleration, *effort;
} LibraryInverse;

typedef struct LibraryOptions {
    LibraryKind kind;
    bool single_precision;
    LibraryInverse inverse; /* LIBRARY_INVERSE */
} LibraryOptions;

/* Emits the library of a program for which library_cannot is NULL. With g->numeric it has an
 * evaluation with pivoting, for vanished pivots. False after an error (in the System's diags). */
bool library_emit(const Program *g, LibraryOptions how, EmitOptions o, Arena *mem, EmitFiles *out);
/* Why there is no library of this program; NULL: there is. */
const char *library_cannot(const Program *g);

#endif
