/* newton.h -- the Newton iteration of eliminate/newton.h as a function of the model (RungNewton).
 */
#ifndef RUNG_EMIT_NEWTON_H
#define RUNG_EMIT_NEWTON_H

#include "emit/code.h"
#include "emit/table.h"

/* Where in the matrix the numbers of the functions belong. */
typedef struct NewtonPlaces {
    uint32_t n_entries, n;
    uint32_t *entry_place, *place;
} NewtonPlaces;

void newton_section(const Program *g, Coder *c, Arena *mem, NewtonPlaces *out);
/* The struct `newton`; first: the place in u of what it is given. */
void newton_table(const Program *g, const NewtonPlaces *places, Tables *tables, const char *id,
                  uint32_t first);

#endif
