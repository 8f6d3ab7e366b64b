/* front.h -- the frontend's context: what every part of it is handed.
 *
 * One Front per compilation. `mem` lives as long as the System: functions kept as calls are
 * expanded through it after flattening. `scratch` belongs to the driver too; evaluation rolls
 * it back.
 */
#ifndef RUNG_FRONTEND_FRONT_H
#define RUNG_FRONTEND_FRONT_H

#include "frontend/expression.h"
#include "frontend/scope.h"

struct Front {
    Arena *mem;
    Arena *scratch;
    Names *names;
    Diags *diags;
    System *sys;
    Evaluator eval;
};

#endif
