/* newton_code.h -- the Newton iteration of eliminate/forms/newton_system.h as a function of the
 * model (RungNewton).
 */
#ifndef RUNG_EMIT_MODEL_NEWTON_CODE_H
#define RUNG_EMIT_MODEL_NEWTON_CODE_H

#include "emit/code/code.h"
#include "emit/model/table.h"

/* Places in the matrix of the entries that the functions compute. */
typedef struct NewtonPlaces {
    uint32_t n_entries, n;
    uint32_t *entry_place, *place;
} NewtonPlaces;

void newton_section(const Program *g, Coder *c, Arena *mem, NewtonPlaces *out);
/* The struct `newton`; first: the place in u of its inputs. */
void newton_table(const Program *g, const NewtonPlaces *places, Tables *tables, const char *id,
                  uint32_t first);

#endif
