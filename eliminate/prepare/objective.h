/* objective.h -- an objective as it is written in --objective: y (its value at the stop time),
 * integral(y) over the run, max(y) or min(y) along it. */
#ifndef RUNG_ELIMINATE_PREPARE_OBJECTIVE_H
#define RUNG_ELIMINATE_PREPARE_OBJECTIVE_H

#include "base/arena.h"

typedef enum ObjectiveKind {
    OBJECTIVE_AT_STOP,
    OBJECTIVE_INTEGRAL,
    OBJECTIVE_MAXIMUM,
    OBJECTIVE_MINIMUM
} ObjectiveKind;

/* `variable` becomes y. */
ObjectiveKind objective_read(const char *text, Arena *mem, const char **variable);

/* value(y), the name of a variable equal to a discrete y: it has derivatives as those that move. */
const char *objective_value(const char *variable, Arena *mem);

#endif
