/* unit_rules.h -- units of a class's equations, statements and bindings (MLS 3.6 ch. 19).
 *
 * A component has a unit if its type or modifiers give one; operators and functions derive the
 * units of expressions. An expression without unit fits everything. So does `time`: sin(2*time) and
 * 3*time are written everywhere, the 2 being in rad/s. A literal number fits each term that it is
 * added to or compared with; as a factor it is dimensionless if it is small and a multiple of a
 * quarter, else it fits everything. Of units the powers of base units are compared, not factors:
 * metres and kilometres fit, angles are numbers.
 */
#ifndef RUNG_FRONTEND_RULES_UNIT_RULES_H
#define RUNG_FRONTEND_RULES_UNIT_RULES_H

#include "frontend/instantiate/instance.h"

/* Checks c's own text; reports a warning, or an error, at each place where two units do not fit. */
void unit_rules(Front *f, Class *c);

#endif
