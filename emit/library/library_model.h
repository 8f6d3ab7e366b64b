/* library_model.h -- shared by the files of emit/library/ only. */
#ifndef RUNG_EMIT_LIBRARY_LIBRARY_MODEL_H
#define RUNG_EMIT_LIBRARY_LIBRARY_MODEL_H

#include "emit/library/library.h"
#include "emit/model/lane_code.h"
#include "emit/model/model.h"

typedef struct LibraryModel {
    const char *id; /* prefix of all symbols */
    LibraryOptions how;
    Model m, initial, other; /* its g NULL: there is none; other: pivots chosen at run time */
    EmitMembers state, input, output, parameter;
    EmitMembers by;       /* parameters that there are derivatives by: columns of the Jacobian */
    EmitMembers gradient; /* parameters that the adjoint has derivatives by */
    bool derives_at_once; /* by parameters: by the linearisation at each stage, else in rounds */
    uint32_t largest_block, largest_entries; /* unknowns, entries */
    bool has_functions;
    uint32_t n_calls, call_room; /* functions that may have a memory: rung_event.h */
    const uint32_t *call_key, *call_at;
    const LaneCode *lanes; /* n_lanes of them */
    uint32_t n_lanes;
} LibraryModel;

void library_members(LibraryModel *l);

/* Whether there may be equations that outputs alone depend on and whose solution may end
 * (runtime/kernel/rung_branch.h). */
bool library_watches_branches(const Model *m);

/* States without their derivatives by parameters, which come behind. */
uint32_t library_own_states(const Program *g);
/* The column of a parameter in the linearisation; UINT32_MAX: it has none. */
uint32_t library_column(const Program *g, VarId parameter);

void library_header(const LibraryModel *l, Text *out);
void library_code(LibraryModel *l, Text *out);

/* Several instances at once: structs and functions for M.h and M.c. */
void library_lanes_header(const LibraryModel *l, Text *out);
void library_lanes_code(const LibraryModel *l, Text *out);

/* Back over the steps, where the program has an adjoint: for M.h, M.c and the RungModel. */
void library_adjoint_header(const LibraryModel *l, Text *out);
void library_adjoint_code(const LibraryModel *l, Text *out);
void library_adjoint_table(const Model *m, Text *out);

/* The files of a library, made of all of its code. */
void library_files(const LibraryModel *l, EmitFiles *all, EmitFiles *out);

#endif
