/* unit.h -- units of Modelica (MLS 19: products and quotients of symbols with integer exponents
 * and SI prefixes) as powers of base units, those of the SI and the radian, as in FMI:
 *
 *     value in base units = factor * value + offset
 */
#ifndef RUNG_BASE_UNIT_H
#define RUNG_BASE_UNIT_H

#include "base/arena.h"

#include <stdbool.h>

enum { BASE_UNITS = 8 }; /* kg m s A K mol cd rad */

typedef struct UnitOfMeasure {
    int power[BASE_UNITS];
    double factor, offset;
} UnitOfMeasure;

/* False if the text is no unit or has an unknown symbol. */
bool unit_read(const char *text, UnitOfMeasure *out);
/* NULL if the text is written as a unit (MLS 19.1), its symbols known or not; else why it is not.
 */
const char *unit_fault(const char *text);
/* The first symbol that is not known in a text that is written as a unit; NULL if all are.
 * *nearest: the symbol, or the product of some, that was likely meant; or NULL. */
const char *unit_unknown(Arena *mem, const char *text, const char **nearest);
/* Whether values of one can be shown in the other; angles are numbers. */
bool unit_fits(const UnitOfMeasure *a, const UnitOfMeasure *b);
/* The unit in which values are shown (MLS 4.9.1): the display unit if values can be shown in it.
 * value shown = factor * value + offset. */
const char *unit_shown(const char *unit, const char *display, double *factor, double *offset);

#endif
