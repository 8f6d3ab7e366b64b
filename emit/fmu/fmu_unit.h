/* fmu_unit.h -- units of Modelica (MLS 19: products and quotients of symbols with integer exponents
 * and SI prefixes) as powers of the base units of FMI:
 *
 *     value in base units = factor * value + offset
 */
#ifndef RUNG_EMIT_FMU_FMU_UNIT_H
#define RUNG_EMIT_FMU_FMU_UNIT_H

#include <stdbool.h>

enum { FMU_BASE_UNITS = 8 }; /* kg m s A K mol cd rad */

typedef struct FmuUnit {
    int power[FMU_BASE_UNITS];
    double factor, offset;
} FmuUnit;

/* False for what is no unit, or holds a symbol that is not known. */
bool fmu_unit_read(const char *text, FmuUnit *out);
/* Whether values of one can be shown in the other; angles are numbers. */
bool fmu_unit_fits(const FmuUnit *a, const FmuUnit *b);

#endif
