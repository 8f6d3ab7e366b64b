/* lane_code.h -- the model once more, for several instances at once (RungLanes of rung_model.h).
 *
 * The sections are those of one instance, written down by a Coder of their own whose values are
 * vectors (code/lane.c): same expressions, same order, so same bits in each lane.
 */
#ifndef RUNG_EMIT_MODEL_LANE_CODE_H
#define RUNG_EMIT_MODEL_LANE_CODE_H

#include "emit/model/model.h"

/* The functions for o.width instances, and their row in main's table of RungLanes. Main has its
 * sections; `apart`: for a C library, which has the derivatives alone. False after an error. */
typedef struct LaneCode {
    const char *id; /* <id of main>_lanes<width> */
    uint32_t width;
    bool apart;
    FunctionUse *functions; /* of main */
    Coder *code;
    Text tables, row, declared; /* declared: the functions in row */
} LaneCode;
bool lane_code_make(const Model *main, EmitOptions o, bool apart, LaneCode *out);
/* Adds its header and its C. */
void lane_code_files(const LaneCode *l, EmitFiles *out);

#endif
